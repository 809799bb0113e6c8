/* The exported monitors against ours: SPIN runs the Promela one, a C99 compiler builds the other,
 * all three judge the same random traces. One compilation per formula, many traces. */
#include "property_support.h"
#include "tactus_test.h"

#include "base/data/random.h"
#include "base/data/str.h"
#include "base/process/process.h"

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
    return tac_answer_name(checked->findings[property].answer);
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
                 "cd %s && spin -a monitor.pml >/dev/null && "
                 "gcc -w -DSAFETY -DNOREDUCE -o pan pan.c && for i in $(seq 0 %zu); do "
                 "TRACE=t$i.csv ./pan -m1000 -w12 | sed -n 's/.*errors: //p'; done",
                 folder(), traces - 1);
    char *output = shell(tac_str_text(&command), &code);
    CHECK_EQ(code, 0);
    size_t wrong = 0, bad = 0;
    char *at = output;
    for (size_t i = 0; i < traces; i++) {
        tac_checked_trace ours = our_verdicts(properties, TAC_SEMANTICS_DEF, i);
        bool violated = strstr(verdict_at(&ours, property), "false") != NULL;
        long errors = strtol(at, &at, 10);
        wrong += (errors != 0) != violated;
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
