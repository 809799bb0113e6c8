/* Lengths that match: a passing run is looked at as far as a failing run goes, so that short
 * crashing runs get no advantage; and how many runs a share of them is. O(n log n). */
#include "base/check.h"
#include "mining/cluster/cluster.h"

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
