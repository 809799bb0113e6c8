/* Which of the ranked patterns are causes, and which runs each explains.
 *
 * In order, a pattern is a cause when its corrected p is at most TAC_CAUSE_LEVEL and it explains
 * runs that no cause before it does, more than chance allows. Every other pattern that shows runs
 * of a cause is a variant of it. Patterns that the very same runs speak for, and that are not
 * merely parts of each other, are equally supported: nothing in the data chooses between them. */
#include "base/check.h"
#include "base/data/bits.h"
#include "mining/search/chance.h"
#include <math.h>

enum { MOST_CAUSES = 200 };

struct cause_choice {
    const struct mine_task *task;
    struct chance *evidence;
    const struct candidates *list;
    const uint64_t *fired;
    size_t words;
    TAC_VEC(size_t) chosen; /* of the list */
    uint64_t *explained;
};

static const uint64_t *row_of(const struct cause_choice *c, size_t index)
{
    assert(index < c->list->at.count);
    return c->fired + index * c->words;
}

static uint32_t overlap(const struct cause_choice *c, const uint64_t *a, const uint64_t *b)
{
    uint32_t count = 0;
    for (size_t w = 0; w < c->words; w++)
        count += (uint32_t)__builtin_popcountll(a[w] & b[w]);
    return count;
}

/* Parts of each other: one's blocks are in the other's. */
static bool is_part(const struct candidates *list, const struct candidate *x,
                    const struct candidate *y)
{
    const uint32_t *a = blocks_of(list, x), *b = blocks_of(list, y);
    return x->block_count >= y->block_count ? blocks_contain(a, x->block_count, b, y->block_count)
                                            : blocks_contain(b, y->block_count, a, x->block_count);
}

/* The same claim about another x. */
static bool other_x(const struct candidates *list, const struct candidate *x,
                    const struct candidate *y)
{
    bool about_x = x->template == TAC_G4 || x->template == TAC_G5;
    return about_x && x->template == y->template && x->block_count == y->block_count &&
           x->tail != y->tail && is_part(list, x, y);
}

static bool equally_supported(const struct cause_choice *c, size_t cause, size_t other)
{
    const struct candidate *x = &c->list->at.at[cause], *y = &c->list->at.at[other];
    if (cause == other || fabs(x->log_p - y->log_p) > 1e-9 || x->fail.runs != y->fail.runs ||
        x->whole_pass != y->whole_pass)
        return false;
    if (memcmp(row_of(c, cause), row_of(c, other), c->words * sizeof(uint64_t)) != 0)
        return false;
    return other_x(c->list, x, y) || !is_part(c->list, x, y);
}

static uint32_t count_bits(const uint64_t *bits, size_t words)
{
    uint32_t count = 0;
    for (size_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(bits[w]);
    return count;
}

/* Is it a cause of runs that nothing explains yet? Sets p when that had to be asked, and the number
 * of such runs. */
static bool is_cause(struct cause_choice *c, size_t index, struct candidate *candidate)
{
    uint32_t known = count_bits(c->explained, c->words), left = c->task->fail.count - known;
    candidate->attributed = candidate->fail.runs - overlap(c, row_of(c, index), c->explained);
    assert(candidate->attributed <= left);
    if (candidate->score <= 0 || candidate->attributed == 0 ||
        (known && (candidate->attributed < 2 || candidate->attributed * 10 < candidate->fail.runs)))
        return false;
    candidate->p = chance_corrected(c->evidence, candidate->template, candidate->block_count,
                                    candidate->fail.runs, candidate->log_p);
    if (candidate->p > TAC_CAUSE_LEVEL || known == 0)
        return candidate->p <= TAC_CAUSE_LEVEL;
    uint32_t pass = candidate->pass.runs, runs = candidate->attributed;
    double log_p = log_hypergeometric_tail(runs, runs + pass, left, left + c->task->pass.count);
    double more =
        chance_corrected(c->evidence, candidate->template, candidate->block_count, runs, log_p);
    return more <= TAC_CAUSE_LEVEL;
}

static void count_equals(struct cause_choice *c, struct candidate *cause, size_t index)
{
    cause->equally = cause->ties;
    for (size_t i = 0; i < c->list->at.count; i++)
        cause->equally += equally_supported(c, index, i);
}

/* "x never again" of the same blocks, told wherever it counts, in nearly all of the cause's runs.
 */
static size_t starving(const struct cause_choice *c, size_t cause)
{
    const struct candidate *x = &c->list->at.at[cause];
    for (size_t i = 0; i < c->list->at.count; i++) {
        const struct candidate *y = &c->list->at.at[i];
        if (y->told && y->template == TAC_G5 && y->block_count == x->block_count &&
            y->fail.runs == y->fail.prefix_runs && 10 * y->fail.runs >= 9 * x->fail.runs &&
            y->pass.runs <= x->pass.runs && is_part(c->list, x, y))
            return i;
    }
    return cause;
}

/* The cause that a pattern shares most runs with; SIZE_MAX: none. */
static size_t nearest_cause(const struct cause_choice *c, size_t index)
{
    uint32_t most = 0;
    size_t nearest = SIZE_MAX;
    for (size_t k = 0; k < c->chosen.count; k++) {
        uint32_t shared = overlap(c, row_of(c, index), row_of(c, c->chosen.at[k]));
        if (shared > most) {
            most = shared;
            nearest = k;
        }
    }
    return nearest;
}

double select_causes(const struct mine_task *task, struct chance *evidence, const uint64_t *fired,
                     struct candidates *list, uint64_t *explained)
{
    struct cause_choice c = {.task = task,
                             .evidence = evidence,
                             .list = list,
                             .fired = fired,
                             .words = tac_bits_words(task->fail.count),
                             .explained = explained};
    TAC_VEC(struct candidate) causes = {0};
    double least = 1;
    for (size_t i = 0; i < list->at.count; i++) {
        struct candidate cause = list->at.at[i];
        cause.p = 2;
        if (causes.count < MOST_CAUSES && is_cause(&c, i, &cause)) {
            bool contiguous = cause.template == TAC_G2 || cause.template == TAC_G2E;
            size_t named = contiguous ? starving(&c, i) : i;
            uint32_t runs = cause.attributed;
            double p = cause.p;
            cause = list->at.at[named];
            cause.cause = true;
            cause.attributed = runs;
            cause.p = p;
            assert(named < list->at.count && runs > 0 && p <= TAC_CAUSE_LEVEL);
            count_equals(&c, &cause, named);
            tac_vec_push(&c.chosen, i);
            tac_vec_push(&causes, cause);
            for (size_t w = 0; w < c.words; w++)
                explained[w] |= row_of(&c, i)[w];
        }
        least = cause.p < least ? cause.p : least;
        if (cause.cause)
            continue;
        size_t nearest = nearest_cause(&c, i);
        if (nearest != SIZE_MAX)
            causes.at[nearest].folded++;
    }
    assert(causes.count == c.chosen.count && causes.count <= list->at.count);
    assert(least >= 0 && least <= 1);
    for (size_t k = 0; k < causes.count; k++)
        list->at.at[k] = causes.at[k];
    list->at.count = causes.count;
    tac_vec_free(&causes);
    tac_vec_free(&c.chosen);
    return least;
}
