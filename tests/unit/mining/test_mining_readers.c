/* Reading and normalising runs; bad input. */
#include "base/data/str.h"
#include "mining/runs/runs.h"
#include "tactus/trace.h"
#include "tactus_test.h"
#include <sys/stat.h>

static tac_runs *read_runs(const char *path, const tac_runs_options *options)
{
    tac_runs *runs;
    tac_error err = {0};
    REQUIRE(tac_runs_new(options, &runs, &err) == TAC_OK);
    if (tac_runs_read(runs, path, NULL, &err) != TAC_OK) {
        test_fail(__FILE__, __LINE__, "%s", err.message);
        REQUIRE(false);
    }
    return runs;
}

static void check_text(int line, const tac_runs *runs, size_t run, const char *wanted)
{
    const struct mined_run *read = &runs->list.at[run];
    const uint32_t *blocks = run_blocks(runs, read);
    tac_str text = {0};
    for (uint32_t i = 0; i < read->blocks; i++) {
        const struct block *block = &runs->blocks.at[blocks[i]];
        tac_str_addf(&text, "%s%s %s", i ? " " : "", tac_token_text(runs, block->state),
                     tac_token_text(runs, block->input));
    }
    if (read->tail != TAC_NONE)
        tac_str_addf(&text, "%s%s", read->blocks ? " " : "", tac_token_text(runs, read->tail));
    const char *got = tac_str_text(&text);
    if (strcmp(got, wanted))
        test_fail(__FILE__, line, "run %zu is \"%s\", not \"%s\"", run, got, wanted);
    tac_str_free(&text);
}
#define CHECK_RUN(runs, run, wanted) check_text(__LINE__, runs, run, wanted)

static tac_status read_error(const char *path, const tac_runs_options *options, tac_error *err)
{
    tac_runs *runs;
    tac_status status = tac_runs_new(options, &runs, err);
    if (status)
        return status;
    status = tac_runs_read(runs, path, NULL, err);
    tac_runs_free(runs);
    return status;
}

static const char *label_of(const tac_runs *runs, size_t run)
{
    uint32_t label = tac_runs_label(runs, run);
    return label == TAC_RUN_UNLABELLED ? "?" : tac_runs_cluster_name(runs, label);
}

TEST(text_runs_become_strictly_alternating)
{
    const char *path = test_write("a.runs", "# comment\n"
                                            "0 s1 e1 s2\n"
                                            "\n"
                                            "crash s1 s2 s3 e1 e2 s4 s5\n"
                                            "0 e1 s1 e2\n"
                                            "0\n"
                                            "? s1\n"
                                            "\t1\t e1   e2\r\n");
    tac_runs *runs = read_runs(path, NULL);
    CHECK_EQ(tac_runs_count(runs), 6);
    CHECK_RUN(runs, 0, "s1 e1 s2");
    CHECK_RUN(runs, 1, "s3 e1 s3 e2 s5"); /* last of states; state repeated between inputs */
    CHECK_RUN(runs, 2, "start e1 s1 e2"); /* ends in the input that was being handled */
    CHECK_RUN(runs, 3, "");
    CHECK_RUN(runs, 4, "s1");
    CHECK_RUN(runs, 5, "start e1 start e2");
    CHECK_STR(label_of(runs, 0), "0");
    CHECK_STR(label_of(runs, 1), "crash");
    CHECK_STR(label_of(runs, 4), "?");
    CHECK_EQ(tac_runs_clusters(runs), 3);
    tac_runs_free(runs);
}

TEST(the_expression_chooses_states)
{
    tac_runs_options options = {.states = "^(Main|List)$"};
    tac_runs *runs = read_runs(test_write("b.runs", "0 tap Main swipe sound List\n"), &options);
    CHECK_RUN(runs, 0, "start tap Main swipe Main sound List");
    tac_runs_free(runs);
    tac_error err;
    options.states = "(";
    CHECK_EQ(read_error("nowhere", &options, &err), TAC_E_USAGE);
    CHECK_CONTAINS(err.message, "state tokens");
}

TEST(identifiers_are_made_stable)
{
    const char *path = test_write("c.runs", "0 sView@a1b2c3 e1 sView@ffff00 e1 sView@a1b2c3\n"
                                            "0 sView@123456 e1 semulator-5554\n");
    tac_runs *runs = read_runs(path, NULL);
    CHECK_RUN(runs, 0, "sView@1 e1 sView@2 e1 sView@1"); /* by order of occurrence, per run */
    CHECK_RUN(runs, 1, "sView@1 e1 semulator");
    tac_runs_free(runs);
    const char *rules[] = {"order:View@[0-9a-f]+=V#", "constant:e[0-9]=tap"};
    tac_runs_options options = {.rules = rules, .rule_count = 2, .plain = true};
    runs = read_runs(path, &options);
    CHECK_RUN(runs, 0, "sV1 tap sV2 tap sV1");
    CHECK_RUN(runs, 1, "sV1 tap semulator-5554");
    tac_runs_free(runs);
    tac_error err;
    rules[0] = "View=x";
    CHECK_EQ(read_error(path, &options, &err), TAC_E_USAGE);
    rules[0] = "order:(=x";
    CHECK_EQ(read_error(path, &options, &err), TAC_E_USAGE);
}

TEST(json_lines)
{
    const char *path = test_write(
        "d.jsonl",
        "{\"verdict\":\"pass\",\"events\":[{\"state\":\"Main\"},{\"input\":\"tap\"},\"s2\",\"e1\"]}"
        "\n"
        "{\"name\":\"r2\",\"verdict\":\"crash\",\"exception\":\"E\",\"stack\":[\"at a.B.c(X:1)\"],"
        "\"events\":[]}\n"
        "{\"verdict\":\"fail\",\"events\":[{\"event\":\"tap\"}]}\n"
        "{\"exception\":\"java.lang.Error: x\",\"events\":[]}\n"
        "{\"label\":\"slow\",\"events\":[]}\n"
        "{\"events\":[{\"state\":\"tap\"},{\"input\":\"tap\"}]}\n");
    tac_runs *runs = read_runs(path, NULL);
    CHECK_EQ(tac_runs_count(runs), 6);
    CHECK_RUN(runs, 0, "Main tap s2 e1");
    CHECK_STR(label_of(runs, 1), "E at a.B.c");
    CHECK_STR(label_of(runs, 2), "fail");
    CHECK_STR(label_of(runs, 3), "java.lang.Error");
    CHECK_STR(label_of(runs, 4), "slow");
    CHECK_STR(label_of(runs, 5), "?");
    CHECK_RUN(runs, 5, "tap tap"); /* a state and an input of the same name stay two things */
    char *name = tac_runs_name(runs, 1);
    CHECK_STR(name, "r2");
    free(name);
    tac_runs_free(runs);
}

TEST(wrong_json_is_an_error_with_its_line)
{
    static const char *const bad[] = {
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"events\":[3]}\n",
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"verdict\":\"maybe\",\"events\":[]}\n",
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"verdict\":\"pass\"}\n",
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"verdict\":7,\"events\":[]}\n",
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"events\":[\n",
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"stack\":{},\"events\":[]}\n",
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"events\":[{\"state\":\"a\",\"input\":\"b\"}]}\n",
        "{\"verdict\":\"pass\",\"events\":[]}\n{\"events\":[\"\"]}\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tac_error err = {0};
        CHECK_EQ(read_error(test_write("bad.jsonl", bad[i]), NULL, &err), TAC_E_INPUT);
        CHECK_EQ(err.line, 2);
        CHECK_CONTAINS(err.file, "bad.jsonl");
    }
}

TEST(label_files)
{
    const char *runs_path = test_write("e.jsonl", "{\"name\":\"one\",\"events\":[]}\n"
                                                  "{\"name\":\"two\",\"events\":[]}\n");
    tac_runs_options options = {.labels = test_write("labels", "# c\none 0\ntwo slow\n")};
    tac_runs *runs = read_runs(runs_path, &options);
    CHECK_STR(label_of(runs, 0), "0");
    CHECK_STR(label_of(runs, 1), "slow");
    tac_runs_free(runs);
    tac_error err = {0};
    options.labels = test_write("labels", "one 0\n");
    CHECK_EQ(read_error(runs_path, &options, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "label file");
    options.labels = test_write("labels", "one 0\none 1\n");
    CHECK_EQ(read_error(runs_path, &options, &err), TAC_E_INPUT);
    CHECK_EQ(err.line, 2);
    options.labels = test_write("labels", "one\n");
    CHECK_EQ(read_error(runs_path, &options, &err), TAC_E_INPUT);
}

static void write_trace(const char *path, const char *verdict)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    tac_error err;
    tac_trace_writer *writer;
    json_t *meta = json_pack("{s:s, s:s}", "app", "test", "verdict", verdict);
    json_object_set_new(meta, "stack", json_string("at a.B.c(B.java:1)"));
    REQUIRE(tac_trace_writer_new(file, "jsonl", meta, &writer, &err) == TAC_OK);
    tac_trace_variable event = {"event", "", TAC_DISCRETE, false, TAC_VALUE_NAME};
    tac_trace_variable activity = {"activity", "", TAC_DISCRETE, false, TAC_VALUE_NAME};
    size_t e = tac_trace_writer_variable(writer, &event);
    size_t a = tac_trace_writer_variable(writer, &activity);
    static const char *const rows[][2] = {
        {NULL, "Main"}, {"tap", NULL}, {NULL, "List"}, {"back", "Main"}, {"tap", NULL}};
    for (size_t i = 0; i < 5; i++) {
        tac_trace_writer_begin(writer, (int64_t)i * 1000000000);
        if (rows[i][0])
            tac_trace_writer_symbol(writer, e, rows[i][0]);
        if (rows[i][1])
            tac_trace_writer_symbol(writer, a, rows[i][1]);
        REQUIRE(tac_trace_writer_end(writer, &err) == TAC_OK);
    }
    REQUIRE(tac_trace_writer_finish(writer, NULL, &err) == TAC_OK);
    json_decref(meta);
    fclose(file);
}

TEST(a_trace_is_a_run_and_a_folder_is_many)
{
    const char *folder = test_temporary("traces");
    REQUIRE(mkdir(folder, 0700) == 0);
    write_trace(test_temporary("traces/1.jsonl"), "pass");
    write_trace(test_temporary("traces/2.jsonl"), "crash");
    tac_runs *runs = read_runs(folder, NULL);
    CHECK_EQ(tac_runs_count(runs), 2);
    CHECK_STR(label_of(runs, 0), "0");
    CHECK_STR(label_of(runs, 1), "a.B.c");
    CHECK_RUN(runs, 0, "Main tap List back Main tap Main");
    tac_runs_free(runs);
    tac_error err = {0};
    tac_runs_options options = {.state_of = "screen"};
    CHECK_EQ(read_error(folder, &options, &err), TAC_E_INPUT);
    CHECK_CONTAINS(err.message, "screen");
}

/* DroidBot: an event is sent to the screen of its own row. */
TEST(a_droidbot_folder_is_a_run)
{
    REQUIRE(mkdir(test_temporary("bots"), 0700) == 0);
    REQUIRE(mkdir(test_temporary("bots/one"), 0700) == 0);
    REQUIRE(mkdir(test_temporary("bots/one/events"), 0700) == 0);
    test_write(
        "bots/one/events/event_2023-05-02_101112.json",
        "{\"tag\":\"2023-05-02_101112\",\"event\":{\"event_type\":\"key\",\"name\":\"BACK\"},"
        "\"start_state\":\"aa\",\"stop_state\":\"bb\",\"event_str\":\"KeyEvent(name=BACK)\"}");
    test_write(
        "bots/one/events/event_2023-05-02_101115.json",
        "{\"tag\":\"2023-05-02_101115\",\"event\":{\"event_type\":\"key\",\"name\":\"HOME\"},"
        "\"start_state\":\"bb\",\"stop_state\":\"cc\",\"event_str\":\"KeyEvent(name=HOME)\"}");
    tac_runs_options options = {.labels = test_write("bot.labels", "one 0\n")};
    tac_runs *runs = read_runs(test_temporary("bots"), &options);
    CHECK_EQ(tac_runs_count(runs), 1);
    CHECK_RUN(runs, 0, "aa key:BACK bb key:HOME cc");
    CHECK_STR(label_of(runs, 0), "0");
    tac_runs_free(runs);
}

TEST(empty_and_missing_files)
{
    tac_error err = {0};
    tac_runs *runs = read_runs(test_write("empty.runs", ""), NULL);
    CHECK_EQ(tac_runs_count(runs), 0);
    tac_runs_free(runs);
    CHECK_EQ(read_error("/nowhere/at/all", NULL, &err), TAC_E_IO);
}

TEST(a_token_of_a_megabyte_is_refused_with_its_place)
{
    const char *path = test_temporary("big.runs");
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    fputs("0 s1 e1\n1 s1 ", file);
    for (int i = 0; i < 1 << 20; i++)
        fputc('x', file);
    fputs(" s2\n", file);
    fclose(file);
    tac_error err = {0};
    CHECK_EQ(read_error(path, NULL, &err), TAC_E_LIMIT);
    CHECK_EQ(err.line, 2);
    CHECK_EQ(err.column, 6);
    CHECK_CONTAINS(err.message, "1048576 bytes");
}

TEST(a_million_distinct_tokens)
{
    const char *path = test_temporary("many.runs");
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    size_t tokens = test_scale(1000000), per_run = 1000;
    for (size_t i = 0; i < tokens; i += per_run) {
        fputs(i / per_run % 2 ? "1" : "0", file);
        for (size_t k = 0; k < per_run; k++)
            fprintf(file, " %c%zu", k % 2 ? 'e' : 's', i + k);
        fputc('\n', file);
    }
    fclose(file);
    tac_runs *runs = read_runs(path, NULL);
    tac_mine_options options = tac_mine_defaults();
    tac_mine_result *result;
    tac_error err;
    REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
    CHECK_EQ(result->cluster_count, 1);
    CHECK_EQ(result->clusters[0].pattern_count, 0); /* nothing is shared */
    tac_mine_result_free(result);
    tac_runs_free(runs);
}

static void mine_text(const char *text, tac_answer answer, const char *explanation)
{
    tac_runs *runs = read_runs(test_write("class.runs", text), NULL);
    tac_mine_options options = tac_mine_defaults();
    tac_mine_result *result;
    tac_error err;
    size_t count;
    REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
    tac_verdict *verdicts = tac_mine_verdicts(runs, result, &count);
    REQUIRE(count == 1);
    CHECK_EQ(verdicts[0].answer, answer);
    CHECK_CONTAINS(verdicts[0].explanation, explanation);
    tac_mine_verdicts_free(verdicts, count);
    tac_mine_result_free(result);
    tac_predictor *predictor;
    if (answer == TAC_INCONCLUSIVE)
        CHECK_EQ(tac_predictor_train(runs, &options, NULL, &predictor, &err), TAC_E_INPUT);
    tac_runs_free(runs);
}

TEST(one_class_only_says_that_nothing_can_be_told_apart)
{
    mine_text("", TAC_INCONCLUSIVE, "no runs");
    mine_text("0 s1 e1 s2\n0 s1\n", TAC_INCONCLUSIVE, "every run passes (2)");
    mine_text("1 s1 e1 s2\n1 s1\n1\n", TAC_INCONCLUSIVE, "every run fails (3)");
}

TEST(missing_labels_are_named)
{
    tac_runs *runs = read_runs(test_write("f.runs", "0 s1\n? s1 e1\n"), NULL);
    tac_mine_options options = tac_mine_defaults();
    tac_mine_result *result;
    tac_error err = {0};
    CHECK_EQ(tac_mine(runs, &options, NULL, &result, &err), TAC_E_INPUT);
    CHECK_EQ(err.line, 2);
    CHECK_CONTAINS(err.message, "no verdict");
    tac_runs_free(runs);
}

TEST(the_limit_of_all_is_an_error_with_a_remedy)
{
    const char *path = test_temporary("dense.runs");
    FILE *file = fopen(path, "w");
    REQUIRE(file);
    for (int i = 0; i < 20; i++) {
        fprintf(file, "%d", i % 2);
        for (int k = 0; k < 200; k++)
            fprintf(file, " s%d e%d", k * 7 % 5, k * 3 % 4);
        fputc('\n', file);
    }
    fclose(file);
    tac_runs *runs = read_runs(path, NULL);
    tac_mine_options options = tac_mine_defaults();
    options.all = true;
    options.limit = 1000;
    tac_mine_result *result;
    tac_error err = {0};
    CHECK_EQ(tac_mine(runs, &options, NULL, &result, &err), TAC_E_LIMIT);
    CHECK_CONTAINS(err.message, "lower the depth");
    options.all = false; /* the leading ones are always to be had */
    REQUIRE(tac_mine(runs, &options, NULL, &result, &err) == TAC_OK);
    tac_mine_result_free(result);
    tac_runs_free(runs);
}
