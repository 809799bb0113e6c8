/* Results as sentences: what was found, where, by how much, what to do next. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/verdict.h"
#include "property/check/reading.h"
#include "property/language/ast.h"

#include <math.h>
#include <string.h>
#include <time.h>

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* Times beyond a year from 0 are dates: told as time since the start, with the date once. */
static bool dated(int64_t start)
{
    const int64_t year = (int64_t)365 * 86400 * 1000000000;
    return start > year || start < -year;
}

static double shown_seconds(int64_t start, int64_t time)
{
    return (double)(dated(start) ? time - start : time) / 1e9;
}

static void add_place(tac_str *text, int64_t start, const tac_interval *at)
{
    double from = shown_seconds(start, at->t_from), to = shown_seconds(start, at->t_to);
    if (at->from == at->to)
        tac_str_addf(text, "in state %llu (%.6g s)", (unsigned long long)at->from, from);
    else
        tac_str_addf(text, "from state %llu (%.6g s) to state %llu (%.6g s)",
                     (unsigned long long)at->from, from, (unsigned long long)at->to, to);
}

static void add_date(tac_str *text, int64_t start)
{
    char date[32];
    time_t seconds = (time_t)(start / 1000000000);
    struct tm parts;
    if (!dated(start) || !gmtime_r(&seconds, &parts))
        return;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &parts);
    tac_str_addf(text, "; times count from %s UTC", date);
}

static void add_comparison(tac_str *text, const tac_comparison_value *comparison)
{
    const char *space = *comparison->unit ? " " : "";
    if (isnan(comparison->value)) {
        tac_str_addf(text, "%s: no value there", comparison->text);
        return;
    }
    tac_str_addf(text, "%s: the value is %.10g%s%s, ", comparison->text, comparison->value, space,
                 comparison->unit);
    if (comparison->on_bound)
        tac_str_add(text, "on the bound");
    else if (comparison->holds)
        tac_str_addf(text, "%.6g%s%s inside the bound", fabs(comparison->margin), space,
                     comparison->unit);
    else
        tac_str_addf(text, "%.6g%s%s past the bound", fabs(comparison->margin), space,
                     comparison->unit);
}

/* The comparison that tells most: the first that has the witness's truth, one with a value before
 * others. */
static const tac_comparison_value *telling(const tac_witness *witness)
{
    const tac_comparison_value *best = NULL;
    for (size_t i = 0; i < witness->comparison_count; i++) {
        const tac_comparison_value *at = &witness->comparisons[i];
        if (at->holds != witness->holds)
            continue;
        bool worth = best && isnan(best->value) && !isnan(at->value);
        if (!best || worth || (witness->has_margin && fabs(at->margin) < fabs(best->margin)))
            best = at;
    }
    return best ? best : witness->comparison_count ? &witness->comparisons[0] : NULL;
}

static void add_value(tac_str *text, const tac_witness *witness)
{
    if (*witness->value)
        tac_str_addf(text, "for %s ", witness->value);
}

/* The share, percentile or mean. */
static void add_figure(const tac_property_result *result, tac_str *text)
{
    if (!result->figure)
        return;
    tac_str_addf(text, "; the figure is %.10g%s%s, ", result->figure->value,
                 *result->figure->unit ? " " : "", result->figure->unit);
    if (result->figure->on_bound)
        tac_str_add(text, "on the bound");
    else
        tac_str_addf(text, "%.6g%s%s %s the bound", fabs(result->figure->margin),
                     *result->figure->unit ? " " : "", result->figure->unit,
                     result->figure->holds ? "inside" : "past");
}

static void add_values(const tac_property_result *result, tac_str *text)
{
    if (!result->for_each)
        return;
    tac_str_addf(text, "; %llu of %llu value%s violate%s it",
                 (unsigned long long)result->values_violated, (unsigned long long)result->values,
                 plural(result->values), result->values_violated == 1 ? "s" : "");
    if (result->values_open)
        tac_str_addf(text, ", %llu open", (unsigned long long)result->values_open);
    if (result->worst && result->witness && strcmp(result->worst->value, result->witness->value)) {
        tac_str_addf(text, "; worst for %s ", result->worst->value);
        add_place(text, result->start, &result->worst->interval);
    }
}

static void add_unknown(const tac_property_result *result, tac_str *text)
{
    const tac_unknown *unknown = result->unknown;
    assert(result->answer == TAC_INCONCLUSIVE);
    tac_str_addf(text, "; not known: %s%s%s state %llu (%.6g s): %s", unknown->variable ? "'" : "",
                 unknown->variable ? unknown->variable : "the end of",
                 unknown->variable ? "' in" : "", (unsigned long long)unknown->state,
                 shown_seconds(result->start, unknown->time), unknown->reason);
}

static void explain_interval(const tac_property_result *result, tac_str *text)
{
    bool bad = result->answer == TAC_VIOLATED;
    if (!result->intervals && result->untested)
        tac_str_addf(text, "%llu interval%s, none could be judged: something was missing there",
                     (unsigned long long)result->untested, plural(result->untested));
    else if (!result->intervals && result->open)
        tac_str_add(text, "no interval has closed; one is still open");
    else if (!result->intervals)
        tac_str_add(text, "no interval was found");
    else if (result->violated)
        tac_str_addf(text, "%llu of %llu interval%s violate%s it",
                     (unsigned long long)result->violated, (unsigned long long)result->intervals,
                     plural(result->intervals), result->violated == 1 ? "s" : "");
    else
        tac_str_addf(text, "%llu interval%s, none violates it",
                     (unsigned long long)result->intervals, plural(result->intervals));
    if (result->intervals && result->untested)
        tac_str_addf(text, ", %llu could not be judged", (unsigned long long)result->untested);
    if ((result->intervals || result->untested) && result->open)
        tac_str_addf(text, ", %llu %s still open", (unsigned long long)result->open,
                     result->open == 1 ? "is" : "are");
    add_figure(result, text);
    if (result->witness) {
        const tac_comparison_value *comparison = telling(result->witness);
        tac_str_add(text, bad ? "; " : result->decided ? "; decided " : "; tightest ");
        add_value(text, result->witness);
        add_place(text, result->start, &result->witness->interval);
        if (comparison) {
            tac_str_add(text, ", ");
            add_comparison(text, comparison);
        }
    }
}

static void explain_temporal(const tac_property_result *result, tac_str *text)
{
    switch (result->answer) {
    case TAC_HOLDS:
        tac_str_add(text, "decided ");
        break;
    case TAC_VIOLATED:
        tac_str_add(text, "broken ");
        break;
    case TAC_PRESUMABLY_VIOLATED:
        tac_str_addf(text, "still waiting at the end of the trace%s", result->witness ? ", " : "");
        break;
    case TAC_INCONCLUSIVE:
        if (result->witness) {
            tac_str_add(text, "still waiting so far, ");
            break;
        }
        /* fall through */
    case TAC_PRESUMABLY_HOLDS:
        tac_str_add(text, "nothing has broken it so far");
        return;
    }
    if (result->witness) {
        add_value(text, result->witness);
        add_place(text, result->start, &result->witness->interval);
    }
}

static bool is_bad(const tac_property_result *result)
{
    return result->answer == TAC_VIOLATED || result->answer == TAC_PRESUMABLY_VIOLATED;
}

const char *property_telling_variable(const tac_property_result *result)
{
    const tac_witness *witness = result->witness;
    if (!witness || !is_bad(result) || result->kind != TAC_PROPERTY_INTERVAL || !result->intervals)
        return NULL;
    for (size_t i = 0; i < witness->value_count; i++)
        if (!witness->values[i].discrete)
            return witness->values[i].name;
    return NULL;
}

bool property_telling_place(const tac_property_result *result, tac_interval *out)
{
    bool never = result->kind == TAC_PROPERTY_INTERVAL && !result->intervals;
    if (!result->witness || !is_bad(result) || never)
        return false;
    *out = result->witness->interval;
    assert(out->from <= out->to);
    return true;
}

static void advise(const tac_properties *properties, const tac_property_result *result,
                   tac_verdict *out)
{
    const char *source =
        tac_property_source(properties, tac_property_find(properties, result->name));
    const char *variable = property_telling_variable(result);
    tac_interval at;
    bool untold = !is_bad(result) && result->vacuous && result->kind != TAC_PROPERTY_COMBINED;
    if (untold && result->untested)
        tac_verdict_advise(
            out, "what it speaks of was never there to be judged: check selectors and names in %s",
            source);
    else if (untold)
        tac_verdict_advise(out, "it holds because nothing matched: check the names in %s", source);
    else if (is_bad(result) && result->kind == TAC_PROPERTY_INTERVAL && !result->intervals)
        tac_verdict_advise(out, "the trace never gets through the interval: check the names in %s",
                           source);
    else if (property_telling_place(result, &at))
        tac_verdict_advise(out, "look at %s%sstates %llu to %llu", variable ? variable : "",
                           variable ? " in " : "", (unsigned long long)at.from,
                           (unsigned long long)at.to);
}

void tac_property_result_verdict(const tac_properties *properties,
                                 const tac_property_result *result, const char *trace,
                                 tac_verdict *out)
{
    char *subject = tac_format("%s on %s", result->name, trace);
    tac_str text = {0};
    tac_verdict_init(out, "property", subject, result->answer);
    free(subject);
    if (result->kind == TAC_PROPERTY_INTERVAL)
        explain_interval(result, &text);
    else if (result->kind == TAC_PROPERTY_TEMPORAL)
        explain_temporal(result, &text);
    else {
        tac_str_add(&text, "by its parts");
        if (result->witness) {
            tac_str_add(&text, result->answer == TAC_INCONCLUSIVE ? ", so far " : ", decided ");
            add_place(&text, result->start, &result->witness->interval);
        }
    }
    add_values(result, &text);
    if (result->vacuous && result->kind != TAC_PROPERTY_COMBINED)
        tac_str_add(&text, "; never exercised");
    if (result->unknown)
        add_unknown(result, &text);
    if (result->early_alarm) {
        tac_str_addf(&text, "; the alarm came in state %llu (%.6g s)",
                     (unsigned long long)result->early_alarm->state,
                     shown_seconds(result->start, result->early_alarm->t));
    }
    if (result->witness || result->early_alarm)
        add_date(&text, result->start);
    tac_verdict_explain(out, "%s", tac_str_text(&text));
    tac_str_free(&text);
    advise(properties, result, out);
    if (result->witness)
        out->witness = tac_property_witness_json(result->witness);
    out->statistics = property_statistics_json(result);
}
