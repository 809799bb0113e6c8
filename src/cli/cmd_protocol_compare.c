/* tactus protocol compare A B TRACE...: does rule set A admit everything that B admits? */
#include "base/data/text.h"
#include "cli/protocol_io.h"
#include <string.h>

/* A rule set named by one argument: a list (.txt), or rule files separated by commas. */
static int load_set(struct invocation *in, const char *name, tac_protocol_rules **out)
{
    tac_diagnostics diagnostics = {0};
    tac_error err;
    tac_status status = tac_ends_with(name, ".txt")
                            ? tac_protocol_rules_read_list(name, option_text(in, "rules-root"), out,
                                                           &diagnostics, &err)
                            : protocol_read_files(name, out, &diagnostics, &err);
    if (in->verbose || diagnostics.errors > 1)
        print_diagnostics(&diagnostics);
    tac_diagnostics_free(&diagnostics);
    return status == TAC_OK ? 0 : fail(in, &err);
}

static void write_comparisons(FILE *out, void *context)
{
    const json_t *document = context;
    size_t i;
    json_t *trace;
    json_array_foreach(json_object_get(document, "traces"), i, trace)
        tac_protocol_compare_text(trace, json_string_value(json_object_get(trace, "trace")), out);
}

/* "a_admits_all_of_b" over all traces: false, else null, else true. */
static void add_overall(json_t *document, const json_t *traces, const char *key)
{
    bool all = true, none = false;
    size_t i;
    json_t *trace;
    json_array_foreach((json_t *)traces, i, trace)
    {
        const json_t *one = json_object_get(trace, key);
        none = none || json_is_false(one);
        all = all && json_is_true(one);
    }
    json_object_set_new(document, key, none ? json_false() : all ? json_true() : json_null());
}

static int compare_traces(struct invocation *in, const tac_protocol_rules *a,
                          const tac_protocol_rules *b)
{
    tac_protocol_options options = {.watch = in->watch,
                                    .as_recorded = option_flag(in, "as-recorded")};
    json_t *document = json_object(), *traces = json_array();
    bool violated = false, open = false;
    int code = 0;
    for (size_t i = 2; i < in->arg_count && !code; i++) {
        tac_recording *recording = NULL;
        json_t *one = NULL;
        tac_answer answer = TAC_HOLDS;
        tac_error err;
        if (tac_recording_read(in->args[i], &recording, &err) != TAC_OK ||
            tac_protocol_compare(a, b, recording, &options, &one, &answer, &err) != TAC_OK) {
            code = fail(in, &err);
        } else {
            json_object_set_new(one, "trace", json_string(in->args[i]));
            json_array_append_new(traces, one);
            violated = violated || answer == TAC_VIOLATED;
            open = open || answer == TAC_INCONCLUSIVE;
        }
        tac_recording_free(recording);
    }
    add_overall(document, traces, "a_admits_all_of_b");
    add_overall(document, traces, "b_admits_all_of_a");
    json_object_set_new(document, "a", json_string(in->args[0]));
    json_object_set_new(document, "b", json_string(in->args[1]));
    json_object_set_new(document, "traces", traces);
    if (!code) {
        code = tac_answer_exit_code(violated ? TAC_VIOLATED : open ? TAC_INCONCLUSIVE : TAC_HOLDS);
        code = in->json ? finish_json(in, json_incref(document), code)
                        : finish_text(in, write_comparisons, document, code);
    }
    json_decref(document);
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
    .args = "A B TRACE...",
    .least_args = 3,
    .most_args = SIZE_MAX,
    .summary = "compare two rule sets by the sequences of events they admit",
    .description =
        "Asks for each recording whether rule set A admits every sequence of the recorded events "
        "that rule set B admits, and the other way round. Yes, or a shortest sequence that one "
        "admits and the other does not, with the rule that refuses it.\n\n"
        "A and B are lists of rule files (.txt, one path per line) or rule files separated by "
        "commas.\n\n"
        "Exit 0 when A admits everything that B admits, 1 when not, 3 when the search passed its "
        "limit on states.",
    .example = "tactus protocol compare examples/protocol/remover.spec "
               "examples/protocol/remover-unsound.spec examples/protocol/fixed.jsonl",
    .options = protocol_compare_options,
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = protocol_compare_run,
};
