/* Random models and exact comparison: see model_support.h. */
#include "model_support.h"
#include "base/data/alloc.h"
#include "base/io/output.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MACHINES = 12, MOST_STATES = 6 };

struct plan { /* the shape, drawn before anything is built */
    unsigned machines, activities, applications, devices;
    unsigned activity_of[MOST_MACHINES], application_of[MOST_MACHINES], device_of[MOST_MACHINES];
    unsigned states[MOST_MACHINES], finals[MOST_MACHINES], connections[MOST_MACHINES];
    bool external[MOST_MACHINES];
    /* Names count from 0 in each parent, so that the same names appear in many places. */
    unsigned machine_number[MOST_MACHINES], activity_number[MOST_MACHINES],
        application_number[MOST_MACHINES];
};

static unsigned draw(tac_random *random, unsigned bound)
{
    return (unsigned)tac_random_below(random, bound);
}

/* Each device gets at least one application, each application an activity, each activity a machine;
 * the first machine of each device is a start. */
static void draw_plan(tac_random *random, const random_model_options *options, struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    plan->devices = options->devices ? options->devices : 1;
    unsigned device = 0, applications = 0, activities = 0, machines = 0;
    plan->machines = plan->devices + draw(random, MOST_MACHINES - plan->devices + 1);
    for (unsigned m = 0; m < plan->machines; m++) {
        bool new_device = m == 0 || (m * plan->devices / plan->machines > device);
        if (new_device && m)
            device++;
        if (new_device || draw(random, 3) == 0) {
            if (new_device || draw(random, 2) == 0) {
                applications = new_device ? 0 : applications + 1;
                plan->application_number[plan->applications] = applications;
                plan->device_of[plan->applications++] = device;
                activities = 0;
            }
            plan->activity_number[plan->activities] = activities++;
            plan->application_of[plan->activities++] = plan->applications - 1;
            machines = 0;
        }
        plan->activity_of[m] = plan->activities - 1;
        plan->machine_number[m] = machines++;
        plan->external[m] = new_device || draw(random, 3) == 0;
        plan->states[m] = 1 + draw(random, MOST_STATES);
        plan->finals[m] = draw(random, 3);
        plan->connections[m] = draw(random, 3);
    }
}

struct building {
    tac_random random;
    tac_model_builder *builder;
    const random_model_options *options;
    struct plan plan;
    uint32_t devices[MOST_MACHINES], applications[MOST_MACHINES], activities[MOST_MACHINES],
        machines[MOST_MACHINES];
    char text[6][80];
};

static const char *node_name(struct building *work, unsigned slot, unsigned machine, unsigned node)
{
    const struct plan *plan = &work->plan;
    const char *prefix = work->options->prefix ? work->options->prefix : "";
    unsigned states = plan->states[machine], finals = plan->finals[machine];
    if (node < states)
        snprintf(work->text[slot], sizeof work->text[slot], "%sS%u", prefix, node);
    else if (node < states + finals)
        snprintf(work->text[slot], sizeof work->text[slot], "%send%u", prefix, node - states);
    else
        snprintf(work->text[slot], sizeof work->text[slot], "%sC%u", prefix,
                 node - states - finals);
    return work->text[slot];
}

static void build_places(struct building *work)
{
    const struct plan *plan = &work->plan;
    const char *prefix = work->options->prefix ? work->options->prefix : "";
    char name[80];
    for (unsigned i = 0; i < plan->devices; i++) {
        snprintf(name, sizeof name, "phone%u", i);
        work->devices[i] = tac_build_device(work->builder, name, i % 2 ? "serial-7" : NULL, 0);
    }
    for (unsigned i = 0; i < plan->applications; i++) {
        snprintf(name, sizeof name, "%sApp%u", prefix, plan->application_number[i]);
        work->applications[i] =
            tac_build_application(work->builder, work->devices[plan->device_of[i]], name,
                                  i % 2 ? "code" : NULL, i % 2 ? NULL : "org.example", true, 0);
    }
    for (unsigned i = 0; i < plan->activities; i++) {
        snprintf(name, sizeof name, "%sActivity%u", prefix, plan->activity_number[i]);
        work->activities[i] = tac_build_activity(
            work->builder, work->applications[plan->application_of[i]], name, true, 0);
    }
}

/* A path names one machine of a device. */
static const char *call_path(struct building *work, unsigned slot, unsigned machine, bool activity)
{
    const struct plan *plan = &work->plan;
    const char *prefix = work->options->prefix ? work->options->prefix : "";
    unsigned of = plan->activity_of[machine];
    int length = snprintf(work->text[slot], sizeof work->text[slot], "%sApp%u/%sActivity%u", prefix,
                          plan->application_number[plan->application_of[of]], prefix,
                          plan->activity_number[of]);
    if (!activity)
        snprintf(work->text[slot] + length, sizeof work->text[slot] - (size_t)length, "/%sM%u",
                 prefix, plan->machine_number[machine]);
    return work->text[slot];
}

static unsigned device_of_machine(const struct plan *plan, unsigned m)
{
    return plan->device_of[plan->application_of[plan->activity_of[m]]];
}

static void build_connection(struct building *work, unsigned m, unsigned node)
{
    const struct plan *plan = &work->plan;
    unsigned target = draw(&work->random, plan->machines);
    while (device_of_machine(plan, target) != device_of_machine(plan, m))
        target = (target + 1) % plan->machines;
    bool activity = plan->external[target] && draw(&work->random, 3) == 0;
    unsigned returns = draw(&work->random, plan->states[m] + plan->finals[m]);
    bool reuse = draw(&work->random, 2), auto_return = draw(&work->random, 4) != 0;
    uint32_t built = tac_build_node(work->builder, work->machines[m], TAC_NODE_CONNECTION,
                                    node_name(work, 0, m, node), 0);
    tac_build_call(work->builder, built, call_path(work, 1, target, activity),
                   node_name(work, 2, m, returns), reuse, auto_return);
}

static void decorate(struct building *work, uint32_t transition)
{
    static const char *const texts[] = {NULL, "", "//*[@text='a \"b\" <c> & d']", "line\nbreak",
                                        "ü"};
    tac_random *random = &work->random;
    unsigned actions = draw(random, 3);
    if (draw(random, 4) == 0)
        tac_build_note(work->builder, transition, "guard: x > 1 && y");
    for (unsigned i = 0; i < actions; i++) {
        tac_action_kind kind = (tac_action_kind)draw(random, 11);
        bool moves = kind == TAC_ACTION_SCROLL || kind == TAC_ACTION_SWIPE;
        const char *value = moves                     ? "down"
                            : kind == TAC_ACTION_WAIT ? "2.5"
                            : kind == TAC_ACTION_KEY  ? "Enter"
                                                      : texts[draw(random, 5)];
        tac_build_action(work->builder, transition, kind, texts[draw(random, 3)], "some:id/x",
                         texts[draw(random, 5)], value);
    }
}

static void build_transitions(struct building *work, unsigned m)
{
    static const char *const events[] = {"click", "back", "open", "tick-", "swipe", "play", "quit"};
    const struct plan *plan = &work->plan;
    tac_random *random = &work->random;
    unsigned nodes = plan->states[m] + plan->finals[m] + plan->connections[m];
    for (unsigned s = 0; s < plan->states[m]; s++) {
        unsigned count = draw(random, 4), first = draw(random, 7);
        for (unsigned i = 0; i < count; i++) {
            unsigned event = work->options->deterministic ? (first + i) % 7 : draw(random, 7);
            unsigned to = draw(random, nodes);
            double time = -1, weight = 1;
            const char *sends = NULL, *receives = NULL;
            int kind = -1;
            if (work->options->decorated) {
                time = draw(random, 3) ? -1 : draw(random, 100) / 8.0;
                weight = draw(random, 3) ? 1 : (1 + draw(random, 100)) / 10.0;
                sends = draw(random, 5) ? NULL : "channel";
                receives = sends || draw(random, 5) ? NULL : "channel";
                kind = draw(random, 4) ? -1 : (int)draw(random, 2);
            }
            uint32_t transition = tac_build_transition(
                work->builder, work->machines[m], node_name(work, 0, m, s), events[event],
                node_name(work, 1, m, to), kind, time, weight, sends, receives, 0);
            if (work->options->decorated)
                decorate(work, transition);
        }
    }
}

static void build_nodes(struct building *work, unsigned m)
{
    const struct plan *plan = &work->plan;
    unsigned states = plan->states[m], finals = plan->finals[m];
    for (unsigned node = 0; node < states + finals; node++)
        tac_build_node(work->builder, work->machines[m],
                       node < states ? TAC_NODE_STATE : TAC_NODE_FINAL, node_name(work, 0, m, node),
                       0);
    for (unsigned i = 0; i < plan->connections[m]; i++)
        build_connection(work, m, states + finals + i);
    unsigned initial = draw(&work->random, 8) ? 0 : draw(&work->random, states + finals);
    tac_build_initial(work->builder, work->machines[m], node_name(work, 0, m, initial), 0);
}

/* Nodes and transitions have seeds of their own, so that what they are does not depend on the order
 * in which they are added: transitions may come before the states that they name. */
static void build_machine(struct building *work, uint64_t seed, unsigned m)
{
    for (unsigned step = 0; step < 2; step++) {
        bool transitions = (step == 1) != (work->options->shuffled && (seed + m) % 2);
        tac_random_seed(&work->random, seed * 1000 + m * 2 + transitions);
        if (transitions)
            build_transitions(work, m);
        else
            build_nodes(work, m);
    }
}

tac_model *random_model(uint64_t seed, const random_model_options *options)
{
    struct building work = {.options = options,
                            .builder = tac_model_builder_new("random", "random.xml")};
    tac_random_seed(&work.random, seed);
    draw_plan(&work.random, options, &work.plan);
    build_places(&work);
    const char *prefix = options->prefix ? options->prefix : "";
    for (unsigned i = 0; i < work.plan.machines; i++) {
        char name[80];
        snprintf(name, sizeof name, "%sM%u", prefix, work.plan.machine_number[i]);
        work.machines[i] =
            tac_build_machine(work.builder, work.activities[work.plan.activity_of[i]], name,
                              work.plan.external[i], 0);
    }
    unsigned start = options->shuffled ? draw(&work.random, work.plan.machines) : 0;
    for (unsigned i = 0; i < work.plan.machines; i++)
        build_machine(&work, seed, (start + i) % work.plan.machines);
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model = NULL;
    if (tac_model_builder_finish(work.builder, &findings, &model, &err) != TAC_OK) {
        fprintf(stderr, "random model %llu: %s\n", (unsigned long long)seed, err.message);
        abort();
    }
    tac_diagnostics_free(&findings);
    return model;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

#define SAME(what, condition)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            *why = what;                                                                           \
            return false;                                                                          \
        }                                                                                          \
    } while (0)

static bool places_equal(const tac_model *a, const tac_model *b, const char **why)
{
    SAME("counts",
         a->device_count == b->device_count && a->application_count == b->application_count &&
             a->activity_count == b->activity_count && a->machine_count == b->machine_count &&
             a->node_count == b->node_count && a->transition_count == b->transition_count &&
             a->call_count == b->call_count && a->action_count == b->action_count &&
             a->event_count == b->event_count && a->channel_count == b->channel_count &&
             a->note_count == b->note_count);
    for (uint32_t i = 0; i < a->device_count; i++) {
        const tac_model_device *x = &a->devices[i], *y = &b->devices[i];
        SAME("device", same_text(x->name, y->name) && same_text(x->serial, y->serial) &&
                           x->first_application == y->first_application &&
                           x->application_count == y->application_count);
    }
    for (uint32_t i = 0; i < a->application_count; i++) {
        const tac_model_application *x = &a->applications[i], *y = &b->applications[i];
        SAME("application", same_text(x->name, y->name) && same_text(x->code_name, y->code_name) &&
                                same_text(x->package, y->package) && x->device == y->device &&
                                x->first_activity == y->first_activity &&
                                x->activity_count == y->activity_count &&
                                x->external == y->external);
    }
    for (uint32_t i = 0; i < a->activity_count; i++) {
        const tac_model_activity *x = &a->activities[i], *y = &b->activities[i];
        SAME("activity", same_text(x->name, y->name) && x->application == y->application &&
                             x->first_machine == y->first_machine &&
                             x->machine_count == y->machine_count && x->external == y->external);
    }
    for (uint32_t i = 0; i < a->machine_count; i++) {
        const tac_model_machine *x = &a->machines[i], *y = &b->machines[i];
        SAME("machine", same_text(x->name, y->name) && x->activity == y->activity &&
                            x->first_node == y->first_node && x->node_count == y->node_count &&
                            x->first_transition == y->first_transition &&
                            x->transition_count == y->transition_count &&
                            x->initial == y->initial && x->external == y->external);
    }
    return true;
}

static bool steps_equal(const tac_model *a, const tac_model *b, const char **why)
{
    for (uint32_t i = 0; i < a->node_count; i++) {
        const tac_model_node *x = &a->nodes[i], *y = &b->nodes[i];
        SAME("node", same_text(x->name, y->name) && x->machine == y->machine &&
                         x->first_out == y->first_out && x->out_count == y->out_count &&
                         x->call == y->call && x->kind == y->kind);
    }
    for (uint32_t i = 0; i < a->call_count; i++) {
        const tac_model_call *x = &a->calls[i], *y = &b->calls[i];
        SAME("call", x->machine == y->machine && x->activity == y->activity &&
                         x->returns == y->returns && x->reuse == y->reuse &&
                         x->auto_return == y->auto_return);
    }
    for (uint32_t i = 0; i < a->transition_count; i++) {
        const tac_model_transition *x = &a->transitions[i], *y = &b->transitions[i];
        SAME("transition", x->from == y->from && x->to == y->to && x->event == y->event &&
                               x->first_action == y->first_action &&
                               x->action_count == y->action_count && x->sends == y->sends &&
                               x->receives == y->receives && x->note == y->note &&
                               x->time == y->time && x->weight == y->weight && x->kind == y->kind);
    }
    for (uint32_t i = 0; i < a->action_count; i++) {
        const tac_model_action *x = &a->actions[i], *y = &b->actions[i];
        SAME("action", x->kind == y->kind && same_text(x->xpath, y->xpath) &&
                           same_text(x->resource_id, y->resource_id) &&
                           same_text(x->text, y->text) && same_text(x->value, y->value));
    }
    for (uint32_t i = 0; i < a->event_count; i++)
        SAME("event", same_text(a->events[i], b->events[i]));
    for (uint32_t i = 0; i < a->channel_count; i++)
        SAME("channel", same_text(a->channels[i], b->channels[i]));
    for (uint32_t i = 0; i < a->note_count; i++)
        SAME("note", same_text(a->notes[i], b->notes[i]));
    return true;
}

bool models_equal(const tac_model *a, const tac_model *b, const char **why)
{
    *why = "";
    return places_equal(a, b, why) && steps_equal(a, b, why);
}

char *model_text(const tac_model *model)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    tac_error err;
    if (!memory || tac_model_write(model, memory, &err) != TAC_OK || fclose(memory))
        abort();
    return text;
}

tac_model *model_of(const char *text, tac_diagnostics *diagnostics)
{
    char path[] = "/tmp/tactus-model-XXXXXX";
    int file = mkstemp(path);
    tac_diagnostics own = {0};
    tac_error err;
    tac_model *model = NULL;
    if (file < 0 || write(file, text, strlen(text)) != (ssize_t)strlen(text) || close(file))
        abort();
    tac_model_load(path, diagnostics ? diagnostics : &own, &model, &err);
    unlink(path);
    tac_diagnostics_free(&own);
    return model;
}
