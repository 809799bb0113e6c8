/* The language: messages with their places, units, derived variables, past operators, aggregates,
 * margins, witnesses, early alarms, combinations. */
#include "property_support.h"
#include "tactus_test.h"

#include "base/data/random.h"
#include "property/property.h"

static void check_error(const char *text, const char *wanted)
{
    char *got = errors_of(text);
    CHECK_CONTAINS(got, wanted);
    free(got);
}

TEST(errors_name_the_place_and_the_remedy)
{
    check_error("propety a: x", "1:1: expected a statement (observe, unit, let, property, monotone "
                                "or linear), found 'propety'; did you mean 'property'?");
    check_error("property a: forall [p, q] diff(x) < 8 kb",
                "1:39: unknown unit 'kb'; did you mean 'kB'?");
    check_error("unit x kB\nunit e J\nproperty a: forall [p, q] diff(x) < 5 J",
                "3:27: kB and J do not go together");
    check_error("unit x kB\nproperty a: forall [p, q]\n  diff(x) + duration < 5 kB",
                "3:3: kB and s do not go together");
    check_error("property a: always (next and n == 1)",
                "1:21: 'next' is an operator, and nothing follows that it could apply to; a name "
                "that is spelt so stands in backquotes: `next`");
    check_error("property a: always (x -> not once)", "1:30: 'once' is an operator");
    check_error("property a: forall [p, q] x < 5", "1:27: 'x' has many values inside an interval");
    check_error("property a: always diff(x) < 5", "'diff' measures an interval");
    check_error("property a: forall [always p, q] diff(x) < 5", "1:21: 'always' looks ahead");
    check_error("property a: forall [p, q diff(x) < 5", "',' or ']'");
    check_error("property a: b\nproperty b: a", "2:13: property 'a' is defined by itself");
    check_error("let a = b\nlet b = a + 1\nproperty c: always a > 1", "is defined by itself");
    check_error("property a: p = 3", "a comparison is written '=='");
    check_error("property a: always p\nproperty a: always q", "2:10: property 'a' is already");
    check_error("property a: exists [p, q] during", "a relation needs an outer interval");
    check_error("property a: forall [p, q] exists [r] during where exists [s] during",
                "has no intervals inside");
    check_error("property a: eventually[3 s, 2 s] p", "nothing lies within");
    check_error("property a: eventually[1, 2 s] p", "both ends of a bound");
    check_error("property a: percentile(0) [p, q] duration < 1 s", "above 0");
    check_error("property a: percentile(5) [p, q] duration < max(x)", "with a constant");
    check_error("property a: share [p, q] (duration < 1 s) >= 5 s", "percentage");
    check_error("property a for each event: always p", "not 'event'");
    check_error("property a for each x: (forall [p, q] duration < 1 s) and always p",
                "takes one formula");
    check_error("property a: forall [eventually p, q] duration < 1 s", "looks ahead");
    check_error("property a: event == \"abc", "this quote is not closed");
    check_error("property a: eventually[<= 3 kB] p", "a bound is a time (2 s)");
    check_error("property a: always (p -> \n",
                "2:1: expected a value, a name or '(', found the end");
    check_error("# nothing\n", "the file has no property");
    check_error("let a = 1\nlet a = 2\nproperty p: always x > a", "2:5: 'a' is already defined");
}

TEST(all_errors_of_a_file_are_reported)
{
    char *got = errors_of("property a: forall [p q] diff(x) < 1\nunit x kk\n"
                          "property b: always (x <)\nproperty c: always x > 1\n");
    CHECK_CONTAINS(got, "1:23:");
    CHECK_CONTAINS(got, "2:8:");
    CHECK_CONTAINS(got, "3:24:");
    CHECK(!strstr(got, "\n4:"));
    free(got);
}

TEST(deep_and_large_expressions_are_refused_not_followed)
{
    char text[4000] = "property a: ";
    for (int i = 0; i < 500; i++)
        strcat(text, "(");
    check_error(text, "nested more than");
    strcpy(text, "let l0 = x + x\n");
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), 60, "let l%d = l%d + l%d\n", i, i - 1, i - 1);
    strcat(text, "property a: always l39 > 0\n");
    check_error(text, "too large");
    strcpy(text, "property p0: always x > 0\n");
    for (int i = 1; i < 40; i++)
        snprintf(text + strlen(text), 60, "property p%d: p%d and p%d\n", i, i - 1, i - 1);
    check_error(text, "too large");
}

/* --- values ----------------------------------------------------------------------------------- */

struct probe {
    tac_properties *properties;
    tac_monitor *monitor;
    tac_property_result result;
};

static struct probe probe_of(const char *text, const struct small_trace *t)
{
    struct probe probe = {.properties = properties_of(text)};
    tac_error err;
    if (tac_monitor_new(probe.properties, NULL, &probe.monitor, &err) != TAC_OK)
        abort();
    feed_small(probe.monitor, t, 0, t->count);
    tac_monitor_result(probe.monitor, 0, true, &probe.result);
    return probe;
}

static void probe_free(struct probe *probe)
{
    tac_monitor_free(probe->monitor);
    tac_property_free(probe->properties);
}

/* p: 0 1 0 0 0 0, q: 0 0 0 0 1 0; x: 5 1 4 2 9 0 at 0 1 2 3 4 5 s: one interval, states 1 to 4. */
static struct small_trace one_interval(void)
{
    struct small_trace t = {.count = 6,
                            .p = {0, 1},
                            .q = {0, 0, 0, 0, 1},
                            .x = {5, 1, 4, 2, 9, 0},
                            .r = {1, 1, 0, 1, 1, 0}};
    small_times(&t);
    return t;
}

static double value_of(const char *expression)
{
    char text[300];
    struct small_trace t = one_interval();
    snprintf(text, sizeof text, "property a: forall [p, q] %s < 1000", expression);
    struct probe probe = probe_of(text, &t);
    double value = probe.result.witness->comparisons[0].value;
    CHECK_EQ(probe.result.witness->interval.from, 1);
    CHECK_EQ(probe.result.witness->interval.to, 4);
    probe_free(&probe);
    return value;
}

TEST(aggregates_have_the_values_of_the_document)
{
    CHECK_NEAR(value_of("diff(x)"), 8, 0);
    CHECK_NEAR(value_of("first(x)"), 1, 0);
    CHECK_NEAR(value_of("last(x)"), 9, 0);
    CHECK_NEAR(value_of("min(x)"), 1, 0);
    CHECK_NEAR(value_of("max(x)"), 9, 0);
    CHECK_NEAR(value_of("integral(x)"), 1 + 4 + 2, 0); /* hold: the last value has no extent */
    CHECK_NEAR(value_of("avg(x)"), 7.0 / 3, 1e-15);
    CHECK_NEAR(value_of("rate(x)"), 8.0 / 3, 1e-15);
    CHECK_NEAR(value_of("count(r)"), 3, 0);
    CHECK_NEAR(value_of("duration"), 3, 0);
    CHECK_NEAR(value_of("max(-x * 2) + 3 * diff(x + 1)"), -2 + 24, 0);
    CHECK_NEAR(value_of("abs(min(x) - max(x)) / 4"), 2, 0);
    CHECK_NEAR(value_of("count(previously r)"), 3, 0);
    CHECK_NEAR(value_of("count(rise(r))"), 1, 0);
    CHECK_NEAR(value_of("count(fall(r))"), 1, 0);
    CHECK_NEAR(value_of("count(once not r)"), 3, 0);
    CHECK_NEAR(value_of("count(historically r)"), 1, 0);
    CHECK_NEAR(value_of("count(r since p)"), 1, 0);
}

TEST(linear_variables_are_integrated_as_trapezoids)
{
    struct small_trace t = one_interval();
    struct probe probe = probe_of("linear x\nproperty a: forall [p, q] integral(x) < 100", &t);
    CHECK_NEAR(probe.result.witness->comparisons[0].value, 2.5 + 3 + 5.5, 0);
    probe_free(&probe);
}

TEST(units_multiply_divide_and_convert)
{
    struct small_trace t = one_interval();
    struct probe probe = probe_of("unit x mA\nunit r V\nlet power = x * r\n"
                                  "property a: forall [p, q] integral(power) < 1 J",
                                  &t);
    CHECK_STR(probe.result.margin_unit, "J"); /* figures are in the unit of the bound */
    CHECK_NEAR(probe.result.witness->comparisons[0].bound, 1, 0);
    CHECK_NEAR(probe.result.witness->comparisons[0].value, 0.001 + 0 + 0.002, 1e-18);
    probe_free(&probe);
    probe = probe_of("unit x KiB\nproperty a: forall [p, q] diff(x) < 8.192 kB", &t);
    CHECK(probe.result.answer == TAC_VIOLATED); /* 8 KiB are exactly 8.192 kB */
    CHECK_NEAR(probe.result.margin, 0, 0);
    probe_free(&probe);
    probe = probe_of("unit x kB\nproperty a: forall [p, q] rate(x) <= 2.6666666666666665 kB/s", &t);
    CHECK(probe.result.answer == TAC_HOLDS);
    probe_free(&probe);
    probe = probe_of("property a: forall [p, q] duration <= 3000 ms", &t);
    CHECK(probe.result.answer == TAC_HOLDS);
    CHECK_STR(probe.result.margin_unit, "ms");
    probe_free(&probe);
}

TEST(a_literal_with_a_unit_needs_a_declared_unit)
{
    struct small_trace t = one_interval();
    tac_properties *properties = properties_of("property a: forall [p, q] diff(x) < 5 kB");
    tac_monitor *monitor;
    REQUIRE(tac_monitor_new(properties, NULL, &monitor, NULL) == TAC_OK);
    CHECK(!try_small(monitor, &t, 0, t.count));
    tac_monitor_free(monitor);
    tac_property_free(properties);
}

TEST(margins_join_as_the_document_says)
{
    struct small_trace t = one_interval();
    struct probe probe = probe_of("property a: forall [p, q] diff(x) < 10 and max(x) < 100", &t);
    CHECK_NEAR(probe.result.margin, 2, 0);
    probe_free(&probe);
    probe = probe_of("property a: forall [p, q] diff(x) < 7 or max(x) > 5", &t);
    CHECK_NEAR(probe.result.margin, 4, 0);
    CHECK(probe.result.answer == TAC_HOLDS);
    probe_free(&probe);
    probe = probe_of("unit x kB\nproperty a: forall [p, q] diff(x) < 7 kB and duration < 9 s", &t);
    CHECK(!probe.result.has_margin);
    CHECK_EQ(probe.result.witness->comparison_count, 2);
    CHECK_NEAR(probe.result.witness->comparisons[0].margin, -1, 0);
    CHECK_NEAR(probe.result.witness->comparisons[1].margin, 6, 0);
    probe_free(&probe);
}

/* Three intervals with differences 2, 7, 4. */
static struct small_trace three_intervals(void)
{
    struct small_trace t = {
        .count = 6, .p = {1, 0, 1, 0, 1}, .q = {0, 1, 0, 1, 0, 1}, .x = {0, 2, 10, 17, 20, 24}};
    small_times(&t);
    return t;
}

TEST(witness_is_the_first_violated_the_deciding_or_the_tightest)
{
    struct small_trace t = three_intervals();
    struct probe probe = probe_of("property a: forall [p, q] diff(x) < 3", &t);
    CHECK_EQ(probe.result.witness->interval.from, 2);
    CHECK_EQ(probe.result.violated, 2);
    CHECK_NEAR(probe.result.margin, -4, 0);
    CHECK_EQ(probe.result.decided_state, 3);
    probe_free(&probe);
    probe = probe_of("property a: forall [p, q] diff(x) < 9", &t);
    CHECK_EQ(probe.result.witness->interval.from, 2);
    CHECK_NEAR(probe.result.margin, 2, 0);
    probe_free(&probe);
    probe = probe_of("property a: exists [p, q] diff(x) > 3", &t);
    CHECK_EQ(probe.result.witness->interval.from, 2);
    CHECK_NEAR(probe.result.margin, 4, 0);
    probe_free(&probe);
    probe = probe_of("property a: exists [p, q] diff(x) > 8", &t);
    CHECK(probe.result.answer == TAC_VIOLATED);
    CHECK_EQ(probe.result.witness->interval.from, 2); /* the closest to the bound */
    CHECK_NEAR(probe.result.margin, -1, 0);
    probe_free(&probe);
    probe = probe_of("property a: first [p, q] diff(x) > 3", &t);
    CHECK_EQ(probe.result.witness->interval.from, 0);
    CHECK_NEAR(probe.result.margin, -1, 0);
    probe_free(&probe);
}

TEST(runs_are_maximal_and_end_where_they_end)
{
    struct small_trace t = {.count = 7, .p = {1, 1, 0, 1, 0, 1, 1}, .x = {0, 3, 0, 0, 0, 1, 9}};
    small_times(&t);
    struct probe probe = probe_of("property a: forall [p] diff(x) < 4", &t);
    CHECK_EQ(probe.result.intervals, 2);
    CHECK_EQ(probe.result.violated, 0);
    CHECK_EQ(probe.result.open, 1);
    CHECK(probe.result.answer == TAC_INCONCLUSIVE); /* of the last one the end is not known */
    CHECK(probe.result.unknown && !probe.result.unknown->variable);
    CHECK_EQ(probe.result.unknown->state, 5);
    tac_monitor_result(probe.monitor, 0, false, &probe.result);
    CHECK(probe.result.answer == TAC_INCONCLUSIVE); /* it may go on */
    CHECK_EQ(probe.result.open, 1);
    probe_free(&probe);
}

TEST(what_is_only_presumed_of_a_cut_trace_is_inconclusive)
{
    struct small_trace t = {.count = 3, .p = {0, 1, 0}, .x = {0, 3, 5}};
    small_times(&t);
    struct probe probe = probe_of("property a: always (p -> eventually q)\n"
                                  "property b: always x < 9\nproperty c: always x < 4\n"
                                  "property d: a or b\n",
                                  &t);
    static const tac_answer ended[] = {TAC_PRESUMABLY_VIOLATED, TAC_PRESUMABLY_HOLDS, TAC_VIOLATED,
                                       TAC_PRESUMABLY_HOLDS};
    for (size_t i = 0; i < 4; i++) {
        tac_monitor_result(probe.monitor, i, true, &probe.result);
        CHECK_EQ(probe.result.answer, ended[i]);
        tac_monitor_result_of_cut(probe.monitor, i, &probe.result);
        CHECK_EQ(probe.result.answer, i == 2 ? TAC_VIOLATED : TAC_INCONCLUSIVE);
    }
    probe_free(&probe);
}

TEST(an_early_alarm_comes_before_the_interval_closes)
{
    struct small_trace t = {.count = 5, .p = {1}, .q = {0, 0, 0, 0, 1}, .x = {0, 2, 6, 7, 9}};
    small_times(&t);
    struct probe probe = probe_of("monotone x\nproperty a: forall [p, q] diff(x) <= 5", &t);
    REQUIRE(probe.result.early_alarm != NULL);
    CHECK_EQ(probe.result.early_alarm->state, 2);
    CHECK_NEAR(probe.result.early_alarm->comparison->value, 6, 0);
    CHECK_EQ(probe.result.decided_state, 4);
    probe_free(&probe);
    probe = probe_of("property a: forall [p, q] diff(x) <= 5", &t);
    CHECK(probe.result.early_alarm == NULL); /* not declared monotone */
    probe_free(&probe);
    probe = probe_of("property a: forall [p, q] duration < 2 s", &t);
    REQUIRE(probe.result.early_alarm != NULL);
    CHECK_EQ(probe.result.early_alarm->state, 2);
    probe_free(&probe);
    probe = probe_of("monotone x\nproperty a: forall [p, q] diff(x) < 9", &t);
    CHECK(probe.result.early_alarm == NULL); /* passed only in the state that closes it */
    probe_free(&probe);
}

TEST(properties_combine_by_name)
{
    struct small_trace t = three_intervals();
    struct probe probe =
        probe_of("property all: a and not b\nproperty a: forall [p, q] diff(x) < 9\n"
                 "property b: exists [p, q] diff(x) > 8\n"
                 "property c: a -> always x < 20\nproperty d: b or eventually q\n",
                 &t);
    CHECK(probe.result.answer == TAC_HOLDS);
    CHECK(probe.result.kind == TAC_PROPERTY_COMBINED);
    tac_monitor_result(probe.monitor, 3, true, &probe.result);
    CHECK(probe.result.answer == TAC_VIOLATED);
    tac_monitor_result(probe.monitor, 3, false, &probe.result);
    CHECK(probe.result.answer == TAC_INCONCLUSIVE); /* a may still fail, then c holds */
    tac_monitor_result(probe.monitor, 4, false, &probe.result);
    CHECK(probe.result.answer == TAC_HOLDS && probe.result.decided);
    CHECK_EQ(probe.result.decided_state, 1);
    probe_free(&probe);
}

/* --- relations against their definition ------------------------------------------------------- */

struct span {
    size_t from, to;
};

static size_t runs_of(const double *formula, size_t n, struct span *out)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (formula[i] > 0) {
            size_t from = i;
            while (i + 1 < n && formula[i + 1] > 0)
                i++;
            if (i + 1 == n)
                return SIZE_MAX; /* it goes on */
            out[count++] = (struct span){from, i + 1};
        }
    return count;
}

static size_t pairs_of(const double *p, const double *q, size_t n, struct span *out)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] > 0) {
            size_t j = i + 1;
            while (j < n && !(q[j] > 0))
                j++;
            if (j < n)
                out[count++] = (struct span){i, j};
            i = j;
        }
    return count;
}

static bool related(int relation, struct span a, struct span b)
{
    switch (relation) {
    case 0:
        return b.from <= a.from && a.to <= b.to;
    case 1:
        return a.from <= b.to && b.from <= a.to;
    case 2:
        return a.to < b.from;
    default:
        return b.from < a.from && a.to < b.to;
    }
}

/* Definition: outer quantifier over A, inner over the B that satisfy the condition. */
static bool nested(int outer, int inner, int relation, const struct span *a, size_t a_count,
                   const struct span *b, size_t b_count)
{
    for (size_t i = 0; i < a_count; i++) {
        bool good = inner == 1;
        for (size_t k = 0; k < b_count; k++) {
            bool holds = related(relation, a[i], b[k]);
            if (inner == 0) {
                good = holds;
                break;
            }
            good = inner == 1 ? good && holds : good || holds;
        }
        if (outer == 0)
            return good;
        if (good == (outer == 2))
            return outer == 2;
    }
    return outer == 1;
}

TEST(nested_intervals_have_the_meaning_of_their_relation)
{
    static const char *const quantifiers[] = {"first", "forall", "exists"};
    static const char *const relations[] = {"during", "overlaps", "before", "within"};
    tac_random random;
    tac_random_seed(&random, 9);
    size_t wrong = 0;
    for (int shape = 0; shape < 3 * 3 * 4 * 4 * 2; shape++) {
        int outer = shape % 3, inner = shape / 3 % 3, relation = shape / 9 % 4;
        bool a_runs = shape / 36 % 2, b_runs = shape / 72 % 2, where = shape / 144;
        char text[200];
        snprintf(text, sizeof text, "property a: %s [%s] %s [%s] %s%s", quantifiers[outer],
                 a_runs ? "p" : "p, q", quantifiers[inner], b_runs ? "r" : "r, x > 0",
                 relations[relation], where ? " where duration > 1 s" : "");
        tac_properties *properties = properties_of(text);
        tac_monitor *monitor;
        REQUIRE(tac_monitor_new(properties, NULL, &monitor, NULL) == TAC_OK);
        for (size_t round = 0; round < test_scale(400); round++) {
            struct small_trace t = {.count = 1 + tac_random_below(&random, 14)};
            struct span a[SMALL_TRACE], b[SMALL_TRACE], kept[SMALL_TRACE];
            small_times(&t);
            for (size_t i = 0; i < t.count; i++) {
                t.p[i] = tac_random_below(&random, 3) == 0;
                t.q[i] = tac_random_below(&random, 3) == 0;
                t.r[i] = tac_random_below(&random, 2) == 0;
                t.x[i] = tac_random_below(&random, 3) == 0;
            }
            size_t a_count = a_runs ? runs_of(t.p, t.count, a) : pairs_of(t.p, t.q, t.count, a);
            size_t b_count = b_runs ? runs_of(t.r, t.count, b) : pairs_of(t.r, t.x, t.count, b);
            size_t kept_count = 0;
            if (a_count == SIZE_MAX || b_count == SIZE_MAX)
                continue;
            for (size_t k = 0; k < b_count; k++)
                if (!where || b[k].to - b[k].from > 1)
                    kept[kept_count++] = b[k];
            bool wanted = nested(outer, inner, relation, a, a_count, kept, kept_count);
            bool got = answer_of(monitor, 0, &t) == TAC_HOLDS;
            if (got != wanted && !wrong++)
                test_fail(__FILE__, __LINE__, "%s: round %zu", text, round);
        }
        tac_monitor_free(monitor);
        tac_property_free(properties);
    }
    CHECK_EQ(wrong, 0);
}

/* Every operator at once: a trace in one block and the same trace in random pieces give the same
 * documents at the end, sums and alarms included. */
TEST(pieces_of_any_size_give_the_same_documents)
{
    tac_properties *properties = properties_of(
        "monotone x\nlinear r\nlet y = x * 3 - r\n"
        "property a: forall [p, q] diff(x) < 5 and duration < 4 s and count(r) < 3\n"
        "property b: exists [rise(p), previously q] integral(y) > 3 and avg(r) < 0.7\n"
        "property c: first [once p and not q] max(y) - min(y) <= 4 or rate(x) > 1\n"
        "property d: forall [p] exists [r] overlaps where last(x) > 2\n"
        "property e: always (p -> eventually[<= 3 s] (q and next[< 2 s] not r))\n"
        "property f: (not (p and q)) until[<= 70] (r since p)\n"
        "property g: a and not e -> c\n");
    tac_monitor *whole, *pieces;
    REQUIRE(tac_monitor_new(properties, NULL, &whole, NULL) == TAC_OK);
    REQUIRE(tac_monitor_new(properties, NULL, &pieces, NULL) == TAC_OK);
    tac_random random;
    tac_random_seed(&random, 21);
    size_t different = 0;
    for (size_t round = 0; round < test_scale(3000); round++) {
        struct small_trace t = {.count = 1 + tac_random_below(&random, SMALL_TRACE)};
        for (size_t i = 0; i < t.count; i++) {
            t.p[i] = tac_random_below(&random, 4) == 0;
            t.q[i] = tac_random_below(&random, 4) == 0;
            t.r[i] = (double)tac_random_below(&random, 2);
            t.x[i] = (i ? t.x[i - 1] : 0) + (double)tac_random_below(&random, 30) / 10;
            t.time[i] = (i ? t.time[i - 1] : 0) + (int64_t)tac_random_below(&random, 1500000000);
        }
        tac_monitor_reset(whole);
        tac_monitor_reset(pieces);
        feed_small(whole, &t, 0, t.count);
        for (size_t from = 0; from < t.count;) {
            size_t to = from + 1 + tac_random_below(&random, t.count - from);
            feed_small(pieces, &t, from, to);
            from = to;
        }
        for (size_t i = 0; i < tac_property_count(properties); i++) {
            tac_property_result a, b;
            tac_monitor_result(whole, i, true, &a);
            tac_monitor_result(pieces, i, true, &b);
            json_t *left = tac_property_result_json(&a), *right = tac_property_result_json(&b);
            different += !json_equal(left, right);
            json_decref(left);
            json_decref(right);
        }
    }
    CHECK_EQ(different, 0);
    tac_monitor_free(whole);
    tac_monitor_free(pieces);
    tac_property_free(properties);
}

/* --- real data -------------------------------------------------------------------------------- */

struct energy {
    size_t count;
    double joules, megabytes;
};

static void add_energy(void *context, size_t index, const tac_witness *witness)
{
    struct energy *sum = context;
    (void)index;
    sum->count++;
    sum->joules += witness->comparisons[0].value * 1e3;    /* in the unit of the bound: kJ */
    sum->megabytes += witness->comparisons[1].value * 1e3; /* GB */
}

/* The same figures by hand from the file: currentNow in mA (negative = drawn), voltageNow in uV. */
static void by_hand(const char *path, struct energy *out)
{
    FILE *file = fopen(path, "r");
    char line[1000];
    double last_power = 0, last_t = 0, joules = 0, first_rx = 0;
    bool inside = false;
    if (!file || !fgets(line, sizeof line, file))
        abort();
    while (fgets(line, sizeof line, file)) {
        int hour, minute, second;
        char status[40];
        double rx, current, voltage;
        sscanf(line, "%*10s %d:%d:%d,%39[^,]", &hour, &minute, &second, status);
        char *cell = line;
        for (int i = 0; i < 3; i++)
            cell = strchr(cell, ',') + 1;
        rx = strtod(cell, NULL);
        cell = strchr(strchr(cell, ',') + 1, ',') + 1;
        current = strtod(cell, NULL);
        voltage = strtod(strchr(cell, ',') + 1, NULL);
        double t = hour * 3600.0 + minute * 60 + second, power = -current * voltage / 1e6;
        bool connected = strcmp(status, "CONNECTED") == 0;
        if (inside)
            joules += last_power * (t - last_t) / 1000;
        if (connected && !inside)
            first_rx = rx;
        if (!connected && inside) {
            out->count++;
            out->megabytes += (rx - first_rx) / 1e6;
            out->joules += joules;
            joules = 0;
        }
        inside = connected;
        last_power = power;
        last_t = t;
    }
    fclose(file);
}

TEST(phone_logs_give_energy_and_traffic_per_connected_interval)
{
    static const char *const files[] = {"phone5g/ELDERBERRY_374-run15652.csv",
                                        "phone5g/S20UPM-run123.csv", "phone5g/S20UPM-run148.csv"};
    if (!test_corpus(files[0]))
        SKIP("the corpus is not here");
    tac_properties *properties =
        properties_of("unit currentNow mA\nunit voltageNow uV\nunit mobileRx B\n"
                      "let power = -currentNow * voltageNow\n"
                      "property connected: forall [nrStatus == CONNECTED]\n"
                      "    integral(power) < 100 kJ and diff(mobileRx) < 100 GB\n");
    for (int i = 0; i < 3; i++) {
        const char *path = test_corpus(files[i]);
        struct energy got = {0}, wanted = {0};
        tac_monitor_options options = {
            .on_interval = add_energy, .context = &got, .trace_name = path};
        tac_trace_source *source;
        tac_monitor *monitor;
        const tac_trace_block *block;
        tac_error err;
        REQUIRE(tac_trace_open(path, NULL, &source, &err) == TAC_OK);
        REQUIRE(tac_monitor_new(properties, &options, &monitor, &err) == TAC_OK);
        while (tac_trace_next(source, &block, &err) == TAC_OK && block) {
            tac_monitor_schema schema = {0};
            schema.variables = tac_trace_variables(source, &schema.variable_count);
            schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
            REQUIRE(tac_monitor_feed(monitor, &schema, block, &err) == TAC_OK);
        }
        REQUIRE(tac_monitor_finish(monitor, NULL, &err) == TAC_OK);
        by_hand(path, &wanted);
        CHECK_EQ(got.count, wanted.count);
        CHECK_NEAR(got.joules, wanted.joules, 1e-9 * wanted.joules);
        CHECK_NEAR(got.megabytes, wanted.megabytes, 1e-9 * wanted.megabytes);
        printf("  %s: %zu intervals, %.1f J, %.1f MB\n", files[i], wanted.count, got.joules,
               got.megabytes);
        tac_monitor_free(monitor);
        tac_trace_close(source);
    }
    tac_property_free(properties);
}
