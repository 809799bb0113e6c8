/* See cluster_search.h. */
#include "mining/cluster/cluster_search.h"
#include "base/check.h"

uint64_t scaled_occurrences(uint32_t runs)
{
    uint64_t half = (runs + 1) / 2;
    return half < 2 ? 2 : half > 10 ? 10 : half;
}

/* Lists of everything are of the templates of the paper, unless others are named. */
static unsigned templates_of(const tac_mine_options *options, bool all)
{
    unsigned every = (1u << TAC_TEMPLATES) - 1;
    return options->templates ? options->templates : all ? every & ~(1u << TAC_G1E) : every;
}

void cluster_search_start(struct cluster_search *s, const struct cluster_job *job)
{
    const tac_mine_options *options = job->options;
    s->job = job;
    s->cuts = matched_cuts(job);
    s->facts = learn_tokens(job, s->cuts);
    double confidence = options->confidence >= 0 ? options->confidence : job->of_passing ? 1 : 0.9;
    s->task = (struct mine_task){
        .runs = job->runs,
        .fail = {job->runs, job->fail, NULL, job->fail_count},
        .pass = {job->runs, job->pass, s->cuts, job->pass_count},
        .confidence = threshold_of(confidence),
        .min_rest = options->min_rest,
        .depth = options->depth,
        .templates = templates_of(options, options->all || job->of_passing),
        .all = options->all || job->of_passing,
        .any_confidence = options->confidence < 0 && !options->all && !job->of_passing,
        .keep_variants = job->keep_variants,
        .clusters = job->clusters ? job->clusters : 1,
        .limit = options->limit ? options->limit : 5000000,
        .in_pass = s->facts.in_pass,
        .pass_share = s->facts.pass_share,
        .late_share = s->facts.late_share,
        .failure_state = s->facts.failure_state,
        .watch = job->watch,
    };
    s->evidence = chance_new(&s->task);
}

void cluster_search_end(struct cluster_search *s)
{
    chance_free(s->evidence);
    free(s->cuts);
    token_facts_free(&s->facts);
}

void cluster_search_support(struct cluster_search *s, double support)
{
    const tac_mine_options *options = s->job->options;
    struct mine_task *task = &s->task;
    task->support = threshold_of(support);
    task->min_runs = least_runs(task->support, task->fail.count);
    assert(task->min_runs <= task->fail.count || task->fail.count == 0);
    task->min_occurrences = options->min_occurrences ? options->min_occurrences
                            : task->all              ? scaled_occurrences(task->fail.count)
                                                     : task->min_runs;
}

tac_status cluster_search_run(const struct mine_task *task, struct candidates *out,
                              unsigned *examined, tac_error *err)
{
    tac_status status = TAC_OK;
    assert(task->depth >= 1 && task->depth <= TAC_MINE_MAX_DEPTH && task->min_runs >= 1);
    unsigned templates = task->templates, gapped = 1u << TAC_G1 | 1u << TAC_G1E;
    for (int t = 0; t < TAC_TEMPLATES; t++)
        examined[t] = t == TAC_G4 ? 1 : task->depth;
    if (templates & gapped)
        status = mine_gapped(task, TAC_G1, out, &examined[TAC_G1], err);
    examined[TAC_G1E] = examined[TAC_G1];
    if (!status && templates & (1u << TAC_G2 | 1u << TAC_G2E | 1u << TAC_G5))
        status = mine_contiguous(task, out, err);
    /* the runs that show a g3 pattern are those of the g1 pattern */
    if (!status && templates & 1u << TAC_G3 && (task->all || !(templates & 1u << TAC_G1)))
        status = mine_gapped(task, TAC_G3, out, &examined[TAC_G3], err);
    if (!status && templates & 1u << TAC_G4)
        status = mine_before(task, out, err);
    return status;
}

tac_status cluster_measure(const struct mine_task *task, const struct selection *set,
                           const struct candidates *list, tac_figures *figures, double *completion,
                           uint64_t *fired, tac_error *err)
{
    struct measure_request request = {.patterns = list,
                                      .set = set,
                                      .min_rest = task->min_rest,
                                      .figures = figures,
                                      .completion = completion,
                                      .fired = fired,
                                      .watch = task->watch};
    return measure(&request, err);
}

static tac_status counts_differ(const struct candidate *c, size_t index, tac_error *err)
{
    return tac_fail(err, TAC_E_INTERNAL,
                    "two ways of counting %s pattern %zu differ; please report this",
                    tac_template_name(c->template), index);
}

/* Completions on the cluster, figures on the passing runs, ranks. */
tac_status cluster_judge(struct cluster_search *s, struct candidates *list, tac_error *err)
{
    const struct mine_task *task = &s->task;
    tac_screen screen = s->job->options->screen;
    size_t count = list->at.count;
    tac_figures *figures = tac_calloc(count + 1, sizeof *figures);
    double *completion = tac_calloc(count + 1, sizeof *completion);
    tac_status status = cluster_measure(task, &task->fail, list, figures, completion, NULL, err);
    for (size_t i = 0; i < count && !status; i++) {
        list->at.at[i].completion = completion[i];
        if (memcmp(&figures[i], &list->at.at[i].fail, sizeof *figures) != 0)
            status = counts_differ(&list->at.at[i], i, err);
    }
    if (!status)
        status = cluster_measure(task, &task->pass, list, figures, NULL, NULL, err);
    for (size_t i = 0; i < count && !status; i++)
        list->at.at[i].pass = figures[i];
    if (!status && !task->all) {
        struct selection whole = task->pass;
        whole.cuts = NULL;
        status = cluster_measure(task, &whole, list, figures, NULL, NULL, err);
        for (size_t i = 0; i < count && !status; i++)
            list->at.at[i].whole_pass = figures[i].runs;
    }
    if (!status)
        rank_candidates(task, s->evidence, screen, figures, list);
    free(figures);
    free(completion);
    return status;
}

/* Corrected probabilities of a list that is shown as it is: everything, marked. */
double cluster_mark_causes(struct cluster_search *s, struct candidates *list)
{
    double least = 1;
    for (size_t i = 0; i < list->at.count; i++) {
        struct candidate *c = &list->at.at[i];
        c->p = c->score > 0 ? chance_corrected(s->evidence, c->template, c->block_count,
                                               c->fail.runs, c->log_p)
                            : 1;
        assert(c->p >= 0 && c->p <= 1);
        c->cause = c->p <= TAC_CAUSE_LEVEL && !s->job->of_passing;
        c->equally = c->ties;
        least = c->p < least ? c->p : least;
    }
    return least;
}
