#include "random_models.h"
#include "flow/requirement.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>

static uint32_t below(tac_random *random, uint32_t bound)
{
    return (uint32_t)tac_random_below(random, bound);
}

static bool chance(tac_random *random, uint32_t percent)
{
    return below(random, 100) < percent;
}

/* Names of what exists so far, so that calls find their targets. */
struct plan {
    tac_random *random;
    tac_model_builder *builder;
    char machines[3][8][16], activities[3][8][16]; /* by device */
    uint32_t machine_count[3], activity_count[3];
    bool channels, leaving;
};

static void add_nodes(struct plan *plan, uint32_t device, uint32_t machine)
{
    tac_random *random = plan->random;
    uint32_t states = 1 + below(random, 3), finals = below(random, 3), calls = below(random, 3);
    char name[16], other[16], event[16];
    for (uint32_t i = 0; i < states; i++) {
        snprintf(name, sizeof name, "s%u", i);
        tac_build_node(plan->builder, machine, TAC_NODE_STATE, name, 1);
    }
    for (uint32_t i = 0; i < finals; i++) {
        snprintf(name, sizeof name, "f%u", i);
        uint32_t node = tac_build_node(plan->builder, machine, TAC_NODE_FINAL, name, 1);
        if (plan->leaving && chance(random, 30))
            tac_build_leaves(plan->builder, node);
    }
    for (uint32_t i = 0; i < calls; i++) {
        snprintf(name, sizeof name, "c%u", i);
        uint32_t node = tac_build_node(plan->builder, machine, TAC_NODE_CONNECTION, name, 1);
        bool activity = chance(random, 30);
        const char *target =
            activity ? plan->activities[device][below(random, plan->activity_count[device])]
                     : plan->machines[device][below(random, plan->machine_count[device])];
        bool to_final = finals && chance(random, 20);
        snprintf(other, sizeof other, "%s%u", to_final ? "f" : "s",
                 below(random, to_final ? finals : states));
        tac_build_call(plan->builder, node, target, other, chance(random, 50), chance(random, 75));
    }
    bool starts_final = finals && chance(random, 10);
    snprintf(name, sizeof name, "%s%u", starts_final ? "f" : "s",
             below(random, starts_final ? finals : states));
    tac_build_initial(plan->builder, machine, name, 1);
    for (uint32_t i = 0, count = 1 + below(random, 5); i < count; i++) {
        uint32_t to = below(random, states + finals + calls);
        snprintf(name, sizeof name, "s%u", below(random, states));
        snprintf(other, sizeof other, "%c%u",
                 to < states            ? 's'
                 : to < states + finals ? 'f'
                                        : 'c',
                 to < states            ? to
                 : to < states + finals ? to - states
                                        : to - states - finals);
        snprintf(event, sizeof event, "e%u%s", below(random, 4), chance(random, 20) ? "-" : "");
        char channel[8];
        snprintf(channel, sizeof channel, "ch%u", below(random, 2));
        bool sends = plan->channels && chance(random, 25);
        bool receives = plan->channels && !sends && chance(random, 25);
        double time = chance(random, 20) ? 1.5 : -1;
        tac_build_transition(plan->builder, machine, name, event, other, -1, time, 1,
                             sends ? channel : NULL, receives ? channel : NULL, 1);
    }
}

static void add_device(struct plan *plan, uint32_t device)
{
    tac_random *random = plan->random;
    char name[16], serial[16];
    uint32_t machine_ids[8], machines = 0;
    snprintf(name, sizeof name, "d%u", device);
    snprintf(serial, sizeof serial, "serial%u", device);
    uint32_t id = tac_build_device(plan->builder, name, serial, 1);
    for (uint32_t a = 0, apps = 1 + chance(random, 30); a < apps; a++) {
        snprintf(name, sizeof name, "app%u_%u", device, a);
        snprintf(serial, sizeof serial, "code%u_%u", device % 1000, a % 1000);
        uint32_t app = tac_build_application(plan->builder, id, name, serial, NULL,
                                             a == 0 || chance(random, 50), 1);
        for (uint32_t v = 0, views = 1 + chance(random, 50); v < views; v++) {
            char *activity = plan->activities[device][plan->activity_count[device]++];
            snprintf(activity, 16, "A%u_%u%u", device % 1000, a % 1000, v % 1000);
            uint32_t act = tac_build_activity(plan->builder, app, activity,
                                              (a == 0 && v == 0) || chance(random, 50), 1);
            for (uint32_t m = 0, count = 1 + chance(random, 40); m < count; m++) {
                char *machine = plan->machines[device][plan->machine_count[device]++];
                snprintf(machine, 16, "M%u_%u%u%u", device % 1000, a % 1000, v % 1000, m % 1000);
                bool external = machines == 0 || chance(random, 50);
                machine_ids[machines++] =
                    tac_build_machine(plan->builder, act, machine, external, 1);
            }
        }
    }
    for (uint32_t m = 0; m < machines; m++)
        add_nodes(plan, device, machine_ids[m]);
}

tac_model *random_model(tac_random *random, const random_model_options *options)
{
    for (;;) {
        struct plan plan = {.random = random, .builder = tac_model_builder_new("random", "")};
        uint32_t devices = options->most_devices > 1 ? 1 + below(random, options->most_devices) : 1;
        plan.leaving = options->leaving;
        plan.channels = options->channels && devices > 1;
        for (uint32_t d = 0; d < devices; d++)
            add_device(&plan, d);
        tac_diagnostics findings = {0};
        tac_model *model;
        tac_status status = tac_model_builder_finish(plan.builder, &findings, &model, NULL);
        tac_diagnostics_free(&findings);
        if (status == TAC_OK)
            return model;
    }
}

static const char *node_name(const tac_model *model, uint32_t node, const char **machine,
                             const char **activity)
{
    const tac_model_machine *m = &model->machines[model->nodes[node].machine];
    *machine = m->name;
    *activity = model->activities[m->activity].name;
    return model->nodes[node].name;
}

static uint32_t settled_node(tac_random *random, const tac_model *model)
{
    uint32_t node;
    do
        node = below(random, model->node_count);
    while (model->nodes[node].kind == TAC_NODE_CONNECTION);
    return node;
}

static void add_atom(tac_random *random, const tac_model *model, tac_requirement *requirement,
                     size_t constraint)
{
    const char *machine, *activity;
    const char *name = node_name(model, settled_node(random, model), &machine, &activity);
    switch (below(random, 4)) {
    case 0:
        tac_requirement_add_view(requirement, constraint, chance(random, 50) ? machine : activity,
                                 chance(random, 70));
        break;
    case 1:
        tac_requirement_add_state(requirement, constraint, name, NULL, machine, chance(random, 70));
        break;
    default:
        tac_requirement_add_event(requirement, constraint,
                                  model->events[below(random, model->event_count)]);
    }
}

tac_requirement *random_requirement(tac_random *random, const tac_model *model)
{
    tac_requirement *requirement = tac_requirement_new("random", NULL);
    const char *machine, *activity;
    if (chance(random, 30)) {
        const char *name = node_name(model, settled_node(random, model), &machine, &activity);
        if (chance(random, 50))
            tac_requirement_avoid_state(requirement, name, activity, machine);
        else
            tac_requirement_avoid_view(requirement, chance(random, 50) ? machine : activity);
    }
    if (chance(random, 40))
        tac_requirement_limit_event(requirement, model->events[below(random, model->event_count)],
                                    below(random, 3), -1);
    if (chance(random, 50))
        tac_requirement_limit_loops(requirement, (tac_loop_kind)below(random, 3),
                                    chance(random, 25) ? 1 : 0,
                                    chance(random, 30) ? TAC_UNBOUNDED : 1 + below(random, 3));
    for (uint32_t i = 0, count = below(random, 3); i < count; i++) {
        size_t constraint = tac_requirement_add_constraint(requirement);
        for (uint32_t a = 0, atoms = 1 + chance(random, 30); a < atoms; a++)
            add_atom(random, model, requirement, constraint);
    }
    return requirement;
}

/* A settled node or an event, as the templates name it. */
static void random_thing(tac_random *random, const tac_model *model, char *out, size_t size)
{
    const char *machine, *activity;
    const char *name = node_name(model, settled_node(random, model), &machine, &activity);
    switch (below(random, 4)) {
    case 0:
        snprintf(out, size, "view:%s", chance(random, 50) ? machine : activity);
        break;
    case 1:
        snprintf(out, size, "event:%s", model->events[below(random, model->event_count)]);
        break;
    default:
        snprintf(out, size, "state:%s/%s", machine, name);
    }
}

tac_requirement *random_template(tac_random *random, const tac_model *model)
{
    char things[3][64];
    const char *const list[] = {things[0], things[1], things[2]};
    size_t count = 1 + below(random, 3);
    tac_requirement *out = NULL;
    uint32_t which = below(random, 5);
    for (size_t i = 0; i < 3; i++)
        random_thing(random, model, things[i], sizeof things[i]);
    if (which == 0)
        return tac_requirement_start_stop(model->events[below(random, model->event_count)],
                                          model->events[below(random, model->event_count)]);
    tac_status status = which == 1 ? tac_requirement_avoid(list, count, &out, NULL)
                                   : tac_requirement_visit_in_order(list, count, &out, NULL);
    return status == TAC_OK ? out : random_requirement(random, model);
}
