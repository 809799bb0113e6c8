/* Track events: types, fields, names, and slices per track. */
#include "figures/perfetto/parts.h"
#include <stdlib.h>

enum { TYPE_BEGIN = 1, TYPE_END = 2 };

struct event {
    uint64_t type, name_id, track;
    bool has_track, has_name_id;
    char phase; /* of a legacy event */
    const char *name;
    size_t name_length;
};

static void read_legacy(struct event *event, struct wire wire)
{
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (field.number == 2)
            event->phase = (char)wire_number(&field);
        else if (field.number == 1 && !event->has_name_id) {
            event->name_id = wire_number(&field);
            event->has_name_id = true;
        }
    }
}

static void read_event(struct track_facts *track, struct event *event, struct wire wire)
{
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        tally_add_number(&track->fields, field.number);
        if (field.number == 9) {
            event->type = wire_number(&field);
        } else if (field.number == 10) {
            event->name_id = wire_number(&field);
            event->has_name_id = true;
        } else if (field.number == 11) {
            event->track = wire_number(&field);
            event->has_track = true;
        } else if (field.number == 23 && field.type == WIRE_BYTES) {
            event->name = (const char *)field.data;
            event->name_length = field.size;
        } else if (field.number == 6 && field.type == WIRE_BYTES) {
            read_legacy(event, wire_inside(&field));
        }
    }
}

static void count_type(struct track_facts *track, const struct event *event)
{
    if (event->type || !event->phase)
        tally_add_number(&track->types, event->type);
    else
        tally_add(&track->types, &event->phase, 1, 0);
}

tac_status track_facts_event(struct track_facts *track, const struct packet_head *head,
                             const struct sequences *sequences, const struct sequence *sequence,
                             bool has_time, int64_t time, tac_error *err)
{
    struct event event = {0};
    track->events++;
    track->not_understood += !head->understood;
    read_event(track, &event, wire_over(head->data, head->size));
    count_type(track, &event);
    if (has_time) {
        if (!track->timed || time < track->first)
            track->first = time;
        if (!track->timed || time > track->last)
            track->last = time;
        track->timed = true;
    }
    bool begins = event.type == TYPE_BEGIN || (!event.type && event.phase == 'B');
    bool ends = event.type == TYPE_END || (!event.type && event.phase == 'E');
    if (!begins && !ends)
        return TAC_OK;
    if (!event.name && event.has_name_id) {
        event.name = sequences_text(sequences, sequence, INTERNED_NAME, event.name_id);
        event.name_length = event.name ? strlen(event.name) : 0;
    }
    if (begins)
        tally_add(&track->begins, event.name ? event.name : "", event.name_length, 0);
    uint64_t key = event.has_track               ? event.track
                   : sequence->has_default_track ? sequence->default_track
                                                 : ~(uint64_t)sequence->id;
    struct timeline_event added = {
        .time = time, .kind = begins ? TYPE_BEGIN : TYPE_END, .integer = (int64_t)key};
    return sorter_add(&track->sorter, &added, err);
}

void track_facts_descriptor(struct track_facts *track, struct wire wire)
{
    struct wire_field field;
    uint64_t uuid = 0;
    bool counter = false;
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            uuid = wire_number(&field);
        counter |= field.number == 8;
    }
    tac_u64map_at(&track->descriptors, uuid, 0, NULL);
    if (counter)
        tac_u64map_at(&track->counters, uuid, 0, NULL);
}

static tac_status pair_values(struct track_facts *track, struct figures *facts, tac_error *err)
{
    const struct timeline_event *event;
    struct slices slices = {0};
    struct open_slice slice;
    int64_t total = 0;
    tac_status status = sorter_finish(&track->sorter, err);
    while (!status && !(status = sorter_next(&track->sorter, &event, err)) && event) {
        if (event->kind == TYPE_BEGIN)
            slices_begin(&slices, (uint64_t)event->integer, event->time, 0, 0);
        else if (slices_end(&slices, (uint64_t)event->integer, &slice))
            total += event->time - slice.begin;
    }
    figures_number(facts, "track_event.slices_closed", (int64_t)slices.closed);
    figures_number(facts, "track_event.slices_open_at_end", (int64_t)slices.now_open);
    figures_number(facts, "track_event.end_without_begin", (int64_t)slices.ends_without_begin);
    figures_number(facts, "track_event.slice_total_ns", total);
    slices_free(&slices);
    return status;
}

tac_status track_facts_values(struct track_facts *track, struct figures *facts, tac_error *err)
{
    if (!track->events)
        return TAC_OK;
    char *types = tally_text(&track->types), *fields = tally_braces(&track->fields);
    figures_number(facts, "track_events", (int64_t)track->events);
    figures_text(facts, "track_event.types", types);
    figures_text(facts, "track_event.fields", fields);
    free(types);
    free(fields);
    figures_number(facts, "track_descriptors", (int64_t)track->descriptors.count);
    figures_number(facts, "counter_tracks", (int64_t)track->counters.count);
    figures_top(facts, "track_event.top_begin", &track->begins, TOP_NAMES, false);
    if (track->timed) {
        figures_number(facts, "track_event.first_boot_ns", track->first);
        figures_number(facts, "track_event.last_boot_ns", track->last);
    }
    if (track->not_understood)
        figures_warn(facts, "%llu track events need names that were lost",
                     (unsigned long long)track->not_understood);
    return pair_values(track, facts, err);
}

void track_facts_free(struct track_facts *track)
{
    tally_free(&track->types);
    tally_free(&track->fields);
    tally_free(&track->begins);
    tac_names_free(&track->names);
    tac_u64map_free(&track->descriptors);
    tac_u64map_free(&track->counters);
    sorter_free(&track->sorter);
}
