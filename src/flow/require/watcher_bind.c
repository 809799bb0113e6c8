/* Binds a requirement to a model: names become indices, and every name that the model does not have
 * is reported with its line and the closest name that it does have.
 *
 * Names are looked up in the watched devices and applications only. Cost: O(model) per distinct
 * kind of name and requirement. */
#include "base/check.h"
#include "base/data/bits.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "flow/require/watcher.h"
#include <string.h>

struct binding {
    struct watcher *watcher;
    const tac_requirement *requirement;
    const tac_model *model;
    tac_diagnostics *diagnostics;
};

typedef TAC_VEC(const char *) name_list;

/* "unknown WHAT 'NAME'" with the closest candidate; frees the candidates. */
static void complain_unknown(struct binding *in, size_t line, const char *what, const char *name,
                             name_list *candidates)
{
    tac_diagnostics_add(in->diagnostics, TAC_ERROR, in->requirement->file, line, 0,
                        "the model has no %s '%s'%s", what, name,
                        tac_meant(name, candidates->at, candidates->count).text);
    tac_vec_free(candidates);
}

static void bind_devices(struct binding *in)
{
    const tac_model *model = in->model;
    for (uint32_t d = 0; d < model->device_count; d++)
        in->watcher->device_watched[d] = in->requirement->device_count == 0;
    for (size_t i = 0; i < in->requirement->device_count; i++) {
        const tac_requirement_name *wanted = &in->requirement->devices[i];
        bool found = false;
        for (uint32_t d = 0; d < model->device_count; d++)
            if (!strcmp(model->devices[d].serial, wanted->name) ||
                !strcmp(model->devices[d].name, wanted->name))
                found = in->watcher->device_watched[d] = true;
        if (found)
            continue;
        name_list candidates = {0};
        for (uint32_t d = 0; d < model->device_count; d++) {
            tac_vec_push(&candidates, model->devices[d].serial);
            tac_vec_push(&candidates, model->devices[d].name);
        }
        complain_unknown(in, wanted->line, "device", wanted->name, &candidates);
    }
}

static void bind_applications(struct binding *in)
{
    const tac_model *model = in->model;
    for (uint32_t a = 0; a < model->application_count; a++)
        in->watcher->application_watched[a] = in->requirement->application_count == 0;
    for (size_t i = 0; i < in->requirement->application_count; i++) {
        const tac_requirement_name *wanted = &in->requirement->applications[i];
        bool found = false;
        for (uint32_t a = 0; a < model->application_count; a++)
            if (!strcmp(model->applications[a].code_name, wanted->name) ||
                !strcmp(model->applications[a].name, wanted->name))
                found = in->watcher->application_watched[a] = true;
        if (found)
            continue;
        name_list candidates = {0};
        for (uint32_t a = 0; a < model->application_count; a++) {
            tac_vec_push(&candidates, model->applications[a].code_name);
            tac_vec_push(&candidates, model->applications[a].name);
        }
        complain_unknown(in, wanted->line, "application", wanted->name, &candidates);
    }
}

static bool machine_watched(const struct binding *in, uint32_t machine)
{
    assert(machine < in->model->machine_count);
    uint32_t application = in->model->activities[in->model->machines[machine].activity].application;
    return in->watcher->application_watched[application] &&
           in->watcher->device_watched[in->model->applications[application].device];
}

static bool node_fits(const struct binding *in, const tac_requirement_atom *atom, uint32_t node)
{
    const tac_model *model = in->model;
    uint32_t machine = model->nodes[node].machine;
    return machine_watched(in, machine) && !strcmp(model->nodes[node].name, atom->name) &&
           (!atom->machine || !strcmp(model->machines[machine].name, atom->machine)) &&
           (!atom->view ||
            !strcmp(model->activities[model->machines[machine].activity].name, atom->view));
}

static void complain_unknown_state(struct binding *in, const tac_requirement_atom *atom)
{
    const tac_model *model = in->model;
    name_list candidates = {0};
    char what[256] = "state";
    if (atom->machine || atom->view)
        snprintf(what, sizeof what, "state in %s", atom->machine ? atom->machine : atom->view);
    for (uint32_t n = 0; n < model->node_count; n++) {
        uint32_t machine = model->nodes[n].machine;
        if (model->nodes[n].kind != TAC_NODE_CONNECTION && machine_watched(in, machine) &&
            (!atom->machine || !strcmp(model->machines[machine].name, atom->machine)))
            tac_vec_push(&candidates, model->nodes[n].name);
    }
    if (!candidates.count && atom->machine) {
        for (uint32_t m = 0; m < model->machine_count; m++)
            tac_vec_push(&candidates, model->machines[m].name);
        complain_unknown(in, atom->line, "state machine", atom->machine, &candidates);
        return;
    }
    complain_unknown(in, atom->line, what, atom->name, &candidates);
}

/* The node an atom names, or TAC_NONE after a complaint. States win over finals of the same name.
 */
static uint32_t bind_state(struct binding *in, const tac_requirement_atom *atom)
{
    const tac_model *model = in->model;
    uint32_t found[3] = {TAC_NONE, TAC_NONE, TAC_NONE}, second[3] = {TAC_NONE, TAC_NONE, TAC_NONE};
    for (uint32_t n = 0; n < model->node_count; n++) {
        if (!node_fits(in, atom, n))
            continue;
        tac_node_kind kind = model->nodes[n].kind;
        if (found[kind] == TAC_NONE)
            found[kind] = n;
        else if (second[kind] == TAC_NONE)
            second[kind] = n;
    }
    tac_node_kind kind = found[TAC_NODE_STATE] != TAC_NONE ? TAC_NODE_STATE : TAC_NODE_FINAL;
    assert(second[kind] == TAC_NONE || found[kind] < second[kind]);
    if (second[kind] != TAC_NONE) {
        tac_diagnostics_add(in->diagnostics, TAC_ERROR, in->requirement->file, atom->line, 0,
                            "state '%s' is in several machines (%s, %s); say which with "
                            "statemachine=\"...\"",
                            atom->name, model->machines[model->nodes[found[kind]].machine].name,
                            model->machines[model->nodes[second[kind]].machine].name);
        return TAC_NONE;
    }
    if (found[kind] != TAC_NONE)
        return found[kind];
    if (found[TAC_NODE_CONNECTION] != TAC_NONE)
        tac_diagnostics_add(in->diagnostics, TAC_ERROR, in->requirement->file, atom->line, 0,
                            "'%s' is a connection: a flow passes through it and never settles "
                            "there; name the state it leads to",
                            atom->name);
    else
        complain_unknown_state(in, atom);
    return TAC_NONE;
}

/* The machines that a view names: those of an activity, or one of that name. NULL after a
 * complaint. */
static uint64_t *bind_view(struct binding *in, const tac_requirement_atom *atom)
{
    const tac_model *model = in->model;
    uint64_t *machines = tac_bits_new(model->machine_count);
    bool found = false;
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (machine_watched(in, m) &&
            (!strcmp(model->machines[m].name, atom->name) ||
             !strcmp(model->activities[model->machines[m].activity].name, atom->name))) {
            tac_bits_set(machines, m);
            found = true;
        }
    if (found)
        return machines;
    free(machines);
    name_list candidates = {0};
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (machine_watched(in, m))
            tac_vec_push(&candidates, model->machines[m].name);
    for (uint32_t a = 0; a < model->activity_count; a++)
        tac_vec_push(&candidates, model->activities[a].name);
    complain_unknown(in, atom->line, "activity or state machine", atom->name, &candidates);
    return NULL;
}

static bool event_is_watched(const struct binding *in, uint32_t event)
{
    const tac_model *model = in->model;
    for (uint32_t t = 0; t < model->transition_count; t++)
        if (model->transitions[t].event == event &&
            machine_watched(in, model->nodes[model->transitions[t].from].machine))
            return true;
    return false;
}

static uint32_t bind_event(struct binding *in, const char *name, size_t line)
{
    const tac_model *model = in->model;
    for (uint32_t e = 0; e < model->event_count; e++)
        if (!strcmp(model->events[e], name) && event_is_watched(in, e))
            return e;
    name_list candidates = {0};
    tac_vec_append(&candidates, model->events, model->event_count);
    complain_unknown(in, line, "event", name, &candidates);
    return TAC_NONE;
}

static void bind_forbidden(struct binding *in)
{
    const tac_model *model = in->model;
    for (size_t i = 0; i < in->requirement->forbidden_count; i++) {
        const tac_requirement_atom *atom = &in->requirement->forbidden[i];
        if (atom->kind == TAC_ATOM_STATE) {
            uint32_t node = bind_state(in, atom);
            if (node != TAC_NONE)
                tac_bits_set(in->watcher->forbidden, node);
            continue;
        }
        uint64_t *machines = bind_view(in, atom);
        for (uint32_t n = 0; machines && n < model->node_count; n++)
            if (tac_bits_get(machines, model->nodes[n].machine))
                tac_bits_set(in->watcher->forbidden, n);
        free(machines);
    }
}

static void bind_events(struct binding *in)
{
    struct watcher *watcher = in->watcher;
    for (size_t i = 0; i < in->requirement->event_count; i++) {
        const tac_requirement_event *bound = &in->requirement->events[i];
        uint32_t event = bind_event(in, bound->name, bound->line);
        if (event == TAC_NONE)
            continue;
        if (bound->time >= 0)
            watcher->time_of[event] = bound->time;
        if (bound->max == TAC_UNBOUNDED)
            continue;
        if (watcher->limit_of[event] == TAC_NONE) {
            watcher->limit_of[event] = (uint32_t)watcher->limit_count;
            watcher->limits[watcher->limit_count++] = bound->max;
            assert(watcher->limit_count <= in->requirement->event_count);
        } else if (watcher->limits[watcher->limit_of[event]] > bound->max) {
            watcher->limits[watcher->limit_of[event]] = bound->max;
        }
    }
}

static void bind_sequence(struct binding *in)
{
    struct watcher *watcher = in->watcher;
    watcher->constraint_count = in->requirement->constraint_count;
    watcher->constraints = tac_calloc(watcher->constraint_count + 1, sizeof *watcher->constraints);
    for (size_t i = 0; i < watcher->constraint_count; i++) {
        const tac_requirement_constraint *read = &in->requirement->sequence[i];
        struct bound_constraint *bound = &watcher->constraints[i];
        bound->count = read->atom_count;
        bound->atoms = tac_calloc(read->atom_count + 1, sizeof *bound->atoms);
        for (size_t k = 0; k < read->atom_count; k++) {
            const tac_requirement_atom *atom = &read->atoms[k];
            bound->atoms[k] = (struct bound_atom){.kind = atom->kind, .visit = atom->visit};
            if (atom->kind == TAC_ATOM_STATE)
                bound->atoms[k].id = bind_state(in, atom);
            else if (atom->kind == TAC_ATOM_EVENT)
                bound->atoms[k].id = bind_event(in, atom->name, atom->line);
            else
                bound->atoms[k].machines = bind_view(in, atom);
        }
    }
}

static struct watcher *new_watcher(const tac_requirement *requirement, const tac_model *model)
{
    struct watcher *watcher = tac_calloc(1, sizeof *watcher);
    watcher->requirement = requirement;
    watcher->model = model;
    watcher->device_watched = tac_calloc(model->device_count + 1, sizeof(bool));
    watcher->application_watched = tac_calloc(model->application_count + 1, sizeof(bool));
    watcher->forbidden = tac_bits_new(model->node_count);
    watcher->limit_of = tac_alloc((model->event_count + 1) * sizeof(uint32_t));
    watcher->time_of = tac_alloc((model->event_count + 1) * sizeof(double));
    watcher->limits = tac_calloc(requirement->event_count + 1, sizeof(uint32_t));
    for (uint32_t e = 0; e < model->event_count; e++) {
        watcher->limit_of[e] = TAC_NONE;
        watcher->time_of[e] = -1;
    }
    return watcher;
}

void watcher_free(struct watcher *watcher)
{
    if (!watcher)
        return;
    for (size_t i = 0; i < watcher->constraint_count; i++) {
        for (size_t k = 0; k < watcher->constraints[i].count; k++)
            free(watcher->constraints[i].atoms[k].machines);
        free(watcher->constraints[i].atoms);
    }
    free(watcher->constraints);
    free(watcher->device_watched);
    free(watcher->application_watched);
    free(watcher->forbidden);
    free(watcher->limit_of);
    free(watcher->limits);
    free(watcher->time_of);
    free(watcher->scratch);
    tac_names_free(&watcher->states);
    tac_names_free(&watcher->sets);
    free(watcher);
}

tac_status watcher_bind(const tac_requirement *requirement, const tac_model *model,
                        tac_diagnostics *diagnostics, struct watcher **out, tac_error *err)
{
    size_t errors_before = diagnostics->errors;
    struct binding in = {.watcher = new_watcher(requirement, model),
                         .requirement = requirement,
                         .model = model,
                         .diagnostics = diagnostics};
    bind_devices(&in);
    bind_applications(&in);
    if (diagnostics->errors == errors_before) {
        bind_forbidden(&in);
        bind_events(&in);
        bind_sequence(&in);
    }
    if (diagnostics->errors != errors_before) {
        watcher_free(in.watcher);
        return tac_diagnostics_fail(diagnostics, err);
    }
    in.watcher->width = 1 + in.watcher->limit_count + 2 * requirement->loop_count;
    assert(in.watcher->limit_count <= requirement->event_count);
    assert(in.watcher->constraint_count == requirement->constraint_count);
    in.watcher->scratch = tac_calloc(in.watcher->width, sizeof(uint32_t));
    *out = in.watcher;
    return TAC_OK;
}

tac_status tac_requirement_check(const tac_requirement *requirement, const tac_model *model,
                                 tac_diagnostics *diagnostics, tac_error *err)
{
    struct watcher *watcher;
    tac_status status = watcher_bind(requirement, model, diagnostics, &watcher, err);
    if (status == TAC_OK)
        watcher_free(watcher);
    return status;
}
