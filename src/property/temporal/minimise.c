/* Minimisation by refinement (Moore): states stay together while they agree on acceptance, on their
 * clocks and, letter by letter, on the class they move to and on where clocks come from. Each round
 * is linear in the transitions; there are at most as many rounds as states.
 *
 * Afterwards each state gets its answer: true when no rejecting state can be reached, false when no
 * accepting one can, else presumably what it accepts. */
#include "base/check.h"
#include "property/temporal/temporal.h"

#include <string.h>

static size_t row_length(const struct automaton *automaton, size_t state)
{
    return automaton->first ? automaton->letters << automaton->clock_count[state]
                            : automaton->letters;
}

static size_t row_start(const struct automaton *automaton, size_t state)
{
    assert(state < automaton->states);
    return automaton->first ? automaton->first[state] : state * automaton->letters;
}

/* The classes of the next round; returns their number. */
static size_t refine(const struct automaton *automaton, uint32_t *class)
{
    tac_names signatures = {0};
    uint32_t *fresh = tac_alloc(automaton->states * sizeof *fresh);
    TAC_VEC(uint32_t) signature = {0};
    for (size_t s = 0; s < automaton->states; s++) {
        size_t start = row_start(automaton, s), length = row_length(automaton, s);
        signature.count = 0;
        tac_vec_push(&signature, class[s]);
        for (size_t i = start; i < start + length; i++) {
            uint32_t target = automaton->next[i];
            tac_vec_push(&signature, class[target]);
            for (size_t c = 0; automaton->first && c < automaton->clock_count[target]; c++)
                tac_vec_push(&signature, automaton->moves[i * AUTOMATON_CLOCKS + c]);
        }
        fresh[s] = tac_names_intern_bytes(&signatures, signature.at,
                                          signature.count * sizeof *signature.at);
    }
    size_t count = signatures.count;
    memcpy(class, fresh, automaton->states * sizeof *class);
    free(fresh);
    tac_vec_free(&signature);
    tac_names_free(&signatures);
    return count;
}

static size_t first_classes(const struct automaton *automaton, const uint8_t *accepting,
                            uint32_t *class)
{
    tac_names signatures = {0};
    for (size_t s = 0; s < automaton->states; s++) {
        uint32_t key[2 + AUTOMATON_CLOCKS] = {accepting[s]};
        if (automaton->first) {
            key[1] = automaton->clock_count[s];
            for (size_t c = 0; c < automaton->clock_count[s]; c++)
                key[2 + c] = automaton->clock_kinds[s * AUTOMATON_CLOCKS + c];
        }
        class[s] = tac_names_intern_bytes(&signatures, key, sizeof key);
    }
    size_t count = signatures.count;
    tac_names_free(&signatures);
    return count;
}

/* The small automaton accepts what the large one does: classes agree on acceptance, and on every
 * letter (and every set of clocks that ran out) they move to the class of the large one's target.
 */
__attribute__((unused)) static bool accepts_the_same(const struct automaton *large,
                                                     const struct automaton *small,
                                                     const uint32_t *class,
                                                     const uint8_t *large_accepting,
                                                     const uint8_t *small_accepting)
{
    if (small->start != class[large->start])
        return false;
    for (size_t s = 0; s < large->states; s++) {
        size_t from = row_start(large, s), length = row_length(large, s);
        size_t to = row_start(small, class[s]);
        if (class[s] >= small->states || length != row_length(small, class[s]) ||
            large_accepting[s] != small_accepting[class[s]])
            return false;
        for (size_t i = 0; i < length; i++)
            if (small->next[to + i] != class[large->next[from + i]])
                return false;
    }
    return true;
}

/* Keeps the first state of every class, numbered by class. */
static void merge(struct automaton *automaton, const uint32_t *class, size_t classes,
                  uint8_t *accepting)
{
    assert(classes > 0 && classes <= automaton->states);
    struct automaton small = *automaton;
    bool clocked = automaton->first != NULL;
    bool *done = tac_calloc(classes, sizeof *done);
    size_t *representative = tac_calloc(classes, sizeof *representative);
    for (size_t s = 0; s < automaton->states; s++)
        if (!done[class[s]]) {
            done[class[s]] = true;
            representative[class[s]] = s;
        }
    small.states = classes;
    small.start = class[automaton->start];
    small.next = tac_alloc((automaton->transitions + 1) * sizeof *small.next);
    small.first = clocked ? tac_calloc(classes, sizeof *small.first) : NULL;
    small.clock_count = clocked ? tac_calloc(classes, 1) : NULL;
    small.clock_kinds =
        clocked ? tac_calloc(classes * AUTOMATON_CLOCKS, sizeof *small.clock_kinds) : NULL;
    small.moves = clocked ? tac_alloc(automaton->transitions * AUTOMATON_CLOCKS) : NULL;
    uint8_t *kept = tac_calloc(classes, 1);
    size_t used = 0;
    for (size_t c = 0; c < classes; c++) {
        size_t s = representative[c];
        size_t start = row_start(automaton, s), length = row_length(automaton, s);
        kept[c] = accepting[s];
        if (clocked) {
            small.first[c] = (uint32_t)used;
            small.clock_count[c] = automaton->clock_count[s];
            memcpy(&small.clock_kinds[c * AUTOMATON_CLOCKS],
                   &automaton->clock_kinds[s * AUTOMATON_CLOCKS],
                   AUTOMATON_CLOCKS * sizeof *small.clock_kinds);
            memcpy(&small.moves[used * AUTOMATON_CLOCKS],
                   &automaton->moves[start * AUTOMATON_CLOCKS], length * AUTOMATON_CLOCKS);
        }
        for (size_t i = 0; i < length; i++)
            small.next[used++] = class[automaton->next[start + i]];
    }
    small.transitions = used;
    assert_costly(accepts_the_same(automaton, &small, class, accepting, kept));
    memcpy(accepting, kept, classes);
    free(kept);
    free(done);
    free(representative);
    free(automaton->next);
    free(automaton->first);
    free(automaton->clock_count);
    free(automaton->clock_kinds);
    free(automaton->moves);
    *automaton = small;
}

/* Which states can reach one that accepts (or, with wanted 0, one that rejects)? */
static void can_reach(const struct automaton *automaton, const uint8_t *accepting, uint8_t wanted,
                      uint8_t *out)
{
    for (size_t s = 0; s < automaton->states; s++)
        out[s] = accepting[s] == wanted;
    for (bool more = true; more;) {
        more = false;
        for (size_t s = 0; s < automaton->states; s++) {
            size_t start = row_start(automaton, s), length = row_length(automaton, s);
            for (size_t i = start; !out[s] && i < start + length; i++)
                if (out[automaton->next[i]]) {
                    out[s] = 1;
                    more = true;
                }
        }
    }
}

bool dfa_minimise(struct automaton *automaton, uint8_t *accepting, uint64_t most)
{
    assert(automaton->states > 0 && automaton->start < automaton->states);
    uint32_t *class = tac_alloc(automaton->states * sizeof *class);
    size_t classes = first_classes(automaton, accepting, class), before;
    uint64_t work = 0;
    do {
        before = classes;
        classes = refine(automaton, class);
        work += automaton->transitions / 4; /* a step here is a few bytes of a signature */
    } while (classes > before && work <= most);
    if (classes > before) {
        free(class);
        return false;
    }
    merge(automaton, class, classes, accepting);
    free(class);
    uint8_t *good = tac_alloc(automaton->states), *bad = tac_alloc(automaton->states);
    can_reach(automaton, accepting, 1, good);
    can_reach(automaton, accepting, 0, bad);
    automaton->answers = tac_alloc(automaton->states);
    for (size_t s = 0; s < automaton->states; s++)
        automaton->answers[s] = (uint8_t)(!bad[s]        ? TAC_HOLDS
                                          : !good[s]     ? TAC_VIOLATED
                                          : accepting[s] ? TAC_PRESUMABLY_HOLDS
                                                         : TAC_PRESUMABLY_VIOLATED);
    free(good);
    free(bad);
    return true;
}
