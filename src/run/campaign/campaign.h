/* What the files of a campaign share. */
#pragma once

#include "base/data/str.h"
#include "run/flow_set.h"
#include "run/run.h"
#include "run/run_one.h"
#include "store/store.h"

/* A device that went away in this call. */
struct lost_device {
    char *device, *message;
    int64_t after; /* runs that it did before */
};

/* Run number id stands for one (scenario, repeat, flow); flows vary fastest, scenarios slowest, so
 * that neighbouring runs share a scenario. */
struct run_campaign {
    const tac_run_options *options;
    struct flow_set flows;          /* empty for random runs */
    tac_names device_names;         /* the devices of a run; a single "" when nothing names them */
    TAC_VEC(const char *) packages; /* per member: its app, "" when the flows do not say */
    TAC_VEC(const char *) uris;     /* teams one after the other, one URI per member */
    tac_properties *properties;
    struct action_file *actions;       /* NULL: none */
    tac_model *model;                  /* of the flows; NULL: none */
    struct expectations *expectations; /* of that model; NULL: none */
    tac_pattern **patterns;
    tac_store *store;
    size_t run_count;
    TAC_VEC(int64_t) to_do; /* runs without a row, in order */
    size_t done;            /* finished by this call */
    TAC_VEC(struct lost_device) lost;
    tac_error failure;              /* of the last run that a device could not do */
    struct campaign_remote *remote; /* NULL: the campaign lives in a folder */
};

size_t campaign_flow_of(const struct run_campaign *campaign, int64_t id);
uint32_t campaign_repeat_of(const struct run_campaign *campaign, int64_t id);
const char *campaign_scenario_of(const struct run_campaign *campaign,
                                 int64_t id); /* "" when none */

/* Seconds that a step or an answer of an instrument may take. */
double campaign_deadline(const tac_run_options *options);

/* campaign.c: patterns, flows and properties of the options; how many runs there are. */
tac_status campaign_load_inputs(struct run_campaign *campaign, tac_error *err);
void campaign_free_inputs(struct run_campaign *campaign);

/* devices.c: which devices play which parts, before anything is opened. Wrong bindings are
 * TAC_E_USAGE and list the names. */
tac_status campaign_assign_devices(struct run_campaign *campaign, tac_error *err);
size_t campaign_team_count(const struct run_campaign *campaign);
size_t campaign_worker_count(const struct run_campaign *campaign); /* each has a team of its own */
char *campaign_team_text(const struct run_campaign *campaign, size_t worker); /* the caller's */
/* What a scenario is called for one member; the caller's, NULL when it names other members only. */
char *campaign_scenario_name(const struct run_campaign *campaign, const char *scenario,
                             size_t member);
/* The same, or the file that was fetched under this name. */
char *campaign_scenario_for(const struct run_campaign *campaign, const char *scenario,
                            size_t member);

/* dispatch.c: hands the runs to the workers until all is done or no device is left. */
tac_status campaign_work(struct run_campaign *campaign, tac_error *err);
/* devices.c: a worker's team, its devices in the first scenario of the campaign if there is one. */
enum team_opening {
    TEAM_USED,   /* for runs: devices that are not there yet are waited for */
    TEAM_MISSED, /* for runs; they were waited for in vain, so they are only looked for */
    TEAM_TRIED,  /* only to see that they are there and know the probes and scenarios */
};
tac_status campaign_open_team(const struct run_campaign *campaign, size_t worker,
                              enum team_opening how, struct run_team *team, tac_error *err);
/* Every device of the team in the scenario; "" leaves them as they are. It decides what they
 * measure, so it comes before the recording starts. */
tac_status campaign_set_scenario(const struct run_campaign *campaign, const struct run_team *team,
                                 const char *scenario, tac_error *err);
/* selectors.c: TAC_E_INPUT where a css selector of the files is none, with its place. The device
 * shows a page. */
tac_status campaign_try_selectors(const struct run_campaign *campaign, tac_device *device,
                                  tac_error *err);
/* worker.c: what a worker does; answers every run that it is given. */
void campaign_serve(void *campaign, size_t worker, int fd);
/* keep.c: writes what the run left; *out is the message to the parent, the caller's. */
tac_status campaign_keep(const struct run_campaign *campaign, struct run_context *context,
                         int64_t id, json_t **out, tac_error *err);
/* A frame as the line of a stack that Java prints; the caller's. */
char *run_stack_line(const char *frame);
/* campaign.c: adds the rows of a finished run; commits them. */
tac_status campaign_store_run(struct run_campaign *campaign, json_t *message, tac_error *err);
tac_status campaign_add_rows(struct run_campaign *campaign, const json_t *message, tac_error *err);
tac_status campaign_commit(struct run_campaign *campaign, tac_error *err);
/* Opens every device once. */
tac_status campaign_try_devices(const struct run_campaign *campaign, tac_error *err);

/* "traces/000123.jsonl"; returns buffer. */
#define CAMPAIGN_TRACE 40
const char *campaign_trace_name(int64_t id, char buffer[CAMPAIGN_TRACE]);

#define CAMPAIGN_ACTIONS "inputs/actions.txt" /* the copy of the file of actions */

/* plan.c: everything that decides what run N is, files by their content; the caller's. */
tac_status campaign_plan(const struct run_campaign *campaign, json_t **out, tac_error *err);
const char *campaign_choice_name(tac_run_choice choice); /* as the plan has it; static */
/* What two plans differ in, for a person: "think was 1 and is 2"; the caller's, "" when nothing. */
char *campaign_plan_difference(const json_t *old, const json_t *new);

/* folder.c: opens the folder, refuses another campaign's, copies the inputs, finds what is
 * left to do. */
tac_status campaign_open_folder(struct run_campaign *campaign, tac_error *err);
/* DIR/KIND/000123.EXT; the caller's. */
char *campaign_path(const struct run_campaign *campaign, const char *kind, int64_t id,
                    const char *extension);

/* The parts of it that a campaign in a database has too: the plan, what is told of its origin. */
tac_status campaign_check_plan(struct run_campaign *campaign, tac_error *err);
tac_status campaign_note_origin(struct run_campaign *campaign, tac_error *err);
tac_status campaign_make_subfolders(const struct run_campaign *campaign, tac_error *err);

/* summary.c: from the store. */
tac_status campaign_sum_up(const struct run_campaign *campaign, tac_run_summary **out,
                           tac_error *err);
/* The same, and into verdicts.json. *out is set, too, when that file
 * could not be written. */
tac_status campaign_summarise(const struct run_campaign *campaign, tac_run_summary **out,
                              tac_error *err);
/* The same before anything was run. */
tac_run_summary *campaign_planned(const struct run_campaign *campaign);
