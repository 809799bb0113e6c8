/* Automata for the checker, bottom up: one for each operator, made smaller after each step. Plain
 * and slow on purpose. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"
#include "protocol/check/check.h"
#include <string.h>

#define MAX_STATES 5000

void check_tree_letters(const struct check_tree *tree, check_vec *out)
{
    if (tree->kind == NODE_ATOM)
        tac_vec_append(out, tree->letters, tree->letter_count);
    if (tree->left)
        check_tree_letters(tree->left, out);
    if (tree->right)
        check_tree_letters(tree->right, out);
    if (out->count > 1)
        qsort(out->at, out->count, sizeof *out->at, tac_order_u32);
    size_t kept = 0;
    for (size_t i = 0; i < out->count; i++)
        if (!kept || out->at[kept - 1] != out->at[i])
            out->at[kept++] = out->at[i];
    out->count = kept;
}

void check_dfa_free(struct check_dfa *dfa)
{
    free(dfa->next);
    free(dfa->accepts);
    *dfa = (struct check_dfa){0};
}

static struct check_dfa dfa_new(uint32_t states, uint32_t symbols)
{
    assert(states > 0 && symbols > 0);
    return (struct check_dfa){.states = states,
                              .symbols = symbols,
                              .next = tac_calloc((size_t)states * symbols + 1, sizeof(uint32_t)),
                              .accepts = tac_calloc(states + 1, 1)};
}

/* Merges states that no word tells apart. */
static void minimise(struct check_dfa *d)
{
    uint32_t n = d->states, k = d->symbols, blocks = 0;
    uint32_t *block = tac_calloc(n + 1, sizeof *block), *fresh = tac_calloc(n + 1, sizeof *fresh);
    for (uint32_t s = 0; s < n; s++)
        block[s] = d->accepts[s];
    for (uint32_t before = 0;; before = blocks) {
        blocks = 0;
        for (uint32_t s = 0; s < n; s++) {
            uint32_t twin = s;
            for (uint32_t t = 0; t < s && twin == s; t++) {
                bool same = block[s] == block[t];
                for (uint32_t c = 0; c < k && same; c++)
                    same = block[d->next[s * k + c]] == block[d->next[t * k + c]];
                if (same)
                    twin = t;
            }
            fresh[s] = twin == s ? blocks++ : fresh[twin];
        }
        memcpy(block, fresh, n * sizeof *block);
        if (blocks == before)
            break;
    }
    assert(blocks > 0 && blocks <= n);
    struct check_dfa small = dfa_new(blocks, k);
    for (uint32_t s = 0; s < n; s++) {
        small.accepts[block[s]] = d->accepts[s];
        for (uint32_t c = 0; c < k; c++)
            small.next[block[s] * k + c] = block[d->next[s * k + c]];
    }
    small.start = block[d->start];
    for (uint32_t s = 0; s < n; s++) /* a block accepts as each of its states does */
        assert_costly(small.accepts[block[s]] == d->accepts[s]);
    free(block);
    free(fresh);
    check_dfa_free(d);
    *d = small;
}

/* One message: any (letters NULL), or one of the letters. States: start, hit, dead. */
static struct check_dfa dfa_message(const struct check_tree *tree, const uint32_t *letters,
                                    size_t count)
{
    struct check_dfa d = dfa_new(3, (uint32_t)count + 1);
    for (uint32_t c = 0; c < d.symbols; c++) {
        bool hit = tree->kind == NODE_TRUE;
        for (size_t i = 0; i < tree->letter_count && !hit && c < count; i++)
            hit = tree->letters[i] == letters[c];
        d.next[c] = hit ? 1 : 2;
        d.next[d.symbols + c] = d.next[2 * d.symbols + c] = 2;
    }
    d.accepts[1] = 1;
    return d;
}

/* Products of two automata, for '&' and '|'. */
static tac_status dfa_product(const struct check_dfa *a, const struct check_dfa *b, bool both,
                              struct check_dfa *out, tac_error *err)
{
    if ((uint64_t)a->states * b->states > MAX_STATES)
        return tac_fail(err, TAC_E_LIMIT, "a rule's automaton is too large for the checker");
    assert(a->symbols == b->symbols);
    struct check_dfa d = dfa_new(a->states * b->states, a->symbols);
    for (uint32_t p = 0; p < a->states; p++)
        for (uint32_t q = 0; q < b->states; q++) {
            uint32_t s = p * b->states + q;
            d.accepts[s] = both ? a->accepts[p] && b->accepts[q] : a->accepts[p] || b->accepts[q];
            for (uint32_t c = 0; c < d.symbols; c++)
                d.next[s * d.symbols + c] =
                    a->next[p * d.symbols + c] * b->states + b->next[q * d.symbols + c];
        }
    d.start = a->start * b->states + b->start;
    *out = d;
    return TAC_OK;
}

/* Subset construction for sequences and repetition. A subset is over the states of `a` (offset 0)
 * and `b` (after them). For a repetition b is a itself and unused. */
struct subsets {
    const struct check_dfa *a, *b;
    bool star;
    size_t width;
    tac_names keys;
};

/* Adds what the empty word adds: b's start after an accepted a; a's start again for a star. */
static void close_subset(const struct subsets *y, uint8_t *set)
{
    for (uint32_t p = 0; p < y->a->states; p++)
        if (set[p] && y->a->accepts[p])
            set[y->star ? y->a->start : y->a->states + y->b->start] = 1;
}

static bool subset_accepts(const struct subsets *y, const uint8_t *set)
{
    bool accepts = false;
    if (y->star)
        for (uint32_t p = 0; p < y->a->states; p++)
            accepts = accepts || (set[p] && y->a->accepts[p]);
    else
        for (uint32_t q = 0; q < y->b->states; q++)
            accepts = accepts || (set[y->a->states + q] && y->b->accepts[q]);
    return accepts;
}

static void step_subset(const struct subsets *y, const uint8_t *set, uint32_t c, uint8_t *to)
{
    memset(to, 0, y->width);
    for (uint32_t p = 0; p < y->a->states; p++)
        if (set[p])
            to[y->a->next[p * y->a->symbols + c]] = 1;
    for (uint32_t q = 0; !y->star && q < y->b->states; q++)
        if (set[y->a->states + q])
            to[y->a->states + y->b->next[q * y->b->symbols + c]] = 1;
    close_subset(y, to);
}

static tac_status dfa_subsets(const struct check_dfa *a, const struct check_dfa *b, bool star,
                              struct check_dfa *out, tac_error *err)
{
    struct subsets y = {.a = a, .b = b, .star = star};
    assert(star == !b && (star || a->symbols == b->symbols));
    y.width = a->states + (star ? 0 : b->states);
    uint8_t *set = tac_calloc(y.width + 1, 1), *to = tac_calloc(y.width + 1, 1);
    check_vec next = {0};
    TAC_VEC(uint8_t) accepts = {0};
    tac_status status = TAC_OK;
    set[a->start] = 1;
    close_subset(&y, set);
    tac_names_intern_bytes(&y.keys, set, y.width);
    for (uint32_t s = 0; s < y.keys.count && status == TAC_OK; s++) {
        memcpy(set, y.keys.text[s], y.width);
        /* A repetition accepts the empty word as well, at its start. */
        tac_vec_push(&accepts, subset_accepts(&y, set));
        for (uint32_t c = 0; c < a->symbols; c++) {
            step_subset(&y, set, c, to);
            tac_vec_push(&next, tac_names_intern_bytes(&y.keys, to, y.width));
        }
        if (y.keys.count > MAX_STATES)
            status = tac_fail(err, TAC_E_LIMIT, "a rule's automaton is too large for the checker");
    }
    if (status == TAC_OK) {
        /* For a star: a fresh start state that accepts and otherwise acts like the old one. */
        assert(next.count == y.keys.count * a->symbols && accepts.count == y.keys.count);
        uint32_t n = (uint32_t)y.keys.count, extra = star ? 1 : 0;
        *out = dfa_new(n + extra, a->symbols);
        memcpy(out->next, next.at, next.count * sizeof *next.at);
        memcpy(out->accepts, accepts.at, n);
        if (star) {
            memcpy(out->next + (size_t)n * a->symbols, next.at, a->symbols * sizeof *next.at);
            out->accepts[n] = 1;
            out->start = n;
        }
    }
    tac_names_free(&y.keys);
    tac_vec_free(&next);
    tac_vec_free(&accepts);
    free(set);
    free(to);
    return status;
}

static tac_status combine(const struct check_tree *tree, const struct check_dfa *left,
                          const struct check_dfa *right, struct check_dfa *out, tac_error *err)
{
    switch (tree->kind) {
    case NODE_AND:
    case NODE_OR:
        return dfa_product(left, right, tree->kind == NODE_AND, out, err);
    case NODE_SEQ:
        return dfa_subsets(left, right, false, out, err);
    case NODE_STAR:
        return dfa_subsets(left, NULL, true, out, err);
    case NODE_ATOM:
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NAME: /* has no operands */
        assert(false);
        break;
    case NODE_NOT:
        break;
    }
    *out = dfa_new(left->states, left->symbols); /* '!' */
    memcpy(out->next, left->next, (size_t)left->states * left->symbols * sizeof *out->next);
    for (uint32_t s = 0; s < left->states; s++)
        out->accepts[s] = !left->accepts[s];
    out->start = left->start;
    return TAC_OK;
}

tac_status check_dfa_build(const struct check_tree *tree, const uint32_t *letters, size_t count,
                           struct check_dfa *out, tac_error *err)
{
    if (!tree->left) {
        *out = dfa_message(tree, letters, count);
        return TAC_OK;
    }
    assert(tree->kind != NODE_ATOM && tree->kind != NODE_TRUE);
    struct check_dfa left = {0}, right = {0};
    tac_status status = check_dfa_build(tree->left, letters, count, &left, err);
    if (status == TAC_OK && tree->right)
        status = check_dfa_build(tree->right, letters, count, &right, err);
    if (status == TAC_OK)
        status = combine(tree, &left, &right, out, err);
    if (status == TAC_OK)
        minimise(out);
    check_dfa_free(&left);
    check_dfa_free(&right);
    return status;
}
