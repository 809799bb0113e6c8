/* tactus protocol hunt --device URI | -- PROGRAM, -o DIR */
#include "cli/protocol_cases.h"
#include "cli/protocol_io.h"
#include "cli/replay_io.h"
#include "replay/described.h"
#include <string.h>

static void write_hunt(FILE *out, void *context)
{
    tac_hunt_text(context, out);
}

static int hunt(struct invocation *in, tac_subject *subject, const struct replay_rules *rules,
                const tac_driving *driving)
{
    tac_hunt_options options = {
        .driving = *driving,
        .replay = {.attempts = (uint32_t)option_number(in, "attempts", 3),
                   .deadline = option_real(in, "deadline", 10),
                   .watch = in->watch},
        .rule_files = (const char *const *)rules->files,
        .rule_count = rules->count,
        .rules_name = rules->set,
        .folder = in->output,
    };
    tac_hunt *hunted = NULL;
    tac_error err;
    if (tac_replay_hunt(subject, &options, &hunted, &err) != TAC_OK)
        return fail(in, &err);
    struct invocation told = *in;
    told.output = NULL; /* -o is the folder */
    int code = tac_exit_code(TAC_OK, tac_hunt_answer(hunted));
    if (pipeline_wanted(in) && protocol_cases_hunted(in, hunted, &err) != TAC_OK)
        code = fail(in, &err);
    else if (in->json)
        code = finish_json(&told, tac_hunt_json(hunted), code);
    else
        code = finish_text(&told, write_hunt, hunted, code);
    tac_hunt_free(hunted);
    return code;
}

/* Says what of the rules is left out; refuses wrong ones before anything is recorded. */
static int check_rules(struct invocation *in, const struct replay_rules *files)
{
    tac_protocol_rules *rules = NULL;
    tac_diagnostics diagnostics = {0};
    tac_error err;
    tac_status status = tac_protocol_rules_read((const char *const *)files->files, files->count,
                                                &rules, &diagnostics, &err);
    if (status == TAC_OK || diagnostics.errors > 1)
        print_diagnostics(&diagnostics);
    tac_diagnostics_free(&diagnostics);
    tac_protocol_rules_free(rules);
    return status == TAC_OK ? 0 : fail(in, &err);
}

static int protocol_hunt_run(struct invocation *in)
{
    tac_driving driving;
    tac_subject *subject = NULL;
    struct replay_rules rules = {0};
    if (!in->output || !strcmp(in->output, "-"))
        return fail_usage(in, "say with -o DIR where recordings, witnesses and replays go");
    int code = replay_driving(in, &driving);
    if (!code)
        code = replay_open(in, &subject);
    if (!code)
        code = replay_rules(in, tac_subject_kind(subject), &rules);
    if (!code)
        code = check_rules(in, &rules);
    if (!code)
        code = hunt(in, subject, &rules, &driving);
    replay_rules_free(&rules);
    tac_subject_free(subject);
    return code;
}

static const struct option protocol_hunt_options[] = {
    REPLAY_DEVICE,
    PATH("output", "DIR",
         "the folder of the recordings, witnesses, replays and hunt.json; made when absent",
         .letter = 'o', .meaning = "where the result goes"),
    REPLAY_DRIVING,
    REPLAY_ATTEMPTS,
    REPLAY_SEED,
    PROTOCOL_RULES,
    REPLAY_STAY,
    REPLAY_DEADLINE,
    REPLAY_JVM_MODE,
    PIPELINE_OPTIONS,
    {0},
};

const struct command cmd_protocol_hunt = {
    .noun = "protocol",
    .verb = "hunt",
    .group = GROUP_TEST,
    .args = "[-- PROGRAM ARGS]",
    .summary = "record an app, predict what another order of events would break, and replay it",
    .description =
        "Records the app, validates the rules of its framework against what was recorded, verifies "
        "every call that they disallow, and replays every witness on the running app: each alarm "
        "ends as CONFIRMED with what was thrown, or as NOT REPRODUCED with the step at which the "
        "app went another way. A rule that does not admit a recording is named and left out. A "
        "name of --rules that ends in .txt is a list of rule files; default: the rules of this "
        "kind of app (rules/web.txt for pages).\n\n"
        "Without --monkey, --flows or --script the app gets seeded random touches for --budget "
        "seconds. Exit 1 when something is CONFIRMED, 3 when a witness is UNCONTROLLED, else 0.",
    .example = "tactus protocol hunt --device chromium:http://127.0.0.1:8000/search.html --steps 4 "
               "-o hunted",
    .options = protocol_hunt_options,
    .documents = DOCUMENTS(&hunt_described),
    .common = HAS_JSON,
    .takes_program = true,
    .drives_devices = true,
    .run = protocol_hunt_run,
};
