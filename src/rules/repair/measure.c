/* How many faults of each kind a rule set has: analysed as far as a repair of the kind sought needs
 * it, and multiplied out, so that a rule set before and after its edits can be compared. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bignum.h"
#include "rules/repair/repair.h"

void rules_measure_init(struct measure *m)
{
    for (int i = 0; i < 6; i++)
        mpz_init_set_si(m->by_fault[i], -1);
    mpz_init_set_si(m->cycle_states, -1);
}

void rules_measure_clear(struct measure *m)
{
    for (int i = 0; i < 6; i++)
        mpz_clear(m->by_fault[i]);
    mpz_clear(m->cycle_states);
}

void rules_multiply_out(mpz_t out, const tac_rules_count *count)
{
    if (count->known)
        mpz_mul_2exp(out, count->mantissa, count->shift);
    else
        mpz_set_si(out, -1);
}

void rules_measure_findings(struct measure *m, const tac_rules_findings *f)
{
    tac_rules_count sums[3];
    uint32_t unreachable = 0;
    for (int i = 0; i < 3; i++) {
        rules_count_init(&sums[i]);
        rules_count_set_u64(&sums[i], 0);
    }
    for (uint32_t s = 0; s < f->state_count; s++) {
        rules_count_add(&sums[0], &f->states[s].nondeterministic);
        rules_count_add(&sums[1], &f->states[s].cycle);
        rules_count_add(&sums[2], &f->states[s].race);
        unreachable += f->states[s].unreachable;
    }
    assert(unreachable < f->state_count || f->state_count == 0); /* not the initial one */
    rules_multiply_out(m->by_fault[TAC_RULES_NONDETERMINISM], &sums[0]);
    rules_multiply_out(m->by_fault[TAC_RULES_CYCLE], &sums[1]);
    rules_multiply_out(m->by_fault[TAC_RULES_RACE], &sums[2]);
    mpz_set_ui(m->by_fault[TAC_RULES_DEAD], f->dead_rule_count);
    mpz_set_ui(m->by_fault[TAC_RULES_UNREACHABLE], unreachable);
    if (!sums[1].known && f->witnesses) {
        unsigned long states = 0;
        for (uint32_t s = 0; s < f->state_count; s++)
            states += f->states[s].cycle_witness.exists != TAC_RULES_NO;
        mpz_set_ui(m->cycle_states, states);
        if (states == 0)
            mpz_set_ui(m->by_fault[TAC_RULES_CYCLE], 0);
    }
    if (f->hazards && f->hazards->known)
        mpz_set(m->by_fault[TAC_RULES_HAZARD], f->hazards->total);
    for (int i = 0; i < 3; i++)
        rules_count_clear(&sums[i]);
}

tac_rules_fault_counts rules_measure_texts(const struct measure *m)
{
    char *texts[6];
    for (int i = 0; i < 6; i++)
        texts[i] =
            mpz_sgn(m->by_fault[i]) < 0 ? tac_strdup("?") : tac_big_text_short(m->by_fault[i], 60);
    char *states =
        mpz_sgn(m->cycle_states) < 0 ? tac_strdup("?") : tac_big_text_short(m->cycle_states, 60);
    return (tac_rules_fault_counts){texts[0], texts[1], texts[2], texts[3],
                                    texts[4], texts[5], states};
}

tac_status rules_repair_analyse(const struct repair *r, const tac_rules *rules, bool paths,
                                bool quick, tac_rules_findings **out, tac_error *err)
{
    tac_rules_options options = {.max_bytes = r->options->max_bytes,
                                 .hazards = r->options->fault == TAC_RULES_HAZARD,
                                 .work = quick ? 1 : 0};
    if (paths || r->by_states)
        return tac_rules_check(rules, &options, out, err);
    tac_status status = rules_check_sets(rules, &options, out, err);
    if (status || r->options->fault != TAC_RULES_CYCLE || !(*out)->truncated)
        return status;
    tac_rules_findings_free(*out); /* existence and witnesses instead of counts */
    *out = NULL;
    return tac_rules_check(rules, &options, out, err);
}
