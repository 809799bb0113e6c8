/* tactus run */
#include "cli/command.h"
#include "cli/device_list.h"
#include "cli/device_options.h"
#include "cli/piped.h"
#include "cli/pipeline.h"
#include "cli/run_cases.h"
#include "cli/run_command.h"
#include "cli/run_gate.h"
#include "cli/run_subjects.h"
#include "cli/run_text.h"
#include "cli/store_io.h"
#include "run/campaign/described.h"
#include "run/run.h"
#include <string.h>

static const struct option run_options[] = {
    TEXT("device", "[NAME=]URI",
         "what to drive, such as sim:examples/apps/player.json; with NAME the model's device that "
         "it plays; adb:all is every phone; repeatable",
         .meaning = "what runs the app"),
    TEXT("subject", "NAME=URI",
         "one of several apps that every run is done on, each in DIR/NAME; the summary is a table "
         "of subjects and properties; repeatable; --parallel K works on K at a time"),
    PATH("subjects", "FILE", "the same from a file: NAME=URI a line, # starts a comment"),
    PATH("output", "DIR",
         "the campaign's folder, made or continued: traces, verdicts, summary; or "
         "postgresql://USER@HOST/DB#CAMPAIGN",
         .letter = 'o', .meaning = "where the result goes"),
    PATH("model", "FILE", "the model of the flows, kept with the campaign for the report",
         .meaning = "the interaction model"),
    PATH("flows", "FILE", "flows to execute, from 'tactus flow list --format jsonl'",
         .meaning = "flows to execute"),
    TEXT("scenario", "NAME", "network scenario: a built-in name or a file; repeatable",
         .meaning = "the network by its name"),
    TEXT("network", "MS,DOWN,UP",
         "a scenario given by its latency in ms and kbit/s down and up; repeatable",
         .meaning = "the network by its figures"),
    NUMBER("repeat", "N", 1, 1000000, "executions of each flow per scenario (default 1)"),
    PATH("properties", "FILE", "property file that is checked while the app runs", .letter = 'p',
         .meaning = "the property file", .synonyms = "property"),
    FLAG("conform", "flows: compare every screen with the state that the model has there; what is "
                    "missing or new fails the step; needs --model"),
    FLAG("stop-on-violation", "end a run at its first violation or early alarm",
         .meaning = "stop at the first violation"),
    FLAG("pictures",
         "keep a picture of every screen when it is first seen, for the report; taking it costs "
         "the device some time",
         .meaning = "keeps pictures of the screens"),
    FLAG("live",
         "while it runs, DIR/live/WORKER.json says where each worker's run is: event, screen, "
         "probes",
         .meaning = "says where the runs are while they run"),
    DEVICE_PARALLEL,
    NUMBER("monkey", "N", 1, 100000000, "N random runs instead of flows, for 'tactus mine'",
           .meaning = "random runs"),
    PATH("actions", "FILE",
         "random runs of guarded actions (docs/functional.md); see --runs and --steps"),
    NUMBER("runs", "N", 1, 100000000, "with --actions: how many runs (default 1)"),
    CHOICE("choose", "HOW",
           CHOICES({"weighted", TAC_CHOOSE_WEIGHTED}, {"uniform", TAC_CHOOSE_UNIFORM},
                   {"novelty", TAC_CHOOSE_NOVELTY}),
           "with --actions: which action is next; novelty: what was done least often on the screen "
           "that is shown; default weighted"),
    REAL("monkey-share", "PART",
         "with --actions: so many of the events, 0 to 1, are random gestures (default 0)"),
    NUMBER("steps", "N", 1, 1000000,
           "events per random run (default 50) or adaptive run (default 1000); actions per run "
           "with --actions",
           .meaning = "events of a run"),
    TEXT("goal", "GOAL",
         "an adaptive run that covers the transitions, states or pairs (two transitions in a row) "
         "of the model, or meets a requirement; every event is chosen from where the app is",
         .letter = 'g', .meaning = "what is to be covered",
         .choices =
             CHOICES({"transitions", TAC_ADAPTIVE_TRANSITIONS}, {"states", TAC_ADAPTIVE_STATES},
                     {"pairs", TAC_ADAPTIVE_PAIRS}, {"requirement", TAC_ADAPTIVE_REQUIREMENT})),
    PATH("require", "R.xml", "with --goal requirement: the requirement", .letter = 'r',
         .meaning = "a requirement on flows"),
    NUMBER("seed", "S", 0, INT64_MAX, "seed of all randomness (default 1)",
           .meaning = "seed of all randomness"),
    REAL("sample", "SECONDS", "time between readings of the probes while waiting (default 1)"),
    REAL("think", "SECONDS", "pause after an event whose flow gives no time (default 1)"),
    REAL("deadline", "SECONDS", "timeout of a step that waits for its element (default 10)",
         .meaning = "how long to wait for the device"),
    TEXT("pattern", "REGEX[=event]",
         "a log line that matches becomes an event, named by the first group or the whole match; "
         "repeatable",
         .meaning = "values from log lines by a regular expression"),
    TEXT("probe", "WHAT",
         "a power analyser, scpi://HOST[:PORT][/CHANNEL], or the name of a probe: then only those "
         "named are recorded; repeatable"),
    DEVICE_CAPABILITIES,
    DEVICE_APP,
    DEVICE_STAY,
    DEVICE_TOLERATE_ERRORS,
    TEXT("ignore", "XPATH", "random runs: leave these elements alone; repeatable",
         .meaning = "elements that are left alone"),
    DEVICE_FAST,
    CAMPAIGN_DURABLE,
    FLAG("plan-only",
         "with -o postgresql://...: put the runs into the queue and leave them to 'tactus worker'"),
    CAMPAIGN_LEASE,
    CAMPAIGN_PATIENCE,
    DEVICE_REALTIME,
    PATH("baseline", "DIR",
         "an earlier campaign: what is worse than it or new is told, and exit code 1 means that",
         .meaning = "an earlier campaign to compare with"),
    PIPELINE_OPTIONS,
    KNOWN_OPTIONS,
    {0},
};

enum { MOST_IGNORED = 64 }; /* a bit each in what a run tells */

/* What the options of this command can do about a failure of the library. */
static void advise(const struct invocation *in, const tac_run_options *options,
                   const tac_error *err)
{
    bool instruments = false;
    for (size_t i = 0; i < options->probe_count; i++)
        instruments |= strstr(options->probes[i], "://") != NULL;
    advise_repair(err, in->output);
    if (err->status == TAC_E_USAGE && instruments && !options->device_options.realtime)
        fputs("tactus: add --realtime, so that the built-in phone's seconds are real\n", stderr);
}

/* A time that cannot be would mean the default, unsaid; 0, or the code of a usage error. */
static int check_times(struct invocation *in)
{
    static const char *const times[] = {"sample", "think", "deadline"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (option_flag(in, times[i]) && !(option_real(in, times[i], 1) > 0))
            return fail_usage(in, "--%s is a time in seconds above 0", times[i]);
    return 0;
}

/* What does not go together, and the devices; 0, or the code of a usage error. */
static int read_words(struct invocation *in, struct device_list *devices)
{
    if (!in->output)
        return fail_usage(in, "give the folder for the runs with -o DIR");
    bool many = option_count(in, "subject") || option_flag(in, "subjects");
    if (many && option_count(in, "device"))
        return fail_usage(in, "give --device or --subject, not both");
    if (!option_count(in, "device") && !option_flag(in, "model") && !many)
        return fail_usage(in, "give the device to drive with --device URI");
    int ways = option_flag(in, "flows") + option_flag(in, "monkey") + option_flag(in, "goal") +
               option_flag(in, "actions");
    if (ways != 1)
        return fail_usage(in,
                          "give one of --flows FILE, --monkey N, --actions FILE and --goal GOAL");
    static const char *const only_actions[] = {"runs", "choose", "monkey-share"};
    for (size_t i = 0; i < 3; i++)
        if (option_flag(in, only_actions[i]) && !option_flag(in, "actions"))
            return fail_usage(in, "--%s is for runs of actions: --actions FILE", only_actions[i]);
    int code = check_times(in);
    if (code)
        return code;
    double share = option_real(in, "monkey-share", 0);
    if (!(share >= 0 && share <= 1))
        return fail_usage(in, "--monkey-share is a part from 0 to 1");
    if (option_flag(in, "conform") && (!option_flag(in, "model") || !option_flag(in, "flows")))
        return fail_usage(
            in, "--conform compares the screens of flows with a model: --flows FILE --model FILE");
    if (option_flag(in, "goal") && !option_flag(in, "model"))
        return fail_usage(in, "--goal needs the model to cover: --model FILE");
    bool required = option_flag(in, "goal") &&
                    option_choice(in, "goal", TAC_ADAPTIVE_TRANSITIONS) == TAC_ADAPTIVE_REQUIREMENT;
    if (required != option_flag(in, "require"))
        return fail_usage(in, "--goal requirement and --require FILE go together");
    if (required && !strncmp(in->output, "postgresql:", 11))
        return fail_usage(in, "--goal requirement needs a folder: -o DIR");
    if (option_count(in, "ignore") > MOST_IGNORED)
        return fail_usage(in, "at most %d values of --ignore", MOST_IGNORED);
    if (option_flag(in, "ignore") && !option_flag(in, "monkey") && !option_flag(in, "actions"))
        return fail_usage(in,
                          "--ignore is for random runs (--monkey N); a flow says itself what it "
                          "touches");
    for (size_t i = 0; i < option_count(in, "probe"); i++)
        if (strstr(option_value(in, "probe", i), "://") && option_number(in, "parallel", 1) > 1)
            return fail_usage(in, "an instrument measures one device; leave --parallel out");
    if (option_flag(in, "baseline") &&
        (many || option_flag(in, "plan-only") || tac_store_is_address(in->output)))
        return fail_usage(in, "--baseline compares the runs of one campaign in a folder: leave out "
                              "--subject and --plan-only, or use 'tactus report --baseline'");
    if (pipeline_wanted(in) && option_flag(in, "plan-only"))
        return fail_usage(in, "--junit, --sarif, --summary and --annotations are about runs that "
                              "were done: leave out --plan-only");
    if (!read_devices(in, devices))
        return fail_usage(in, "at most 64 devices");
    return 0;
}

static int finish_run(struct invocation *in, tac_run_summary *summary, bool planned, int code)
{
    struct invocation to_stdout = *in; /* -o names the folder, the summary goes to the terminal */
    to_stdout.output = NULL;
    to_stdout.stop_is_end = true; /* what is finished is kept and told */
    if (in->json)
        code = finish_json(
            &to_stdout,
            describe_json(planned ? &run_planned_described : &run_summary_described, summary),
            code);
    else
        code =
            finish_text(&to_stdout, planned ? run_text_planned : run_text_summary, summary, code);
    tac_run_summary_free(summary);
    return code;
}

/* undone: why the campaign could not come to its end, or NULL. */
static tac_status write_cases(const struct invocation *in, const tac_run_options *options,
                              const tac_run_summary *summary, const char *undone, int *code,
                              tac_error *err)
{
    struct pipeline cases = {.piped = in->piped, .undone = undone};
    bool needed, unclear = summary->missing > 0;
    for (size_t i = 0; i < summary->property_count; i++)
        unclear |= summary->properties[i].inconclusive > 0;
    for (size_t i = 0; i < summary->coverage_count; i++)
        unclear |= summary->coverage[i].covered < summary->coverage[i].total;
    tac_status status = pipeline_open(in, &cases, &needed, err);
    if (status == TAC_OK && needed)
        status = run_cases(in, &cases, options, summary, err);
    if (status == TAC_OK && needed) {
        status = pipeline_finish(in, &cases, "tactus run", err);
        *code = pipeline_exit_code(&cases, *code, unclear);
        return status;
    }
    pipeline_free(&cases);
    return status;
}

static void fill_options(const struct invocation *in, const struct device_list *devices,
                         tac_run_options *out)
{
    *out = (tac_run_options){
        .devices = devices->at,
        .device_count = devices->count,
        .device_options = {.app = option_text(in, "app"),
                           .fast = option_flag(in, "fast"),
                           .capabilities = option_text(in, "capabilities"),
                           .tolerate_errors = option_flag(in, "tolerate-errors"),
                           .seed = (uint64_t)option_number(in, "seed", 1),
                           .realtime = option_flag(in, "realtime")},
        .folder = in->output,
        .model = option_text(in, "model"),
        .flows = option_text(in, "flows"),
        .properties = option_text(in, "properties"),
        .conform = option_flag(in, "conform"),
        .stop_on_violation = option_flag(in, "stop-on-violation"),
        .pictures = option_flag(in, "pictures"),
        .live = option_flag(in, "live"),
        .repeat = (uint32_t)option_number(in, "repeat", 1),
        .parallel = (uint32_t)option_number(in, "parallel", 1),
        .monkey = option_flag(in, "goal")      ? 1
                  : option_flag(in, "actions") ? (uint32_t)option_number(in, "runs", 1)
                                               : (uint32_t)option_number(in, "monkey", 0),
        .actions = option_text(in, "actions"),
        .monkey_share = option_real(in, "monkey-share", 0),
        .monkey_steps = (uint32_t)option_number(in, "steps", option_flag(in, "goal") ? 1000 : 50),
        .adaptive = option_flag(in, "goal"),
        .goal = (tac_adaptive_goal)option_choice(in, "goal", TAC_ADAPTIVE_TRANSITIONS),
        .requirement = option_text(in, "require"),
        .seed = (uint64_t)option_number(in, "seed", 1),
        .sample = option_real(in, "sample", 1),
        .think = option_real(in, "think", 1),
        .deadline = option_real(in, "deadline", 10),
        .describe = run_command_line,
        .durable = option_flag(in, "durable"),
        .watch = in->watch,
        .plan_only = option_flag(in, "plan-only"),
        .lease = option_real(in, "lease", 60),
        .patience = option_real(in, "patience", 300),
        .note = note_database,
        .choose = (tac_run_choice)option_choice(in, "choose", TAC_CHOOSE_WEIGHTED),
    };
    out->device_options.stay = option_values(in, "stay", &out->device_options.stay_count);
    out->scenarios = option_values(in, "scenario|network", &out->scenario_count);
    out->ignore = option_values(in, "ignore", &out->ignore_count);
    out->patterns = option_values(in, "pattern", &out->pattern_count);
    out->probes = option_values(in, "probe", &out->probe_count);
}

static int run_campaign(struct invocation *in, const struct device_list *devices,
                        const tac_run_options *options)
{
    tac_run_summary *summary;
    tac_error err;
    for (size_t i = 0; i < devices->count; i++)
        note_sandbox(in, devices->at[i].uri);
    tac_status status = tac_run_campaign(options, &summary, &err);
    int code = status == TAC_OK ? tac_exit_code(TAC_OK, tac_run_answer(summary)) : fail(in, &err);
    if (status != TAC_OK)
        advise(in, options, &err);
    if (summary && !options->plan_only) {
        tac_error late;
        char text[2048];
        const char *undone = status == TAC_OK ? NULL : tac_error_text(&err, text, sizeof text);
        if (write_cases(in, options, summary, undone, &code, &late) != TAC_OK)
            code = fail(in, &late);
    }
    bool gated = status == TAC_OK && option_flag(in, "baseline");
    code = summary ? finish_run(in, summary, options->plan_only, code) : code;
    bool unclear = code == tac_exit_code(TAC_OK, TAC_INCONCLUSIVE);
    int gate = gated ? run_gate(in, options->folder, option_text(in, "baseline")) : code;
    return gated && !gate && unclear ? code : gate;
}

static int run_run(struct invocation *in)
{
    struct device_list devices = {.count = 0};
    struct piped piped = {0};
    tac_run_options options;
    tac_error err;
    int code = read_words(in, &devices);
    if (code)
        return code;
    fill_options(in, &devices, &options);
    in->piped = &piped;
    const char **const files[] = {&options.model, &options.flows, &options.properties,
                                  &options.actions};
    tac_status status = TAC_OK;
    for (size_t i = 0; status == TAC_OK && i < sizeof files / sizeof *files; i++)
        status = piped_keep(&piped, files[i], &err);
    if (status != TAC_OK)
        code = fail(in, &err);
    else if (option_count(in, "subject") || option_flag(in, "subjects"))
        code = run_subjects(in, &options);
    else
        code = run_campaign(in, &devices, &options);
    in->piped = NULL;
    piped_remove(&piped);
    return code;
}

const struct command cmd_run = {
    .noun = "run",
    .group = GROUP_TEST,
    .first = true,
    .args = "",
    .summary = "execute flows on a device, record enriched traces",
    .description =
        "Executes every flow of a file, in every scenario, as often as asked, or random runs, and "
        "keeps\nan enriched trace and a verdict of each in the folder given by -o. A step that "
        "cannot be done\nfails its run (the screen is saved) and the campaign goes on; a crash is "
        "recorded with its stack.\n\nA campaign that was stopped or killed continues where it was "
        "when the same command is given\nagain; at most the runs that were under way are done "
        "again. A command that means other runs (another\napp, scenario, property, option) is "
        "refused for a folder that has runs, with what differs. With properties, each run is "
        "checked while it goes on; 'tactus report DIR' draws all.\n\nFlows over several devices "
        "are played by as many, each given as NAME=URI. Devices without a name\nshare the runs of "
        "a campaign; one that goes away leaves its runs to the others.",
    .example =
        "tactus run --device sim:examples/apps/player.json --monkey 20 --steps 10 -o runs\n"
        "tactus flow list examples/chat/chat.model.xml --length 6 --format jsonl -o chat.jsonl\n"
        "tactus run --device alice=sim:examples/apps/chat.json --device "
        "bob=sim:examples/apps/chat.json#Home --flows chat.jsonl -o chat",
    .options = run_options,
    .documents = DOCUMENTS(&run_summary_described, &run_planned_described, &run_matrix_described),
    .common = HAS_JSON,
    .drives_devices = true,
    .run = run_run,
};
