/* Scores, probabilities and order: from thousands of patterns to the few that say something.
 *
 * Score: the share of the cluster's runs that show the pattern minus the share of the passing runs,
 * cut to lengths like the cluster's, that show it. A tail that is seen only as the last event of
 * failing runs is the failure itself, not its cause: such a pattern is judged by its blocks alone.
 *
 * Order: the least probability by chance first; among equals what fewer passing runs show in their
 * full length. Among equals still, what says most comes first: contiguous
 * before gaps, the longer contiguous sequence (the cause in full), but the shorter one with gaps
 * (more blocks with gaps are there by chance), what is complete earlier in the runs (a cause
 * precedes its symptoms); then "before any x", then "never again x". The last comes first of all
 * when so much follows its blocks that x, as usual as it is in passing runs, would have come. */
#include "base/check.h"
#include "mining/search/chance.h"
#include <math.h>

enum { MOST_KEPT = 200 };

/* Passing runs that count against the pattern. */
static uint32_t shown_by_passing(const struct mine_task *task, const struct candidate *c)
{
    bool by_tail = c->template == TAC_G1 || c->template == TAC_G2 || c->template == TAC_G3;
    return by_tail && task->failure_state[c->tail] ? c->pass.prefix_runs : c->pass.runs;
}

static void judge_candidate(const struct mine_task *task, struct chance *evidence,
                            struct candidate *c)
{
    double fail = task->fail.count ? (double)c->fail.runs / task->fail.count : 0;
    uint32_t shown = shown_by_passing(task, c);
    c->score = fail - (task->pass.count ? (double)shown / task->pass.count : 0);
    c->log_p = chance_log_p(evidence, c->fail.runs, shown);
    assert(c->log_p <= 0 && c->score >= -1 && c->score <= 1);
}

static bool over_thresholds(const struct mine_task *task, const struct candidate *c,
                            const tac_figures *whole)
{
    if (c->template == TAC_G1 || c->template == TAC_G4 || c->template == TAC_G1E)
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
        bool keep = screen == TAC_SCREEN_NONE || (screen == TAC_SCREEN_SCORE && c->score > 0) ||
                    (screen == TAC_SCREEN_THRESHOLD && !over_thresholds(task, c, &whole_pass[i]));
        if (keep)
            list->at.at[kept++] = *c;
    }
    assert(kept <= list->at.count);
    list->at.count = kept;
}

/* --- Order ------------------------------------------------------------------------------------ */

struct ranking {
    const struct mine_task *task;
    const struct candidates *list;
    double fail_length, pass_length; /* events of a run, on average */
};

static double mean_length(const struct selection *set)
{
    double sum = 0;
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = view_of(set, r);
        sum += view_length(&view);
    }
    return set->count ? sum / set->count : 0;
}

/* How often x would have come after the blocks of a "never again" pattern, in all failing runs
 * together, at the rate that it has in the second halves of passing runs. */
static double expected_later(const struct ranking *ranking, const struct candidate *c)
{
    const struct mine_task *task = ranking->task;
    double share = task->late_share[c->tail], rest = ranking->fail_length - c->completion;
    if (share <= 0 || rest <= 0 || ranking->pass_length <= 0)
        return 0;
    double rate = -log(1 - (share < 0.999 ? share : 0.999)) / (ranking->pass_length / 2);
    return rate * rest * c->fail.runs;
}

static int kind_order(tac_template template)
{
    static const int order[TAC_TEMPLATES] = {
        [TAC_G2] = 0, [TAC_G2E] = 0, [TAC_G1] = 1, [TAC_G1E] = 1,
        [TAC_G4] = 2, [TAC_G5] = 3,  [TAC_G3] = 4};
    assert(template <TAC_TEMPLATES);
    return order[template];
}

static int place_of(const struct candidate *c)
{
    return c->told ? -1 : kind_order(c->template);
}

static int compare_blocks(const struct candidates *list, const struct candidate *x,
                          const struct candidate *y)
{
    for (uint32_t i = 0; i < x->block_count && i < y->block_count; i++) {
        uint32_t a = blocks_of(list, x)[i], b = blocks_of(list, y)[i];
        if (a != b)
            return a < b ? -1 : 1;
    }
    return (x->tail > y->tail) - (x->tail < y->tail);
}

static int compare_numbers(double x, double y)
{
    return (x > y) - (x < y);
}

/* Two patterns of one kind with the same evidence. */
static int compare_alike(const struct ranking *ranking, const struct candidate *x,
                         const struct candidate *y)
{
    const struct mine_task *task = ranking->task;
    int kind = kind_order(x->template), order;
    uint32_t events_x = 2 * x->block_count + (x->template == TAC_G2);
    uint32_t events_y = 2 * y->block_count + (y->template == TAC_G2);
    if (kind == 0 && events_x != events_y)
        return events_x > events_y ? -1 : 1;
    if (kind != 0 && x->block_count != y->block_count)
        return x->block_count < y->block_count ? -1 : 1;
    if (x->template != y->template)
        return x->template <y->template ? -1 : 1;
    /* "before any x" fails where its block stands: the one nearest to the failure */
    if ((order = compare_numbers(x->completion, y->completion)) != 0)
        return kind == 2 ? -order : order;
    if (kind == 2 || kind == 3) {
        const double *usual = kind == 2 ? task->pass_share : task->late_share;
        if ((order = compare_numbers(usual[y->tail], usual[x->tail])) != 0)
            return order;
    }
    return compare_blocks(ranking->list, x, y);
}

static int best_first(const void *a, const void *b, void *context)
{
    const struct ranking *ranking = context;
    const struct candidate *x = a, *y = b;
    double px = x->score > 0 ? x->log_p : 0, py = y->score > 0 ? y->log_p : 0;
    if (fabs(px - py) > 1e-9)
        return px < py ? -1 : 1;
    if (fabs(x->score - y->score) > 1e-9)
        return x->score > y->score ? -1 : 1;
    if (x->whole_pass != y->whole_pass)
        return x->whole_pass < y->whole_pass ? -1 : 1;
    int kinds = place_of(x) - place_of(y);
    return kinds ? kinds : compare_alike(ranking, x, y);
}

/* --- Folding without evidence (the paper's screening) ----------------------------------------- */

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
    return x->block_count >= y->block_count ? blocks_contain(a, x->block_count, b, y->block_count)
                                            : blocks_contain(b, y->block_count, a, x->block_count);
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
    assert(kept <= MOST_KEPT && kept <= list->at.count);
    list->at.count = kept;
}

void rank_candidates(const struct mine_task *task, struct chance *evidence, tac_screen screen,
                     const tac_figures *whole_pass, struct candidates *list)
{
    for (size_t i = 0; i < list->at.count; i++)
        judge_candidate(task, evidence, &list->at.at[i]);
    if (!task->all)
        keep_screened(task, screen, whole_pass, list);
    struct ranking ranking = {task, list, mean_length(&task->fail), mean_length(&task->pass)};
    for (size_t i = 0; i < list->at.count; i++)
        list->at.at[i].told =
            list->at.at[i].template == TAC_G5 && expected_later(&ranking, &list->at.at[i]) > 8;
    if (list->at.count)
        qsort_r(list->at.at, list->at.count, sizeof *list->at.at, best_first, &ranking);
    for (size_t i = 0; i + 1 < list->at.count; i++)
        assert_costly(best_first(&list->at.at[i], &list->at.at[i + 1], &ranking) <= 0);
    if (!task->all && !task->keep_variants && screen != TAC_SCREEN_SCORE)
        fold(list);
}
