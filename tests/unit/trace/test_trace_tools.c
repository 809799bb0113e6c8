/* Merging and statistics against straightforward computations on random traces. */
#include "base/data/vec.h"
#include "tactus/trace_tools.h"
#include "tactus_test.h"
#include "trace_support.h"

static json_t *import_two(const char *a, const char *b, const char *out, const char *format)
{
    tac_trace_input inputs[] = {{.path = a}, {.path = b}};
    tac_trace_import_options options = {.format = format};
    FILE *file = fopen(out, "w");
    json_t *document = NULL;
    tac_error err;
    if (tac_trace_import(inputs, 2, &options, file, &document, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    fclose(file);
    return document;
}

/* Renames the variables so that two random traces have nothing in common but the event. */
static void rename_variables(random_trace *trace, const char *const *names)
{
    for (size_t v = 1; v < 6; v++)
        trace->variable[v].name = names[v - 1];
}

/* The merge, done by sorting all states of both. */
static char *naive_merge(const random_trace *a, const random_trace *b)
{
    size_t i = 0, k = 0;
    double numbers[12];
    const char *symbols[12] = {0};
    for (size_t v = 0; v < 12; v++)
        numbers[v] = NAN;
    tac_str text = {0};
    while (i < a->states || k < b->states) {
        bool first = i < a->states && (k == b->states || a->time[i] <= b->time[k]);
        const random_trace *from = first ? a : b;
        size_t row = first ? i++ : k++;
        tac_str_addf(&text, "%s%lld.%09lld", text.length ? "\n" : "",
                     (long long)(from->time[row] / 1000000000),
                     (long long)(llabs(from->time[row]) % 1000000000));
        for (size_t v = 1; v < from->variables; v++) {
            size_t slot = (first ? 0 : 6) + v;
            if (!isnan(from->number[row][v]))
                numbers[slot] = from->number[row][v];
            if (from->symbol[row][v])
                symbols[slot] = from->symbol[row][v];
        }
        if (from->symbol[row][0])
            tac_str_addf(&text, " event=%s", from->symbol[row][0]);
        for (size_t slot = 1; slot < 12; slot++) {
            const random_trace *owner = slot < 6 ? a : b;
            size_t v = slot % 6;
            if (!v || v >= owner->variables)
                continue;
            if (owner->variable[v].kind == TAC_CONTINUOUS && !isnan(numbers[slot]))
                tac_str_addf(&text, " %s=%.17g", owner->variable[v].name, numbers[slot]);
            if (owner->variable[v].kind == TAC_DISCRETE && symbols[slot])
                tac_str_addf(&text, " %s=%s", owner->variable[v].name, symbols[slot]);
        }
    }
    return text.text ? tac_str_take(&text) : strdup("");
}

TEST(merging_equals_sorting_all_states)
{
    static const char *const left[] = {"a1", "a2", "a3", "a4", "a5"};
    static const char *const right[] = {"b1", "b2", "b3", "b4", "b5"};
    static const char *const formats[] = {"jsonl", "binary"};
    for (size_t seed = 0; seed < test_scale(300); seed++) {
        random_trace *a = make_random_trace(seed * 2 + 1, seed % 20 ? 40 : 6000, true);
        random_trace *b = make_random_trace(seed * 2 + 2, seed % 20 ? 40 : 6000, true);
        rename_variables(a, left);
        rename_variables(b, right);
        const char *first = test_temporary("a"), *second = test_temporary("b");
        write_random_trace(a, first, formats[seed % 2]);
        write_random_trace(b, second, formats[seed / 2 % 2]);
        const char *out = test_temporary("merged");
        json_t *document = import_two(first, second, out, formats[seed / 4 % 2]);
        char *got = dump_trace(out, NULL, NULL), *wanted = naive_merge(a, b);
        if (strcmp(got, wanted))
            test_fail(__FILE__, __LINE__, "seed %zu\n--- got\n%.500s\n--- wanted\n%.500s", seed,
                      got, wanted);
        CHECK_EQ(json_integer_value(json_object_get(document, "states")), a->states + b->states);
        json_decref(document);
        free(got);
        free(wanted);
        free(a);
        free(b);
    }
}

TEST(offsets_and_alignment_move_sources)
{
    const char *a = test_write("a.csv", "t,x\n100,1\n102,2\n");
    const char *b = test_write("b.csv", "t,event\n5,tap\n6,up\n");
    const char *out = test_temporary("moved");
    tac_trace_input inputs[] = {{.path = a}, {.path = b, .offset = 96000000000}};
    tac_trace_import_options options = {.format = "jsonl"};
    for (int align = 0; align < 2; align++) {
        FILE *file = fopen(out, "w");
        json_t *document = NULL;
        options.align = align;
        if (align)
            inputs[1].offset = 500000000;
        REQUIRE(!tac_trace_import(inputs, 2, &options, file, &document, NULL));
        fclose(file);
        json_decref(document);
        char *got = dump_trace(out, NULL, NULL);
        CHECK_STR(got, align ? "0.000000000 x=1\n0.500000000 x=1 event=tap\n"
                               "1.500000000 x=1 event=up\n2.000000000 x=2"
                             : "100.000000000 x=1\n101.000000000 x=1 event=tap\n"
                               "102.000000000 x=2\n102.000000000 x=2 event=up");
        free(got);
    }
}

static const json_t *action(const json_t *document, const char *name)
{
    size_t index;
    json_t *one;
    json_array_foreach(json_object_get(json_object_get(document, "profile"), "actions"), index, one)
    {
        if (!strcmp(json_string_value(json_object_get(one, "name")), name))
            return one;
    }
    return NULL;
}

static double figure(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

TEST(the_profile_charges_each_action_up_to_the_next)
{
    const char *paths[] = {
        test_write("p1.csv", "t,event,e\n0,tap,0\n1,,3\n2,tap,5\n3,swipe,6\n4,,10\n"),
        test_write("p2.csv", "t,event,e\n0,tap,100\n2,,104\n")};
    tac_trace_stat_options options = {.per = "event", .variable = "e"};
    json_t *document;
    REQUIRE(!tac_trace_stat(paths, 2, &options, &document, NULL));
    const json_t *tap = action(document, "tap"), *swipe = action(document, "swipe");
    REQUIRE(tap && swipe);
    CHECK_EQ(figure(tap, "count"), 3); /* 5, 1 and 4 */
    CHECK_NEAR(figure(tap, "mean"), 10.0 / 3, 1e-12);
    CHECK_NEAR(figure(tap, "spread"), sqrt(13.0 / 3), 1e-12);
    CHECK_NEAR(figure(tap, "worst"), 5, 0);
    CHECK_NEAR(figure(tap, "total"), 10, 0);
    CHECK_NEAR(figure(swipe, "mean"), 4, 0);
    CHECK_EQ(figure(json_object_get(tap, "worst_at"), "state"), 0);
    json_decref(document);
    options.measure = TAC_MEASURE_INTEGRAL; /* tap: 0*1+3*1, 5*1, 100*2; swipe: 6*1 */
    REQUIRE(!tac_trace_stat(paths, 2, &options, &document, NULL));
    CHECK_NEAR(figure(action(document, "tap"), "total"), 3 + 5 + 200, 1e-9);
    CHECK_NEAR(figure(action(document, "swipe"), "total"), 6, 1e-9);
    json_decref(document);
    options.measure = TAC_MEASURE_MAX;
    REQUIRE(!tac_trace_stat(paths, 1, &options, &document, NULL));
    CHECK_NEAR(figure(action(document, "swipe"), "worst"), 10, 0);
    json_decref(document);
}

/* Range and time-weighted mean of random traces, computed from the plain arrays. */
TEST(statistics_equal_a_direct_computation)
{
    for (size_t seed = 1; seed < test_scale(100); seed++) {
        random_trace *trace = make_random_trace(seed, 5000, false);
        const char *path = test_temporary("s.tacb");
        write_random_trace(trace, path, "binary");
        tac_trace_stat_options options = {0};
        json_t *document;
        REQUIRE(!tac_trace_stat(&path, 1, &options, &document, NULL));
        const json_t *one = json_array_get(json_object_get(document, "traces"), 0);
        const json_t *rx = json_array_get(json_object_get(one, "variables"), 1);
        CHECK_EQ(figure(one, "states"), trace->states);
        double held = NAN, least = INFINITY, most = -INFINITY, sum = 0, seconds = 0;
        for (size_t i = 0; i < trace->states; i++) {
            if (i && !isnan(held)) {
                double step = (double)(trace->time[i] - trace->time[i - 1]) * 1e-9;
                sum += held * step;
                seconds += step;
            }
            if (!isnan(trace->number[i][1]))
                held = trace->number[i][1];
            least = fmin(least, held);
            most = fmax(most, held);
        }
        if (trace->variables > 1 && trace->states > 2) {
            CHECK_NEAR(figure(rx, "min"), least, 0);
            CHECK_NEAR(figure(rx, "max"), most, 0);
            CHECK_NEAR(figure(rx, "mean"), sum / seconds,
                       fabs(sum / seconds) * 1e-9 + most * 1e-12);
        }
        json_decref(document);
        free(trace);
    }
}
