/* One cluster: searches until its runs are explained.
 *
 * Without thresholds of the user's the search asks for patterns that most of the runs share,
 * chooses the causes, and goes on with the runs that none of them explains: first with the same
 * share, then with smaller ones. So several bugs in one cluster are found one after the other. */
#include "base/check.h"
#include "base/data/bits.h"
#include "mining/cluster/cluster_search.h"

/* Candidates that causes are chosen from: enough for every cause and its variants. */
enum { MOST_RANKED = 3000 };

/* Chooses the causes of a ranked list; explained: bits over the task's failing runs. */
static tac_status choose_causes(struct cluster_search *s, struct candidates *list,
                                uint64_t *explained, double *least_p, tac_error *err)
{
    const struct mine_task *task = &s->task;
    size_t words = tac_bits_words(task->fail.count);
    if (list->at.count > MOST_RANKED)
        list->at.count = MOST_RANKED;
    tac_figures *figures = tac_calloc(list->at.count + 1, sizeof *figures);
    uint64_t *fired = tac_calloc(list->at.count * words + 1, sizeof *fired);
    tac_status status = cluster_measure(task, &task->fail, list, figures, NULL, fired, err);
    if (!status) {
        double least = select_causes(task, s->evidence, fired, list, explained);
        *least_p = least < *least_p ? least : *least_p;
    }
    free(figures);
    free(fired);
    return status;
}

/* Runs of the job, and which pattern explains each. */
struct explanation {
    const struct cluster_job *job;
    struct cluster_outcome *out;
    unsigned rounds;
};

/* Gives the runs of the causes `first` .. to them; the earlier cause has a run. */
static tac_status attribute(struct explanation *x, struct cluster_search *whole, size_t first,
                            tac_error *err)
{
    struct candidates *patterns = &x->out->patterns;
    size_t words = tac_bits_words(whole->task.fail.count);
    tac_figures *figures = tac_calloc(patterns->at.count + 1, sizeof *figures);
    double *completion = tac_calloc(patterns->at.count + 1, sizeof *completion);
    uint64_t *fired = tac_calloc(patterns->at.count * words + 1, sizeof *fired);
    tac_status status =
        cluster_measure(&whole->task, &whole->task.fail, patterns, figures, completion, fired, err);
    for (size_t i = first; i < patterns->at.count && !status; i++) {
        struct candidate *c = &patterns->at.at[i];
        c->fail = figures[i];
        assert(figures[i].runs <= whole->task.fail.count);
        c->completion = completion[i];
        c->attributed = 0;
        for (uint32_t r = 0; r < whole->task.fail.count; r++)
            if (x->out->attribution[r] == TAC_NONE && tac_bits_get(fired + i * words, r)) {
                x->out->attribution[r] = (uint32_t)i;
                c->attributed++;
            }
    }
    if (!status)
        status =
            cluster_measure(&whole->task, &whole->task.pass, patterns, figures, NULL, NULL, err);
    for (size_t i = first; i < patterns->at.count && !status; i++) {
        struct candidate *c = &patterns->at.at[i];
        c->pass = figures[i];
        c->score = (double)c->fail.runs / whole->task.fail.count -
                   (whole->task.pass.count ? (double)c->pass.runs / whole->task.pass.count : 0);
    }
    free(figures);
    free(completion);
    free(fired);
    return status;
}

/* Does the first pattern explain every run, and no passing run show it? */
static bool explains_everything(const struct cluster_search *s, const struct candidates *list)
{
    return list->at.count > 0 && list->at.at[0].fail.runs == s->task.fail.count &&
           list->at.at[0].whole_pass == 0;
}

/* Whether the set had it already. */
static bool seen_before(tac_names *seen, const struct candidates *list, size_t index)
{
    const struct candidate *c = &list->at.at[index];
    assert(c->block_count <= TAC_MINE_MAX_DEPTH);
    uint32_t key[TAC_MINE_MAX_DEPTH + 2] = {c->template, c->tail};
    memcpy(key + 2, blocks_of(list, c), c->block_count * sizeof *key);
    size_t before = seen->count;
    return tac_names_intern_bytes(seen, key, (2 + c->block_count) * sizeof *key) < before;
}

/* Patterns that fewer runs share, beside those of the list. */
static tac_status search_wider(struct cluster_search *s, double support, struct candidates *list,
                               tac_error *err)
{
    struct candidates wider = {0};
    unsigned examined[TAC_TEMPLATES];
    cluster_search_support(s, support);
    tac_names seen = {0};
    for (size_t i = 0; i < list->at.count; i++)
        seen_before(&seen, list, i);
    tac_status status = cluster_search_run(&s->task, &wider, examined, err);
    for (size_t i = 0; i < wider.at.count && !status; i++)
        if (!seen_before(&seen, &wider, i))
            candidates_append(list, &wider, i);
    tac_names_free(&seen);
    candidates_free(&wider);
    return status ? status : cluster_judge(s, list, err);
}

/* One cluster_search over the job's runs; adds its causes to the outcome. found: how many. */
static tac_status search_causes(const struct cluster_job *job, double support,
                                struct explanation *x, size_t *found, tac_error *err)
{
    struct cluster_search s;
    struct candidates list = {0};
    unsigned examined[TAC_TEMPLATES];
    cluster_search_start(&s, job);
    cluster_search_support(&s, support);
    uint64_t *explained = tac_calloc(tac_bits_words(job->fail_count) + 1, sizeof *explained);
    tac_status status = cluster_search_run(&s.task, &list, examined, err);
    if (!status)
        status = cluster_judge(&s, &list, err);
    if (!status && job->options->support < 0 && support > 0.25 && !explains_everything(&s, &list))
        status = search_wider(&s, 0.25, &list, err);
    if (!status)
        status = choose_causes(&s, &list, explained, &x->out->least_p, err);
    if (x->rounds == 0)
        memcpy(x->out->examined, examined, sizeof examined);
    *found = status ? 0 : list.at.count;
    assert(x->out->least_p >= 0 && x->out->least_p <= 1);
    for (size_t i = 0; i < *found; i++)
        candidates_append(&x->out->patterns, &list, i);
    free(explained);
    candidates_free(&list);
    cluster_search_end(&s);
    x->rounds++;
    return status;
}

/* The job's runs that nothing explains yet. */
static void unexplained_runs(const struct explanation *x, struct run_ids *out)
{
    for (uint32_t r = 0; r < x->job->fail_count; r++)
        if (x->out->attribution[r] == TAC_NONE)
            tac_vec_push(&out->at, x->job->fail[r]);
}

enum { MOST_ROUNDS = 12 };

/* Rounds of searches until every run is explained or no share finds more. */
static tac_status explain_runs(struct explanation *x, struct cluster_search *whole, tac_error *err)
{
    static const double shares[] = {0.6, 0.1};
    const struct cluster_job *job = x->job;
    bool given = job->options->support >= 0;
    tac_status status = TAC_OK;
    size_t share = 0, found;
    while (!status && x->rounds < MOST_ROUNDS && share < (given ? 1 : 2)) {
        struct run_ids left = {0};
        unexplained_runs(x, &left);
        assert(left.at.count <= job->fail_count);
        double least = share == 1 ? 3.0 / (double)(left.at.count + 1) : 0;
        double support = given                                   ? job->options->support
                         : least > shares[share] && least < 0.25 ? least
                                                                 : shares[share];
        bool enough = left.at.count >= 3 && left.at.count * 20 >= job->fail_count;
        size_t first = x->out->patterns.at.count;
        found = 0;
        if (x->rounds == 0 || enough) {
            struct cluster_job rest = *job;
            rest.fail = left.at.at;
            rest.fail_count = (uint32_t)left.at.count;
            status = search_causes(&rest, support, x, &found, err);
        } else
            share = 2;
        if (!status && found)
            status = attribute(x, whole, first, err);
        share = found && !given ? 0 : share + 1;
        tac_vec_free(&left.at);
    }
    return status;
}

static tac_status list_patterns(struct cluster_search *s, struct cluster_outcome *out,
                                tac_error *err)
{
    double support = s->job->options->support >= 0 ? s->job->options->support
                     : s->job->of_passing          ? 1
                                                   : 0.6;
    cluster_search_support(s, support);
    tac_status status = cluster_search_run(&s->task, &out->patterns, out->examined, err);
    if (!status)
        status = cluster_judge(s, &out->patterns, err);
    if (!status && !s->job->keep_variants)
        out->least_p = cluster_mark_causes(s, &out->patterns);
    return status;
}

tac_status mine_cluster(const struct cluster_job *job, struct cluster_outcome *out, tac_error *err)
{
    struct cluster_search whole;
    *out = (struct cluster_outcome){.least_p = 1};
    out->attribution = tac_alloc((job->fail_count + 1) * sizeof *out->attribution);
    memset(out->attribution, 0xff, (job->fail_count + 1) * sizeof *out->attribution);
    assert(job->fail_count == 0 || job->fail);
    cluster_search_start(&whole, job);
    bool listed = whole.task.all || job->keep_variants || job->options->screen != TAC_SCREEN_SCORE;
    tac_status status;
    if (listed)
        status = list_patterns(&whole, out, err);
    else {
        struct explanation x = {.job = job, .out = out};
        status = explain_runs(&x, &whole, err);
    }
    for (size_t i = 0; i < out->patterns.at.count && !status; i++)
        out->counts[out->patterns.at.at[i].template]++;
    cluster_search_end(&whole);
    if (status)
        cluster_outcome_free(out);
    return status;
}

void cluster_outcome_free(struct cluster_outcome *outcome)
{
    candidates_free(&outcome->patterns);
    free(outcome->attribution);
    *outcome = (struct cluster_outcome){0};
}
