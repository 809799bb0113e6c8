/* Verdicts of a monitor: of one part, and of properties combined by name. */
#include "property/monitor/monitor.h"

#include "base/check.h"
#include "trace/trace.h"
#include <string.h>

static const char *symbol_text(const tac_monitor *monitor, uint32_t symbol)
{
    return symbol < monitor->symbols.count ? monitor->symbols.at[symbol] : NULL;
}

void fill_value(const tac_monitor *monitor, const struct column_program *program, uint32_t slot,
                union end_value from, union end_value to, tac_witness_value *out)
{
    assert(slot < program->slots.count);
    const struct column_slot *at = &program->slots.at[slot];
    memset(out, 0, sizeof *out);
    out->name = at->name;
    out->unit = at->unit_text;
    out->discrete = at->discrete;
    if (at->discrete) {
        out->text[0] = symbol_text(monitor, from.symbol);
        out->text[1] = symbol_text(monitor, to.symbol);
    } else {
        out->number[0] = unit_convert(from.number, &at->unit, &at->nominal);
        out->number[1] = unit_convert(to.number, &at->unit, &at->nominal);
    }
}

static void fill_comparison(const struct comparison *comparison, const double *sides,
                            tac_comparison_value *out)
{
    assert(comparison->shown.den > 0);
    out->text = comparison->text;
    out->unit = comparison->unit_text;
    const struct unit *shown = &comparison->shown;
    out->value = sides[0] * shown->num / shown->den;
    out->bound = sides[1] * shown->num / shown->den;
    out->margin = comparison_margin(comparison->op, sides[0], sides[1]) * shown->num / shown->den;
    out->holds = comparison_holds(comparison->op, sides[0], sides[1]);
    out->on_bound = sides[0] <= sides[1] && sides[0] >= sides[1];
}

double reported_margin(const struct interval_plan *plan, double margin)
{
    if (!plan->margin_common)
        return margin;
    const struct unit *shown = &plan->comparisons.at[0].shown;
    return margin * shown->num / shown->den;
}

void fill_witness(const tac_monitor *monitor, const struct property_part *part,
                  const struct interval_record *record, tac_witness_value *values,
                  tac_comparison_value *comparisons, tac_witness *out)
{
    const struct interval_plan *plan = &part->interval;
    for (size_t w = 0; w < plan->watched.count; w++)
        fill_value(monitor, part->program, plan->watched.at[w], record->ends[2 * w],
                   record->ends[2 * w + 1], &values[w]);
    for (size_t c = 0; c < plan->comparisons.count; c++)
        fill_comparison(&plan->comparisons.at[c], &record->sides[2 * c], &comparisons[c]);
    *out = (tac_witness){.interval = record->interval,
                         .values = values,
                         .value_count = plan->watched.count,
                         .comparisons = comparisons,
                         .comparison_count = plan->comparisons.count,
                         .holds = record->holds,
                         .untested = record->untested || record->unknown,
                         .has_margin = record->has_margin,
                         .margin = reported_margin(plan, record->margin),
                         .value = ""};
}

void part_witness(tac_monitor *monitor, size_t part, const struct interval_record *record)
{
    struct answer_room *room = &monitor->parts[part].room;
    fill_witness(monitor, &monitor->plan.parts.at[part], record, room->values, room->comparisons,
                 &room->witness);
    if (monitor->parts[part].each)
        room->witness.value = tac_str_text(&room->value);
}

void fill_unknown(const tac_monitor *monitor, size_t part, const struct column_unknown *blame,
                  tac_property_result *out)
{
    if (!blame->set || out->answer != TAC_INCONCLUSIVE)
        return;
    const struct column_program *program = monitor->plan.parts.at[part].program;
    const char *text = symbol_text(monitor, blame->reason);
    bool value = blame->slot != COLUMN_NONE;
    tac_unknown *unknown = &monitor->parts[part].room.unknown;
    *unknown = (tac_unknown){.variable = value ? program->slots.at[blame->slot].name : NULL,
                             .reason = text && *text == TAC_TRACE_UNKNOWN ? text + 1
                                       : value                            ? "it has no value yet"
                                               : "what begins there has not ended",
                             .state = blame->state,
                             .time = blame->time};
    out->unknown = unknown;
}

static void alarm_result(const struct interval_plan *plan, const struct interval_state *state,
                         struct answer_room *room, tac_property_result *out)
{
    if (!state->alarmed)
        return;
    fill_comparison(&plan->comparisons.at[state->alarm_comparison], state->alarm_sides,
                    &room->alarm_comparison);
    room->alarm = state->alarm;
    room->alarm.comparison = &room->alarm_comparison;
    out->early_alarm = &room->alarm;
}

/* Shares, percentiles and means: their value, and the interval next to it. */
static void sample_result(const struct property_part *part, const struct interval_state *state,
                          struct answer_room *room, tac_property_result *out)
{
    assert(quantifier_samples(part->interval.quantifier));
    const struct interval_plan *plan = &part->interval;
    struct sample_verdict verdict = sample_verdict(plan, &state->samples);
    bool share = plan->quantifier == QUANT_SHARE;
    if (!verdict.any)
        return;
    struct unit percent = {{0}, 1, 1};
    const struct unit *shown = share ? &percent : &plan->comparisons.at[0].shown;
    const char *unit = share ? "%" : plan->comparisons.at[0].unit_text;
    room->figure = (tac_comparison_value){.text = "",
                                          .unit = unit,
                                          .value = verdict.value * shown->num / shown->den,
                                          .bound = verdict.bound * shown->num / shown->den,
                                          .margin = verdict.margin * shown->num / shown->den,
                                          .holds = verdict.holds,
                                          .on_bound = verdict.value <= verdict.bound &&
                                                      verdict.value >= verdict.bound};
    out->figure = &room->figure;
    out->has_margin = true;
    out->margin = room->figure.margin;
    out->margin_unit = unit;
    room->witness =
        (tac_witness){.interval = verdict.witness.interval, .holds = verdict.holds, .value = ""};
    out->witness = &room->witness;
}

static void interval_result(tac_monitor *monitor, size_t part, bool ended, tac_property_result *out)
{
    assert(!monitor->plan.parts.at[part].temporal);
    const struct property_part *whole = &monitor->plan.parts.at[part];
    const struct interval_plan *plan = &whole->interval;
    struct part_state *at = &monitor->parts[part];
    const struct interval_state *state = &at->run.interval;
    if (ended) {
        interval_state_copy(plan, &at->ended, state);
        interval_end(plan, &at->ended, NULL);
        state = &at->ended;
    }
    out->kind = TAC_PROPERTY_INTERVAL;
    out->answer = interval_answer(plan, state, ended);
    out->decided = state->decided;
    out->decided_state = state->decided_state;
    out->decided_time = state->decided_time;
    out->intervals = state->intervals;
    out->violated = state->violated;
    out->open = state->open;
    out->vacuous = ended && !state->intervals && !state->unknowns;
    fill_unknown(monitor, part, &state->blame, out);
    out->observed = whole->observed;
    out->untested = state->untested;
    out->has_margin = state->has_margin;
    out->margin = reported_margin(plan, state->margin);
    out->margin_unit = plan->margin_common ? plan->comparisons.at[0].unit_text : "";
    assert(out->violated <= out->intervals);
    const struct interval_record *witness = state->deciding.set   ? &state->deciding
                                            : state->tightest.set ? &state->tightest
                                                                  : NULL;
    if (quantifier_samples(plan->quantifier)) {
        out->has_margin = false;
        sample_result(whole, state, &at->room, out);
    } else if (witness) {
        part_witness(monitor, part, witness);
        out->witness = &at->room.witness;
    }
    alarm_result(plan, state, &at->room, out);
}

static bool is_bad(tac_answer answer)
{
    return answer == TAC_VIOLATED || answer == TAC_PRESUMABLY_VIOLATED;
}

static bool is_refuted(const tac_monitor *monitor, uint32_t part)
{
    assert(part < monitor->plan.parts.count);
    const struct part_state *at = &monitor->parts[part];
    tac_answer answer;
    if (at->each)
        each_result(at->each, false, &answer);
    else
        answer = part_run_answer(&monitor->plan.parts.at[part], &at->run);
    return is_bad(answer);
}

bool part_is_proved(const tac_monitor *monitor, uint32_t proof)
{
    assert(proof < monitor->plan.proofs.count);
    const struct proof *at = &monitor->plan.proofs.at[proof];
    switch (at->op) {
    case PROOF_REFUTED:
        return is_refuted(monitor, at->a);
    case PROOF_STANDS:
        return !is_refuted(monitor, at->a);
    case PROOF_BOTH:
        return part_is_proved(monitor, at->a) && part_is_proved(monitor, at->b);
    case PROOF_EITHER:
        break;
    }
    return part_is_proved(monitor, at->a) || part_is_proved(monitor, at->b);
}

static bool run_is_unknown(const struct part_run *run)
{
    return run->lost || run->split;
}

static void temporal_result(tac_monitor *monitor, size_t part, tac_property_result *out)
{
    assert(monitor->plan.parts.at[part].temporal);
    const struct property_part *plan = &monitor->plan.parts.at[part];
    struct part_state *at = &monitor->parts[part];
    const struct temporal_state *state = &at->run.temporal;
    out->kind = TAC_PROPERTY_TEMPORAL;
    out->answer = part_run_answer(plan, &at->run);
    out->vacuous = plan->trigger != COLUMN_NONE && !at->run.exercised;
    out->observed = plan->observed;
    out->untested = at->run.untested;
    if (state->decided && out->answer == TAC_HOLDS && out->untested)
        out->vacuous = true; /* what was missing might have been as it must be; nobody saw it */
    out->decided = state->decided;
    out->decided_state = state->decided_state;
    out->decided_time = state->decided_time;
    out->margin_unit = "";
    bool bad = is_bad(out->answer);
    if (run_is_unknown(&at->run))
        fill_unknown(monitor, part, &at->run.blame, out);
    if (plan->proof != COLUMN_NONE)
        out->vacuous = !bad && !part_is_proved(monitor, plan->proof);
    out->vacuous |= !bad && !monitor->states;
    if (!monitor->states || (!bad && !state->decided))
        return;
    struct answer_room *room = &at->room;
    uint64_t to = state->decided ? state->decided_state : monitor->states - 1;
    int64_t t_to = state->decided ? state->decided_time : monitor->now;
    tac_interval interval = {to, to, t_to, t_to};
    if (bad) {
        interval.from = state->since;
        interval.t_from = state->since_time;
    }
    for (size_t w = 0; w < plan->watched_count; w++)
        fill_value(monitor, plan->program, plan->watched[w],
                   bad ? at->run.first_ends[w] : at->run.ends[w], at->run.ends[w],
                   &room->values[w]);
    room->witness = (tac_witness){.interval = interval,
                                  .values = room->values,
                                  .value_count = plan->watched_count,
                                  .holds = !bad,
                                  .value = ""};
    out->witness = &room->witness;
}

/* The result of one part; ended as in tac_monitor_result. */
static void part_result(tac_monitor *monitor, size_t part, bool ended, tac_property_result *out)
{
    memset(out, 0, sizeof *out);
    assert(part < monitor->plan.parts.count);
    if (monitor->parts[part].each)
        each_part_result(monitor, part, ended, out);
    else if (monitor->plan.parts.at[part].temporal)
        temporal_result(monitor, part, out);
    else
        interval_result(monitor, part, ended, out);
}

/* false < presumably false < inconclusive < presumably true < true */
static int rank(tac_answer answer)
{
    static const int ranks[] = {[TAC_HOLDS] = 4,
                                [TAC_VIOLATED] = 0,
                                [TAC_INCONCLUSIVE] = 2,
                                [TAC_PRESUMABLY_HOLDS] = 3,
                                [TAC_PRESUMABLY_VIOLATED] = 1};
    TABLE_COVERS(ranks, TAC_PRESUMABLY_VIOLATED);
    return ranks[answer];
}

static tac_answer negated(tac_answer answer)
{
    static const tac_answer mirrored[] = {[TAC_HOLDS] = TAC_VIOLATED,
                                          [TAC_VIOLATED] = TAC_HOLDS,
                                          [TAC_INCONCLUSIVE] = TAC_INCONCLUSIVE,
                                          [TAC_PRESUMABLY_HOLDS] = TAC_PRESUMABLY_VIOLATED,
                                          [TAC_PRESUMABLY_VIOLATED] = TAC_PRESUMABLY_HOLDS};
    TABLE_COVERS(mirrored, TAC_PRESUMABLY_VIOLATED);
    return mirrored[answer];
}

/* Joins two operands: the one that determines the answer lends its evidence. */
static void join(const tac_property_result *a, const tac_property_result *b, bool conjunction,
                 tac_property_result *out)
{
    assert(a->answer <= TAC_PRESUMABLY_VIOLATED && b->answer <= TAC_PRESUMABLY_VIOLATED);
    bool left =
        conjunction ? rank(a->answer) <= rank(b->answer) : rank(a->answer) >= rank(b->answer);
    tac_answer strong = conjunction ? TAC_VIOLATED : TAC_HOLDS;
    *out = left ? *a : *b;
    out->intervals = a->intervals + b->intervals;
    out->violated = a->violated + b->violated;
    out->open = a->open + b->open;
    out->untested = a->untested + b->untested;
    out->observed = a->observed || b->observed;
    if (out->answer == TAC_INCONCLUSIVE && !out->unknown)
        out->unknown = a->unknown ? a->unknown : b->unknown;
    bool a_settles = a->decided && a->answer == strong,
         b_settles = b->decided && b->answer == strong;
    if (a_settles && b_settles) {
        const tac_property_result *earlier = a->decided_state <= b->decided_state ? a : b;
        out->decided_state = earlier->decided_state;
        out->decided_time = earlier->decided_time;
    } else if (!a_settles && !b_settles) {
        out->decided = a->decided && b->decided;
        const tac_property_result *later = a->decided_state >= b->decided_state ? a : b;
        out->decided_state = later->decided_state;
        out->decided_time = later->decided_time;
    }
}

static void combined(tac_monitor *monitor, uint32_t node, bool ended, tac_property_result *out)
{
    assert(node < monitor->plan.combines.count);
    const struct combine at = monitor->plan.combines.at[node];
    if (at.op == COMBINE_PART) {
        part_result(monitor, at.a, ended, out);
        return;
    }
    if (at.op == COMBINE_PROPERTY) {
        combined(monitor, monitor->plan.roots[at.a], ended, out);
        return;
    }
    tac_property_result a, b;
    combined(monitor, at.a, ended, &a);
    if (at.op == COMBINE_NOT)
        a.answer = negated(a.answer);
    *out = a;
    if (at.op != COMBINE_NOT) {
        combined(monitor, at.b, ended, &b);
        join(&a, &b, at.op == COMBINE_AND, out);
    }
    out->has_margin = false;
    out->margin_unit = "";
}

void tac_monitor_result(tac_monitor *monitor, size_t index, bool ended, tac_property_result *out)
{
    assert(index < monitor->properties->properties.count);
    memset(out, 0, sizeof *out);
    out->margin_unit = "";
    out->answer = TAC_INCONCLUSIVE;
    if (monitor->bound)
        combined(monitor, monitor->plan.roots[index], ended, out);
    out->start = monitor->start;
    out->name = monitor->properties->properties.at[index].name;
    out->kind = monitor->properties->properties.at[index].kind;
}

void tac_monitor_result_of_cut(tac_monitor *monitor, size_t index, tac_property_result *out)
{
    tac_monitor_result(monitor, index, false, out);
    if (out->answer == TAC_PRESUMABLY_HOLDS || out->answer == TAC_PRESUMABLY_VIOLATED)
        out->answer = TAC_INCONCLUSIVE;
}
