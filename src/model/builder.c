/* Collecting the elements of a model; see builder.h for what happens to them. */
#include "model/builder.h"
#include "base/data/visible.h"
#include <stdlib.h>
#include <string.h>

/* Names that come from a screen or another tool's file may hold characters that a name of a model
 * may not (read.c refuses them): they are kept in their visible form. What is not UTF-8 at all is
 * an error later. */
static uint32_t intern(tac_model_builder *builder, const char *text)
{
    if (!text || tac_text_is_plain(text, strlen(text)) || !tac_utf8_valid(text, strlen(text)))
        return text ? tac_names_intern(&builder->names, text) : TAC_NONE;
    char *shown = tac_visible(text);
    uint32_t name = tac_names_intern(&builder->names, shown);
    free(shown);
    return name;
}

/* An empty attribute is an absent one, except for names. */
static uint32_t intern_filled(tac_model_builder *builder, const char *text)
{
    return text && *text ? tac_names_intern(&builder->names, text) : TAC_NONE;
}

/* What an action selects or types is any text that XML can hold: a newline in it is a newline. */
static uint32_t intern_any(tac_model_builder *builder, const char *text)
{
    for (const char *c = text ? text : ""; *c; c++)
        if ((unsigned char)*c < ' ' && *c != '\t' && *c != '\n' && *c != '\r')
            return intern(builder, text);
    return text ? tac_names_intern(&builder->names, text) : TAC_NONE;
}

static void expect(tac_model_builder *builder, bool sane, const char *complaint)
{
    if (!sane && !builder->misuse)
        builder->misuse = complaint;
}

tac_model_builder *tac_model_builder_new(const char *name, const char *file)
{
    tac_model_builder *builder = tac_calloc(1, sizeof *builder);
    builder->name = intern(builder, name ? name : "");
    builder->setup = intern(builder, "");
    tac_vec_push(&builder->files, intern(builder, file ? file : ""));
    return builder;
}

uint32_t tac_build_device(tac_model_builder *builder, const char *name, const char *serial,
                          uint32_t line)
{
    struct build_device device = {.name = intern(builder, name ? name : ""),
                                  .serial = intern(builder, serial ? serial : ""),
                                  .line = line,
                                  .file = (uint32_t)(builder->files.count - 1)};
    tac_vec_push(&builder->devices, device);
    return (uint32_t)(builder->devices.count - 1);
}

uint32_t tac_build_application(tac_model_builder *builder, uint32_t device, const char *name,
                               const char *code_name, const char *package, bool external,
                               uint32_t line)
{
    expect(builder, device < builder->devices.count, "an application was added to no device");
    struct build_application application = {.name = intern(builder, name ? name : ""),
                                            .code_name =
                                                intern(builder, code_name ? code_name : ""),
                                            .package = intern(builder, package ? package : ""),
                                            .device = device,
                                            .line = line,
                                            .file = (uint32_t)(builder->files.count - 1),
                                            .external = external};
    tac_vec_push(&builder->applications, application);
    return (uint32_t)(builder->applications.count - 1);
}

uint32_t tac_build_activity(tac_model_builder *builder, uint32_t application, const char *name,
                            bool external, uint32_t line)
{
    expect(builder, application < builder->applications.count,
           "an activity was added to no application");
    struct build_activity activity = {.name = intern(builder, name ? name : ""),
                                      .application = application,
                                      .line = line,
                                      .external = external};
    tac_vec_push(&builder->activities, activity);
    return (uint32_t)(builder->activities.count - 1);
}

uint32_t tac_build_machine(tac_model_builder *builder, uint32_t activity, const char *name,
                           bool external, uint32_t line)
{
    expect(builder, activity < builder->activities.count,
           "a state machine was added to no activity");
    struct build_machine machine = {.name = intern(builder, name ? name : ""),
                                    .activity = activity,
                                    .line = line,
                                    .initial = TAC_NONE,
                                    .external = external};
    tac_vec_push(&builder->machines, machine);
    return (uint32_t)(builder->machines.count - 1);
}

uint32_t tac_build_node(tac_model_builder *builder, uint32_t machine, tac_node_kind kind,
                        const char *name, uint32_t line)
{
    expect(builder, machine < builder->machines.count, "a state was added to no state machine");
    struct build_node node = {.name = intern(builder, name ? name : ""),
                              .machine = machine,
                              .line = line,
                              .call = TAC_NONE,
                              .labels = TAC_NONE,
                              .image = TAC_NONE,
                              .expect = TAC_NONE,
                              .untried = TAC_NONE,
                              .kind = kind};
    tac_vec_push(&builder->nodes, node);
    return (uint32_t)(builder->nodes.count - 1);
}

void tac_build_initial(tac_model_builder *builder, uint32_t machine, const char *to, uint32_t line)
{
    if (machine >= builder->machines.count) {
        expect(builder, false, "an initial was added to no state machine");
        return;
    }
    struct build_machine *of = &builder->machines.at[machine];
    of->several_initials = of->several_initials || of->initial != TAC_NONE;
    of->initial = intern(builder, to ? to : "");
    of->initial_line = line;
}

void tac_build_call(tac_model_builder *builder, uint32_t connection_node, const char *calls,
                    const char *returns, bool reuse, bool auto_return)
{
    if (connection_node >= builder->nodes.count ||
        builder->nodes.at[connection_node].kind != TAC_NODE_CONNECTION) {
        expect(builder, false, "a call was added to something that is not a connection");
        return;
    }
    struct build_call call = {.calls = intern(builder, calls ? calls : ""),
                              .returns = intern(builder, returns ? returns : ""),
                              .enters = TAC_NONE,
                              .reuse = reuse,
                              .auto_return = auto_return};
    struct build_node *node = &builder->nodes.at[connection_node];
    if (node->call != TAC_NONE) {
        builder->calls.at[node->call] = call;
        return;
    }
    node->call = (uint32_t)builder->calls.count;
    tac_vec_push(&builder->calls, call);
}

void tac_build_jump(tac_model_builder *builder, uint32_t connection_node, const char *machine,
                    const char *enters)
{
    tac_build_call(builder, connection_node, machine, "", false, false);
    if (connection_node < builder->nodes.count &&
        builder->nodes.at[connection_node].call != TAC_NONE)
        builder->calls.at[builder->nodes.at[connection_node].call].enters =
            intern(builder, enters ? enters : "");
}

void tac_build_external(tac_model_builder *builder, uint32_t machine)
{
    expect(builder, machine < builder->machines.count, "there is no such state machine");
    if (machine < builder->machines.count)
        builder->machines.at[machine].external = true;
}

uint32_t tac_build_transition(tac_model_builder *builder, uint32_t machine, const char *from,
                              const char *event, const char *to, int kind, double time,
                              double weight, const char *sends, const char *receives, uint32_t line)
{
    expect(builder, machine < builder->machines.count,
           "a transition was added to no state machine");
    struct build_transition transition = {.machine = machine,
                                          .from = intern(builder, from ? from : ""),
                                          .event = intern(builder, event ? event : ""),
                                          .to = intern(builder, to ? to : ""),
                                          .line = line,
                                          .extra = TAC_NONE};
    struct build_extra extra = {.time = time < 0 ? -1 : time,
                                .weight = weight,
                                .sends = sends && *sends ? intern(builder, sends) : TAC_NONE,
                                .receives =
                                    receives && *receives ? intern(builder, receives) : TAC_NONE,
                                .note = TAC_NONE,
                                .guard = TAC_NONE,
                                .update = TAC_NONE,
                                .labels = TAC_NONE,
                                .expect = TAC_NONE,
                                .dependency = -1,
                                .kind = kind};
    bool plain = time < 0 && weight == 1 && extra.sends == TAC_NONE && extra.receives == TAC_NONE &&
                 kind < 0;
    if (!plain) {
        transition.extra = (uint32_t)builder->extras.count;
        tac_vec_push(&builder->extras, extra);
    }
    tac_vec_push(&builder->transitions, transition);
    return (uint32_t)(builder->transitions.count - 1);
}

/* The extras of a transition, made when it has none; NULL when there is no such transition. */
static struct build_extra *extra_of(tac_model_builder *builder, uint32_t transition)
{
    if (transition >= builder->transitions.count) {
        expect(builder, false, "something was added to no transition");
        return NULL;
    }
    struct build_transition *of = &builder->transitions.at[transition];
    if (of->extra == TAC_NONE) {
        struct build_extra extra = {.time = -1,
                                    .weight = 1,
                                    .sends = TAC_NONE,
                                    .receives = TAC_NONE,
                                    .note = TAC_NONE,
                                    .guard = TAC_NONE,
                                    .update = TAC_NONE,
                                    .labels = TAC_NONE,
                                    .expect = TAC_NONE,
                                    .dependency = -1,
                                    .kind = -1};
        of->extra = (uint32_t)builder->extras.count;
        tac_vec_push(&builder->extras, extra);
    }
    return &builder->extras.at[of->extra];
}

void tac_build_note(tac_model_builder *builder, uint32_t transition, const char *note)
{
    struct build_extra *extra = extra_of(builder, transition);
    if (extra)
        extra->note = intern_filled(builder, note);
}

void tac_build_guard(tac_model_builder *builder, uint32_t transition, const char *guard)
{
    struct build_extra *extra = extra_of(builder, transition);
    if (extra)
        extra->guard = intern_filled(builder, guard);
}

void tac_build_update(tac_model_builder *builder, uint32_t transition, const char *update)
{
    struct build_extra *extra = extra_of(builder, transition);
    if (extra)
        extra->update = intern_filled(builder, update);
}

void tac_build_transition_labels(tac_model_builder *builder, uint32_t transition,
                                 const char *labels)
{
    struct build_extra *extra = extra_of(builder, transition);
    if (extra)
        extra->labels = intern_filled(builder, labels);
}

void tac_build_dependency(tac_model_builder *builder, uint32_t transition, double dependency)
{
    struct build_extra *extra = extra_of(builder, transition);
    if (extra)
        extra->dependency = dependency >= 0 ? dependency : -1;
}

void tac_build_node_labels(tac_model_builder *builder, uint32_t node, const char *labels)
{
    expect(builder, node < builder->nodes.count, "labels were added to no state");
    if (node < builder->nodes.count)
        builder->nodes.at[node].labels = intern_filled(builder, labels);
}

void tac_build_image(tac_model_builder *builder, uint32_t node, const char *image)
{
    expect(builder, node < builder->nodes.count, "a picture was added to no state");
    if (node < builder->nodes.count)
        builder->nodes.at[node].image = intern_filled(builder, image);
}

/* The conditions with one more. */
static uint32_t add_condition(tac_model_builder *builder, uint32_t known, const char *condition)
{
    if (!condition || !*condition)
        return known;
    if (known == TAC_NONE)
        return intern_any(builder, condition);
    char *joined = tac_format("%s\n%s", builder->names.text[known], condition);
    uint32_t all = intern_any(builder, joined);
    free(joined);
    return all;
}

void tac_build_node_expect(tac_model_builder *builder, uint32_t node, const char *condition)
{
    expect(builder, node < builder->nodes.count, "an expectation was added to no state");
    if (node < builder->nodes.count)
        builder->nodes.at[node].expect =
            add_condition(builder, builder->nodes.at[node].expect, condition);
}

void tac_build_leaves(tac_model_builder *builder, uint32_t node)
{
    expect(builder, node < builder->nodes.count && builder->nodes.at[node].kind == TAC_NODE_FINAL,
           "only a final leaves the app");
    if (node < builder->nodes.count)
        builder->nodes.at[node].leaves = true;
}

void tac_build_untried(tac_model_builder *builder, uint32_t node, const char *xpath)
{
    expect(builder, node < builder->nodes.count, "an untried element was added to no state");
    if (node >= builder->nodes.count || !xpath)
        return;
    for (const char *at = xpath + strspn(xpath, "\n"); *at; at += strspn(at, "\n")) {
        char *line = tac_strndup(at, strcspn(at, "\n"));
        at += strlen(line);
        builder->nodes.at[node].untried =
            add_condition(builder, builder->nodes.at[node].untried, line);
        free(line);
    }
}

void tac_build_transition_expect(tac_model_builder *builder, uint32_t transition,
                                 const char *condition)
{
    struct build_extra *extra = condition && *condition ? extra_of(builder, transition) : NULL;
    if (extra)
        extra->expect = add_condition(builder, extra->expect, condition);
}

void tac_build_setup(tac_model_builder *builder, const char *setup)
{
    const char *old = builder->names.text[builder->setup];
    if (!setup || !*setup)
        return;
    char *joined = *old ? tac_format("%s; %s", old, setup) : tac_strdup(setup);
    builder->setup = intern(builder, joined);
    free(joined);
}

void tac_build_action(tac_model_builder *builder, uint32_t transition, tac_action_kind kind,
                      const char *xpath, const char *resource_id, const char *text,
                      const char *value)
{
    expect(builder, transition < builder->transitions.count,
           "an action was added to no transition");
    struct build_action action = {.transition = transition,
                                  .xpath = intern_any(builder, xpath),
                                  .resource_id = intern_any(builder, resource_id),
                                  .text = intern_any(builder, text),
                                  .value = intern_any(builder, value),
                                  .area = TAC_NONE,
                                  .kind = kind,
                                  .fragile = tac_xpath_is_positional(xpath)};
    tac_vec_push(&builder->actions, action);
}

void tac_build_area(tac_model_builder *builder, const char *area)
{
    expect(builder, builder->actions.count > 0, "an area was given to no action");
    if (builder->actions.count)
        builder->actions.at[builder->actions.count - 1].area = intern_filled(builder, area);
}

void tac_build_fragile(tac_model_builder *builder)
{
    expect(builder, builder->actions.count > 0, "no action was added that could be fragile");
    if (builder->actions.count)
        tac_vec_last(&builder->actions).fragile = true;
}

void tac_model_builder_free(tac_model_builder *builder)
{
    if (!builder)
        return;
    tac_names_free(&builder->names);
    tac_vec_free(&builder->files);
    tac_vec_free(&builder->devices);
    tac_vec_free(&builder->applications);
    tac_vec_free(&builder->activities);
    tac_vec_free(&builder->machines);
    tac_vec_free(&builder->nodes);
    tac_vec_free(&builder->calls);
    tac_vec_free(&builder->transitions);
    tac_vec_free(&builder->extras);
    tac_vec_free(&builder->actions);
    free(builder);
}
