/* Plain delta debugging, ddmin as published (Zeller and Hildebrandt, "Simplifying and isolating
 * failure-inducing input", 2002): subsets, then complements, then finer pieces. It knows nothing of
 * screens; here it is what the steered reduction is compared with. */
#include "reproduce/reduce/reduce.h"

static struct script piece_of(const struct script *script, size_t from, size_t to)
{
    struct script piece = {0};
    tac_vec_append(&piece, script->at + from, to - from);
    return piece;
}

/* Takes the candidate when it fails. */
static tac_status attempt(struct judge *judge, struct script *script, struct script candidate,
                          bool *taken, tac_error *err)
{
    tac_status status = judge_fails(judge, &candidate, taken, err);
    if (status == TAC_OK && *taken) {
        tac_vec_free(script);
        *script = candidate;
    } else {
        tac_vec_free(&candidate);
    }
    return status;
}

static tac_status one_round(struct judge *judge, struct script *script, size_t *pieces,
                            tac_error *err)
{
    size_t count = script->count, n = *pieces;
    tac_status status = TAC_OK;
    bool taken = false;
    for (size_t i = 0; i < n && status == TAC_OK && !taken; i++)
        status = attempt(judge, script, piece_of(script, i * count / n, (i + 1) * count / n),
                         &taken, err);
    if (taken) {
        *pieces = 2;
        return status;
    }
    for (size_t i = 0; i < n && status == TAC_OK && !taken && n > 2; i++) {
        size_t from = i * count / n, to = (i + 1) * count / n;
        status = attempt(judge, script, script_without(script, from, to - from), &taken, err);
    }
    if (taken)
        *pieces = n - 1 > 2 ? n - 1 : 2;
    else
        *pieces = n >= count ? 0 : 2 * n < count ? 2 * n : count;
    return status;
}

tac_status reduce_plainly(struct judge *judge, struct script *script, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t pieces = 2; status == TAC_OK && pieces && script->count >= 2;)
        status = one_round(judge, script, &pieces, err);
    return status;
}
