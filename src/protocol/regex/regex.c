/* Hash-consed terms with simplifying constructors, and their derivatives. See regex.h.
 *
 * Unions and intersections are kept right-nested and sorted by number without repeats; sequences
 * are right-nested. Predicates inside one union or intersection are merged into one. */
#include "protocol/regex/regex.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/order.h"

static uint32_t intern_term(struct regex_store *s, enum term_kind kind, bool nullable,
                            uint32_t left, uint32_t right)
{
    uint32_t key[3] = {(uint32_t)kind, left, right};
    uint32_t id = tac_names_intern_bytes(&s->term_keys, key, sizeof key);
    if (id == s->terms.count)
        tac_vec_push(&s->terms, (struct term){kind, nullable, left, right});
    return id;
}

void regex_init(struct regex_store *s)
{
    *s = (struct regex_store){0};
    uint32_t empty_set = tac_names_intern_bytes(&s->sets, "", 0);
    intern_term(s, TERM_KIND_EMPTY, false, 0, 0);
    intern_term(s, TERM_KIND_EPSILON, true, 0, 0);
    intern_term(s, TERM_KIND_ONE, false, empty_set, 1);
    intern_term(s, TERM_KIND_ALL, true, 0, 0);
}

void regex_free(struct regex_store *s)
{
    tac_vec_free(&s->terms);
    tac_names_free(&s->term_keys);
    tac_names_free(&s->sets);
    tac_u64map_free(&s->derivatives);
}

static size_t sort_unique(uint32_t *list, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(list, count, sizeof *list, tac_order_u32);
    for (size_t i = 0; i < count; i++)
        if (!kept || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return kept;
}

static uint32_t predicate(struct regex_store *s, const uint32_t *sorted, size_t count, bool negated)
{
    if (!count && !negated)
        return TERM_EMPTY;
    uint32_t set = tac_names_intern_bytes(&s->sets, sorted, count * sizeof *sorted);
    return intern_term(s, TERM_KIND_ONE, false, set, negated);
}

uint32_t regex_set(struct regex_store *s, uint32_t *letters, size_t count)
{
    return predicate(s, letters, sort_unique(letters, count), false);
}

static const uint32_t *set_letters(const struct regex_store *s, uint32_t set, size_t *count)
{
    *count = s->sets.length[set] / sizeof(uint32_t);
    return (const uint32_t *)(const void *)s->sets.text[set];
}

static bool set_has(const struct regex_store *s, uint32_t set, uint32_t letter)
{
    size_t count;
    const uint32_t *list = set_letters(s, set, &count);
    return bsearch(&letter, list, count, sizeof *list, tac_order_u32) != NULL;
}

enum set_operation { SET_UNION, SET_INTERSECTION, SET_DIFFERENCE };

static uint32_t combine_sets(struct regex_store *s, uint32_t left, uint32_t right,
                             enum set_operation operation, bool negated)
{
    size_t n, m, i = 0, j = 0, kept = 0;
    const uint32_t *a = set_letters(s, left, &n), *b = set_letters(s, right, &m);
    uint32_t *out = tac_alloc((n + m + 1) * sizeof *out);
    while (i < n || j < m) {
        if (j == m || (i < n && a[i] < b[j])) {
            if (operation != SET_INTERSECTION)
                out[kept++] = a[i];
            i++;
        } else if (i == n || b[j] < a[i]) {
            if (operation == SET_UNION)
                out[kept++] = b[j];
            j++;
        } else {
            if (operation != SET_DIFFERENCE)
                out[kept++] = a[i];
            i++;
            j++;
        }
    }
    uint32_t term = predicate(s, out, kept, negated);
    free(out);
    return term;
}

static uint32_t predicate_and(struct regex_store *s, struct term a, struct term b)
{
    if (a.right && b.right)
        return combine_sets(s, a.left, b.left, SET_UNION, true);
    if (a.right)
        return combine_sets(s, b.left, a.left, SET_DIFFERENCE, false);
    if (b.right)
        return combine_sets(s, a.left, b.left, SET_DIFFERENCE, false);
    return combine_sets(s, a.left, b.left, SET_INTERSECTION, false);
}

static uint32_t predicate_or(struct regex_store *s, struct term a, struct term b)
{
    if (a.right && b.right)
        return combine_sets(s, a.left, b.left, SET_INTERSECTION, true);
    if (a.right)
        return combine_sets(s, a.left, b.left, SET_DIFFERENCE, true);
    if (b.right)
        return combine_sets(s, b.left, a.left, SET_DIFFERENCE, true);
    return combine_sets(s, a.left, b.left, SET_UNION, false);
}

uint32_t regex_seq(struct regex_store *s, uint32_t left, uint32_t right)
{
    assert(left < s->terms.count && right < s->terms.count);
    if (left == TERM_EMPTY || right == TERM_EMPTY)
        return TERM_EMPTY;
    if (left == TERM_EPSILON)
        return right;
    if (right == TERM_EPSILON)
        return left;
    struct term l = s->terms.at[left];
    if (l.kind == TERM_KIND_SEQ)
        return regex_seq(s, l.left, regex_seq(s, l.right, right));
    struct term r = s->terms.at[right];
    if (left == TERM_ALL && (right == TERM_ALL || (r.kind == TERM_KIND_SEQ && r.left == TERM_ALL)))
        return right;
    return intern_term(s, TERM_KIND_SEQ, l.nullable && r.nullable, left, right);
}

/* Collects the members of a right-nested chain of `kind`. */
static void flatten(const struct regex_store *s, uint32_t term, enum term_kind kind, u32_vec *out)
{
    while (s->terms.at[term].kind == kind) {
        tac_vec_push(out, s->terms.at[term].left);
        term = s->terms.at[term].right;
    }
    tac_vec_push(out, term);
}

/* Folds all predicates of the list into the first, and for an intersection also "!predicate". */
static void merge_predicates(struct regex_store *s, enum term_kind kind, u32_vec *list)
{
    size_t first = SIZE_MAX, kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        uint32_t term = list->at[i];
        if (s->terms.at[term].kind != TERM_KIND_ONE) {
            list->at[kept++] = term;
        } else if (first == SIZE_MAX) {
            first = kept;
            list->at[kept++] = term;
        } else {
            struct term a = s->terms.at[list->at[first]], b = s->terms.at[term];
            uint32_t merged;
            if (a.kind != TERM_KIND_ONE)
                continue; /* the intersection is empty already */
            merged = kind == TERM_KIND_AND ? predicate_and(s, a, b) : predicate_or(s, a, b);
            list->at[first] = merged;
        }
    }
    list->count = kept;
    if (kind != TERM_KIND_AND || first == SIZE_MAX)
        return;
    kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct term t = s->terms.at[list->at[i]];
        struct term one = s->terms.at[list->at[first]];
        if (t.kind == TERM_KIND_NOT && one.kind == TERM_KIND_ONE &&
            s->terms.at[t.left].kind == TERM_KIND_ONE) {
            struct term inner = s->terms.at[t.left];
            struct term outside = {TERM_KIND_ONE, false, inner.left, !inner.right};
            list->at[first] = predicate_and(s, one, outside);
            continue;
        }
        if (i == first)
            first = kept;
        list->at[kept++] = list->at[i];
    }
    list->count = kept;
}

static uint32_t fold(struct regex_store *s, enum term_kind kind, uint32_t left, uint32_t right)
{
    assert(left < s->terms.count && right < s->terms.count);
    uint32_t unit = kind == TERM_KIND_AND ? TERM_ALL : TERM_EMPTY;
    uint32_t zero = kind == TERM_KIND_AND ? TERM_EMPTY : TERM_ALL;
    if (left == right || right == unit)
        return left;
    if (left == unit)
        return right;
    if (left == zero || right == zero)
        return zero;
    u32_vec list = {0};
    flatten(s, left, kind, &list);
    flatten(s, right, kind, &list);
    merge_predicates(s, kind, &list);
    list.count = sort_unique(list.at, list.count);
    bool nullable = kind == TERM_KIND_AND;
    for (size_t i = 0; i < list.count; i++) {
        bool n = s->terms.at[list.at[i]].nullable && list.at[i] != TERM_EPSILON;
        if (kind == TERM_KIND_OR)
            nullable = nullable || n;
        if (list.at[i] == zero) {
            tac_vec_free(&list);
            return zero;
        }
    }
    uint32_t term = unit;
    for (size_t i = list.count; i-- > 0;) {
        uint32_t item = list.at[i];
        if (item == unit || (kind == TERM_KIND_OR && item == TERM_EPSILON && nullable))
            continue; /* epsilon adds nothing to a union that has it */
        if (term == unit) {
            term = item;
            continue;
        }
        bool a = s->terms.at[item].nullable, b = s->terms.at[term].nullable;
        term = intern_term(s, kind, kind == TERM_KIND_AND ? a && b : a || b, item, term);
    }
    tac_vec_free(&list);
    return term;
}

uint32_t regex_and(struct regex_store *s, uint32_t left, uint32_t right)
{
    return fold(s, TERM_KIND_AND, left, right);
}

uint32_t regex_or(struct regex_store *s, uint32_t left, uint32_t right)
{
    return fold(s, TERM_KIND_OR, left, right);
}

uint32_t regex_not(struct regex_store *s, uint32_t term)
{
    assert(term < s->terms.count);
    if (term == TERM_EMPTY)
        return TERM_ALL;
    if (term == TERM_ALL)
        return TERM_EMPTY;
    struct term t = s->terms.at[term];
    if (t.kind == TERM_KIND_NOT)
        return t.left;
    return intern_term(s, TERM_KIND_NOT, !t.nullable, term, 0);
}

uint32_t regex_star(struct regex_store *s, uint32_t term)
{
    assert(term < s->terms.count);
    if (term == TERM_EMPTY || term == TERM_EPSILON)
        return TERM_EPSILON;
    if (term == TERM_ANY || term == TERM_ALL)
        return TERM_ALL;
    if (s->terms.at[term].kind == TERM_KIND_STAR)
        return term;
    return intern_term(s, TERM_KIND_STAR, true, term, 0);
}

static uint32_t derive(struct regex_store *s, uint32_t term, uint32_t letter)
{
    struct term t = s->terms.at[term];
    assert(term < s->terms.count);
    switch (t.kind) {
    case TERM_KIND_EMPTY:
    case TERM_KIND_EPSILON:
        return TERM_EMPTY;
    case TERM_KIND_ALL:
        return TERM_ALL;
    case TERM_KIND_ONE: {
        bool in = letter != LETTER_OTHER && set_has(s, t.left, letter);
        return in != (t.right == 1) ? TERM_EPSILON : TERM_EMPTY;
    }
    case TERM_KIND_SEQ: {
        uint32_t first = regex_seq(s, regex_derivative(s, t.left, letter), t.right);
        if (!regex_nullable(s, t.left))
            return first;
        return regex_or(s, first, regex_derivative(s, t.right, letter));
    }
    case TERM_KIND_AND: {
        uint32_t left = regex_derivative(s, t.left, letter);
        if (left == TERM_EMPTY)
            return left;
        return regex_and(s, left, regex_derivative(s, t.right, letter));
    }
    case TERM_KIND_OR: {
        uint32_t left = regex_derivative(s, t.left, letter);
        return regex_or(s, left, regex_derivative(s, t.right, letter));
    }
    case TERM_KIND_NOT:
        return regex_not(s, regex_derivative(s, t.left, letter));
    case TERM_KIND_STAR:
        return regex_seq(s, regex_derivative(s, t.left, letter), term);
    }
    return TERM_EMPTY;
}

uint32_t regex_derivative(struct regex_store *s, uint32_t term, uint32_t letter)
{
    uint64_t key = (uint64_t)term << 32 | letter;
    const uint64_t *known = tac_u64map_find(&s->derivatives, key);
    if (known)
        return (uint32_t)*known;
    uint32_t out = derive(s, term, letter);
    *tac_u64map_at(&s->derivatives, key, 0, NULL) = out;
    return out;
}

void regex_letters(const struct regex_store *s, uint32_t root, u32_vec *out)
{
    u32_vec stack = {0};
    size_t start = out->count;
    tac_u64map seen = {0};
    tac_vec_push(&stack, root);
    assert(root < s->terms.count);
    while (stack.count) {
        uint32_t term = tac_vec_pop(&stack);
        bool is_new;
        tac_u64map_at(&seen, term, 0, &is_new);
        if (!is_new)
            continue;
        struct term t = s->terms.at[term];
        if (t.kind == TERM_KIND_ONE) {
            size_t count;
            const uint32_t *list = set_letters(s, t.left, &count);
            tac_vec_append(out, list, count);
        } else if (t.kind == TERM_KIND_SEQ || t.kind == TERM_KIND_AND || t.kind == TERM_KIND_OR) {
            tac_vec_push(&stack, t.left);
            tac_vec_push(&stack, t.right);
        } else if (t.kind == TERM_KIND_NOT || t.kind == TERM_KIND_STAR) {
            tac_vec_push(&stack, t.left);
        }
    }
    if (out->count > start)
        out->count = start + sort_unique(out->at + start, out->count - start);
    tac_u64map_free(&seen);
    tac_vec_free(&stack);
}
