/* The monitor against a direct transcription of Definitions 8 to 10 on every trace of length up to
 * 6 over p, q and x in 0 .. 2, at every prefix; and the other readings against their own equations,
 * with the traces on which they differ. */
#include "property_support.h"
#include "tactus_test.h"

#include "base/data/random.h"

static const char *const props = "property f: first [p, q] diff(x) < 1\n"
                                 "property a: forall [p, q] diff(x) < 1\n"
                                 "property e: exists [p, q] diff(x) < 1\n";
enum { FIRST, FORALL, EXISTS };
enum { NEVER = 1000 };

/* --- Definitions 8 to 10 ---------------------------------------------------------------------- */

/* Definition 8: the first state at or after k that satisfies the formula. */
static size_t first_at(const double *formula, size_t n, size_t k)
{
    if (k >= n)
        return NEVER;
    return formula[k] > 0 ? k : first_at(formula, n, k + 1);
}

struct found {
    size_t count, from[SMALL_TRACE], to[SMALL_TRACE];
};

/* Definition 9: the intervals from state k on. */
static void intervals_from(const struct small_trace *t, size_t k, struct found *out)
{
    size_t j = first_at(t->p, t->count, k);
    if (j == NEVER)
        return;
    size_t l = first_at(t->q, t->count, j + 1);
    if (l == NEVER)
        return;
    out->from[out->count] = j;
    out->to[out->count++] = l;
    intervals_from(t, l + 1, out);
}

static bool phi(const struct small_trace *t, size_t from, size_t to)
{
    return t->x[to] - t->x[from] < 1;
}

/* Definition 10. */
static bool defined(const struct small_trace *t, int quantifier, struct found *found)
{
    found->count = 0;
    intervals_from(t, 0, found);
    if (quantifier == FIRST)
        return found->count > 0 && phi(t, found->from[0], found->to[0]);
    for (size_t i = 0; i < found->count; i++)
        if (phi(t, found->from[i], found->to[i]) == (quantifier == EXISTS))
            return quantifier == EXISTS;
    return quantifier == FORALL;
}

/* --- All traces ------------------------------------------------------------------------------- */

enum { LETTERS = 12 };

static void put(struct small_trace *t, size_t i, unsigned letter)
{
    t->p[i] = letter & 1;
    t->q[i] = letter >> 1 & 1;
    t->x[i] = letter >> 2;
}

static size_t compared, wrong;

/* What the monitor says about the trace if it ended here, against the definitions. */
static void compare(tac_monitor *monitor, const struct small_trace *t)
{
    for (int quantifier = 0; quantifier < 3; quantifier++) {
        struct found found;
        bool wanted = defined(t, quantifier, &found);
        tac_property_result result;
        tac_monitor_result(monitor, (size_t)quantifier, true, &result);
        size_t violated = 0, first_bad = NEVER;
        for (size_t i = 0; i < found.count; i++)
            if (!phi(t, found.from[i], found.to[i])) {
                violated++;
                if (first_bad == NEVER)
                    first_bad = i;
            }
        compared++;
        if ((result.answer == TAC_HOLDS) != wanted || result.intervals != found.count ||
            result.violated != violated ||
            (quantifier == FORALL && !wanted &&
             (!result.witness || result.witness->interval.from != found.from[first_bad] ||
              result.witness->interval.to != found.to[first_bad])))
            wrong++;
        tac_monitor_result(monitor, (size_t)quantifier, false, &result);
        if (result.decided && (result.answer == TAC_HOLDS) != wanted)
            wrong++; /* a verdict that fell online must be the final one */
        if (!result.decided && result.answer != TAC_INCONCLUSIVE)
            wrong++;
    }
}

/* Every trace of length `length`, fed as one block. */
static void all_traces(tac_monitor *monitor, struct small_trace *t, size_t at, size_t length)
{
    if (at == length) {
        t->count = length;
        tac_monitor_reset(monitor);
        feed_small(monitor, t, 0, length);
        compare(monitor, t);
        return;
    }
    for (unsigned letter = 0; letter < LETTERS; letter++) {
        put(t, at, letter);
        all_traces(monitor, t, at + 1, length);
    }
}

static tac_monitor *monitor_of(const tac_properties *properties, tac_semantics semantics)
{
    tac_monitor_options options = {.semantics = semantics};
    tac_monitor *monitor;
    tac_error err;
    if (tac_monitor_new(properties, &options, &monitor, &err) != TAC_OK)
        abort();
    return monitor;
}

TEST(every_trace_up_to_length_six_has_the_verdict_of_the_definitions)
{
    tac_properties *properties = properties_of(props);
    tac_monitor *monitor = monitor_of(properties, TAC_SEMANTICS_DEF);
    struct small_trace t;
    small_times(&t);
    compared = wrong = 0;
    for (size_t length = 1; length <= (test_scale(10) == 10 ? 6 : 4); length++)
        all_traces(monitor, &t, 0, length);
    CHECK_EQ(wrong, 0);
    if (test_scale(10) == 10)
        CHECK_EQ(compared, 3 * (12 + 144 + 1728 + 20736 + 248832 + 2985984));
    tac_monitor_free(monitor);
    tac_property_free(properties);
}

/* One state at a time: at every prefix the answer is the one of the definitions for that prefix. */
TEST(online_equals_offline_at_every_prefix)
{
    tac_properties *properties = properties_of(props);
    tac_monitor *monitor = monitor_of(properties, TAC_SEMANTICS_DEF);
    struct small_trace t;
    small_times(&t);
    compared = wrong = 0;
    size_t traces = 1;
    for (int i = 0; i < (test_scale(10) == 10 ? 5 : 3); i++)
        traces *= LETTERS;
    for (size_t number = 0; number < traces; number++) {
        size_t rest = number;
        tac_monitor_reset(monitor);
        for (t.count = 0; t.count < 5; rest /= LETTERS) {
            put(&t, t.count, (unsigned)(rest % LETTERS));
            feed_small(monitor, &t, t.count, t.count + 1);
            t.count++;
            compare(monitor, &t);
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK(compared > 1000);
    tac_monitor_free(monitor);
    tac_property_free(properties);
}

/* Longer random traces, cut into blocks at random. */
TEST(blocks_of_any_size_give_the_same_result)
{
    tac_properties *properties = properties_of(props);
    tac_monitor *monitor = monitor_of(properties, TAC_SEMANTICS_DEF);
    struct small_trace t;
    tac_random random;
    small_times(&t);
    tac_random_seed(&random, 4);
    compared = wrong = 0;
    for (size_t round = 0; round < test_scale(20000); round++) {
        t.count = 1 + tac_random_below(&random, SMALL_TRACE);
        for (size_t i = 0; i < t.count; i++)
            put(&t, i, (unsigned)tac_random_below(&random, LETTERS));
        tac_monitor_reset(monitor);
        for (size_t from = 0; from < t.count;) {
            size_t to = from + 1 + tac_random_below(&random, t.count - from);
            feed_small(monitor, &t, from, to);
            from = to;
        }
        compare(monitor, &t);
    }
    CHECK_EQ(wrong, 0);
    tac_monitor_free(monitor);
    tac_property_free(properties);
}

/* --- The other readings ----------------------------------------------------------------------- */

static bool rises(const double *formula, size_t i)
{
    return formula[i] > 0 && (i == 0 || !(formula[i - 1] > 0));
}

/* The start that the expression refers to in state j, per reading. */
static size_t captured(const struct small_trace *t, tac_semantics semantics, size_t j)
{
    size_t start = NEVER;
    bool flag = false;
    for (size_t i = 0; i <= j; i++) {
        if (semantics == TAC_SEMANTICS_EQ3) {
            if (rises(t->p, i))
                start = i;
            continue;
        }
        bool before = flag; /* Listings 7 and 1.2 */
        if (rises(t->p, i))
            flag = true;
        else if (rises(t->q, i))
            flag = false;
        if (flag && !before)
            start = i;
    }
    return start;
}

/* not q until (q and Phi), from state i; on the endless end state nothing holds. */
static bool until_good(const struct small_trace *t, tac_semantics semantics, size_t i)
{
    size_t j = first_at(t->q, t->count, i);
    return j != NEVER && phi(t, captured(t, semantics, j), j);
}

/* Equations (1) to (3), and the 2015 ones. */
static bool by_equation(const struct small_trace *t, tac_semantics semantics, int quantifier)
{
    bool any = false, all = true;
    for (size_t i = 0; i < t->count; i++) {
        bool starts = semantics == TAC_SEMANTICS_EQ3 ? rises(t->p, i) : t->p[i] > 0;
        if (!starts)
            continue;
        bool good = until_good(t, semantics, i);
        if (quantifier == FIRST)
            return good;
        any |= good;
        all &= good;
    }
    return quantifier == FORALL ? all : quantifier == EXISTS && any;
}

/* Listing 7: the intervals are the stretches where its flag is up, closed by its fall. */
static bool by_listing(const struct small_trace *t, int quantifier)
{
    bool flag = false, any = false, all = true, met = false;
    size_t start = 0;
    for (size_t i = 0; i < t->count; i++) {
        bool before = flag;
        if (rises(t->p, i))
            flag = true;
        else if (rises(t->q, i))
            flag = false;
        if (flag && !before)
            start = i;
        if (before && !flag) {
            bool good = phi(t, start, i);
            if (quantifier == FIRST && !met)
                return good;
            met = true;
            any |= good;
            all &= good;
        }
    }
    return quantifier == FORALL ? all : quantifier == EXISTS && any;
}

struct traits {
    bool open, together, again;
};

/* What the document says the readings stumble over. */
static struct traits traits_of(const struct small_trace *t)
{
    struct traits traits = {0};
    bool inside = false;
    for (size_t i = 0; i < t->count; i++) {
        bool p = t->p[i] > 0, q = t->q[i] > 0;
        traits.together |= p && q;
        traits.again |= inside && rises(t->p, i) && !q;
        inside = inside ? !q : p;
    }
    traits.open = inside;
    return traits;
}

struct difference {
    size_t wrong, unexplained, by_open, by_together, by_again;
};

static void check_reading(tac_monitor *monitor, const struct small_trace *t,
                          tac_semantics semantics, struct difference *out)
{
    struct traits traits = traits_of(t);
    struct found found;
    for (int quantifier = 0; quantifier < 3; quantifier++) {
        bool wanted = semantics == TAC_SEMANTICS_RISING ? by_listing(t, quantifier)
                                                        : by_equation(t, semantics, quantifier);
        out->wrong += (answer_of(monitor, (size_t)quantifier, t) == TAC_HOLDS) != wanted;
        if (wanted == defined(t, quantifier, &found))
            continue;
        bool explained = semantics == TAC_SEMANTICS_RISING ? traits.together
                         : semantics == TAC_SEMANTICS_EQ3
                             ? traits.open || traits.together || traits.again
                             : traits.open || traits.together;
        out->unexplained += !explained;
        out->by_open += traits.open && !traits.together && !traits.again;
        out->by_together += traits.together && !traits.open && !traits.again;
        out->by_again += traits.again && !traits.open && !traits.together;
    }
}

static struct difference differences(tac_semantics semantics)
{
    struct difference out = {0};
    tac_properties *properties = properties_of(props);
    tac_monitor *monitor = monitor_of(properties, semantics);
    struct small_trace t;
    small_times(&t);
    size_t traces = 1, length = test_scale(10) == 10 ? 5 : 4;
    for (t.count = 1; t.count <= length; t.count++) {
        traces *= LETTERS;
        for (size_t number = 0; number < traces; number++) {
            size_t rest = number;
            for (size_t i = 0; i < t.count; i++, rest /= LETTERS)
                put(&t, i, (unsigned)(rest % LETTERS));
            check_reading(monitor, &t, semantics, &out);
        }
    }
    tac_monitor_free(monitor);
    tac_property_free(properties);
    return out;
}

TEST(equation_three_differs_where_the_document_says)
{
    struct difference got = differences(TAC_SEMANTICS_EQ3);
    CHECK_EQ(got.wrong, 0);
    CHECK_EQ(got.unexplained, 0);
    CHECK(got.by_open > 0);     /* an open interval is called false */
    CHECK(got.by_together > 0); /* p and q in one state are a closed interval */
    CHECK(got.by_again > 0);    /* a new p restarts */
}

TEST(rising_edges_differ_where_the_document_says)
{
    struct difference got = differences(TAC_SEMANTICS_RISING);
    CHECK_EQ(got.wrong, 0);
    CHECK_EQ(got.unexplained, 0);
    CHECK_EQ(got.by_open, 0);
    CHECK_EQ(got.by_again, 0);
    CHECK(got.by_together > 0); /* the edge of p hides the q of its state; a held one has no edge */
}

TEST(the_2015_equations_differ_on_open_intervals_and_shared_states)
{
    struct difference got = differences(TAC_SEMANTICS_SPIN2015);
    CHECK_EQ(got.wrong, 0);
    CHECK_EQ(got.unexplained, 0);
    CHECK(got.by_open > 0);
    CHECK(got.by_together > 0);
    CHECK_EQ(got.by_again, 0);
}
