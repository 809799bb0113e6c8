/* GraphWalker JSON: one model per state machine.
 *
 * GraphWalker joins models through vertices of the same sharedState and knows no stack. A call is
 * carried by two shared states per called machine: "call PATH" on the connections and the machine's
 * initial vertex, "return PATH" on its finals and on one extra vertex per connection, from which an
 * edge without a name leads to the return state. Its walks are therefore not always flows: they may
 * return to another caller, and a call with reuse enters the initial instead of the state that was
 * left. What GraphWalker does not know (hierarchy, call options, times, channels, actions) stands
 * under properties.tactus, from which graphwalker_own.c restores the model exactly. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/describe/describe.h"
#include "base/io/json.h"
#include "model/builder.h"
#include "model/tools.h"
#include <errno.h>

struct walker_writer {
    const tac_model *model;
    FILE *out;
    uint8_t *through;    /* per machine: 0 not called, 1 called by name, 2 through its activity */
    double *weight_sums; /* per node */
    tac_str path;
};

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text && *text)
        set(object, key, tac_json_string(text));
}

/* One of the model's notes, where there is one. */
static void set_note(const struct walker_writer *writer, json_t *object, const char *key,
                     uint32_t note)
{
    if (note != TAC_MODEL_NONE)
        set_text(object, key, writer->model->notes[note]);
}

static void set_true(json_t *object, const char *key, bool value)
{
    if (value)
        set(object, key, json_true());
}

static const char *id(char buffer[24], char kind, uint32_t index)
{
    snprintf(buffer, 24, "%c%u", kind, index);
    return buffer;
}

/* Application/Activity or Application/Activity/Machine, after a word. */
static const char *path_of(struct walker_writer *writer, const char *word,
                           const tac_model_call *call)
{
    const tac_model *model = writer->model;
    uint32_t activity =
        call->machine != TAC_MODEL_NONE ? model->machines[call->machine].activity : call->activity;
    tac_str_clear(&writer->path);
    tac_str_addf(&writer->path, "%s%s/%s", word,
                 model->applications[model->activities[activity].application].name,
                 model->activities[activity].name);
    if (call->machine != TAC_MODEL_NONE)
        tac_str_addf(&writer->path, "/%s", model->machines[call->machine].name);
    return tac_str_text(&writer->path);
}

/* The place for what GraphWalker does not know. */
static json_t *own_properties(json_t *object)
{
    json_t *properties = json_object(), *own = json_object();
    set(properties, "tactus", own);
    set(object, "properties", properties);
    return own;
}

static void share(struct walker_writer *writer, json_t *vertex, const char *word, uint32_t machine)
{
    if (!writer->through[machine])
        return;
    const tac_model *model = writer->model;
    tac_model_call call = {.machine = writer->through[machine] == 1 ? machine : TAC_MODEL_NONE,
                           .activity = model->machines[machine].activity};
    set_text(vertex, "sharedState", path_of(writer, word, &call));
}

/* When a machine is called both by name and through its activity, the activity's word is shared. */
static void share_call(struct walker_writer *writer, json_t *vertex, const char *word,
                       const tac_model_call *call)
{
    const tac_model *model = writer->model;
    tac_model_call shared = *call;
    if (call->machine != TAC_MODEL_NONE && writer->through[call->machine] == 2)
        shared = (tac_model_call){.machine = TAC_MODEL_NONE,
                                  .activity = model->machines[call->machine].activity};
    set_text(vertex, "sharedState", path_of(writer, word, &shared));
}

static json_t *vertex_json(struct walker_writer *writer, uint32_t n)
{
    const tac_model *model = writer->model;
    const tac_model_node *node = &model->nodes[n];
    char text[24];
    json_t *vertex = json_object();
    set_text(vertex, "id", id(text, 'n', n));
    set_text(vertex, "name", node->name);
    if (node->kind == TAC_NODE_CONNECTION)
        share_call(writer, vertex, "call ", &model->calls[node->call]);
    else if (node->kind == TAC_NODE_FINAL)
        share(writer, vertex, "return ", node->machine);
    else if (model->machines[node->machine].initial == n)
        share(writer, vertex, "call ", node->machine);
    json_t *own = own_properties(vertex);
    set_text(own, "kind", tac_model_node_word(node->kind));
    set_note(writer, own, "labels", node->labels);
    set_note(writer, own, "image", node->image);
    set_note(writer, own, "expect", node->expect);
    set_note(writer, own, "untried", node->untried);
    set_true(own, "leaves", node->leaves);
    if (node->kind == TAC_NODE_CONNECTION) {
        const tac_model_call *call = &model->calls[node->call];
        set_text(own, "calls", path_of(writer, "", call));
        if (call->enters != TAC_MODEL_NONE)
            set_text(own, "enters", model->nodes[call->enters].name);
        set_text(own, "returns", model->nodes[call->returns].name);
        set_true(own, "reuse", call->reuse);
        set(own, "autoReturn", json_boolean(call->auto_return));
    }
    return vertex;
}

/* Where a connection comes back: a vertex that shares the finals of what it calls, and an edge
 * without a name to the return state. */
static json_t *return_vertex(struct walker_writer *writer, uint32_t n)
{
    const tac_model_call *call = &writer->model->calls[writer->model->nodes[n].call];
    char text[24];
    json_t *vertex = json_object();
    set_text(vertex, "id", id(text, 'r', n));
    set_text(vertex, "name", writer->model->nodes[n].name);
    share_call(writer, vertex, "return ", call);
    set_text(own_properties(vertex), "kind", "return");
    return vertex;
}

static json_t *return_edge(const struct walker_writer *writer, uint32_t n)
{
    const tac_model_call *call = &writer->model->calls[writer->model->nodes[n].call];
    char text[24];
    json_t *edge = json_object();
    set_text(edge, "id", id(text, 'x', n));
    set_text(edge, "sourceVertexId", id(text, 'r', n));
    set_text(edge, "targetVertexId", id(text, 'n', call->returns));
    set_text(own_properties(edge), "kind", "return");
    return edge;
}

static const char *kind_word(uint64_t kind, struct field_value *with)
{
    (void)with;
    return tac_action_kind_name((tac_action_kind)kind);
}

#define GIVEN(member) .only = IF(tac_model_action, member)
static const struct field walker_action_fields[] = {
    FIELD_NAME(tac_model_action, kind, kind_word),
    FIELD(tac_model_action, xpath, GIVEN(xpath)),
    FIELD(tac_model_action, resource_id, .key = "resourceId", GIVEN(resource_id)),
    FIELD(tac_model_action, text, GIVEN(text)),
    FIELD(tac_model_action, value, GIVEN(value)),
    FIELD(tac_model_action, area, GIVEN(area)),
    FIELD(tac_model_action, fragile, .omit = true)};
static DESCRIBE(walker_action, tac_model_action);

/* GraphWalker's weights are chances: they are written only where a state has other weights than 1,
 * as shares of the state's sum. The sum of a node whose weights are all 1 is 0. */
static double *sum_weights(const tac_model *model)
{
    double *sums = tac_calloc((size_t)model->node_count + 1, sizeof *sums);
    for (uint32_t n = 0; n < model->node_count; n++) {
        const tac_model_node *node = &model->nodes[n];
        bool plain = true;
        for (uint32_t i = 0; i < node->out_count; i++) {
            sums[n] += model->transitions[node->first_out + i].weight;
            plain = plain && model->transitions[node->first_out + i].weight == 1;
        }
        if (plain)
            sums[n] = 0;
    }
    return sums;
}

static json_t *edge_json(const struct walker_writer *writer, uint32_t t)
{
    const tac_model *model = writer->model;
    const tac_model_transition *transition = &model->transitions[t];
    char text[24];
    json_t *edge = json_object();
    set_text(edge, "id", id(text, 't', t));
    set_text(edge, "name", model->events[transition->event]);
    set_text(edge, "sourceVertexId", id(text, 'n', transition->from));
    set_text(edge, "targetVertexId", id(text, 'n', transition->to));
    double sum = writer->weight_sums[transition->from];
    if (sum > 0)
        set(edge, "weight", json_real(transition->weight / sum));
    json_t *own = own_properties(edge);
    set_text(own, "kind", transition->kind == TAC_EVENT_SYSTEM ? "system" : "user");
    if (transition->time >= 0)
        set(own, "time", json_real(transition->time));
    if (transition->weight != 1)
        set(own, "weight", json_real(transition->weight));
    if (transition->sends != TAC_MODEL_NONE)
        set_text(own, "sends", model->channels[transition->sends]);
    if (transition->receives != TAC_MODEL_NONE)
        set_text(own, "receives", model->channels[transition->receives]);
    set_note(writer, own, "note", transition->note);
    set_note(writer, edge, "guard", transition->guard);
    if (transition->update != TAC_MODEL_NONE)
        set(edge, "actions", json_pack("[o]", tac_json_string(model->notes[transition->update])));
    if (transition->labels != TAC_MODEL_NONE)
        set(edge, "requirements",
            json_pack("[o]", tac_json_string(model->notes[transition->labels])));
    if (transition->dependency >= 0)
        set(edge, "dependency", json_real(transition->dependency));
    set_note(writer, own, "expect", transition->expect);
    if (transition->action_count)
        set(own, "actions",
            describe_list_json(&walker_action_described, &model->actions[transition->first_action],
                               transition->action_count));
    return edge;
}

static void add_place(const tac_model *model, uint32_t m, json_t *own)
{
    const tac_model_machine *machine = &model->machines[m];
    const tac_model_activity *activity = &model->activities[machine->activity];
    const tac_model_application *application = &model->applications[activity->application];
    const tac_model_device *device = &model->devices[application->device];
    set_text(own, "device", device->name);
    set_text(own, "serialNumber", device->serial);
    set_text(own, "application", application->name);
    set_text(own, "codeName", application->code_name);
    set_text(own, "package", application->package);
    set_true(own, "applicationExternal", application->external);
    set_text(own, "activity", activity->name);
    set_true(own, "activityExternal", activity->external);
    set_true(own, "external", machine->external);
    set_text(own, "initial", model->nodes[machine->initial].name);
}

/* Writes one element of a list and forgets it: a project of a million states is never in memory as
 * JSON. */
static void emit(struct walker_writer *writer, json_t *value, bool *first)
{
    if (!*first)
        fputc(',', writer->out);
    *first = false;
    char *text = tac_json_text(value, JSON_COMPACT);
    fputs(text, writer->out);
    free(text);
    json_decref(value);
}

static void emit_vertices(struct walker_writer *writer, const tac_model_machine *machine)
{
    const tac_model *model = writer->model;
    bool first = true;
    fputs(",\"vertices\":[", writer->out);
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
        emit(writer, vertex_json(writer, n), &first);
        if (model->nodes[n].kind == TAC_NODE_CONNECTION)
            emit(writer, return_vertex(writer, n), &first);
    }
    fputs("],\"edges\":[", writer->out);
    first = true;
    for (uint32_t t = 0; t < machine->transition_count; t++)
        emit(writer, edge_json(writer, machine->first_transition + t), &first);
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++)
        if (model->nodes[n].kind == TAC_NODE_CONNECTION)
            emit(writer, return_edge(writer, n), &first);
    fputc(']', writer->out);
}

static void emit_member(struct walker_writer *writer, const char *key, json_t *value)
{
    bool first = true;
    fprintf(writer->out, "\"%s\":", key);
    emit(writer, value, &first);
}

static void emit_machine(struct walker_writer *writer, uint32_t m)
{
    const tac_model *model = writer->model;
    const tac_model_machine *machine = &model->machines[m];
    char text[24];
    fputc('{', writer->out);
    emit_member(writer, "name", tac_json_string(machine->name));
    fputc(',', writer->out);
    emit_member(writer, "id", json_string(id(text, 'm', m)));
    fputs(",\"generator\":\"random(edge_coverage(100))\"", writer->out);
    if (*model->setup) { /* the models of GraphWalker have variables of their own */
        fputc(',', writer->out);
        emit_member(writer, "actions", json_pack("[o]", tac_json_string(model->setup)));
    }
    if (tac_model_machine_is_start(model, m)) {
        fputc(',', writer->out);
        emit_member(writer, "startElementId", json_string(id(text, 'n', machine->initial)));
    }
    emit_vertices(writer, machine);
    json_t *own = json_object();
    add_place(model, m, own);
    fputc(',', writer->out);
    emit_member(writer, "properties", json_pack("{s:o}", "tactus", own));
    fputc('}', writer->out);
}

static uint8_t *how_called(const tac_model *model)
{
    uint8_t *through = tac_calloc((size_t)model->machine_count + 1, 1);
    uint8_t *activities = tac_calloc((size_t)model->activity_count + 1, 1);
    for (uint32_t c = 0; c < model->call_count; c++) {
        if (model->calls[c].machine != TAC_MODEL_NONE)
            through[model->calls[c].machine] = 1;
        else
            activities[model->calls[c].activity] = 1;
    }
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (activities[model->machines[m].activity] && model->machines[m].external)
            through[m] = 2;
    free(activities);
    return through;
}

tac_status tac_model_write_graphwalker(const tac_model *model, FILE *out, tac_error *err)
{
    struct walker_writer writer = {.model = model,
                                   .out = out,
                                   .through = how_called(model),
                                   .weight_sums = sum_weights(model)};
    fputc('{', out);
    emit_member(&writer, "name", tac_json_string(model->name));
    if (*model->setup) {
        fputc(',', out);
        emit_member(&writer, "setup", tac_json_string(model->setup));
    }
    fputs(",\"models\":[", out);
    for (uint32_t m = 0; m < model->machine_count; m++) {
        fputs(m ? ",\n" : "\n", out);
        emit_machine(&writer, m);
    }
    fputs("]}\n", out);
    tac_str_free(&writer.path);
    free(writer.weight_sums);
    free(writer.through);
    return ferror(out) ? tac_fail_errno(err, errno, "", "cannot write the project") : TAC_OK;
}
