#include "reference_flows.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "flow/file.h"
#include <assert.h>
#include <string.h>

#define MAX_STACK (REFERENCE_MAX_LENGTH + 1)

/* --- What is known of a device, and of a path --- */

struct ref_frame {
    uint32_t machine, returns;
    bool auto_return;
};

struct ref_device {
    uint32_t device, node;
    struct ref_frame stack[MAX_STACK];
    uint32_t depth;
};

struct ref_step {
    uint32_t device, transition, settled;
    char *passed; /* the nodes passed, as text */
};

struct ref_path {
    struct ref_device devices[REFERENCE_MAX_DEVICES];
    uint32_t device_count;
    uint32_t first[REFERENCE_MAX_DEVICES]; /* settled nodes at the start */
    char *first_passed[REFERENCE_MAX_DEVICES];
    struct ref_step steps[REFERENCE_MAX_LENGTH];
    uint32_t length;
};

/* A flow in one of its orders. */
struct ref_kept {
    struct ref_path path;
    char *key, *text; /* the steps by number; as it is compared */
    size_t parent;    /* of the class: a flow that it is one with, or itself */
};

struct ref_run {
    const tac_model *model;
    const reference_options *options;
    string_list *out;
    size_t paths;
    struct ref_kept *kept; /* of all orders, until they are grouped */
    size_t kept_count, kept_capacity;
};

/* --- Rules R1 to R5 --- */

static void pass(const tac_model *model, tac_str *passed, uint32_t node)
{
    const tac_model_machine *machine = &model->machines[model->nodes[node].machine];
    const tac_model_activity *activity = &model->activities[machine->activity];
    tac_str_addf(passed, " %s/%s/%s/%s", model->applications[activity->application].name,
                 activity->name, machine->name, model->nodes[node].name);
}

/* Lands on a node; R5: a final state returns while the call below returns by itself. */
static void land(const tac_model *model, struct ref_device *device, uint32_t node, tac_str *passed)
{
    pass(model, passed, node);
    device->node = node;
    if (model->nodes[node].leaves)
        device->depth = 0;
    if (model->nodes[node].kind != TAC_NODE_FINAL || device->depth == 0)
        return;
    struct ref_frame top = device->stack[device->depth - 1];
    if (!top.auto_return)
        return;
    device->depth--;
    land(model, device, top.returns, passed);
}

/* R2, R3, R4: calls a machine from a connection. */
static void call(const tac_model *model, struct ref_device *device, uint32_t connection,
                 uint32_t machine, tac_str *passed)
{
    const tac_model_call *called = &model->calls[model->nodes[connection].call];
    pass(model, passed, connection);
    if (called->reuse)
        for (uint32_t k = device->depth; k-- > 0;)
            if (device->stack[k].machine == machine) {
                device->depth = k;
                land(model, device, device->stack[k].returns, passed);
                return;
            }
    device->stack[device->depth++] =
        (struct ref_frame){model->nodes[connection].machine, called->returns, called->auto_return};
    land(model, device, model->machines[machine].initial, passed);
}

static bool may_call(const tac_model *model, uint32_t connection, uint32_t machine)
{
    const tac_model_call *called = &model->calls[model->nodes[connection].call];
    if (called->machine != TAC_MODEL_NONE)
        return called->machine == machine;
    return model->machines[machine].activity == called->activity &&
           model->machines[machine].external;
}

/* --- Enabled steps --- */

static int messages_waiting(const tac_model *model, const struct ref_path *path, uint32_t channel)
{
    int waiting = 0;
    for (uint32_t i = 0; i < path->length; i++) {
        const tac_model_transition *t = &model->transitions[path->steps[i].transition];
        waiting += (t->sends == channel) - (t->receives == channel);
    }
    return waiting;
}

static bool is_enabled(const tac_model *model, const struct ref_path *path, uint32_t device,
                       uint32_t transition)
{
    const tac_model_transition *t = &model->transitions[transition];
    if (t->from != path->devices[device].node)
        return false;
    if (t->receives != TAC_MODEL_NONE && messages_waiting(model, path, t->receives) <= 0)
        return false;
    if (model->nodes[t->to].kind != TAC_NODE_CONNECTION)
        return true;
    for (uint32_t machine = 0; machine < model->machine_count; machine++)
        if (may_call(model, t->to, machine))
            return true;
    return false;
}

static bool nothing_can_happen(const tac_model *model, const struct ref_path *path)
{
    for (uint32_t d = 0; d < path->device_count; d++)
        for (uint32_t t = 0; t < model->transition_count; t++)
            if (is_enabled(model, path, d, t))
                return false;
    return true;
}

static bool everyone_left(const tac_model *model, const struct ref_path *path)
{
    for (uint32_t d = 0; d < path->device_count; d++)
        if (model->nodes[path->devices[d].node].kind != TAC_NODE_FINAL || path->devices[d].depth)
            return false;
    return true;
}

/* --- Orders that are one flow --- */

static bool share_nothing(const tac_model *model, const struct ref_step *a,
                          const struct ref_step *b)
{
    const tac_model_transition *x = &model->transitions[a->transition],
                               *y = &model->transitions[b->transition];
    if (a->device == b->device)
        return false;
    if (x->sends != TAC_MODEL_NONE && (x->sends == y->sends || x->sends == y->receives))
        return false;
    return y->sends == TAC_MODEL_NONE || y->sends != x->receives;
}

/* --- Requirements, by name --- */

/* One step as a requirement sees it; transition is TAC_MODEL_NONE at the start. */
struct ref_view {
    const tac_requirement *requirement;
    const tac_model *model;
    uint32_t transition, settled;
};

static bool application_watched(const struct ref_view *v, uint32_t machine)
{
    const tac_model_application *application =
        &v->model
             ->applications[v->model->activities[v->model->machines[machine].activity].application];
    const tac_model_device *device = &v->model->devices[application->device];
    bool app = v->requirement->application_count == 0, dev = v->requirement->device_count == 0;
    for (size_t i = 0; i < v->requirement->application_count; i++)
        app |= !strcmp(v->requirement->applications[i].name, application->code_name) ||
               !strcmp(v->requirement->applications[i].name, application->name);
    for (size_t i = 0; i < v->requirement->device_count; i++)
        dev |= !strcmp(v->requirement->devices[i].name, device->serial) ||
               !strcmp(v->requirement->devices[i].name, device->name);
    return app && dev;
}

static bool event_watched(const struct ref_view *v)
{
    return v->transition != TAC_MODEL_NONE &&
           application_watched(v,
                               v->model->nodes[v->model->transitions[v->transition].from].machine);
}

static bool state_watched(const struct ref_view *v)
{
    return application_watched(v, v->model->nodes[v->settled].machine);
}

static bool event_is(const struct ref_view *v, const char *name)
{
    return event_watched(v) &&
           !strcmp(v->model->events[v->model->transitions[v->transition].event], name);
}

static bool is_there(const struct ref_view *v, const tac_requirement_atom *atom)
{
    const tac_model_node *node = &v->model->nodes[v->settled];
    const char *machine = v->model->machines[node->machine].name;
    const char *activity = v->model->activities[v->model->machines[node->machine].activity].name;
    if (!state_watched(v))
        return false;
    if (atom->kind == TAC_ATOM_VIEW)
        return !strcmp(atom->name, activity) || !strcmp(atom->name, machine);
    return !strcmp(atom->name, node->name) && (!atom->view || !strcmp(atom->view, activity)) &&
           (!atom->machine || !strcmp(atom->machine, machine));
}

static bool meets(const struct ref_view *v, const tac_requirement_constraint *constraint)
{
    for (size_t i = 0; i < constraint->atom_count; i++) {
        const tac_requirement_atom *atom = &constraint->atoms[i];
        if (atom->kind == TAC_ATOM_EVENT ? !event_is(v, atom->name)
                                         : is_there(v, atom) != atom->visit)
            return false;
    }
    return true;
}

/* The steps of a path as a requirement sees them: the starts of all devices, then the steps. */
static uint32_t views_of(const struct ref_run *run, const struct ref_path *path,
                         struct ref_view *views)
{
    uint32_t count = 0;
    for (uint32_t d = 0; d < path->device_count; d++)
        views[count++] = (struct ref_view){run->options->requirement, run->model, TAC_MODEL_NONE,
                                           path->first[d]};
    for (uint32_t i = 0; i < path->length; i++)
        views[count++] = (struct ref_view){run->options->requirement, run->model,
                                           path->steps[i].transition, path->steps[i].settled};
    return count;
}

static uint32_t count_loops(const struct ref_view *views, uint32_t count, tac_loop_kind kind)
{
    uint32_t loops = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool closes = false;
        for (uint32_t k = i; k-- > 0 && !closes;) {
            if (kind == TAC_LOOP_STATE) {
                closes = state_watched(&views[i]) && views[k].settled == views[i].settled;
            } else if (event_watched(&views[i]) && event_watched(&views[k])) {
                closes = views[k].transition == views[i].transition;
                if (kind == TAC_LOOP_CONSECUTIVE)
                    break;
            }
        }
        loops += closes;
    }
    return loops;
}

static bool keeps_invariants(const tac_requirement *requirement, const struct ref_view *views,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (size_t f = 0; f < requirement->forbidden_count; f++)
            if (is_there(&views[i], &requirement->forbidden[f]))
                return false;
    for (size_t e = 0; e < requirement->event_count; e++) {
        uint32_t times = 0;
        for (uint32_t i = 0; i < count; i++)
            times += event_is(&views[i], requirement->events[e].name);
        if (times > requirement->events[e].max)
            return false;
    }
    for (size_t l = 0; l < requirement->loop_count; l++)
        if (count_loops(views, count, requirement->loops[l].kind) > requirement->loops[l].max)
            return false;
    return true;
}

/* How many constraints of the sequence are met; the starts of all devices are one step. */
static size_t progress(const tac_requirement *requirement, const struct ref_view *views,
                       uint32_t count, uint32_t starts)
{
    size_t met = 0;
    bool met_at_start = false;
    for (uint32_t i = 0; i < count && met < requirement->constraint_count; i++) {
        bool watched = event_watched(&views[i]) || state_watched(&views[i]);
        if (!watched || (i < starts && met_at_start))
            continue;
        if (meets(&views[i], &requirement->sequence[met])) {
            met++;
            met_at_start = i < starts;
        }
    }
    return met;
}

/* --- Putting it together --- */

static char *text_of_path(const struct ref_run *run, const struct ref_path *path, const char *kind)
{
    tac_str text = {0};
    tac_str_addf(&text, "%s |", kind);
    for (uint32_t d = 0; d < path->device_count; d++)
        tac_str_add(&text, path->first_passed[d]);
    for (uint32_t i = 0; i < path->length; i++) {
        const struct ref_step *step = &path->steps[i];
        tac_str_addf(&text, " | %s@%s%s",
                     run->model->events[run->model->transitions[step->transition].event],
                     run->model->devices[path->devices[step->device].device].name, step->passed);
    }
    return tac_str_take(&text);
}

/* The path's starts and steps, with step `swapped` and the next one in each other's place. */
static char *key_of_path(const struct ref_path *path, uint32_t swapped)
{
    tac_str key = {0};
    for (uint32_t d = 0; d < path->device_count; d++)
        tac_str_add(&key, path->first_passed[d]);
    for (uint32_t i = 0; i < path->length; i++) {
        uint32_t from = i == swapped                                ? i + 1
                        : i == swapped + 1 && swapped != UINT32_MAX ? i - 1
                                                                    : i;
        tac_str_addf(&key, "|%u%s", path->steps[from].transition, path->steps[from].passed);
    }
    return tac_str_take(&key);
}

static void keep(struct ref_run *run, const struct ref_path *path, const char *kind)
{
    if (run->options->all_interleavings) {
        string_list_add(run->out, text_of_path(run, path, kind));
        return;
    }
    if (run->kept_count == run->kept_capacity) {
        run->kept_capacity = run->kept_capacity ? 2 * run->kept_capacity : 64;
        run->kept = tac_realloc(run->kept, run->kept_capacity, sizeof *run->kept);
    }
    struct ref_kept *kept = &run->kept[run->kept_count++];
    *kept =
        (struct ref_kept){*path, key_of_path(path, UINT32_MAX), text_of_path(run, path, kind), 0};
    for (uint32_t d = 0; d < path->device_count; d++)
        kept->path.first_passed[d] = tac_strdup(path->first_passed[d]);
    for (uint32_t i = 0; i < path->length; i++)
        kept->path.steps[i].passed = tac_strdup(path->steps[i].passed);
}

/* Constraints met after two steps in this order, with `met` of them met before. */
static size_t met_after(const struct ref_run *run, size_t met, const struct ref_step *first,
                        const struct ref_step *second)
{
    const tac_requirement *requirement = run->options->requirement;
    const struct ref_step *steps[] = {first, second};
    for (int i = 0; i < 2; i++) {
        struct ref_view view = {requirement, run->model, steps[i]->transition, steps[i]->settled};
        met += met < requirement->constraint_count &&
               (event_watched(&view) || state_watched(&view)) &&
               meets(&view, &requirement->sequence[met]);
    }
    return met;
}

static bool may_end_witness(const struct ref_run *run, const struct ref_step *step)
{
    size_t last = run->options->requirement->constraint_count;
    struct ref_view view = {run->options->requirement, run->model, step->transition, step->settled};
    return last && (event_watched(&view) || state_watched(&view)) &&
           meets(&view, &run->options->requirement->sequence[last - 1]);
}

/* docs/flows.md: can the requirement tell step i of a path and the next one apart? */
static bool tells_apart(const struct ref_run *run, const struct ref_path *path, uint32_t i)
{
    const tac_requirement *requirement = run->options->requirement;
    const struct ref_step *a = &path->steps[i], *b = &path->steps[i + 1];
    struct ref_view views[REFERENCE_MAX_LENGTH + REFERENCE_MAX_DEVICES];
    struct ref_path before = *path;
    before.length = i;
    uint32_t count = views_of(run, &before, views);
    struct ref_view first = {requirement, run->model, a->transition, a->settled},
                    second = {requirement, run->model, b->transition, b->settled};
    for (size_t l = 0; l < requirement->loop_count; l++)
        if (requirement->loops[l].kind == TAC_LOOP_CONSECUTIVE && event_watched(&first) &&
            event_watched(&second) &&
            (requirement->loops[l].max != TAC_UNBOUNDED || requirement->loops[l].min > 0))
            return true;
    if (run->options->witness && (may_end_witness(run, a) || may_end_witness(run, b)))
        return true;
    for (size_t met = progress(requirement, views, count, path->device_count);
         met <= requirement->constraint_count; met++)
        if (met_after(run, met, a, b) != met_after(run, met, b, a))
            return true;
    return false;
}

static size_t class_of(const struct ref_run *run, size_t flow)
{
    while (run->kept[flow].parent != flow)
        flow = run->kept[flow].parent;
    return flow;
}

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct ref_kept *)a)->key, ((const struct ref_kept *)b)->key);
}

static void join_swapped(struct ref_run *run, size_t flow)
{
    const struct ref_path *path = &run->kept[flow].path;
    for (uint32_t i = 0; i + 1 < path->length; i++) {
        if (!share_nothing(run->model, &path->steps[i], &path->steps[i + 1]) ||
            (run->options->requirement && tells_apart(run, path, i)))
            continue;
        struct ref_kept wanted = {.key = key_of_path(path, i)};
        const struct ref_kept *found =
            bsearch(&wanted, run->kept, run->kept_count, sizeof *run->kept, by_key);
        assert(found); /* what nobody tells apart is judged alike */
        free(wanted.key);
        run->kept[class_of(run, flow)].parent = class_of(run, (size_t)(found - run->kept));
    }
}

static bool earlier_devices_first(const struct ref_path *a, const struct ref_path *b)
{
    for (uint32_t i = 0; i < a->length; i++)
        if (a->steps[i].device != b->steps[i].device)
            return a->steps[i].device < b->steps[i].device;
    return false;
}

/* Groups the orders that were kept, and gives of each class the order in which earlier devices move
 * first. */
static void group(struct ref_run *run)
{
    if (run->kept_count)
        qsort(run->kept, run->kept_count, sizeof *run->kept, by_key);
    for (size_t i = 0; i < run->kept_count; i++)
        run->kept[i].parent = i;
    for (size_t i = 0; i < run->kept_count; i++)
        join_swapped(run, i);
    size_t *best = tac_calloc(run->kept_count + 1, sizeof *best);
    for (size_t i = 0; i < run->kept_count; i++) {
        size_t *of = &best[class_of(run, i)];
        if (!*of || earlier_devices_first(&run->kept[i].path, &run->kept[*of - 1].path))
            *of = i + 1;
    }
    for (size_t i = 0; i < run->kept_count; i++)
        if (best[i])
            string_list_add(run->out, tac_strdup(run->kept[best[i] - 1].text));
    free(best);
}

static void forget_kept(struct ref_run *run)
{
    for (size_t i = 0; i < run->kept_count; i++) {
        for (uint32_t d = 0; d < run->kept[i].path.device_count; d++)
            free(run->kept[i].path.first_passed[d]);
        for (uint32_t k = 0; k < run->kept[i].path.length; k++)
            free(run->kept[i].path.steps[k].passed);
        free(run->kept[i].key);
        free(run->kept[i].text);
    }
    free(run->kept);
}

/* Judges one path; returns whether longer ones are to be looked at. */
static bool judge(struct ref_run *run, const struct ref_path *path)
{
    const tac_requirement *requirement = run->options->requirement;
    struct ref_view views[REFERENCE_MAX_LENGTH + REFERENCE_MAX_DEVICES];
    uint32_t count = requirement ? views_of(run, path, views) : 0;
    if (requirement && !keeps_invariants(requirement, views, count))
        return false;
    bool met = !requirement || progress(requirement, views, count, path->device_count) ==
                                   requirement->constraint_count;
    if (run->options->witness) {
        if (met)
            keep(run, path, "witness");
        return !met && path->length < run->options->length;
    }
    bool ended = nothing_can_happen(run->model, path);
    if (!ended && path->length < run->options->length)
        return true;
    for (size_t l = 0; requirement && l < requirement->loop_count; l++)
        met &= count_loops(views, count, requirement->loops[l].kind) >= requirement->loops[l].min;
    if (met)
        keep(run, path, !ended ? "truncated" : everyone_left(run->model, path) ? "exit" : "stuck");
    return false;
}

static void extend(struct ref_run *run, const struct ref_path *path);

static void take(struct ref_run *run, const struct ref_path *path, uint32_t d, uint32_t t,
                 uint32_t machine)
{
    struct ref_path longer = *path;
    tac_str passed = {0};
    uint32_t to = run->model->transitions[t].to;
    if (machine == TAC_MODEL_NONE)
        land(run->model, &longer.devices[d], to, &passed);
    else
        call(run->model, &longer.devices[d], to, machine, &passed);
    longer.steps[longer.length++] = (struct ref_step){d, t, longer.devices[d].node, passed.text};
    extend(run, &longer);
    tac_str_free(&passed);
}

static void extend(struct ref_run *run, const struct ref_path *path)
{
    const tac_model *model = run->model;
    if (run->options->give_up && ++run->paths > run->options->give_up)
        return;
    if (!judge(run, path))
        return;
    for (uint32_t d = 0; d < path->device_count; d++)
        for (uint32_t t = 0; t < model->transition_count; t++) {
            if (!is_enabled(model, path, d, t))
                continue;
            uint32_t to = model->transitions[t].to;
            if (model->nodes[to].kind != TAC_NODE_CONNECTION)
                take(run, path, d, t, TAC_MODEL_NONE);
            else
                for (uint32_t machine = 0; machine < model->machine_count; machine++)
                    if (may_call(model, to, machine))
                        take(run, path, d, t, machine);
        }
}

static bool may_start(const tac_model *model, uint32_t machine, uint32_t device)
{
    const tac_model_activity *activity = &model->activities[model->machines[machine].activity];
    const tac_model_application *application = &model->applications[activity->application];
    return application->device == device && application->external && activity->external &&
           model->machines[machine].external;
}

static void start(struct ref_run *run, struct ref_path *path)
{
    uint32_t device = path->device_count;
    if (device == run->model->device_count) {
        extend(run, path);
        return;
    }
    for (uint32_t machine = 0; machine < run->model->machine_count; machine++) {
        if (!may_start(run->model, machine, device))
            continue;
        struct ref_path started = *path;
        tac_str passed = {0};
        struct ref_device *new_device = &started.devices[started.device_count];
        *new_device = (struct ref_device){.device = device};
        land(run->model, new_device, run->model->machines[machine].initial, &passed);
        started.first[started.device_count] = new_device->node;
        started.first_passed[started.device_count++] = passed.text;
        start(run, &started);
        tac_str_free(&passed);
    }
}

bool reference_list(const tac_model *model, const reference_options *options, string_list *out)
{
    struct ref_run run = {.model = model, .options = options, .out = out};
    struct ref_path path = {0};
    assert(options->length <= REFERENCE_MAX_LENGTH && model->device_count <= REFERENCE_MAX_DEVICES);
    start(&run, &path);
    bool complete = !options->give_up || run.paths <= options->give_up;
    if (complete)
        group(&run);
    forget_kept(&run);
    string_list_sort(out);
    return complete;
}

char *text_of_flow(const tac_flow *flow)
{
    tac_str text = {0};
    tac_str_addf(&text, "%s |", tac_flow_kind_name(flow->kind));
    for (size_t d = 0; d < flow->start_count; d++)
        for (size_t i = 0; i < flow->starts[d].state_count; i++)
            tac_str_addf(&text, " %s", flow->starts[d].states[i]);
    for (size_t i = 0; i < flow->step_count; i++) {
        const tac_flow_step *step = &flow->steps[i];
        tac_str_addf(&text, " | %s@%s", step->event, step->device);
        for (size_t k = 0; k < step->state_count; k++)
            tac_str_addf(&text, " %s", step->states[k]);
    }
    return tac_str_take(&text);
}
