/* tactus automation simulate: a timed run of automations. */
#include "automation/automation.h"
#include "automation/show/described.h"
#include "base/print/print.h"
#include "cli/command.h"

static const struct option simulate_options[] = {
    PATH("events", "FILE", "what happens and when, one line each: TIME set ENTITY VALUE",
         .meaning = "a file of events", .required = true),
    {.name = NULL}};

struct play {
    tac_automation_moment *moments;
    size_t count;
};

static void print_play(FILE *out, void *context)
{
    const struct play *play = context;
    for (size_t i = 0; i < play->count; i++) {
        const tac_automation_moment *m = &play->moments[i];
        tac_print(out, "%8.8g s  %s\n", m->t, m->event);
        for (size_t k = 0; k < m->fire_count; k++)
            tac_print(out, "            -> %s\n", m->fires[k]);
        for (size_t k = 0; k < m->write_count; k++)
            tac_print(out, "               %s\n", m->writes[k]);
    }
}

static int simulate_run(struct invocation *in)
{
    tac_diagnostics diagnostics = {0};
    tac_error err = {0};
    tac_automation_model *model = NULL;
    struct play play = {0};
    tac_status status = tac_automation_load(in->args[0], &diagnostics, &model, &err);
    print_diagnostics(&diagnostics);
    if (status == TAC_OK)
        status = tac_automation_simulate(model, option_text(in, "events"), in->watch, &play.moments,
                                         &play.count, &err);
    int code;
    if (status != TAC_OK)
        code = fail(in, &err);
    else if (in->json)
        code = finish_json(in,
                           describe_json(&automation_play_described,
                                         &(struct automation_play){play.moments, play.count}),
                           0);
    else
        code = finish_text(in, print_play, &play, 0);
    tac_automation_moments_free(play.moments, play.count);
    tac_automation_free(model);
    tac_diagnostics_free(&diagnostics);
    return code;
}

const struct command cmd_automation_simulate = {
    .noun = "automation",
    .verb = "simulate",
    .group = GROUP_AUTOMATIONS,
    .args = "PATH",
    .summary = "play events through automations: what fires when, what it writes",
    .description = "Plays a file of events. Each line is TIME WHAT: the time is "
                   "2026-01-05T18:00:00, or +SECONDS after the line before; what happens is \"set "
                   "ENTITY VALUE\", \"is ENTITY VALUE\" (a state from before), \"event NAME\", "
                   "\"start\", or \"end\" (to let time pass). Holds, delays, times of day and "
                   "patterns of time come in their order; the sun, calendars and templates do not.",
    .example = "tactus automation simulate examples/home --events examples/home/evening.events",
    .options = simulate_options,
    .documents = DOCUMENTS(&automation_play_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = simulate_run,
};
