/* The comparisons and what they come to. See compare.h. */
#include "report/compare.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "findings/identity.h"
#include <math.h>
#include <string.h>

static const double level = 0.05;
/* What a rise must be for "the same" to mean something: shares, and figures as a part of before. */
static const double wide = 0.2;

struct comparison {
    const struct gate_sides *sides;
    struct gate_report *out;
    uint32_t *strata[2];
    struct strata_row *rows; /* room for all runs */
};

/* What a run has of something: NaN for nothing that could be compared. */
typedef double run_value(const struct report_run *run, const void *what, bool now);

static size_t fill_rows(const struct comparison *c, run_value *value, const void *what)
{
    const struct report_campaign *const campaigns[] = {c->sides->before, c->sides->now};
    size_t count = 0;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < campaigns[side]->runs.count; i++) {
            const struct report_run *run = &campaigns[side]->runs.at[i];
            double seen = c->strata[side][i] == UINT32_MAX ||
                                  tac_stored_end_of(run->row.verdict) == TAC_STORED_ERROR
                              ? NAN
                              : value(run, what, side == 1);
            if (!isnan(seen))
                c->rows[count++] = (struct strata_row){c->strata[side][i], side == 1, seen};
        }
    return count;
}

static void add_share(const struct comparison *c, struct gate_item item, run_value *value,
                      const void *what)
{
    strata_shares(c->rows, fill_rows(c, value, what), &item.change);
    item.name = tac_arena_strdup(&c->out->texts, item.name);
    item.id = tac_arena_strdup(&c->out->texts, item.id ? item.id : "");
    item.unit = "";
    item.lower_is_better = true;
    if (item.change.runs[0] && item.change.runs[1])
        tac_vec_push(&c->out->items, item);
}

/* --- crashes and steps --- */

static double has_crashed(const struct report_run *run, const void *what, bool now)
{
    (void)now;
    bool crash = tac_stored_end_of(run->row.verdict) == TAC_STORED_CRASH;
    return crash && (!what || !strcmp(run->finding, what));
}

static void step_id(const struct report_run *run, char id[FINDING_ID])
{
    finding_identity_of_text("run", run->row.message, id);
}

static double could_not(const struct report_run *run, const void *what, bool now)
{
    char id[FINDING_ID] = "";
    (void)now;
    if (tac_stored_end_of(run->row.verdict) != TAC_STORED_FAIL)
        return 0;
    step_id(run, id);
    return !what || !strcmp(id, what);
}

/* Each identity of either side; those beyond a few hundred would only cost power. */
static void add_identities(const struct comparison *c, bool steps)
{
    enum { MOST = 300 };
    tac_names ids = {0};
    const struct report_campaign *const campaigns[] = {c->sides->now, c->sides->before};
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < campaigns[side]->runs.count && ids.count < MOST; i++) {
            const struct report_run *run = &campaigns[side]->runs.at[i];
            char id[FINDING_ID] = "";
            if (has_crashed(run, NULL, true) > 0 && !steps)
                memcpy(id, run->finding, FINDING_ID);
            else if (could_not(run, NULL, true) > 0 && steps)
                step_id(run, id);
            if (!*id || tac_names_find(&ids, id) != TAC_NONE)
                continue;
            tac_names_intern(&ids, id);
            struct gate_item item = {.kind = steps ? GATE_STEP : GATE_CRASH,
                                     .name = steps ? run->row.message : run->row.exception,
                                     .id = id};
            add_share(c, item, steps ? could_not : has_crashed, id);
        }
    tac_names_free(&ids);
}

/* --- properties --- */

struct compared_property {
    size_t index[2];
    const char *scenario;
    double scale; /* of figures of before */
};

static double is_violated(const struct report_run *run, const void *what, bool now)
{
    const struct compared_property *property = what;
    if (strcmp(run->row.scenario, property->scenario) || !*run->answers)
        return NAN;
    char answer = run->answers[property->index[now]];
    return answer == ANSWER_VIOLATED                          ? 1
           : answer == ANSWER_HOLDS || answer == ANSWER_NEVER ? 0
                                                              : NAN;
}

static double figure_of(const struct report_run *run, const void *what, bool now)
{
    const struct compared_property *property = what;
    if (strcmp(run->row.scenario, property->scenario) || !run->figures)
        return NAN;
    return run->figures[property->index[now]] * (now ? 1 : property->scale);
}

static const tac_report_floor *floor_of(const struct comparison *c, const char *name)
{
    const tac_report_options *options = c->sides->report->project.options;
    for (size_t i = 0; i < options->floor_count; i++)
        if (!strcmp(options->floors[i].name, name))
            return &options->floors[i];
    return NULL;
}

/* Given, or a tenth of what repeats of one flow on one device spread by. */
static double noise_of(const struct comparison *c, const char *name, size_t count, double before)
{
    const tac_report_floor *given = floor_of(c, name);
    if (given)
        return fmax(given->absolute, given->part * fabs(before));
    double sum = 0;
    size_t pairs = 0;
    for (size_t i = 0; i + 1 < count; i++) /* sorted by stratum, side and value */
        if (c->rows[i].stratum == c->rows[i + 1].stratum && !c->rows[i].now &&
            !c->rows[i + 1].now) {
            sum += c->rows[i + 1].value - c->rows[i].value;
            pairs++;
        }
    return pairs ? sum / (double)pairs / 10 : 0;
}

static void add_property(const struct comparison *c, const struct property_evidence *now,
                         const struct property_evidence *before, const char *scenario)
{
    struct compared_property what = {.scenario = scenario, .scale = 1};
    what.index[1] = (size_t)(now - c->sides->properties->properties.at);
    what.index[0] = (size_t)(before - c->sides->earlier->properties.at);
    bool same = !strcmp(now->unit, before->unit) || !*before->unit ||
                tac_unit_scale(before->unit, now->unit, &what.scale);
    char id[FINDING_ID];
    finding_identity(now->name, "", id);
    const char *title =
        tac_arena_format(&c->out->texts, "%s%s%s", now->name, *scenario ? ", " : "", scenario);
    struct gate_item item = {.kind = GATE_PROPERTY, .name = title, .id = id};
    add_share(c, item, is_violated, &what);
    size_t count = same ? fill_rows(c, figure_of, &what) : 0;
    if (count < 2 || !now->toward)
        return;
    item = (struct gate_item){.kind = GATE_FIGURE,
                              .name = title,
                              .id = tac_arena_strdup(&c->out->texts, id),
                              .unit = tac_arena_strdup(&c->out->texts, now->unit),
                              .lower_is_better = now->toward > 0};
    strata_values(c->rows, count, 1, &item.change);
    item.floor = noise_of(c, now->name, count, item.change.figure[0]);
    if (!item.lower_is_better) {
        double worse = item.change.worse;
        item.change.worse = item.change.better;
        item.change.better = worse;
    }
    if (item.change.runs[0] && item.change.runs[1] && !isnan(item.change.change))
        tac_vec_push(&c->out->items, item);
}

static void add_properties(const struct comparison *c)
{
    for (size_t p = 0; c->sides->properties && p < c->sides->properties->properties.count; p++) {
        const struct property_evidence *now = &c->sides->properties->properties.at[p];
        const struct property_evidence *before = evidence_find(c->sides->earlier, now->name);
        for (size_t s = 0; before && s < now->scenarios.count; s++)
            if (evidence_scenario(before, now->scenarios.at[s].scenario))
                add_property(c, now, before, now->scenarios.at[s].scenario);
    }
}

/* --- what they come to --- */

/* How many comparisons can be significant at all at the level of that many (Tarone). */
static size_t count_testable(const struct gate_report *gate)
{
    for (size_t k = 1; k < gate->items.count; k++) {
        size_t testable = 0;
        for (size_t i = 0; i < gate->items.count; i++)
            testable += gate->items.at[i].change.least <= level / (double)k;
        if (testable <= k)
            return k;
    }
    return gate->items.count ? gate->items.count : 1;
}

static double toward_worse(const struct gate_item *item)
{
    return item->lower_is_better ? item->change.change : -item->change.change;
}

/* Corrected as Holm does: the k-th smallest of m counts m - k + 1 times. */
static void correct(struct gate_report *gate, bool worse, size_t testable)
{
    bool *done = tac_calloc(gate->items.count + 1, sizeof *done);
    double least = 0;
    for (size_t round = 0; round < gate->items.count; round++) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < gate->items.count; i++) {
            const struct strata_change *change = &gate->items.at[i].change;
            double p = worse ? change->worse : change->better;
            double other = best == SIZE_MAX ? INFINITY
                           : worse          ? gate->items.at[best].change.worse
                                            : gate->items.at[best].change.better;
            best = !done[i] && p < other ? i : best;
        }
        struct gate_item *item = &gate->items.at[best];
        double p = worse ? item->change.worse : item->change.better;
        double times = round < testable ? (double)(testable - round) : 1;
        least = fmin(1, fmax(least, p * times));
        done[best] = true;
        bool beyond = (worse ? toward_worse(item) : -toward_worse(item)) > item->floor;
        if (worse && item->answer != GATE_BETTER)
            item->p = least;
        if (least <= level && beyond) {
            item->answer = worse ? GATE_WORSE : GATE_BETTER;
            item->p = least;
        }
    }
    free(done);
}

/* How well "no change" is known: by the interval, or by what could have been found. */
static void bound_change(struct gate_item *item, size_t testable)
{
    double corrected = level / (double)testable, scale = 1;
    if (item->kind == GATE_FIGURE) {
        scale = fabs(item->change.figure[0]);
        item->rise = (item->change.high - item->change.low) / 3.92 *
                     (1.2816 + sqrt(2 * log(1 / (2 * corrected)))); /* above the quantile */
    } else {
        item->rise = strata_rise_found(item->change.runs[1], item->change.runs[0],
                                       item->change.figure[0], corrected);
    }
    if (gate_item_changed(item))
        return;
    double most = fmax(fabs(item->change.low), fabs(item->change.high));
    bool known = most <= fmax(item->floor, wide * scale);
    item->answer = known ? GATE_SAME : GATE_UNKNOWN;
}

/* Of all comparisons that are about the whole: worse before unknown before better before same. */
static enum gate_answer gate_answer_of(const struct gate_report *gate)
{
    size_t counts[4] = {0};
    for (size_t i = 0; i < gate->items.count; i++) {
        const struct gate_item *item = &gate->items.at[i];
        bool part = item->kind == GATE_CRASH || item->kind == GATE_STEP;
        counts[item->answer] += !part || gate_item_changed(item);
    }
    return counts[GATE_WORSE]     ? GATE_WORSE
           : counts[GATE_UNKNOWN] ? GATE_UNKNOWN
           : counts[GATE_BETTER]  ? GATE_BETTER
           : counts[GATE_SAME]    ? GATE_SAME
                                  : GATE_UNKNOWN;
}

void gate_compare(const struct gate_sides *sides, struct gate_report *out)
{
    struct comparison c = {.sides = sides, .out = out};
    struct gate_item crashes = {.kind = GATE_CRASHES, .name = "crashes"};
    struct gate_item steps = {.kind = GATE_STEPS, .name = "steps that cannot be done"};
    c.strata[0] = gate_strata(sides, false, out);
    c.strata[1] = gate_strata(sides, true, out);
    c.rows = tac_calloc(out->runs[0] + out->runs[1] + 1, sizeof *c.rows);
    if (out->common[0] && out->common[1]) {
        add_share(&c, crashes, has_crashed, NULL);
        add_identities(&c, false);
        add_share(&c, steps, could_not, NULL);
        add_identities(&c, true);
        add_properties(&c);
    }
    size_t testable = count_testable(out);
    for (size_t i = 0; i < out->items.count; i++)
        out->items.at[i].answer = GATE_UNKNOWN;
    correct(out, false, testable);
    correct(out, true, testable);
    for (size_t i = 0; i < out->items.count; i++)
        bound_change(&out->items.at[i], testable);
    free(c.rows);
    free(c.strata[0]);
    free(c.strata[1]);
}

void gate_report_free(struct gate_report *gate)
{
    tac_arena_free(&gate->texts);
    tac_vec_free(&gate->items);
    tac_vec_free(&gate->differences);
}

/* --- the document --- */

static const char *const answer_words[] = {[GATE_WORSE] = "worse",
                                           [GATE_BETTER] = "better",
                                           [GATE_SAME] = "same",
                                           [GATE_UNKNOWN] = "cannot tell"};
TABLE_COVERS(answer_words, GATE_UNKNOWN);
static const char *const kind_words[] = {
    [GATE_CRASHES] = "crashes", [GATE_CRASH] = "crash",       [GATE_STEPS] = "steps",
    [GATE_STEP] = "step",       [GATE_PROPERTY] = "property", [GATE_FIGURE] = "figure"};
TABLE_COVERS(kind_words, GATE_FIGURE);

FIELD_GETTER(kind_of, struct gate_item, out->text = kind_words[it->kind])
FIELD_GETTER(answer_of, struct gate_item, out->text = answer_words[it->answer])
FIELD_GETTER(overall_of, struct gate_report, out->text = answer_words[gate_answer_of(it)])
FIELD_GETTER(runs_now, struct gate_item, out->integer = (int64_t)it->change.runs[1])
FIELD_GETTER(runs_before, struct gate_item, out->integer = (int64_t)it->change.runs[0])
FIELD_GETTER(figure_now, struct gate_item, out->number = it->change.figure[1])
FIELD_GETTER(figure_before, struct gate_item, out->number = it->change.figure[0])
FIELD_GETTER(all_now, struct gate_report, out->integer = (int64_t)it->runs[1])
FIELD_GETTER(all_before, struct gate_report, out->integer = (int64_t)it->runs[0])
FIELD_GETTER(common_now, struct gate_report, out->integer = (int64_t)it->common[1])
FIELD_GETTER(common_before, struct gate_report, out->integer = (int64_t)it->common[0])

static const struct field item_fields[] = {
    FIELD_GET_TEXT("kind", kind_of),
    FIELDS(struct gate_item, name, id, unit),
    FIELD_GET_TEXT("answer", answer_of),
    FIELD_GET_INTEGER("runs", runs_now),
    FIELD_GET_INTEGER("runs_before", runs_before),
    FIELD_GET_NUMBER("now", figure_now),
    FIELD_GET_NUMBER("before", figure_before),
    FIELD(struct gate_item, change.change, .key = "change"),
    FIELD(struct gate_item, change.low, .key = "low"),
    FIELD(struct gate_item, change.high, .key = "high"),
    FIELD(struct gate_item, p, .about = "corrected"),
    FIELD(struct gate_item, floor, .about = "a change up to it is noise"),
    FIELD(struct gate_item, rise, .about = "the smallest that 9 of 10 would have found")};
static DESCRIBE(item, struct gate_item);
static const struct field gate_fields[] = {
    FIELD_GET_TEXT("answer", overall_of),
    FIELD_GET_INTEGER("runs", all_now),
    FIELD_GET_INTEGER("runs_before", all_before),
    FIELD_GET_INTEGER("compared", common_now),
    FIELD_GET_INTEGER("compared_before", common_before),
    FIELD_LIST(struct gate_report, items.at, items.count, item_described, .key = "comparisons"),
    FIELD_TEXTS(struct gate_report, differences.at, differences.count, .key = "differences")};
DESCRIBE(gate, struct gate_report);
