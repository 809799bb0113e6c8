/* Track events: slices, instants and counters that programs write through the Perfetto SDK. */
#include "trace/perfetto/reader.h"
#include <inttypes.h>

enum { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER, PARENTS_MAX = 16 };

static struct track *track_of(struct perfetto *perfetto, uint64_t uuid)
{
    bool is_new;
    uint64_t *at = tac_u64map_at(&perfetto->track_index, uuid, perfetto->tracks.count, &is_new);
    if (is_new)
        tac_vec_push(&perfetto->tracks, (struct track){.name = TAC_NONE, .unit = "", .scale = 1});
    return &perfetto->tracks.at[*at];
}

/* --- Descriptors ------------------------------------------------------------------------------ */

static void read_counter(struct track *track, struct wire wire)
{
    struct wire_small counter = wire_small(wire);
    uint64_t unit = counter.number[3];
    track->builtin = counter.has[1] ? (uint32_t)counter.number[1] : track->builtin;
    track->scale = counter.number[4] ? (double)(int64_t)counter.number[4] : track->scale;
    track->incremental = counter.has[5] ? counter.number[5] != 0 : track->incremental;
    track->unit = unit == 1 || track->builtin == 1 ? "ns" : unit == 3 ? "B" : "";
}

static void read_thread(struct perfetto *perfetto, struct track *track, struct wire wire)
{
    struct wire_small thread = wire_small(wire);
    track->pid = thread.has[1] ? (uint32_t)thread.number[1] : track->pid;
    track->tid = thread.has[2] ? (uint32_t)thread.number[2] : track->tid;
    if (thread.text[5])
        kernel_thread_name(&perfetto->kernel, track->tid, thread.text[5], thread.length[5]);
}

static void read_process(struct perfetto *perfetto, struct track *track, struct wire wire)
{
    struct wire_small process = wire_small(wire);
    track->pid = process.has[1] ? (uint32_t)process.number[1] : track->pid;
    if (process.text[6])
        kernel_process_name(&perfetto->kernel, track->pid, process.text[6], process.length[6]);
}

void perfetto_descriptor(struct perfetto *perfetto, struct wire wire)
{
    struct wire_field field;
    struct track *track = track_of(perfetto, wire_small(wire).number[1]);
    while (wire_next(&wire, &field)) {
        if (field.number == 5)
            track->parent = wire_number(&field);
        if (field.type != WIRE_BYTES)
            continue;
        if (field.number == 2 || field.number == 10 || field.number == 13)
            track->name = timeline_name(&perfetto->timeline, field.data, field.size);
        else if (field.number == 3)
            read_process(perfetto, track, wire_inside(&field));
        else if (field.number == 4)
            read_thread(perfetto, track, wire_inside(&field));
        else if (field.number == 8)
            read_counter(track, wire_inside(&field));
    }
}

/* The track of events that name none, on a sequence without a default. */
static uint64_t own_track(const struct sequence *sequence)
{
    return ~(uint64_t)sequence->id;
}

void perfetto_process(struct perfetto *perfetto, struct wire wire)
{
    struct track nowhere = {0};
    read_process(perfetto, &nowhere, wire);
}

void perfetto_thread(struct perfetto *perfetto, const struct sequence *sequence, struct wire wire)
{
    read_thread(perfetto, track_of(perfetto, own_track(sequence)), wire);
}

/* --- Events ----------------------------------------------------------------------------------- */

struct legacy {
    char phase;
    uint64_t name_id, id;
    bool has_name_id, is_local; /* local: the id is its process's own */
    double duration;            /* microseconds */
};

struct parsed {
    uint64_t type, track;
    bool has_track, has_value;
    double value;
    uint32_t name; /* TAC_NONE = none */
    struct legacy legacy;
    struct wire extra;   /* packed extra counter values */
    uint64_t extras[32]; /* the same, not packed */
    size_t extra_count;
};

static void read_legacy(struct legacy *legacy, struct wire wire)
{
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        uint64_t value = wire_number(&field);
        if (field.number == 1)
            legacy->name_id = value, legacy->has_name_id = true;
        else if (field.number == 2)
            legacy->phase = (char)value;
        else if (field.number == 3)
            legacy->duration = (double)(int64_t)value;
        else if (field.number == 6 || field.number == 10 || field.number == 11)
            legacy->id = value, legacy->is_local = field.number == 10;
    }
}

static void resolve_name(struct perfetto *perfetto, const struct sequence *sequence, uint64_t id,
                         struct parsed *out)
{
    const char *text = sequences_text(&perfetto->sequences, sequence, INTERNED_NAME, id);
    if (text)
        out->name = timeline_name(&perfetto->timeline, text, strlen(text));
}

static void read_event(struct perfetto *perfetto, const struct sequence *sequence, struct wire wire,
                       struct parsed *out)
{
    struct wire_field field;
    *out = (struct parsed){.name = TAC_NONE};
    while (wire_next(&wire, &field)) {
        uint64_t value = wire_number(&field);
        switch (field.number) {
        case 9:
            out->type = value;
            break;
        case 10:
            resolve_name(perfetto, sequence, value, out);
            break;
        case 11:
            out->track = value;
            out->has_track = true;
            break;
        case 23:
            if (field.type == WIRE_BYTES)
                out->name = timeline_name(&perfetto->timeline, field.data, field.size);
            break;
        case 30:
            out->value = (double)(int64_t)value;
            out->has_value = true;
            break;
        case 44:
            out->value = wire_double(&field);
            out->has_value = true;
            break;
        case 12:
            if (field.type == WIRE_BYTES)
                out->extra = wire_inside(&field);
            else if (out->extra_count < 32)
                out->extras[out->extra_count++] = value;
            break;
        case 6:
            if (field.type == WIRE_BYTES)
                read_legacy(&out->legacy, wire_inside(&field));
            break;
        default:
            break;
        }
    }
    if (out->name == TAC_NONE && out->legacy.has_name_id)
        resolve_name(perfetto, sequence, out->legacy.name_id, out);
}

/* An incremental counter is 0 again when its sequence's state is cleared. */
static double running_sum(struct track *track, const struct sequence *sequence, double value)
{
    if (track->sequence != sequence->id || track->generation != sequence->generation)
        track->running = 0;
    track->sequence = sequence->id;
    track->generation = sequence->generation;
    return track->running += value;
}

static tac_status add_counter(struct perfetto *perfetto, const struct sequence *sequence,
                              uint64_t uuid, int64_t time, double value, bool joined,
                              tac_error *err)
{
    struct track *track = track_of(perfetto, uuid);
    if (!track->series) {
        char name[40];
        snprintf(name, sizeof name, "track %" PRIu64, uuid);
        track->series =
            1 + timeline_series(&perfetto->timeline, timeline_name_text(&perfetto->timeline, name),
                                TAC_NONE, TAC_CONTINUOUS, "", 1);
    }
    if (track->incremental)
        value = running_sum(track, sequence, value);
    struct timeline_event event = {.time = time,
                                   .kind = joined ? TIMELINE_JOIN_COUNTER : TIMELINE_COUNTER,
                                   .name = track->series - 1,
                                   .number = value};
    return timeline_add(&perfetto->timeline, &event, err);
}

static tac_status add_extras(struct perfetto *perfetto, const struct sequence *sequence,
                             struct parsed *event, int64_t time, tac_error *err)
{
    tac_status status = TAC_OK;
    uint64_t value;
    bool joined = event->type >= TYPE_BEGIN && event->type <= TYPE_INSTANT;
    for (size_t i = 0; i < sequence->extra_counters.count && !status; i++) {
        if (i < event->extra_count)
            value = event->extras[i];
        else if (!event->extra.at || event->extra.at >= event->extra.end ||
                 !wire_varint(&event->extra, &value))
            break;
        status = add_counter(perfetto, sequence, sequence->extra_counters.at[i], time,
                             (double)(int64_t)value, joined, err);
    }
    return status;
}

/* A track without a thread or process has its parent's. */
static void find_ids(const struct perfetto *perfetto, const struct track *track, uint32_t *pid,
                     uint32_t *tid)
{
    *pid = track->pid;
    *tid = track->tid;
    for (int i = 0; i < PARENTS_MAX && track->parent && (!*pid || !*tid); i++) {
        const uint64_t *at = tac_u64map_find(&perfetto->track_index, track->parent);
        if (!at)
            return;
        track = &perfetto->tracks.at[*at];
        *pid = *pid ? *pid : track->pid;
        *tid = *tid ? *tid : track->tid;
    }
}

/* The process that wrote on the track, for what each process numbers by itself. */
static uint32_t process_of(struct perfetto *perfetto, uint64_t uuid)
{
    uint32_t pid, tid;
    find_ids(perfetto, track_of(perfetto, uuid), &pid, &tid);
    return pid;
}

/* Phases of the JSON format that are carried in legacy events. */
static tac_status add_legacy(struct perfetto *perfetto, const struct parsed *parsed, uint64_t uuid,
                             struct timeline_event *event, tac_error *err)
{
    char phase = parsed->legacy.phase;
    if (phase == 'X') {
        event->kind = TIMELINE_DONE_BEGIN;
        tac_status status = timeline_add(&perfetto->timeline, event, err);
        double length = parsed->legacy.duration > 0 ? parsed->legacy.duration * 1000 : 0;
        event->kind = TIMELINE_DONE_END;
        event->time += length < 1e18 ? (int64_t)length : 0;
        event->number = length;
        return status ? status : timeline_add(&perfetto->timeline, event, err);
    }
    if (phase && strchr("bSeF", phase)) {
        event->kind = strchr("bS", phase) ? TIMELINE_BEGIN : TIMELINE_END;
        uint64_t owner = parsed->legacy.is_local ? process_of(perfetto, uuid) : 0;
        event->track =
            hashed_track(4, parsed->legacy.id ^ tac_hash_u64(owner << 32 | parsed->name));
        return timeline_add(&perfetto->timeline, event, err);
    }
    if (phase == 'B' || phase == 'E') {
        event->kind = phase == 'B' ? TIMELINE_BEGIN : TIMELINE_END;
        return timeline_add(&perfetto->timeline, event, err);
    }
    if (phase && strchr("IiRn", phase)) {
        event->kind = TIMELINE_INSTANT;
        return timeline_add(&perfetto->timeline, event, err);
    }
    perfetto->other_phases += phase && phase != 'M';
    return TAC_OK;
}

tac_status perfetto_track_event(struct perfetto *perfetto, const struct packet_head *head,
                                const struct sequence *sequence, int64_t time, tac_error *err)
{
    struct parsed parsed;
    perfetto->not_understood += !head->understood;
    read_event(perfetto, sequence, wire_over(head->data, head->size), &parsed);
    uint64_t uuid = parsed.has_track              ? parsed.track
                    : sequence->has_default_track ? sequence->default_track
                                                  : own_track(sequence);
    tac_status status = add_extras(perfetto, sequence, &parsed, time, err);
    if (status)
        return status;
    struct timeline_event event = {.time = time, .track = hashed_track(2, uuid)};
    event.name = parsed.name != TAC_NONE ? parsed.name : timeline_name(&perfetto->timeline, "", 0);
    track_of(perfetto, uuid)->used = true;
    switch (parsed.type) {
    case TYPE_BEGIN:
        event.kind = TIMELINE_BEGIN;
        return timeline_add(&perfetto->timeline, &event, err);
    case TYPE_END:
        event.kind = TIMELINE_END;
        return timeline_add(&perfetto->timeline, &event, err);
    case TYPE_INSTANT:
        event.kind = TIMELINE_INSTANT;
        return timeline_add(&perfetto->timeline, &event, err);
    case TYPE_COUNTER:
        return parsed.has_value
                   ? add_counter(perfetto, sequence, uuid, time, parsed.value, false, err)
                   : TAC_OK;
    default:
        return add_legacy(perfetto, &parsed, uuid, &event, err);
    }
}

/* --- At the end ------------------------------------------------------------------------------- */

static void name_counter(struct perfetto *perfetto, const struct track *track, uint32_t pid,
                         uint32_t tid)
{
    struct timeline_series *series = &perfetto->timeline.series.at[track->series - 1];
    struct timeline *timeline = &perfetto->timeline;
    char number[16];
    if (track->name != TAC_NONE)
        series->base = track->name;
    else if (track->builtin == 1 || track->builtin == 2)
        series->base = timeline_name_text(timeline, track->builtin == 1 ? "thread_time"
                                                                        : "thread_instructions");
    /* By its number: kernel_finish gives the name, told apart where two have one. */
    uint32_t owner = track->builtin && tid ? tid : pid;
    snprintf(number, sizeof number, "%" PRIu32, owner);
    if (owner)
        series->owner = timeline_name_text(timeline, number);
    series->unit = track->unit;
    series->scale = track->scale;
}

void perfetto_tracks_finish(struct perfetto *perfetto)
{
    const tac_u64map_entry *entry;
    for (size_t at = 0; (entry = tac_u64map_next(&perfetto->track_index, &at));) {
        const struct track *track = &perfetto->tracks.at[entry->value];
        uint32_t pid, tid;
        find_ids(perfetto, track, &pid, &tid);
        if (track->series)
            name_counter(perfetto, track, pid, tid);
        if (!track->used || (!pid && !tid))
            continue;
        const uint64_t *name = tac_u64map_find(&perfetto->kernel.thread_names, tid);
        timeline_where(&perfetto->timeline, hashed_track(2, entry->key),
                       pid ? kernel_process(&perfetto->kernel, pid) : TAC_NONE,
                       name && *name != TAC_NONE ? (uint32_t)*name : TAC_NONE);
    }
}
