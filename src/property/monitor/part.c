/* See part.h. */
#include "property/monitor/part.h"

#include "base/check.h"
#include <string.h>

static void start_temporal(const struct property_part *part, struct part_run *run)
{
    run->kleene = run->split = run->lost = run->blame.set = false;
    if (part->queued || part->beside)
        queued_start(&part->goals, &run->duties, part->queued ? &run->temporal : &run->beside);
    if (!part->queued)
        temporal_start(&part->automaton, &run->temporal);
}

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
    if (part->queued || part->beside) {
        duties_init(&part->goals, &run->duties);
        duties_init(&part->goals, &run->twin);
    }
    start_temporal(part, run);
}

void part_run_reset(const struct property_part *part, struct part_run *run)
{
    run->noted_since = UINT64_MAX;
    run->exercised = false;
    run->untested = 0;
    if (!part->temporal)
        interval_state_reset(&part->interval, &run->interval);
    else
        start_temporal(part, run);
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
    to->beside = from->beside;
    to->kleene = from->kleene;
    to->split = from->split;
    to->lost = from->lost;
    to->blame = from->blame;
    if (part->queued || part->beside)
        duties_copy(&part->goals, &to->duties, &from->duties);
    if (from->split)
        duties_copy(&part->goals, &to->twin, &from->twin);
}

void part_run_free(const struct property_part *part, struct part_run *run)
{
    if (!part->temporal)
        interval_state_free(&part->interval, &run->interval);
    duties_free(&part->goals, &run->duties);
    duties_free(&part->goals, &run->twin);
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

/* --- What is unknown -------------------------------------------------------------------------- */

static size_t atom_count(const struct property_part *part)
{
    return part->queued ? part->goals.nodes.count : part->automaton.atom_count;
}

/* The column of an atom, or COLUMN_NONE for a goal that is none. */
static uint32_t atom_at(const struct property_part *part, size_t i)
{
    if (!part->queued)
        return part->automaton.atoms[i];
    const struct goal *goal = &part->goals.nodes.at[i];
    return goal->op == GOAL_ATOM ? goal->atom : COLUMN_NONE;
}

/* The first state from `from` on in which an atom is unknown; chunk->count: none. */
static size_t first_unknown(const struct property_part *part, const struct chunk *chunk,
                            size_t from, uint32_t *atom)
{
    size_t first = chunk->count;
    for (size_t a = 0; a < atom_count(part); a++) {
        uint32_t at = atom_at(part, a);
        size_t found = at == COLUMN_NONE ? first : interval_first_unknown(chunk, at, from, first);
        if (found < first)
            *atom = at;
        first = found < first ? found : first;
    }
    return first;
}

static bool undecided(const struct duty_state *duties)
{
    return duties->answer != TAC_VIOLATED && duties->answer != TAC_HOLDS;
}

/* One state, once something was unknown. */
static void step_kleene(const struct property_part *part, struct part_run *run,
                        const struct chunk *chunk, size_t i)
{
    uint32_t atom = COLUMN_NONE;
    struct chunk until = *chunk;
    until.count = i + 1;
    tac_answer before = part_run_answer(part, run);
    if (!run->split && first_unknown(part, &until, i, &atom) == i) {
        duties_copy(&part->goals, &run->twin, &run->duties);
        run->twin.doubtful = run->split = true;
        run->blame = column_blame(chunk->program, atom, i, chunk->first, chunk->time);
    }
    if (undecided(&run->duties))
        duties_step(&part->goals, &run->duties, chunk, i);
    if (run->split && undecided(&run->twin))
        duties_step(&part->goals, &run->twin, chunk, i);
    if (run->split && undecided(&run->duties) &&
        duties_equal(&part->goals, &run->duties, &run->twin))
        run->split = false; /* it did not matter */
    temporal_note(&run->temporal, before, part_run_answer(part, run), chunk->first + i,
                  chunk->time[i]);
}

static void feed_temporal(const struct property_part *part, struct part_run *run,
                          const struct chunk *chunk, uint16_t *scratch)
{
    uint32_t atom = COLUMN_NONE;
    size_t known = run->kleene || run->lost ? 0 : first_unknown(part, chunk, 0, &atom);
    struct chunk before = *chunk;
    before.count = known;
    if (known && part->queued)
        queued_feed(&part->goals, &run->duties, &run->temporal, &before);
    else if (known)
        temporal_feed(&part->automaton, &run->temporal, &before, scratch);
    if (known && part->beside && !run->temporal.decided)
        queued_feed(&part->goals, &run->duties, &run->beside, &before);
    if (known == chunk->count || run->temporal.decided || run->lost)
        return;
    if (!part->queued && !part->beside) {
        run->lost = true;
        run->blame = column_blame(chunk->program, atom, known, chunk->first, chunk->time);
        return;
    }
    if (chunk->first == 0 && !known)
        run->temporal.since_time = chunk->time[0];
    run->kleene = true;
    for (size_t i = known; i < chunk->count && !run->temporal.decided; i++)
        step_kleene(part, run, chunk, i);
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
    feed_temporal(part, run, chunk, scratch);
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
    else if (run->kleene && !run->temporal.decided) {
        tac_answer before = part_run_answer(part, run);
        duties_tick(&part->goals, &run->duties, now);
        if (run->split)
            duties_tick(&part->goals, &run->twin, now);
        temporal_note(&run->temporal, before, part_run_answer(part, run), last, now);
    } else if (part->queued)
        queued_tick(&part->goals, &run->duties, &run->temporal, last, now);
    else if (!run->kleene && !run->lost)
        temporal_tick(&part->automaton, &run->temporal, last, now);
}

tac_answer part_run_answer(const struct property_part *part, const struct part_run *run)
{
    assert(part->temporal);
    if (run->lost)
        return TAC_INCONCLUSIVE;
    if (run->split) {
        tac_answer best = run->duties.answer, worst = run->twin.answer;
        bool bad = best == TAC_VIOLATED || best == TAC_PRESUMABLY_VIOLATED;
        bool good = worst == TAC_HOLDS || worst == TAC_PRESUMABLY_HOLDS;
        return bad ? best : good ? worst : TAC_INCONCLUSIVE;
    }
    return part->queued || run->kleene ? run->duties.answer
                                       : (tac_answer)part->automaton.answers[run->temporal.state];
}

bool part_run_idle(const struct property_part *part, const struct part_run *run,
                   const struct part_run *other)
{
    assert(run != other);
    if (part->temporal && (run->temporal.decided || other->temporal.decided))
        return false;
    if (part->temporal && (run->lost || run->split || run->kleene != other->kleene))
        return false;
    if (part->temporal && (part->queued || run->kleene))
        return duties_equal(&part->goals, &run->duties, &other->duties);
    if (part->temporal && part->beside && !duties_equal(&part->goals, &run->duties, &other->duties))
        return false;
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
    if (a->doubt || (a->unknowns && !a->decided))
        return false; /* what is not known of it still counts */
    return !a->open && a->flag == b->flag && a->last_p == b->last_p && a->last_q == b->last_q &&
           a->captured == b->captured;
}

const struct ast *part_run_overflow(const struct property_part *part, const struct part_run *run)
{
    if (part->temporal && (part->queued || run->kleene) &&
        (run->duties.overflow != COLUMN_NONE ||
         (run->split && run->twin.overflow != COLUMN_NONE))) {
        uint32_t goal =
            run->duties.overflow != COLUMN_NONE ? run->duties.overflow : run->twin.overflow;
        const struct ast *at = part->goals.nodes.at[goal].ast;
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
