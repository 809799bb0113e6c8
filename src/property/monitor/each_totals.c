/* What `for each` adds up over values: counts, the first and the worst finding, and the answer.
 * What idle values have met is counted once, in the null run, and multiplied at the end. */
#include "property/monitor/each_parts.h"

#include "base/check.h"
#include <string.h>

void each_finding_init(const struct property_part *part, struct each_finding *finding)
{
    size_t watched = part->temporal ? part->watched_count : part->interval.watched.count;
    finding->first_ends = tac_calloc(watched + 1, sizeof *finding->first_ends);
    finding->ends = tac_calloc(watched + 1, sizeof *finding->ends);
    finding->record.ends = tac_calloc(2 * watched + 1, sizeof *finding->record.ends);
    finding->record.sides =
        tac_calloc(interval_sides(&part->interval) + 1, sizeof *finding->record.sides);
}

void each_finding_free(struct each_finding *finding)
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

void each_totals_clear(const struct property_part *part, struct each_totals *totals)
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
    totals->untested += state->untested - each->null_run.interval.untested;
    if (!totals->blame.set && !state->decided)
        totals->blame = state->blame;
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
    /* a value that is decided meets nothing any more */
    totals->untested += run->untested - (state->decided ? 0 : each->null_run.untested);
    uint64_t told = state->decided ? state->decided_state : UINT64_MAX;
    if (!totals->blame.set && part_run_answer(each->part, run) == TAC_INCONCLUSIVE)
        totals->blame = run->blame;
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

/* Nothing that was there says whether the value is violated. */
static bool value_unsure(const struct each_state *each, const struct part_run *run, uint8_t flags,
                         bool ended)
{
    const struct property_part *part = each->part;
    if (part->temporal)
        return part_run_answer(part, run) == TAC_INCONCLUSIVE;
    return ended && !(flags & (VALUE_DECIDED | VALUE_VIOLATED)) &&
           interval_answer(&part->interval, &run->interval, true) == TAC_INCONCLUSIVE;
}

/* Is the value violated, as things stand (or, with ended, at the end)? */
bool each_value_bad(const struct each_state *each, const struct part_run *run, uint8_t flags,
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

void each_fold(struct each_state *each, struct each_totals *totals, uint32_t id,
               const struct part_run *run, bool bad)
{
    if (each->part->temporal)
        fold_temporal(each, totals, id, run, bad);
    else
        fold_interval(each, totals, id, &run->interval);
}

void each_note_run(struct each_totals *totals, const struct each_state *each,
                   const struct part_run *run)
{
    if (each->part->temporal)
        note_decided(totals, part_run_answer(each->part, run) == TAC_VIOLATED,
                     run->temporal.decided_state, run->temporal.decided_time);
    else
        note_decided(totals, run->interval.decided && !run->interval.deciding.holds,
                     run->interval.decided_state, run->interval.decided_time);
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
        bad = each_value_bad(each, run, 0, ended);
        totals->values_violated += bad ? idle : 0;
        totals->values_unsure += value_unsure(each, run, 0, ended) ? idle : 0;
        totals->untested += (each->met - each->finished) * run->untested;
        totals->exercised |= idle && run->exercised;
        return;
    }
    if (ended) {
        part_run_copy(part, &each->scratch, run);
        interval_end(&part->interval, &each->scratch.interval, NULL);
        run = &each->scratch;
    }
    bad = each_value_bad(each, run, 0, ended);
    bool unsure = value_unsure(each, run, 0, ended);
    for (size_t id = 0; (bad || unsure) && id < each->flags.count; id++) {
        bool open = each->place.at[id] == 0 && (each->flags.at[id] & VALUE_MET) &&
                    !(each->flags.at[id] & (VALUE_DECIDED | VALUE_VIOLATED));
        totals->values_violated += open && bad;
        totals->values_unsure += open && unsure;
    }
    if (!each->met)
        return;
    size_t some = 0;
    while (!(each->flags.at[some] & VALUE_MET))
        some++;
    uint64_t intervals = run->interval.intervals, violated = run->interval.violated,
             untested = run->interval.untested;
    if (intervals && idle) {
        each_note_run(totals, each, run);
        fold_interval(each, totals, (uint32_t)some, &run->interval);
        totals->intervals -= intervals - each->null_run.interval.intervals;
        totals->violated -= violated - each->null_run.interval.violated;
        totals->untested -= untested - each->null_run.interval.untested;
        totals->open -= run->interval.open;
    }
    /* a run that the end closes is in the runs of open values already */
    totals->intervals += each->met * each->null_run.interval.intervals +
                         idle * (intervals - each->null_run.interval.intervals);
    totals->violated += each->met * each->null_run.interval.violated +
                        idle * (violated - each->null_run.interval.violated);
    totals->untested += each->met * each->null_run.interval.untested +
                        idle * (untested - each->null_run.interval.untested);
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
        bool bad = each_value_bad(each, run, flags, ended);
        if (!(flags & VALUE_DECIDED))
            each_note_run(totals, each, run);
        each_fold(each, totals, value->id, run, bad);
        totals->values_violated += bad && !(flags & VALUE_VIOLATED);
        totals->values_unsure += value_unsure(each, run, flags, ended);
        totals->values_open += part->temporal
                                   ? part_run_answer(part, run) == TAC_PRESUMABLY_VIOLATED
                                   : run->interval.open;
    }
    add_null_run(each, totals, ended);
    bool bad = totals->values_violated > 0;
    if (each->nobody.set && !totals->decided) { /* any value may have met it */
        totals->blame = each->nobody;
        *answer = TAC_INCONCLUSIVE;
    } else if (part->temporal && !bad && totals->values_unsure)
        *answer = TAC_INCONCLUSIVE;
    else if (part->temporal)
        *answer = totals->decided ? TAC_VIOLATED
                  : bad           ? TAC_PRESUMABLY_VIOLATED
                                  : TAC_PRESUMABLY_HOLDS;
    else
        *answer = totals->decided || (ended && bad) ? TAC_VIOLATED
                  : ended && !totals->values_unsure ? TAC_HOLDS
                                                    : TAC_INCONCLUSIVE;
    return totals;
}
