/* See tokens.h. */
#include "mining/cluster/tokens.h"
#include "base/check.h"

static void mark(const struct tac_runs *runs, const struct run_view *view, uint32_t from,
                 uint32_t *seen, uint32_t stamp, double *share, double step)
{
    assert(from <= view->count && stamp > 0); /* 0 is "not seen" */
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
        assert(tail == TAC_NONE || tail < runs->tokens.count);
        if (tail != TAC_NONE && !facts->in_pass[tail] && !elsewhere[tail])
            facts->failure_state[tail] = 1;
    }
    free(elsewhere);
}

struct token_facts learn_tokens(const struct cluster_job *job, const uint32_t *cuts)
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
    for (size_t t = 0; t < tokens; t++) {
        facts.in_pass[t] = whole[t] > 0;
        assert_costly(facts.late_share[t] <= facts.pass_share[t] + 1e-9);
    }
    note_failure_states(job, &facts);
    free(seen);
    free(whole);
    return facts;
}

void token_facts_free(struct token_facts *facts)
{
    free(facts->in_pass);
    free(facts->failure_state);
    free(facts->pass_share);
    free(facts->late_share);
    *facts = (struct token_facts){0};
}
