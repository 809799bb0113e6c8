/* Patterns written as properties and as requirements mean what the patterns mean. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "mining/emit.h"
#include "mining/runs/runs.h"
#include "property/property.h"
#include "tactus/flow.h"
#include "tactus/requirement.h"
#include "tactus_test.h"
#include <sys/stat.h>

/* A random trace: states change with or without an event, events may share a row with the state
 * they bring about or stand before it. */
static void write_random_trace(const char *path, tac_random *random, const char *verdict)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    tac_error err;
    tac_trace_writer *writer;
    json_t *meta = json_pack("{s:s}", "verdict", verdict);
    REQUIRE(tac_trace_writer_new(file, "jsonl", meta, &writer, &err) == TAC_OK);
    tac_trace_variable event = {"event", "", TAC_DISCRETE, false, TAC_VALUE_NAME};
    tac_trace_variable state = {"state", "", TAC_DISCRETE, false, TAC_VALUE_NAME};
    size_t e = tac_trace_writer_variable(writer, &event);
    size_t s = tac_trace_writer_variable(writer, &state);
    static const char *const events[] = {"a", "b"}, *const states[] = {"P", "Q"};
    size_t rows = 3 + tac_random_below(random, 20);
    for (size_t i = 0; i < rows; i++) {
        tac_trace_writer_begin(writer, (int64_t)i * 1000000);
        if (tac_random_below(random, 2))
            tac_trace_writer_symbol(writer, e, events[tac_random_below(random, 2)]);
        if (i == 0 || tac_random_below(random, 2))
            tac_trace_writer_symbol(writer, s, states[tac_random_below(random, 2)]);
        REQUIRE(tac_trace_writer_end(writer, &err) == TAC_OK);
    }
    REQUIRE(tac_trace_writer_finish(writer, NULL, &err) == TAC_OK);
    json_decref(meta);
    fclose(file);
}

static void count_violations(const tac_properties *properties, tac_trace_source *source,
                             uint32_t *violated)
{
    tac_monitor *monitor;
    const tac_trace_block *block;
    tac_error err = {0};
    tac_monitor_options options = {.allow_missing = true};
    REQUIRE(tac_monitor_new(properties, &options, &monitor, &err) == TAC_OK);
    while (tac_trace_next(source, &block, &err) == TAC_OK && block) {
        tac_monitor_schema schema = {0};
        schema.variables = tac_trace_variables(source, &schema.variable_count);
        schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
        REQUIRE(tac_monitor_feed(monitor, &schema, block, &err) == TAC_OK);
    }
    for (size_t i = 0; i < tac_property_count(properties); i++) {
        tac_property_result result;
        tac_monitor_result(monitor, i, true, &result);
        violated[i] += result.answer == TAC_VIOLATED || result.answer == TAC_PRESUMABLY_VIOLATED;
    }
    tac_trace_close(source); /* the monitor borrows its symbols */
    tac_monitor_free(monitor);
}

static tac_properties *properties_of(const tac_runs *runs, const tac_mine_result *result)
{
    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    tac_mine_properties(runs, result, 0, memory);
    fclose(memory);
    tac_properties *properties = NULL;
    tac_diagnostics findings = {0};
    tac_error err = {0};
    if (tac_property_parse("emitted", text, size, &findings, &properties, &err) != TAC_OK)
        test_fail(__FILE__, __LINE__, "%s in:\n%s", err.message, text);
    tac_diagnostics_free(&findings);
    free(text);
    return properties;
}

/* As many runs violate property `index` as show its pattern. */
static void check_count(const tac_runs *runs, const tac_mine_result *result,
                        const tac_properties *properties, size_t index, uint32_t violated,
                        uint64_t seed)
{
    const char *number = strrchr(tac_property_name(properties, index), '_') + 1;
    const tac_mined_pattern *p = &result->clusters[0].patterns[atoi(number) - 1];
    if (violated == p->fail.runs)
        return;
    char *formula = tac_pattern_formula(runs, p);
    test_fail(__FILE__, __LINE__, "seed %llu: %s: %u runs, %u violations (%s)",
              (unsigned long long)seed, formula, p->fail.runs, violated,
              tac_property_source(properties, index));
    free(formula);
}

/* Mines the runs; every pattern: as many of the failing runs' traces violate its property as runs
 * show the pattern. failing: their files; NULL = the first runs themselves. How many patterns there
 * are. */
static size_t compare(tac_runs *runs, const tac_mine_options *options, const char (*failing)[256],
                      size_t failing_count, uint64_t seed)
{
    tac_error err = {0};
    tac_mine_result *result;
    REQUIRE(tac_mine(runs, options, NULL, &result, &err) == TAC_OK);
    tac_properties *properties = properties_of(runs, result);
    REQUIRE(properties);
    size_t count = tac_property_count(properties);
    uint32_t *violated = tac_calloc(count + 1, sizeof *violated);
    for (size_t i = 0; i < failing_count; i++) {
        tac_trace_source *source;
        REQUIRE((failing ? tac_trace_open(failing[i], NULL, &source, &err)
                         : tac_runs_open_trace(runs, i, &source, &err)) == TAC_OK);
        count_violations(properties, source, violated);
    }
    for (size_t i = 0; i < count; i++)
        check_count(runs, result, properties, i, violated[i], seed);
    free(violated);
    tac_property_free(properties);
    tac_mine_result_free(result);
    tac_runs_free(runs);
    return count;
}

enum { TRACES = 6 };

static size_t compare_properties(uint64_t seed)
{
    tac_random random;
    char failing[TRACES][256], name[64];
    tac_runs *runs;
    tac_error err = {0};
    tac_random_seed(&random, seed);
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    for (unsigned i = 0; i < 2 * TRACES; i++) {
        snprintf(name, sizeof name, "trace-%u.jsonl", i);
        const char *path = test_temporary(name);
        write_random_trace(path, &random, i < TRACES ? "fail" : "pass");
        if (i < TRACES)
            snprintf(failing[i], sizeof failing[i], "%s", path);
        REQUIRE(tac_runs_read(runs, path, NULL, &err) == TAC_OK);
    }
    tac_mine_options options = tac_mine_defaults();
    options.all = true;
    options.depth = 2;
    options.support = 0.4;
    options.confidence = 0.7;
    options.min_occurrences = 1;
    options.min_rest = 4;
    return compare(runs, &options, failing, TRACES, seed);
}

TEST(properties_are_violated_by_the_runs_that_show_the_pattern)
{
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= test_scale(20); seed++)
        compared += compare_properties(seed);
    printf("  %zu properties compared\n", compared);
    CHECK(compared > 100);
}

/* --- runs without times: the run files that are mined and checked --- */

enum { RUNS = 6, KINDS = 4 };

/* Runs of inputs alone, with states anywhere, with states that come late, and with a state that is
 * called as the one before the first. */
static void write_random_runs(const char *path, tac_random *random, unsigned kind)
{
    static const char *const tokens[KINDS][4] = {{"a", "b", "c\\t", "a"},
                                                 {"a", "b", "sP", "sQ"},
                                                 {"a", "b", "sP", "sQ"},
                                                 {"a", "b", "sP", "start"}};
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    for (unsigned i = 0; i < 2 * RUNS; i++) {
        size_t count = 1 + tac_random_below(random, 8);
        fprintf(file, "{\"label\":\"%s\",\"events\":[", i < RUNS ? "bad" : "0");
        for (size_t k = 0; k < count; k++)
            fprintf(file, "%s\"%s\"", k ? "," : "",
                    tokens[kind][tac_random_below(random, kind == 2 && k < 3 ? 2 : 4)]);
        fputs("]}\n", file);
    }
    fclose(file);
}

static size_t compare_run_properties(uint64_t seed)
{
    tac_random random;
    tac_runs *runs;
    tac_error err = {0};
    tac_random_seed(&random, seed);
    const char *path = test_temporary("random.jsonl");
    write_random_runs(path, &random, (unsigned)(seed % KINDS));
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    REQUIRE(tac_runs_read(runs, path, NULL, &err) == TAC_OK);
    tac_mine_options options = tac_mine_defaults();
    options.all = true;
    options.depth = 2;
    options.support = options.confidence = 0.1;
    options.min_occurrences = 1;
    options.min_rest = 2;
    return compare(runs, &options, NULL, RUNS, seed);
}

TEST(properties_are_violated_by_the_runs_of_files_that_show_the_pattern)
{
    size_t compared = 0;
    for (uint64_t seed = 1; seed <= test_scale(24); seed++)
        compared += compare_run_properties(seed);
    printf("  %zu properties compared\n", compared);
    CHECK(compared > 100);
}

static const char model_text[] =
    "<?xml version=\"1.0\"?>\n"
    "<interactionModel xmlns=\"urn:tactus:interaction-model:1\" name=\"shop\">\n"
    " <device name=\"phone\"><application name=\"Shop\" package=\"org.shop\" external=\"true\">\n"
    "  <activity name=\"Main\" external=\"true\"><stateMachine name=\"M\" external=\"true\">\n"
    "   <initial to=\"sList\"/><state name=\"sList\"/><state name=\"sCart\"/><state "
    "name=\"sPay\"/>\n"
    "   <transition from=\"sList\" event=\"add\" to=\"sCart\"/>\n"
    "   <transition from=\"sCart\" event=\"back\" to=\"sList\"/>\n"
    "   <transition from=\"sCart\" event=\"pay\" to=\"sPay\"/>\n"
    "   <transition from=\"sList\" event=\"login\" to=\"sList\"/>\n"
    "   <transition from=\"sPay\" event=\"back\" to=\"sList\"/>\n"
    "  </stateMachine></activity></application></device>\n"
    "</interactionModel>\n";

static tac_mine_result *mine_shop(tac_runs *runs)
{
    tac_error err = {0};
    tac_mine_result *result;
    tac_mine_options options = tac_mine_defaults();
    for (int i = 0; i < 40; i++) {
        bool fails = i % 4 == 0;
        runs_begin_at(runs, "run", 0);
        tac_runs_state(runs, "sList");
        tac_runs_input(runs, fails ? "add" : "login");
        tac_runs_state(runs, fails ? "sCart" : "sList");
        tac_runs_input(runs, fails ? "pay" : "add");
        if (!fails) {
            tac_runs_state(runs, "sCart");
            tac_runs_input(runs, "pay");
            tac_runs_state(runs, "sPay");
        }
        tac_runs_end(runs, fails ? "login" : "0");
    }
    options.templates = 1u << TAC_G4;
    REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
    return result;
}

/* The flows of the emitted requirement pay before any login, as the failing runs do. */
TEST(requirements_lead_back_to_the_failure)
{
    tac_runs *runs;
    tac_error err = {0};
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_requirement *requirement = NULL;
    size_t written, skipped;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    tac_mine_result *result = mine_shop(runs);
    REQUIRE(tac_model_load(test_write("shop.xml", model_text), &findings, &model, &err) == TAC_OK);
    const char *folder = test_temporary("requirements");
    REQUIRE(tac_mine_requirements(runs, result, 1, model, folder, &written, &skipped, &err) ==
            TAC_OK);
    CHECK_EQ(written, 1);
    CHECK_EQ(skipped, 0);
    char path[512];
    snprintf(path, sizeof path, "%s/login-1.req.xml", folder);
    REQUIRE(tac_requirement_load(path, &findings, &requirement, &err) == TAC_OK);
    CHECK_EQ(requirement->event_count, 1);
    CHECK_STR(requirement->events[0].name, "login");
    CHECK_EQ(requirement->events[0].max, 0);
    /* the pattern, then what the runs end in: at last the payment */
    REQUIRE(requirement->constraint_count >= 1);
    const tac_requirement_constraint *last =
        &requirement->sequence[requirement->constraint_count - 1];
    REQUIRE(last->atom_count == 2);
    bool pays = false;
    for (size_t i = 0; i < 2; i++)
        pays =
            pays || (last->atoms[i].kind == TAC_ATOM_EVENT && !strcmp(last->atoms[i].name, "pay"));
    CHECK(pays);
    tac_requirement_free(requirement);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    tac_mine_result_free(result);
    tac_runs_free(runs);
}

TEST(a_model_of_another_app_is_an_error)
{
    tac_runs *runs;
    tac_error err = {0};
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    size_t written, skipped;
    REQUIRE(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    tac_mine_result *result = mine_shop(runs);
    REQUIRE(tac_model_load(test_source("examples/uamp/uamp.model.xml"), &findings, &model, &err) ==
            TAC_OK);
    CHECK_EQ(tac_mine_requirements(runs, result, 3, model, test_temporary("other"), &written,
                                   &skipped, &err),
             TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "no state of the runs is a state of the model");
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    tac_mine_result_free(result);
    tac_runs_free(runs);
}

/* Labels by a property: the traces over the bound are the failing cluster. */
TEST(runs_labelled_by_a_property)
{
    const char *folder = test_temporary("labelled");
    REQUIRE(mkdir(folder, 0700) == 0);
    for (int i = 0; i < 6; i++) {
        char name[64], text[512];
        snprintf(name, sizeof name, "labelled/%d.csv", i);
        snprintf(
            text, sizeof text,
            "t,event,state,rxData\n0,,Main,0\n1,play,Main,10\n2,%s,Player,%d\n3,stop,Main,%d\n",
            i % 2 ? "seek" : "", 20, i % 2 ? 9000 : 700);
        test_write(name, text);
    }
    tac_runs_options options = {
        .properties =
            test_write("rx.props", "unit rxData kB\n"
                                   "property cheap: forall [event == play, event == stop] "
                                   "diff(rxData) < 8000 kB\n"),
        .property = "cheap"};
    tac_runs *runs;
    tac_error err = {0};
    REQUIRE(tac_runs_new(&options, &runs, &err) == TAC_OK);
    REQUIRE(tac_runs_read(runs, folder, NULL, &err) == TAC_OK);
    CHECK_EQ(tac_runs_count(runs), 6);
    for (size_t i = 0; i < 6; i++)
        CHECK_STR(tac_runs_cluster_name(runs, tac_runs_label(runs, i)),
                  i % 2 ? "property cheap" : "0");
    tac_runs_free(runs);
    options.property = "cheep";
    CHECK_EQ(tac_runs_new(&options, &runs, &err), TAC_E_USAGE);
    CHECK_CONTAINS(err.message, "did you mean 'cheap'");
}
