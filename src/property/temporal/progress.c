/* States of an automaton: disjunctions of conjunctions of obligations on the next state.
 *
 * Invariant: a conjunction holds no obligation that another one of it implies, and a disjunction no
 * conjunction that implies another one of it. With that, "always (p -> eventually[<= n] q)" has one
 * pending obligation at a time, the most urgent one, and n + 2 states instead of 2^n. */
#include "base/data/order.h"
#include "property/temporal/temporal.h"

#include <string.h>

/* Past these sizes the formula is refused. */
enum { MAX_TERMS = 400, MAX_OBLIGATIONS = 200, MAX_STORED = 200000 };

typedef TAC_VEC(uint32_t) id_vec;
typedef TAC_VEC(struct obligation) obligation_vec;

void obligations_init(struct obligations *obligations, struct formulas *formulas,
                      const uint64_t *letters, uint64_t most)
{
    memset(obligations, 0, sizeof *obligations);
    obligations->formulas = formulas;
    obligations->letters = letters;
    obligations->most = most;
    obligations->never = tac_names_intern_bytes(&obligations->states, "", 0);
    uint32_t empty = tac_names_intern_bytes(&obligations->terms, "", 0);
    obligations->done = tac_names_intern_bytes(&obligations->states, &empty, sizeof empty);
}

static void count_work(struct obligations *obligations, size_t steps)
{
    obligations->work += steps;
    if (obligations->work > obligations->most)
        obligations->overflow = true;
}

void obligations_free(struct obligations *obligations)
{
    tac_names_free(&obligations->terms);
    tac_names_free(&obligations->states);
    tac_u64map_free(&obligations->expanded);
    tac_u64map_free(&obligations->joined);
    tac_u64map_free(&obligations->united);
    tac_u64map_free(&obligations->renumbered);
}

static const struct obligation *term_at(const struct obligations *obligations, uint32_t term,
                                        size_t *count)
{
    *count = obligations->terms.length[term] / sizeof(struct obligation);
    return (const struct obligation *)(const void *)obligations->terms.text[term];
}

static const uint32_t *state_at(const struct obligations *obligations, uint32_t state,
                                size_t *count)
{
    *count = obligations->states.length[state] / sizeof(uint32_t);
    return (const uint32_t *)(const void *)obligations->states.text[state];
}

static bool implies(struct obligations *obligations, const struct obligation *a,
                    const struct obligation *b)
{
    obligations->work++; /* looked at where terms and states are made */
    if (a->clock == NO_CLOCK && b->clock == NO_CLOCK)
        return a->weak <= b->weak && ltlf_implies(obligations->formulas, a->formula, b->formula);
    if (a->formula != b->formula || a->weak != b->weak || a->clock == NO_CLOCK ||
        b->clock == NO_CLOCK)
        return false;
    /* until by the earlier deadline implies by the later; releasing late implies releasing early */
    uint32_t op = obligations->formulas->nodes.at[a->formula].op;
    if (op == FORMULA_UNTIL)
        return a->clock <= b->clock;
    if (op == FORMULA_RELEASE)
        return a->clock >= b->clock;
    return a->clock == b->clock;
}

static bool term_implies(struct obligations *obligations, uint32_t left, uint32_t right)
{
    size_t left_count, right_count;
    const struct obligation *a = term_at(obligations, left, &left_count);
    const struct obligation *b = term_at(obligations, right, &right_count);
    for (size_t j = 0; j < right_count; j++) {
        size_t i = 0;
        while (i < left_count && !implies(obligations, &a[i], &b[j]))
            i++;
        if (i == left_count)
            return false;
    }
    return true;
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct obligation));
}

/* The conjunction of these obligations, reduced. */
static uint32_t make_term(struct obligations *obligations, struct obligation *all, size_t count)
{
    obligation_vec kept = {0};
    count_work(obligations, 10 + count);
    for (size_t i = 0; i < count && !obligations->overflow; i++) {
        bool needless = false;
        for (size_t j = 0; j < count && !needless; j++)
            needless = j != i && implies(obligations, &all[j], &all[i]) &&
                       (j < i || !implies(obligations, &all[i], &all[j]));
        if (!needless)
            tac_vec_push(&kept, all[i]);
    }
    if (kept.count > MAX_OBLIGATIONS || obligations->terms.count > MAX_STORED)
        obligations->overflow = true;
    if (kept.count)
        qsort(kept.at, kept.count, sizeof *kept.at, by_bytes);
    uint32_t id = tac_names_intern_bytes(&obligations->terms, kept.count ? (void *)kept.at : "",
                                         kept.count * sizeof *kept.at);
    tac_vec_free(&kept);
    return id;
}

/* The disjunction of these conjunctions, reduced. */
static uint32_t make_state(struct obligations *obligations, const uint32_t *all, size_t count)
{
    id_vec kept = {0};
    count_work(obligations, 10 + count);
    for (size_t i = 0; i < count && !obligations->overflow; i++) {
        bool needless = false;
        for (size_t j = 0; j < count && !needless; j++)
            needless = j != i && term_implies(obligations, all[i], all[j]) &&
                       (j < i || !term_implies(obligations, all[j], all[i]));
        if (!needless)
            tac_vec_push(&kept, all[i]);
    }
    if (kept.count > MAX_TERMS || obligations->states.count > MAX_STORED)
        obligations->overflow = true;
    if (kept.count)
        qsort(kept.at, kept.count, sizeof *kept.at, tac_order_u32);
    uint32_t id = tac_names_intern_bytes(&obligations->states, kept.count ? (void *)kept.at : "",
                                         kept.count * sizeof *kept.at);
    tac_vec_free(&kept);
    return id;
}

static uint32_t single(struct obligations *obligations, uint32_t formula, bool weak, uint32_t clock)
{
    struct obligation one;
    memset(&one, 0, sizeof one);
    one.formula = formula;
    one.weak = weak;
    one.clock = (uint16_t)clock;
    uint32_t term = make_term(obligations, &one, 1);
    return make_state(obligations, &term, 1);
}

/* The same whichever comes first. */
static uint64_t pair_of(uint32_t x, uint32_t y)
{
    return x < y ? (uint64_t)x << 32 | y : (uint64_t)y << 32 | x;
}

static uint32_t unite(struct obligations *obligations, uint32_t x, uint32_t y)
{
    size_t x_count, y_count;
    const uint32_t *a = state_at(obligations, x, &x_count), *b = state_at(obligations, y, &y_count);
    id_vec all = {0};
    tac_vec_append(&all, a, x_count);
    tac_vec_append(&all, b, y_count);
    uint32_t out = all.count > 2 * MAX_TERMS ? x : make_state(obligations, all.at, all.count);
    obligations->overflow |= all.count > 2 * MAX_TERMS;
    tac_vec_free(&all);
    return out;
}

static uint32_t join(struct obligations *obligations, uint32_t x, uint32_t y)
{
    id_vec all = {0};
    obligation_vec joined = {0};
    size_t x_count, y_count;
    state_at(obligations, x, &x_count);
    state_at(obligations, y, &y_count);
    if (x_count * y_count > 4 * MAX_TERMS) {
        obligations->overflow = true;
        return x;
    }
    for (size_t i = 0; i < x_count; i++)
        for (size_t j = 0; j < y_count && !obligations->overflow; j++) {
            size_t n, m, unused;
            const struct obligation *a =
                term_at(obligations, state_at(obligations, x, &unused)[i], &n);
            const struct obligation *b =
                term_at(obligations, state_at(obligations, y, &unused)[j], &m);
            joined.count = 0;
            tac_vec_append(&joined, a, n);
            tac_vec_append(&joined, b, m);
            uint32_t term = make_term(obligations, joined.at, joined.count);
            tac_vec_push(&all, term);
        }
    uint32_t out = make_state(obligations, all.at, all.count);
    tac_vec_free(&all);
    tac_vec_free(&joined);
    return out;
}

/* The conjunction of two states, or their disjunction: `neutral` leaves the other, `final` wins. */
static uint32_t combine(struct obligations *obligations, bool all, uint32_t x, uint32_t y)
{
    uint32_t neutral = all ? obligations->done : obligations->never;
    uint32_t final = all ? obligations->never : obligations->done;
    if (x == y || y == neutral || x == final || obligations->overflow)
        return x;
    if (x == neutral || y == final)
        return y;
    count_work(obligations, 2);
    tac_u64map *known = all ? &obligations->joined : &obligations->united;
    uint64_t *memo = tac_u64map_find(known, pair_of(x, y));
    if (memo)
        return (uint32_t)*memo;
    uint32_t out = all ? join(obligations, x, y) : unite(obligations, x, y);
    return (uint32_t)*tac_u64map_at(known, pair_of(x, y), out, NULL);
}

static uint32_t either(struct obligations *obligations, uint32_t x, uint32_t y)
{
    return combine(obligations, false, x, y);
}

static uint32_t both(struct obligations *obligations, uint32_t x, uint32_t y)
{
    return combine(obligations, true, x, y);
}

static uint32_t expand(struct obligations *obligations, uint32_t formula, uint32_t letter);

/* b or (a and again), or its dual. */
static uint32_t unroll(struct obligations *obligations, const struct formula *at, uint32_t letter,
                       uint32_t again)
{
    uint32_t a = expand(obligations, at->a, letter), b = expand(obligations, at->b, letter);
    if (at->op == FORMULA_UNTIL)
        return either(obligations, b, both(obligations, a, again));
    return both(obligations, b, either(obligations, a, again));
}

static uint32_t expand_future(struct obligations *obligations, uint32_t formula, uint32_t letter)
{
    const struct formula at = obligations->formulas->nodes.at[formula];
    bool weak = at.op == FORMULA_WEAK_NEXT || at.op == FORMULA_RELEASE;
    if (at.op == FORMULA_NEXT || at.op == FORMULA_WEAK_NEXT)
        return at.bound_kind == CLOCK ? single(obligations, formula, weak, FRESH_CLOCK)
                                      : single(obligations, at.a, weak, NO_CLOCK);
    uint32_t again = formula;
    if (at.bound_kind == STEPS && at.bound == 0)
        return expand(obligations, at.b, letter);
    if (at.bound_kind == STEPS)
        again = ltlf_make(obligations->formulas, (enum formula_op)at.op, at.a, at.b, STEPS,
                          at.bound - 1);
    return unroll(
        obligations, &at, letter,
        single(obligations, again, weak, at.bound_kind == CLOCK ? FRESH_CLOCK : NO_CLOCK));
}

/* The obligations left when `formula` is to hold in a state with this letter. */
static uint32_t expand(struct obligations *obligations, uint32_t formula, uint32_t letter)
{
    const struct formula at = obligations->formulas->nodes.at[formula];
    if (at.op == FORMULA_FALSE || obligations->overflow)
        return obligations->never;
    if (at.op == FORMULA_TRUE)
        return obligations->done;
    if (at.op == FORMULA_ATOM || at.op == FORMULA_NOT_ATOM) {
        bool holds = (obligations->letters[letter] >> at.a) & 1;
        return holds == (at.op == FORMULA_ATOM) ? obligations->done : obligations->never;
    }
    uint64_t key = (uint64_t)formula << 32 | letter;
    uint64_t *memo = tac_u64map_find(&obligations->expanded, key);
    if (memo)
        return (uint32_t)*memo;
    uint32_t out;
    if (at.op == FORMULA_AND || at.op == FORMULA_OR) {
        uint32_t a = expand(obligations, at.a, letter), b = expand(obligations, at.b, letter);
        out = at.op == FORMULA_AND ? both(obligations, a, b) : either(obligations, a, b);
    } else {
        out = expand_future(obligations, formula, letter);
    }
    *tac_u64map_at(&obligations->expanded, key, out, NULL) = out;
    return out;
}

/* An obligation that meets its state. */
static uint32_t meet(struct obligations *obligations, const struct obligation *one, uint32_t letter,
                     bool expired)
{
    if (one->clock == NO_CLOCK)
        return expand(obligations, one->formula, letter);
    if (expired)
        return one->weak ? obligations->done : obligations->never;
    const struct formula at = obligations->formulas->nodes.at[one->formula];
    if (at.op == FORMULA_NEXT || at.op == FORMULA_WEAK_NEXT)
        return expand(obligations, at.a, letter);
    return unroll(obligations, &at, letter,
                  single(obligations, one->formula, one->weak, one->clock));
}

uint32_t obligations_step(struct obligations *obligations, uint32_t state, uint32_t letter,
                          unsigned expired)
{
    struct clock_use clocks[AUTOMATON_CLOCKS + 1];
    size_t clock_count = obligations_clocks(obligations, state, clocks, AUTOMATON_CLOCKS);
    size_t terms, count;
    uint32_t out = obligations->never;
    state_at(obligations, state, &terms);
    count_work(obligations, 10 + 10 * terms);
    for (size_t i = 0; i < terms && !obligations->overflow; i++) {
        uint32_t term = state_at(obligations, state, &terms)[i];
        uint32_t all = obligations->done;
        term_at(obligations, term, &count);
        for (size_t k = 0; k < count; k++) {
            struct obligation one = term_at(obligations, term, &count)[k];
            bool late = false;
            for (size_t c = 0; c < clock_count; c++)
                if (one.clock == clocks[c].clock && one.formula == clocks[c].formula)
                    late = (expired >> c) & 1;
            all = both(obligations, all, meet(obligations, &one, letter, late));
        }
        out = either(obligations, out, all);
    }
    return out;
}

/* On the empty trace always and release hold, eventually, until and next do not, a condition does
 * not. */
static bool holds_on_nothing(const struct formulas *formulas, uint32_t formula)
{
    const struct formula *at = &formulas->nodes.at[formula];
    switch ((enum formula_op)at->op) {
    case FORMULA_AND:
        return holds_on_nothing(formulas, at->a) && holds_on_nothing(formulas, at->b);
    case FORMULA_OR:
        return holds_on_nothing(formulas, at->a) || holds_on_nothing(formulas, at->b);
    case FORMULA_TRUE:
    case FORMULA_NOT_ATOM:
    case FORMULA_WEAK_NEXT:
    case FORMULA_RELEASE:
        return true;
    case FORMULA_FALSE:
    case FORMULA_ATOM:
    case FORMULA_NEXT:
    case FORMULA_UNTIL:
        break;
    }
    return false;
}

uint32_t obligations_start(struct obligations *obligations, uint32_t formula)
{
    if (formula <= 1)
        return formula ? obligations->done : obligations->never;
    return single(obligations, formula, holds_on_nothing(obligations->formulas, formula), NO_CLOCK);
}

bool obligations_accepting(const struct obligations *obligations, uint32_t state)
{
    size_t terms, count;
    const uint32_t *all = state_at(obligations, state, &terms);
    for (size_t i = 0; i < terms; i++) {
        const struct obligation *term = term_at(obligations, all[i], &count);
        size_t k = 0;
        while (k < count && term[k].weak)
            k++;
        if (k == count)
            return true;
    }
    return false;
}

static int by_use(const void *a, const void *b)
{
    const struct clock_use *x = a, *y = b;
    if (x->formula != y->formula)
        return x->formula < y->formula ? -1 : 1;
    return (x->clock > y->clock) - (x->clock < y->clock);
}

size_t obligations_clocks(const struct obligations *obligations, uint32_t state,
                          struct clock_use *out, size_t most)
{
    TAC_VEC(struct clock_use) uses = {0};
    size_t terms, count;
    const uint32_t *all = state_at(obligations, state, &terms);
    for (size_t i = 0; i < terms; i++) {
        const struct obligation *term = term_at(obligations, all[i], &count);
        for (size_t k = 0; k < count; k++) {
            struct clock_use use = {term[k].formula, term[k].clock};
            bool known = term[k].clock == NO_CLOCK;
            for (size_t u = 0; u < uses.count && !known; u++)
                known = by_use(&uses.at[u], &use) == 0;
            if (!known)
                tac_vec_push(&uses, use);
        }
    }
    if (uses.count)
        qsort(uses.at, uses.count, sizeof *uses.at, by_use);
    for (size_t u = 0; u < uses.count && u < most; u++)
        out[u] = uses.at[u];
    size_t total = uses.count;
    tac_vec_free(&uses);
    return total;
}

static uint32_t renumber(struct obligations *obligations, uint32_t state)
{
    struct clock_use uses[AUTOMATON_CLOCKS + 1];
    size_t used = obligations_clocks(obligations, state, uses, AUTOMATON_CLOCKS);
    size_t terms, count;
    if (!used || used > AUTOMATON_CLOCKS)
        return state;
    id_vec all = {0};
    state_at(obligations, state, &terms);
    for (size_t i = 0; i < terms; i++) {
        obligation_vec renamed = {0};
        const struct obligation *term =
            term_at(obligations, state_at(obligations, state, &terms)[i], &count);
        tac_vec_append(&renamed, term, count);
        for (size_t k = 0; k < count; k++)
            for (uint32_t u = 0, number = 0; u < used && renamed.at[k].clock != NO_CLOCK; u++) {
                number = u && uses[u - 1].formula == uses[u].formula ? number + 1 : 0;
                if (uses[u].formula == renamed.at[k].formula &&
                    uses[u].clock == renamed.at[k].clock) {
                    renamed.at[k].clock = (uint16_t)number;
                    break;
                }
            }
        tac_vec_push(&all, make_term(obligations, renamed.at, renamed.count));
        tac_vec_free(&renamed);
    }
    uint32_t out = make_state(obligations, all.at, all.count);
    tac_vec_free(&all);
    return out;
}

uint32_t obligations_renumber(struct obligations *obligations, uint32_t state)
{
    uint64_t *memo = tac_u64map_find(&obligations->renumbered, state);
    if (memo)
        return (uint32_t)*memo;
    uint32_t out = renumber(obligations, state);
    return (uint32_t)*tac_u64map_at(&obligations->renumbered, state, out, NULL);
}
