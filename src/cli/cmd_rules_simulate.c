/* tactus rules simulate: what the rules do on one input, or while the world changes. */
#include "base/data/alloc.h"
#include "base/error.h"
#include "cli/command.h"
#include "rules/rules.h"
#include "rules/simulate/described.h"
#include <string.h>

static const struct option rules_simulate_options[] = {
    TEXT("start-state", "NAME", "the state at the start (default: the initial one)",
         .synonyms = "state"),
    TEXT("input", "CHANGES",
         "what is on at the start, as in 'A_bt, speed=30' or a JSON object; the rest is off"),
    PATH("context", "FILE", "what changes in the world, and when", .synonyms = "events"),
    {0}};

struct play {
    tac_rules *rules;
    tac_rules_events *events;
    tac_rules_timeline *timeline;
    char *input;
    tac_diagnostics diagnostics;
};

static void write_story(FILE *out, void *context)
{
    const struct play *p = context;
    tac_rules_timeline_text(p->rules, p->timeline, out);
}

/* The state of that name, or TAC_RULES_NONE. */
static uint32_t find_state(const tac_rules *rules, const char *name)
{
    if (!name)
        return rules->initial;
    for (uint32_t s = 0; s < rules->state_count; s++)
        if (strcmp(rules->states[s].name, name) == 0)
            return s;
    return TAC_RULES_NONE;
}

static tac_status load(struct invocation *in, struct play *p, tac_error *err)
{
    tac_status status = tac_rules_load(in->args[0], &p->diagnostics, &p->rules, err);
    if (status)
        return status;
    p->input = tac_alloc((size_t)p->rules->variable_count + 1);
    memset(p->input, '0', p->rules->variable_count);
    p->input[p->rules->variable_count] = '\0';
    if (option_text(in, "input"))
        status = tac_rules_set_all(p->rules, option_text(in, "input"), p->input, err);
    if (status == TAC_OK && option_text(in, "context"))
        status = tac_rules_events_load(p->rules, option_text(in, "context"), &p->diagnostics,
                                       &p->events, err);
    return status;
}

static int rules_simulate_run(struct invocation *in)
{
    tac_error err = {0};
    struct play p = {0};
    int code;
    tac_status status = load(in, &p, &err);
    print_diagnostics(&p.diagnostics);
    tac_rules_simulation simulation = {.input = p.input, .events = p.events, .watch = in->watch};
    if (status == TAC_OK) {
        simulation.state = find_state(p.rules, option_text(in, "start-state"));
        if (simulation.state == TAC_RULES_NONE)
            status = tac_fail(&err, TAC_E_USAGE, "there is no state '%s'",
                              option_text(in, "start-state"));
    }
    if (status == TAC_OK)
        status = tac_rules_simulate(p.rules, &simulation, &p.timeline, &err);
    if (status) {
        code = p.diagnostics.errors ? tac_status_exit_code(status) : fail(in, &err);
    } else {
        bool rests = !p.timeline->at[p.timeline->count - 1].never_rests;
        code = tac_answer_exit_code(rests ? TAC_HOLDS : TAC_VIOLATED);
        if (in->json)
            code = finish_json(in, tac_rules_timeline_json(p.rules, p.timeline), code);
        else
            code = finish_text(in, write_story, &p, code);
    }
    tac_rules_timeline_free(p.timeline);
    tac_rules_events_free(p.events);
    tac_rules_free(p.rules);
    tac_diagnostics_free(&p.diagnostics);
    free(p.input);
    return code;
}

const struct command cmd_rules_simulate = {
    .noun = "rules",
    .verb = "simulate",
    .group = GROUP_AUTOMATIONS,
    .args = "RULES",
    .summary = "play the rules on an input or on a changing world",
    .description = "Shows which rules fire, the states that are passed through, and where the app "
                   "rests. Where several rules fire together the first one in the file is taken; "
                   "the other ways to end are listed.\n\n"
                   "A file of context has one change a line, 'TIME CHANGE, CHANGE, ...', as in "
                   "'12.5 s A_bt, B_bt=off'; lines at time 0 say how it begins. The app sees a "
                   "group of variables as it was when it was last refreshed: rule files say how "
                   "often ('group GPS every 10 s') and how long "
                   "a value must have stood ('hold 2 s').\n\n"
                   "Exit 0 when the app rests in the end, 1 when it never rests.",
    .example = "tactus rules simulate examples/rules/phoneadapter.rules --start-state Office "
               "--input A_t,E_bt\n"
               "tactus rules simulate examples/rules/phoneadapter-timed.rules --start-state Office "
               "--context "
               "examples/rules/office-to-car.context",
    .options = rules_simulate_options,
    .documents = DOCUMENTS(&rules_told_described),
    .common = HAS_JSON | HAS_OUTPUT,
    .run = rules_simulate_run,
};
