/* A set of normalised runs in flat arrays.
 *
 * Invariant: a run is `blocks` complete (state, input) pairs, events[first .. first + blocks - 1],
 * followed by the state `tail` or, when the run ended while its last input was handled, by nothing
 * (tail TAC_NONE). So strict alternation holds by construction, and the event at position 2i is the
 * state of block i, at 2i+1 its input, at 2*blocks the tail. */
#pragma once

#include "base/data/map.h"
#include "base/data/pattern.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/keep/spill.h"
#include "mining/crash/crash.h"
#include "mining/mining.h"
#include "mining/runs/labeller.h"

#define MAX_TOKEN 4096 /* bytes of a token */
#define MAX_LINE ((size_t)1 << 28)
#define MAX_EVENTS ((uint64_t)1 << 31) /* blocks of a set: occurrences fit 32 bits */

struct mined_run {
    uint64_t first; /* in `failing` or `others`, by the cluster */
    uint32_t blocks, tail, cluster;
    uint32_t file, line; /* file: id in `files`; line 0 = the file is the run */
    uint32_t crash;      /* in `crashes.at`, or TAC_NONE: it is labelled by something else */
};

struct block {
    uint32_t state, input; /* tokens */
};

struct identifier_rule {
    tac_pattern *pattern;
    char *text; /* as given, for showing */
    char *expression;
    char *replacement; /* '#' is the number of an order rule */
    bool order;
};

/* Identifier rules and the numbers given out in the run that is being read. */
struct identifier_rules {
    TAC_VEC(struct identifier_rule) at;
    tac_names seen;           /* rule index + matched text, of this run */
    TAC_VEC(uint32_t) number; /* per entry of seen */
    uint32_t *next;           /* per rule */
};

tac_status rules_add(struct identifier_rules *rules, const char *text, tac_error *err);
tac_status rules_add_builtin(struct identifier_rules *rules, tac_error *err);
void rules_new_run(struct identifier_rules *rules);
/* The normalised text in *out; *depends: the result depends on the run. */
tac_status rules_apply(struct identifier_rules *rules, const char *text, tac_str *out,
                       bool *depends, tac_error *err);
void rules_free(struct identifier_rules *rules);

/* The distinct crashes of a set (grouping.c). */
struct crash_list {
    struct crash_reader reader;
    struct name_mapping *mapping;
    char *packages, *framework;
    tac_arena arena;
    tac_names keys; /* exception, process and frames; one per crash */
    TAC_VEC(struct crash) at;
    TAC_VEC(uint32_t) cluster;   /* per crash: its cluster of the set */
    TAC_VEC(const char *) frame; /* per crash: the frame that decides, "" when none does */
    tac_names common;            /* frames that decide nothing */
    tac_names places;            /* of scripts ... */
    TAC_VEC(const char *) named; /* ... and what the function there was called first */
    tac_names things;            /* exception and place of what crashes are one by ... */
    TAC_VEC(const char *) names; /* ... and what each is called ... */
    tac_names taken;             /* ... which no other is */
};

enum token_source { FROM_TEXT = 't', STATE_EVENT = 's', INPUT_EVENT = 'e' };

struct tac_runs {
    tac_names tokens;   /* 's' or 'e', then the text */
    tac_names clusters; /* 0 = "0", the passing runs */
    uint32_t excepted;  /* passing runs that tell of an exception */
    tac_names files;
    tac_names left_out; /* files of folders that were not taken for runs */
    TAC_VEC(uint32_t) cluster_size;
    tac_u64map block_ids; /* state << 32 | input */
    TAC_VEC(struct block) blocks;
    /* Block ids, the runs one after another. Engines jump about in failing runs and go over the
     * others in order, so only those may be larger than memory. */
    TAC_VEC(uint32_t) failing;
    tac_spill others;  /* passing, or without a label */
    tac_error failure; /* why no more runs can be kept */
    TAC_VEC(struct mined_run) list;

    tac_names raw;               /* token source, then the text as it stands in the file */
    TAC_VEC(uint32_t) raw_token; /* the token, or TAC_NONE when it depends on the run */
    struct identifier_rules rules;
    tac_pattern *states;
    bool states_plain; /* the default "^s", decided without the expression */
    char *states_text, *state_of;
    const char *state_found; /* of the first trace, where none was named; static */
    bool has_states;         /* some run shows one: "start" is not all there is */
    struct crash_list crashes;
    tac_names label_names; /* label file: run names ... */
    TAC_VEC(char *) label_texts;
    bool has_labels;
    struct property_labeller labeller; /* reads traces; labels by a property */

    /* the run being built */
    uint32_t current; /* last state, or TAC_NONE */
    bool fresh;       /* a state came after the last input */
    struct mined_run building;
    TAC_VEC(uint32_t) building_blocks;
    tac_str scratch;
};

/* The variable of a trace that is the state. */
const char *runs_state_variable(const struct tac_runs *runs);
/* One token of the text form: state or input by the expression. */
void runs_token(struct tac_runs *runs, const char *text, size_t length);
void runs_begin_at(struct tac_runs *runs, const char *file, size_t line);
/* Could everything be kept so far? The place is where reading stands. */
tac_status runs_check(const struct tac_runs *runs, const char *file, size_t line, tac_error *err);

/* --- Grouping (grouping.c) -------------------------------------------------------------------- */

void crash_list_make(struct crash_list *list, const char *packages, const char *framework);
void crash_list_free(struct crash_list *list);
struct run_outcome;
/* The crash of an outcome, in the list once; its name in *name, the caller's. */
uint32_t crash_list_add(struct crash_list *list, const struct run_outcome *outcome, char **name);
/* Of a list without runs, once all crashes are in it: what a set of them would learn. */
void crash_list_learn(struct crash_list *list);
/* The name by what was learnt; the caller's. */
char *crash_list_name(struct crash_list *list, uint32_t crash);
/* Once more files are read: frames that are in every crash of five or more clusters decide nothing;
 * runs are given the clusters that follow. */
void regroup_crashes(struct tac_runs *runs);
/* Why the runs of a cluster are one; the caller's. */
char *why_one_cluster(const struct tac_runs *runs, uint32_t cluster);

/* Do most passing runs, of three or more, tell of an exception? */
bool runs_look_exchanged(const struct tac_runs *runs);

/* What a source says about how a run ended. Texts may be NULL. */
struct run_outcome {
    const char *label, *verdict, *exception, *stack;
    const char *place, *message; /* of the crash: with its statement; what the exception says */
};
/* Ends the run with the label that the label file, the label, the verdict and the stack give. An
 * unknown verdict word is an error at the place. */
tac_status runs_end_with(struct tac_runs *runs, const struct run_outcome *outcome, const char *file,
                         size_t line, tac_error *err);

/* Gives every line of a file to `read`, which may change it. Here and below, `name` is what the
 * file is called in runs and messages. */
typedef tac_status read_run_line(struct tac_runs *runs, const char *name, size_t number, char *line,
                                 size_t length, tac_error *err);
tac_status read_run_lines(struct tac_runs *runs, const char *path, const char *name,
                          read_run_line *read, tac_watch *watch, tac_error *err);
tac_status read_text_runs(struct tac_runs *runs, const char *path, const char *name,
                          tac_watch *watch, tac_error *err);
tac_status read_json_runs(struct tac_runs *runs, const char *path, const char *name,
                          tac_watch *watch, tac_error *err);
/* state_first: the state of a row is the one its event was sent to (DroidBot). */
tac_status read_trace_run(struct tac_runs *runs, const char *path, const char *name,
                          bool state_first, tac_error *err);
tac_status read_labels(struct tac_runs *runs, const char *path, tac_error *err);

/* --- Looking at runs -------------------------------------------------------------------------- */

/* A run, possibly cut to its first events. */
struct run_view {
    const uint32_t *blocks;
    uint32_t count, tail;
};

/* Some runs of a set; cuts[i] = events kept of run ids[i], or cuts NULL. */
struct selection {
    const struct tac_runs *runs;
    const uint32_t *ids;
    const uint32_t *cuts;
    uint32_t count;
};

/* A selection of runs that owns its arrays. */
struct run_ids {
    TAC_VEC(uint32_t) at;
};

/* Every failing run; with merge in one list, else those of the cluster. */
void collect_runs(const struct tac_runs *runs, uint32_t cluster, bool merge, struct run_ids *out);
/* The cluster of a name; of a crash also by its frame alone. TAC_NONE: there is none. */
uint32_t find_cluster(const struct tac_runs *runs, const char *name);

static inline uint32_t run_length(const struct mined_run *run)
{
    return 2 * run->blocks + (run->tail != TAC_NONE);
}

static inline bool run_fails(const struct mined_run *run)
{
    return run->cluster != 0 && run->cluster != TAC_RUN_UNLABELLED;
}

/* Its block ids; NULL when it has none. */
static inline const uint32_t *run_blocks(const struct tac_runs *runs, const struct mined_run *run)
{
    const uint32_t *all = run_fails(run) ? runs->failing.at : runs->others.at;
    return run->blocks ? all + run->first : NULL;
}

static inline struct run_view view_of(const struct selection *set, uint32_t i)
{
    const struct mined_run *run = &set->runs->list.at[set->ids[i]];
    struct run_view view = {run_blocks(set->runs, run), run->blocks, run->tail};
    if (set->cuts && set->cuts[i] < run_length(run)) {
        view.count = set->cuts[i] / 2;
        view.tail =
            set->cuts[i] % 2 ? set->runs->blocks.at[view.blocks[view.count]].state : TAC_NONE;
    }
    return view;
}

static inline uint32_t view_length(const struct run_view *view)
{
    return 2 * view->count + (view->tail != TAC_NONE);
}

/* The state event after block i (i may be UINT32_MAX for the first one), or TAC_NONE. */
static inline uint32_t state_after(const struct tac_runs *runs, const struct run_view *view,
                                   uint32_t i)
{
    uint32_t next = i + 1;
    return next < view->count ? runs->blocks.at[view->blocks[next]].state : view->tail;
}
