/* One choice with exact numbers: the completions of all nodes with that many steps left are counted
 * backward in two rows (the last row is kept, in case it is asked for again), and bits are added to
 * the random number until it lies between two borders. Cost: edges * steps left additions. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/sample/uniform.h"
#include <math.h>
#include <string.h>

static size_t limbs_needed(const struct uniform *in)
{
    double bits = (log2((double)in->most_edges + 2) + 1e-9) * in->length + 2;
    return (size_t)(bits / GMP_NUMB_BITS) + 1;
}

static void count_row(const struct uniform *in, uint32_t left, const mp_limb_t *before,
                      mp_limb_t *row)
{
    memset(row, 0, in->nodes * in->limbs * sizeof *row);
    for (uint32_t node = 0; node < in->nodes; node++) {
        struct graph_node at = in->graph->nodes.at[node];
        mp_limb_t *sum = row + node * in->limbs;
        sum[0] = uniform_ends(in, node, left) != 0;
        bool goes_on = left && tac_bits_get(in->engine->alive[left], node);
        for (uint32_t e = 0; goes_on && e < at.edge_count; e++) {
            uint32_t target = in->graph->edges.at[at.first_edge + e].target;
            mp_limb_t carry =
                mpn_add_n(sum, sum, before + target * in->limbs, (mp_size_t)in->limbs);
            assert(!carry);
        }
    }
}

static tac_status count_exactly(struct uniform *in, uint32_t left, tac_error *err)
{
    if (in->row && in->row_left == left)
        return TAC_OK;
    in->limbs = limbs_needed(in);
    free(in->row);
    in->row = tac_calloc(in->nodes * in->limbs + 1, sizeof *in->row);
    mp_limb_t *before = tac_calloc(in->nodes * in->limbs + 1, sizeof *before);
    tac_status status = TAC_OK;
    for (uint32_t k = 0; k <= left && status == TAC_OK; k++) {
        mp_limb_t *done = in->row;
        in->row = before;
        before = done;
        count_row(in, k, before, in->row);
        if (!tac_watch_tick(in->graph->watch, "counting completions", k, left))
            status = tac_fail(err, TAC_E_INTERRUPTED, "sampling was stopped");
    }
    in->row_left = left;
    free(before);
    return status;
}

static void add_option(const struct uniform *in, struct uniform_choice choice, size_t i, mpz_t sum)
{
    mpz_t view;
    if (choice.ends && i == 0)
        mpz_add_ui(sum, sum, 1);
    else
        mpz_add(sum, sum,
                mpz_roinit_n(view, in->row + in->options.at[i - choice.ends] * in->limbs,
                             (mp_size_t)in->limbs));
}

tac_status uniform_choose_exactly(struct uniform *in, struct uniform_choice choice, uint64_t bits,
                                  size_t *option, tac_error *err)
{
    size_t count = in->options.count + choice.ends;
    tac_status status = count_exactly(in, choice.left, err);
    if (status != TAC_OK)
        return status;
    mpz_t total, drawn, low, high, border;
    mpz_inits(total, drawn, low, high, border, NULL);
    for (size_t i = 0; i < count; i++)
        add_option(in, choice, i, total);
    assert(mpz_sgn(total) > 0);
    mpz_set_ui(drawn, bits);
    bool decided = false;
    /* The real number lies in [drawn, drawn + 1) / 2^width. */
    for (mp_bitcnt_t width = 53; !decided; width += 64) {
        if (width > 53) {
            mpz_mul_2exp(drawn, drawn, 64);
            mpz_add_ui(drawn, drawn, tac_random_next(&in->random));
        }
        mpz_mul(low, drawn, total);
        mpz_add(high, low, total);
        mpz_set_ui(border, 0);
        for (*option = 0; *option < count; ++*option) {
            add_option(in, choice, *option, border);
            mpz_mul_2exp(total, border, width);
            if (mpz_cmp(low, total) < 0)
                break;
        }
        decided = mpz_cmp(high, total) <= 0;
        mpz_set_ui(total, 0);
        for (size_t i = 0; i < count; i++)
            add_option(in, choice, i, total);
    }
    assert(*option < count);
    mpz_clears(total, drawn, low, high, border, NULL);
    return TAC_OK;
}
