/* The model file, in the order of the arrays. Reading the file back and writing it again gives the
 * same bytes. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/xml.h"
#include "model/builder.h"
#include <errno.h>
#include <string.h>

struct writer {
    const tac_model *model;
    FILE *out;
    tac_str line;
    tac_str path; /* scratch for what a connection calls */
    tac_str part; /* scratch for a piece of a value */
};

/* An apostrophe may stand inside double quotes; left as it is, an XPath stays readable. */
static void attribute(struct writer *writer, const char *name, const char *value)
{
    tac_str_addf(&writer->line, " %s=\"", name);
    for (const char *quote; (quote = strchr(value, '\'')); value = quote + 1) {
        tac_str_clear(&writer->part);
        tac_str_add_bytes(&writer->part, value, (size_t)(quote - value));
        tac_xml_escape(&writer->line, tac_str_text(&writer->part));
        tac_str_add_char(&writer->line, '\'');
    }
    tac_xml_escape(&writer->line, value);
    tac_str_add_char(&writer->line, '"');
}

static void filled_attribute(struct writer *writer, const char *name, const char *value)
{
    if (value && *value)
        attribute(writer, name, value);
}

static void number_attribute(struct writer *writer, const char *name, double value)
{
    char text[40];
    attribute(writer, name, tac_double_text(value, text, sizeof text));
}

static void end_line(struct writer *writer, const char *end)
{
    tac_str_add(&writer->line, end);
    fwrite(tac_str_text(&writer->line), 1, writer->line.length, writer->out);
    tac_str_clear(&writer->line);
}

/* A bare name where it means the same on reading back (see calls.c), else the full path. A
 * machine of the same activity, or a name that no other machine or activity has: the maps of the
 * resolver are not at hand here, so everything outside the own activity gets a path unless the name
 * is unique in the model. */
static const char *call_text(struct writer *writer, const uint32_t *uses,
                             const tac_model_call *call, uint32_t machine)
{
    const tac_model *model = writer->model;
    if (call->machine != TAC_MODEL_NONE &&
        (uses[call->machine] == 1 ||
         model->machines[call->machine].activity == model->machines[machine].activity))
        return model->machines[call->machine].name;
    if (call->activity != TAC_MODEL_NONE && uses[model->machine_count + call->activity] == 1)
        return model->activities[call->activity].name;
    uint32_t activity =
        call->machine != TAC_MODEL_NONE ? model->machines[call->machine].activity : call->activity;
    tac_str_clear(&writer->path);
    tac_str_addf(&writer->path, "%s/%s",
                 model->applications[model->activities[activity].application].name,
                 model->activities[activity].name);
    if (call->machine != TAC_MODEL_NONE)
        tac_str_addf(&writer->path, "/%s", model->machines[call->machine].name);
    return tac_str_text(&writer->path);
}

/* How many machines and activities of the model share each one's name: machines first. */
static uint32_t *count_names(const tac_model *model)
{
    uint32_t count = model->machine_count + model->activity_count;
    uint32_t *uses = tac_calloc((size_t)count + 1, sizeof *uses);
    uint32_t *ids = tac_calloc((size_t)count + 1, sizeof *ids);
    uint32_t *totals = tac_calloc((size_t)count + 1, sizeof *totals);
    tac_names names = {0};
    for (uint32_t i = 0; i < count; i++) {
        ids[i] = tac_names_intern(&names, i < model->machine_count
                                              ? model->machines[i].name
                                              : model->activities[i - model->machine_count].name);
        totals[ids[i]]++;
    }
    for (uint32_t i = 0; i < count; i++)
        uses[i] = totals[ids[i]];
    tac_names_free(&names);
    free(ids);
    free(totals);
    return uses;
}

/* One element per line of the text. */
static void write_untried(struct writer *writer, const char *xpaths)
{
    for (const char *at = xpaths; *at;) {
        size_t length = strcspn(at, "\n");
        char *xpath = tac_strndup(at, length);
        tac_str_add(&writer->line, "            <untried");
        attribute(writer, "xpath", xpath);
        end_line(writer, "/>\n");
        free(xpath);
        at += length + (at[length] == '\n');
    }
}

static void write_expect(struct writer *writer, const char *conditions)
{
    for (const char *at = conditions; *at;) {
        size_t length = strcspn(at, "\n");
        tac_str_clear(&writer->part);
        tac_str_add_bytes(&writer->part, at, length);
        tac_str_add(&writer->line, "            <expect>");
        tac_xml_escape(&writer->line, tac_str_text(&writer->part));
        end_line(writer, "</expect>\n");
        at += length + (at[length] == '\n');
    }
}

static void write_nodes(struct writer *writer, const uint32_t *uses, uint32_t m)
{
    const tac_model *model = writer->model;
    const tac_model_machine *machine = &model->machines[m];
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
        const tac_model_node *node = &model->nodes[n];
        tac_str_addf(&writer->line, "          <%s", tac_model_node_word(node->kind));
        attribute(writer, "name", node->name);
        if (node->labels != TAC_MODEL_NONE)
            attribute(writer, "labels", model->notes[node->labels]);
        if (node->image != TAC_MODEL_NONE)
            attribute(writer, "image", model->notes[node->image]);
        if (node->leaves)
            attribute(writer, "leaves", "true");
        if (node->kind == TAC_NODE_CONNECTION) {
            const tac_model_call *call = &model->calls[node->call];
            attribute(writer, "calls", call_text(writer, uses, call, m));
            if (call->enters != TAC_MODEL_NONE) {
                attribute(writer, "enters", model->nodes[call->enters].name);
            } else {
                attribute(writer, "returns", model->nodes[call->returns].name);
                attribute(writer, "reuse", call->reuse ? "true" : "false");
                attribute(writer, "autoReturn", call->auto_return ? "true" : "false");
            }
        }
        bool filled = node->expect != TAC_MODEL_NONE || node->untried != TAC_MODEL_NONE;
        end_line(writer, filled ? ">\n" : "/>\n");
        if (!filled)
            continue;
        if (node->expect != TAC_MODEL_NONE)
            write_expect(writer, model->notes[node->expect]);
        if (node->untried != TAC_MODEL_NONE)
            write_untried(writer, model->notes[node->untried]);
        tac_str_addf(&writer->line, "          </%s>", tac_model_node_word(node->kind));
        end_line(writer, "\n");
    }
}

static void write_action(struct writer *writer, const tac_model_action *action)
{
    tac_str_add(&writer->line, "            <action");
    attribute(writer, "kind", tac_action_kind_name(action->kind));
    if (action->xpath)
        attribute(writer, "xpath", action->xpath);
    if (action->resource_id)
        attribute(writer, "resourceId", action->resource_id);
    if (action->text)
        attribute(writer, "text", action->text);
    if (action->value)
        attribute(writer, "value", action->value);
    if (action->area)
        attribute(writer, "area", action->area);
    if (action->fragile)
        attribute(writer, "fragile", "true");
    end_line(writer, "/>\n");
}

static void write_transition(struct writer *writer, const tac_model_transition *transition)
{
    const tac_model *model = writer->model;
    const char *event = model->events[transition->event];
    tac_event_kind by_name = tac_ends_with(event, "-") ? TAC_EVENT_SYSTEM : TAC_EVENT_USER;
    tac_str_add(&writer->line, "          <transition");
    attribute(writer, "from", model->nodes[transition->from].name);
    attribute(writer, "event", event);
    attribute(writer, "to", model->nodes[transition->to].name);
    if (transition->kind != by_name)
        attribute(writer, "kind", transition->kind == TAC_EVENT_SYSTEM ? "system" : "user");
    if (transition->time >= 0)
        number_attribute(writer, "time", transition->time);
    if (transition->weight != 1)
        number_attribute(writer, "weight", transition->weight);
    if (transition->sends != TAC_MODEL_NONE)
        attribute(writer, "sends", model->channels[transition->sends]);
    if (transition->receives != TAC_MODEL_NONE)
        attribute(writer, "receives", model->channels[transition->receives]);
    if (transition->note != TAC_MODEL_NONE)
        attribute(writer, "note", model->notes[transition->note]);
    if (transition->guard != TAC_MODEL_NONE)
        attribute(writer, "guard", model->notes[transition->guard]);
    if (transition->update != TAC_MODEL_NONE)
        attribute(writer, "update", model->notes[transition->update]);
    if (transition->labels != TAC_MODEL_NONE)
        attribute(writer, "labels", model->notes[transition->labels]);
    if (transition->dependency >= 0)
        number_attribute(writer, "dependency", transition->dependency);
    bool filled = transition->action_count || transition->expect != TAC_MODEL_NONE;
    end_line(writer, filled ? ">\n" : "/>\n");
    for (uint32_t a = 0; a < transition->action_count; a++)
        write_action(writer, &model->actions[transition->first_action + a]);
    if (transition->expect != TAC_MODEL_NONE)
        write_expect(writer, model->notes[transition->expect]);
    if (filled)
        end_line(writer, "          </transition>\n");
}

static void external_attribute(struct writer *writer, bool external)
{
    if (external)
        attribute(writer, "external", "true");
    end_line(writer, ">\n");
}

static void write_machine(struct writer *writer, const uint32_t *uses, uint32_t m)
{
    const tac_model *model = writer->model;
    const tac_model_machine *machine = &model->machines[m];
    tac_str_add(&writer->line, "        <stateMachine");
    attribute(writer, "name", machine->name);
    external_attribute(writer, machine->external);
    tac_str_add(&writer->line, "          <initial");
    attribute(writer, "to", model->nodes[machine->initial].name);
    end_line(writer, "/>\n");
    write_nodes(writer, uses, m);
    for (uint32_t t = 0; t < machine->transition_count; t++)
        write_transition(writer, &model->transitions[machine->first_transition + t]);
    end_line(writer, "        </stateMachine>\n");
}

static void write_application(struct writer *writer, const uint32_t *uses,
                              const tac_model_application *application)
{
    const tac_model *model = writer->model;
    tac_str_add(&writer->line, "    <application");
    attribute(writer, "name", application->name);
    filled_attribute(writer, "codeName", application->code_name);
    filled_attribute(writer, "package", application->package);
    external_attribute(writer, application->external);
    for (uint32_t i = 0; i < application->activity_count; i++) {
        const tac_model_activity *activity = &model->activities[application->first_activity + i];
        tac_str_add(&writer->line, "      <activity");
        attribute(writer, "name", activity->name);
        external_attribute(writer, activity->external);
        for (uint32_t m = 0; m < activity->machine_count; m++)
            write_machine(writer, uses, activity->first_machine + m);
        end_line(writer, "      </activity>\n");
    }
    end_line(writer, "    </application>\n");
}

tac_status tac_model_write(const tac_model *model, FILE *out, tac_error *err)
{
    struct writer writer = {.model = model, .out = out};
    uint32_t *uses = count_names(model);
    tac_str_add(&writer.line, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                              "<interactionModel xmlns=\"urn:tactus:interaction-model:1\"");
    filled_attribute(&writer, "name", model->name);
    filled_attribute(&writer, "setup", model->setup);
    end_line(&writer, ">\n");
    for (uint32_t d = 0; d < model->device_count; d++) {
        const tac_model_device *device = &model->devices[d];
        tac_str_add(&writer.line, "  <device");
        attribute(&writer, "name", device->name);
        filled_attribute(&writer, "serialNumber", device->serial);
        end_line(&writer, ">\n");
        for (uint32_t a = 0; a < device->application_count; a++)
            write_application(&writer, uses, &model->applications[device->first_application + a]);
        end_line(&writer, "  </device>\n");
    }
    end_line(&writer, "</interactionModel>\n");
    free(uses);
    tac_str_free(&writer.line);
    tac_str_free(&writer.path);
    tac_str_free(&writer.part);
    if (ferror(out))
        return tac_fail_errno(err, errno, "", "cannot write the model");
    return TAC_OK;
}
