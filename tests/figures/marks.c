/* Marks of atrace: counts by kind, slices per writing thread, asynchronous slices by process, name
 * and cookie. */
#include "figures/marks.h"
#include "trace/timeline/mark.h"

enum { MARK_BEGIN, MARK_END, MARK_START, MARK_FINISH };

static uint64_t async_key(const struct mark *mark)
{
    const char *name = mark->track_length ? mark->track : mark->name;
    size_t length = mark->track_length ? mark->track_length : mark->name_length;
    uint64_t mixed = tac_hash_bytes(name, length, (uint64_t)mark->tgid + mark->track_length);
    return tac_hash_u64(mixed ^ tac_hash_u64((uint64_t)mark->value));
}

tac_status marks_add(struct marks_facts *marks, int64_t time, uint32_t tid, const char *text,
                     size_t length, tac_error *err)
{
    struct mark mark;
    if (!mark_parse(text, length, &mark))
        return TAC_OK;
    tally_add(&marks->kinds, &mark.kind, 1, 0);
    struct timeline_event event = {.time = time, .track = tid};
    switch (mark.kind) {
    case 'B':
        event.kind = MARK_BEGIN;
        event.name = tac_names_intern_bytes(&marks->names, mark.name, mark.name_length);
        break;
    case 'E':
        event.kind = MARK_END;
        break;
    case 'S':
    case 'G':
    case 'F':
    case 'H':
        event.kind = mark.kind == 'S' || mark.kind == 'G' ? MARK_START : MARK_FINISH;
        event.integer = (int64_t)async_key(&mark);
        break;
    case 'C':
        marks->counter_samples++;
        tally_add(&marks->counters, mark.name, mark.name_length, 0);
        return TAC_OK;
    default:
        return TAC_OK;
    }
    return sorter_add(&marks->sorter, &event, err);
}

static void pair_event(struct marks_facts *marks, struct marks_result *out,
                       const struct timeline_event *event)
{
    struct open_slice slice;
    if (event->kind == MARK_BEGIN)
        slices_begin(&out->slices, event->track, event->time, event->name, 0);
    else if (event->kind == MARK_START)
        slices_begin(&out->async, (uint64_t)event->integer, event->time, 0, 0);
    else if (event->kind == MARK_FINISH)
        slices_end(&out->async, (uint64_t)event->integer, &slice);
    else if (slices_end(&out->slices, event->track, &slice)) {
        out->total += event->time - slice.begin;
        tally_add(&marks->tops, marks->names.text[slice.name], marks->names.length[slice.name],
                  event->time - slice.begin);
    }
}

tac_status marks_pair(struct marks_facts *marks, struct marks_result *out, tac_error *err)
{
    const struct timeline_event *event;
    *out = (struct marks_result){0};
    tac_status status = sorter_finish(&marks->sorter, err);
    while (!status && !(status = sorter_next(&marks->sorter, &event, err)) && event)
        pair_event(marks, out, event);
    return status;
}

void marks_result_free(struct marks_result *result)
{
    slices_free(&result->slices);
    slices_free(&result->async);
}

void marks_free(struct marks_facts *marks)
{
    tally_free(&marks->kinds);
    tally_free(&marks->counters);
    tally_free(&marks->tops);
    tac_names_free(&marks->names);
    sorter_free(&marks->sorter);
}
