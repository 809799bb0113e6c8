/* Following growing traces.
 *
 * Every input is asked in turn for what it has; none is waited for longer than a moment. The
 * greatest difference between a state's time and the moment it came tells what time it is in the
 * traces: when nothing comes, deadlines pass all the same. An input that has nothing for the moment
 * has caught up; one that still delivers history holds the others back, so that recorded traces are
 * merged by their times and not by the moments they were read. */
#include "property/check/live_merge.h"
#include "property/check/reading.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct live_watch {
    tac_watch watch; /* first: it is what the readers see */
    tac_watch *user;
    bool stop; /* the user wants to stop */
};

struct live_input {
    const char *path;
    tac_trace_source *source; /* NULL: not there yet, or between two files */
    struct live_map map;
    bool ended;     /* a pipe that was closed */
    bool caught_up; /* it had nothing when it was last asked */
    bool awaited;   /* said that it is not there */
    bool any;       /* it has brought a state */
    int64_t latest;
    uint64_t skipped;
};

struct live_check {
    struct check_run run;
    struct live_watch watch;
    tac_trace_options trace;
    struct live_input *inputs;
    size_t count;
    struct live_merge merge;
    bool clock_set;
    int64_t ahead; /* time of the traces minus the clock of this machine */
    bool violated;
};

/* Every wait is given up at once: the other inputs are to be asked. */
static bool live_tick(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    struct live_watch *watch = (struct live_watch *)self;
    if (!tac_watch_tick(watch->user, what, done, total))
        watch->stop = true;
    return false;
}

static int64_t clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void note(struct live_check *live, const struct live_input *input, const char *text)
{
    tac_check_news news = {.kind = TAC_NEWS_NOTE, .trace = input->path, .note = text};
    if (live->run.options->on_news)
        live->run.options->on_news(live->run.options->context, &news);
}

static bool is_there(const char *path)
{
    struct stat file;
    return strcmp(path, "-") == 0 || stat(path, &file) == 0;
}

/* Opens the input if it is there. A file that has no first line yet is tried again later. */
static tac_status open_input(struct live_check *live, struct live_input *input, tac_error *err)
{
    struct stat file;
    if (!is_there(input->path)) {
        if (!input->awaited)
            note(live, input, "the file does not exist yet; waiting for it");
        input->awaited = input->caught_up = true;
        return TAC_OK;
    }
    tac_trace_options options = live->trace;
    /* a file given as standard input ends where it ends */
    options.follow =
        strcmp(input->path, "-") != 0 || fstat(STDIN_FILENO, &file) != 0 || !S_ISREG(file.st_mode);
    tac_status status = tac_trace_open(input->path, &options, &input->source, err);
    if (status == TAC_E_INTERRUPTED) {
        input->source = NULL;
        input->caught_up = true;
        return TAC_OK;
    }
    if (status == TAC_OK && input->awaited)
        note(live, input, "the file is there now");
    input->awaited = false;
    return status;
}

static void close_input(struct live_input *input)
{
    assert(input->path != NULL);
    if (input->source) {
        input->skipped += tac_trace_skipped(input->source);
        tac_trace_close(input->source);
    }
    input->source = NULL;
    live_map_free(&input->map);
}

/* A file that ended was rotated; a pipe has ended. */
static void input_ended(struct live_check *live, struct live_input *input)
{
    struct stat file;
    bool regular =
        strcmp(input->path, "-") != 0 && stat(input->path, &file) == 0 && S_ISREG(file.st_mode);
    close_input(input);
    if (regular)
        note(live, input, "the file was rotated; reading on in the new one");
    else
        input->ended = input->caught_up = true;
}

/* What one input has; *brought: something came. */
static tac_status poll_input(struct live_check *live, struct live_input *input, bool *brought,
                             tac_error *err)
{
    assert(!input->ended);
    const tac_trace_block *block = NULL;
    tac_status status = TAC_OK;
    if (!input->source)
        status = open_input(live, input, err);
    if (status != TAC_OK || !input->source)
        return status;
    status = tac_trace_next(input->source, &block, err);
    if (status == TAC_E_INTERRUPTED) {
        input->caught_up = true;
        return TAC_OK;
    }
    if (status == TAC_OK && !block) {
        input_ended(live, input);
        return TAC_OK;
    }
    if (status == TAC_OK)
        status = live_merge_add(&live->merge, &input->map, input->source, block, err);
    if (status != TAC_OK)
        return status;
    input->any = true;
    input->caught_up = false;
    input->latest = block->time[block->count - 1];
    *brought = true;
    int64_t ahead = input->latest - clock_now();
    if (!live->clock_set || ahead > live->ahead)
        live->ahead = ahead;
    live->clock_set = true;
    return TAC_OK;
}

/* Up to this time no input can bring an earlier state. */
static int64_t certain_time(const struct live_check *live)
{
    assert(live->count > 0);
    int64_t limit = INT64_MAX;
    for (size_t i = 0; live->count > 1 && i < live->count; i++) {
        const struct live_input *input = &live->inputs[i];
        int64_t reached = input->any ? input->latest : INT64_MIN;
        if (input->ended)
            continue;
        if (input->caught_up && live->clock_set) {
            int64_t by_clock = clock_now() + live->ahead - live->run.options->reorder;
            reached = by_clock > reached ? by_clock : reached;
        }
        limit = reached < limit ? reached : limit;
    }
    return limit;
}

static bool stops(struct live_check *live)
{
    if (live->run.options->stop_on_violation &&
        tac_monitor_violated(live->run.judge.files.at[0].monitor))
        live->violated = true;
    return live->violated;
}

static tac_status release(struct live_check *live, tac_error *err)
{
    tac_monitor_schema schema;
    tac_trace_block block;
    tac_status status = TAC_OK;
    int64_t limit = certain_time(live);
    while (status == TAC_OK && !live->violated &&
           live_merge_next(&live->merge, limit, &schema, &block)) {
        status = judge_feed(&live->run.judge, &schema, &block, err);
        if (status == TAC_OK) {
            check_run_tell(&live->run, false);
            stops(live);
        }
    }
    return status;
}

/* Nothing came: time goes on. */
static void pass_time(struct live_check *live)
{
    bool quiet = live->clock_set;
    for (size_t i = 0; i < live->count; i++)
        quiet = quiet && live->inputs[i].caught_up;
    if (!quiet)
        return;
    int64_t now = clock_now() + live->ahead - live->run.options->grace - live->trace.reorder;
    if (live->merge.head < live->merge.rows.count &&
        live->merge.rows.at[live->merge.head].time < now)
        now = live->merge.rows.at[live->merge.head].time;
    tac_monitor_tick(live->run.judge.files.at[0].monitor, now);
    check_run_tell(&live->run, false);
    stops(live);
}

static bool all_ended(const struct live_check *live)
{
    for (size_t i = 0; i < live->count; i++)
        if (!live->inputs[i].ended)
            return false;
    return true;
}

static void rest(void)
{
    struct timespec pause = {.tv_nsec = 10 * 1000000L};
    nanosleep(&pause, NULL);
}

static tac_status follow(struct live_check *live, tac_error *err)
{
    tac_status status = TAC_OK;
    while (status == TAC_OK && !live->watch.stop && !live->violated) {
        bool brought = false, ended = all_ended(live);
        for (size_t i = 0; status == TAC_OK && i < live->count; i++)
            if (!live->inputs[i].ended)
                status = poll_input(live, &live->inputs[i], &brought, err);
        if (status == TAC_OK)
            status = release(live, err);
        if (status != TAC_OK || live->violated)
            break;
        if (ended) {
            tac_monitor_schema schema = live_merge_schema(&live->merge);
            return judge_finish(&live->run.judge, &schema, err);
        }
        if (!brought) {
            pass_time(live);
            rest();
        }
        if (!tac_watch_tick(live->watch.user, "following", live->merge.released, 0))
            live->watch.stop = true;
    }
    return status;
}

static char *joined(const char *const *paths, size_t count)
{
    tac_str text = {0};
    for (size_t i = 0; i < count; i++)
        tac_str_addf(&text, "%s%s", i ? " + " : "", paths[i]);
    return tac_str_take(&text);
}

tac_status tac_check_follow(const tac_properties *properties, const char *const *paths,
                            size_t count, const tac_check_options *options, tac_checked_trace *out,
                            tac_error *err)
{
    struct live_check live = {.count = count};
    char *name = joined(paths, count), *late = NULL;
    assert(count > 0);
    memset(out, 0, sizeof *out);
    live.watch = (struct live_watch){.watch = {live_tick}, .user = options->watch};
    if (options->trace)
        live.trace = *options->trace;
    live.trace.watch = &live.watch.watch;
    live.inputs = tac_calloc(count, sizeof *live.inputs);
    for (size_t i = 0; i < count; i++)
        live.inputs[i].path = paths[i];
    check_run_start(&live.run, properties, name, options, false, NULL);
    tac_status status = follow(&live, err);
    if (status == TAC_OK && live.merge.late) {
        late = tac_format("%llu state%s came later than the reorder window and took the time of "
                          "the state before",
                          (unsigned long long)live.merge.late, live.merge.late == 1 ? "" : "s");
        note(&live, &live.inputs[0], late);
    }
    if (status == TAC_OK && !live.violated)
        check_run_tell(&live.run, true);
    uint64_t skipped = 0;
    for (size_t i = 0; i < count; i++) {
        close_input(&live.inputs[i]);
        skipped += live.inputs[i].skipped;
    }
    if (status == TAC_OK)
        check_run_result(&live.run, skipped, out);
    check_run_free(&live.run);
    live_merge_free(&live.merge);
    free(live.inputs);
    free(name);
    free(late);
    return status;
}
