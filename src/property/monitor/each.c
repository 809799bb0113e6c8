/* See each.h: the runs of values, and what they are fed. */
#include "property/monitor/each_parts.h"

#include "base/check.h"

struct each_state *each_new(const struct property_part *part)
{
    struct each_state *each = tac_calloc(1, sizeof *each);
    each->part = part;
    part_run_init(part, &each->null_run);
    part_run_init(part, &each->scratch);
    each->null_past = column_past_new(part->program);
    each->mixed = tac_alloc(EACH_CHUNK * sizeof *each->mixed);
    each_finding_init(part, &each->kept.first);
    each_finding_init(part, &each->kept.worst);
    each_finding_init(part, &each->shown.first);
    each_finding_init(part, &each->shown.worst);
    return each;
}

void each_reset(struct each_state *each)
{
    part_run_reset(each->part, &each->null_run);
    column_past_reset(each->part->program, each->null_past);
    each_totals_clear(each->part, &each->kept);
    tac_names_free(&each->keys);
    each->open_count = 0;
    each->place.count = each->flags.count = 0;
    each->met = each->finished = 0;
    each->too_many = each->lost = each->nobody.set = false;
}

void each_free(struct each_state *each)
{
    if (!each)
        return;
    for (size_t i = 0; i < each->open.count; i++) {
        part_run_free(each->part, &each->open.at[i].run);
        column_past_free(each->part->program, each->open.at[i].past);
    }
    part_run_free(each->part, &each->null_run);
    part_run_free(each->part, &each->scratch);
    column_past_free(each->part->program, each->null_past);
    each_finding_free(&each->kept.first);
    each_finding_free(&each->kept.worst);
    each_finding_free(&each->shown.first);
    each_finding_free(&each->shown.worst);
    tac_vec_free(&each->open);
    tac_vec_free(&each->place);
    tac_vec_free(&each->flags);
    tac_names_free(&each->keys);
    free(each->mixed);
    free(each);
}

/* --- Open runs -------------------------------------------------------------------------------- */

static struct each_value *open_value(struct each_state *each, uint32_t id)
{
    assert(id < each->flags.count && each->place.at[id] == 0);
    assert(!(each->flags.at[id] & VALUE_FINISHED));
    const struct property_part *part = each->part;
    if (each->open_count == each->open.count) {
        struct each_value fresh = {.past = column_past_new(part->program)};
        part_run_init(part, &fresh.run);
        tac_vec_push(&each->open, fresh);
    }
    if (each->open_count >= EACH_MOST)
        each->too_many = true;
    struct each_value *value = &each->open.at[each->open_count++];
    value->id = id;
    part_run_copy(part, &value->run, &each->null_run);
    column_past_copy(part->program, value->past, each->null_past);
    if (!part->temporal && (each->flags.at[id] & VALUE_DECIDED)) {
        value->run.interval.decided = value->run.interval.deciding.set = true;
        value->run.interval.deciding.holds = !(each->flags.at[id] & VALUE_VIOLATED);
        value->run.interval.closed = 1;
    }
    each->place.at[id] = (uint32_t)each->open_count;
    if (!(each->flags.at[id] & VALUE_MET))
        each->met++;
    each->flags.at[id] |= VALUE_MET;
    return value;
}

/* Keeps the counts of a run and lets it go. */
static void close_value(struct each_state *each, size_t place)
{
    assert(place < each->open_count);
    assert(each->place.at[each->open.at[place].id] == place + 1);
    struct each_value value = each->open.at[place];
    uint8_t *flags = &each->flags.at[value.id];
    bool temporal = each->part->temporal;
    bool decided = temporal ? value.run.temporal.decided : value.run.interval.decided;
    bool known = *flags & VALUE_DECIDED;
    bool bad = decided && each_value_bad(each, &value.run, known ? *flags : 0, false);
    if (!known)
        each_note_run(&each->kept, each, &value.run);
    if (known && !temporal) /* the record that stands for the earlier decision is no finding */
        value.run.interval.deciding.set = false;
    each_fold(each, &each->kept, value.id, &value.run, bad);
    each->kept.open -= !temporal && value.run.interval.open;
    if (bad && !(*flags & VALUE_VIOLATED))
        each->kept.values_violated++;
    *flags = (uint8_t)(*flags | (bad ? VALUE_VIOLATED : 0) | (decided ? VALUE_DECIDED : 0));
    if (temporal && decided) {
        *flags |= VALUE_FINISHED;
        each->finished++;
    }
    each->place.at[value.id] = 0;
    size_t last = --each->open_count;
    each->open.at[place] = each->open.at[last];
    each->open.at[last] = value; /* its buffers are used again */
    if (place < last)
        each->place.at[each->open.at[place].id] = (uint32_t)place + 1;
}

/* --- Feeding ---------------------------------------------------------------------------------- */

struct each_piece {
    const tac_trace_block *block;
    size_t offset, count;
    uint64_t first;
    uint16_t *scratch;
};

struct each_call {
    struct each_state *each;
    uint32_t id;
};

static void tell_closed(void *context, const struct interval_record *record)
{
    const struct each_call *call = context;
    call->each->closed(call->each->context, call->id, record);
}

/* Evaluates the columns with these events and the memory of `past`. */
static void evaluate(struct each_state *each, const struct each_piece *piece,
                     const uint32_t *events, struct column_past *past)
{
    assert(piece->count <= EACH_CHUNK && past != NULL);
    struct column_program *program = each->part->program;
    struct column_past *own = program->past;
    program->past = past;
    program->events = events;
    program->states = piece->first;
    column_evaluate(program, piece->block, piece->offset, piece->count);
    program->past = own;
    program->events = NULL;
}

static void feed_run(struct each_state *each, const struct each_piece *piece, uint32_t id,
                     struct part_run *run)
{
    struct chunk chunk = {.program = each->part->program,
                          .time = piece->block->time + piece->offset,
                          .first = piece->first,
                          .count = piece->count};
    struct each_call call = {each, id};
    struct interval_listener listener = {tell_closed, &call};
    part_run_feed(each->part, run, &chunk, piece->scratch,
                  each->closed && id != COLUMN_NONE ? &listener : NULL);
    each->lost |= run->lost;
}

static uint32_t event_variable(const struct column_program *program)
{
    for (size_t s = 0; s < program->slots.count; s++)
        if (program->slots.at[s].is_event && program->slots.at[s].discrete)
            return program->slots.at[s].variable;
    return COLUMN_NONE;
}

static void feed_present(struct each_state *each, const struct each_piece *piece, uint32_t id,
                         uint64_t mask)
{
    assert(mask != 0 && id < each->place.count);
    uint32_t variable = event_variable(each->part->program);
    const uint32_t *events =
        variable == COLUMN_NONE ? NULL : piece->block->symbols[variable] + piece->offset;
    for (size_t i = 0; i < piece->count; i++)
        each->mixed[i] = events && (mask >> i & 1) ? events[i] : TAC_TRACE_NO_SYMBOL;
    struct each_value *value =
        each->place.at[id] ? &each->open.at[each->place.at[id] - 1] : open_value(each, id);
    evaluate(each, piece, each->mixed, value->past);
    feed_run(each, piece, id, &value->run);
}

/* An event that the formula speaks of, in a state whose value is not known: it may be anybody's. */
static void note_nobody(struct each_state *each, const struct each_piece *piece, size_t i)
{
    const struct column_program *program = each->part->program;
    uint32_t variable = event_variable(program);
    if (variable == COLUMN_NONE)
        return;
    uint32_t event = piece->block->symbols[variable][piece->offset + i];
    bool spoken = event < program->mark_of_symbol.count && program->mark_of_symbol.at[event];
    for (size_t l = 0; l < program->literal_symbol.count && event != TAC_TRACE_NO_SYMBOL; l++)
        spoken = spoken || program->literal_symbol.at[l] == event;
    if (!spoken)
        return;
    each->nobody =
        (struct column_unknown){.set = true,
                                .slot = each->part->each[0],
                                .reason = each_reason(each, piece->block, piece->offset + i),
                                .state = piece->first + i,
                                .time = piece->block->time[piece->offset + i]};
}

static void feed_piece(struct each_state *each, const struct each_piece *piece)
{
    assert(piece->count > 0 && piece->count <= EACH_CHUNK);
    const struct column_program *program = each->part->program;
    uint32_t ids[EACH_CHUNK];
    uint64_t masks[EACH_CHUNK];
    size_t present = 0, before = each->open_count;
    for (size_t i = 0; i < piece->count; i++) {
        uint32_t id = each_value_at(each, piece->block, piece->offset + i);
        if (id == COLUMN_NONE && !each->nobody.set)
            note_nobody(each, piece, i);
        if (id == COLUMN_NONE || (each->flags.at[id] & VALUE_FINISHED))
            continue;
        size_t k = present;
        while (k > 0 && ids[k - 1] != id)
            k--;
        if (!k) {
            ids[present] = id;
            masks[present] = 0;
            k = ++present;
        }
        masks[k - 1] |= (uint64_t)1 << i;
    }
    for (size_t k = 0; k < present; k++)
        feed_present(each, piece, ids[k], masks[k]);
    bool evaluated = false;
    for (size_t v = 0; v < before; v++) {
        struct each_value *value = &each->open.at[v];
        bool seen = false;
        for (size_t k = 0; k < present && !seen; k++)
            seen = ids[k] == value->id;
        if (seen)
            continue;
        if (!evaluated || program->has_past)
            evaluate(each, piece, program->no_symbols, value->past);
        evaluated = true;
        feed_run(each, piece, value->id, &value->run);
    }
    evaluate(each, piece, program->no_symbols, each->null_past);
    feed_run(each, piece, COLUMN_NONE, &each->null_run);
    for (size_t v = each->open_count; v-- > 0;) {
        struct each_value *value = &each->open.at[v];
        if ((each->part->temporal && value->run.temporal.decided) ||
            (part_run_idle(each->part, &value->run, &each->null_run) &&
             column_past_equal(program, value->past, each->null_past)))
            close_value(each, v);
    }
}

void each_feed(struct each_state *each, const tac_trace_block *block, size_t offset, size_t count,
               uint64_t first, uint16_t *scratch)
{
    assert(offset + count <= block->count);
    for (size_t done = 0; done < count; done += EACH_CHUNK) {
        struct each_piece piece = {.block = block,
                                   .offset = offset + done,
                                   .count = count - done < EACH_CHUNK ? count - done : EACH_CHUNK,
                                   .first = first + done,
                                   .scratch = scratch};
        feed_piece(each, &piece);
    }
}

void each_tick(struct each_state *each, uint64_t last, int64_t now)
{
    for (size_t v = each->open_count; v-- > 0;) {
        part_run_tick(each->part, &each->open.at[v].run, last, now);
        if (each->part->temporal && each->open.at[v].run.temporal.decided)
            close_value(each, v);
    }
    part_run_tick(each->part, &each->null_run, last, now);
}

void each_finish(struct each_state *each)
{
    if (each->part->temporal)
        return;
    for (size_t v = 0; v < each->open_count; v++) {
        struct each_call call = {each, each->open.at[v].id};
        struct interval_listener listener = {tell_closed, &call};
        part_run_copy(each->part, &each->scratch, &each->open.at[v].run);
        if (each->closed)
            interval_end(&each->part->interval, &each->scratch.interval, &listener);
    }
}
