/* What the packets of one sequence share: interned names, defaults, and whether they are valid.
 *
 * Ids of names and categories are forgotten whenever the incremental state is cleared; a packet
 * that needs the state when it is not there is not understood. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "trace/perfetto/clocks.h"
#include "trace/perfetto/wire.h"

/* The fields of a packet besides its payload. */
struct packet_head {
    uint64_t timestamp;
    bool has_timestamp;
    uint32_t clock; /* as it is to be read: own, else the sequence's default, else boot */
    uint32_t sequence;
    uint32_t payload; /* field number of the payload; 0 = none */
    const uint8_t *data;
    size_t size;
    bool understood; /* false: it needs an incremental state that is not there */
};

struct sequence {
    uint32_t id, default_clock;
    uint64_t default_track;
    bool has_default_track, valid;
    uint32_t generation;              /* of the interned ids */
    TAC_VEC(uint64_t) extra_counters; /* tracks of extra counter values */
    bool has_time;                    /* events may count from the one before */
    int64_t time;                     /* of that one, in microseconds of the monotonic clock */
};

struct sequences {
    tac_u64map index; /* id -> place */
    TAC_VEC(struct sequence) at;
    tac_u64map names; /* mix of place, generation, kind and id -> text id + 1 */
    tac_names texts;
};

enum interned { INTERNED_CATEGORY = 1, INTERNED_NAME = 2 };

/* Reads a packet's frame and moves its sequence's state. *sequence is borrowed, valid until the
 * next call. False for a packet that is damaged before its payload was found. */
bool sequences_packet(struct sequences *sequences, const uint8_t *data, size_t size,
                      struct packet_head *head, struct sequence **sequence);
/* The text of an interned id, or NULL. */
const char *sequences_text(const struct sequences *sequences, const struct sequence *sequence,
                           enum interned kind, uint64_t id);
/* The thread of a sequence, as Chrome described it before there were tracks: the track events after
 * it may count their time, in microseconds of the monotonic clock, from that of the one before. */
void sequence_thread(struct sequence *sequence, const struct packet_head *head, struct wire thread);
/* Boot time that a track event tells itself; false when it tells none that can be known. Call once
 * per event, in file order. */
bool sequence_event_time(struct sequence *sequence, const struct clocks *clocks, struct wire event,
                         int64_t *boot);
void sequences_free(struct sequences *sequences);
