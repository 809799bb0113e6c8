/* Corrected probabilities; see chance.h. */
#include "mining/search/chance.h"
#include "base/check.h"
#include "base/data/order.h"
#include "base/data/random.h"
#include <math.h>

enum { ROW = 208 }; /* PERMUTATIONS, rounded up to whole vectors */

struct chance {
    const struct mine_task *task;
    double log_blocks, log_states, log_events, log_positions; /* what the runs allow */
    tac_u64map known; /* fail << 32 | pass to place in `log_p` */
    TAC_VEC(double) log_p;
    bool permuted;
    double null[PERMUTATIONS]; /* least log p of each deal, ascending */
    unsigned listed_depth[TAC_TEMPLATES];
};

/* --- One pattern ------------------------------------------------------------------------------ */

static double log_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

double log_hypergeometric_tail(uint32_t a, uint32_t x, uint32_t n, uint32_t all)
{
    assert(x <= all && n <= all && a <= n && a <= x);
    uint32_t most = x < n ? x : n, least = x + n > all ? x + n - all : 0;
    if (a <= least)
        return 0;
    double term =
        log_choose(x, a) + log_choose((double)all - x, (double)n - a) - log_choose(all, n);
    double sum = 1, ratio = 1;
    for (uint32_t k = a; k < most; k++) {
        ratio *= ((double)x - k) * ((double)n - k) / ((k + 1.0) * ((double)all - x - n + k + 1.0));
        sum += ratio;
        if (ratio < 1e-17 * sum)
            break;
    }
    double log_p = term + log(sum);
    return log_p < 0 ? log_p : 0;
}

struct lift lift_of(uint32_t a, uint32_t n, uint32_t b, uint32_t m)
{
    assert(a <= n && b <= m);
    double fail = (a + 0.5) / (n + 0.5), pass = (b + 0.5) / (m + 0.5);
    double variance = 1 / (a + 0.5) - 1 / (n + 0.5) + 1 / (b + 0.5) - 1 / (m + 0.5);
    double error = 1.959964 * sqrt(variance > 0 ? variance : 0);
    double ratio = log(fail / pass);
    return (struct lift){exp(ratio), exp(ratio - error), exp(ratio + error)};
}

double chance_log_p(struct chance *e, uint32_t fail, uint32_t pass)
{
    const struct mine_task *task = e->task;
    bool is_new;
    uint64_t *at = tac_u64map_at(&e->known, (uint64_t)fail << 32 | pass, e->log_p.count, &is_new);
    uint64_t place = *at;
    if (is_new) {
        uint32_t n = task->fail.count, all = n + task->pass.count;
        tac_vec_push(&e->log_p, log_hypergeometric_tail(fail, fail + pass, n, all));
    }
    assert(place < e->log_p.count && e->log_p.at[place] <= 0);
    return e->log_p.at[place];
}

/* --- How many there are ----------------------------------------------------------------------- */

/* Blocks and events that at least two runs show: no other can tell anything. */
static void count_things(struct chance *e)
{
    const struct mine_task *task = e->task;
    const struct tac_runs *runs = task->runs;
    uint32_t *seen = tac_calloc(runs->blocks.count + 1, sizeof *seen);
    uint8_t *shown = tac_calloc(runs->blocks.count + 1, 1);
    size_t blocks = 0, states = 0;
    double positions = 0;
    for (int side = 0; side < 2; side++) {
        const struct selection *set = side ? &task->pass : &task->fail;
        for (uint32_t r = 0; r < set->count; r++) {
            struct run_view view = view_of(set, r);
            uint32_t stamp = 1 + r + (side ? task->fail.count : 0);
            positions += view.count;
            for (uint32_t i = 0; i < view.count; i++) {
                uint32_t block = view.blocks[i];
                if (seen[block] == stamp || shown[block] == 2)
                    continue;
                seen[block] = stamp;
                blocks += ++shown[block] == 2;
            }
        }
    }
    for (uint32_t t = 0; t < runs->tokens.count; t++)
        states += tac_token_is_state(runs, t);
    e->log_blocks = log((double)(blocks > 1 ? blocks : 1));
    e->log_states = log((double)(states > 1 ? states : 1));
    e->log_events = log((double)runs->tokens.count + 1);
    e->log_positions = log(positions > 1 ? positions : 1);
    free(seen);
    free(shown);
}

static double log_count(const struct chance *e, tac_template template, uint32_t blocks)
{
    double sequences = blocks * e->log_blocks;
    double contiguous = sequences < e->log_positions ? sequences : e->log_positions;
    switch (template) {
    case TAC_G2: {
        double with = sequences + e->log_states;
        return with < e->log_positions ? with : e->log_positions;
    }
    case TAC_G2E:
        return contiguous;
    case TAC_G1:
    case TAC_G3: /* the same runs show both */
        return sequences + e->log_states;
    case TAC_G4:
        return e->log_blocks + e->log_events;
    case TAC_G5:
        return contiguous + e->log_events;
    case TAC_G1E:
    case TAC_HAS:
    case TAC_END:
    case TAC_MANY:
        break;
    }
    return sequences;
}

/* By counting alone. */
static double chance_counted(const struct chance *e, tac_template template, uint32_t blocks,
                             double log_p)
{
    /* six kinds of patterns (g1 and g3 are one); depth d has the share 2^-d of its kind's */
    double all = log_count(e, template, blocks) + blocks * log(2) + log(6);
    double p = exp(log_p + all);
    return p < 1 ? p : 1;
}

/* --- Deals ------------------------------------------------------------------------------------ */

struct dealt_row {
    uint32_t length, row;
};

static int shortest_first(const void *a, const void *b)
{
    const struct dealt_row *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* member[row][deal]: the row fails in the deal. Verdicts are dealt among rows of like length: in
 * each of some strata, as many as fail there. */
static void deal_verdicts(const struct pattern_family *family, uint8_t *member)
{
    struct dealt_row *order = tac_alloc((family->rows + 1) * sizeof *order);
    uint32_t *pick = tac_alloc((family->rows + 1) * sizeof *pick);
    for (uint32_t r = 0; r < family->rows; r++)
        order[r] = (struct dealt_row){family->length[r], r};
    qsort(order, family->rows, sizeof *order, shortest_first);
    uint32_t strata = family->fail / 4, done = 0;
    strata = strata < 1 ? 1 : strata > 12 ? 12 : strata;
    tac_random random;
    tac_random_seed(&random, 20231);
    for (uint32_t s = 0, from = 0; s < strata; s++) {
        uint32_t wanted = (uint32_t)((uint64_t)(s + 1) * family->fail / strata), to = from;
        uint32_t failing = 0;
        while (to < family->rows && (s + 1 == strata || done + failing < wanted))
            failing += order[to++].row < family->fail;
        while (to < family->rows && to > from && order[to].length == order[to - 1].length)
            failing += order[to++].row < family->fail; /* equal lengths stay together */
        for (unsigned deal = 0; deal < PERMUTATIONS; deal++) {
            for (uint32_t i = from; i < to; i++)
                pick[i - from] = order[i].row;
            for (uint32_t i = 0; i < failing; i++) {
                uint32_t k = i + (uint32_t)tac_random_below(&random, to - from - i);
                uint32_t row = pick[k];
                pick[k] = pick[i];
                member[(size_t)row * ROW + deal] = 1;
            }
        }
        done += failing;
        from = to;
    }
    assert(done == family->fail);
    free(order);
    free(pick);
}

/* For each deal, how many of the set's rows fail in it. */
static void count_members(const uint8_t *member, const uint32_t *rows, size_t count, uint8_t *out)
{
    memset(out, 0, ROW);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *row = member + (size_t)rows[i] * ROW;
        for (unsigned k = 0; k < ROW; k++)
            out[k] = (uint8_t)(out[k] + row[k]);
    }
}

/* log p of k failing rows among x, for every k; made when it is first asked for. */
static const double *tails_of(double **tails, uint32_t x, uint32_t fail, uint32_t rows)
{
    if (!tails[x]) {
        tails[x] = tac_calloc(fail + 1, sizeof **tails);
        for (uint32_t k = 0; k <= fail && k <= x; k++)
            tails[x][k] = log_hypergeometric_tail(k, x, fail, rows);
    }
    return tails[x];
}

struct dealing {
    struct chance *evidence;
    const struct pattern_family *family;
    uint8_t *member;
    double **tails;
};

static void judge_set(void *context, const uint32_t *rows, uint32_t x)
{
    struct dealing *d = context;
    uint8_t count[ROW];
    count_members(d->member, rows, x, count);
    const double *tail = tails_of(d->tails, x, d->family->fail, d->family->rows);
    double *null = d->evidence->null;
    for (unsigned k = 0; k < PERMUTATIONS; k++)
        null[k] = tail[count[k]] < null[k] ? tail[count[k]] : null[k];
}

static void permute(struct chance *e)
{
    struct pattern_family family;
    family_make(e->task, &family);
    assert(family.fail < 256); /* counts fit a byte */
    struct dealing d = {e, &family, tac_calloc((size_t)family.rows + 1, ROW),
                        tac_calloc(family.rows + 1, sizeof *d.tails)};
    deal_verdicts(&family, d.member);
    family_visit(&family, judge_set, &d);
    memcpy(e->listed_depth, family.listed_depth, sizeof e->listed_depth);
    assert(family.fail <= family.rows && !e->permuted);
    qsort(e->null, PERMUTATIONS, sizeof *e->null, tac_order_double);
    for (uint32_t x = 0; x <= family.rows; x++)
        free(d.tails[x]);
    free(d.tails);
    free(d.member);
    family_free(&family);
    e->permuted = true;
}

double chance_corrected(struct chance *e, tac_template template, uint32_t blocks, uint32_t fail,
                        double log_p)
{
    if (fail < 2) /* the patterns of a single run are not in the family, nor counted */
        return 1;
    double counted = chance_counted(e, template, blocks, log_p);
    double factor = 2 * e->task->clusters, p = factor * counted;
    assert(template <TAC_TEMPLATES && e->task->clusters >= 1);
    /* no number of deals makes it significant, or it is so already */
    if (p <= TAC_CAUSE_LEVEL || factor / (PERMUTATIONS + 1) > TAC_CAUSE_LEVEL)
        return p < 1 ? p : 1;
    if (!e->permuted)
        permute(e);
    if (blocks <= e->listed_depth[template]) {
        unsigned as_low = 0;
        while (as_low < PERMUTATIONS && e->null[as_low] <= log_p + 1e-9)
            as_low++;
        double permuted = factor * (1 + as_low) / (PERMUTATIONS + 1);
        p = permuted < p ? permuted : p;
    }
    return p < 1 ? p : 1;
}

struct chance *chance_new(const struct mine_task *task)
{
    struct chance *e = tac_calloc(1, sizeof *e);
    e->task = task;
    count_things(e);
    return e;
}

void chance_free(struct chance *e)
{
    if (!e)
        return;
    tac_u64map_free(&e->known);
    tac_vec_free(&e->log_p);
    free(e);
}
