/* See part.h. */
#include "property/monitor/part.h"

#include "base/check.h"
#include <string.h>

void part_run_init(const struct property_part *part, struct part_run *run)
{
    memset(run, 0, sizeof *run);
    run->noted_since = UINT64_MAX;
    if (!part->temporal) {
        interval_state_init(&part->interval, &run->interval);
        return;
    }
    run->first_ends = tac_calloc(part->watched_count + 1, sizeof *run->first_ends);
    run->ends = tac_calloc(part->watched_count + 1, sizeof *run->ends);
    if (part->queued) {
        duties_init(&part->goals, &run->duties);
        queued_start(&part->goals, &run->duties, &run->temporal);
    } else {
        temporal_start(&part->automaton, &run->temporal);
    }
}

void part_run_reset(const struct property_part *part, struct part_run *run)
{
    run->noted_since = UINT64_MAX;
    run->exercised = false;
    run->untested = 0;
    if (!part->temporal)
        interval_state_reset(&part->interval, &run->interval);
    else if (part->queued)
        queued_start(&part->goals, &run->duties, &run->temporal);
    else
        temporal_start(&part->automaton, &run->temporal);
}

void part_run_copy(const struct property_part *part, struct part_run *to,
                   const struct part_run *from)
{
    assert(to != from);
    to->noted_since = from->noted_since;
    to->exercised = from->exercised;
    to->untested = from->untested;
    if (!part->temporal) {
        interval_state_copy(&part->interval, &to->interval, &from->interval);
        return;
    }
    to->temporal = from->temporal;
    memcpy(to->first_ends, from->first_ends, part->watched_count * sizeof *to->first_ends);
    memcpy(to->ends, from->ends, part->watched_count * sizeof *to->ends);
    if (part->queued)
        duties_copy(&part->goals, &to->duties, &from->duties);
}

void part_run_free(const struct property_part *part, struct part_run *run)
{
    if (!part->temporal)
        interval_state_free(&part->interval, &run->interval);
    else if (part->queued)
        duties_free(&part->goals, &run->duties);
    free(run->first_ends);
    free(run->ends);
}

static union end_value slot_value(const struct column_program *program, uint32_t slot, size_t i)
{
    union end_value value = {0};
    const struct column_slot *at = &program->slots.at[slot];
    if (at->discrete)
        value.symbol = program->symbols[slot] ? program->symbols[slot][i] : TAC_TRACE_NO_SYMBOL;
    else
        value.number = column_numbers(program, at->node)[i];
    return value;
}

/* Keeps the values where the formula began to be false and where it stands. */
static void note_ends(const struct property_part *part, struct part_run *run,
                      const struct chunk *chunk)
{
    const struct temporal_state *state = &run->temporal;
    size_t last = state->decided && state->decided_state >= chunk->first
                      ? (size_t)(state->decided_state - chunk->first)
                      : chunk->count - 1;
    assert(last < chunk->count);
    bool fresh = state->since >= chunk->first && state->since != run->noted_since &&
                 state->since < chunk->first + chunk->count;
    for (size_t w = 0; w < part->watched_count; w++) {
        run->ends[w] = slot_value(chunk->program, part->watched[w], last);
        if (fresh)
            run->first_ends[w] =
                slot_value(chunk->program, part->watched[w], (size_t)(state->since - chunk->first));
    }
    if (fresh)
        run->noted_since = state->since;
}

void part_run_feed(const struct property_part *part, struct part_run *run,
                   const struct chunk *chunk, uint16_t *scratch,
                   const struct interval_listener *listener)
{
    assert(chunk->count > 0);
    if (!part->temporal) {
        interval_feed(&part->interval, &run->interval, chunk, listener);
        return;
    }
    if (run->temporal.decided && chunk->first > 0)
        return;
    if (!run->exercised && part->trigger != COLUMN_NONE)
        run->exercised =
            memchr(column_bits(chunk->program, part->trigger), 1, chunk->count) != NULL;
    if (part->queued)
        queued_feed(&part->goals, &run->duties, &run->temporal, chunk);
    else
        temporal_feed(&part->automaton, &run->temporal, chunk, scratch);
    size_t judged = chunk->count;
    if (run->temporal.decided && run->temporal.decided_state - chunk->first < judged)
        judged = (size_t)(run->temporal.decided_state - chunk->first) + 1;
    for (size_t i = 0; part->unknown != COLUMN_NONE && i < judged; i++)
        run->untested += column_bits(chunk->program, part->unknown)[i];
    note_ends(part, run, chunk);
}

void part_run_tick(const struct property_part *part, struct part_run *run, uint64_t last,
                   int64_t now)
{
    assert(now >= 0 || last < UINT64_MAX);
    if (!part->temporal)
        interval_tick(&part->interval, &run->interval, last, now);
    else if (part->queued)
        queued_tick(&part->goals, &run->duties, &run->temporal, last, now);
    else
        temporal_tick(&part->automaton, &run->temporal, last, now);
}

tac_answer part_run_answer(const struct property_part *part, const struct part_run *run)
{
    assert(part->temporal);
    return part->queued ? run->duties.answer
                        : (tac_answer)part->automaton.answers[run->temporal.state];
}

bool part_run_idle(const struct property_part *part, const struct part_run *run,
                   const struct part_run *other)
{
    assert(run != other);
    if (part->temporal && (run->temporal.decided || other->temporal.decided))
        return false;
    if (part->temporal && part->queued)
        return duties_equal(&part->goals, &run->duties, &other->duties);
    if (part->temporal)
        return run->temporal.state == other->temporal.state &&
               (!part->automaton.first || !part->automaton.clock_count[run->temporal.state]);
    const struct interval_state *a = &run->interval, *b = &other->interval;
    if (part->interval.inner || part->interval.relations.count ||
        quantifier_samples(part->interval.quantifier))
        return false;
    if (part->interval.quantifier == QUANT_EXISTS && a->intervals && !a->decided)
        return false; /* its best interval so far is still wanted */
    if (part->interval.quantifier != QUANT_FORALL && a->untested && !a->decided)
        return false; /* what could not be told may have been it */
    /* the null run has intervals of its own: what each value saw of them is kept with it */
    if (b->intervals || b->untested || b->open)
        return false;
    return !a->open && a->flag == b->flag && a->last_p == b->last_p && a->last_q == b->last_q &&
           a->captured == b->captured;
}

const struct ast *part_run_overflow(const struct property_part *part, const struct part_run *run)
{
    if (part->temporal && part->queued && run->duties.overflow != COLUMN_NONE) {
        const struct ast *at = part->goals.nodes.at[run->duties.overflow].ast;
        return at ? at : part->ast;
    }
    if (!part->temporal && part->interval.ahead && run->interval.end.overflow != COLUMN_NONE)
        return part->ast->q;
    if (!part->temporal && run->interval.overlap && overlap_overflow(run->interval.overlap))
        return part->ast;
    if (!part->temporal && ((run->interval.related && related_overflow(run->interval.related)) ||
                            run->interval.samples.failed))
        return part->ast;
    return NULL;
}
