/* The exported monitors against ours: SPIN runs the Promela one, a C99 compiler builds the other,
 * all three judge the same random traces. One compilation per formula, many traces. */
#include "property_support.h"
#include "quick_cc.h"
#include "tactus_test.h"

#include "base/data/random.h"
#include "base/data/str.h"
#include "base/process/process.h"
#include "property/property.h"

enum { TRACES = 200 };

static const char *const spin_props =
    "unit x kB\n"
    "property a: forall [A, B] diff(x) < 3 kB\n"
    "property f: first [A, B] diff(x) < 3 kB\n"
    "property e: exists [A, B] diff(x) < 1.5 kB and max(x) <= 6 kB\n"
    "property r: forall [mode == on] duration <= 2 s and count(C) < 2\n"
    "property l: always (A -> eventually[<= 2] B)\n";

static const char *const more_props =
    "property p1: forall [rise(mode == on) and once A, previously B] avg(x) < 4 and min(x) > 0.5\n"
    "property p2: exists [mode == on] integral(x) > 5 or rate(x) > 1\n"
    "property p3: always (A -> eventually[<= 2 s] B)\n"
    "property p4: (not C) until[<= 3] (A and next (x > 2))\n"
    "property p5: a and not f or p3\n"
    "property p6: forall [A since B, fall(historically mode != off)] abs(first(x) - last(x)) != 2\n"
    "property p7: always (A -> always[< 1500 ms] not C)\n"
    "property p8: eventually[<= 500] (event == C and x >= 3)\n";

/* A random trace as CSV; seconds are multiples of a half, x has one decimal. */
static void write_trace(const char *path, tac_random *random)
{
    static const char *const events[] = {"", "", "A", "B", "C"};
    static const char *const modes[] = {"", "on", "off"};
    FILE *file = fopen(path, "w");
    double t = 0;
    size_t count = 1 + tac_random_below(random, 14);
    fputs("t,event,x,mode\n", file);
    for (size_t i = 0; i < count; i++) {
        /* the first row has a value: a column of numbers must show one */
        const char *mode = modes[tac_random_below(random, 3)];
        fprintf(file, "%.1f,%s,%.1f,%s\n", t, events[tac_random_below(random, 5)],
                (double)tac_random_below(random, 70) / 10, i || *mode ? mode : "off");
        t += (double)tac_random_below(random, 4) / 2;
    }
    fclose(file);
}

static char *shell(const char *command, int *code)
{
    const char *const argv[] = {"sh", "-c", command, NULL};
    char *output = NULL;
    size_t size;
    tac_error err;
    if (tac_process_run(argv, "dash", "", 0, 120, &output, &size, code, &err) != TAC_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return output;
}

static const char *folder(void)
{
    return test_temporary("");
}

static void make_traces(uint64_t seed, size_t count)
{
    tac_random random;
    tac_random_seed(&random, seed);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%zu.csv", i);
        write_trace(test_temporary(name), &random);
    }
}

static tac_checked_trace our_verdicts(const tac_properties *properties, tac_semantics semantics,
                                      size_t trace)
{
    char name[32];
    tac_checked_trace checked;
    tac_check_options options = {.semantics = semantics};
    tac_error err;
    snprintf(name, sizeof name, "t%zu.csv", trace);
    if (tac_check_trace(properties, test_temporary(name), &options, &checked, &err) != TAC_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    return checked;
}

static const char *verdict_at(const tac_checked_trace *checked, size_t property)
{
    return tac_answer_name(checked->findings[property].result.answer);
}

static void spin_agrees(size_t property, size_t traces)
{
    tac_properties *properties = properties_of(spin_props);
    FILE *file = fopen(test_temporary("monitor.pml"), "w");
    tac_error err;
    REQUIRE(tac_property_emit_promela(properties, property, TAC_SEMANTICS_DEF, file, &err) ==
            TAC_OK);
    fclose(file);
    tac_str command = {0};
    int code;
    tac_str_addf(&command,
                 "cd %s && spin -a monitor.pml >/dev/null && " QUICK_CC
                 " -w -DSAFETY -DNOREDUCE -o pan pan.c && for i in $(seq 0 %zu); do "
                 "out=$(TRACE=t$i.csv ./pan -m1000 -w12 2>/dev/null); [ $? = 3 ] && echo 2 || "
                 "echo \"$out\" | sed -n 's/.*errors: //p'; done",
                 folder(), traces - 1);
    char *output = shell(tac_str_text(&command), &code);
    CHECK_EQ(code, 0);
    size_t wrong = 0, bad = 0;
    char *at = output;
    for (size_t i = 0; i < traces; i++) {
        tac_checked_trace ours = our_verdicts(properties, TAC_SEMANTICS_DEF, i);
        bool violated = strstr(verdict_at(&ours, property), "false") != NULL;
        long errors = strtol(at, &at, 10);
        bool unsure = !strcmp(verdict_at(&ours, property), "inconclusive");
        wrong += errors != (unsure ? 2 : violated);
        bad += violated;
        tac_checked_trace_free(&ours);
    }
    CHECK_EQ(wrong, 0);
    CHECK(bad > 0 && bad < traces); /* both answers occur */
    free(output);
    tac_str_free(&command);
    tac_property_free(properties);
}

TEST(spin_gives_our_verdicts_on_random_traces)
{
    if (!tac_process_on_path("spin") || !tac_process_on_path("gcc"))
        SKIP("spin and gcc are needed");
    size_t traces = test_scale(TRACES);
    make_traces(11, traces);
    for (size_t property = 0; property < 5; property++)
        spin_agrees(property, traces);
}

TEST(emitted_c_is_plain_c99_allocates_nothing_and_agrees)
{
    if (!tac_process_on_path("gcc"))
        SKIP("gcc is needed");
    size_t traces = test_scale(TRACES);
    tac_str text = {0}, command = {0};
    tac_str_addf(&text, "%s%s", spin_props, more_props);
    tac_properties *properties = properties_of(tac_str_text(&text));
    FILE *file = fopen(test_temporary("monitor.c"), "w");
    tac_error err;
    REQUIRE(tac_property_emit_c(properties, TAC_SEMANTICS_DEF, file, &err) == TAC_OK);
    fclose(file);
    make_traces(12, traces);
    int code;
    tac_str_addf(&command,
                 "cd %s && flags='-std=c99 -Wall -Werror -pedantic -O2' && "
                 "gcc $flags -c monitor.c && nm -u monitor.o && "
                 "gcc $flags -DMONITOR_MAIN -o monitor monitor.c",
                 folder());
    char *wanted = shell(tac_str_text(&command), &code);
    CHECK_EQ(code, 0);
    CHECK(!strstr(wanted, "alloc")); /* no malloc, calloc, realloc among what it needs */
    free(wanted);
    tac_str_clear(&command);
    tac_str_addf(&command, "cd %s && for i in $(seq 0 %zu); do ./monitor <t$i.csv; done", folder(),
                 traces - 1);
    char *output = shell(tac_str_text(&command), &code);
    size_t wrong = 0;
    char *line = strtok(output, "\n");
    for (size_t i = 0; i < traces; i++) {
        tac_checked_trace ours = our_verdicts(properties, TAC_SEMANTICS_DEF, i);
        for (size_t p = 0; p < tac_property_count(properties); p++) {
            char expected[100];
            snprintf(expected, sizeof expected, "%s %s", tac_property_name(properties, p),
                     verdict_at(&ours, p));
            if (!line || strcmp(line, expected)) {
                if (!wrong)
                    test_fail(__FILE__, __LINE__, "trace %zu: got %s, expected %s", i,
                              line ? line : "nothing", expected);
                wrong++;
            }
            line = strtok(NULL, "\n");
        }
        tac_checked_trace_free(&ours);
    }
    CHECK_EQ(wrong, 0);
    free(output);
    tac_str_free(&command);
    tac_str_free(&text);
    tac_property_free(properties);
}

TEST(what_cannot_be_exported_is_said)
{
    tac_error err;
    FILE *sink = fopen("/dev/null", "w");
    tac_properties *properties =
        properties_of("property n: forall [a, b] exists [c, d] during\n"
                      "property t: always (a -> eventually[<= 2 s] b)\nproperty k: n and t\n");
    CHECK(tac_property_emit_c(properties, TAC_SEMANTICS_DEF, sink, &err) == TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "nested");
    CHECK_EQ(err.line, 1);
    tac_property_free(properties);
    properties = properties_of("property t: always (a -> eventually[<= 2 s] b)\n"
                               "property k: t or not t\n");
    CHECK(tac_property_emit_promela(properties, 0, TAC_SEMANTICS_DEF, sink, &err) == TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "no never claim");
    CHECK(tac_property_emit_promela(properties, 1, TAC_SEMANTICS_DEF, sink, &err) == TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "combined");
    tac_property_free(properties);
    fclose(sink);
}

/* --- Random properties, times and values under all readings ----------------------------------- */

/* State formulas, with bare names that are booleans or events, and bounds into the past. */
static void random_state(tac_random *random, tac_str *text, int depth)
{
    static const char *const atoms[] = {"A",           "B",          "C",        "flag",
                                        "lit",         "x < 2.5",    "x >= 1.5", "mode == on",
                                        "mode != off", "event == A", "x == 3",   "event != B"};
    static const char *const words[] = {"not ",          "previously ", "once ",
                                        "historically ", "rise",        "fall",
                                        "once[<= 1 s] ", "once[< 3] ",  "historically[<= 2 s] "};
    if (depth == 0 || tac_random_below(random, 3) == 0) {
        tac_str_add(text, atoms[tac_random_below(random, 12)]);
        return;
    }
    if (tac_random_below(random, 2)) {
        tac_str_addf(text, "%s(", words[tac_random_below(random, 9)]);
        random_state(random, text, depth - 1);
        tac_str_add(text, ")");
        return;
    }
    static const char *const joints[] = {") and (", ") or (", ") -> (", ") since (",
                                         ") since[<= 1500 ms] ("};
    tac_str_add(text, "(");
    random_state(random, text, depth - 1);
    tac_str_add(text, joints[tac_random_below(random, 5)]);
    random_state(random, text, depth - 1);
    tac_str_add(text, ")");
}

static void random_property(tac_random *random, tac_str *text, size_t number, bool clocks)
{
    static const char *const quantifiers[] = {"first", "forall", "exists"};
    static const char *const figures[] = {"diff(x)",     "min(x)",         "max(x)",   "avg(x)",
                                          "integral(x)", "rate(x)",        "first(x)", "last(x)",
                                          "count(A)",    "max(x) - min(x)"};
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    static const char *const futures[] = {
        "always (%s -> eventually[<= 2] ",   "always (%s -> next ",
        "eventually (%s and next ",          "always (%s or always[<= 3] ",
        "always (%s -> eventually[<= 1 s] ", "always (%s -> always[< 1500 ms] "};
    tac_str_addf(text, "property r%zu: ", number);
    tac_str state = {0};
    random_state(random, &state, 2);
    if (tac_random_below(random, 3) == 0) {
        const char *future = futures[tac_random_below(random, clocks ? 6 : 4)];
        const char *hole = strstr(future, "%s");
        tac_str_add_bytes(text, future, (size_t)(hole - future));
        tac_str_addf(text, "(%s)%s(", tac_str_text(&state), hole + 2);
        random_state(random, text, 1);
        tac_str_add(text, "))\n");
    } else {
        tac_str_addf(text, "%s [%s", quantifiers[tac_random_below(random, 3)],
                     tac_str_text(&state));
        if (tac_random_below(random, 4)) {
            tac_str_add(text, ", ");
            random_state(random, text, 2);
        }
        tac_str_addf(text, "] %s %s %d.%d\n", figures[tac_random_below(random, 10)],
                     signs[tac_random_below(random, 6)], (int)tac_random_below(random, 5),
                     (int)tac_random_below(random, 10));
    }
    tac_str_free(&state);
}

/* Plain seconds, milliseconds, epoch seconds and ISO dates; booleans in three spellings; values
 * that come late; empty cells. */
static void write_any_trace(const char *path, tac_random *random)
{
    static const char *const names[] = {"", "", "A", "B", "C"};
    static const char *const modes[] = {"", "on", "off"};
    static const char *const spelled[][2] = {{"true", "false"}, {"True", "False"}, {"1", "0"}};
    FILE *file = fopen(path, "w");
    unsigned format = (unsigned)tac_random_below(random, 5);
    const char *const *boolean = spelled[tac_random_below(random, 3)];
    long long ms = 0;
    size_t count = 1 + tac_random_below(random, 14);
    bool late = tac_random_below(random, 3) == 0;
    fprintf(file, "%s,event,x,mode,flag\n",
            format == 1   ? "t [ms]"
            : format == 3 ? "timestamp"
                          : "t");
    for (size_t i = 0; i < count; i++) {
        if (format == 1)
            fprintf(file, "%lld", ms);
        else if (format == 2 || format == 3)
            fprintf(file, "%lld.%03lld", 1700000000 + ms / 1000, ms % 1000);
        else if (format == 4)
            fprintf(file, "2021-02-28T23:59:%02lld.%03lld%s", 40 + ms / 1000, ms % 1000,
                    ms % 1000 ? "Z" : "+00:00");
        else
            fprintf(file, "%lld.%03lld", ms / 1000, ms % 1000);
        /* a column of numbers must show one in its first row */
        bool none = late && i && i < 4 && tac_random_below(random, 2);
        fprintf(file, ",%s,", names[tac_random_below(random, 5)]);
        if (!none)
            fprintf(file, "%d.%d", (int)tac_random_below(random, 5),
                    (int)tac_random_below(random, 10));
        const char *mode = modes[tac_random_below(random, 3)];
        fprintf(file, ",%s,%s\n", i || *mode ? mode : "off",
                i && tac_random_below(random, 3) == 0 ? "" : boolean[tac_random_below(random, 2)]);
        ms += (long long)tac_random_below(random, 5) * 250;
    }
    fclose(file);
}

static const char *const reading_names[] = {"def", "eq3", "rising", "spin2015"};

/* One compiled C monitor of many properties, many traces. */
static void c_agrees_on_anything(tac_semantics semantics, size_t count, size_t traces)
{
    tac_random random;
    tac_random_seed(&random, 31 + (uint64_t)semantics);
    tac_str text = {0}, command = {0};
    for (size_t i = 0; i < count; i++)
        random_property(&random, &text, i, true);
    tac_properties *properties = properties_of(tac_str_text(&text));
    FILE *file = fopen(test_temporary("any.c"), "w");
    tac_error err;
    if (tac_property_emit_c(properties, semantics, file, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%zu:%zu: %s", err.line, err.column, err.message);
    fclose(file);
    for (size_t i = 0; i < traces; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%zu.csv", i);
        write_any_trace(test_temporary(name), &random);
    }
    int code;
    tac_str_addf(&command,
                 "cd %s && gcc -std=c99 -Wall -Werror -pedantic -O1 -DMONITOR_MAIN -o any any.c && "
                 "for i in $(seq 0 %zu); do ./any <t$i.csv; done",
                 folder(), traces - 1);
    char *output = shell(tac_str_text(&command), &code);
    CHECK_EQ(code, 0);
    size_t wrong = 0;
    char *line = strtok(output, "\n");
    for (size_t i = 0; i < traces; i++) {
        tac_checked_trace ours = our_verdicts(properties, semantics, i);
        for (size_t p = 0; p < count; p++, line = strtok(NULL, "\n")) {
            char expected[100];
            snprintf(expected, sizeof expected, "r%zu %s", p, verdict_at(&ours, p));
            if ((!line || strcmp(line, expected)) && wrong++ == 0)
                test_fail(__FILE__, __LINE__, "%s, trace %zu: got %s, expected %s: %s",
                          reading_names[semantics], i, line ? line : "nothing", expected,
                          tac_property_source(properties, p));
        }
        tac_checked_trace_free(&ours);
    }
    CHECK_EQ(wrong, 0);
    free(output);
    tac_str_free(&command);
    tac_str_free(&text);
    tac_property_free(properties);
}

static size_t wanted_cases(size_t quick)
{
    const char *wanted = getenv("TACTUS_PROPERTY_CASES");
    return wanted ? (size_t)strtoull(wanted, NULL, 10) : test_scale(quick);
}

TEST(emitted_c_agrees_on_iso_epoch_and_plain_times_booleans_and_missing_values)
{
    if (!tac_process_on_path("gcc"))
        SKIP("gcc is needed");
    size_t traces = wanted_cases(500) / 20;
    for (int semantics = 0; semantics < 4; semantics++)
        c_agrees_on_anything((tac_semantics)semantics, 20, traces ? traces : 1);
}

/* SPIN's monitor of one random property, many traces. */
static void spin_agrees_on_anything(tac_semantics semantics, uint64_t seed, size_t traces)
{
    tac_random random;
    tac_random_seed(&random, seed);
    tac_str text = {0}, command = {0};
    random_property(&random, &text, 0, false);
    tac_properties *properties = properties_of(tac_str_text(&text));
    FILE *file = fopen(test_temporary("monitor.pml"), "w");
    tac_error err;
    if (tac_property_emit_promela(properties, 0, semantics, file, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s: %s", tac_str_text(&text), err.message);
    fclose(file);
    for (size_t i = 0; i < traces; i++) {
        char name[32];
        snprintf(name, sizeof name, "t%zu.csv", i);
        write_any_trace(test_temporary(name), &random);
    }
    int code;
    tac_str_addf(&command,
                 "cd %s && spin -a monitor.pml >/dev/null && " QUICK_CC
                 " -w -DSAFETY -DNOREDUCE -o pan pan.c && for i in $(seq 0 %zu); do "
                 "TRACE=t$i.csv ./pan -m1000 -w12 | sed -n 's/.*errors: //p'; done",
                 folder(), traces - 1);
    char *output = shell(tac_str_text(&command), &code), *at = output;
    CHECK_EQ(code, 0);
    size_t wrong = 0;
    for (size_t i = 0; i < traces; i++) {
        tac_checked_trace ours = our_verdicts(properties, semantics, i);
        bool violated = strstr(verdict_at(&ours, 0), "false") != NULL;
        char *end;
        long errors = strtol(at, &end, 10);
        if ((end == at || (errors != 0) != violated) && wrong++ == 0)
            test_fail(__FILE__, __LINE__, "%s, trace %zu of %s: SPIN has %ld, we say %s",
                      reading_names[semantics], i, tac_str_text(&text), errors,
                      verdict_at(&ours, 0));
        at = end;
        tac_checked_trace_free(&ours);
    }
    CHECK_EQ(wrong, 0);
    free(output);
    tac_str_free(&command);
    tac_str_free(&text);
    tac_property_free(properties);
}

TEST(spin_agrees_under_every_reading)
{
    if (!tac_process_on_path("spin") || !tac_process_on_path("gcc"))
        SKIP("spin and gcc are needed");
    size_t rounds = getenv("TACTUS_PROPERTY_CASES") ? wanted_cases(0) / 160 : 1;
    for (uint64_t round = 0; round < rounds; round++)
        for (int semantics = 0; semantics < 4; semantics++)
            spin_agrees_on_anything((tac_semantics)semantics, 100 + round * 4 + (uint64_t)semantics,
                                    40);
}
