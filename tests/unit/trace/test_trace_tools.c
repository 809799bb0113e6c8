/* Merging and statistics against straightforward computations on random traces. */
#include "base/data/vec.h"
#include "tactus_test.h"
#include "trace/tools.h"
#include "trace_support.h"

static tac_trace_imported *import_two(const char *a, const char *b, const char *out,
                                      const char *format)
{
    tac_trace_input inputs[] = {{.path = a}, {.path = b}};
    tac_trace_import_options options = {.format = format};
    FILE *file = fopen(out, "w");
    tac_trace_imported *imported = NULL;
    tac_error err;
    if (tac_trace_import(inputs, 2, &options, file, &imported, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    fclose(file);
    return imported;
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
        tac_trace_imported *imported = import_two(first, second, out, formats[seed / 4 % 2]);
        char *got = dump_trace(out, NULL, NULL), *wanted = naive_merge(a, b);
        if (strcmp(got, wanted))
            test_fail(__FILE__, __LINE__, "seed %zu\n--- got\n%.500s\n--- wanted\n%.500s", seed,
                      got, wanted);
        CHECK_EQ(imported->states, a->states + b->states);
        tac_trace_imported_free(imported);
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
        tac_trace_imported *imported = NULL;
        options.align = align;
        if (align)
            inputs[1].offset = 500000000;
        REQUIRE(!tac_trace_import(inputs, 2, &options, file, &imported, NULL));
        fclose(file);
        tac_trace_imported_free(imported);
        char *got = dump_trace(out, NULL, NULL);
        CHECK_STR(got, align ? "0.000000000 x=1\n0.500000000 x=1 event=tap\n"
                               "1.500000000 x=1 event=up\n2.000000000 x=2"
                             : "100.000000000 x=1\n101.000000000 x=1 event=tap\n"
                               "102.000000000 x=2\n102.000000000 x=2 event=up");
        free(got);
    }
}

/* A document that ends inside an event. */
TEST(what_was_cut_stays_cut_in_other_formats)
{
    static const char *const formats[] = {"jsonl", "binary", "csv"};
    const char *cut = test_write("cut.json", "[{\"ph\":\"i\",\"name\":\"a\",\"ts\":1},\n"
                                             "{\"ph\":\"i\",\"name\":\"b\",");
    const char *whole = test_write("whole.csv", "t,x\n0,1\n"), *out = test_temporary("converted");
    for (size_t i = 0; i < 3; i++) {
        tac_trace_imported *imported = import_two(whole, cut, out, formats[i]);
        bool csv = !strcmp(formats[i], "csv"), said = false;
        tac_trace_source *source;
        const tac_trace_block *block;
        REQUIRE(!tac_trace_open(out, NULL, &source, NULL));
        do
            REQUIRE(!tac_trace_next(source, &block, NULL));
        while (block);
        CHECK_EQ(tac_trace_is_cut(source), !csv);
        for (size_t w = 0; w < imported->warning_count; w++)
            said |= strstr(imported->warnings[w], "is cut, which a CSV cannot say") != NULL;
        CHECK_EQ(said, csv);
        tac_trace_close(source);
        tac_trace_imported_free(imported);
    }
}

/* Parts that follow each other are one recording; two counters of one name at once are not. */
TEST(variables_that_sources_set_in_turn_are_said)
{
    const char *a = test_write("one.csv", "t,x\n0,1\n2,2\n"), *out = test_temporary("turns");
    static const struct {
        const char *text;
        size_t warnings;
    } others[] = {{"t,x\n1,5\n3,6\n", 1}, {"t,x\n3,5\n4,6\n", 0}, {"t,y\n1,5\n3,6\n", 0}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        tac_trace_imported *imported =
            import_two(a, test_write("two.csv", others[i].text), out, "jsonl");
        REQUIRE(imported->warning_count == others[i].warnings);
        if (others[i].warnings)
            CHECK_CONTAINS(imported->warnings[0], "'x' is set by several sources in turn");
        tac_trace_imported_free(imported);
    }
}

TEST(local_time_beside_wall_time_is_said)
{
    const char *wall = test_write("wall.txt", "9,h,0:RESET:TIME:1424151364000\n9,h,0,Bl=42\n");
    const char *local = test_write("local.txt", "Battery History (1% used):\n"
                                                "  0 (9) RESET:TIME: 2015-02-17-07-36-04\n"
                                                "  0 (2) 042 +screen\n  +1s (2) 042 -screen\n\n");
    tac_trace_imported *imported = import_two(wall, local, test_temporary("zones"), "jsonl");
    REQUIRE(imported->warning_count > 0);
    CHECK_CONTAINS(imported->warnings[0], "local.txt has the phone's local time without a zone");
    tac_trace_imported_free(imported);
    static const char *const logs[] = {"2015-02-17 07:36:04.000  1  1 I tag: x\n",
                                       "2015-02-17 07:36:04.000 +0200  1  1 I tag: x\n",
                                       "1424151364.000  1  1 I tag: x\n"};
    for (size_t i = 0; i < 3; i++) {
        imported =
            import_two(wall, test_write("log.txt", logs[i]), test_temporary("zones"), "jsonl");
        CHECK_EQ(imported->warning_count, i == 0);
        tac_trace_imported_free(imported);
    }
}

static const tac_trace_cost *action(const tac_trace_statistics *statistics, const char *name)
{
    for (size_t i = 0; i < statistics->profile->action_count; i++)
        if (!strcmp(statistics->profile->actions[i].name, name))
            return &statistics->profile->actions[i];
    return NULL;
}

TEST(the_profile_charges_each_action_up_to_the_next)
{
    const char *paths[] = {
        test_write("p1.csv", "t,event,e\n0,tap,0\n1,,3\n2,tap,5\n3,swipe,6\n4,,10\n"),
        test_write("p2.csv", "t,event,e\n0,tap,100\n2,,104\n")};
    tac_trace_stat_options options = {.per = "event", .variable = "e"};
    tac_trace_statistics *statistics;
    REQUIRE(!tac_trace_stat(paths, 2, &options, &statistics, NULL));
    const tac_trace_cost *tap = action(statistics, "tap"), *swipe = action(statistics, "swipe");
    REQUIRE(tap && swipe);
    CHECK_EQ(tap->count, 3); /* 5, 1 and 4 */
    CHECK_NEAR(tap->mean, 10.0 / 3, 1e-12);
    CHECK_NEAR(tap->spread, sqrt(13.0 / 3), 1e-12);
    CHECK_NEAR(tap->worst, 5, 0);
    CHECK_NEAR(tap->total, 10, 0);
    CHECK_NEAR(swipe->mean, 4, 0);
    CHECK_EQ(tap->worst_state, 0);
    tac_trace_statistics_free(statistics);
    options.measure = TAC_MEASURE_INTEGRAL; /* tap: 0*1+3*1, 5*1, 100*2; swipe: 6*1 */
    REQUIRE(!tac_trace_stat(paths, 2, &options, &statistics, NULL));
    CHECK_NEAR(action(statistics, "tap")->total, 3 + 5 + 200, 1e-9);
    CHECK_NEAR(action(statistics, "swipe")->total, 6, 1e-9);
    tac_trace_statistics_free(statistics);
    options.measure = TAC_MEASURE_MAX;
    REQUIRE(!tac_trace_stat(paths, 1, &options, &statistics, NULL));
    CHECK_NEAR(action(statistics, "swipe")->worst, 10, 0);
    tac_trace_statistics_free(statistics);
}

/* Range and time-weighted mean of random traces, computed from the plain arrays. */
TEST(statistics_equal_a_direct_computation)
{
    for (size_t seed = 1; seed < test_scale(100); seed++) {
        random_trace *trace = make_random_trace(seed, 5000, false);
        const char *path = test_temporary("s.tacb");
        write_random_trace(trace, path, "binary");
        tac_trace_stat_options options = {0};
        tac_trace_statistics *statistics;
        REQUIRE(!tac_trace_stat(&path, 1, &options, &statistics, NULL));
        const tac_trace_summary *one = &statistics->traces[0];
        const tac_trace_figures *rx = &one->variables[1];
        CHECK_EQ(one->states, trace->states);
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
            CHECK_NEAR(rx->least, least, 0);
            CHECK_NEAR(rx->most, most, 0);
            CHECK_NEAR(rx->mean, sum / seconds, fabs(sum / seconds) * 1e-9 + most * 1e-12);
        }
        tac_trace_statistics_free(statistics);
        free(trace);
    }
}

/* The document of the states as dump_trace tells a trace. */
static char *dump_document(const tac_trace_states *states)
{
    char *text = NULL;
    size_t size, index;
    FILE *out = open_memstream(&text, &size);
    REQUIRE(out && !tac_trace_states_write(states, out, NULL));
    fclose(out);
    json_t *document = json_loads(text, 0, NULL), *state, *value;
    const char *name;
    tac_str dump = {0};
    REQUIRE(document != NULL);
    CHECK_EQ(json_integer_value(json_object_get(document, "shown")), states->state_count);
    json_array_foreach(json_object_get(document, "states"), index, state)
    {
        int64_t time = states->states[index].time;
        tac_str_addf(&dump, "%s%lld.%09lld", dump.length ? "\n" : "",
                     (long long)(time / 1000000000), (long long)(llabs(time) % 1000000000));
        json_object_foreach(json_object_get(state, "values"), name, value)
        {
            if (json_is_string(value))
                tac_str_addf(&dump, " %s=%s", name, json_string_value(value));
            else
                tac_str_addf(&dump, " %s=%.17g", name, json_number_value(value));
        }
    }
    json_decref(document);
    free(text);
    return dump.text ? tac_str_take(&dump) : strdup("");
}

TEST(shown_states_have_all_values_of_the_trace)
{
    for (size_t seed = 1; seed < test_scale(200); seed++) {
        random_trace *trace = make_random_trace(seed, seed % 20 ? 40 : 6000, true);
        const char *path = test_temporary("shown");
        write_random_trace(trace, path, seed % 2 ? "jsonl" : "binary");
        tac_trace_show_options options = {.to = -1};
        tac_trace_states *states;
        REQUIRE(!tac_trace_show(path, &options, &states, NULL));
        char *got = dump_document(states), *wanted = dump_trace(path, NULL, NULL);
        if (strcmp(got, wanted))
            test_fail(__FILE__, __LINE__, "seed %zu\n--- got\n%.500s\n--- wanted\n%.500s", seed,
                      got, wanted);
        CHECK_EQ(states->state_count, trace->states);
        CHECK(!states->more);
        tac_trace_states_free(states);
        free(got);
        free(wanted);
        free(trace);
    }
}
