/* Findings: memory and exact counts. */
#include "rules/findings/findings.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bignum.h"
#include <string.h>

#define MAX_DIGITS 60

void rules_count_init(tac_rules_count *count)
{
    mpz_init(count->mantissa);
    count->shift = 0;
    count->known = false;
}

void rules_count_clear(tac_rules_count *count)
{
    mpz_clear(count->mantissa);
}

void rules_count_set_u64(tac_rules_count *count, uint64_t value)
{
    tac_big_from_u64(count->mantissa, value);
    count->shift = 0;
    count->known = true;
}

bool rules_count_is_zero(const tac_rules_count *count)
{
    return count->known && mpz_sgn(count->mantissa) == 0;
}

static void multiply_out(mpz_t out, const tac_rules_count *count, uint64_t less)
{
    assert(less <= count->shift);
    mpz_mul_2exp(out, count->mantissa, count->shift - less);
}

/* Trailing zeros go to the shift, so that equal counts have equal parts. */
static void normalise(tac_rules_count *count)
{
    if (mpz_sgn(count->mantissa) == 0) {
        count->shift = 0;
        return;
    }
    mp_bitcnt_t twos = mpz_scan1(count->mantissa, 0);
    mpz_tdiv_q_2exp(count->mantissa, count->mantissa, twos);
    count->shift += twos;
}

/* sum + sign * count over their smaller shift. */
static void combine(tac_rules_count *sum, const tac_rules_count *count,
                    void (*operation)(mpz_ptr, mpz_srcptr, mpz_srcptr))
{
    if (!sum->known || !count->known) {
        sum->known = false;
        return;
    }
    if (mpz_sgn(count->mantissa) == 0)
        return;
    uint64_t shift = count->shift;
    if (mpz_sgn(sum->mantissa) != 0 && sum->shift < shift)
        shift = sum->shift;
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    if (mpz_sgn(sum->mantissa) != 0)
        multiply_out(a, sum, shift);
    multiply_out(b, count, shift);
    operation(sum->mantissa, a, b);
    sum->shift = shift;
    normalise(sum);
    mpz_clears(a, b, NULL);
}

void rules_count_add(tac_rules_count *sum, const tac_rules_count *count)
{
    combine(sum, count, mpz_add);
}

void rules_count_subtract(tac_rules_count *sum, const tac_rules_count *count)
{
    combine(sum, count, mpz_sub);
    assert(!sum->known || mpz_sgn(sum->mantissa) >= 0);
}

void rules_count_copy(tac_rules_count *to, const tac_rules_count *from)
{
    mpz_set(to->mantissa, from->mantissa);
    to->shift = from->shift;
    to->known = from->known;
}

bool rules_count_equal(const tac_rules_count *a, const tac_rules_count *b)
{
    char *x = rules_count_text(a), *y = rules_count_text(b);
    bool equal = strcmp(x, y) == 0;
    free(x);
    free(y);
    return equal;
}

char *rules_count_text(const tac_rules_count *count)
{
    if (!count->known)
        return tac_strdup("?");
    if (count->shift > 4096 && mpz_sgn(count->mantissa) != 0) {
        /* Not multiplied out: 20,000 variables would make every count 2.5 kB. */
        char *mantissa = tac_big_text(count->mantissa);
        char *text = tac_format("%s*2^%llu", mantissa, (unsigned long long)count->shift);
        free(mantissa);
        return text;
    }
    mpz_t value;
    mpz_init(value);
    multiply_out(value, count, 0);
    char *text = tac_big_text_short(value, MAX_DIGITS);
    mpz_clear(value);
    return text;
}

void rules_unrest(const tac_rules_findings *f, uint32_t state, tac_rules_count *out)
{
    assert(state < f->state_count);
    rules_count_copy(out, &f->valid_inputs);
    rules_count_subtract(out, &f->states[state].stable);
    rules_count_subtract(out, &f->states[state].one);
}

/* At least the inputs of the witness. At most all that go on; on a deterministic rule set an input
 * that races does not cycle, so what is known of the other kind is not among them. */
void tac_rules_bounds(const tac_rules_findings *f, uint32_t state, bool race,
                      tac_rules_count *least, tac_rules_count *most)
{
    const tac_rules_state_findings *found = &f->states[state];
    const tac_rules_witness *own = race ? &found->race_witness : &found->cycle_witness;
    const tac_rules_witness *other = race ? &found->cycle_witness : &found->race_witness;
    rules_count_set_u64(least, 0);
    rules_unrest(f, state, most);
    if (own->exists == TAC_RULES_YES)
        rules_count_copy(least, &own->inputs);
    if (f->deterministic && other->exists == TAC_RULES_YES)
        rules_count_subtract(most, &other->inputs);
    if (f->witnesses && own->exists == TAC_RULES_NO)
        rules_count_set_u64(most, 0);
}

static void rules_inputs_clear(tac_rules_inputs *inputs)
{
    rules_count_clear(&inputs->count);
    free(inputs->cube);
    free(inputs->example);
    for (size_t i = 0; i < inputs->cube_count; i++)
        free(inputs->cubes[i]);
    free(inputs->cubes);
}

void *rules_findings_grow(void *array, size_t count, size_t size)
{
    if (count & (count - 1))
        return array;
    return tac_realloc(array, count ? count * 2 : 1, size);
}

tac_rules_findings *rules_findings_new(const tac_rules *rules, const tac_rules_options *options)
{
    assert(rules->state_count > 0);
    tac_rules_findings *out = tac_calloc(1, sizeof *out);
    out->engine = options->engine;
    out->table2 = options->table2;
    out->state_count = rules->state_count;
    out->deterministic = true;
    out->groups_known = out->paths_known = out->cycles_known = out->unmet_known = true;
    rules_count_init(&out->valid_inputs);
    out->states = tac_calloc((size_t)rules->state_count + 1, sizeof *out->states);
    for (uint32_t i = 0; i < rules->state_count; i++) {
        rules_count_init(&out->states[i].nondeterministic);
        rules_count_init(&out->states[i].stable);
        rules_count_init(&out->states[i].one);
        rules_count_init(&out->states[i].race);
        rules_count_init(&out->states[i].cycle);
        rules_count_init(&out->states[i].race_witness.inputs);
        rules_count_init(&out->states[i].cycle_witness.inputs);
    }
    return out;
}

static void free_clashes(tac_rules_clash *clashes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(clashes[i].rules);
        rules_inputs_clear(&clashes[i].inputs);
    }
    free(clashes);
}

static void free_hazards(tac_rules_hazards *hazards, uint32_t states)
{
    if (!hazards)
        return;
    mpz_clears(hazards->total, hazards->of, hazards->possible, hazards->possible_of, hazards->rated,
               NULL);
    for (uint32_t i = 0; i < states; i++)
        mpz_clears(hazards->states[i].hazards, hazards->states[i].of, NULL);
    free(hazards->states);
    free(hazards->before);
    free(hazards->after);
    free(hazards->together[0]);
    free(hazards->together[1]);
    free(hazards->order[0]);
    free(hazards->order[1]);
    free(hazards);
}

static void free_paths(tac_rules_findings *findings)
{
    for (size_t i = 0; i < findings->path_count; i++) {
        free(findings->paths[i].states);
        free(findings->paths[i].rules);
        rules_inputs_clear(&findings->paths[i].inputs);
    }
    for (size_t i = 0; i < findings->cycle_count; i++) {
        free(findings->cycles[i].states);
        rules_inputs_clear(&findings->cycles[i].inputs);
    }
    free(findings->paths);
    free(findings->cycles);
}

static void rules_witness_clear(tac_rules_witness *witness)
{
    free(witness->states);
    free(witness->rules);
    free(witness->variables);
    free(witness->values);
    rules_count_clear(&witness->inputs);
}

void tac_rules_findings_free(tac_rules_findings *findings)
{
    if (!findings)
        return;
    rules_count_clear(&findings->valid_inputs);
    for (uint32_t i = 0; i < findings->state_count; i++) {
        tac_rules_state_findings *state = &findings->states[i];
        rules_count_clear(&state->nondeterministic);
        rules_count_clear(&state->stable);
        rules_count_clear(&state->one);
        rules_count_clear(&state->race);
        rules_count_clear(&state->cycle);
        rules_witness_clear(&state->race_witness);
        rules_witness_clear(&state->cycle_witness);
    }
    free_clashes(findings->pairs, findings->pair_count);
    free_clashes(findings->groups, findings->group_count);
    for (size_t i = 0; i < findings->dead_rule_count; i++)
        free(findings->dead_rules[i].by);
    for (size_t i = 0; i < findings->unstable_count; i++)
        rules_count_clear(&findings->unstable[i].inputs);
    for (size_t i = 0; i < findings->breach_count; i++)
        rules_inputs_clear(&findings->breaches[i].inputs);
    for (size_t i = 0; i < findings->unmet_count; i++)
        rules_inputs_clear(&findings->unmet[i].inputs);
    free_paths(findings);
    free_hazards(findings->hazards, findings->state_count);
    free(findings->some_input);
    free(findings->dead_rules);
    free(findings->unstable);
    free(findings->breaches);
    free(findings->unmet);
    free(findings->states);
    free(findings);
}

bool tac_rules_faulty(const tac_rules_findings *f)
{
    assert(f->states);
    bool unstable = f->unstable_count > 0;
    for (uint32_t i = 0; i < f->state_count; i++) {
        const tac_rules_state_findings *state = &f->states[i];
        if (state->unreachable || state->dead)
            return true;
        if (f->table2 &&
            (!rules_count_is_zero(&state->race) || !rules_count_is_zero(&state->cycle)))
            return true;
    }
    return !f->deterministic || f->dead_rule_count || unstable || f->breach_count ||
           f->unmet_count || rules_hazardous(f->hazards);
}

/* Groups that are read together at their rates can end as no order one after the other does. */
bool rules_hazardous(const tac_rules_hazards *h)
{
    return h && h->known &&
           (mpz_sgn(h->total) != 0 || (h->rates && h->rates_known && mpz_sgn(h->rated) != 0));
}

tac_answer tac_rules_answer(const tac_rules_findings *f)
{
    const tac_rules_hazards *h = f->hazards;
    if (tac_rules_faulty(f))
        return TAC_VIOLATED;
    if (!f->table2 && (!f->unmet_known || (h && (!h->known || (h->rates && !h->rates_known)))))
        return TAC_INCONCLUSIVE;
    return TAC_HOLDS;
}

char *tac_rules_witness_input(const tac_rules *rules, const tac_rules_findings *findings,
                              const tac_rules_witness *witness)
{
    char *values = tac_strdup(findings->some_input);
    assert(strlen(values) == rules->variable_count);
    for (size_t i = 0; i < witness->literal_count; i++)
        values[witness->variables[i]] = witness->values[i] ? '1' : '0';
    return values;
}
