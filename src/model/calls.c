/* What a connection calls: a machine or an activity of the same device, by name or by path.
 *
 * A bare name is looked for from the inside out: a machine of the calling activity, then a machine
 * or an activity of the calling application, then one of the whole device; the first scope that has
 * the name decides, and two candidates in that scope are an error that asks for a path.
 * A path is Activity/Machine, Application/Activity or Application/Activity/Machine. All lookups are
 * in hash maps of (scope, name): linear in the number of machines and connections. */
#include "base/data/bits.h"
#include "model/builder.h"

#define SEVERAL UINT64_MAX /* the scope has more than one of that name */

struct scopes {
    tac_u64map machine_in_activity, machine_in_application, machine_in_device;
    tac_u64map activity_in_application, activity_in_device, application_in_device;
    uint64_t *enterable; /* activities with an external machine */
    tac_u64map nodes;    /* (machine, name) of states and finals; filled by the first jump */
};

struct target {
    uint32_t machine, activity;
    bool found, ambiguous;
};

static void enter(tac_u64map *map, uint32_t scope, uint32_t name, uint32_t index)
{
    bool is_new;
    uint64_t *value = tac_u64map_at(map, (uint64_t)scope << 32 | name, index, &is_new);
    if (!is_new)
        *value = SEVERAL;
}

static uint64_t look_up(const tac_u64map *map, uint32_t scope, uint32_t name, bool *found)
{
    const uint64_t *value =
        name == TAC_NONE ? NULL : tac_u64map_find(map, (uint64_t)scope << 32 | name);
    *found = value != NULL;
    return value ? *value : 0;
}

static void enter_all(struct finishing *work, struct scopes *scopes)
{
    const tac_model_builder *builder = work->builder;
    for (uint32_t i = 0; i < builder->applications.count; i++)
        enter(&scopes->application_in_device, builder->applications.at[i].device,
              builder->applications.at[i].name, work->application_place[i]);
    for (uint32_t i = 0; i < builder->activities.count; i++) {
        uint32_t place = work->activity_place[i], name = builder->activities.at[i].name;
        uint32_t application = work->activities[place].application;
        enter(&scopes->activity_in_application, application, name, place);
        enter(&scopes->activity_in_device, work->applications[application].device, name, place);
    }
    for (uint32_t i = 0; i < builder->machines.count; i++) {
        uint32_t place = work->machine_place[i], name = builder->machines.at[i].name;
        uint32_t activity = work->machines[place].activity;
        uint32_t application = work->activities[activity].application;
        enter(&scopes->machine_in_activity, activity, name, place);
        enter(&scopes->machine_in_application, application, name, place);
        enter(&scopes->machine_in_device, work->applications[application].device, name, place);
        if (work->machines[place].external)
            tac_bits_set(scopes->enterable, activity);
    }
}

/* A machine and an activity found in one scope: exactly one of them must be there, once. */
static struct target choose(uint64_t machine, bool has_machine, uint64_t activity,
                            bool has_activity)
{
    struct target target = {.machine = TAC_NONE, .activity = TAC_NONE};
    target.found = has_machine || has_activity;
    target.ambiguous = (has_machine && has_activity) || (has_machine && machine == SEVERAL) ||
                       (has_activity && activity == SEVERAL);
    if (target.found && !target.ambiguous) {
        if (has_machine)
            target.machine = (uint32_t)machine;
        else
            target.activity = (uint32_t)activity;
    }
    return target;
}

static struct target find_bare(const struct finishing *work, const struct scopes *scopes,
                               uint32_t activity, uint32_t name)
{
    uint32_t application = work->activities[activity].application;
    uint32_t device = work->applications[application].device;
    bool has_machine, has_activity;
    uint64_t machine = look_up(&scopes->machine_in_activity, activity, name, &has_machine);
    if (has_machine)
        return choose(machine, true, 0, false);
    machine = look_up(&scopes->machine_in_application, application, name, &has_machine);
    uint64_t called = look_up(&scopes->activity_in_application, application, name, &has_activity);
    if (has_machine || has_activity)
        return choose(machine, has_machine, called, has_activity);
    machine = look_up(&scopes->machine_in_device, device, name, &has_machine);
    called = look_up(&scopes->activity_in_device, device, name, &has_activity);
    return choose(machine, has_machine, called, has_activity);
}

static uint32_t part_name(const struct finishing *work, const char *text, size_t length)
{
    return tac_names_find_bytes(&work->builder->names, text, length);
}

static struct target find_two_parts(const struct finishing *work, const struct scopes *scopes,
                                    uint32_t activity, uint32_t head, uint32_t tail)
{
    uint32_t application = work->activities[activity].application;
    uint32_t device = work->applications[application].device;
    bool has_machine = false, has_activity = false;
    uint64_t machine = 0, called = 0;
    uint64_t outer = look_up(&scopes->activity_in_application, application, head, &has_machine);
    if (!has_machine)
        outer = look_up(&scopes->activity_in_device, device, head, &has_machine);
    if (has_machine && outer != SEVERAL)
        machine = look_up(&scopes->machine_in_activity, (uint32_t)outer, tail, &has_machine);
    else
        has_machine = false;
    outer = look_up(&scopes->application_in_device, device, head, &has_activity);
    if (has_activity && outer != SEVERAL)
        called = look_up(&scopes->activity_in_application, (uint32_t)outer, tail, &has_activity);
    else
        has_activity = false;
    return choose(machine, has_machine, called, has_activity);
}

static struct target find_path(const struct finishing *work, const struct scopes *scopes,
                               uint32_t activity, const char *text)
{
    const struct target nothing = {.machine = TAC_NONE, .activity = TAC_NONE};
    const char *slash = strchr(text, '/');
    if (!slash)
        return nothing;
    uint32_t head = part_name(work, text, (size_t)(slash - text));
    const char *second = strchr(slash + 1, '/');
    if (!second)
        return find_two_parts(work, scopes, activity, head,
                              part_name(work, slash + 1, strlen(slash + 1)));
    bool found;
    uint32_t device = work->applications[work->activities[activity].application].device;
    uint64_t application = look_up(&scopes->application_in_device, device, head, &found);
    if (!found || application == SEVERAL)
        return nothing;
    uint64_t called = look_up(&scopes->activity_in_application, (uint32_t)application,
                              part_name(work, slash + 1, (size_t)(second - slash - 1)), &found);
    if (!found || called == SEVERAL)
        return nothing;
    uint64_t machine = look_up(&scopes->machine_in_activity, (uint32_t)called,
                               part_name(work, second + 1, strlen(second + 1)), &found);
    return choose(machine, found, 0, false);
}

static void report_unknown(struct finishing *work, uint32_t application, uint32_t line,
                           const char *connection, const char *calls)
{
    const tac_model *model = work->model;
    size_t most = (size_t)model->machine_count + model->activity_count;
    tac_meaning meant = {""};
    if (most && most <= work->suggestion_budget) {
        const char **candidates = tac_calloc(most, sizeof *candidates);
        size_t count = 0;
        uint32_t device = work->applications[application].device;
        for (uint32_t m = 0; m < model->machine_count; m++)
            if (work->applications[tac_model_application_of(work, m)].device == device)
                candidates[count++] = model->machines[m].name;
        for (uint32_t a = 0; a < model->activity_count; a++)
            if (work->applications[model->activities[a].application].device == device)
                candidates[count++] = model->activities[a].name;
        meant = tac_model_meant(work, calls, candidates, count);
        free(candidates);
    }
    tac_model_report(work, TAC_ERROR, application, line,
                     "the connection '%s' calls '%s', but no state machine or activity of the "
                     "device has that name%s",
                     connection, calls, meant.text);
}

static void report_not_enterable(struct finishing *work, uint32_t application,
                                 const tac_model_node *connection, uint32_t activity)
{
    tac_model_report(work, TAC_ERROR, application, connection->line,
                     "the connection '%s' calls the activity '%s', but none of its state "
                     "machines is external; mark one with external=\"true\" or call it by name",
                     connection->name, work->activities[activity].name);
}

static void enter_nodes(struct finishing *work, struct scopes *scopes)
{
    for (uint32_t n = 0; n < work->model->node_count; n++)
        if (work->nodes[n].kind != TAC_NODE_CONNECTION)
            enter(&scopes->nodes, work->nodes[n].machine,
                  work->builder->nodes.at[work->node_source[n]].name, n);
}

/* The state that a jump enters. */
static void resolve_jump(struct finishing *work, struct scopes *scopes,
                         const tac_model_node *connection, uint32_t name)
{
    tac_model_call *call = &work->calls[connection->call];
    uint32_t application = tac_model_application_of(work, connection->machine);
    if (call->machine == TAC_MODEL_NONE) {
        tac_model_report(work, TAC_ERROR, application, connection->line,
                         "the connection '%s' enters a state, so it must name the state machine "
                         "that has it, not an activity",
                         connection->name);
        return;
    }
    if (!scopes->nodes.count)
        enter_nodes(work, scopes);
    bool found;
    uint64_t node = look_up(&scopes->nodes, call->machine, name, &found);
    if (found && node != SEVERAL)
        call->enters = (uint32_t)node;
    else
        tac_model_report(work, TAC_ERROR, application, connection->line,
                         "the connection '%s' enters '%s', which is not a state or final of "
                         "the state machine '%s'",
                         connection->name, tac_model_name_text(work, name),
                         work->machines[call->machine].name);
}

static void resolve_call(struct finishing *work, struct scopes *scopes, uint32_t node)
{
    tac_model_node *connection = &work->nodes[node];
    const struct build_node *from = &work->builder->nodes.at[work->node_source[node]];
    uint32_t name = work->builder->calls.at[from->call].calls;
    const char *text = tac_model_name_text(work, name);
    uint32_t activity = work->machines[connection->machine].activity;
    uint32_t application = work->activities[activity].application;
    struct target target = find_bare(work, scopes, activity, name);
    if (!target.found)
        target = find_path(work, scopes, activity, text);
    if (!target.found) {
        report_unknown(work, application, connection->line, connection->name, text);
    } else if (target.ambiguous) {
        tac_model_report(work, TAC_ERROR, application, connection->line,
                         "the connection '%s' calls '%s', which fits several state machines or "
                         "activities; write the path Application/Activity/Machine",
                         connection->name, text);
    } else {
        work->calls[connection->call].machine = target.machine;
        work->calls[connection->call].activity = target.activity;
        if (target.activity != TAC_NONE && !tac_bits_get(scopes->enterable, target.activity))
            report_not_enterable(work, application, connection, target.activity);
        uint32_t enters = work->builder->calls.at[from->call].enters;
        if (enters != TAC_NONE)
            resolve_jump(work, scopes, connection, enters);
    }
}

void tac_model_resolve_calls(struct finishing *work)
{
    if (!work->model->call_count)
        return;
    struct scopes scopes = {.enterable = tac_bits_new(work->model->activity_count)};
    enter_all(work, &scopes);
    for (uint32_t n = 0; n < work->model->node_count; n++)
        if (work->nodes[n].call != TAC_MODEL_NONE)
            resolve_call(work, &scopes, n);
    free(scopes.enterable);
    tac_u64map_free(&scopes.nodes);
    tac_u64map_free(&scopes.machine_in_activity);
    tac_u64map_free(&scopes.machine_in_application);
    tac_u64map_free(&scopes.machine_in_device);
    tac_u64map_free(&scopes.activity_in_application);
    tac_u64map_free(&scopes.activity_in_device);
    tac_u64map_free(&scopes.application_in_device);
}
