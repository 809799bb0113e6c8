/* Automata against a naive evaluator of finite-trace formulas on random formulas and traces, and
 * the sizes of the known families. */
#include "property_support.h"
#include "tactus_test.h"

#include "base/data/random.h"
#include "base/data/str.h"
#include "property/property.h"

enum op { P, Q, R, NOT, AND, OR, IMPLIES, NEXT, ALWAYS, EVENTUALLY, UNTIL };
enum bound { NO_BOUND, STEPS, SECONDS };

struct tree {
    enum op op;
    enum bound bound;
    bool strict;
    int amount;
    int a, b;
};

struct forest {
    struct tree at[128];
    int count;
};

static int grow(struct forest *forest, tac_random *random, int depth)
{
    struct tree tree = {0};
    enum op op = depth <= 0 ? (enum op)tac_random_below(random, 3)
                            : (enum op)tac_random_below(random, UNTIL + 1);
    tree.op = op;
    if (op >= NOT) {
        tree.a = grow(forest, random, depth - 1);
        if ((op >= AND && op <= IMPLIES) || op == UNTIL)
            tree.b = grow(forest, random, depth - 1);
    }
    if (op >= NEXT && tac_random_below(random, 2)) {
        tree.bound = tac_random_below(random, 2) ? STEPS : SECONDS;
        tree.amount = (int)tac_random_below(random, 5);
        tree.strict = tac_random_below(random, 3) == 0;
        /* a step bound beyond what is counted in states now and then: the counter */
        if (tree.bound == STEPS && tac_random_below(random, 4) == 0)
            tree.amount = 100;
    }
    forest->at[forest->count] = tree;
    return forest->count++;
}

static int add_tree(struct forest *forest, enum op op, int a, int b)
{
    forest->at[forest->count] = (struct tree){.op = op, .a = a, .b = b};
    return forest->count++;
}

/* always (atom -> bounded operator): several obligations of one clock run at once. */
static int grow_response(struct forest *forest, tac_random *random)
{
    enum op op = (enum op)(ALWAYS + tac_random_below(random, 3));
    int a = grow(forest, random, tac_random_below(random, 3) == 0);
    int b = op == UNTIL ? grow(forest, random, 0) : 0;
    int inner = add_tree(forest, op, a, b);
    forest->at[inner].bound = tac_random_below(random, 3) ? SECONDS : STEPS;
    forest->at[inner].amount = 1 + (int)tac_random_below(random, 4);
    forest->at[inner].strict = tac_random_below(random, 3) == 0;
    int cause = add_tree(forest, (enum op)tac_random_below(random, 3), 0, 0);
    int root = add_tree(forest, ALWAYS, add_tree(forest, IMPLIES, cause, inner), 0);
    return tac_random_below(random, 4) ? root : add_tree(forest, NOT, root, 0);
}

static void write_tree(const struct forest *forest, int at, tac_str *out)
{
    static const char *const words[] = {"p",    "q",    "r",      "not ",       " and ", " or ",
                                        " -> ", "next", "always", "eventually", " until"};
    const struct tree *tree = &forest->at[at];
    if (tree->op < NOT) {
        tac_str_add(out, words[tree->op]);
        return;
    }
    tac_str_add_char(out, '(');
    bool binary = (tree->op >= AND && tree->op <= IMPLIES) || tree->op == UNTIL;
    if (binary)
        write_tree(forest, tree->a, out);
    tac_str_add(out, words[tree->op]);
    if (tree->bound)
        tac_str_addf(out, "[%s %d%s]", tree->strict ? "<" : "<=", tree->amount,
                     tree->bound == SECONDS ? " s" : "");
    tac_str_add_char(out, ' ');
    write_tree(forest, binary ? tree->b : tree->a, out);
    tac_str_add_char(out, ')');
}

/* Is state j within the bound of an operator that stands in state i? */
static bool within(const struct tree *tree, const struct small_trace *t, size_t i, size_t j)
{
    int64_t distance = tree->bound == STEPS ? (int64_t)(j - i) : t->time[j] - t->time[i];
    int64_t limit = tree->bound == STEPS ? tree->amount : tree->amount * (int64_t)1000000000;
    return tree->bound == NO_BOUND || (tree->strict ? distance < limit : distance <= limit);
}

static bool holds(const struct forest *forest, int at, const struct small_trace *t, size_t i)
{
    const struct tree *tree = &forest->at[at];
    switch (tree->op) {
    case P:
        return t->p[i] > 0;
    case Q:
        return t->q[i] > 0;
    case R:
        return t->r[i] > 0;
    case NOT:
        return !holds(forest, tree->a, t, i);
    case AND:
        return holds(forest, tree->a, t, i) && holds(forest, tree->b, t, i);
    case OR:
        return holds(forest, tree->a, t, i) || holds(forest, tree->b, t, i);
    case IMPLIES:
        return !holds(forest, tree->a, t, i) || holds(forest, tree->b, t, i);
    case NEXT:
        return i + 1 < t->count && within(tree, t, i, i + 1) && holds(forest, tree->a, t, i + 1);
    case ALWAYS:
        for (size_t j = i; j < t->count; j++)
            if (within(tree, t, i, j) && !holds(forest, tree->a, t, j))
                return false;
        return true;
    case EVENTUALLY:
        for (size_t j = i; j < t->count; j++)
            if (within(tree, t, i, j) && holds(forest, tree->a, t, j))
                return true;
        return false;
    default:
        for (size_t j = i; j < t->count && within(tree, t, i, j); j++) {
            if (holds(forest, tree->b, t, j))
                return true;
            if (!holds(forest, tree->a, t, j))
                return false;
        }
        return false;
    }
}

static void random_trace(struct small_trace *t, tac_random *random)
{
    t->count = 1 + tac_random_below(random, 9);
    int64_t time = 0;
    for (size_t i = 0; i < t->count; i++) {
        t->p[i] = (double)tac_random_below(random, 2);
        t->q[i] = (double)tac_random_below(random, 2);
        t->r[i] = (double)tac_random_below(random, 2);
        t->x[i] = 0;
        t->time[i] = time;
        time += (int64_t)tac_random_below(random, 4) * 500000000;
    }
}

/* State by state: at every prefix the automaton accepts exactly what the evaluator accepts, and a
 * verdict that fell stays. */
static size_t disagreements(tac_monitor *monitor, const struct forest *forest, int root,
                            struct small_trace *t)
{
    size_t wrong = 0, length = t->count;
    bool decided = false;
    tac_answer verdict = TAC_INCONCLUSIVE;
    tac_monitor_reset(monitor);
    for (t->count = 1; t->count <= length; t->count++) {
        tac_property_result result;
        feed_small(monitor, t, t->count - 1, t->count);
        tac_monitor_result(monitor, 0, true, &result);
        bool accepts = result.answer == TAC_HOLDS || result.answer == TAC_PRESUMABLY_HOLDS;
        wrong += accepts != holds(forest, root, t, 0);
        wrong += decided && result.answer != verdict;
        decided = result.decided;
        verdict = result.answer;
    }
    t->count = length;
    return wrong;
}

TEST(automata_agree_with_a_naive_evaluator)
{
    tac_random random;
    tac_random_seed(&random, 2026);
    size_t pairs = 0, wrong = 0, refused = 0, clocked = 0;
    while (pairs < test_scale(10000)) {
        struct forest forest = {.count = 0};
        struct small_trace t;
        tac_str text = {0};
        tac_diagnostics found = {0};
        tac_properties *properties = NULL;
        tac_monitor *monitor;
        tac_error err;
        int root = tac_random_below(&random, 4)
                       ? grow(&forest, &random, 1 + (int)tac_random_below(&random, 4))
                       : grow_response(&forest, &random);
        tac_str_add(&text, "property f: ");
        write_tree(&forest, root, &text);
        if (tac_property_parse("f", tac_str_text(&text), text.length, &found, &properties, &err) !=
            TAC_OK) {
            refused++;
        } else {
            size_t states, clocks;
            tac_property_automaton(properties, 0, &states, &clocks);
            clocked += clocks > 0;
            REQUIRE(tac_monitor_new(properties, NULL, &monitor, &err) == TAC_OK);
            random_trace(&t, &random);
            bool fits = try_small(monitor, &t, 0, t.count);
            refused += !fits;
            for (int k = 0; fits && k < 4; k++, pairs++) {
                random_trace(&t, &random);
                size_t bad = disagreements(monitor, &forest, root, &t);
                if (bad && !wrong)
                    test_fail(__FILE__, __LINE__, "%s", tac_str_text(&text));
                wrong += bad;
            }
            tac_monitor_free(monitor);
            tac_property_free(properties);
        }
        tac_diagnostics_free(&found);
        tac_str_free(&text);
    }
    CHECK_EQ(wrong, 0);
    CHECK(clocked > test_scale(200));
    printf("  %zu pairs, %zu formulas with clocks, %zu refused as too large\n", pairs, clocked,
           refused);
    CHECK(refused * 50 < pairs);
}

/* Decided exactly when no continuation can change the answer: against all continuations. */
static bool can_change(const struct forest *forest, int root, struct small_trace *t, bool now,
                       size_t more)
{
    if (more == 0)
        return false;
    size_t at = t->count++;
    t->time[at] = t->time[at - 1] + 1000000000;
    bool found = false;
    for (unsigned letter = 0; letter < 8 && !found; letter++) {
        t->p[at] = letter & 1;
        t->q[at] = letter >> 1 & 1;
        t->r[at] = letter >> 2;
        found = holds(forest, root, t, 0) != now || can_change(forest, root, t, now, more - 1);
    }
    t->count = at;
    return found;
}

TEST(verdicts_fall_as_early_as_they_can)
{
    tac_random random;
    tac_random_seed(&random, 7);
    size_t late = 0, early = 0, seen = 0;
    for (size_t round = 0; round < test_scale(1500); round++) {
        struct forest forest = {.count = 0};
        int root = grow(&forest, &random, 2);
        bool plain = true;
        for (int i = 0; i < forest.count; i++)
            plain &= forest.at[i].bound == NO_BOUND ||
                     (forest.at[i].bound == STEPS && forest.at[i].amount < 3);
        if (!plain)
            continue;
        tac_str text = {0};
        tac_str_add(&text, "property f: ");
        write_tree(&forest, root, &text);
        tac_properties *properties = properties_of(tac_str_text(&text));
        tac_monitor *monitor;
        tac_error err;
        REQUIRE(tac_monitor_new(properties, NULL, &monitor, &err) == TAC_OK);
        struct small_trace t;
        random_trace(&t, &random);
        if (t.count > 4)
            t.count = 4;
        feed_small(monitor, &t, 0, t.count);
        tac_property_result result;
        tac_monitor_result(monitor, 0, false, &result);
        bool changes = can_change(&forest, root, &t, holds(&forest, root, &t, 0), 4);
        early += result.decided && changes;
        late += !result.decided && !changes;
        if (!result.decided && !changes)
            test_fail(__FILE__, __LINE__, "late: %s", tac_str_text(&text));
        seen++;
        tac_monitor_free(monitor);
        tac_property_free(properties);
        tac_str_free(&text);
    }
    CHECK_EQ(early, 0);
    CHECK_EQ(late, 0);
    CHECK(seen > 20);
}

static size_t states_of(const char *text)
{
    size_t states = 0, clocks;
    tac_properties *properties = properties_of(text);
    tac_property_automaton(properties, 0, &states, &clocks);
    tac_property_free(properties);
    return states;
}

/* The formula of k blocks of template G1, G2 or G5 over distinct events. */
static void write_chain(tac_str *out, char kind, int k, int at)
{
    if (at == k) {
        if (kind == '1')
            tac_str_addf(out, "eventually s%d", at);
        else if (kind == '2')
            tac_str_addf(out, "s%d", at);
        else
            tac_str_add(out, "always not x");
        return;
    }
    tac_str_addf(out, "%s(s%d and next (e%d and next (", kind == '1' ? "eventually " : "", at, at);
    write_chain(out, kind, k, at + 1);
    tac_str_add(out, ")))");
}

static size_t chain_states(char kind, int k)
{
    tac_str text = {0};
    tac_str_add(&text, kind == '1' ? "property f: " : "property f: eventually ");
    write_chain(&text, kind, k, 0);
    size_t states = states_of(tac_str_text(&text));
    tac_str_free(&text);
    return states;
}

TEST(chains_of_k_blocks_have_2k_plus_2_states)
{
    for (int k = 1; k <= 6; k++) {
        CHECK_EQ(chain_states('1', k), 2 * k + 2);
        CHECK_EQ(chain_states('2', k), 2 * k + 2);
        CHECK_EQ(chain_states('5', k), 2 * k + 2);
    }
}

TEST(bounded_response_has_n_plus_2_states)
{
    for (int n = 1; n <= 60; n += n < 6 ? 1 : 9) {
        char text[100];
        snprintf(text, sizeof text, "property f: always (request -> eventually[<= %d] response)",
                 n);
        CHECK_EQ(states_of(text), n + 2);
    }
}

/* With propositions that do not exclude each other there is a state for "s and x": only e saves it.
 */
TEST(not_x_until_s_next_e_has_5_states)
{
    CHECK_EQ(states_of("property f: (not (x > 0)) until ((s > 0) and next (e > 0))"), 5);
    CHECK_EQ(states_of("property f: (not x) until (s and next e)"), 4); /* events exclude */
}

TEST(a_large_bound_is_a_clock_and_not_a_million_states)
{
    size_t states, clocks;
    tac_properties *properties =
        properties_of("property f: always (request -> eventually[<= 1000000] response)\n"
                      "property g: always (request -> eventually[<= 2 s] response)");
    for (size_t i = 0; i < 2; i++) {
        CHECK(tac_property_automaton(properties, i, &states, &clocks));
        CHECK_EQ(states, 3);
        CHECK_EQ(clocks, 1);
    }
    tac_property_free(properties);
}
