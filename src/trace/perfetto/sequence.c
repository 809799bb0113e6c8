/* See sequence.h. Interned ids of a cleared state stay in the map under an old generation: they
 * cost memory but are never found. A sequence that clears its state often is kept small by
 * forgetting the map as a whole once it holds a million ids. */
#include "trace/perfetto/sequence.h"

enum { IDS_MAX = 1 << 20 };

enum packet_field {
    FIELD_TIMESTAMP = 8,
    FIELD_SEQUENCE = 10,
    FIELD_INTERNED = 12,
    FIELD_FLAGS = 13,
    FIELD_CLEARED = 41,
    FIELD_DROPPED = 42,
    FIELD_CLOCK = 58,
    FIELD_DEFAULTS = 59
};

enum { FLAG_CLEARED = 1, FLAG_NEEDS_STATE = 2 };

/* Fields of a packet that are not its payload. */
static bool is_frame(uint32_t number)
{
    switch (number) {
    case 3: /* trusted uid */
    case FIELD_TIMESTAMP:
    case FIELD_SEQUENCE:
    case FIELD_INTERNED:
    case FIELD_FLAGS:
    case FIELD_CLEARED:
    case FIELD_DROPPED:
    case FIELD_CLOCK:
    case FIELD_DEFAULTS:
    case 79:  /* trusted pid */
    case 85:  /* first packet on a sequence */
    case 87:  /* since the previous packet */
    case 98:  /* machine */
    case 108: /* trace clock of a machine */
    case 136:
    case 137:
        return true;
    default:
        return false;
    }
}

static struct sequence *sequence_of(struct sequences *sequences, uint32_t id)
{
    bool is_new;
    uint64_t *at = tac_u64map_at(&sequences->index, id, sequences->at.count, &is_new);
    if (is_new)
        tac_vec_push(&sequences->at, (struct sequence){.id = id});
    return &sequences->at.at[*at];
}

static uint64_t key_of(const struct sequence *sequence, enum interned kind, uint64_t id)
{
    uint64_t mixed = tac_hash_u64((uint64_t)sequence->id << 32 | sequence->generation);
    return tac_hash_u64(mixed ^ tac_hash_u64(id * 4 + kind));
}

static void intern(struct sequences *sequences, const struct sequence *sequence, enum interned kind,
                   struct wire wire)
{
    struct wire_small entry = wire_small(wire);
    if (!entry.text[2] || sequences->texts.count >= IDS_MAX)
        return;
    uint32_t place = tac_names_intern_bytes(&sequences->texts, entry.text[2], entry.length[2]);
    *tac_u64map_at(&sequences->names, key_of(sequence, kind, entry.number[1]), 0, NULL) = place + 1;
}

static void read_interned(struct sequences *sequences, const struct sequence *sequence,
                          struct wire wire)
{
    struct wire_field field;
    while (wire_next(&wire, &field))
        if ((field.number == INTERNED_CATEGORY || field.number == INTERNED_NAME) &&
            field.type == WIRE_BYTES)
            intern(sequences, sequence, (enum interned)field.number, wire_inside(&field));
}

static void read_track_defaults(struct sequence *sequence, struct wire wire)
{
    struct wire_field field;
    sequence->extra_counters.count = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 11) {
            sequence->default_track = wire_number(&field);
            sequence->has_default_track = true;
        } else if (field.number == 31 && field.type == WIRE_VARINT) {
            tac_vec_push(&sequence->extra_counters, field.value);
        } else if (field.number == 31 && field.type == WIRE_BYTES) {
            struct wire packed = wire_inside(&field);
            uint64_t track;
            while (packed.at < packed.end && wire_varint(&packed, &track))
                tac_vec_push(&sequence->extra_counters, track);
        }
    }
}

static void read_defaults(struct sequence *sequence, struct wire wire)
{
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (field.number == FIELD_CLOCK)
            sequence->default_clock = (uint32_t)wire_number(&field);
        else if (field.number == 11 && field.type == WIRE_BYTES)
            read_track_defaults(sequence, wire_inside(&field));
    }
}

static void clear(struct sequences *sequences, struct sequence *sequence)
{
    sequence->generation++;
    sequence->default_clock = 0;
    sequence->has_default_track = false;
    sequence->extra_counters.count = 0;
    sequence->valid = true;
    if (sequences->names.count > IDS_MAX) {
        tac_u64map_free(&sequences->names);
        tac_names_free(&sequences->texts);
        sequences->names = (tac_u64map){0};
        sequences->texts = (tac_names){0};
    }
}

/* What stands in a packet besides payload and numbers: read in a second pass, after the flags. */
struct parts {
    struct wire interned, defaults;
    uint64_t flags;
    bool cleared, dropped;
};

static bool read_fields(const uint8_t *data, size_t size, struct packet_head *head,
                        struct parts *parts, bool *own_clock)
{
    struct wire wire = wire_over(data, size);
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (!is_frame(field.number)) {
            if (!head->payload) {
                head->payload = field.number;
                head->data = field.type == WIRE_BYTES ? field.data : NULL;
                head->size = field.type == WIRE_BYTES ? field.size : 0;
            }
            continue;
        }
        uint64_t value = wire_number(&field);
        if (field.number == FIELD_TIMESTAMP)
            head->timestamp = value, head->has_timestamp = true;
        else if (field.number == FIELD_SEQUENCE)
            head->sequence = (uint32_t)value;
        else if (field.number == FIELD_CLOCK)
            head->clock = (uint32_t)value, *own_clock = true;
        else if (field.number == FIELD_FLAGS)
            parts->flags = value;
        else if (field.number == FIELD_CLEARED)
            parts->cleared = value != 0;
        else if (field.number == FIELD_DROPPED)
            parts->dropped = value != 0;
        else if (field.number == FIELD_INTERNED)
            parts->interned = wire_inside(&field);
        else if (field.number == FIELD_DEFAULTS)
            parts->defaults = wire_inside(&field);
    }
    return !wire.bad;
}

bool sequences_packet(struct sequences *sequences, const uint8_t *data, size_t size,
                      struct packet_head *head, struct sequence **sequence)
{
    struct parts parts = {0};
    bool own_clock = false;
    *head = (struct packet_head){0};
    bool whole = read_fields(data, size, head, &parts, &own_clock);
    struct sequence *at = *sequence = sequence_of(sequences, head->sequence);
    if (parts.dropped)
        at->valid = at->has_time = false;
    if (parts.cleared || parts.flags & FLAG_CLEARED)
        clear(sequences, at);
    if (parts.defaults.at)
        read_defaults(at, parts.defaults);
    if (parts.interned.at)
        read_interned(sequences, at, parts.interned);
    if (!own_clock)
        head->clock = at->default_clock ? at->default_clock : CLOCK_BOOT_ID;
    head->understood = !(parts.flags & FLAG_NEEDS_STATE) || at->valid;
    return whole;
}

const char *sequences_text(const struct sequences *sequences, const struct sequence *sequence,
                           enum interned kind, uint64_t id)
{
    const uint64_t *at = tac_u64map_find(&sequences->names, key_of(sequence, kind, id));
    return at && *at ? sequences->texts.text[*at - 1] : NULL;
}

void sequence_thread(struct sequence *sequence, const struct packet_head *head, struct wire thread)
{
    enum { REFERENCE = 6 };
    if (!head->understood)
        return;
    sequence->has_time = true;
    sequence->time = (int64_t)wire_small(thread).number[REFERENCE];
}

bool sequence_event_time(struct sequence *sequence, const struct clocks *clocks, struct wire event,
                         int64_t *boot)
{
    enum { DELTA = 1, ABSOLUTE = 16, NANOSECONDS = 1000 };
    struct wire_field field;
    uint64_t delta = 0, absolute = 0;
    bool counts = false;
    while (wire_next(&event, &field)) {
        if (field.number == DELTA)
            delta = wire_number(&field), counts = true;
        else if (field.number == ABSOLUTE)
            absolute = wire_number(&field);
    }
    if (counts ? !sequence->has_time : !absolute)
        return false;
    if (counts)
        sequence->time = (int64_t)((uint64_t)sequence->time + delta);
    uint64_t time = counts ? (uint64_t)sequence->time : absolute;
    *boot = clocks_known_to_boot(clocks, CLOCK_MONOTONIC_ID, (int64_t)(time * NANOSECONDS));
    return true;
}

void sequences_free(struct sequences *sequences)
{
    for (size_t i = 0; i < sequences->at.count; i++)
        tac_vec_free(&sequences->at.at[i].extra_counters);
    tac_vec_free(&sequences->at);
    tac_u64map_free(&sequences->index);
    tac_u64map_free(&sequences->names);
    tac_names_free(&sequences->texts);
}
