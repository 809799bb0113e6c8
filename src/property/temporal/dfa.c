/* From a formula to its automaton: letter classes, exploration, minimisation.
 *
 * Atoms that test one discrete variable for different values exclude each other, so they share one
 * digit of the letter; every other atom is a digit of its own with two values. */
#include "property/temporal/temporal.h"

#include "base/check.h"
#include <string.h>

enum { FINE_LETTERS = 256, MAX_LETTERS = 4096, MAX_STATES = 20000, MAX_ATOMS = 64 };
static const size_t max_transitions = (size_t)1 << 22;

struct explorer {
    struct obligations obligations;
    struct formulas formulas;
    struct automaton *out;
    TAC_VEC(uint32_t) states; /* automaton state -> obligations state */
    tac_u64map numbers;       /* and back */
    TAC_VEC(uint32_t) next;
    TAC_VEC(uint32_t) first;
    TAC_VEC(uint8_t) moves; /* only filled when there are clocks */
    TAC_VEC(uint64_t) letters;
    bool too_large;
};

static bool same_group(const struct column_program *program, uint32_t a, uint32_t b)
{
    const struct column_node *x = &program->nodes.at[a], *y = &program->nodes.at[b];
    return x->op == COLUMN_SYMBOL_IS && y->op == COLUMN_SYMBOL_IS && x->a == y->a;
}

/* Weights of the atoms and the valuation of every letter. False: too many letters. */
static bool make_letters(struct explorer *explorer, const struct column_program *program)
{
    assert(explorer->letters.count == 0);
    size_t count = explorer->formulas.atoms.count;
    const uint32_t *atoms = explorer->formulas.atoms.at;
    struct automaton *out = explorer->out;
    bool done[MAX_ATOMS] = {false};
    size_t total = 1;
    if (count > MAX_ATOMS)
        return false;
    out->atom_count = count;
    out->atoms = tac_calloc(count + 1, sizeof *out->atoms);
    out->weights = tac_calloc(count + 1, sizeof *out->weights);
    if (count)
        memcpy(out->atoms, atoms, count * sizeof *atoms);
    tac_vec_push(&explorer->letters, 0);
    for (size_t i = 0; i < count; i++) {
        if (done[i])
            continue;
        size_t values = 1, before = explorer->letters.count;
        for (size_t j = i; j < count; j++) {
            if (done[j] || (j != i && !same_group(program, atoms[i], atoms[j])))
                continue;
            done[j] = true;
            out->weights[j] = (uint32_t)(values++ * total);
            for (size_t l = 0; l < before; l++)
                tac_vec_push(&explorer->letters, explorer->letters.at[l] | (uint64_t)1 << j);
            if (explorer->letters.count > MAX_LETTERS)
                return false;
        }
        total *= values;
    }
    out->letters = explorer->letters.count;
    return true;
}

static uint32_t number_of(struct explorer *explorer, uint32_t state)
{
    bool is_new;
    uint64_t *number = tac_u64map_at(&explorer->numbers, state, explorer->states.count, &is_new);
    if (is_new)
        tac_vec_push(&explorer->states, state);
    return (uint32_t)*number;
}

/* Where the clocks of `target` (before renumbering) come from. */
static bool add_moves(struct explorer *explorer, uint32_t target, const struct clock_use *source,
                      size_t source_count)
{
    assert(source_count <= AUTOMATON_CLOCKS);
    struct clock_use uses[AUTOMATON_CLOCKS + 1];
    size_t used = obligations_clocks(&explorer->obligations, target, uses, AUTOMATON_CLOCKS);
    if (used > AUTOMATON_CLOCKS)
        return false;
    for (size_t u = 0; u < AUTOMATON_CLOCKS; u++) {
        uint8_t from = 0xff;
        for (size_t s = 0; u < used && s < source_count; s++)
            if (source[s].formula == uses[u].formula && source[s].clock == uses[u].clock)
                from = (uint8_t)s;
        tac_vec_push(&explorer->moves, from);
    }
    return true;
}

static bool explore_state(struct explorer *explorer, size_t number)
{
    assert(number < explorer->states.count && number == explorer->first.count);
    uint32_t state = explorer->states.at[number];
    struct clock_use clocks[AUTOMATON_CLOCKS + 1];
    size_t count = obligations_clocks(&explorer->obligations, state, clocks, AUTOMATON_CLOCKS);
    bool clocked = explorer->formulas.clocks.count > 0;
    tac_vec_push(&explorer->first, (uint32_t)explorer->next.count);
    for (unsigned mask = 0; mask < 1u << count; mask++)
        for (uint32_t letter = 0; letter < explorer->out->letters; letter++) {
            unsigned expired = mask; /* an older clock of the same formula is never later */
            for (size_t c = count; c-- > 1;)
                if (clocks[c].formula == clocks[c - 1].formula && (expired >> c & 1))
                    expired |= 1u << (c - 1);
            uint32_t after = obligations_step(&explorer->obligations, state, letter, expired);
            if (explorer->obligations.overflow)
                return false;
            if (clocked && !add_moves(explorer, after, clocks, count))
                return false;
            uint32_t target =
                number_of(explorer, obligations_renumber(&explorer->obligations, after));
            tac_vec_push(&explorer->next, target);
            if (explorer->states.count > MAX_STATES || explorer->next.count > max_transitions)
                return false;
        }
    return true;
}

static void keep(struct explorer *explorer)
{
    struct automaton *out = explorer->out;
    assert(explorer->states.count <= MAX_STATES);
    assert(explorer->formulas.clocks.count || explorer->moves.count == 0);
    assert(!explorer->formulas.clocks.count ||
           explorer->moves.count == explorer->next.count * AUTOMATON_CLOCKS);
    out->states = explorer->states.count;
    out->next = explorer->next.at;
    out->transitions = explorer->next.count;
    explorer->next.at = NULL;
    if (explorer->formulas.clocks.count) {
        out->first = explorer->first.at;
        out->moves = explorer->moves.at;
        explorer->first.at = NULL;
        explorer->moves.at = NULL;
        out->kinds = explorer->formulas.clocks.at;
        out->kind_count = explorer->formulas.clocks.count;
        explorer->formulas.clocks.at = NULL;
        out->clock_count = tac_calloc(out->states, 1);
        out->clock_kinds = tac_calloc(out->states * AUTOMATON_CLOCKS, sizeof *out->clock_kinds);
        for (size_t s = 0; s < out->states; s++) {
            struct clock_use uses[AUTOMATON_CLOCKS + 1];
            size_t used = obligations_clocks(&explorer->obligations, explorer->states.at[s], uses,
                                             AUTOMATON_CLOCKS);
            out->clock_count[s] = (uint8_t)used;
            if (used > out->clocks)
                out->clocks = used;
            for (size_t u = 0; u < used; u++)
                out->clock_kinds[s * AUTOMATON_CLOCKS + u] =
                    (uint32_t)explorer->formulas.nodes.at[uses[u].formula].bound;
        }
    }
}

static void explorer_free(struct explorer *explorer)
{
    obligations_free(&explorer->obligations);
    ltlf_free(&explorer->formulas);
    tac_vec_free(&explorer->states);
    tac_u64map_free(&explorer->numbers);
    tac_vec_free(&explorer->next);
    tac_vec_free(&explorer->first);
    tac_vec_free(&explorer->moves);
    tac_vec_free(&explorer->letters);
}

static bool explore(struct property_compiler *compiler, const struct ast *ast,
                    struct automaton *out, enum grain grain, uint64_t most)
{
    struct explorer explorer = {.out = out};
    memset(out, 0, sizeof *out);
    ltlf_init(&explorer.formulas);
    uint32_t formula = ltlf_build(&explorer.formulas, compiler, ast, grain);
    bool good = make_letters(&explorer, compiler->program) &&
                (grain != GRAIN_FINE || out->letters <= FINE_LETTERS);
    if (good) {
        obligations_init(&explorer.obligations, &explorer.formulas, explorer.letters.at, most);
        out->start = number_of(&explorer, obligations_start(&explorer.obligations, formula));
        for (size_t s = 0; good && s < explorer.states.count; s++)
            good = explore_state(&explorer, s);
    }
    if (good) {
        uint8_t *accepting = tac_calloc(explorer.states.count, 1);
        for (size_t s = 0; s < explorer.states.count; s++)
            accepting[s] = obligations_accepting(&explorer.obligations, explorer.states.at[s]);
        keep(&explorer);
        good = dfa_minimise(out, accepting, most);
        free(accepting);
    }
    compiler->automaton_work += explorer.obligations.work + explorer.next.count;
    explorer_free(&explorer);
    if (!good)
        dfa_free(out);
    return good;
}

bool dfa_build(struct property_compiler *compiler, const struct ast *ast, struct automaton *out)
{
    uint64_t times = compiler->exporting ? AUTOMATON_WORK_EXPORT : 1;
    uint64_t end = compiler->automaton_work + AUTOMATON_WORK_EACH * times;
    if (end > AUTOMATON_WORK_ALL * times)
        end = AUTOMATON_WORK_ALL * times;
    if (end < compiler->automaton_work + AUTOMATON_WORK_ALWAYS)
        end = compiler->automaton_work + AUTOMATON_WORK_ALWAYS;
    for (enum grain grain = GRAIN_FINE; grain <= GRAIN_COARSE; grain++)
        if (compiler->automaton_work < end &&
            explore(compiler, ast, out, grain, end - compiler->automaton_work))
            return true;
    return false;
}

void dfa_free(struct automaton *automaton)
{
    free(automaton->next);
    free(automaton->first);
    free(automaton->clock_count);
    free(automaton->clock_kinds);
    free(automaton->moves);
    free(automaton->answers);
    free(automaton->kinds);
    free(automaton->atoms);
    free(automaton->weights);
    memset(automaton, 0, sizeof *automaton);
}
