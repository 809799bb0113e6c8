/* tactus explore --device URI [options] -o MODEL.xml */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "cli/command.h"
#include "cli/device_crew.h"
#include "cli/device_options.h"
#include "tactus/explore.h"
#include <string.h>
#include <unistd.h>

enum { MOST_INPUTS = 8 };

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
        if (!known[i] || !tac_action_kind_parse(word, &kind)) {
            const char *near = tac_closest(word, known, 11);
            return fail_usage(
                in,
                "--gestures: '%s' is not a gesture%s%s%s; the gestures are click, "
                "longClick, doubleClick, hover, drag, text, scroll, swipe, key, back, "
                "home, and of the system rotate, background, network, media",
                word, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        }
        *out |= 1u << kind;
        list += n + (list[n] == ',');
    }
    return 0;
}

static tac_strategy strategy_of(const char *name)
{
    if (name && !strcmp(name, "dfs"))
        return TAC_EXPLORE_DFS;
    if (name && !strcmp(name, "novelty"))
        return TAC_EXPLORE_NOVELTY;
    return name && !strcmp(name, "bfs") ? TAC_EXPLORE_BFS : TAC_EXPLORE_NEAREST;
}

/* Every value of a repeated option; the array is the caller's, its texts are not. */
static const char **values_of(const struct invocation *in, const char *name, size_t *count)
{
    *count = option_count(in, name);
    const char **values = tac_calloc(*count + 1, sizeof *values);
    for (size_t i = 0; i < *count; i++)
        values[i] = option_value(in, name, i);
    return values;
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

/* What to do next, with the option that does it. */
static void print_advice(const tac_verdict *verdict, bool complete, bool saved, FILE *out)
{
    const char *option =
        verdict->answer == TAC_VIOLATED ? ""
        : verdict->answer == TAC_INCONCLUSIVE
            ? (saved ? " (--resume MODEL.checkpoint)" : " (give -o MODEL to have one)")
        : !complete ? " (--depth N)"
                    : " (--seed N)";
    if (verdict->advice[0])
        fprintf(out, "  -> %s%s\n", verdict->advice, option);
}

static void tell_nondeterministic(void *out, const char *event, const char *state)
{
    fprintf(out, "the event %s in %s leads to different screens\n", event, state);
}

static void tell_external(void *out, const char *package, const char *where)
{
    (void)where;
    fprintf(out, "another application was opened: %s\n", package);
}

static void tell_field(void *out, const char *field, const char *where)
{
    (void)where;
    fprintf(out, "nothing was entered (give it a --text XPATH=VALUE): %s\n", field);
}

static void tell_ignore(void *out, const char *xpath, const char *where)
{
    (void)where;
    fprintf(out, "never matched: elements to ignore: %s\n", xpath);
}

static void tell_text(void *out, const char *text, const char *where)
{
    (void)where;
    fprintf(out, "never matched: text to enter: %s\n", text);
}

/* The summary for people. */
static void print_summary(const tac_exploration *found, const char *model_path, FILE *out)
{
    static const char *const ends[] = {
        [TAC_HOLDS] = "explored", [TAC_VIOLATED] = "CRASHES", [TAC_INCONCLUSIVE] = "stopped early"};
    tac_verdict verdict;
    tac_exploration_figures n = tac_exploration_look(found);
    tac_exploration_verdict(found, &verdict);
    fprintf(out, "%s: %s\n  %s\n", verdict.subject, ends[verdict.answer], verdict.explanation);
    print_advice(&verdict, n.complete, model_path != NULL, out);
    fprintf(out, "%llu events performed, %llu launches, %.0f s on the device\n",
            (unsigned long long)n.events_performed, (unsigned long long)n.launches,
            n.virtual_seconds);
    tac_exploration_each(found, TAC_NOTE_NONDETERMINISTIC, tell_nondeterministic, out);
    tac_exploration_each(found, TAC_NOTE_EXTERNAL_APP, tell_external, out);
    tac_exploration_each(found, TAC_NOTE_FIELD_WITHOUT_TEXT, tell_field, out);
    tac_exploration_each(found, TAC_NOTE_UNUSED_IGNORE, tell_ignore, out);
    tac_exploration_each(found, TAC_NOTE_UNUSED_TEXT, tell_text, out);
    if (model_path)
        fprintf(out, "model: %s\n", model_path);
    tac_verdict_free(&verdict);
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
        print_summary(found, in->output, in->output ? stdout : stderr);
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

static int explore_run(struct invocation *in)
{
    tac_device_options device_options = {
        .app = option_text(in, "app"),
        .scenario = option_text(in, option_flag(in, "network") ? "network" : "scenario"),
        .capabilities = option_text(in, "capabilities"),
        .faults = option_text(in, "faults"),
        .seed = (uint64_t)option_number(in, "seed", 1),
        .deadline = option_real(in, "deadline", 0),
        .realtime = option_flag(in, "realtime"),
        .fast = option_flag(in, "fast"),
        .tolerate_errors = option_flag(in, "tolerate-errors")};
    tac_explore_options options = {.strategy = strategy_of(option_text(in, "strategy")),
                                   .depth = (uint32_t)option_number(in, "depth", 0),
                                   .list_items = (uint32_t)option_number(in, "list-items", 1),
                                   .rename = option_text(in, "names"),
                                   .resume = option_text(in, "resume"),
                                   .watch_seconds = option_real(in, "watch", 0),
                                   .tries = (uint32_t)option_number(in, "tries", 4),
                                   .stable_names = option_flag(in, "stable-names"),
                                   .deny_permissions =
                                       option_text(in, "permissions") &&
                                       !strcmp(option_text(in, "permissions"), "deny"),
                                   .seed = (uint64_t)option_number(in, "seed", 1),
                                   .most_events = (uint64_t)option_number(in, "event-limit", 0)};
    int usage = refuse_combinations(in, options.strategy);
    if (usage)
        return usage;
    const char *inputs[MOST_INPUTS];
    usage = read_gestures(in, option_text(in, "gestures"), &options.gestures, inputs,
                          &options.input_count);
    options.inputs = inputs;
    if (usage)
        return usage;
    const char **ignore = values_of(in, "ignore", &options.ignore_count);
    const char **stay = values_of(in, "stay", &device_options.stay_count);
    device_options.stay = stay;
    const char **texts = values_of(in, "text", &options.text_count);
    char *checkpoint = in->output ? tac_format("%s.checkpoint", in->output) : NULL;
    char *pictures = option_flag(in, "pictures") ? picture_folder(in->output) : NULL;
    char *prefix = pictures ? picture_prefix(pictures) : NULL;
    options.pictures = pictures;
    options.picture_prefix = prefix;
    options.ignore = ignore;
    options.texts = texts;
    options.checkpoint = options.resume ? options.resume : checkpoint;
    tac_error err;
    struct device_crew *crew = NULL;
    tac_exploration *found = NULL;
    tac_status st = tac_output_try(in->output, &err); /* before hours of work */
    if (!st)
        st = tac_output_try(options.checkpoint, &err);
    note_sandbox(in, option_text(in, "device"));
    size_t parallel = (size_t)option_number(in, "parallel", 1);
    if (!st)
        st = device_crew_open(option_text(in, "device"), &device_options, parallel, &crew, &err);
    tac_device **more = tac_calloc(parallel, sizeof *more);
    for (; !st && options.more_count + 1 < parallel; options.more_count++)
        more[options.more_count] = device_crew_at(crew, options.more_count + 1);
    options.more = more;
    if (!st)
        st = tac_explore(device_crew_at(crew, 0), &options, in->watch, &found, &err);
    if (st)
        advise_resume(options.checkpoint, &err);
    const tac_error *failure = st ? NULL : tac_exploration_failure(found);
    int code = st ? fail(in, &err) : report(in, found);
    if (failure)
        code = failed_early(in, failure, options.checkpoint);
    if (!st && code < 2 && options.checkpoint)
        unlink(options.checkpoint);
    tac_exploration_free(found);
    device_crew_close(crew);
    free((void *)more);
    free(checkpoint);
    free(pictures);
    free(prefix);
    free((void *)ignore);
    free((void *)stay);
    free((void *)texts);
    return code;
}

static const struct option explore_options[] = {
    {.name = "device",
     .meaning = "what runs the app",
     .kind = OPTION_TEXT,
     .argument = "URI",
     .required = true,
     .help = "what runs the app: sim:APPFILE (the built-in phone), adb:SERIAL, chromium:, "
             "webdriver+URL"},
    DEVICE_APP,
    {.name = "strategy",
     .kind = OPTION_CHOICE,
     .argument = "NAME",
     .choices = "nearest|novelty|dfs|bfs",
     .help = "the order of trying; default nearest, which restarts the app least; novelty finds "
             "most within a small --event-limit"},
    {.name = "parallel",
     .meaning = "how much is done at once",
     .kind = OPTION_NUMBER,
     .argument = "K",
     .least = 1,
     .most = 64,
     .help = "K devices explore together and share one model, for devices that can be had several "
             "times (browsers, the built-in phone); default 1"},
    {.name = "depth",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .least = 0,
     .most = 1000000,
     .help = "explore screens up to N events from the launch; default 0: all"},
    {.name = "list-items",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 10000,
     .help = "items of each list that are explored and compared; default 1"},
    {.name = "gestures",
     .synonyms = "events",
     .kind = OPTION_TEXT,
     .argument = "LIST",
     .help = "of click, longClick, doubleClick, hover, drag, text, scroll, swipe, key (Escape), "
             "back, home, and what the system does and takes back: rotate, background, network, "
             "media; with commas between; default click,doubleClick,text,back"},
    {.name = "ignore",
     .kind = OPTION_TEXT,
     .argument = "XPATH",
     .meaning = "elements that are left alone",
     .help = "leave these elements alone; repeatable"},
    {.name = "text",
     .kind = OPTION_TEXT,
     .argument = "XPATH=VALUE",
     .help = "enter VALUE into these fields; may be repeated"},
    {.name = "names",
     .synonyms = "rename",
     .kind = OPTION_FILE,
     .argument = "FILE",
     .help = "JSON {\"event\": \"name\"}: other names for events, several may become one"},
    {.name = "stable-names",
     .kind = OPTION_FLAG,
     .help = "name states by what they show instead of numbering them; for tactus model merge"},
    {.name = "pictures",
     .meaning = "keeps pictures of the screens",
     .kind = OPTION_FLAG,
     .help = "keep a picture of every screen in NAME.pictures beside -o NAME.xml; the model names "
             "them (image)"},
    {.name = "watch",
     .kind = OPTION_REAL,
     .argument = "SECONDS",
     .help = "wait this long to see whether a new screen changes by itself (default 1, on the "
             "built-in phone 5, with novelty elsewhere 0)"},
    {.name = "tries",
     .meaning = "how often something is tried",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 10000,
     .help = "try an event that leads to different screens N times; default 4"},
    {.name = "permissions",
     .kind = OPTION_CHOICE,
     .argument = "ANSWER",
     .choices = "allow|deny",
     .help = "how permission dialogs are answered; default allow"},
    {.name = "resume",
     .kind = OPTION_FILE,
     .argument = "FILE",
     .help = "go on from a checkpoint (MODEL.checkpoint of a stopped exploration)"},
    {.name = "event-limit",
     .synonyms = "most-events",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = 1000000000,
     .help = "stop after N events and keep what was found; default 1,000,000"},
    {.name = "seed",
     .meaning = "seed of all randomness",
     .kind = OPTION_NUMBER,
     .argument = "N",
     .least = 1,
     .most = INT64_MAX,
     .help = "randomness of the built-in phone; default 1"},
    {.name = "scenario",
     .meaning = "the network by its name",
     .kind = OPTION_TEXT,
     .argument = "NAME",
     .help = "network: pedestrian, festival, cafe, train, ideal or a file; default: as it is"},
    {.name = "network",
     .meaning = "the network by its figures",
     .kind = OPTION_TEXT,
     .argument = "MS,DOWN,UP",
     .help = "the network as latency in ms and kbit/s down and up, instead of a scenario"},
    DEVICE_CALL_DEADLINE,
    DEVICE_CAPABILITIES,
    DEVICE_STAY,
    DEVICE_TOLERATE_ERRORS,
    DEVICE_FAST,
    DEVICE_REALTIME,
    {.name = "faults",
     .meaning = "faults of the built-in phone, for tests",
     .kind = OPTION_TEXT,
     .argument = "LIST",
     .help =
         "built-in phone, for tests: hang@CALL, die@CALL, nostack, offset=SECONDS, drift=SHARE"},
    {0},
};

const struct command cmd_explore = {
    .noun = "explore",
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
    .common = HAS_JSON | HAS_OUTPUT,
    .drives_devices = true,
    .run = explore_run,
};
