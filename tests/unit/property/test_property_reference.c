/* Random properties on random traces against the slow reference: temporal formulas with bounds on
 * both sides and into the past, intervals with every figure, ends that look ahead, all relations,
 * shares, percentiles and means, and `for each`. Verdicts, the moment of decision, witnesses,
 * counts and margins; fed in random pieces, and one long trace in a hundred crosses the borders of
 * chunks.
 *
 * TACTUS_PROPERTY_CASES sets the number of cases per kind (default 500). */
#include "property/property.h"
#include "property_support.h"
#include "random_property.h"
#include "tactus_test.h"

#include <math.h>

static size_t cases(void)
{
    const char *wanted = getenv("TACTUS_PROPERTY_CASES");
    return wanted ? (size_t)strtoull(wanted, NULL, 10) : test_scale(500);
}

static bool holds(tac_answer answer)
{
    return answer == TAC_HOLDS || answer == TAC_PRESUMABLY_HOLDS;
}

static bool near(double got, const mpq_t wanted)
{
    double value = mpq_get_d(wanted);
    return fabs(got - value) <= 1e-9 * (1 + fabs(value));
}

/* --- Temporal formulas ------------------------------------------------------------------------ */

struct temporal_truth {
    bool holds, decided;
    size_t since, decided_state;
};

static struct temporal_truth temporal_truth(const struct ref_trace *t, const struct ref_formula *f,
                                            bool moments)
{
    struct temporal_truth out = {.since = 0};
    bool bad = false;
    for (size_t n = moments ? 1 : t->count; n <= t->count; n++) {
        bool now = !ref_ended(t, n, f, f->count - 1, 0);
        if (now && !bad)
            out.since = n - 1;
        bad = now;
        if (moments && ref_known(t, n, f, f->count - 1, 0) != -1) {
            out.decided = true;
            out.decided_state = n - 1;
            break;
        }
    }
    out.holds = !bad;
    return out;
}

static size_t queued, judged;

static void check_temporal(tac_random *random, size_t number)
{
    static struct ref_trace t;
    struct ref_formula f = {.count = 0};
    tac_str text = {0};
    bool large = number % 100 == 99;
    tac_str_add(&text, "property a: ");
    random_formula(random, &f, &text, large ? 2 : 3, true);
    tac_properties *properties = properties_of(tac_str_text(&text));
    tac_monitor *monitor = monitor_of(properties);
    size_t states = 0, clocks = 0;
    bool automaton = tac_property_automaton(properties, 0, &states, &clocks) && states > 0;
    queued += !automaton;
    for (int round = 0; round < (large ? 1 : 3); round++) {
        random_trace(random, &t, large ? 1 : 16);
        if (large) { /* three quarters of a chunk more than one */
            random_trace(random, &t, 1);
            size_t wanted = 1015 + tac_random_below(random, 40);
            static struct ref_trace piece;
            while (t.count < wanted) {
                random_trace(random, &piece, 16);
                for (size_t i = 0; i < piece.count && t.count < wanted; i++, t.count++) {
                    size_t at = t.count;
                    t.time[at] = t.time[at - 1] + 500000000;
                    t.p[at] = piece.p[i], t.q[at] = piece.q[i], t.r[at] = piece.r[i];
                    t.tenths[at] = piece.tenths[i];
                    t.event[at] = piece.event[i];
                    t.key[at] = piece.key[i];
                }
            }
        }
        struct temporal_truth truth = temporal_truth(&t, &f, !large);
        tac_property_result result;
        tac_monitor_reset(monitor);
        feed_pieces(monitor, &t, random);
        tac_monitor_result(monitor, 0, true, &result);
        judged++;
        bool same = holds(result.answer) == truth.holds;
        if (same && !large) {
            /* an automaton may know earlier, never later, and never something else */
            same = automaton ? !truth.decided ||
                                   (result.decided && result.decided_state <= truth.decided_state)
                             : result.decided == truth.decided &&
                                   (!truth.decided || result.decided_state == truth.decided_state);
            if (same && !truth.holds)
                same = result.witness && result.witness->interval.from == truth.since;
        }
        if (!same) {
            test_fail(__FILE__, __LINE__,
                      "%s: %zu states: got %s decided %d at %llu from %llu, expected %d decided %d "
                      "at %zu from %zu",
                      tac_str_text(&text), t.count, tac_answer_name(result.answer), result.decided,
                      (unsigned long long)result.decided_state,
                      (unsigned long long)(result.witness ? result.witness->interval.from : 0),
                      truth.holds, truth.decided, truth.decided_state, truth.since);
            break;
        }
    }
    tac_monitor_free(monitor);
    tac_property_free(properties);
    tac_str_free(&text);
}

TEST(temporal_formulas_with_any_bounds_agree_with_the_definitions)
{
    tac_random random;
    tac_random_seed(&random, 2201);
    queued = judged = 0;
    for (size_t i = 0; i < cases(); i++)
        check_temporal(&random, i);
    printf("  %zu judgements, %zu of %zu formulas by queues\n", judged, queued, cases());
    CHECK(queued > cases() / 10);
}

/* --- Intervals -------------------------------------------------------------------------------- */

struct interval_truth {
    size_t intervals, violated, first_bad, first_good;
    bool has_margin;
};

static void check_interval(tac_random *random, size_t number)
{
    static struct ref_trace t;
    static struct ref_interval found[REF_STATES];
    struct ref_formula p = {.count = 0}, q = {.count = 0};
    static const char *const quantifiers[] = {"first", "forall", "exists"};
    tac_str text = {0};
    unsigned quantifier = (unsigned)(number % 3);
    bool has_q, open;
    tac_str_addf(&text, "property a: %s ", quantifiers[quantifier]);
    random_ends(random, &p, &q, &has_q, &text);
    struct bound bound = random_bound_on(random, &text);
    tac_properties *properties = properties_of(tac_str_text(&text));
    tac_monitor *monitor = monitor_of(properties);
    mpq_t margin, best;
    mpq_inits(margin, best, NULL);
    for (int round = 0; round < 3; round++) {
        random_trace(random, &t, 24);
        size_t count = ref_intervals(&t, t.count, &p, has_q ? &q : NULL, found, &open);
        if (open && !has_q)
            continue; /* a run that goes on is judged elsewhere */
        struct interval_truth truth = {.intervals = count, .first_bad = count, .first_good = count};
        for (size_t i = 0; i < count; i++) {
            bool has_margin, good = bound_holds(&t, found[i], &bound, &has_margin, margin);
            truth.violated += !good;
            if (!good && truth.first_bad == count)
                truth.first_bad = i;
            if (good && truth.first_good == count)
                truth.first_good = i;
            int order = mpq_cmp(margin, best);
            if (has_margin && (quantifier != 0 || i == 0) &&
                (!truth.has_margin || (quantifier == 2 ? order > 0 : order < 0))) {
                truth.has_margin = true;
                mpq_set(best, margin);
            }
        }
        bool wanted = quantifier == 0   ? count > 0 && truth.first_good == 0
                      : quantifier == 1 ? truth.violated == 0
                                        : truth.first_good < count;
        size_t witness = quantifier == 0 ? 0 : quantifier == 1 ? truth.first_bad : truth.first_good;
        tac_property_result result;
        tac_monitor_reset(monitor);
        feed_pieces(monitor, &t, random);
        tac_monitor_result(monitor, 0, true, &result);
        bool same = holds(result.answer) == wanted && result.intervals == count &&
                    result.violated == truth.violated && result.open == open &&
                    result.has_margin == truth.has_margin &&
                    (!truth.has_margin || near(result.margin, best)) &&
                    result.vacuous == (count == 0);
        if (same && witness < count)
            same = result.witness && result.witness->interval.from == found[witness].from &&
                   result.witness->interval.to == found[witness].to;
        judged++;
        if (!same) {
            test_fail(
                __FILE__, __LINE__,
                "%s: got %s with %llu of %llu open %llu margin %.17g, expected %d with %zu of "
                "%zu open %d margin %.17g",
                tac_str_text(&text), tac_answer_name(result.answer),
                (unsigned long long)result.violated, (unsigned long long)result.intervals,
                (unsigned long long)result.open, result.margin, wanted, truth.violated, count, open,
                mpq_get_d(best));
            break;
        }
    }
    mpq_clears(margin, best, NULL);
    tac_monitor_free(monitor);
    tac_property_free(properties);
    tac_str_free(&text);
}

TEST(interval_figures_and_ends_that_look_ahead_agree_with_exact_rationals)
{
    tac_random random;
    tac_random_seed(&random, 2202);
    judged = 0;
    for (size_t i = 0; i < cases(); i++)
        check_interval(&random, i);
    printf("  %zu judgements\n", judged);
}

/* --- Relations -------------------------------------------------------------------------------- */

static const char *const relation_words[] = {
    "during",       "overlaps", "before",         "within",        "allen before", "after",
    "meets",        "met_by",   "allen overlaps", "overlapped_by", "starts",       "started_by",
    "allen during", "contains", "finishes",       "finished_by",   "equals"};

struct inner {
    struct ref_formula p, q;
    bool has_q, has_where, negated;
    int quantifier, relation;
    struct bound where;
};

static bool runs_on; /* some run goes on at the end of the trace; it is judged elsewhere */

static bool inner_holds(const struct ref_trace *t, const struct inner *inner, struct ref_interval a)
{
    static struct ref_interval found[REF_STATES];
    bool open, none;
    mpq_t margin;
    size_t count =
        ref_intervals(t, t->count, &inner->p, inner->has_q ? &inner->q : NULL, found, &open);
    bool any = false, all = true, first = false, met = false;
    runs_on |= open && !inner->has_q;
    mpq_init(margin);
    for (size_t i = 0; i < count; i++) {
        if (inner->has_where && !bound_holds(t, found[i], &inner->where, &none, margin))
            continue;
        bool stands = ref_related(inner->relation, a, found[i]);
        if (!met)
            first = stands;
        met = true;
        any |= stands;
        all &= stands;
    }
    mpq_clear(margin);
    bool truth = inner->quantifier == 0 ? met && first : inner->quantifier == 1 ? all : any;
    return truth != inner->negated;
}

static void random_inner(tac_random *random, struct inner *inner, tac_str *text)
{
    static const char *const quantifiers[] = {"first", "forall", "exists"};
    *inner = (struct inner){.quantifier = (int)tac_random_below(random, 3),
                            .relation = (int)tac_random_below(random, 17),
                            .has_where = tac_random_below(random, 3) == 0,
                            .negated = tac_random_below(random, 4) == 0};
    if (tac_random_below(random, 2))
        inner->quantifier = 2;
    tac_str_addf(text, "(%s(%s ", inner->negated ? "not " : "", quantifiers[inner->quantifier]);
    random_ends(random, &inner->p, &inner->q, &inner->has_q, text);
    tac_str_add(text, relation_words[inner->relation]);
    if (inner->has_where) {
        tac_str_add(text, " where (");
        inner->where = random_bound_on(random, text);
        tac_str_add(text, ")");
    }
    tac_str_add(text, "))");
}

static void check_relation(tac_random *random, size_t number)
{
    static struct ref_trace t;
    static struct ref_interval found[REF_STATES];
    struct ref_formula p = {.count = 0}, q = {.count = 0};
    struct inner inner[3];
    size_t inners = 1 + tac_random_below(random, 3);
    tac_str text = {0};
    bool has_q, open, all = number % 2, any_of = tac_random_below(random, 3) == 0;
    tac_str_addf(&text, "property a: %s ", all ? "forall" : "exists");
    random_ends(random, &p, &q, &has_q, &text);
    for (size_t k = 0; k < inners; k++) {
        if (k)
            tac_str_add(&text, any_of ? " or " : " and ");
        random_inner(random, &inner[k], &text);
    }
    tac_properties *properties = properties_of(tac_str_text(&text));
    tac_monitor *monitor = monitor_of(properties);
    for (int round = 0; round < 4; round++) {
        random_trace(random, &t, 24);
        size_t count = ref_intervals(&t, t.count, &p, has_q ? &q : NULL, found, &open), bad = 0;
        size_t first_bad = count;
        runs_on = open && !has_q;
        for (size_t i = 0; i < count; i++) {
            bool good = !any_of;
            for (size_t k = 0; k < inners; k++) {
                bool one = inner_holds(&t, &inner[k], found[i]);
                good = any_of ? good || one : good && one;
            }
            bad += !good;
            if (!good && first_bad == count)
                first_bad = i;
        }
        if (runs_on)
            continue;
        bool wanted = all ? bad == 0 : bad < count;
        tac_property_result result;
        tac_monitor_reset(monitor);
        feed_pieces(monitor, &t, random);
        tac_monitor_result(monitor, 0, true, &result);
        judged++;
        bool same =
            holds(result.answer) == wanted && result.intervals == count && result.violated == bad;
        if (same && all && bad)
            same = result.witness && result.witness->interval.from == found[first_bad].from;
        if (!same) {
            test_fail(__FILE__, __LINE__,
                      "%s: got %s with %llu of %llu, expected %d with %zu of %zu",
                      tac_str_text(&text), tac_answer_name(result.answer),
                      (unsigned long long)result.violated, (unsigned long long)result.intervals,
                      wanted, bad, count);
            break;
        }
    }
    tac_monitor_free(monitor);
    tac_property_free(properties);
    tac_str_free(&text);
}

TEST(several_nested_intervals_in_all_relations_agree_with_the_definitions)
{
    tac_random random;
    tac_random_seed(&random, 2203);
    judged = 0;
    for (size_t i = 0; i < cases(); i++)
        check_relation(&random, i);
    printf("  %zu judgements\n", judged);
}

TEST(the_thirteen_relations_exclude_each_other_and_leave_nothing_out)
{
    for (size_t a = 0; a < 36 * 36; a++) {
        struct ref_interval x = {a % 6, a / 6 % 6, false}, y = {a / 36 % 6, a / 216, false};
        if (x.from > x.to || y.from > y.to)
            continue;
        int standing = 0;
        for (int relation = 4; relation < 17; relation++)
            standing += ref_related(relation, x, y);
        CHECK_EQ(standing, 1);
    }
}

/* --- Shares, percentiles, means --------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    return mpq_cmp(*(const mpq_t *)a, *(const mpq_t *)b);
}

static void check_sample(tac_random *random, size_t number)
{
    static struct ref_trace t;
    static struct ref_interval found[REF_STATES];
    struct ref_formula p = {.count = 0}, q = {.count = 0};
    tac_str text = {0};
    bool has_q, open, infinite;
    unsigned kind = (unsigned)(number % 3);
    int rank = 1 + (int)tac_random_below(random, 100), op = (int)tac_random_below(random, 4);
    int limit = (int)tac_random_below(random, 101);
    tac_str_add(&text, "property a: ");
    if (kind == 0)
        tac_str_add(&text, "share ");
    else if (kind == 1)
        tac_str_addf(&text, "percentile(%d) ", rank);
    else
        tac_str_add(&text, "mean ");
    random_ends(random, &p, &q, &has_q, &text);
    if (kind == 0)
        tac_str_add(&text, "(");
    struct bound bound = random_bound_on(random, &text);
    if (kind == 0)
        tac_str_addf(&text, ") %s %d %%", comparison_signs[op], limit);
    tac_properties *properties = properties_of(tac_str_text(&text));
    tac_monitor *monitor = monitor_of(properties);
    static mpq_t values[64];
    mpq_t figure, other, margin;
    mpq_inits(figure, other, margin, NULL);
    for (int round = 0; round < 4; round++) {
        random_trace(random, &t, 40);
        size_t count = ref_intervals(&t, t.count, &p, has_q ? &q : NULL, found, &open), used = 0;
        size_t good = 0;
        bool skip = open && !has_q;
        for (size_t i = 0; i < count; i++) {
            bool none;
            good += bound_holds(&t, found[i], &bound, &none, margin);
            mpq_init(values[used]);
            if (ref_figure(&t, found[i], bound.figure, values[used], &infinite))
                used++;
            else
                mpq_clear(values[used]);
            skip |= infinite;
        }
        bool wanted = true;
        mpq_set_si(figure, 0, 1);
        if (kind == 0 && count) {
            mpq_set_si(figure, (long)(100 * good), (unsigned long)count);
            mpq_set_si(other, limit, 1);
        } else if (kind > 0 && used) {
            mpq_set_si(other, bound.tenths, 10);
            qsort(values, used, sizeof *values, by_value);
            if (kind == 1)
                mpq_set(figure, values[((size_t)rank * used + 99) / 100 - 1]);
            else {
                for (size_t i = 0; i < used; i++)
                    mpq_add(figure, figure, values[i]);
                mpq_t divisor;
                mpq_init(divisor);
                mpq_set_ui(divisor, used, 1);
                mpq_div(figure, figure, divisor);
                mpq_clear(divisor);
            }
        }
        mpq_canonicalize(figure);
        mpq_canonicalize(other);
        int order = mpq_cmp(figure, other), sign = kind == 0 ? op : bound.op;
        bool any = kind == 0 ? count > 0 : used > 0;
        if (any)
            wanted = sign == 0   ? order < 0
                     : sign == 1 ? order <= 0
                     : sign == 2 ? order > 0
                     : sign == 3 ? order >= 0
                     : sign == 4 ? order == 0
                                 : order != 0;
        tac_property_result result;
        tac_monitor_reset(monitor);
        feed_pieces(monitor, &t, random);
        tac_monitor_result(monitor, 0, true, &result);
        judged++;
        bool same = skip || (holds(result.answer) == wanted && (result.figure != NULL) == any &&
                             (!any || near(result.figure->value, figure)));
        for (size_t i = 0; i < used; i++)
            mpq_clear(values[i]);
        if (!same) {
            test_fail(__FILE__, __LINE__, "%s: got %s figure %.17g, expected %d figure %.17g",
                      tac_str_text(&text), tac_answer_name(result.answer),
                      result.figure ? result.figure->value : 0, wanted, mpq_get_d(figure));
            break;
        }
    }
    mpq_clears(figure, other, margin, NULL);
    tac_monitor_free(monitor);
    tac_property_free(properties);
    tac_str_free(&text);
}

TEST(shares_percentiles_and_means_agree_with_exact_rationals)
{
    tac_random random;
    tac_random_seed(&random, 2204);
    judged = 0;
    for (size_t i = 0; i < cases(); i++)
        check_sample(&random, i);
    printf("  %zu judgements\n", judged);
}

/* --- For each --------------------------------------------------------------------------------- */

static void check_each(tac_random *random, size_t number)
{
    static struct ref_trace t;
    static struct ref_interval found[REF_STATES];
    struct ref_formula p = {.count = 0}, q = {.count = 0};
    tac_str text = {0};
    bool temporal = number % 2, has_q = true, open, none;
    struct bound bound = {0};
    unsigned quantifier = (unsigned)tac_random_below(random, 3);
    static const char *const quantifiers[] = {"first", "forall", "exists"};
    tac_str_add(&text, "property a for each key: ");
    if (temporal) {
        tac_str_add(&text, tac_random_below(random, 2) ? "always (A -> " : "always (");
        bool implies = strstr(tac_str_text(&text), "->") != NULL;
        int a = implies ? add_node(&p, (struct ref_node){.op = REF_EVENT, .value = 0}) : 0;
        int b = random_formula(random, &p, &text, 2, true);
        if (implies)
            b = add_node(&p, (struct ref_node){.op = REF_IMPLIES, .a = a, .b = b});
        add_node(&p, (struct ref_node){.op = REF_ALWAYS, .a = b});
        tac_str_add(&text, ")");
    } else {
        tac_str_addf(&text, "%s ", quantifiers[quantifier]);
        random_ends(random, &p, &q, &has_q, &text);
        bound = random_bound_on(random, &text);
    }
    tac_properties *properties = properties_of(tac_str_text(&text));
    tac_monitor *monitor = monitor_of(properties);
    mpq_t margin;
    mpq_init(margin);
    for (int round = 0; round < 3; round++) {
        random_trace(random, &t, round == 2 ? 100 : 20); /* also beyond one chunk of values */
        size_t values = 0, bad = 0, intervals = 0, violated = 0;
        bool goes_on = false;
        for (int v = 0; v < 3; v++) {
            bool met = false;
            for (size_t i = 0; i < t.count; i++)
                met |= t.key[i] == v;
            if (!met)
                continue;
            values++;
            t.shown = v;
            if (temporal) {
                bad += !ref_ended(&t, t.count, &p, p.count - 1, 0);
                continue;
            }
            size_t count = ref_intervals(&t, t.count, &p, has_q ? &q : NULL, found, &open);
            size_t wrong = 0;
            goes_on |= open && !has_q;
            bool first = false;
            for (size_t i = 0; i < count; i++) {
                bool good = bound_holds(&t, found[i], &bound, &none, margin);
                wrong += !good;
                if (i == 0)
                    first = good;
            }
            intervals += count;
            violated += wrong;
            bad += quantifier == 0 ? !first : quantifier == 1 ? wrong > 0 : wrong == count;
        }
        t.shown = REF_NONE;
        if (goes_on)
            continue;
        tac_property_result result;
        tac_monitor_reset(monitor);
        feed_pieces(monitor, &t, random);
        tac_monitor_result(monitor, 0, true, &result);
        judged++;
        bool same = holds(result.answer) == (bad == 0) && result.values == values &&
                    result.values_violated == bad &&
                    (temporal || (result.intervals == intervals && result.violated == violated));
        if (!same) {
            test_fail(
                __FILE__, __LINE__,
                "%s (%zu states): got %s, %llu of %llu values, %llu of %llu intervals; expected "
                "%zu of %zu, %zu of %zu",
                tac_str_text(&text), t.count, tac_answer_name(result.answer),
                (unsigned long long)result.values_violated, (unsigned long long)result.values,
                (unsigned long long)result.violated, (unsigned long long)result.intervals, bad,
                values, violated, intervals);
            break;
        }
    }
    mpq_clear(margin);
    tac_monitor_free(monitor);
    tac_property_free(properties);
    tac_str_free(&text);
}

TEST(for_each_value_agrees_with_judging_every_value_alone)
{
    tac_random random;
    tac_random_seed(&random, 2205);
    judged = 0;
    for (size_t i = 0; i < cases(); i++)
        check_each(&random, i);
    printf("  %zu judgements\n", judged);
}
