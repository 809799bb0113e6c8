/* tactus reproduce CAMPAIGN */
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "cli/device_list.h"
#include "cli/device_options.h"
#include "cli/run_command.h"
#include "cli/store_io.h"
#include "reproduce/described.h"
#include "reproduce/reproduce.h"
#include <unistd.h>

static const struct option reproduce_options[] = {
    TEXT("device", "[NAME=]URI",
         "what to execute on, such as sim:examples/apps/tracker.json; several without a name share "
         "the work; repeatable",
         .meaning = "what runs the app"),
    PATH("output", "DIR",
         "the folder of the search, made or continued (default: CAMPAIGN/reproduce)", .letter = 'o',
         .meaning = "where the result goes"),
    NUMBER("run", "N", 0, INT64_MAX, "only how this run failed, starting from it"),
    TEXT("cluster", "NAME",
         "only this cluster of crashes, named as 'tactus mine' does, or of failing steps",
         .meaning = "one cluster of failing runs"),
    TEXT("property", "NAME", "only violations of this property", .meaning = "which property"),
    PATH("model", "FILE", "a model for short cuts (default: the campaign's own)",
         .meaning = "the interaction model"),
    NUMBER("tries", "N", 1, 100,
           "how often a candidate is tried (default 3; more when failures come by chance)",
           .meaning = "how often something is tried"),
    NUMBER("failures", "K", 1, 100,
           "how many of the tries must fail for a candidate to count (default 2)"),
    NUMBER("replays", "N", 1, 10000, "how often the result is executed at the end (default 10)"),
    NUMBER("execution-limit", "N", 1, INT64_MAX,
           "give up after so many executions; the same command with more continues"),
    DEVICE_PARALLEL,
    DEVICE_CAPABILITIES,
    TEXT("app", "NAME", "package, package/activity or URL to drive (default: the campaign's)",
         .meaning = "the app that is driven"),
    DEVICE_FAST,
    DEVICE_REALTIME,
    {0},
};

static void add_option(tac_str *out, const char *name, const char *value)
{
    tac_str_addf(out, " --%s ", name);
    tac_quote_shell(out, value);
}

/* What the user gave, to be given again; the caller's. */
static char *command_line(const struct invocation *in, const char *folder)
{
    static const char *const texts[] = {"device", "run",      "cluster", "property",     "model",
                                        "tries",  "failures", "replays", "capabilities", "app"};
    tac_str out = {0};
    tac_str_add(&out, "tactus reproduce ");
    tac_quote_shell(&out, in->args[0]);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t k = 0; k < option_count(in, texts[i]); k++)
            add_option(&out, texts[i], option_value(in, texts[i], k));
    tac_str_add(&out, option_flag(in, "fast") ? " --fast" : "");
    tac_str_add(&out, option_flag(in, "realtime") ? " --realtime" : "");
    tac_str_add(&out, " -o ");
    tac_quote_shell(&out, folder);
    return tac_str_take(&out);
}

static void write_text(FILE *out, void *context)
{
    tac_reproduce_text(context, out);
}

/* What was found so far is told also when the search could not come to its end. */
static int finish(struct invocation *in, tac_status status, tac_reproduce_result *result,
                  const tac_error *err)
{
    int code =
        status == TAC_OK ? tac_exit_code(TAC_OK, tac_reproduce_answer(result)) : fail(in, err);
    struct invocation to_stdout = *in; /* -o names the folder */
    to_stdout.output = NULL;
    to_stdout.stop_is_end = true;
    if (status == TAC_E_LIMIT)
        fputs("tactus: the same command with a larger --execution-limit continues\n", stderr);
    if (in->json)
        return finish_json(&to_stdout, tac_reproduce_json(result), code);
    return finish_text(&to_stdout, write_text, result, code);
}

/* A campaign in a database gets the result too, so that its report shows it. */
static void keep_in_database(const char *address, const char *folder)
{
    tac_store *store = NULL;
    tac_error err;
    char *path = tac_format("%s/reproduce.json", folder);
    if (access(path, R_OK) == 0) {
        tac_status status = tac_store_open_mode(address, TAC_STORE_WRITE, &store, &err);
        if (status == TAC_OK)
            status = tac_store_put_file(store, "reproduce.json", path, &err);
        if (status == TAC_OK)
            status = tac_store_commit(store, &err);
        if (store)
            tac_store_close(store, NULL);
        if (status != TAC_OK)
            complain("the database did not take the result, which is in %s: %s", path, err.message);
    }
    free(path);
}

/* The search itself, on the campaign's folder (fetched, where the campaign is in a database). */
static int search(struct invocation *in, tac_reproduce_options *options)
{
    struct local_campaign campaign = {0};
    tac_reproduce_result *result = NULL;
    tac_error err = {0};
    tac_status status = local_campaign_open(in, in->args[0], &campaign, &err);
    options->campaign = campaign.folder;
    options->campaign_name = in->args[0];
    if (status == TAC_OK)
        status = tac_reproduce(options, &result, &err);
    if (result && tac_store_is_address(in->args[0]))
        keep_in_database(in->args[0], options->folder);
    int code = result ? finish(in, status, result, &err) : fail(in, &err);
    if (status != TAC_OK)
        advise_repair(&err, in->args[0]);
    tac_reproduce_free(result);
    local_campaign_close(&campaign);
    return code;
}

static int reproduce_run(struct invocation *in)
{
    struct device_list devices;
    char *own = NULL;
    if (!option_count(in, "device"))
        return fail_usage(in, "give the device to execute on with --device URI");
    if (!read_devices(in, &devices))
        return fail_usage(in, "at most %d devices", MOST_DEVICES);
    if (option_flag(in, "cluster") && option_flag(in, "property"))
        return fail_usage(in, "give --cluster or --property, not both");
    if (option_number(in, "failures", 2) > option_number(in, "tries", 3))
        return fail_usage(in, "--failures is how many of --tries must fail, so it is not more");
    if (!in->output && tac_store_is_address(in->args[0]))
        return fail_usage(in, "a campaign in a database needs -o DIR, the folder of the search");
    if (!in->output && asprintf(&own, "%s/reproduce", in->args[0]) < 0)
        abort();
    const char *folder = in->output ? in->output : own;
    char *command = command_line(in, folder);
    tac_reproduce_options options = {
        .folder = folder,
        .run = option_number(in, "run", -1),
        .cluster = option_text(in, "cluster"),
        .property = option_text(in, "property"),
        .devices = devices.at,
        .device_count = devices.count,
        .device_options = {.app = option_text(in, "app"),
                           .fast = option_flag(in, "fast"),
                           .capabilities = option_text(in, "capabilities"),
                           .realtime = option_flag(in, "realtime")},
        .model = option_text(in, "model"),
        .tries = (uint32_t)option_number(in, "tries", 3),
        .needed = (uint32_t)option_number(in, "failures", 2),
        .replays = (uint32_t)option_number(in, "replays", 10),
        .parallel = (uint32_t)option_number(in, "parallel", 1),
        .execution_limit = (uint64_t)option_number(in, "execution-limit", 0),
        .command = command,
        .describe = run_command_line,
        .watch = in->watch};
    for (size_t i = 0; i < devices.count; i++)
        note_sandbox(in, devices.at[i].uri);
    int code = search(in, &options);
    free(command);
    free(own);
    return code;
}

const struct command cmd_reproduce = {
    .noun = "reproduce",
    .group = GROUP_TEST,
    .first = true,
    .args = "CAMPAIGN",
    .summary = "find the shortest sequence of events that fails as runs of a campaign did",
    .description =
        "For each cluster of crashes, each violated property and each step that could not be done, "
        "takes\nthe shortest run that failed so and leaves out events for as long as it still "
        "fails in the same\nway, executing every candidate on the device. What the campaign saw of "
        "the app, its mined\npatterns and a model say where to cut first. The result is executed "
        "10 times more.\n\nA candidate counts when it fails in 2 of 3 tries; when failures come by "
        "chance, more tries are\nmade. Where a pattern says that the app crashes unless something "
        "came before, that is put\nbefore and tried: confirmed by experiment, or refuted.\n\nDIR "
        "gets the flow, exports of it, a property that catches it and a text per cause, "
        "and\nreproduce.json, which the report shows. Every execution is written down: a search "
        "that was\nstopped or killed continues with the same command and repeats none. Exit code "
        "1: something was\nreproduced; 3: nothing was.\n\nCAMPAIGN may be the address of one in a "
        "database, which gets reproduce.json too; -o names\nthe folder of the search then.",
    .example = "tactus run --device sim:examples/apps/tracker.json --monkey 60 --steps 50 -o bugs "
               ">/dev/null\n  tactus reproduce bugs --device sim:examples/apps/tracker.json --json "
               ">/dev/null",
    .options = reproduce_options,
    .documents = DOCUMENTS(&reproduce_described),
    .common = HAS_JSON,
    .drives_devices = true,
    .run = reproduce_run,
};
