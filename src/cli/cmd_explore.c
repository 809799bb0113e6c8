/* tactus explore --device URI [options] -o MODEL.xml */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "cli/device_crew.h"
#include "cli/device_options.h"
#include "cli/explore_text.h"
#include "explore/described.h"
#include "model/model.h"
#include <string.h>
#include <unistd.h>

enum { MOST_INPUTS = 8 };

/* What the words of the command ask for. */
struct explore_job {
    tac_device_options device;
    tac_explore_options explore;
    size_t parallel;
    const char *inputs[MOST_INPUTS];
    char *checkpoint, *pictures, *picture_prefix;
};

/* The name of an input of the system, or NULL. */
static const char *system_input(const char *word)
{
    for (const char *const *name = tac_system_inputs(); *name; name++)
        if (!strcmp(*name, word))
            return *name;
    return NULL;
}

static void add_input(const char **inputs, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (inputs[i] == name)
            return;
    if (*count < MOST_INPUTS)
        inputs[(*count)++] = name;
}

/* "click,longClick,..." as bits; what the system does goes into inputs. */
static int read_gestures(const struct invocation *in, const char *list, unsigned *out,
                         const char **inputs, size_t *input_count)
{
    static const char *const known[] = {"click", "longClick", "doubleClick", "hover",
                                        "drag",  "text",      "scroll",      "swipe",
                                        "key",   "back",      "home",        NULL};
    while (list && *list) {
        char word[32];
        size_t n = strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < 31 ? n : 31), list);
        size_t i = 0;
        const char *input = system_input(word);
        if (input) {
            add_input(inputs, input_count, input);
            list += n + (list[n] == ',');
            continue;
        }
        while (known[i] && strcmp(known[i], word) != 0)
            i++;
        tac_action_kind kind;
        if (!known[i] || !tac_action_kind_parse(word, &kind))
            return fail_usage(in,
                              "--gestures: '%s' is not a gesture%s; the gestures are click, "
                              "longClick, doubleClick, hover, drag, text, scroll, swipe, key, "
                              "back, home, and of the system rotate, background, network, media",
                              word, tac_meant(word, known, 11).text);
        *out |= 1u << kind;
        list += n + (list[n] == ',');
    }
    return 0;
}

static tac_status write_model(const char *path, const tac_model *model, tac_error *err)
{
    tac_output out;
    tac_status st = tac_output_open(&out, path, err);
    if (st)
        return st;
    st = tac_model_write(model, out.file, err);
    st = tac_output_close(&out, st, err);
    return st;
}

/* The model goes to -o (or, as text, to standard output); the figures to standard output or error.
 */
static int report(const struct invocation *in, const tac_exploration *found)
{
    tac_error err;
    tac_verdict verdict;
    tac_exploration_verdict(found, &verdict);
    int code = tac_exit_code(TAC_OK, verdict.answer);
    tac_verdict_free(&verdict);
    if (in->output || !in->json) {
        if (write_model(in->output, tac_exploration_model(found), &err))
            return fail(in, &err);
    }
    if (!in->json) {
        print_exploration(found, in->output, in->output ? stdout : stderr);
        return code;
    }
    json_t *document = tac_exploration_json(found);
    tac_status st = tac_json_write(document, stdout, &err);
    json_decref(document);
    return st ? fail(in, &err) : code;
}

static void advise_resume(const char *checkpoint, tac_error *err)
{
    size_t used = strlen(err->message);
    if (checkpoint && !access(checkpoint, F_OK))
        snprintf(err->message + used, sizeof err->message - used, "; go on with --resume %s",
                 checkpoint);
}

/* The model of what was seen is written; the device's failure is said all the same. */
static int failed_early(const struct invocation *in, const tac_error *failure,
                        const char *checkpoint)
{
    tac_error err = *failure;
    advise_resume(checkpoint, &err);
    return fail(in, &err);
}

/* "a/player.model.xml" -> "a/player.pictures"; the caller's. */
static char *picture_folder(const char *model)
{
    size_t length = strlen(model);
    length -= tac_ends_with(model, ".xml") ? 4 : 0;
    length -= length > 6 && !strncmp(model + length - 6, ".model", 6) ? 6 : 0;
    return tac_format("%.*s.pictures", (int)length, model);
}

static char *picture_prefix(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return tac_format("%s/", slash ? slash + 1 : folder);
}

/* Options that exclude each other. 0: none. */
static int refuse_combinations(const struct invocation *in, tac_strategy strategy)
{
    if (option_number(in, "parallel", 1) > 1 &&
        (strategy == TAC_EXPLORE_DFS || strategy == TAC_EXPLORE_BFS))
        return fail_usage(in, "dfs and bfs replay paths on one device; leave --parallel out");
    if (option_flag(in, "network") && option_flag(in, "scenario"))
        return fail_usage(in, "give either --scenario or --network");
    if (option_flag(in, "pictures") && !in->output)
        return fail_usage(in, "--pictures stand beside the model: give it a file with -o");
    return 0;
}

static void read_device_options(const struct invocation *in, struct explore_job *job)
{
    job->device = (tac_device_options){
        .app = option_text(in, "app"),
        .scenario = option_text(in, option_flag(in, "network") ? "network" : "scenario"),
        .capabilities = option_text(in, "capabilities"),
        .faults = option_text(in, "faults"),
        .seed = (uint64_t)option_number(in, "seed", 1),
        .deadline = option_real(in, "deadline", 0),
        .realtime = option_flag(in, "realtime"),
        .fast = option_flag(in, "fast"),
        .tolerate_errors = option_flag(in, "tolerate-errors")};
    job->device.stay = option_values(in, "stay", &job->device.stay_count);
}

static void read_explore_options(const struct invocation *in, struct explore_job *job)
{
    job->checkpoint = in->output ? tac_format("%s.checkpoint", in->output) : NULL;
    job->pictures = option_flag(in, "pictures") ? picture_folder(in->output) : NULL;
    job->picture_prefix = job->pictures ? picture_prefix(job->pictures) : NULL;
    tac_explore_options *options = &job->explore;
    options->depth = (uint32_t)option_number(in, "depth", 0);
    options->list_items = (uint32_t)option_number(in, "list-items", 1);
    options->rename = option_text(in, "names");
    options->resume = option_text(in, "resume");
    options->watch_seconds = option_real(in, "watch", 0);
    options->tries = (uint32_t)option_number(in, "tries", 4);
    options->stable_names = option_flag(in, "stable-names");
    options->deny_permissions = option_choice(in, "permissions", false);
    options->seed = (uint64_t)option_number(in, "seed", 1);
    options->most_events = (uint64_t)option_number(in, "event-limit", 0);
    options->inputs = job->inputs;
    options->ignore = option_values(in, "ignore", &options->ignore_count);
    options->texts = option_values(in, "text", &options->text_count);
    options->pictures = job->pictures;
    options->picture_prefix = job->picture_prefix;
    options->checkpoint = options->resume ? options->resume : job->checkpoint;
}

static void job_free(struct explore_job *job)
{
    free(job->checkpoint);
    free(job->pictures);
    free(job->picture_prefix);
}

static tac_status explore(struct invocation *in, struct explore_job *job, struct device_crew **crew,
                          tac_exploration **found, tac_error *err)
{
    tac_explore_options *options = &job->explore;
    tac_status st = tac_output_try(in->output, err); /* before hours of work */
    if (!st)
        st = tac_output_try(options->checkpoint, err);
    note_sandbox(in, option_text(in, "device"));
    if (!st)
        st = device_crew_open(option_text(in, "device"), &job->device, job->parallel, crew, err);
    tac_device **more = tac_calloc(job->parallel, sizeof *more);
    for (; !st && options->more_count + 1 < job->parallel; options->more_count++)
        more[options->more_count] = device_crew_at(*crew, options->more_count + 1);
    options->more = more;
    if (!st)
        st = tac_explore(device_crew_at(*crew, 0), options, in->watch, found, err);
    if (st)
        advise_resume(options->checkpoint, err);
    options->more = NULL;
    free((void *)more);
    return st;
}

static int explore_run(struct invocation *in)
{
    struct explore_job job = {.parallel = (size_t)option_number(in, "parallel", 1)};
    job.explore.strategy = (tac_strategy)option_choice(in, "strategy", TAC_EXPLORE_NEAREST);
    int usage = refuse_combinations(in, job.explore.strategy);
    if (!usage)
        usage = read_gestures(in, option_text(in, "gestures"), &job.explore.gestures, job.inputs,
                              &job.explore.input_count);
    if (usage)
        return usage;
    read_device_options(in, &job);
    read_explore_options(in, &job);
    const char *checkpoint = job.explore.checkpoint;
    struct device_crew *crew = NULL;
    tac_exploration *found = NULL;
    tac_error err;
    tac_status st = explore(in, &job, &crew, &found, &err);
    const tac_error *failure = st ? NULL : tac_exploration_failure(found);
    int code = st ? fail(in, &err) : report(in, found);
    if (failure)
        code = failed_early(in, failure, checkpoint);
    if (!st && code < 2 && checkpoint)
        unlink(checkpoint);
    tac_exploration_free(found);
    device_crew_close(crew);
    job_free(&job);
    return code;
}

static const struct option explore_options[] = {
    TEXT(
        "device", "URI",
        "what runs the app: sim:APPFILE (the built-in phone), adb:SERIAL, chromium:, webdriver+URL",
        .meaning = "what runs the app", .required = true),
    DEVICE_APP,
    CHOICE("strategy", "NAME",
           CHOICES({"nearest", TAC_EXPLORE_NEAREST}, {"novelty", TAC_EXPLORE_NOVELTY},
                   {"dfs", TAC_EXPLORE_DFS}, {"bfs", TAC_EXPLORE_BFS}),
           "the order of trying; default nearest, which restarts the app least; novelty finds most "
           "within a small --event-limit"),
    NUMBER("parallel", "K", 1, 64,
           "K devices explore together and share one model, for devices that can be had several "
           "times (browsers, the built-in phone); default 1",
           .meaning = "how much is done at once"),
    NUMBER("depth", "N", 0, 1000000,
           "explore screens up to N events from the launch; default 0: all"),
    NUMBER("list-items", "N", 1, 10000,
           "items of each list that are explored and compared; default 1"),
    TEXT("gestures", "LIST",
         "of click, longClick, doubleClick, hover, drag, text, scroll, swipe, key (Escape), back, "
         "home, and what the system does and takes back: rotate, background, network, media; with "
         "commas between; default click,doubleClick,text,back",
         .synonyms = "events"),
    TEXT("ignore", "XPATH", "leave these elements alone; repeatable",
         .meaning = "elements that are left alone"),
    TEXT("text", "XPATH=VALUE", "enter VALUE into these fields; may be repeated"),
    PATH("names", "FILE",
         "JSON {\"event\": \"name\"}: other names for events, several may become one",
         .synonyms = "rename"),
    FLAG("stable-names",
         "name states by what they show instead of numbering them; for tactus model merge"),
    FLAG("pictures",
         "keep a picture of every screen in NAME.pictures beside -o NAME.xml; the model names them "
         "(image)",
         .meaning = "keeps pictures of the screens"),
    REAL("watch", "SECONDS",
         "wait this long to see whether a new screen changes by itself (default 1, on the built-in "
         "phone 5, with novelty elsewhere 0)"),
    NUMBER("tries", "N", 1, 10000,
           "try an event that leads to different screens N times; default 4",
           .meaning = "how often something is tried"),
    CHOICE("permissions", "ANSWER", CHOICES({"allow", false}, {"deny", true}),
           "how permission dialogs are answered; default allow"),
    PATH("resume", "FILE", "go on from a checkpoint (MODEL.checkpoint of a stopped exploration)"),
    NUMBER("event-limit", "N", 1, 1000000000,
           "stop after N events and keep what was found; default 1,000,000",
           .synonyms = "most-events"),
    NUMBER("seed", "N", 1, INT64_MAX, "randomness of the built-in phone; default 1",
           .meaning = "seed of all randomness"),
    TEXT("scenario", "NAME",
         "network: pedestrian, festival, cafe, train, ideal or a file; default: as it is",
         .meaning = "the network by its name"),
    TEXT("network", "MS,DOWN,UP",
         "the network as latency in ms and kbit/s down and up, instead of a scenario",
         .meaning = "the network by its figures"),
    DEVICE_CALL_DEADLINE,
    DEVICE_CAPABILITIES,
    DEVICE_STAY,
    DEVICE_TOLERATE_ERRORS,
    DEVICE_FAST,
    DEVICE_REALTIME,
    TEXT("faults", "LIST",
         "built-in phone, for tests: hang@CALL, die@CALL, nostack, offset=SECONDS, drift=SHARE",
         .meaning = "faults of the built-in phone, for tests"),
    {0},
};

const struct command cmd_explore = {
    .noun = "explore",
    .group = GROUP_TEST,
    .first = true,
    .args = "",
    .summary = "extract an interaction model from a running app",
    .description =
        "Performs every event that every screen accepts and writes what it saw as a model: "
        "activities, state machines, calls and returns, system events with their delays. Two "
        "screens are one state when activity, tree and the nodes' identities and abilities agree; "
        "texts count only where they can be edited.\n\n"
        "The strategies dfs and bfs close the app and replay the path to go back, as the paper "
        "does; nearest walks over known transitions. An event that leads to different screens is "
        "recorded with all of them and tried again. While the exploration runs, MODEL.checkpoint "
        "is kept beside -o; after a kill or a dead device, --resume goes on from there.\n\n"
        "Without -o the model goes to standard output and the summary to standard error.",
    .example = "tactus explore --device sim:examples/apps/player.json -o player.xml\n"
               "tactus explore --device sim:examples/apps/player.json --strategy dfs --json",
    .options = explore_options,
    .documents = DOCUMENTS(&exploration_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .drives_devices = true,
    .run = explore_run,
};
