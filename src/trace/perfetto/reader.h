/* The parts of the Perfetto reader: one file per kind of packet. */
#pragma once

#include "trace/perfetto/clocks.h"
#include "trace/perfetto/packets.h"
#include "trace/perfetto/sequence.h"
#include "trace/timeline/marks.h"

struct track {
    uint64_t parent;
    uint32_t name;     /* name id; TAC_NONE = none */
    uint32_t pid, tid; /* 0 = not said */
    bool incremental;
    uint32_t builtin; /* 1 = time of a thread, 2 = its instructions */
    const char *unit;
    double scale;
    double running; /* of an incremental counter, since the state below began */
    uint32_t sequence, generation;
    uint32_t series; /* + 1; 0 = none yet */
    bool used;
};

struct perfetto {
    struct timeline timeline;
    struct kernel kernel;
    struct packets packets;
    struct clocks clocks;
    struct sequences sequences;
    tac_u64map track_index; /* uuid -> place */
    TAC_VEC(struct track) tracks;
    tac_u64map rails; /* index -> series */
    size_t layer, jank, on_time;
    uint64_t count, undated, untimed, not_understood, other_phases, kernel_lost;
    bool any_frame;
};

/* Each takes the payload of one packet; time is in boot time. */
tac_status perfetto_bundle(struct perfetto *perfetto, struct wire wire, tac_error *err);
tac_status perfetto_track_event(struct perfetto *perfetto, const struct packet_head *head,
                                const struct sequence *sequence, int64_t time, tac_error *err);
void perfetto_descriptor(struct perfetto *perfetto, struct wire wire);
/* How Chrome described processes and the thread of a sequence before there were tracks. */
void perfetto_process(struct perfetto *perfetto, struct wire wire);
void perfetto_thread(struct perfetto *perfetto, const struct sequence *sequence, struct wire wire);
void perfetto_processes(struct perfetto *perfetto, struct wire wire);
tac_status perfetto_frame(struct perfetto *perfetto, struct wire wire, int64_t time,
                          tac_error *err);
tac_status perfetto_log(struct perfetto *perfetto, struct wire wire, tac_error *err);
tac_status perfetto_battery(struct perfetto *perfetto, struct wire wire, int64_t time,
                            tac_error *err);
tac_status perfetto_rails(struct perfetto *perfetto, struct wire wire, int64_t time,
                          tac_error *err);
tac_status perfetto_system(struct perfetto *perfetto, struct wire wire, int64_t time,
                           tac_error *err);
tac_status perfetto_process_stats(struct perfetto *perfetto, struct wire wire, int64_t time,
                                  tac_error *err);

/* After the last packet: names of tracks, places. */
void perfetto_tracks_finish(struct perfetto *perfetto);
/* What a frame's payload says. */
void perfetto_frame_payload(struct timeline *timeline, int64_t payload);
