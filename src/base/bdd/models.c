/* Models of a decision diagram: exact numbers of them, the first, the shortest cube, all cubes.
 *
 * BuDDy counts with doubles, which are NaN with thousands of variables. Here the diagram's nodes
 * are listed children first; levels are ranked within the diagram's own support, so that the count
 * over the support fits 64 bits in all common cases (and GMP takes over beyond 62 variables), and
 * every variable outside the support is one more factor of two. Linear in the nodes. */
#include "base/bdd/bdd.h"
#include "base/data/map.h"
#include "base/data/order.h"
#include "base/data/vec.h"

/* One inner node; low and high are places in the list, or the constants below. */
struct node {
    uint32_t variable, low, high;
};
enum { LIST_FALSE = 0, LIST_TRUE = 1, LIST_FIRST = 2 };

struct listing {
    TAC_VEC(struct node) nodes; /* children before parents; places start at LIST_FIRST */
    TAC_VEC(uint32_t) support;  /* sorted, distinct */
    tac_u64map place;
};

static uint32_t list_node(struct listing *list, tac_bdd a)
{
    if (a <= TAC_BDD_TRUE)
        return a == TAC_BDD_TRUE ? LIST_TRUE : LIST_FALSE;
    uint64_t *known = tac_u64map_find(&list->place, (uint64_t)a);
    if (known)
        return (uint32_t)*known;
    struct node node = {.variable = tac_bdd_top(a)};
    node.low = list_node(list, tac_bdd_low(a));
    node.high = list_node(list, tac_bdd_high(a));
    tac_vec_push(&list->nodes, node);
    uint32_t place = (uint32_t)(list->nodes.count - 1 + LIST_FIRST);
    tac_u64map_at(&list->place, (uint64_t)a, place, NULL);
    return place;
}

static void list_open(struct listing *list, tac_bdd a)
{
    memset(list, 0, sizeof *list);
    list_node(list, a);
    for (size_t i = 0; i < list->nodes.count; i++)
        tac_vec_push(&list->support, list->nodes.at[i].variable);
    if (list->support.count == 0)
        return;
    qsort(list->support.at, list->support.count, sizeof *list->support.at, tac_order_u32);
    size_t distinct = 1;
    for (size_t i = 1; i < list->support.count; i++)
        if (list->support.at[i] != list->support.at[distinct - 1])
            list->support.at[distinct++] = list->support.at[i];
    list->support.count = distinct;
}

static void list_close(struct listing *list)
{
    tac_vec_free(&list->nodes);
    tac_vec_free(&list->support);
    tac_u64map_free(&list->place);
}

static uint32_t rank_of(const struct listing *list, uint32_t variable)
{
    size_t low = 0, high = list->support.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->support.at[middle] < variable)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

/* ranks[place]: of a node its variable's rank, of a constant the size of the support. */
static uint32_t *ranks_of(const struct listing *list)
{
    uint32_t *ranks = tac_alloc((list->nodes.count + LIST_FIRST) * sizeof *ranks);
    ranks[LIST_FALSE] = ranks[LIST_TRUE] = (uint32_t)list->support.count;
    for (size_t i = 0; i < list->nodes.count; i++)
        ranks[i + LIST_FIRST] = rank_of(list, list->nodes.at[i].variable);
    return ranks;
}

static uint64_t count_small(const struct listing *list)
{
    uint32_t *ranks = ranks_of(list);
    uint64_t *counts = tac_alloc((list->nodes.count + LIST_FIRST) * sizeof *counts);
    counts[LIST_FALSE] = 0;
    counts[LIST_TRUE] = 1;
    for (size_t i = 0; i < list->nodes.count; i++) {
        struct node node = list->nodes.at[i];
        uint32_t below = ranks[i + LIST_FIRST] + 1;
        counts[i + LIST_FIRST] = (counts[node.low] << (ranks[node.low] - below)) +
                                 (counts[node.high] << (ranks[node.high] - below));
    }
    uint64_t count = counts[list->nodes.count + LIST_FIRST - 1];
    free(counts);
    free(ranks);
    return count;
}

static void count_large(const struct listing *list, mpz_t out)
{
    uint32_t *ranks = ranks_of(list);
    size_t places = list->nodes.count + LIST_FIRST;
    mpz_t *counts = tac_alloc(places * sizeof *counts);
    mpz_t half;
    mpz_init(half);
    mpz_init_set_ui(counts[LIST_FALSE], 0);
    mpz_init_set_ui(counts[LIST_TRUE], 1);
    for (size_t i = 0; i < list->nodes.count; i++) {
        struct node node = list->nodes.at[i];
        uint32_t below = ranks[i + LIST_FIRST] + 1;
        mpz_init(counts[i + LIST_FIRST]);
        mpz_mul_2exp(counts[i + LIST_FIRST], counts[node.low], ranks[node.low] - below);
        mpz_mul_2exp(half, counts[node.high], ranks[node.high] - below);
        mpz_add(counts[i + LIST_FIRST], counts[i + LIST_FIRST], half);
    }
    mpz_set(out, counts[places - 1]);
    for (size_t i = 0; i < places; i++)
        mpz_clear(counts[i]);
    mpz_clear(half);
    free(counts);
    free(ranks);
}

/* The common small case without any allocation: up to 62 variables and QUICK_NODES nodes. */
#define QUICK_SLOTS 1024u
#define QUICK_NODES 512u

struct quick {
    int keys[QUICK_SLOTS]; /* 0 = free */
    uint64_t counts[QUICK_SLOTS];
    uint32_t used, variables;
};

static uint32_t quick_level(const struct quick *quick, tac_bdd a)
{
    return a <= TAC_BDD_TRUE ? quick->variables : tac_bdd_top(a);
}

/* Models over the variables from a's own on. */
static uint64_t quick_count(struct quick *quick, tac_bdd a)
{
    if (a <= TAC_BDD_TRUE)
        return (uint64_t)a;
    uint32_t slot = (uint32_t)a * 2654435761u >> 22;
    while (quick->keys[slot] && quick->keys[slot] != a)
        slot = (slot + 1) % QUICK_SLOTS;
    if (quick->keys[slot] == a)
        return quick->counts[slot];
    if (tac_bdd_top(a) >= quick->variables) /* numbered beyond: only the long way ranks them */
        quick->used = QUICK_NODES + 1;
    if (quick->used > QUICK_NODES)
        return 0;
    tac_bdd low = tac_bdd_low(a), high = tac_bdd_high(a);
    uint32_t below = tac_bdd_top(a) + 1;
    uint64_t low_count = quick_count(quick, low), high_count = quick_count(quick, high);
    if (quick->used > QUICK_NODES)
        return 0;
    uint64_t count = (low_count << (quick_level(quick, low) - below)) +
                     (high_count << (quick_level(quick, high) - below));
    slot = (uint32_t)a * 2654435761u >> 22;
    while (quick->keys[slot])
        slot = (slot + 1) % QUICK_SLOTS;
    quick->keys[slot] = a;
    quick->counts[slot] = count;
    quick->used++;
    return count;
}

/* False when the diagram is too large for the quick way. */
static bool count_quickly(tac_bdd a, size_t variables, mpz_t mantissa, uint64_t *shift)
{
    struct quick quick;
    if (variables > 62)
        return false;
    memset(quick.keys, 0, sizeof quick.keys);
    quick.used = 0;
    quick.variables = (uint32_t)variables;
    uint64_t count = quick_count(&quick, a);
    if (quick.used > QUICK_NODES)
        return false;
    count <<= tac_bdd_top(a);
    unsigned twos = (unsigned)__builtin_ctzll(count);
    mpz_set_ui(mantissa, count >> twos);
    *shift = twos;
    return true;
}

void tac_bdd_count(tac_bdd a, size_t variables, mpz_t mantissa, uint64_t *shift)
{
    *shift = 0;
    if (a <= TAC_BDD_TRUE) {
        mpz_set_ui(mantissa, a == TAC_BDD_TRUE);
        *shift = a == TAC_BDD_TRUE ? variables : 0;
        return;
    }
    if (count_quickly(a, variables, mantissa, shift))
        return;
    struct listing list;
    list_open(&list, a);
    if (list.support.count <= 62)
        mpz_set_ui(mantissa, count_small(&list));
    else
        count_large(&list, mantissa);
    mp_bitcnt_t twos = mpz_scan1(mantissa, 0);
    mpz_tdiv_q_2exp(mantissa, mantissa, twos);
    *shift = variables - list.support.count + twos;
    list_close(&list);
}

void tac_bdd_count_full(tac_bdd a, size_t variables, mpz_t out)
{
    uint64_t shift;
    tac_bdd_count(a, variables, out, &shift);
    mpz_mul_2exp(out, out, shift);
}

void tac_bdd_first(tac_bdd a, signed char *values)
{
    memset(values, -1, tac_bdd_variable_count());
    while (a > TAC_BDD_TRUE) {
        bool high = tac_bdd_low(a) == TAC_BDD_FALSE;
        values[tac_bdd_top(a)] = high;
        a = high ? tac_bdd_high(a) : tac_bdd_low(a);
    }
}

void tac_bdd_shortest(tac_bdd a, signed char *values)
{
    memset(values, -1, tac_bdd_variable_count());
    struct listing list;
    list_open(&list, a);
    uint32_t *literals = tac_alloc((list.nodes.count + LIST_FIRST) * sizeof *literals);
    literals[LIST_FALSE] = UINT32_MAX / 2;
    literals[LIST_TRUE] = 0;
    for (size_t i = 0; i < list.nodes.count; i++) {
        uint32_t low = literals[list.nodes.at[i].low], high = literals[list.nodes.at[i].high];
        literals[i + LIST_FIRST] = (low <= high ? low : high) + 1;
    }
    uint32_t place = (uint32_t)list.nodes.count + LIST_FIRST - 1;
    while (place >= LIST_FIRST) {
        struct node node = list.nodes.at[place - LIST_FIRST];
        bool high = literals[node.high] < literals[node.low];
        values[node.variable] = high;
        place = high ? node.high : node.low;
    }
    free(literals);
    list_close(&list);
}

struct cube_walk {
    bool (*visit)(void *context, const signed char *values);
    void *context;
    signed char *values;
};

static bool walk_cubes(struct cube_walk *walk, tac_bdd a)
{
    if (a == TAC_BDD_FALSE)
        return true;
    if (a == TAC_BDD_TRUE)
        return walk->visit(walk->context, walk->values);
    uint32_t variable = tac_bdd_top(a);
    walk->values[variable] = 0;
    bool more = walk_cubes(walk, tac_bdd_low(a));
    walk->values[variable] = 1;
    more = more && walk_cubes(walk, tac_bdd_high(a));
    walk->values[variable] = -1;
    return more;
}

void tac_bdd_each_cube(tac_bdd a, bool (*visit)(void *context, const signed char *values),
                       void *context)
{
    size_t variables = tac_bdd_variable_count();
    struct cube_walk walk = {visit, context, tac_alloc(variables + 1)};
    memset(walk.values, -1, variables);
    walk_cubes(&walk, a);
    free(walk.values);
}
