/* See sample.h. */

#include "base/check.h"
#include "property/interval/interval.h"
#include <math.h>
#include <string.h>

void sample_add(struct sample_store *store, const struct sample *sample, double scale)
{
    assert(sample->interval.from <= sample->interval.to);
    if (isnan(sample->value))
        return; /* no value: the interval has no figure */
    store->count++;
    store->scale = fmax(store->scale, fmax(scale, fabs(sample->value)));
    store->good += sample->value < 0 || sample->value > 0;
    tac_vec_push(&store->recent, *sample);
    if (store->recent.count < SAMPLE_IN_MEMORY || store->borrowed)
        return;
    if (!store->spilled)
        store->spilled = tmpfile();
    if (!store->spilled || fseek(store->spilled, 0, SEEK_END) != 0 ||
        fwrite(store->recent.at, sizeof *store->recent.at, store->recent.count, store->spilled) !=
            store->recent.count)
        store->failed = true;
    else
        store->in_file += store->recent.count;
    store->recent.count = 0;
}

void sample_store_copy(struct sample_store *to, const struct sample_store *from)
{
    assert(!to->spilled || to->borrowed);
    to->recent.count = 0;
    if (from->recent.count)
        tac_vec_append(&to->recent, from->recent.at, from->recent.count);
    to->spilled = from->spilled;
    to->borrowed = true;
    to->in_file = from->in_file;
    to->count = from->count;
    to->good = from->good;
    to->scale = from->scale;
    to->failed = from->failed;
}

void sample_store_clear(struct sample_store *store)
{
    if (store->spilled && !store->borrowed)
        fclose(store->spilled);
    store->spilled = NULL;
    store->borrowed = false;
    store->recent.count = 0;
    store->in_file = store->count = store->good = 0;
    store->scale = 0;
    store->failed = false;
}

void sample_store_free(struct sample_store *store)
{
    sample_store_clear(store);
    tac_vec_free(&store->recent);
}

/* --- Passing over all samples ----------------------------------------------------------------- */

typedef void sample_visit(void *context, const struct sample *sample);

static void visit_all(const struct sample_store *store, sample_visit *visit, void *context)
{
    assert(!store->in_file || store->spilled);
    assert(store->failed || store->count == store->in_file + store->recent.count);
    enum { PIECE = 1024 };
    struct sample piece[PIECE];
    if (store->spilled)
        rewind(store->spilled);
    for (uint64_t done = 0; done < store->in_file;) {
        size_t wanted = store->in_file - done < PIECE ? (size_t)(store->in_file - done) : PIECE;
        size_t got = fread(piece, sizeof *piece, wanted, store->spilled);
        for (size_t i = 0; i < got; i++)
            visit(context, &piece[i]);
        if (!got)
            break;
        done += got;
    }
    for (size_t i = 0; i < store->recent.count; i++)
        visit(context, &store->recent.at[i]);
}

/* Keys in the order of the numbers. */
static uint64_t key_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

struct digit_count {
    uint64_t prefix;
    unsigned shift; /* of the digit that is counted; what is above it equals prefix */
    uint64_t counts[1 << 16];
};

static void count_digit(void *context, const struct sample *sample)
{
    struct digit_count *digit = context;
    uint64_t key = key_of(sample->value);
    if (digit->shift == 48 || key >> (digit->shift + 16) == digit->prefix)
        digit->counts[key >> digit->shift & 0xffff]++;
}

struct nearest {
    double wanted;
    bool found;
    struct sample best;
};

static void take_nearest(void *context, const struct sample *sample)
{
    struct nearest *nearest = context;
    if (nearest->found &&
        fabs(sample->value - nearest->wanted) >= fabs(nearest->best.value - nearest->wanted))
        return;
    nearest->found = true;
    nearest->best = *sample;
}

/* The value of rank `percent` (nearest rank: the least value that at least that many per cent of
 * all do not exceed), with the first sample that has it. The store is not empty. */
static struct sample sample_percentile(const struct sample_store *store, double percent)
{
    assert(store->count > 0 && percent > 0 && percent <= 100);
    uint64_t rank = (uint64_t)ceil(percent * (double)store->count / 100);
    if (rank && percent * (double)store->count <= (double)(rank - 1) * 100)
        rank--; /* the division was rounded upward */
    rank = rank < 1 ? 1 : rank > store->count ? store->count : rank;
    struct digit_count *digit = tac_alloc(sizeof *digit);
    uint64_t key = 0;
    for (int shift = 48; shift >= 0; shift -= 16) {
        memset(digit->counts, 0, sizeof digit->counts);
        digit->prefix = key;
        digit->shift = (unsigned)shift;
        visit_all(store, count_digit, digit);
        uint64_t d = 0;
        while (d < 0xffff && rank > digit->counts[d])
            rank -= digit->counts[d++];
        key = key << 16 | d;
    }
    free(digit);
    uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    struct nearest nearest = {0};
    memcpy(&nearest.wanted, &bits, sizeof bits);
    visit_all(store, take_nearest, &nearest);
    return nearest.best;
}

/* The exact sum as a list of numbers that do not overlap (Shewchuk 1997). */
struct exact_sum {
    double part[64];
    size_t count;
};

static void add_exactly(void *context, const struct sample *sample)
{
    struct exact_sum *sum = context;
    double x = sample->value;
    size_t kept = 0;
    for (size_t i = 0; i < sum->count; i++) {
        double y = sum->part[i];
        if (fabs(x) < fabs(y)) {
            double swap = x;
            x = y;
            y = swap;
        }
        double high = x + y, low = y - (high - x);
        if (low < 0 || low > 0)
            sum->part[kept++] = low;
        x = high;
    }
    if (kept < sizeof sum->part / sizeof *sum->part)
        sum->part[kept++] = x;
    sum->count = kept;
}

/* The sum rounded once, divided by the count; with the sample next to it. */
static struct sample sample_mean(const struct sample_store *store, double *mean)
{
    assert(store->count > 0);
    struct exact_sum sum = {.count = 0};
    visit_all(store, add_exactly, &sum);
    double total = 0;
    for (size_t i = sum.count; i-- > 0;)
        total += sum.part[i];
    *mean = total / (double)store->count;
    struct nearest nearest = {.wanted = *mean};
    visit_all(store, take_nearest, &nearest);
    return nearest.best;
}

struct wanted_truth {
    bool truth, found;
    struct sample first;
};

static void take_first(void *context, const struct sample *sample)
{
    struct wanted_truth *wanted = context;
    if (!wanted->found && (sample->value > 0) == wanted->truth) {
        wanted->found = true;
        wanted->first = *sample;
    }
}

struct sample_verdict sample_verdict(const struct interval_plan *plan,
                                     const struct sample_store *store)
{
    assert(quantifier_samples(plan->quantifier) && store->good <= store->count);
    struct sample_verdict out = {.holds = true, .any = store->count > 0};
    enum ast_kind op = plan->share_op;
    double scale;
    out.bound = plan->share_bound;
    if (!out.any)
        return out;
    if (plan->quantifier == QUANT_SHARE) {
        struct wanted_truth wanted = {.truth = false};
        out.value = 100 * (double)store->good / (double)store->count;
        scale = 100;
        visit_all(store, take_first, &wanted);
        if (!wanted.found)
            wanted.truth = true, visit_all(store, take_first, &wanted);
        out.witness = wanted.first;
    } else {
        const struct comparison *comparison = &plan->comparisons.at[0];
        op = comparison->op;
        out.bound = plan->figures.at[comparison->b].value;
        if (plan->quantifier == QUANT_PERCENTILE) {
            out.witness = sample_percentile(store, plan->rank);
            out.value = out.witness.value;
        } else {
            out.witness = sample_mean(store, &out.value);
        }
        scale = plan->quantifier == QUANT_MEAN ? store->scale : 0;
    }
    out.value = comparison_snap(out.value, out.bound, scale);
    out.holds = comparison_holds(op, out.value, out.bound);
    out.margin = comparison_margin(op, out.value, out.bound);
    return out;
}
