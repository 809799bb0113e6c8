/* One cluster: the engines, the figures on the passing runs, ranking, the causes.
 *
 * The passing runs are not mined: what the cluster yields is measured on them once, each passing
 * run cut to the length of a failing run, so that short crashing runs get no advantage.
 *
 * Without thresholds of the user's the search asks for patterns that most of the runs share,
 * chooses the causes, and goes on with the runs that none of them explains: first with the same
 * share, then with smaller ones. So several bugs in one cluster are found one after the other. */
#include "base/check.h"
#include "base/data/bits.h"
#include "mining/mine.h"
#include "mining/search/chance.h"

/* --- Lengths and thresholds ----------------------------------------------------------------------
 */

struct length_of_run {
    uint32_t length, index;
};

static int shorter_first(const void *a, const void *b)
{
    const struct length_of_run *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static struct length_of_run *sorted_lengths(const struct tac_runs *runs, const uint32_t *ids,
                                            uint32_t count)
{
    struct length_of_run *list = tac_alloc((count + 1) * sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = (struct length_of_run){run_length(&runs->list.at[ids[i]]), i};
    qsort(list, count, sizeof *list, shorter_first);
    return list;
}

/* The shortest passing runs get the shortest lengths: where verdicts do not depend on lengths, next
 * to nothing is cut, and where failing runs are short, passing ones become as short. */
static void cut_in_order(const struct cluster_job *job, uint32_t *cuts)
{
    struct length_of_run *fail = sorted_lengths(job->runs, job->fail, job->fail_count);
    struct length_of_run *pass = sorted_lengths(job->runs, job->pass, job->pass_count);
    for (uint32_t i = 0; i < job->pass_count; i++) {
        uint32_t k = (uint32_t)((uint64_t)i * job->fail_count / job->pass_count);
        assert(k < job->fail_count);
        cuts[pass[i].index] = fail[k].length;
    }
    free(fail);
    free(pass);
}

uint32_t *matched_cuts(const struct cluster_job *job)
{
    uint32_t *cuts = tac_alloc((job->pass_count + 1) * sizeof *cuts);
    assert(job->fail_count > 0);
    if (!job->options->all)
        cut_in_order(job, cuts);
    for (uint32_t i = 0; i < job->pass_count && job->options->all; i++)
        cuts[i] = run_length(&job->runs->list.at[job->fail[i % job->fail_count]]);
    return cuts;
}

uint32_t least_runs(struct threshold support, uint32_t runs)
{
    uint32_t least =
        (uint32_t)(((unsigned __int128)support.numerator * runs + support.denominator - 1) /
                   support.denominator);
    assert(reaches(support, least, runs));
    return least ? least : 1;
}

/* Half of the failing runs, between 2 and 10. */
static uint64_t scaled_occurrences(uint32_t runs)
{
    uint64_t half = (runs + 1) / 2;
    return half < 2 ? 2 : half > 10 ? 10 : half;
}

/* --- What is known about tokens -----------------------------------------------------------------
 */

struct token_facts {
    uint8_t *in_pass, *failure_state;
    double *pass_share, *late_share;
};

static void mark(const struct tac_runs *runs, const struct run_view *view, uint32_t from,
                 uint32_t *seen, uint32_t stamp, double *share, double step)
{
    for (uint32_t i = from; i <= view->count; i++) {
        uint32_t tokens[2] = {view->tail, TAC_NONE};
        if (i < view->count) {
            tokens[0] = runs->blocks.at[view->blocks[i]].state;
            tokens[1] = runs->blocks.at[view->blocks[i]].input;
        }
        for (int k = 0; k < 2; k++)
            if (tokens[k] != TAC_NONE && seen[tokens[k]] != stamp) {
                seen[tokens[k]] = stamp;
                share[tokens[k]] += step;
            }
    }
}

/* failure_state: ends a failing run of the cluster, and occurs nowhere else. */
static void note_failure_states(const struct cluster_job *job, struct token_facts *facts)
{
    const struct tac_runs *runs = job->runs;
    uint8_t *elsewhere = tac_calloc(runs->tokens.count + 1, 1);
    for (uint32_t r = 0; r < job->fail_count; r++) {
        const struct mined_run *run = &runs->list.at[job->fail[r]];
        const uint32_t *blocks = run_blocks(runs, run);
        for (uint32_t i = 0; i < run->blocks; i++)
            elsewhere[runs->blocks.at[blocks[i]].state] = 1;
    }
    for (uint32_t r = 0; r < job->fail_count; r++) {
        uint32_t tail = runs->list.at[job->fail[r]].tail;
        if (tail != TAC_NONE && !facts->in_pass[tail] && !elsewhere[tail])
            facts->failure_state[tail] = 1;
    }
    free(elsewhere);
}

static struct token_facts learn_tokens(const struct cluster_job *job, const uint32_t *cuts)
{
    const struct tac_runs *runs = job->runs;
    size_t tokens = runs->tokens.count + 1;
    struct token_facts facts = {tac_calloc(tokens, 1), tac_calloc(tokens, 1),
                                tac_calloc(tokens, sizeof(double)),
                                tac_calloc(tokens, sizeof(double))};
    uint32_t *seen = tac_calloc(tokens, sizeof *seen);
    double *whole = tac_calloc(tokens, sizeof *whole);
    struct selection cut = {runs, job->pass, cuts, job->pass_count};
    struct selection full = {runs, job->pass, NULL, job->pass_count};
    for (uint32_t r = 0; r < job->pass_count; r++) {
        struct run_view view = view_of(&full, r);
        mark(runs, &view, 0, seen, 3 * r + 1, whole, 1);
        view = view_of(&cut, r);
        mark(runs, &view, 0, seen, 3 * r + 2, facts.pass_share, 1.0 / job->pass_count);
        mark(runs, &view, view.count / 2, seen, 3 * r + 3, facts.late_share, 1.0 / job->pass_count);
    }
    for (uint32_t r = 0; r < job->fail_count && job->of_passing; r++) {
        struct selection own = {runs, job->fail, NULL, job->fail_count};
        struct run_view view = view_of(&own, r);
        mark(runs, &view, 0, seen, 3 * r + 1, whole, 1);
    }
    for (size_t t = 0; t < tokens; t++)
        facts.in_pass[t] = whole[t] > 0;
    note_failure_states(job, &facts);
    free(seen);
    free(whole);
    return facts;
}

/* --- One search ---------------------------------------------------------------------------------
 */

/* All failing runs that are looked at together, and what is known about them. */
struct search {
    const struct cluster_job *job;
    uint32_t *cuts;
    struct token_facts facts;
    struct mine_task task;
    struct chance *evidence;
};

static void search_start(struct search *s, const struct cluster_job *job)
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
        .templates = options->templates,
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
    /* lists of everything are of the templates of the paper, unless others are named */
    if (s->task.all && options->templates == (1u << TAC_TEMPLATES) - 1)
        s->task.templates &= ~(1u << TAC_G1E);
    s->evidence = chance_new(&s->task);
}

static void search_end(struct search *s)
{
    chance_free(s->evidence);
    free(s->cuts);
    free(s->facts.in_pass);
    free(s->facts.failure_state);
    free(s->facts.pass_share);
    free(s->facts.late_share);
}

static void set_support(struct search *s, double support)
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

static tac_status run_engines(const struct mine_task *task, struct candidates *out,
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

static tac_status measure_on(const struct mine_task *task, const struct selection *set,
                             const struct candidates *list, tac_figures *figures,
                             double *completion, uint64_t *fired, tac_error *err)
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
static tac_status judge(struct search *s, struct candidates *list, tac_error *err)
{
    const struct mine_task *task = &s->task;
    tac_screen screen = s->job->options->screen;
    size_t count = list->at.count;
    tac_figures *figures = tac_calloc(count + 1, sizeof *figures);
    double *completion = tac_calloc(count + 1, sizeof *completion);
    tac_status status = measure_on(task, &task->fail, list, figures, completion, NULL, err);
    for (size_t i = 0; i < count && !status; i++) {
        list->at.at[i].completion = completion[i];
        if (memcmp(&figures[i], &list->at.at[i].fail, sizeof *figures) != 0)
            status = counts_differ(&list->at.at[i], i, err);
    }
    if (!status)
        status = measure_on(task, &task->pass, list, figures, NULL, NULL, err);
    for (size_t i = 0; i < count && !status; i++)
        list->at.at[i].pass = figures[i];
    if (!status && !task->all) {
        struct selection whole = task->pass;
        whole.cuts = NULL;
        status = measure_on(task, &whole, list, figures, NULL, NULL, err);
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
static double mark_causes(struct search *s, struct candidates *list)
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

/* --- Causes -------------------------------------------------------------------------------------
 */

/* Candidates that causes are chosen from: enough for every cause and its variants. */
enum { MOST_RANKED = 3000 };

/* Chooses the causes of a ranked list; explained: bits over the task's failing runs. */
static tac_status choose_causes(struct search *s, struct candidates *list, uint64_t *explained,
                                double *least_p, tac_error *err)
{
    const struct mine_task *task = &s->task;
    size_t words = tac_bits_words(task->fail.count);
    if (list->at.count > MOST_RANKED)
        list->at.count = MOST_RANKED;
    tac_figures *figures = tac_calloc(list->at.count + 1, sizeof *figures);
    uint64_t *fired = tac_calloc(list->at.count * words + 1, sizeof *fired);
    tac_status status = measure_on(task, &task->fail, list, figures, NULL, fired, err);
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
static tac_status attribute(struct explanation *x, struct search *whole, size_t first,
                            tac_error *err)
{
    struct candidates *patterns = &x->out->patterns;
    size_t words = tac_bits_words(whole->task.fail.count);
    tac_figures *figures = tac_calloc(patterns->at.count + 1, sizeof *figures);
    double *completion = tac_calloc(patterns->at.count + 1, sizeof *completion);
    uint64_t *fired = tac_calloc(patterns->at.count * words + 1, sizeof *fired);
    tac_status status =
        measure_on(&whole->task, &whole->task.fail, patterns, figures, completion, fired, err);
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
        status = measure_on(&whole->task, &whole->task.pass, patterns, figures, NULL, NULL, err);
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
static bool explains_everything(const struct search *s, const struct candidates *list)
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
static tac_status search_wider(struct search *s, double support, struct candidates *list,
                               tac_error *err)
{
    struct candidates wider = {0};
    unsigned examined[TAC_TEMPLATES];
    set_support(s, support);
    tac_names seen = {0};
    for (size_t i = 0; i < list->at.count; i++)
        seen_before(&seen, list, i);
    tac_status status = run_engines(&s->task, &wider, examined, err);
    for (size_t i = 0; i < wider.at.count && !status; i++)
        if (!seen_before(&seen, &wider, i))
            candidates_append(list, &wider, i);
    tac_names_free(&seen);
    candidates_free(&wider);
    return status ? status : judge(s, list, err);
}

/* One search over the job's runs; adds its causes to the outcome. found: how many. */
static tac_status search_causes(const struct cluster_job *job, double support,
                                struct explanation *x, size_t *found, tac_error *err)
{
    struct search s;
    struct candidates list = {0};
    unsigned examined[TAC_TEMPLATES];
    search_start(&s, job);
    set_support(&s, support);
    uint64_t *explained = tac_calloc(tac_bits_words(job->fail_count) + 1, sizeof *explained);
    tac_status status = run_engines(&s.task, &list, examined, err);
    if (!status)
        status = judge(&s, &list, err);
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
    search_end(&s);
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
static tac_status explain_runs(struct explanation *x, struct search *whole, tac_error *err)
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

static tac_status list_patterns(struct search *s, struct cluster_outcome *out, tac_error *err)
{
    double support = s->job->options->support >= 0 ? s->job->options->support
                     : s->job->of_passing          ? 1
                                                   : 0.6;
    set_support(s, support);
    tac_status status = run_engines(&s->task, &out->patterns, out->examined, err);
    if (!status)
        status = judge(s, &out->patterns, err);
    if (!status && !s->job->keep_variants)
        out->least_p = mark_causes(s, &out->patterns);
    return status;
}

tac_status mine_cluster(const struct cluster_job *job, struct cluster_outcome *out, tac_error *err)
{
    struct search whole;
    *out = (struct cluster_outcome){.least_p = 1};
    out->attribution = tac_alloc((job->fail_count + 1) * sizeof *out->attribution);
    memset(out->attribution, 0xff, (job->fail_count + 1) * sizeof *out->attribution);
    assert(job->fail_count == 0 || job->fail);
    search_start(&whole, job);
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
    search_end(&whole);
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
