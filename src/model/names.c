/* Names inside one machine: states, connections and finals share one name space. For each machine
 * in turn, scratch[name] is set to the node of that name, the machine's initial, returns and
 * transitions are looked up, and the entries are cleared again: linear time, no hash table. */
#include "base/check.h"
#include "model/builder.h"
#include <stdio.h>

/* Names stand in lists separated by blanks and in XML, so they hold neither blanks nor control
 * characters. */
static bool name_is_usable(const char *name)
{
    if (!*name)
        return false;
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return false;
    return tac_utf8_valid(name, strlen(name));
}

static void check_name(struct finishing *work, uint32_t application, uint32_t line,
                       const char *kind, uint32_t name)
{
    const char *text = tac_model_name_text(work, name);
    if (work->builder->names_are_checked || name_is_usable(text))
        return;
    if (!*text)
        tac_model_report(work, TAC_ERROR, application, line, "a name of this %s is empty", kind);
    else
        tac_model_report(work, TAC_ERROR, application, line,
                         "the %s name '%.80s' holds a blank or a character that XML cannot carry; "
                         "write '_' instead",
                         kind, text);
}

/* Applications, activities and state machines are also the parts of paths. */
static void check_path_name(struct finishing *work, uint32_t application, uint32_t line,
                            const char *kind, uint32_t name)
{
    const char *text = tac_model_name_text(work, name);
    check_name(work, application, line, kind, name);
    if (!work->builder->names_are_checked && strchr(text, '/'))
        tac_model_report(work, TAC_ERROR, application, line,
                         "the %s name '%.80s' holds a '/', which separates the parts of a path "
                         "such as Application/Activity/Machine; write '_' instead",
                         kind, text);
}

/* Children of one parent must differ in name. `seen` gives the earlier child's line. */
static void check_siblings(struct finishing *work, uint32_t application, const char *kind,
                           const char *parent_kind, const char *parent, uint32_t name,
                           uint32_t line, uint32_t earlier_line)
{
    char place[48] = "";
    if (earlier_line)
        snprintf(place, sizeof place, " (first in line %u)", (unsigned)earlier_line);
    tac_model_report(work, TAC_ERROR, application, line,
                     "%s '%s' appears twice in the %s '%s'%s; give it another name", kind,
                     tac_model_name_text(work, name), parent_kind, parent, place);
}

/* Two applications of one device may come from different files. */
static void report_second_application(struct finishing *work, const struct build_application *now,
                                      const struct build_application *then, uint32_t place)
{
    if (now->file == then->file) {
        check_siblings(work, place, "application", "device", work->devices[now->device].name,
                       now->name, now->line, then->line);
        return;
    }
    tac_model_report(work, TAC_ERROR, place, now->line,
                     "application '%s' of the device '%s' is already in %s, line %u; name the "
                     "application or its device differently",
                     tac_model_name_text(work, now->name), work->devices[now->device].name,
                     tac_model_name_text(work, work->builder->files.at[then->file]),
                     (unsigned)then->line);
}

static void check_devices_and_applications(struct finishing *work)
{
    tac_model_builder *builder = work->builder;
    uint32_t *seen = work->scratch;
    for (uint32_t d = 0; d < builder->devices.count; d++) {
        const struct build_device *device = &builder->devices.at[d];
        check_name(work, TAC_NONE, device->line, "device", device->name);
        if (seen[device->name] != TAC_NONE)
            check_siblings(work, TAC_NONE, "device", "model",
                           tac_model_name_text(work, builder->name), device->name, device->line,
                           builder->devices.at[seen[device->name]].line);
        seen[device->name] = d;
    }
    for (uint32_t d = 0; d < builder->devices.count; d++)
        seen[builder->devices.at[d].name] = TAC_NONE;
    uint32_t *source = tac_calloc(builder->applications.count + 1, sizeof *source);
    for (uint32_t a = 0; a < builder->applications.count; a++)
        source[work->application_place[a]] = a;
    for (uint32_t d = 0; d < work->model->device_count; d++) {
        const tac_model_device *device = &work->devices[d];
        for (uint32_t i = 0; i < device->application_count; i++) {
            uint32_t place = device->first_application + i;
            const struct build_application *now = &builder->applications.at[source[place]];
            check_path_name(work, place, now->line, "application", now->name);
            if (seen[now->name] != TAC_NONE)
                report_second_application(work, now, &builder->applications.at[seen[now->name]],
                                          place);
            else
                seen[now->name] = source[place];
        }
        for (uint32_t i = 0; i < device->application_count; i++)
            seen[builder->applications.at[source[device->first_application + i]].name] = TAC_NONE;
    }
    free(source);
}

/* Activities of an application and machines of an activity: names by parent through a map of
 * (parent, name), because their number is small beside that of the states. */
static void check_activities_and_machines(struct finishing *work)
{
    tac_model_builder *builder = work->builder;
    tac_u64map seen = {0};
    for (uint32_t i = 0; i < builder->activities.count; i++) {
        const struct build_activity *activity = &builder->activities.at[i];
        uint32_t application = work->application_place[activity->application];
        check_path_name(work, application, activity->line, "activity", activity->name);
        bool is_new;
        uint64_t *line = tac_u64map_at(&seen, (uint64_t)application << 32 | activity->name,
                                       activity->line, &is_new);
        if (!is_new)
            check_siblings(work, application, "activity", "application",
                           work->applications[application].name, activity->name, activity->line,
                           (uint32_t)*line);
    }
    tac_u64map_free(&seen);
    for (uint32_t i = 0; i < builder->machines.count; i++) {
        const struct build_machine *machine = &builder->machines.at[i];
        uint32_t activity = work->activity_place[machine->activity];
        uint32_t application = work->activities[activity].application;
        check_path_name(work, application, machine->line, "state machine", machine->name);
        bool is_new;
        uint64_t *line =
            tac_u64map_at(&seen, (uint64_t)activity << 32 | machine->name, machine->line, &is_new);
        if (!is_new)
            check_siblings(work, application, "state machine", "activity",
                           work->activities[activity].name, machine->name, machine->line,
                           (uint32_t)*line);
    }
    tac_u64map_free(&seen);
}

const char *tac_model_node_word(tac_node_kind kind)
{
    static const char *const words[] = {[TAC_NODE_STATE] = "state",
                                        [TAC_NODE_CONNECTION] = "connection",
                                        [TAC_NODE_FINAL] = "final"};
    TABLE_COVERS(words, TAC_NODE_FINAL);
    return words[kind];
}

static void enter_nodes(struct finishing *work, uint32_t m)
{
    const tac_model_machine *machine = &work->machines[m];
    uint32_t application = tac_model_application_of(work, m);
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
        const struct build_node *node = &work->builder->nodes.at[work->node_source[n]];
        uint32_t *seen = &work->scratch[node->name];
        check_name(work, application, node->line, tac_model_node_word(node->kind), node->name);
        if (*seen != TAC_NONE)
            check_siblings(work, application, tac_model_node_word(node->kind), "state machine",
                           machine->name, node->name, node->line, work->nodes[*seen].line);
        else
            *seen = n;
    }
}

static void leave_nodes(struct finishing *work, uint32_t m)
{
    const tac_model_machine *machine = &work->machines[m];
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++)
        work->scratch[work->builder->nodes.at[work->node_source[n]].name] = TAC_NONE;
}

/* The node of that name in the machine, or TAC_NONE after reporting what the name was for. */
static uint32_t find_node(struct finishing *work, uint32_t m, uint32_t name, uint32_t line,
                          const char *kind, const char *subject, const char *verb)
{
    uint32_t node = work->scratch[name];
    if (node != TAC_NONE)
        return node;
    const tac_model_machine *machine = &work->machines[m];
    const char *word = tac_model_name_text(work, name);
    tac_meaning meant = {""};
    if (machine->node_count && machine->node_count <= work->suggestion_budget) {
        const char **candidates = tac_calloc(machine->node_count, sizeof *candidates);
        for (uint32_t i = 0; i < machine->node_count; i++)
            candidates[i] = work->nodes[machine->first_node + i].name;
        meant = tac_model_meant(work, word, candidates, machine->node_count);
        free(candidates);
    }
    tac_model_report(work, TAC_ERROR, tac_model_application_of(work, m), line,
                     "the %s '%s' %s '%s', which the state machine '%s' does not have%s", kind,
                     subject, verb, word, machine->name, meant.text);
    return TAC_NONE;
}

static void resolve_initial(struct finishing *work, uint32_t m)
{
    const struct build_machine *from = &work->builder->machines.at[work->machine_source[m]];
    tac_model_machine *machine = &work->machines[m];
    uint32_t application = tac_model_application_of(work, m);
    if (from->initial == TAC_NONE) {
        tac_model_report(work, TAC_ERROR, application, from->line,
                         "the state machine '%s' has no initial; add <initial to=\"...\"/>",
                         machine->name);
        return;
    }
    if (from->several_initials)
        tac_model_report(work, TAC_ERROR, application, from->initial_line,
                         "the state machine '%s' has more than one initial; keep one",
                         machine->name);
    machine->initial = find_node(work, m, from->initial, from->initial_line, "initial of",
                                 machine->name, "goes to");
    if (machine->initial != TAC_NONE && work->nodes[machine->initial].kind == TAC_NODE_CONNECTION)
        tac_model_report(work, TAC_ERROR, application, from->initial_line,
                         "the initial of the state machine '%s' goes to the connection '%s'; "
                         "it must go to a state or a final",
                         machine->name, work->nodes[machine->initial].name);
}

static void resolve_returns(struct finishing *work, uint32_t m)
{
    const tac_model_machine *machine = &work->machines[m];
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
        const struct build_node *from = &work->builder->nodes.at[work->node_source[n]];
        if (from->kind != TAC_NODE_CONNECTION)
            continue;
        uint32_t application = tac_model_application_of(work, m);
        if (from->call == TAC_NONE) {
            tac_model_report(
                work, TAC_ERROR, application, from->line,
                "the connection '%s' does not say what it calls and where it returns, or which "
                "state it enters",
                work->nodes[n].name);
            continue;
        }
        const struct build_call *call = &work->builder->calls.at[from->call];
        uint32_t returns = call->enters != TAC_NONE
                               ? machine->initial
                               : find_node(work, m, call->returns, from->line, "connection",
                                           work->nodes[n].name, "returns to");
        work->nodes[n].call = work->model->call_count++;
        work->calls[work->nodes[n].call] = (tac_model_call){.machine = TAC_MODEL_NONE,
                                                            .activity = TAC_MODEL_NONE,
                                                            .returns = returns,
                                                            .enters = TAC_MODEL_NONE,
                                                            .reuse = call->reuse,
                                                            .auto_return = call->auto_return};
        if (returns != TAC_NONE && work->nodes[returns].kind == TAC_NODE_CONNECTION)
            tac_model_report(work, TAC_ERROR, application, from->line,
                             "the connection '%s' returns to the connection '%s'; it must "
                             "return to a state or a final",
                             work->nodes[n].name, work->nodes[returns].name);
    }
}

static void check_channels(struct finishing *work, uint32_t application,
                           const struct build_transition *transition)
{
    const struct build_extra *extra = &work->builder->extras.at[transition->extra];
    if (extra->sends != TAC_NONE)
        check_name(work, application, transition->line, "channel", extra->sends);
    if (extra->receives != TAC_NONE)
        check_name(work, application, transition->line, "channel", extra->receives);
}

static void resolve_transition(struct finishing *work, uint32_t m,
                               struct build_transition *transition)
{
    uint32_t application = tac_model_application_of(work, m);
    check_name(work, application, transition->line, "event", transition->event);
    if (transition->extra != TAC_NONE)
        check_channels(work, application, transition);
    const char *event = tac_model_name_text(work, transition->event);
    uint32_t from =
        find_node(work, m, transition->from, transition->line, "transition", event, "leaves");
    uint32_t to =
        find_node(work, m, transition->to, transition->line, "transition", event, "goes to");
    if (from != TAC_NONE && work->nodes[from].kind != TAC_NODE_STATE) {
        tac_model_report(work, TAC_ERROR, application, transition->line,
                         "the transition '%s' leaves the %s '%s'; only states have transitions",
                         event, tac_model_node_word(work->nodes[from].kind),
                         work->nodes[from].name);
        from = TAC_NONE;
    }
    transition->from = to == TAC_NONE ? TAC_NONE : from;
    transition->to = to;
}

/* Also the texts that are no names must be writable. */
static void check_texts(struct finishing *work)
{
    const tac_names *names = &work->builder->names;
    for (uint32_t i = 0; i < names->count; i++)
        if (!tac_utf8_valid(names->text[i], names->length[i]))
            tac_model_report(work, TAC_ERROR, TAC_NONE, 0, "the text '%.60s' is not valid UTF-8",
                             names->text[i]);
}

void tac_model_resolve_names(struct finishing *work)
{
    tac_model_builder *builder = work->builder;
    if (!builder->names_are_checked)
        check_texts(work);
    check_devices_and_applications(work);
    check_activities_and_machines(work);
    uint32_t machines = work->model->machine_count, count = (uint32_t)builder->transitions.count;
    uint32_t *parent = tac_calloc((size_t)count + 1, sizeof *parent);
    uint32_t *first = tac_calloc((size_t)machines + 1, sizeof *first);
    uint32_t *counts = tac_calloc((size_t)machines + 1, sizeof *counts);
    for (uint32_t i = 0; i < count; i++)
        parent[i] = work->machine_place[builder->transitions.at[i].machine];
    uint32_t *place = tac_model_group(parent, count, machines, first, counts);
    uint32_t *order = parent; /* parents are no longer needed: reused as the inverse of place */
    for (uint32_t i = 0; i < count; i++)
        order[place[i]] = i;
    for (uint32_t m = 0; m < machines; m++) {
        enter_nodes(work, m);
        resolve_initial(work, m);
        resolve_returns(work, m);
        for (uint32_t i = first[m]; i < first[m] + counts[m]; i++)
            resolve_transition(work, m, &builder->transitions.at[order[i]]);
        leave_nodes(work, m);
    }
    free(place);
    free(order);
    free(first);
    free(counts);
}
