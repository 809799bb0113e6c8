/* Scores, screening and folding: from thousands of patterns to the few that say something.
 *
 * Score: the share of the cluster's runs that show the pattern minus the share of the passing runs,
 * cut to lengths like the cluster's, that show it. A tail that is seen only as the last event of
 * failing runs is the failure itself, not its cause: such a pattern is scored by its blocks alone.
 *
 * Screening keeps a pattern that at least 3 runs show and whose difference is at least 2.5 standard
 * errors of the pooled share, or, as the paper does, drops what passes the thresholds on the
 * passing runs too.
 *
 * Order: score, then what is complete earlier in the runs (a cause precedes its
 * symptoms), then the stricter template, then, among contiguous patterns, the longer, among others
 * the shorter one; at the very end the G4 patterns whose x makes no difference. Folding: in this
 * order, a pattern joins an earlier one that talks about the same blocks: one block sequence
 * contains the other. */
#include "mining/search/candidates.h"
#include <math.h>

enum { MOST_KEPT = 200 };

static double score_of(const struct mine_task *task, const struct candidate *c)
{
    bool symptom = task->failure_state[c->tail] && c->template != TAC_G4 && c->template != TAC_G5;
    double fail = task->fail.count ? (double)c->fail.runs / task->fail.count : 0;
    uint32_t shown = symptom ? c->pass.prefix_runs : c->pass.runs;
    double pass = task->pass.count ? (double)shown / task->pass.count : 0;
    return fail - pass;
}

static bool clearly_more(const struct mine_task *task, const struct candidate *c)
{
    double n = task->fail.count, m = task->pass.count;
    if (m == 0)
        return true;
    double fail = c->fail.runs / n, pass = fail - c->score;
    double pooled = (fail * n + pass * m) / (n + m);
    double error = sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
    bool enough = c->fail.runs >= 3 || c->fail.runs == task->fail.count;
    return enough && c->score > 0 && c->score >= 2.5 * error;
}

static bool over_thresholds(const struct mine_task *task, const struct candidate *c,
                            const tac_figures *whole)
{
    if (c->template == TAC_G1 || c->template == TAC_G4)
        return whole->runs && reaches(task->support, whole->runs, task->pass.count);
    return whole->occurrences && whole->occurrences >= task->min_occurrences &&
           reaches(task->confidence, whole->occurrences, whole->prefix_occurrences);
}

static void keep_screened(const struct mine_task *task, tac_screen screen,
                          const tac_figures *whole_pass, struct candidates *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->at.count; i++) {
        const struct candidate *c = &list->at.at[i];
        bool keep = screen == TAC_SCREEN_NONE ||
                    (screen == TAC_SCREEN_SCORE && clearly_more(task, c)) ||
                    (screen == TAC_SCREEN_THRESHOLD && !over_thresholds(task, c, &whole_pass[i]));
        if (keep)
            list->at.at[kept++] = *c;
    }
    list->at.count = kept;
}

/* A G4 pattern is about x: it says little when passing runs that show the block seldom show x
 * before it either. */
static bool says_little(const struct mine_task *task, const struct candidate *c)
{
    if (c->template != TAC_G4 || task->pass.count == 0)
        return false;
    return c->pass.prefix_runs - c->pass.runs < 0.3 * c->pass.prefix_runs;
}

/* No passing run shows the block at all, so nobody knows whether x matters. */
static bool is_open(const struct candidate *c)
{
    return c->template == TAC_G4 && c->pass.prefix_runs == 0;
}

struct ranking {
    const struct mine_task *task;
    const struct candidates *list;
    const double *pass_share, *late_share;
};

static int strictness(tac_template template)
{
    static const int order[TAC_TEMPLATES] = {
        [TAC_G2] = 0, [TAC_G2E] = 1, [TAC_G4] = 2, [TAC_G5] = 3, [TAC_G1] = 4, [TAC_G3] = 5};
    return order[template];
}

static int compare_blocks(const struct candidates *list, const struct candidate *x,
                          const struct candidate *y)
{
    if (x->block_count != y->block_count)
        return (x->block_count > y->block_count) - (x->block_count < y->block_count);
    for (uint32_t i = 0; i < x->block_count; i++) {
        uint32_t a = blocks_of(list, x)[i], b = blocks_of(list, y)[i];
        if (a != b)
            return a < b ? -1 : 1;
    }
    return (x->tail > y->tail) - (x->tail < y->tail);
}

static int best_first(const void *a, const void *b, void *context)
{
    const struct ranking *ranking = context;
    const struct candidate *x = a, *y = b;
    int little = says_little(ranking->task, x) - says_little(ranking->task, y);
    if (little)
        return little;
    long sx = lround(x->score * 1e6), sy = lround(y->score * 1e6);
    if (sx != sy)
        return sx < sy ? 1 : -1;
    if (is_open(x) != is_open(y))
        return is_open(x) ? 1 : -1;
    if (x->completion != y->completion)
        return x->completion < y->completion ? -1 : 1;
    if (x->template != y->template)
        return strictness(x->template) - strictness(y->template);
    if (x->template == TAC_G4 || x->template == TAC_G5) {
        const double *usual = x->template == TAC_G4 ? ranking->pass_share : ranking->late_share;
        double px = usual[x->tail], py = usual[y->tail];
        if (px != py)
            return px < py ? 1 : -1;
    }
    int blocks = compare_blocks(ranking->list, x, y);
    bool longer_first = x->template == TAC_G2 && x->block_count != y->block_count;
    return longer_first ? -blocks : blocks;
}

static bool contains(const uint32_t *longer, uint32_t count, const uint32_t *shorter,
                     uint32_t wanted)
{
    uint32_t met = 0;
    for (uint32_t i = 0; i < count && met < wanted; i++)
        met += longer[i] == shorter[met];
    return met == wanted;
}

static bool same_family(tac_template a, tac_template b)
{
    bool alone_a = a == TAC_G4 || a == TAC_G5, alone_b = b == TAC_G4 || b == TAC_G5;
    return alone_a || alone_b ? a == b : true;
}

static bool tells_the_same(const struct candidates *list, const struct candidate *x,
                           const struct candidate *y)
{
    if (!same_family(x->template, y->template))
        return false;
    const uint32_t *a = blocks_of(list, x), *b = blocks_of(list, y);
    return x->block_count >= y->block_count ? contains(a, x->block_count, b, y->block_count)
                                            : contains(b, y->block_count, a, x->block_count);
}

static void fold(struct candidates *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->at.count; i++) {
        const struct candidate *c = &list->at.at[i];
        size_t k = 0;
        while (k < kept && !tells_the_same(list, &list->at.at[k], c))
            k++;
        if (k < kept)
            list->at.at[k].folded++;
        else if (kept < MOST_KEPT)
            list->at.at[kept++] = *c;
    }
    list->at.count = kept;
}

void rank_candidates(const struct mine_task *task, tac_screen screen, const tac_figures *whole_pass,
                     struct candidates *list)
{
    for (size_t i = 0; i < list->at.count; i++)
        list->at.at[i].score = score_of(task, &list->at.at[i]);
    if (!task->all)
        keep_screened(task, screen, whole_pass, list);
    struct ranking ranking = {task, list, task->pass_share, task->late_share};
    if (list->at.count)
        qsort_r(list->at.at, list->at.count, sizeof *list->at.at, best_first, &ranking);
    if (!task->all && !task->keep_variants)
        fold(list);
}
