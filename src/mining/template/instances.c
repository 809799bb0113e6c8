/* All assignments of names to the placeholders of a template, and whether their difference between
 * failing and passing runs is beyond chance.
 *
 * In one run only the names that occur in it matter, and "another name", so a run with d names is
 * evaluated (d + 1)^k times, not for every name of the set. Assignments that hold in the same runs
 * are one; the verdicts are then dealt to the runs at random, and p is how often any assignment
 * does as well (maximum statistic). Memory: a bit per run and distinct assignment, capped. */
#include "base/check.h"
#include "base/data/random.h"
#include "mining/template.h"
#include "mining/template/formula.h"
#include <math.h>
#include <string.h>

enum { DEALS = 999, MOST_EVENTS = 100000 };
static const size_t MOST_BYTES = (size_t)1 << 29;
static const uint64_t MOST_WORK = (uint64_t)1 << 33;

struct instance_search {
    const struct tac_runs *runs;
    const struct formula *formula;
    TAC_VEC(uint32_t) ids;  /* runs: the failing ones first */
    TAC_VEC(uint32_t) cuts; /* events kept of each */
    size_t failing;
    size_t places, names; /* placeholders; names that may stand for them */
    uint32_t *name_of;    /* per token: its number, or TAC_NONE */
    TAC_VEC(uint32_t) tokens;
    size_t words;    /* of 64 runs */
    uint64_t *holds; /* per assignment: a bit per run */
    size_t assignments;
    tac_watch *watch;
    tac_error *err;
};

/* --- The runs --------------------------------------------------------------------------------- */

static void choose_runs(struct instance_search *s, uint32_t cluster)
{
    const struct tac_runs *runs = s->runs;
    for (uint32_t i = 0; i < runs->list.count; i++)
        if (cluster == TAC_RUN_UNLABELLED ? run_fails(&runs->list.at[i])
                                          : runs->list.at[i].cluster == cluster) {
            tac_vec_push(&s->ids, i);
            tac_vec_push(&s->cuts, run_length(&runs->list.at[i]));
        }
    s->failing = s->ids.count;
    size_t next = 0;
    for (uint32_t i = 0; i < runs->list.count; i++)
        if (runs->list.at[i].cluster == 0) {
            uint32_t own = run_length(&runs->list.at[i]);
            uint32_t like = s->failing ? s->cuts.at[next++ % s->failing] : own;
            tac_vec_push(&s->ids, i);
            tac_vec_push(&s->cuts, own < like ? own : like);
        }
    s->words = (s->ids.count + 63) / 64;
}

static size_t events_of(const struct instance_search *s, size_t run, uint32_t *events)
{
    const struct mined_run *r = &s->runs->list.at[s->ids.at[run]];
    const uint32_t *blocks = run_blocks(s->runs, r);
    size_t count = 0, most = s->cuts.at[run] < MOST_EVENTS ? s->cuts.at[run] : MOST_EVENTS;
    for (uint32_t i = 0; i < r->blocks && count < most; i++) {
        events[count++] = s->runs->blocks.at[blocks[i]].state;
        if (count < most)
            events[count++] = s->runs->blocks.at[blocks[i]].input;
    }
    if (r->tail != TAC_NONE && count < most)
        events[count++] = r->tail;
    return count;
}

/* --- Assignments ------------------------------------------------------------------------------ */

/* Names that occur in a failing run: one that never does cannot tell failing runs apart by itself.
 */
static void number_names(struct instance_search *s, uint32_t *events)
{
    s->name_of = tac_calloc(s->runs->tokens.count + 1, sizeof *s->name_of);
    for (size_t t = 0; t <= s->runs->tokens.count; t++)
        s->name_of[t] = TAC_NONE;
    for (size_t r = 0; r < s->ids.count; r++) {
        size_t count = events_of(s, r, events);
        for (size_t i = 0; i < count; i++)
            if (s->name_of[events[i]] == TAC_NONE) {
                s->name_of[events[i]] = (uint32_t)s->tokens.count;
                tac_vec_push(&s->tokens, events[i]);
            }
    }
    assert(s->tokens.count <= s->runs->tokens.count); /* each once */
    s->names = s->tokens.count;
    s->places = s->formula->places.count;
}

static tac_status make_room(struct instance_search *s)
{
    size_t count = 1;
    for (size_t p = 0; p < s->places; p++)
        if (__builtin_mul_overflow(count, s->names, &count))
            count = SIZE_MAX / 1024;
    if (count > MOST_BYTES / (8 * s->words + 1))
        return tac_fail(s->err, TAC_E_LIMIT,
                        "the template has %zu placeholders for %zu names and %zu runs: more than "
                        "512 MB; write some of the names out",
                        s->places, s->names, s->ids.count);
    s->assignments = count;
    s->holds = tac_calloc(count * s->words + 1, sizeof *s->holds);
    return TAC_OK;
}

struct run_table {
    uint32_t *tokens;   /* the run's names, and TAC_NONE for any other */
    size_t count;       /* of them */
    uint32_t *local_of; /* per name: its place in tokens */
    uint8_t *truth;     /* per combination of local names */
};

/* The formula for every combination of the run's own names. */
static void fill_table(const struct instance_search *s, const uint32_t *events, size_t count,
                       struct run_table *table, uint8_t *scratch)
{
    size_t combinations = 1;
    assert(s->places <= MOST_PLACES && table->count <= s->names + 1);
    for (size_t p = 0; p < s->places; p++)
        combinations *= table->count;
    for (size_t c = 0; c < combinations; c++) {
        uint32_t tokens[MOST_PLACES];
        size_t rest = c;
        for (size_t p = 0; p < s->places; p++, rest /= table->count)
            tokens[p] = table->tokens[rest % table->count];
        table->truth[c] = formula_holds(s->formula, events, count, tokens, scratch);
    }
}

static void spread(struct instance_search *s, size_t run, const struct run_table *table)
{
    size_t at[MOST_PLACES] = {0};
    for (size_t a = 0; a < s->assignments; a++) {
        size_t combination = 0;
        for (size_t p = s->places; p-- > 0;)
            combination = combination * table->count + table->local_of[at[p]];
        if (table->truth[combination])
            s->holds[a * s->words + run / 64] |= (uint64_t)1 << (run % 64);
        for (size_t p = 0; p < s->places && ++at[p] == s->names; p++)
            at[p] = 0;
    }
}

static tac_status judge_runs(struct instance_search *s, uint32_t *events)
{
    struct run_table table = {0};
    uint8_t *scratch = tac_calloc(s->formula->nodes.count, MOST_EVENTS + 1);
    uint64_t work = 0;
    tac_status status = TAC_OK;
    table.tokens = tac_calloc(s->names + 1, sizeof *table.tokens);
    table.local_of = tac_calloc(s->names + 1, sizeof *table.local_of);
    for (size_t r = 0; r < s->ids.count && status == TAC_OK; r++) {
        size_t count = events_of(s, r, events), combinations = 1;
        table.tokens[0] = TAC_NONE;
        table.count = 1;
        memset(table.local_of, 0, (s->names + 1) * sizeof *table.local_of);
        for (size_t i = 0; i < count; i++) {
            uint32_t name = s->name_of[events[i]];
            assert(name < s->names);
            if (table.local_of[name] == 0) {
                table.local_of[name] = (uint32_t)table.count;
                table.tokens[table.count++] = events[i];
            }
        }
        for (size_t p = 0; p < s->places; p++)
            combinations *= table.count;
        work += combinations * (count + 1) * s->formula->nodes.count + s->assignments;
        if (work > MOST_WORK)
            status =
                tac_fail(s->err, TAC_E_LIMIT,
                         "the template takes more than 8 billion steps on these runs; write some "
                         "of its names out");
        if (status == TAC_OK && !tac_watch_tick(s->watch, "runs judged", r, s->ids.count))
            status = tac_fail(s->err, TAC_E_INTERRUPTED, "interrupted");
        if (status == TAC_OK) {
            table.truth = tac_calloc(combinations, 1);
            fill_table(s, events, count, &table, scratch);
            spread(s, r, &table);
            free(table.truth);
        }
    }
    free(table.tokens);
    free(table.local_of);
    free(scratch);
    return status;
}

/* --- Chance ----------------------------------------------------------------------------------- */

static size_t ones(const uint64_t *bits, const uint64_t *mask, size_t words)
{
    size_t sum = 0;
    for (size_t w = 0; w < words; w++)
        sum += (size_t)__builtin_popcountll(bits[w] & mask[w]);
    return sum;
}

/* How far apart two shares are, in standard deviations of their pooled share. */
static double apart(size_t holds_failing, size_t failing, size_t holds, size_t all)
{
    assert(holds_failing <= failing && holds_failing <= holds && holds <= all);
    double n = (double)failing, m = (double)(all - failing);
    double pooled = (double)holds / (double)all;
    double spread = sqrt(pooled * (1 - pooled) * (1 / n + 1 / m));
    double difference = (double)holds_failing / n - (double)(holds - holds_failing) / m;
    return spread > 0 ? fabs(difference) / spread : 0;
}

struct distinct {
    size_t assignment, holds, failing, equal;
    double score;
};
typedef TAC_VEC(struct distinct) distinct_list;

/* Assignments by the runs they hold in; those that hold in all or in none tell nothing. */
static void find_distinct(struct instance_search *s, distinct_list *out)
{
    tac_names seen = {0};
    uint64_t *all = tac_calloc(s->words + 1, sizeof *all),
             *failing = tac_calloc(s->words + 1, sizeof *all);
    memset(all, 0xff, s->words * sizeof *all);
    for (size_t r = 0; r < s->failing; r++)
        failing[r / 64] |= (uint64_t)1 << (r % 64);
    for (size_t a = 0; a < s->assignments; a++) {
        const uint64_t *bits = s->holds + a * s->words;
        size_t holds = ones(bits, all, s->words);
        if (holds == 0 || holds == s->ids.count)
            continue;
        uint32_t id = tac_names_intern_bytes(&seen, bits, s->words * sizeof *bits);
        if (id < out->count) {
            out->at[id].equal++;
            continue;
        }
        size_t with = ones(bits, failing, s->words);
        tac_vec_push(out, (struct distinct){a, holds, with, 0,
                                            apart(with, s->failing, holds, s->ids.count)});
    }
    tac_names_free(&seen);
    free(all);
    free(failing);
}

/* The best score of each random dealing, in rising order. */
static tac_status deal(struct instance_search *s, const distinct_list *list, double *best)
{
    tac_random random;
    size_t count = s->ids.count;
    uint32_t *order = tac_calloc(count + 1, sizeof *order);
    uint64_t *mask = tac_calloc(s->words + 1, sizeof *mask);
    tac_random_seed(&random, 20231);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    tac_status status = TAC_OK;
    assert(s->failing <= count);
    for (size_t d = 0; d < DEALS && status == TAC_OK; d++) {
        memset(mask, 0, s->words * sizeof *mask);
        for (size_t i = 0; i < s->failing; i++) {
            size_t k = i + (size_t)tac_random_below(&random, count - i);
            uint32_t swap = order[i];
            order[i] = order[k];
            order[k] = swap;
            mask[order[i] / 64] |= (uint64_t)1 << (order[i] % 64);
        }
        best[d] = 0;
        for (size_t i = 0; i < list->count; i++) {
            const struct distinct *one = &list->at[i];
            size_t with = ones(s->holds + one->assignment * s->words, mask, s->words);
            best[d] = fmax(best[d], apart(with, s->failing, one->holds, count));
        }
        if (!tac_watch_tick(s->watch, "dealings", d, DEALS))
            status = tac_fail(s->err, TAC_E_INTERRUPTED, "interrupted");
    }
    free(order);
    free(mask);
    return status;
}

static int by_score(const void *a, const void *b)
{
    const struct distinct *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->assignment > y->assignment) - (x->assignment < y->assignment);
}

static void keep(struct instance_search *s, const distinct_list *list, const double *best,
                 tac_template_cluster *out)
{
    out->instances = tac_calloc(list->count + 1, sizeof *out->instances);
    for (size_t i = 0; i < list->count; i++) {
        const struct distinct *one = &list->at[i];
        uint32_t tokens[MOST_PLACES] = {0};
        size_t rest = one->assignment, better = 0;
        for (size_t p = 0; p < s->places; p++, rest /= s->names)
            tokens[p] = s->tokens.at[rest % s->names];
        for (size_t d = 0; d < DEALS; d++)
            better += best[d] >= one->score - 1e-12;
        assert(better <= DEALS && one->failing <= one->holds && one->holds < s->ids.count);
        out->instances[out->count++] =
            (tac_template_instance){.formula = formula_instance(s->formula, s->runs, tokens),
                                    .failing = one->failing,
                                    .passing = one->holds - one->failing,
                                    .p = (double)(better + 1) / (DEALS + 1),
                                    .equal = one->equal};
    }
}

static tac_status search_cluster(struct instance_search *s, tac_template_cluster *out)
{
    distinct_list list = {0};
    double best[DEALS];
    uint32_t *events = tac_calloc(MOST_EVENTS + 1, sizeof *events);
    choose_runs(s, out->cluster);
    number_names(s, events);
    tac_status status = make_room(s);
    if (status == TAC_OK)
        status = judge_runs(s, events);
    if (status == TAC_OK) {
        find_distinct(s, &list);
        out->failing = s->failing;
        out->passing = s->ids.count - s->failing;
        out->tried = s->assignments;
    }
    if (status == TAC_OK && out->failing && out->passing)
        status = deal(s, &list, best);
    if (status == TAC_OK && out->failing && out->passing) {
        if (list.count)
            qsort(list.at, list.count, sizeof *list.at, by_score);
        keep(s, &list, best, out);
    }
    tac_vec_free(&list);
    tac_vec_free(&s->ids);
    tac_vec_free(&s->cuts);
    tac_vec_free(&s->tokens);
    free(s->name_of);
    free(s->holds);
    free(events);
    return status;
}

static bool wanted(const struct tac_runs *runs, const tac_mine_options *options, uint32_t cluster)
{
    return !options->cluster || strcmp(options->cluster, tac_runs_cluster_name(runs, cluster)) == 0;
}

tac_status tac_mine_template(const tac_runs *runs, const char *text,
                             const tac_mine_options *options, tac_watch *watch,
                             tac_template_result *out, tac_error *err)
{
    struct formula formula;
    memset(out, 0, sizeof *out);
    tac_status status = formula_parse(runs, text, &formula, err);
    if (status != TAC_OK)
        return status;
    size_t clusters = options->merge ? 2 : tac_runs_clusters(runs);
    out->text = tac_strdup(text);
    out->clusters = tac_calloc(clusters + 1, sizeof *out->clusters);
    for (uint32_t c = 1; c < clusters && status == TAC_OK; c++) {
        if (!options->merge && !wanted(runs, options, c))
            continue;
        struct instance_search search = {
            .runs = runs, .formula = &formula, .watch = watch, .err = err};
        tac_template_cluster *cluster = &out->clusters[out->count++];
        cluster->cluster = options->merge ? TAC_RUN_UNLABELLED : c;
        status = search_cluster(&search, cluster);
    }
    formula_free(&formula);
    if (status != TAC_OK)
        tac_template_result_free(out);
    return status;
}
