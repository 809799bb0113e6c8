/* From a term to its minimal Mealy machine.
 *
 * States are the term's derivatives. Letters that no predicate of the term tells apart form one
 * class, so the work does not grow with the alphabet. A rule "TRUE[*]; m" fires on m whatever came
 * before: with the output on the edge it needs one state only, hence no memory at all. Minimised by
 * partition refinement: O(states^2 * classes) at worst, and rules are small. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/regex/regex.h"
#include <string.h>

/* Numbers the classes of letters by which predicates of the term hold them. */
static void find_classes(struct regex_store *s, uint32_t term, struct automaton *a,
                         u32_vec *representatives)
{
    u32_vec letters = {0}, terms = {0}, stack = {0};
    regex_letters(s, term, &letters);
    tac_u64map seen = {0};
    tac_vec_push(&stack, term);
    while (stack.count) { /* the distinct predicates */
        uint32_t index = tac_vec_pop(&stack);
        bool is_new;
        tac_u64map_at(&seen, index, 0, &is_new);
        struct term t = s->terms.at[index];
        if (!is_new)
            continue;
        if (t.kind == TERM_KIND_ONE)
            tac_vec_push(&terms, index);
        if (term_operands(t.kind) > 0)
            tac_vec_push(&stack, t.left);
        if (term_operands(t.kind) == 2)
            tac_vec_push(&stack, t.right);
    }
    a->letter_count = (uint32_t)letters.count;
    a->letters = letters.at;
    a->letter_class = tac_calloc(letters.count + 1, sizeof *a->letter_class);
    tac_names signatures = {0};
    uint8_t *signature = tac_calloc(terms.count + 1, 1);
    tac_vec_push(representatives, LETTER_OTHER);
    for (size_t k = 0; k < terms.count; k++)
        signature[k] = regex_derivative(s, terms.at[k], LETTER_OTHER) == TERM_EPSILON;
    tac_names_intern_bytes(&signatures, signature, terms.count);
    for (size_t i = 0; i < letters.count; i++) {
        for (size_t k = 0; k < terms.count; k++)
            signature[k] = regex_derivative(s, terms.at[k], letters.at[i]) == TERM_EPSILON;
        uint32_t class = tac_names_intern_bytes(&signatures, signature, terms.count);
        assert(class <= representatives->count);
        a->letter_class[i] = class;
        if (class == representatives->count)
            tac_vec_push(representatives, letters.at[i]);
    }
    a->classes = (uint32_t)representatives->count;
    assert(a->classes == signatures.count && a->classes <= a->letter_count + 1);
    free(signature);
    tac_names_free(&signatures);
    tac_u64map_free(&seen);
    tac_vec_free(&terms);
    tac_vec_free(&stack);
}

/* Explores the derivatives; `terms` holds the term of each state. */
static tac_status explore(struct regex_store *s, uint32_t term, struct automaton *a,
                          const u32_vec *representatives, u32_vec *terms, u32_vec *next,
                          tac_error *err)
{
    tac_u64map states = {0};
    tac_u64map_at(&states, term, 0, NULL);
    tac_vec_push(terms, term);
    tac_status status = TAC_OK;
    size_t before = s->terms.count;
    for (size_t state = 0; state < terms->count && status == TAC_OK; state++)
        for (uint32_t c = 0; c < a->classes; c++) {
            uint32_t to = regex_derivative(s, terms->at[state], representatives->at[c]);
            bool is_new;
            uint64_t number = *tac_u64map_at(&states, to, terms->count, &is_new);
            if (is_new)
                tac_vec_push(terms, to);
            tac_vec_push(next, (uint32_t)number);
            if (terms->count > AUTOMATON_MAX_STATES ||
                s->terms.count - before > AUTOMATON_MAX_TERMS) {
                status = tac_fail(err, TAC_E_LIMIT,
                                  "the rule's automaton passes %d states: simplify the expression",
                                  AUTOMATON_MAX_STATES);
                break;
            }
        }
    tac_u64map_free(&states);
    assert(status != TAC_OK || next->count == terms->count * a->classes);
    return status;
}

/* Splits blocks by (outputs, successor blocks) until nothing changes. block[] gets the result. */
static uint32_t refine(uint32_t states, uint32_t classes, const uint32_t *next,
                       const uint8_t *accepting, uint32_t *block)
{
    uint32_t blocks = 1;
    memset(block, 0, states * sizeof *block);
    uint32_t *fresh = tac_alloc((states + 1) * sizeof *fresh);
    uint32_t *key = tac_alloc((2 * (size_t)classes + 1) * sizeof *key);
    for (;;) {
        tac_names keys = {0};
        for (uint32_t s = 0; s < states; s++) {
            key[0] = block[s];
            for (uint32_t c = 0; c < classes; c++) {
                uint32_t to = next[s * classes + c];
                key[1 + 2 * c] = accepting[to];
                key[2 + 2 * c] = block[to];
            }
            fresh[s] = tac_names_intern_bytes(&keys, key, (2 * (size_t)classes + 1) * sizeof *key);
        }
        uint32_t count = (uint32_t)keys.count;
        assert(count >= blocks); /* blocks are split, never joined */
        tac_names_free(&keys);
        memcpy(block, fresh, states * sizeof *block);
        if (count == blocks)
            break;
        blocks = count;
    }
    free(fresh);
    free(key);
    assert(blocks <= states);
    return blocks;
}

/* Does each block do what all its states do? Then the machine fires when the term's words end. */
static bool same_firing(const struct automaton *a, const uint32_t *next, const uint8_t *accepting,
                        const uint32_t *block, uint32_t states)
{
    for (uint32_t i = 0; i < states; i++)
        for (uint32_t c = 0; c < a->classes; c++) {
            uint32_t to = next[i * a->classes + c], edge = block[i] * a->classes + c;
            if (a->next[edge] != block[to] || a->fires[edge] != accepting[to])
                return false;
        }
    return true;
}

tac_status automaton_build(struct regex_store *s, uint32_t term, struct automaton *out,
                           tac_error *err)
{
    struct automaton a = {.fires_at_start = regex_nullable(s, term)};
    u32_vec representatives = {0}, terms = {0}, next = {0};
    assert(term < s->terms.count);
    find_classes(s, term, &a, &representatives);
    tac_status status = explore(s, term, &a, &representatives, &terms, &next, err);
    if (status == TAC_OK) {
        uint32_t states = (uint32_t)terms.count;
        uint8_t *accepting = tac_calloc(states, 1);
        uint32_t *block = tac_alloc(states * sizeof *block);
        for (uint32_t i = 0; i < states; i++)
            accepting[i] = regex_nullable(s, terms.at[i]);
        a.states = refine(states, a.classes, next.at, accepting, block);
        a.next = tac_calloc((size_t)a.states * a.classes, sizeof *a.next);
        a.fires = tac_calloc((size_t)a.states * a.classes, 1);
        for (uint32_t i = 0; i < states; i++)
            for (uint32_t c = 0; c < a.classes; c++) {
                uint32_t to = next.at[i * a.classes + c];
                a.next[block[i] * a.classes + c] = block[to];
                a.fires[block[i] * a.classes + c] = accepting[to];
            }
        a.initial = block[0];
        assert_costly(same_firing(&a, next.at, accepting, block, states));
        free(accepting);
        free(block);
        *out = a;
    } else {
        automaton_free(&a);
    }
    tac_vec_free(&representatives);
    tac_vec_free(&terms);
    tac_vec_free(&next);
    return status;
}

void automaton_free(struct automaton *a)
{
    free(a->next);
    free(a->fires);
    free(a->letters);
    free(a->letter_class);
    *a = (struct automaton){0};
}

uint32_t automaton_class(const struct automaton *a, uint32_t letter)
{
    uint32_t low = 0, high = a->letter_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->letters[middle] < letter)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->letter_count && a->letters[low] == letter ? a->letter_class[low] : 0;
}
