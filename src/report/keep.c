/* What is kept of intervals and curves when there are too many: the worst. See evidence.h. */
#include "base/check.h"
#include "report/evidence.h"
#include <math.h>
#include <stdlib.h>

/* Violated before others, less margin before more, no margin last, then by run and time. */
static int by_margin(const void *a, const void *b)
{
    const struct kept_interval *x = a, *y = b;
    if (x->violated != y->violated)
        return x->violated ? -1 : 1;
    double mx = isnan(x->margin) ? INFINITY : x->margin;
    double my = isnan(y->margin) ? INFINITY : y->margin;
    if (mx != my)
        return mx < my ? -1 : 1;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static int by_run(const void *a, const void *b)
{
    const struct kept_interval *x = a, *y = b;
    if (x->run != y->run)
        return x->run < y->run ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

static void trim(struct property_evidence *property, size_t most)
{
    qsort(property->intervals.at, property->intervals.count, sizeof *property->intervals.at,
          by_margin);
    property->intervals.count = most;
}

/* Twice as many as wanted are kept before the worst are chosen: O(log most) each, amortised. */
void evidence_keep_interval(struct property_evidence *property,
                            const struct kept_interval *interval, size_t most)
{
    property->interval_count++;
    if (!most)
        return;
    tac_vec_push(&property->intervals, *interval);
    if (property->intervals.count >= 2 * most && property->intervals.count > most)
        trim(property, most);
}

void evidence_sort(struct property_evidence *property, size_t most)
{
    if (property->intervals.count > most)
        trim(property, most);
    if (property->intervals.count)
        qsort(property->intervals.at, property->intervals.count, sizeof *property->intervals.at,
              by_run);
    assert(property->intervals.count <= property->interval_count);
}

bool evidence_wants_series(struct property_evidence *property, size_t scenario, double margin,
                           size_t most, bool *first)
{
    size_t count = 0, worst = SIZE_MAX;
    double greatest = isnan(margin) ? INFINITY : margin;
    for (size_t i = 0; i < property->series.count; i++) {
        const struct kept_series *kept = &property->series.at[i];
        if (kept->scenario != scenario)
            continue;
        double other = isnan(kept->margin) ? INFINITY : kept->margin;
        count++;
        if (!kept->first && other > greatest) {
            greatest = other;
            worst = i;
        }
    }
    *first = count * 2 < most || most == 1;
    if (count < most)
        return true;
    if (worst == SIZE_MAX)
        return false;
    json_decref(property->series.at[worst].series);
    property->series.at[worst] = tac_vec_last(&property->series);
    property->series.count--;
    *first = false;
    return true;
}
