/* The decision-diagram interface against truth tables. */
#include "base/bdd/bdd.h"
#include "base/data/random.h"
#include "tactus_test.h"

#define VARIABLES 6
#define INPUTS (1u << VARIABLES)

/* Bit i of the table is the value on input i; variable v is bit v of i. */
static uint64_t table_of_variable(uint32_t v)
{
    uint64_t table = 0;
    for (unsigned i = 0; i < INPUTS; i++)
        table |= (uint64_t)(i >> v & 1) << i;
    return table;
}

static bool holds(tac_bdd a, const bool *values)
{
    while (a > TAC_BDD_TRUE)
        a = values[tac_bdd_top(a)] ? tac_bdd_high(a) : tac_bdd_low(a);
    return a == TAC_BDD_TRUE;
}

static uint64_t table_of(tac_bdd a)
{
    uint64_t table = 0;
    for (unsigned i = 0; i < INPUTS; i++) {
        bool values[64] = {0};
        for (unsigned v = 0; v < VARIABLES; v++)
            values[v] = i >> v & 1;
        table |= (uint64_t)holds(a, values) << i;
    }
    return table;
}

static void start(size_t variables)
{
    tac_bdd_limits limits = {.variables = variables};
    REQUIRE(tac_bdd_start(&limits, NULL) == TAC_OK);
}

TEST(operations_agree_with_truth_tables)
{
    tac_random random;
    tac_random_seed(&random, 11);
    start(VARIABLES);
    tac_bdd sets[8];
    uint64_t tables[8];
    for (uint32_t i = 0; i < 8; i++) {
        sets[i] = tac_bdd_var(i % VARIABLES);
        tables[i] = table_of_variable(i % VARIABLES);
    }
    for (size_t round = 0; round < test_scale(5000); round++) {
        uint64_t a = tac_random_below(&random, 8), b = tac_random_below(&random, 8);
        uint64_t to = tac_random_below(&random, 8);
        uint32_t v = (uint32_t)tac_random_below(&random, VARIABLES);
        uint64_t low = 0, high = 0, x = tables[a], y = tables[b];
        for (unsigned i = 0; i < INPUTS; i++) {
            low |= (x >> (i & ~(1u << v)) & 1) << i;
            high |= (x >> (i | 1u << v) & 1) << i;
        }
        tac_bdd set[] = {tac_bdd_and(sets[a], sets[b]),
                         tac_bdd_or(sets[a], sets[b]),
                         tac_bdd_xor(sets[a], sets[b]),
                         tac_bdd_diff(sets[a], sets[b]),
                         tac_bdd_implies(sets[a], sets[b]),
                         tac_bdd_iff(sets[a], sets[b]),
                         tac_bdd_not(sets[a]),
                         tac_bdd_exists(sets[a], tac_bdd_variables(&v, 1)),
                         tac_bdd_restrict(sets[a], tac_bdd_not_var(v)),
                         tac_bdd_ite(sets[a], sets[b], sets[to])};
        uint64_t table[] = {x & y,    x | y, x ^ y,      x & ~y, ~x | y,
                            ~(x ^ y), ~x,    low | high, low,    (x & y) | (~x & tables[to])};
        uint64_t k = tac_random_below(&random, sizeof table / sizeof *table);
        CHECK_EQ(table_of(set[k]), table[k]);
        CHECK_EQ(tac_bdd_subset(sets[a], sets[b]), (x & ~y) == 0);
        CHECK_EQ(tac_bdd_disjoint(sets[a], sets[b]), (x & y) == 0);
        sets[to] = set[k];
        tables[to] = table[k];
        mpz_t count;
        mpz_init(count);
        tac_bdd_count_full(set[k], VARIABLES, count);
        CHECK_EQ(mpz_get_ui(count), __builtin_popcountll(table[k]));
        mpz_clear(count);
    }
    tac_bdd_stop();
}

TEST(relational_products_and_renaming_step_through_a_counter)
{
    /* present bits 0,2,4, next bits 1,3,5: next = present + 1 modulo 8 */
    start(VARIABLES);
    static const uint32_t now[] = {0, 2, 4}, next[] = {1, 3, 5};
    tac_bdd relation = TAC_BDD_FALSE;
    for (uint64_t i = 0; i < 8; i++)
        relation = tac_bdd_or(
            relation, tac_bdd_and(tac_bdd_number(now, 3, i), tac_bdd_number(next, 3, (i + 1) % 8)));
    tac_bdd_pairs *back = tac_bdd_pairs_new(next, now, 3);
    tac_bdd at = tac_bdd_number(now, 3, 0);
    for (uint64_t step = 1; step <= 20; step++) {
        at = tac_bdd_and_exists(relation, at, tac_bdd_variables(now, 3));
        at = tac_bdd_rename(at, back);
        CHECK_EQ(at, tac_bdd_number(now, 3, step % 8));
    }
    tac_bdd_pairs_free(back);
    tac_bdd_stop();
}

static bool add_cube(void *context, const signed char *values)
{
    uint64_t *table = context;
    for (unsigned i = 0; i < INPUTS; i++) {
        bool inside = true;
        for (unsigned v = 0; v < VARIABLES; v++)
            inside = inside && (values[v] < 0 || (unsigned)values[v] == (i >> v & 1));
        if (inside) {
            CHECK(!(*table >> i & 1)); /* cubes are disjoint */
            *table |= (uint64_t)1 << i;
        }
    }
    return true;
}

TEST(cubes_first_and_shortest)
{
    start(VARIABLES);
    tac_bdd set =
        tac_bdd_or(tac_bdd_and(tac_bdd_var(0), tac_bdd_and(tac_bdd_var(1), tac_bdd_var(2))),
                   tac_bdd_and(tac_bdd_not_var(0), tac_bdd_var(5)));
    uint64_t table = 0;
    tac_bdd_each_cube(set, add_cube, &table);
    CHECK_EQ(table, table_of(set));
    signed char values[VARIABLES];
    tac_bdd_shortest(set, values);
    CHECK_EQ(values[0], 0);
    CHECK_EQ(values[1], -1);
    CHECK_EQ(values[5], 1);
    tac_bdd_first(set, values);
    CHECK_EQ(values[0], 0);
    CHECK_EQ(values[5], 1);
    tac_bdd_stop();
}

TEST(counts_are_exact_with_thousands_of_variables)
{
    start(3000);
    mpz_t mantissa;
    uint64_t shift;
    mpz_init(mantissa);
    tac_bdd set = tac_bdd_and(tac_bdd_var(0), tac_bdd_or(tac_bdd_var(2000), tac_bdd_not_var(5)));
    tac_bdd_count(set, 3000, mantissa, &shift);
    CHECK_EQ(mpz_get_ui(mantissa), 3);
    CHECK_EQ(shift, 2997);
    tac_bdd any = TAC_BDD_FALSE; /* at least one of 100: 2^100 - 1 */
    for (uint32_t v = 0; v < 100; v++)
        any = tac_bdd_or(any, tac_bdd_var(v * 7));
    tac_bdd_count_full(any, 100, mantissa);
    char *text = mpz_get_str(NULL, 10, mantissa);
    CHECK_STR(text, "1267650600228229401496703205375");
    /* few variables with high numbers */
    tac_bdd_count_full(tac_bdd_or(tac_bdd_var(1), tac_bdd_var(2999)), 2, mantissa);
    CHECK_EQ(mpz_get_ui(mantissa), 3);
    tac_bdd_count_full(tac_bdd_or(tac_bdd_var(1), tac_bdd_var(30)), 40, mantissa);
    CHECK_EQ(mpz_get_ui(mantissa), (3ull << 38));
    free(text);
    mpz_clear(mantissa);
    tac_bdd_stop();
}

static tac_bdd explosive(uint32_t pairs)
{
    tac_bdd set = TAC_BDD_FALSE;
    size_t scope = tac_bdd_scope();
    for (uint32_t v = 0; v < pairs && !tac_bdd_failed(); v++)
        set = tac_bdd_leave_with(
            scope, tac_bdd_or(set, tac_bdd_and(tac_bdd_var(v), tac_bdd_var(v + pairs))));
    return set;
}

TEST(a_failure_is_sticky_reported_and_recoverable)
{
    tac_error err = {0};
    start(80);
    tac_bdd kept = tac_bdd_keep(tac_bdd_and(tac_bdd_var(1), tac_bdd_var(2)));
    tac_bdd_budget(20000);
    size_t scope = tac_bdd_scope();
    explosive(40);
    CHECK(tac_bdd_failed());
    CHECK_EQ(tac_bdd_or(kept, tac_bdd_var(3)), TAC_BDD_FALSE);
    CHECK_EQ(tac_bdd_check("this", &err), TAC_E_LIMIT);
    CHECK_CONTAINS(err.message, "this needs more than");
    CHECK(tac_bdd_recover());
    tac_bdd_leave(scope);
    CHECK(!tac_bdd_failed());
    CHECK_EQ(tac_bdd_and(tac_bdd_var(1), tac_bdd_var(2)), kept);
    /* No result of the failed operation is left in the caches. */
    tac_bdd_budget(0);
    static const uint32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    CHECK_EQ(tac_bdd_exists(explosive(6), tac_bdd_variables(all, 12)), TAC_BDD_TRUE);
    tac_bdd_drop(kept);
    tac_bdd_stop();
}

TEST(there_is_one_manager_and_memory_can_be_restricted)
{
    tac_error err = {0};
    tac_bdd_limits limits = {.variables = 80, .max_bytes = (size_t)1 << 20};
    REQUIRE(tac_bdd_start(&limits, NULL) == TAC_OK);
    CHECK_EQ(tac_bdd_start(&limits, &err), TAC_E_INTERNAL);
    explosive(40);
    CHECK_EQ(tac_bdd_check("this", &err), TAC_E_LIMIT);
    tac_bdd_stop();
    limits.max_bytes = 1000;
    CHECK_EQ(tac_bdd_start(&limits, &err), TAC_E_LIMIT);
    CHECK_CONTAINS(err.message, "allow more memory");
    start(4);
    tac_bdd_stop();
}
