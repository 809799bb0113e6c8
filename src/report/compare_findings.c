/* What a comparison with a baseline found, in sentences: what is worse, what is better, and how
 * much worse it could be without anybody having seen it. */
#include "base/data/str.h"
#include "base/data/text.h"
#include "report/compare.h"
#include <math.h>

static size_t hits_of(const struct gate_item *item, int side)
{
    return (size_t)lround(item->change.figure[side] * (double)item->change.runs[side]);
}

static void add_change(struct finding_set *findings, const struct gate_item *item, const char *link)
{
    bool worse = item->answer == GATE_WORSE;
    const char *word = worse ? "worse" : "better";
    const double *figure = item->change.figure;
    struct finding_parts parts = {
        .rank = worse ? RANK_WORSE : RANK_BETTER,
        .weight = fabs(item->change.change),
        .link = link,
        .subject = item->name,
        .id = item->kind == GATE_CRASHES || item->kind == GATE_STEPS ? NULL : item->id,
        .is_new = worse && item->kind != GATE_FIGURE && !hits_of(item, 0),
        .detail = "Runs of one flow, scenario and device were compared; p is corrected for the "
                  "number of comparisons."};
    if (item->kind == GATE_FIGURE)
        finding_add(findings, &parts,
                    "%s is %s than the baseline: the median is %.4g %s, in the baseline %.4g %s "
                    "(p = %.2g).",
                    item->name, word, figure[1], item->unit, figure[0], item->unit, item->p);
    else
        finding_add(findings, &parts,
                    "%s is %s than the baseline: %s %zu of %zu runs, before in %zu of %zu "
                    "(p = %.2g).",
                    item->kind == GATE_CRASHES ? "How often the app crashes"
                    : item->kind == GATE_STEPS ? "What could be carried out"
                                               : item->name,
                    word, item->kind == GATE_PROPERTY ? "violated in" : "it is so in",
                    hits_of(item, 1), item->change.runs[1], hits_of(item, 0), item->change.runs[0],
                    item->p);
}

/* "4 points", "3 %": the most that a change could be, or the least that would have been found. */
static void add_size(const struct gate_item *item, double size, tac_str *out)
{
    double scale = item->kind == GATE_FIGURE ? fabs(item->change.figure[0]) : 1;
    bool part = item->kind == GATE_FIGURE && scale > 0;
    tac_str_addf(out, part || item->kind != GATE_FIGURE ? "%.2g %%%s" : "%.2g %s",
                 part || item->kind != GATE_FIGURE ? 100 * size / scale : size,
                 item->kind != GATE_FIGURE ? " of the runs"
                 : part                    ? ""
                                           : item->unit);
}

static void add_unchanged(const struct gate_item *item, tac_str *same, tac_str *unknown)
{
    bool known = item->answer == GATE_SAME;
    tac_str *out = known ? same : unknown;
    double most = fmax(fabs(item->change.low), fabs(item->change.high));
    tac_str_addf(out, "%s%s%s", out->length ? "; " : "", item->name,
                 item->kind == GATE_FIGURE ? " (its figure)" : "");
    if (known) {
        tac_str_add(out, " within ");
        add_size(item, most, out);
    } else if (isnan(item->rise)) {
        tac_str_add(out, " (no rise could have been seen: repeat more often)");
    } else {
        tac_str_add(out, " (could not have seen a rise below ");
        add_size(item, item->rise, out);
        tac_str_add(out, ")");
    }
}

static void conclude(struct finding_set *findings, const struct gate_report *gate)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR};
    tac_str same = {0}, unknown = {0};
    size_t sames = 0, unknowns = 0;
    for (size_t i = 0; i < gate->items.count; i++) {
        const struct gate_item *item = &gate->items.at[i];
        bool whole = item->kind != GATE_CRASH && item->kind != GATE_STEP;
        if (gate_item_changed(item) || !whole)
            continue;
        sames += item->answer == GATE_SAME;
        unknowns += item->answer == GATE_UNKNOWN;
        add_unchanged(item, &same, &unknown);
    }
    parts.subject = "baseline";
    if (unknowns) {
        parts.detail = tac_str_text(&unknown);
        finding_add(findings, &parts,
                    "Nobody can tell whether it is worse than the baseline in %zu of %zu "
                    "comparison%s.",
                    unknowns, gate->items.count, gate->items.count == 1 ? "" : "s");
    }
    if (sames) {
        parts.rank = RANK_FINE;
        parts.detail = tac_str_text(&same);
        finding_add(findings, &parts, "The same as the baseline in %zu comparison%s.", sames,
                    sames == 1 ? "" : "s");
    }
    tac_str_free(&same);
    tac_str_free(&unknown);
}

void gate_add_findings(struct finding_set *findings, const struct gate_report *gate,
                       const char *link)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR, .subject = "baseline"};
    for (size_t i = 0; i < gate->differences.count; i++)
        finding_add(findings, &parts, "%s", gate->differences.at[i]);
    if (!gate->common[0] || !gate->common[1]) {
        parts.detail = "The two campaigns have no run of the same flow and scenario.";
        finding_add(findings, &parts, "Nothing could be compared with the baseline.");
        return;
    }
    for (size_t i = 0; i < gate->items.count; i++)
        if (gate_item_changed(&gate->items.at[i]))
            add_change(findings, &gate->items.at[i], link);
    conclude(findings, gate);
}
