/* How the runs of a cluster end: the longest sequence of events that enough of them end in. It is
 * shown beside the patterns and is none of them: that a run ended is never a feature. Found
 * backwards by following the commonest preceding event while enough runs remain; O(length x runs).
 */
#include "base/check.h"
#include "mining/cluster/cluster.h"

enum { LONGEST_ENDING = 12 };

static uint32_t token_at(const struct tac_runs *runs, const struct run_view *view,
                         uint32_t position)
{
    assert(position < view_length(view));
    if (position == 2 * view->count)
        return view->tail;
    const struct block *block = &runs->blocks.at[view->blocks[position / 2]];
    return position % 2 ? block->input : block->state;
}

/* The token that most of the runs have `back` events before their end, and how many do. */
static uint32_t commonest(const struct selection *set, const uint8_t *in, uint32_t back,
                          uint32_t *count, uint32_t *how_many)
{
    uint32_t best = TAC_NONE;
    *how_many = 0;
    for (uint32_t r = 0; r < set->count; r++) {
        struct run_view view = view_of(set, r);
        uint32_t length = view_length(&view);
        if (!in[r] || length <= back)
            continue;
        uint32_t token = token_at(set->runs, &view, length - 1 - back);
        if (++count[token] > *how_many) {
            *how_many = count[token];
            best = token;
        }
    }
    memset(count, 0, (set->runs->tokens.count + 1) * sizeof *count);
    return best;
}

static bool shows(const struct tac_runs *runs, const struct run_view *view,
                  const tac_cluster_result *out)
{
    uint32_t length = view_length(view);
    for (uint32_t i = 0; i + out->ending_count <= length; i++) {
        size_t k = 0;
        while (k < out->ending_count && token_at(runs, view, i + (uint32_t)k) == out->ending[k])
            k++;
        if (k == out->ending_count)
            return true;
    }
    return false;
}

void find_ending(const struct cluster_job *job, uint32_t min_runs, const uint32_t *cuts,
                 tac_cluster_result *out)
{
    struct selection fail = {job->runs, job->fail, NULL, job->fail_count};
    struct selection pass = {job->runs, job->pass, cuts, job->pass_count};
    uint8_t *in = tac_alloc(fail.count + 1);
    uint32_t *count = tac_calloc(job->runs->tokens.count + 1, sizeof *count);
    uint32_t reversed[LONGEST_ENDING];
    uint32_t found = 0;
    memset(in, 1, fail.count + 1);
    for (uint32_t how_many; found < LONGEST_ENDING; found++) {
        uint32_t token = commonest(&fail, in, found, count, &how_many);
        if (how_many < min_runs)
            break;
        assert(found == 0 || how_many <= out->ending_runs); /* a longer ending has no more runs */
        reversed[found] = token;
        out->ending_runs = how_many;
        for (uint32_t r = 0; r < fail.count; r++) {
            struct run_view view = view_of(&fail, r);
            uint32_t length = view_length(&view);
            in[r] =
                in[r] && length > found && token_at(job->runs, &view, length - 1 - found) == token;
        }
    }
    out->ending = tac_alloc((found + 1) * sizeof *out->ending);
    out->ending_count = found;
    for (uint32_t i = 0; i < found; i++)
        out->ending[i] = reversed[found - 1 - i];
    for (uint32_t r = 0; r < pass.count && found; r++) {
        struct run_view view = view_of(&pass, r);
        out->ending_pass += shows(job->runs, &view, out);
    }
    assert(out->ending_runs <= fail.count && out->ending_pass <= pass.count);
    free(in);
    free(count);
}
