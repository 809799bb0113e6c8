/* See each.h. */
#include "property/monitor/each.h"

#include "base/check.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <math.h>
#include <string.h>

enum { VALUE_MET = 1, VALUE_FINISHED = 2, VALUE_VIOLATED = 4, VALUE_DECIDED = 8 };

static bool by_symbol(const struct each_state *each)
{
    assert(each->part->each_count >= 1 && each->part->each_count <= PROPERTY_MAX_EACH);
    return each->part->each_count == 1 &&
           each->part->program->slots.at[each->part->each[0]].discrete;
}

static void finding_init(const struct property_part *part, struct each_finding *finding)
{
    size_t watched = part->temporal ? part->watched_count : part->interval.watched.count;
    finding->first_ends = tac_calloc(watched + 1, sizeof *finding->first_ends);
    finding->ends = tac_calloc(watched + 1, sizeof *finding->ends);
    finding->record.ends = tac_calloc(2 * watched + 1, sizeof *finding->record.ends);
    finding->record.sides =
        tac_calloc(2 * part->interval.comparisons.count + 1, sizeof *finding->record.sides);
}

static void finding_free(struct each_finding *finding)
{
    free(finding->first_ends);
    free(finding->ends);
    free(finding->record.ends);
    free(finding->record.sides);
}

static void finding_copy(const struct property_part *part, struct each_finding *to,
                         const struct each_finding *from)
{
    assert(to != from);
    struct each_finding own = *to;
    *to = *from;
    to->first_ends = own.first_ends;
    to->ends = own.ends;
    to->record.ends = own.record.ends;
    to->record.sides = own.record.sides;
    if (!part->temporal) {
        own = *to;
        interval_record_copy(&part->interval, &own.record, &from->record);
        *to = own;
        return;
    }
    memcpy(to->first_ends, from->first_ends, part->watched_count * sizeof *to->first_ends);
    memcpy(to->ends, from->ends, part->watched_count * sizeof *to->ends);
}

static void totals_clear(const struct property_part *part, struct each_totals *totals)
{
    struct each_finding first = totals->first, worst = totals->worst;
    (void)part;
    memset(totals, 0, sizeof *totals);
    totals->first = first;
    totals->worst = worst;
    totals->first.set = totals->worst.set = false;
}

static void totals_copy(const struct property_part *part, struct each_totals *to,
                        const struct each_totals *from)
{
    struct each_finding first = to->first, worst = to->worst;
    *to = *from;
    to->first = first;
    to->worst = worst;
    finding_copy(part, &to->first, &from->first);
    finding_copy(part, &to->worst, &from->worst);
}

struct each_state *each_new(const struct property_part *part)
{
    struct each_state *each = tac_calloc(1, sizeof *each);
    each->part = part;
    part_run_init(part, &each->null_run);
    part_run_init(part, &each->scratch);
    each->null_past = column_past_new(part->program);
    each->mixed = tac_alloc(EACH_CHUNK * sizeof *each->mixed);
    finding_init(part, &each->kept.first);
    finding_init(part, &each->kept.worst);
    finding_init(part, &each->shown.first);
    finding_init(part, &each->shown.worst);
    return each;
}

void each_reset(struct each_state *each)
{
    part_run_reset(each->part, &each->null_run);
    column_past_reset(each->part->program, each->null_past);
    totals_clear(each->part, &each->kept);
    tac_names_free(&each->keys);
    each->open_count = 0;
    each->place.count = each->flags.count = 0;
    each->met = each->finished = 0;
    each->too_many = false;
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
    finding_free(&each->kept.first);
    finding_free(&each->kept.worst);
    finding_free(&each->shown.first);
    finding_free(&each->shown.worst);
    tac_vec_free(&each->open);
    tac_vec_free(&each->place);
    tac_vec_free(&each->flags);
    tac_names_free(&each->keys);
    free(each->mixed);
    free(each);
}

/* --- Values -------------------------------------------------------------------------------------
 */

static uint32_t value_at(struct each_state *each, const tac_trace_block *block, size_t i)
{
    assert(i < block->count);
    uint64_t key[PROPERTY_MAX_EACH];
    const struct property_part *part = each->part;
    for (size_t k = 0; k < part->each_count; k++) {
        const struct column_slot *slot = &part->program->slots.at[part->each[k]];
        if (slot->variable == COLUMN_NONE)
            return COLUMN_NONE;
        if (slot->discrete) {
            key[k] = block->symbols[slot->variable][i];
            if (key[k] == TAC_TRACE_NO_SYMBOL)
                return COLUMN_NONE;
        } else {
            double number = block->numbers[slot->variable][i] + 0.0; /* -0 is 0 */
            if (isnan(number))
                return COLUMN_NONE;
            memcpy(&key[k], &number, sizeof number);
        }
    }
    uint32_t id = by_symbol(each)
                      ? (uint32_t)key[0]
                      : tac_names_intern_bytes(&each->keys, key, part->each_count * sizeof *key);
    while (each->flags.count <= id) {
        tac_vec_push(&each->flags, 0);
        tac_vec_push(&each->place, 0);
    }
    return id;
}

void each_value_text(const struct each_state *each, uint32_t id, const char *const *symbols,
                     size_t symbol_count, tac_str *out)
{
    assert(id < each->flags.count);
    const struct property_part *part = each->part;
    for (size_t k = 0; k < part->each_count; k++) {
        const struct column_slot *slot = &part->program->slots.at[part->each[k]];
        uint64_t key = id;
        if (!by_symbol(each))
            memcpy(&key, each->keys.text[id] + k * sizeof key, sizeof key);
        tac_str_addf(out, "%s%s=", k ? ", " : "", slot->name);
        if (slot->discrete) {
            tac_str_add(out, key < symbol_count ? symbols[key] : "?");
        } else {
            double number;
            char text[32];
            memcpy(&number, &key, sizeof number);
            tac_str_add(out, tac_double_text(number, text, sizeof text));
        }
    }
}

/* --- Totals -------------------------------------------------------------------------------------
 */

static bool margin_worse(const struct each_finding *kept, bool has_margin, double margin)
{
    return !kept->set || (has_margin && (!kept->has_margin || margin < kept->margin));
}

static void fold_interval(struct each_state *each, struct each_totals *totals, uint32_t id,
                          const struct interval_state *state)
{
    assert(!each->part->temporal && state->violated <= state->intervals);
    const struct interval_plan *plan = &each->part->interval;
    const struct interval_record *bad = state->deciding.set && !state->deciding.holds
                                            ? &state->deciding
                                        : state->violated ? &state->tightest
                                                          : NULL;
    /* what the null run has counted as well is added once for every value at the end */
    totals->intervals += state->intervals - each->null_run.interval.intervals;
    totals->violated += state->violated - each->null_run.interval.violated;
    totals->open += state->open;
    totals->exercised |= state->intervals > 0;
    if (bad && bad->set && (!totals->first.set || state->decided_state < totals->first.decided)) {
        totals->first.set = true;
        totals->first.id = id;
        totals->first.decided = state->decided_state;
        interval_record_copy(plan, &totals->first.record, bad);
    }
    if (state->tightest.set &&
        margin_worse(&totals->worst, state->tightest.has_margin, state->tightest.margin)) {
        totals->worst.set = true;
        totals->worst.id = id;
        totals->worst.has_margin = state->tightest.has_margin;
        totals->worst.margin = state->tightest.margin;
        interval_record_copy(plan, &totals->worst.record, &state->tightest);
    }
    if (state->has_margin && (!totals->has_margin || state->margin < totals->margin)) {
        totals->has_margin = true;
        totals->margin = state->margin;
    }
}

static void fold_temporal(struct each_state *each, struct each_totals *totals, uint32_t id,
                          const struct part_run *run, bool bad)
{
    assert(each->part->temporal);
    const struct temporal_state *state = &run->temporal;
    totals->exercised |= run->exercised;
    uint64_t told = state->decided ? state->decided_state : UINT64_MAX;
    if (!bad)
        return;
    struct each_finding found = {.set = true,
                                 .id = id,
                                 .decided = told,
                                 .has_margin = true,
                                 .interval = {.from = state->since,
                                              .t_from = state->since_time,
                                              .to = state->decided ? told : UINT64_MAX,
                                              .t_to = state->decided_time},
                                 .first_ends = run->first_ends,
                                 .ends = run->ends};
    /* the longest wait is the worst */
    found.margin = state->decided ? (double)(state->since_time - state->decided_time) : 0;
    if (!totals->first.set || told < totals->first.decided ||
        (told == totals->first.decided && state->since < totals->first.interval.from))
        finding_copy(each->part, &totals->first, &found);
    if (margin_worse(&totals->worst, true, found.margin))
        finding_copy(each->part, &totals->worst, &found);
}

static void note_decided(struct each_totals *totals, bool decided, uint64_t state, int64_t time)
{
    if (!decided || (totals->decided && totals->decided_state <= state))
        return;
    totals->decided = true;
    totals->decided_state = state;
    totals->decided_time = time;
}

/* Is the value violated, as things stand (or, with ended, at the end)? */
static bool value_bad(const struct each_state *each, const struct part_run *run, uint8_t flags,
                      bool ended)
{
    const struct property_part *part = each->part;
    if (flags & VALUE_VIOLATED)
        return true;
    if (part->temporal) {
        tac_answer answer = part_run_answer(part, run);
        return answer == TAC_VIOLATED || answer == TAC_PRESUMABLY_VIOLATED;
    }
    if (flags & VALUE_DECIDED)
        return false;
    tac_answer answer = interval_answer(&part->interval, &run->interval, ended);
    return answer == TAC_VIOLATED;
}

static void fold(struct each_state *each, struct each_totals *totals, uint32_t id,
                 const struct part_run *run, bool bad)
{
    if (each->part->temporal)
        fold_temporal(each, totals, id, run, bad);
    else
        fold_interval(each, totals, id, &run->interval);
}

static void note_run(struct each_totals *totals, const struct each_state *each,
                     const struct part_run *run)
{
    if (each->part->temporal)
        note_decided(totals, part_run_answer(each->part, run) == TAC_VIOLATED,
                     run->temporal.decided_state, run->temporal.decided_time);
    else
        note_decided(totals, run->interval.decided && !run->interval.deciding.holds,
                     run->interval.decided_state, run->interval.decided_time);
}

/* --- Open runs ----------------------------------------------------------------------------------
 */

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
    bool bad = decided && value_bad(each, &value.run, known ? *flags : 0, false);
    if (!known)
        note_run(&each->kept, each, &value.run);
    if (known && !temporal) /* the record that stands for the earlier decision is no finding */
        value.run.interval.deciding.set = false;
    fold(each, &each->kept, value.id, &value.run, bad);
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

/* --- Feeding ------------------------------------------------------------------------------------
 */

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

static void feed_piece(struct each_state *each, const struct each_piece *piece)
{
    assert(piece->count > 0 && piece->count <= EACH_CHUNK);
    const struct column_program *program = each->part->program;
    uint32_t ids[EACH_CHUNK];
    uint64_t masks[EACH_CHUNK];
    size_t present = 0, before = each->open_count;
    for (size_t i = 0; i < piece->count; i++) {
        uint32_t id = value_at(each, piece->block, piece->offset + i);
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

/* Idle values stand as the null run does, and all have met its intervals. */
static void add_null_run(struct each_state *each, struct each_totals *totals, bool ended)
{
    assert(each->met >= each->finished + each->open_count);
    const struct property_part *part = each->part;
    uint64_t idle = each->met - each->finished - each->open_count;
    const struct part_run *run = &each->null_run;
    bool bad;
    if (part->temporal) {
        bad = value_bad(each, run, 0, ended);
        totals->values_violated += bad ? idle : 0;
        return;
    }
    if (ended) {
        part_run_copy(part, &each->scratch, run);
        interval_end(&part->interval, &each->scratch.interval, NULL);
        run = &each->scratch;
    }
    bad = value_bad(each, run, 0, ended);
    for (size_t id = 0; bad && id < each->flags.count; id++)
        totals->values_violated += each->place.at[id] == 0 && (each->flags.at[id] & VALUE_MET) &&
                                   !(each->flags.at[id] & (VALUE_DECIDED | VALUE_VIOLATED));
    if (!each->met)
        return;
    size_t some = 0;
    while (!(each->flags.at[some] & VALUE_MET))
        some++;
    uint64_t intervals = run->interval.intervals, violated = run->interval.violated;
    if (intervals && idle) {
        note_run(totals, each, run);
        fold_interval(each, totals, (uint32_t)some, &run->interval);
        totals->intervals -= intervals - each->null_run.interval.intervals;
        totals->violated -= violated - each->null_run.interval.violated;
        totals->open -= run->interval.open;
    }
    /* a run that the end closes is in the runs of open values already */
    totals->intervals += each->met * each->null_run.interval.intervals +
                         idle * (intervals - each->null_run.interval.intervals);
    totals->violated += each->met * each->null_run.interval.violated +
                        idle * (violated - each->null_run.interval.violated);
    totals->open += idle * run->interval.open;
    totals->values_open += idle * run->interval.open;
}

const struct each_totals *each_result(struct each_state *each, bool ended, tac_answer *answer)
{
    const struct property_part *part = each->part;
    struct each_totals *totals = &each->shown;
    totals_copy(part, totals, &each->kept);
    for (size_t v = 0; v < each->open_count; v++) {
        const struct each_value *value = &each->open.at[v];
        uint8_t flags = each->flags.at[value->id];
        const struct part_run *run = &value->run;
        if (!part->temporal && ended) {
            part_run_copy(part, &each->scratch, run);
            interval_end(&part->interval, &each->scratch.interval, NULL);
            run = &each->scratch;
        }
        bool bad = value_bad(each, run, flags, ended);
        if (!(flags & VALUE_DECIDED))
            note_run(totals, each, run);
        fold(each, totals, value->id, run, bad);
        totals->values_violated += bad && !(flags & VALUE_VIOLATED);
        totals->values_open += part->temporal
                                   ? part_run_answer(part, run) == TAC_PRESUMABLY_VIOLATED
                                   : run->interval.open;
    }
    add_null_run(each, totals, ended);
    bool bad = totals->values_violated > 0;
    if (part->temporal)
        *answer = totals->decided ? TAC_VIOLATED
                  : bad           ? TAC_PRESUMABLY_VIOLATED
                                  : TAC_PRESUMABLY_HOLDS;
    else
        *answer = totals->decided || (ended && bad) ? TAC_VIOLATED
                  : ended                           ? TAC_HOLDS
                                                    : TAC_INCONCLUSIVE;
    return totals;
}
