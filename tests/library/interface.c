/* What the programs of examples/library leave of the interface, each call with an answer that is
 * known. The argument is a folder to write in; the working folder is the project's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/flow.h>
#include <tactus/mining.h>
#include <tactus/property.h>
#include <tactus/protocol.h>
#include <tactus/rules.h>

static char place[4096];

#define MUST(condition) must(condition, #condition, __LINE__)

static void must(bool good, const char *what, int line)
{
    if (good)
        return;
    printf("line %d: %s\n", line, what);
    exit(1);
}

static const char *in_folder(const char *folder, const char *name)
{
    snprintf(place, sizeof place, "%s/%s", folder, name);
    return place;
}

/* Frees the document after a look at one of its keys. */
static bool has_key(json_t *document, const char *key)
{
    const bool has = json_object_get(document, key) != NULL;
    json_decref(document);
    return has;
}

static void out_of_memory(size_t wanted)
{
    fprintf(stderr, "no %zu bytes\n", wanted);
    exit(4);
}

static void errors(void)
{
    tac_error err;
    char text[2048];
    tac_diagnostics findings = {0};
    MUST(tac_fail(&err, TAC_E_USAGE, "%d of %d", 1, 2) == TAC_E_USAGE);
    MUST(!strcmp(tac_error_text(&err, text, sizeof text), "1 of 2"));
    tac_fail_at(&err, TAC_E_INPUT, "a.props", 3, 7, "no such name");
    MUST(!strcmp(tac_error_text(&err, text, sizeof text), "a.props:3:7: no such name"));
    MUST(tac_fail_errno(&err, ENOENT, "b", "cannot be read") != TAC_OK &&
         strstr(err.message, strerror(ENOENT)));
    MUST(tac_diagnostics_fail(&findings, &err) == TAC_OK);
    tac_diagnostics_add(&findings, TAC_ERROR, "c", 1, 1, "wrong");
    MUST(tac_diagnostics_fail(&findings, &err) == TAC_E_INPUT && findings.errors == 1);
    tac_diagnostics_free(&findings);
    MUST(!strcmp(tac_answer_name(TAC_VIOLATED), "false"));
}

static bool count_visits(void *context, const tac_flow_path *path)
{
    (void)path;
    return ++*(unsigned *)context < 4;
}

static bool write_visit(void *context, const tac_flow_path *path)
{
    tac_error err;
    tac_flow_engine *engine = ((void **)context)[0];
    MUST(tac_flow_write(tac_flow_describe(engine, path), ((void **)context)[1], &err) == TAC_OK);
    return false;
}

/* The file of one flow that was described, and of three that were listed. */
static unsigned flows_of(const char *path)
{
    tac_error err;
    tac_flow_file *file = NULL;
    const tac_flow *flow = NULL;
    unsigned count = 0;
    MUST(tac_flow_file_open(path, &file, &err) == TAC_OK);
    while (tac_flow_file_next(file, &flow, &err) == TAC_OK && flow)
        count++;
    tac_flow_file_close(file);
    return count;
}

static void flows(const char *folder)
{
    tac_error err;
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    tac_flow_engine *engine = NULL;
    const tac_flow_options options = {.length = 6};
    tac_model_statistics sizes;
    tac_flow_counts counts;
    uint64_t listed = 0;
    unsigned visits = 0;
    MUST(tac_model_load("examples/uamp/uamp.model.xml", &findings, &model, &err) == TAC_OK);
    tac_model_count(model, &sizes);
    MUST(sizes.devices == 1 && has_key(tac_model_statistics_json(model), "transitions"));
    FILE *out = fopen(in_folder(folder, "model.xml"), "w");
    MUST(out && tac_model_write(model, out, &err) == TAC_OK && fclose(out) == 0);
    MUST(tac_flow_engine_new(model, &options, &findings, &engine, &err) == TAC_OK);
    tac_flow_counts_init(&counts);
    MUST(tac_flow_count(engine, &counts, &err) == TAC_OK);
    MUST(has_key(tac_flow_counts_json(&counts, false), "flows"));
    tac_flow_counts_clear(&counts);
    MUST(tac_flow_list(engine, 0, count_visits, &visits, &listed, &err) == TAC_OK && visits == 4);
    out = fopen(in_folder(folder, "flows.txt"), "w");
    MUST(out && tac_flow_list_text(engine, 5, out, &listed, &err) == TAC_OK && listed == 5);
    MUST(fclose(out) == 0);
    out = fopen(in_folder(folder, "flows.jsonl"), "w");
    MUST(out && tac_flow_list_jsonl(engine, 3, out, &listed, &err) == TAC_OK && listed == 3);
    MUST(tac_flow_list(engine, 1, write_visit, (void *[]){engine, out}, NULL, &err) == TAC_OK);
    MUST(fclose(out) == 0 && flows_of(place) == 4);
    tac_flow_engine_free(engine);
    tac_model_free(model);
    tac_diagnostics_free(&findings);
}

/* x = 1, then no value, then one that is not known. */
static void write_trace(const char *path)
{
    tac_error err;
    tac_trace_writer *writer = NULL;
    FILE *out = fopen(path, "w");
    MUST(out && tac_trace_writer_new(out, "jsonl", NULL, &writer, &err) == TAC_OK);
    const tac_trace_variable variable = {.name = "x", .unit = "", .kind = TAC_CONTINUOUS};
    const size_t x = tac_trace_writer_variable(writer, &variable);
    tac_trace_writer_begin(writer, 0);
    tac_trace_writer_number(writer, x, 1);
    MUST(tac_trace_writer_end(writer, &err) == TAC_OK);
    tac_trace_writer_begin(writer, 1000000000);
    tac_trace_writer_missing(writer, x);
    MUST(tac_trace_writer_end(writer, &err) == TAC_OK);
    tac_trace_writer_begin(writer, 2000000000);
    tac_trace_writer_unknown(writer, x, "lost");
    MUST(tac_trace_writer_end(writer, &err) == TAC_OK);
    MUST(tac_trace_writer_finish(writer, NULL, &err) == TAC_OK && fclose(out) == 0);
}

static void monitors(const tac_properties *properties)
{
    tac_error err;
    tac_monitor *monitor = NULL;
    const tac_trace_variable variable = {.name = "x", .unit = "", .kind = TAC_CONTINUOUS};
    const tac_monitor_schema schema = {.variables = &variable, .variable_count = 1};
    const double x = 2;
    const double *numbers = &x;
    const uint32_t *symbols = NULL;
    const int64_t time = 0;
    const tac_trace_block block = {
        .count = 1, .time = &time, .numbers = &numbers, .symbols = &symbols};
    tac_property_result result;
    MUST(tac_monitor_new(properties, NULL, &monitor, &err) == TAC_OK);
    MUST(tac_monitor_feed(monitor, &schema, &block, &err) == TAC_OK);
    MUST(tac_monitor_violated(monitor));
    tac_monitor_result(monitor, 0, false, &result);
    MUST(has_key(tac_property_result_json(&result), "verdict"));
    tac_monitor_reset(monitor);
    MUST(!tac_monitor_violated(monitor) && tac_monitor_states(monitor) == 0);
    tac_monitor_free(monitor);
}

static void properties(const char *folder)
{
    static const char text[] = "property low: always x < 2\n";
    tac_error err;
    tac_diagnostics findings = {0};
    tac_properties *low = NULL;
    tac_checked_trace checked;
    MUST(tac_property_parse("low", text, strlen(text), &findings, &low, &err) == TAC_OK);
    MUST(tac_property_count(low) == 1 && !strcmp(tac_property_name(low, 0), "low"));
    monitors(low);
    write_trace(in_folder(folder, "x.jsonl"));
    MUST(tac_check_trace(low, place, NULL, &checked, &err) == TAC_OK && checked.states == 3);
    MUST(tac_checked_trace_exit_code(&checked) != 1);
    tac_checked_trace_free(&checked);
    tac_property_free(low);
    tac_diagnostics_free(&findings);
}

static void mining(const char *folder)
{
    tac_error err;
    tac_runs *runs = NULL;
    tac_mine_result *mined = NULL;
    tac_predictor *predictor = NULL, *again = NULL;
    const tac_mine_options options = tac_mine_defaults();
    MUST(tac_runs_new(NULL, &runs, &err) == TAC_OK);
    MUST(tac_runs_read(runs, "examples/mining/player.runs", NULL, &err) == TAC_OK);
    MUST(tac_mine(runs, &options, NULL, &mined, &err) == TAC_OK);
    MUST(has_key(tac_mine_json(runs, mined, 1), "clusters"));
    tac_mine_text(runs, mined, 1, false, stdout);
    tac_mine_result_free(mined);
    MUST(tac_predictor_train(runs, &options, NULL, &predictor, &err) == TAC_OK);
    json_t *document = tac_predictor_json(predictor);
    MUST(json_dump_file(document, in_folder(folder, "player.model.json"), 0) == 0);
    json_decref(document);
    MUST(tac_predictor_load(place, &again, &err) == TAC_OK);
    tac_predictor_free(again);
    tac_predictor_free(predictor);
    tac_runs_free(runs);
}

static void protocol(const char *folder)
{
    static const char *const rule_files[] = {"examples/protocol/remover.spec"};
    tac_error err;
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_protocol_result result;
    tac_protocol_check proof;
    MUST(tac_protocol_rules_read(rule_files, 1, &rules, NULL, &err) == TAC_OK);
    MUST(tac_recording_read("examples/protocol/fixed.jsonl", &recording, &err) == TAC_OK);
    char certificate[4096];
    snprintf(certificate, sizeof certificate, "%s/proof.json", folder);
    const tac_protocol_options options = {.certificate = certificate};
    MUST(tac_protocol_validate(rules, recording, &options, &result, &err) == TAC_OK);
    MUST(has_key(tac_protocol_validate_json(&result), "result"));
    tac_protocol_result_free(&result);
    MUST(tac_protocol_verify(rules, recording, &options, &result, &err) == TAC_OK);
    MUST(has_key(tac_protocol_verify_json(&result), "verdict") &&
         result.verdict.answer == TAC_HOLDS);
    MUST(has_key(tac_verdict_json(&result.verdict), "answer"));
    tac_protocol_result_free(&result);
    MUST(tac_protocol_check_certificate(rules, recording, certificate, &options, &proof, &err) ==
         TAC_OK);
    MUST(proof.verdict.answer == TAC_HOLDS && has_key(tac_protocol_check_json(&proof), "proved"));
    tac_protocol_check_free(&proof);
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
}

static void rules(void)
{
    static const char text[] =
        "app X\nvariable a\nstate S initial\nstate T\nrule Go: S -> T when a\n"
        "rule Back: T -> S when not a\n";
    tac_error err;
    tac_diagnostics diagnostics = {0};
    tac_rules *rules = NULL;
    tac_rules_findings *findings = NULL;
    const tac_rules_options options = {.engine = TAC_RULES_LEAN};
    tac_verdict verdict;
    MUST(tac_rules_parse("X", text, strlen(text), &diagnostics, &rules, &err) == TAC_OK);
    MUST(tac_rules_check(rules, &options, &findings, &err) == TAC_OK);
    tac_rules_verdict(rules, findings, &verdict);
    MUST(verdict.answer == TAC_HOLDS);
    MUST(tac_rules_findings_write(rules, findings, false, stdout, &err) == TAC_OK);
    tac_verdict_free(&verdict);
    tac_rules_findings_free(findings);
    tac_rules_free(rules);
    tac_diagnostics_free(&diagnostics);
}

int main(int argc, char **argv)
{
    MUST(argc == 2);
    tac_set_oom_handler(out_of_memory);
    errors();
    flows(argv[1]);
    properties(argv[1]);
    mining(argv[1]);
    protocol(argv[1]);
    rules();
    printf("every answer is as expected\n");
    return 0;
}
