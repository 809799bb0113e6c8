/* tactus protocol compare A B TRACE...: does rule set A admit everything that B admits? */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "cli/protocol_io.h"
#include "protocol/evidence/described.h"

/* A rule set named by one argument: a list (.txt), or rule files separated by commas. */
static int load_set(struct invocation *in, const char *name, tac_protocol_rules **out)
{
    tac_diagnostics diagnostics = {0};
    tac_error err;
    tac_status status = tac_ends_with(name, ".txt")
                            ? tac_protocol_rules_read_list(name, option_text(in, "rules-root"), out,
                                                           &diagnostics, &err)
                            : protocol_read_files(name, out, &diagnostics, &err);
    if (status == TAC_OK || diagnostics.errors > 1)
        print_diagnostics(&diagnostics);
    tac_diagnostics_free(&diagnostics);
    return status == TAC_OK ? 0 : fail(in, &err);
}

/* One comparison per trace, args[2] and on. */
struct compared_traces {
    const struct invocation *in;
    tac_protocol_comparison *at;
    size_t count;
    tac_answer a_admits_all_of_b, b_admits_all_of_a; /* over all of them */
};

static void write_comparisons(FILE *out, void *context)
{
    const struct compared_traces *traces = context;
    for (size_t i = 0; i < traces->count; i++)
        tac_protocol_compare_text(&traces->at[i], traces->in->args[i + 2], out);
}

FIELD_GETTER(trace_of, tac_protocol_comparison, const struct compared_traces *traces = out->context;
             out->text = traces->in->args[it - traces->at + 2])
static const struct field compared_fields[] = {
    FIELD_GROUP(tac_protocol_comparison, "", protocol_comparison_described, .splice = true),
    FIELD_GET_TEXT("trace", trace_of)};
static DESCRIBE(compared, tac_protocol_comparison);

FIELD_GETTER(a_admits, struct compared_traces, out->yes = it->a_admits_all_of_b == TAC_HOLDS)
FIELD_GETTER(b_admits, struct compared_traces, out->yes = it->b_admits_all_of_a == TAC_HOLDS)
FIELD_GETTER(a_of, struct compared_traces, out->text = it->in->args[0])
FIELD_GETTER(b_of, struct compared_traces, out->text = it->in->args[1])
static const struct field compared_traces_fields[] = {
    FIELD_GET_BOOL("a_admits_all_of_b", a_admits,
                   .known = IF_OTHER(struct compared_traces, a_admits_all_of_b, TAC_INCONCLUSIVE)),
    FIELD_GET_BOOL("b_admits_all_of_a", b_admits,
                   .known = IF_OTHER(struct compared_traces, b_admits_all_of_a, TAC_INCONCLUSIVE)),
    FIELD_GET_TEXT("a", a_of), FIELD_GET_TEXT("b", b_of),
    FIELD_LIST(struct compared_traces, at, count, compared_described, .key = "traces")};
static DESCRIBE(compared_traces, struct compared_traces);

static tac_status compare_trace(const tac_protocol_rules *a, const tac_protocol_rules *b,
                                const char *path, const tac_protocol_options *options,
                                struct compared_traces *traces, tac_error *err)
{
    tac_recording *recording = NULL;
    tac_protocol_comparison *one = &traces->at[traces->count];
    tac_status status = tac_recording_read(path, &recording, err);
    if (status == TAC_OK)
        status = tac_protocol_compare(a, b, recording, options, one, err);
    if (status == TAC_OK) {
        traces->a_admits_all_of_b =
            tac_answer_both(traces->a_admits_all_of_b, one->a_admits_all_of_b);
        traces->b_admits_all_of_a =
            tac_answer_both(traces->b_admits_all_of_a, one->b_admits_all_of_a);
        traces->count++;
    }
    tac_recording_free(recording);
    return status;
}

static int compare_traces(struct invocation *in, const tac_protocol_rules *a,
                          const tac_protocol_rules *b)
{
    tac_protocol_options options = {.watch = in->watch,
                                    .as_recorded = option_flag(in, "as-recorded")};
    struct compared_traces traces = {.in = in, .at = tac_calloc(in->arg_count, sizeof *traces.at)};
    tac_status status = TAC_OK;
    tac_error err;
    for (size_t i = 2; i < in->arg_count && status == TAC_OK; i++)
        status = compare_trace(a, b, in->args[i], &options, &traces, &err);
    int code = tac_answer_exit_code(traces.a_admits_all_of_b);
    if (status != TAC_OK)
        code = fail(in, &err);
    else
        code = in->json
                   ? finish_json(
                         in, describe_json_with(&compared_traces_described, &traces, &traces), code)
                   : finish_text(in, write_comparisons, &traces, code);
    for (size_t i = 0; i < traces.count; i++)
        tac_protocol_comparison_free(&traces.at[i]);
    free(traces.at);
    return code;
}

static int protocol_compare_run(struct invocation *in)
{
    tac_protocol_rules *a = NULL, *b = NULL;
    int code = load_set(in, in->args[0], &a);
    if (!code)
        code = load_set(in, in->args[1], &b);
    if (!code)
        code = compare_traces(in, a, b);
    tac_protocol_rules_free(a);
    tac_protocol_rules_free(b);
    return code;
}

static const struct option protocol_compare_options[] = {
    PROTOCOL_RULES_ROOT,
    PROTOCOL_AS_RECORDED,
    {0},
};

const struct command cmd_protocol_compare = {
    .noun = "protocol",
    .verb = "compare",
    .group = GROUP_ANALYSE,
    .args = "A B TRACE...",
    .summary = "compare two rule sets by the sequences of events they admit",
    .description =
        "Asks for each recording whether rule set A admits every sequence of the recorded events "
        "that rule set B admits, and the other way round. Yes, or a shortest sequence that one "
        "admits and the other does not, with the rule that refuses it.\n\n"
        "A and B are lists of rule files (.txt, one path per line) or rule files separated by "
        "commas.\n\n"
        "Exit 0 when A admits everything that B admits, 1 when not, 3 when the search passed its "
        "limit on states, or tokens of a rule file were left out.",
    .example = "tactus protocol compare examples/protocol/remover.spec "
               "examples/protocol/remover-unsound.spec examples/protocol/fixed.jsonl",
    .options = protocol_compare_options,
    .documents = DOCUMENTS(&compared_traces_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = protocol_compare_run,
};
