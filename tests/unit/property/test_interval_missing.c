/* Intervals whose expression needs what was not on the screen: they are judged as far as what is
 * known decides (Kleene), and untested otherwise. The monitor is compared with the definition on
 * seeded random expressions and traces. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "base/data/str.h"
#include "property_support.h"
#include "reference.h"
#include "tactus_test.h"

#include <math.h>

enum truth_value { NO, UNSURE, YES };
enum { SHORT, LAST, FIRST, INTEGRAL, AVERAGE, RELATED, NOT, AND, OR, IMPLIES };

enum { WHERE_NONE, WHERE_LAST, WHERE_NOT_FIRST, WHERE_EITHER, WHERES };
enum { FIRST_OF, ALL, SOME };

struct expression {
    int op;
    struct expression *a, *b;
    int quantifier, relation, where; /* RELATED */
};

/* In the order of ref_related. */
static const char *const relations[] = {
    "during",       "overlaps", "before",         "within",        "allen before", "after",
    "meets",        "met_by",   "allen overlaps", "overlapped_by", "starts",       "started_by",
    "allen during", "contains", "finishes",       "finished_by",   "equals"};

static struct expression *random_expression(tac_random *random, int depth)
{
    struct expression *at = tac_calloc(1, sizeof *at);
    at->op = depth && tac_random_below(random, 4) ? NOT + (int)tac_random_below(random, 4)
                                                  : (int)tac_random_below(random, RELATED);
    if (at->op >= NOT)
        at->a = random_expression(random, depth - 1);
    if (at->op >= AND)
        at->b = random_expression(random, depth - 1);
    return at;
}

static void expression_free(struct expression *at)
{
    if (!at)
        return;
    expression_free(at->a);
    expression_free(at->b);
    free(at);
}

static void show(tac_str *out, const struct expression *at)
{
    static const char *const leaves[] = {"duration < 3 s", "last(x) < 2", "first(x) < 2",
                                         "integral(x) < 3", "avg(x) < 2"};
    static const char *const quantifiers[] = {"first", "forall", "exists"};
    static const char *const wheres[] = {"", " where last(x) < 2", " where (not first(x) < 2)",
                                         " where (duration < 2 s or last(x) < 2)"};
    static const char *const joins[] = {[AND] = " and ", [OR] = " or ", [IMPLIES] = " -> "};
    if (at->op == RELATED) {
        tac_str_addf(out, "(%s [r, q] %s%s)", quantifiers[at->quantifier], relations[at->relation],
                     wheres[at->where]);
        return;
    }
    if (at->op < NOT) {
        tac_str_add(out, leaves[at->op]);
        return;
    }
    tac_str_add(out, at->op == NOT ? "not (" : "(");
    show(out, at->a);
    if (at->op > NOT) {
        tac_str_add(out, joins[at->op]);
        show(out, at->b);
    }
    tac_str_add_char(out, ')');
}

struct extent {
    size_t from, to;
};

/* Definitions 8 to 10: from the first p to the first q strictly after it, and on behind that. */
static size_t extents(const struct small_trace *trace, const double *p, const double *q,
                      struct extent *out)
{
    size_t count = 0, i = 0;
    while (i < trace->count) {
        size_t from = i, to;
        while (from < trace->count && p[from] < 1)
            from++;
        for (to = from + 1; to < trace->count && q[to] < 1;)
            to++;
        if (to >= trace->count)
            break;
        out[count++] = (struct extent){from, to};
        i = to + 1;
    }
    return count;
}

static enum truth_value below(double value, double bound)
{
    return isnan(value) ? UNSURE : value < bound ? YES : NO;
}

/* Of all the states of the interval: a value that is missing in one of them leaves no sum. */
static double integral(const struct small_trace *trace, const struct extent *a)
{
    double sum = 0;
    for (size_t i = a->from; i < a->to; i++)
        sum += trace->x[i];
    return isnan(trace->x[a->to]) ? trace->x[a->to] : sum;
}

static enum truth_value where(const struct small_trace *trace, const struct extent *b, int where)
{
    enum truth_value last = below(trace->x[b->to], 2);
    switch (where) {
    case WHERE_LAST:
        return last;
    case WHERE_NOT_FIRST:
        return YES - below(trace->x[b->from], 2);
    case WHERE_EITHER:
        return b->to - b->from < 2 ? YES : last;
    default:
        return YES;
    }
}

/* What is unknown of an inner interval may be so or not: the relation is known where it is the same
 * either way. Of `first`, nothing is known when it is unknown which one is the first. */
static enum truth_value related(const struct small_trace *trace, const struct extent *a,
                                const struct expression *at)
{
    struct extent inner[SMALL_TRACE];
    size_t count = extents(trace, trace->r, trace->q, inner);
    enum truth_value value = at->quantifier == ALL ? YES : NO;
    for (size_t i = 0; i < count; i++) {
        enum truth_value good = where(trace, &inner[i], at->where);
        bool stands = ref_related(at->relation, (struct ref_interval){a->from, a->to, false},
                                  (struct ref_interval){inner[i].from, inner[i].to, false});
        if (at->quantifier == FIRST_OF && good != NO)
            return good == UNSURE ? UNSURE : stands ? YES : NO;
        if (at->quantifier == SOME && stands && good > value)
            value = good;
        if (at->quantifier == ALL && !stands && YES - good < value)
            value = YES - good;
    }
    return value;
}

static enum truth_value truth(const struct small_trace *trace, const struct extent *a,
                              const struct expression *at)
{
    switch (at->op) {
    case SHORT:
        return a->to - a->from < 3 ? YES : NO;
    case LAST:
        return below(trace->x[a->to], 2);
    case FIRST:
        return below(trace->x[a->from], 2);
    case INTEGRAL:
        return below(integral(trace, a), 3);
    case AVERAGE:
        return below(integral(trace, a) / (double)(a->to - a->from), 2);
    case RELATED:
        return related(trace, a, at);
    default:
        break;
    }
    enum truth_value left = truth(trace, a, at->a);
    if (at->op == NOT)
        return YES - left;
    enum truth_value right = truth(trace, a, at->b);
    if (at->op == AND)
        return left < right ? left : right;
    if (at->op == IMPLIES)
        left = YES - left;
    return left > right ? left : right;
}

static void random_trace(tac_random *random, struct small_trace *trace)
{
    trace->count = 1 + (size_t)tac_random_below(random, 40);
    small_times(trace);
    for (size_t i = 0; i < trace->count; i++) {
        trace->p[i] = (double)(tac_random_below(random, 3) == 0);
        trace->q[i] = (double)(tac_random_below(random, 3) == 0);
        trace->r[i] = (double)(tac_random_below(random, 4) == 0);
        trace->x[i] =
            tac_random_below(random, 3) == 0 ? (double)NAN : (double)tac_random_below(random, 4);
    }
}

static void compare(tac_random *random, const struct expression *expression)
{
    struct small_trace trace;
    random_trace(random, &trace);
    tac_str text = {0};
    tac_str_add(&text, "observe x = number(css:\"b\")\nproperty all: forall [p, q] ");
    show(&text, expression);
    tac_str_add(&text, "\nproperty some: exists [p, q] ");
    show(&text, expression);
    tac_properties *properties = properties_of(tac_str_text(&text));
    tac_monitor *monitor;
    REQUIRE(tac_monitor_new(properties, NULL, &monitor, NULL) == TAC_OK);
    for (size_t from = 0; from < trace.count;) {
        size_t to = from + 1 + (size_t)tac_random_below(random, trace.count - from);
        feed_small(monitor, &trace, from, to);
        from = to;
    }
    tac_property_result all, some;
    tac_monitor_result(monitor, 0, true, &all);
    tac_monitor_result(monitor, 1, true, &some);
    CHECK_STR(all.name, "all");
    struct extent found[SMALL_TRACE];
    size_t count = extents(&trace, trace.p, trace.q, found), tally[3] = {0};
    for (size_t i = 0; i < count; i++)
        tally[truth(&trace, &found[i], expression)]++;
    bool right = all.answer == (tally[NO] ? TAC_VIOLATED : TAC_HOLDS) &&
                 some.answer == (tally[YES]      ? TAC_HOLDS
                                 : tally[UNSURE] ? TAC_INCONCLUSIVE
                                                 : TAC_VIOLATED) &&
                 all.untested == tally[UNSURE] && all.violated == tally[NO] &&
                 all.intervals == tally[NO] + tally[YES];
    if (!right)
        fprintf(stderr, "%s\n", tac_str_text(&text));
    CHECK(right);
    tac_monitor_free(monitor);
    tac_property_free(properties);
    tac_str_free(&text);
}

TEST(intervals_are_judged_as_far_as_what_is_known_decides)
{
    tac_random random;
    tac_random_seed(&random, 77);
    for (int round = 0; round < 4000; round++) {
        struct expression *expression = random_expression(&random, 3);
        compare(&random, expression);
        expression_free(expression);
    }
}

/* One relation as a conjunct has an engine of its own. */
TEST(an_interval_that_is_not_as_related_is_violated_whatever_is_missing)
{
    tac_random random;
    tac_random_seed(&random, 78);
    for (int round = 0; round < 4000; round++) {
        struct expression *rest = random_expression(&random, 2);
        struct expression related = {.op = RELATED, .quantifier = SOME};
        struct expression both = {.op = AND, .a = rest, .b = &related};
        struct expression either = {.op = OR, .a = rest, .b = &related};
        compare(&random, round % 4 ? &both : &either);
        expression_free(rest);
    }
}

/* Any relation, with a condition on the inner intervals of which something may be missing. */
TEST(inner_intervals_are_chosen_as_far_as_what_is_known_decides)
{
    tac_random random;
    tac_random_seed(&random, 79);
    for (int round = 0; round < 12000; round++) {
        struct expression *rest = random_expression(&random, 1), related[2];
        for (int i = 0; i < 2; i++)
            related[i] = (struct expression){.op = RELATED,
                                             .quantifier = (int)tac_random_below(&random, 3),
                                             .relation = (int)tac_random_below(&random, 17),
                                             .where = (int)tac_random_below(&random, WHERES)};
        struct expression denied = {.op = NOT, .a = &related[0]};
        struct expression both = {.op = AND, .a = rest, .b = &related[0]};
        struct expression either = {.op = OR, .a = &related[1], .b = &denied};
        struct expression two = {.op = IMPLIES, .a = &related[0], .b = &related[1]};
        const struct expression *shapes[] = {&related[0], &both, &either, &two};
        compare(&random, shapes[round % 4]);
        expression_free(rest);
    }
}

static void count_told(void *context, size_t index, const tac_witness *witness)
{
    size_t *told = context;
    CHECK(witness->interval.from <= witness->interval.to);
    told[index]++;
}

/* Intervals that wait together for an inner one are still told one by one, and the margin is that
 * of the one that has the least (of `exists`: the greatest). */
TEST(intervals_that_wait_for_an_inner_one_are_all_told)
{
    tac_random random;
    tac_random_seed(&random, 80);
    for (int round = 0; round < 3000; round++) {
        struct small_trace trace;
        struct expression related = {.op = RELATED,
                                     .quantifier = (int)tac_random_below(&random, 3),
                                     .relation = (int)tac_random_below(&random, 4)};
        random_trace(&random, &trace);
        tac_str text = {0};
        tac_str_add(&text, "property all: forall [p, q] duration < 3 s and ");
        show(&text, &related);
        tac_str_add(&text, "\nproperty some: exists [p, q] duration < 3 s and ");
        show(&text, &related);
        tac_properties *properties = properties_of(tac_str_text(&text));
        size_t told[2] = {0};
        tac_monitor_options options = {.on_interval = count_told, .context = told};
        for (int listening = 0; listening < 2; listening++) {
            tac_monitor *monitor;
            tac_property_result all, some;
            REQUIRE(tac_monitor_new(properties, listening ? &options : NULL, &monitor, NULL) ==
                    TAC_OK);
            for (size_t from = 0; from < trace.count;) {
                size_t to = from + 1 + (size_t)tac_random_below(&random, trace.count - from);
                feed_small(monitor, &trace, from, to);
                from = to;
            }
            tac_monitor_result(monitor, 0, true, &all);
            tac_monitor_result(monitor, 1, true, &some);
            struct extent found[SMALL_TRACE];
            size_t count = extents(&trace, trace.p, trace.q, found);
            double least = INFINITY, greatest = -INFINITY;
            for (size_t i = 0; i < count; i++) {
                least = fmin(least, 3 - (double)(found[i].to - found[i].from));
                greatest = fmax(greatest, 3 - (double)(found[i].to - found[i].from));
            }
            CHECK_EQ(all.has_margin, count > 0);
            CHECK_EQ(all.intervals, count);
            if (count) {
                CHECK_NEAR(all.margin, least, 1e-9);
                CHECK_NEAR(some.margin, greatest, 1e-9);
            }
            if (count && all.answer == TAC_HOLDS)
                CHECK_NEAR(all.witness->margin, least, 1e-9);
            CHECK(tac_monitor_finish(monitor, NULL, NULL) == TAC_OK);
            CHECK_EQ(told[0], listening ? count : 0);
            CHECK_EQ(told[1], listening ? count : 0);
            tac_monitor_free(monitor);
        }
        tac_property_free(properties);
        tac_str_free(&text);
    }
}

static double margin_of(const char *expression, double x)
{
    tac_property_result result;
    struct small_trace trace = {.count = 2, .p = {1, 0}, .q = {0, 1}, .x = {0, x}};
    tac_monitor *monitor;
    small_times(&trace);
    char *text = tac_format("property all: forall [p, q] %s", expression);
    tac_properties *properties = properties_of(text);
    REQUIRE(tac_monitor_new(properties, NULL, &monitor, NULL) == TAC_OK);
    feed_small(monitor, &trace, 0, 2);
    tac_monitor_result(monitor, 0, true, &result);
    double margin = result.has_margin ? result.margin : (double)NAN;
    tac_monitor_free(monitor);
    tac_property_free(properties);
    free(text);
    return margin;
}

/* A comparison without a value is as far past its bound as can be, wherever it stands. */
TEST(the_margin_does_not_depend_on_the_order_of_the_comparisons)
{
    static const double ends[] = {0, 1}; /* 0 / 0 and 1 / 0 */
    for (int i = 0; i < 2; i++) {
        CHECK(isnan(margin_of("last(x) / first(x) < 1 and last(x) < 5", ends[i])));
        CHECK(isnan(margin_of("last(x) < 5 and last(x) / first(x) < 1", ends[i])));
        CHECK_NEAR(margin_of("last(x) / first(x) < 1 or last(x) < 5", ends[i]), 5 - ends[i], 0);
        CHECK_NEAR(margin_of("last(x) < 5 or last(x) / first(x) < 1", ends[i]), 5 - ends[i], 0);
        CHECK_NEAR(margin_of("last(x) < 5 and not last(x) / first(x) < 1", ends[i]), 5 - ends[i],
                   0);
        CHECK_NEAR(margin_of("not last(x) / first(x) < 1 and last(x) < 5", ends[i]), 5 - ends[i],
                   0);
    }
}
