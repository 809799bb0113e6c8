/* tactus protocol show TRACE: the dialogue of framework and app, as text or SVG. */
#include "base/io/output.h"
#include "cli/protocol_io.h"
#include "protocol/show/dialogue.h"

static tac_status draw(struct invocation *in, const tac_recording *recording,
                       const tac_recording_view *view, tac_error *err)
{
    bool svg = option_choice(in, "format", false);
    tac_output output;
    tac_status status = tac_output_open(&output, in->output, err);
    if (status != TAC_OK)
        return status;
    status = svg ? tac_recording_draw_svg(recording, view, output.file, err)
                 : tac_recording_draw_text(recording, view, output.file, err);
    return tac_output_close(&output, status, err);
}

static int protocol_show_run(struct invocation *in)
{
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_error err;
    int code = 0;
    if (option_count(in, "rules") || option_text(in, "rules-list"))
        code = protocol_load_rules(in, &rules);
    if (code)
        return code;
    tac_recording_view view = {
        .first_event = (size_t)option_number(in, "first", 1) - 1,
        .max_events = (size_t)option_number(in, "limit", rules ? 0 : 20),
        .returns = option_flag(in, "returns"),
        .rules = rules,
    };
    if (tac_recording_read(in->args[0], &recording, &err) != TAC_OK)
        code = fail(in, &err);
    else if (in->json)
        code = finish_json(in, tac_recording_json(recording, &view), 0);
    else if (draw(in, recording, &view, &err) != TAC_OK)
        code = fail(in, &err);
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
    return code;
}

static const struct option protocol_show_options[] = {
    PROTOCOL_RULES,
    PROTOCOL_RULES_LIST,
    PROTOCOL_RULES_ROOT,
    CHOICE("format", "FORMAT", CHOICES({"text", false}, {"svg", true}), "text (default) or svg",
           .meaning = "how the result is shown"),
    NUMBER("first", "N", 1, INT64_MAX, "number of the first event to show (default 1)",
           .synonyms = "from"),
    NUMBER("limit", "N", 0, INT64_MAX,
           "list at most N events, 0 = all (default: 20, with rules all)",
           .meaning = "list at most N", .synonyms = "events"),
    FLAG("returns", "show returns as well"),
    {0},
};

const struct command cmd_protocol_show = {
    .noun = "protocol",
    .verb = "show",
    .group = GROUP_ANALYSE,
    .args = "TRACE",
    .summary = "draw the recorded dialogue of framework and app",
    .description = "Draws who calls whom, time downwards: the framework on the left, the app on "
                   "the right, one block per event, with the line of the app's code where the "
                   "recording has it. With rules, only the messages that they mention are drawn, "
                   "and after each what it enables, disables, allows and disallows.",
    .example =
        "tactus protocol show --rules examples/protocol/remover.spec examples/protocol/fixed.jsonl",
    .options = protocol_show_options,
    .documents = DOCUMENTS(&dialogue_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = protocol_show_run,
};
