/* Reads model files as a stream: the schema is checked while reading, elements go straight into a
 * builder, and no document tree is ever built, so a file of 200 MB needs little more memory than
 * the model it describes. An element that the schema has refused is skipped here; reading goes on,
 * so that every mistake of a file is reported at once. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/visible.h"
#include "base/io/xml.h"
#include "model/builder.h"
#include "model/interaction_model_xsd.h"
#include <stdio.h>
#include <string.h>

#define MODEL_NAMESPACE "urn:tactus:interaction-model:1"

/* The elements that are open at the moment, TAC_NONE when none is. */
struct model_reader {
    tac_xml_reader *xml;
    tac_model_builder *builder;
    tac_diagnostics *diagnostics;
    uint32_t device, application, activity, machine, node, transition;
    bool in_transition, expecting;
    tac_str condition; /* of the <expect> that is open */
    bool recognised;   /* an element of our namespace was seen */
    bool combining;    /* a later file of several: devices of the same name are joined */
};

/* The schema's types allow blanks around a value. */
static const char *value_of(struct model_reader *reader, const char *name, char buffer[64])
{
    const char *value = tac_xml_attribute(reader->xml, name);
    if (!value)
        return NULL;
    value += strspn(value, " \t\r\n");
    snprintf(buffer, 64, "%.*s", (int)strcspn(value, " \t\r\n"), value);
    return buffer;
}

static bool flag(struct model_reader *reader, const char *name, bool otherwise)
{
    char buffer[64];
    const char *value = value_of(reader, name, buffer);
    if (!value)
        return otherwise;
    return strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
}

/* The schema has refused what is no number (it runs ahead of the reader); should it take something
 * that we cannot hold, that is an error too. */
static double number(struct model_reader *reader, const char *name, double otherwise)
{
    char buffer[64];
    const char *text = value_of(reader, name, buffer);
    double value;
    if (!text)
        return otherwise;
    if (tac_parse_double(*text == '+' ? text + 1 : text, &value))
        return value;
    if (!reader->diagnostics->errors)
        tac_diagnostics_add(reader->diagnostics, TAC_ERROR,
                            reader->builder->names.text[tac_vec_last(&reader->builder->files)],
                            tac_xml_line(reader->xml), 0,
                            "the %s '%s' is not a number that can be held", name, text);
    return otherwise;
}

static uint32_t line_of(struct model_reader *reader)
{
    size_t line = tac_xml_line(reader->xml);
    return line < UINT32_MAX ? (uint32_t)line : UINT32_MAX;
}

static void read_device(struct model_reader *reader)
{
    tac_model_builder *builder = reader->builder;
    const char *name = tac_xml_attribute(reader->xml, "name");
    const char *serial = tac_xml_attribute(reader->xml, "serialNumber");
    reader->device = TAC_NONE;
    if (!name)
        return;
    uint32_t known = reader->combining ? tac_names_find(&builder->names, name) : TAC_NONE;
    for (uint32_t d = 0; known != TAC_NONE && d < builder->devices.count; d++) {
        struct build_device *device = &builder->devices.at[d];
        if (device->name != known || device->file == builder->files.count - 1)
            continue;
        reader->device = d;
        const char *old = builder->names.text[device->serial];
        if (serial && *serial && !*old)
            device->serial = tac_names_intern(&builder->names, serial);
        else if (serial && *serial && strcmp(serial, old) != 0)
            tac_diagnostics_add(reader->diagnostics, TAC_WARNING,
                                builder->names.text[tac_vec_last(&builder->files)], line_of(reader),
                                0,
                                "the device '%s' has the serial number '%s' in an earlier "
                                "file, which is kept",
                                name, old);
        return;
    }
    reader->device = tac_build_device(builder, name, serial, line_of(reader));
}

static void read_application(struct model_reader *reader)
{
    const char *name = tac_xml_attribute(reader->xml, "name");
    reader->application = TAC_NONE;
    if (!name || reader->device == TAC_NONE)
        return;
    reader->application = tac_build_application(reader->builder, reader->device, name,
                                                tac_xml_attribute(reader->xml, "codeName"),
                                                tac_xml_attribute(reader->xml, "package"),
                                                flag(reader, "external", false), line_of(reader));
}

static void read_activity(struct model_reader *reader)
{
    const char *name = tac_xml_attribute(reader->xml, "name");
    reader->activity = TAC_NONE;
    if (!name || reader->application == TAC_NONE)
        return;
    reader->activity = tac_build_activity(reader->builder, reader->application, name,
                                          flag(reader, "external", false), line_of(reader));
}

static void read_machine(struct model_reader *reader)
{
    const char *name = tac_xml_attribute(reader->xml, "name");
    reader->machine = TAC_NONE;
    if (!name || reader->activity == TAC_NONE)
        return;
    reader->machine = tac_build_machine(reader->builder, reader->activity, name,
                                        flag(reader, "external", false), line_of(reader));
}

static void read_initial(struct model_reader *reader)
{
    const char *to = tac_xml_attribute(reader->xml, "to");
    if (to && reader->machine != TAC_NONE)
        tac_build_initial(reader->builder, reader->machine, to, line_of(reader));
}

static void read_node(struct model_reader *reader, tac_node_kind kind)
{
    const char *name = tac_xml_attribute(reader->xml, "name");
    reader->in_transition = false;
    reader->node = TAC_NONE;
    if (!name || reader->machine == TAC_NONE)
        return;
    uint32_t node = tac_build_node(reader->builder, reader->machine, kind, name, line_of(reader));
    reader->node = node;
    const char *labels = tac_xml_attribute(reader->xml, "labels");
    if (labels && *labels)
        tac_build_node_labels(reader->builder, node, labels);
    tac_build_image(reader->builder, node, tac_xml_attribute(reader->xml, "image"));
    if (kind == TAC_NODE_FINAL && flag(reader, "leaves", false))
        tac_build_leaves(reader->builder, node);
    if (kind != TAC_NODE_CONNECTION)
        return;
    const char *calls = tac_xml_attribute(reader->xml, "calls");
    const char *returns = tac_xml_attribute(reader->xml, "returns");
    const char *enters = tac_xml_attribute(reader->xml, "enters");
    if (calls && enters && !returns)
        tac_build_jump(reader->builder, node, calls, enters);
    else if (calls && returns && !enters)
        tac_build_call(reader->builder, node, calls, returns, flag(reader, "reuse", false),
                       flag(reader, "autoReturn", true));
}

static void read_transition(struct model_reader *reader)
{
    const char *from = tac_xml_attribute(reader->xml, "from");
    const char *event = tac_xml_attribute(reader->xml, "event");
    const char *to = tac_xml_attribute(reader->xml, "to");
    reader->transition = TAC_NONE;
    reader->in_transition = true;
    if (!from || !event || !to || reader->machine == TAC_NONE)
        return;
    const char *kind = tac_xml_attribute(reader->xml, "kind");
    int kind_value = -1;
    if (kind && strcmp(kind, "user") == 0)
        kind_value = TAC_EVENT_USER;
    else if (kind && strcmp(kind, "system") == 0)
        kind_value = TAC_EVENT_SYSTEM;
    reader->transition = tac_build_transition(
        reader->builder, reader->machine, from, event, to, kind_value, number(reader, "time", -1),
        number(reader, "weight", 1), tac_xml_attribute(reader->xml, "sends"),
        tac_xml_attribute(reader->xml, "receives"), line_of(reader));
    const char *note = tac_xml_attribute(reader->xml, "note");
    if (note && *note)
        tac_build_note(reader->builder, reader->transition, note);
    static const struct {
        const char *name;
        void (*build)(tac_model_builder *builder, uint32_t transition, const char *text);
    } more[] = {{"guard", tac_build_guard},
                {"update", tac_build_update},
                {"labels", tac_build_transition_labels}};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const char *text = tac_xml_attribute(reader->xml, more[i].name);
        if (text && *text)
            more[i].build(reader->builder, reader->transition, text);
    }
    double dependency = number(reader, "dependency", -1);
    if (dependency >= 0)
        tac_build_dependency(reader->builder, reader->transition, dependency);
}

static void read_action(struct model_reader *reader)
{
    const char *name = tac_xml_attribute(reader->xml, "kind");
    tac_action_kind kind;
    if (!name || reader->transition == TAC_NONE || !tac_action_kind_parse(name, &kind))
        return;
    tac_build_action(
        reader->builder, reader->transition, kind, tac_xml_attribute(reader->xml, "xpath"),
        tac_xml_attribute(reader->xml, "resourceId"), tac_xml_attribute(reader->xml, "text"),
        tac_xml_attribute(reader->xml, "value"));
    tac_build_area(reader->builder, tac_xml_attribute(reader->xml, "area"));
    const char *fragile = tac_xml_attribute(reader->xml, "fragile");
    if (fragile && (!strcmp(fragile, "true") || !strcmp(fragile, "1")))
        tac_build_fragile(reader->builder);
}

/* Comments end with their line, so that they cannot stay where lines are joined. */
static void blank_comments(char *text)
{
    char quote = 0;
    bool comment = false;
    for (; *text; text++) {
        comment = *text != '\n' && (comment || (!quote && *text == '#'));
        if (comment)
            *text = ' ';
        else if (quote && *text == quote && text[-1] != '\\')
            quote = 0;
        else if (!quote && (*text == '"' || *text == '\''))
            quote = *text;
    }
}

/* The condition on one line; it belongs to the state or the transition that is open. */
static void end_expect(struct model_reader *reader)
{
    char *whole = tac_strdup(tac_str_text(&reader->condition));
    blank_comments(whole);
    char *line = tac_strdup(whole + strspn(whole, " \t\r\n"));
    free(whole);
    size_t length = strlen(line);
    while (length && strchr(" \t\r\n", line[length - 1]))
        line[--length] = '\0';
    for (char *at = line; *at; at++)
        *at = strchr("\t\r\n", *at) ? ' ' : *at;
    if (reader->in_transition && reader->transition != TAC_NONE)
        tac_build_transition_expect(reader->builder, reader->transition, line);
    else if (!reader->in_transition && reader->node != TAC_NONE)
        tac_build_node_expect(reader->builder, reader->node, line);
    free(line);
    tac_str_clear(&reader->condition);
    reader->expecting = false;
}

static void read_content(struct model_reader *reader)
{
    int type = xmlTextReaderNodeType(tac_xml_raw(reader->xml));
    const xmlChar *text = xmlTextReaderConstValue(tac_xml_raw(reader->xml));
    if (type == XML_READER_TYPE_END_ELEMENT && !strcmp(tac_xml_name(reader->xml), "expect"))
        end_expect(reader);
    else if (text && (type == XML_READER_TYPE_TEXT || type == XML_READER_TYPE_CDATA ||
                      type == XML_READER_TYPE_SIGNIFICANT_WHITESPACE))
        tac_str_add(&reader->condition, (const char *)text);
}

static void read_root(struct model_reader *reader)
{
    const char *name = tac_xml_attribute(reader->xml, "name");
    const char *setup = tac_xml_attribute(reader->xml, "setup");
    tac_model_builder *builder = reader->builder;
    if (setup)
        tac_build_setup(builder, setup);
    name = tac_xml_attribute(reader->xml, "name");
    if (!name)
        return;
    const char *old = builder->names.text[builder->name];
    if (!reader->combining || !*old) {
        builder->name = tac_names_intern(&builder->names, name);
        return;
    }
    tac_str joined = {0};
    tac_str_addf(&joined, "%s+%s", old, name);
    builder->name = tac_names_intern(&builder->names, tac_str_text(&joined));
    tac_str_free(&joined);
}

/* Names are text that can be shown; what an action selects by may be any text. */
static void check_names(struct model_reader *reader)
{
    static const char *const names[] = {
        "name", "codeName", "package", "serialNumber", "event", "sends", "receives", "from", "to"};
    char buffer[TAC_NAME_FLAW];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = tac_xml_attribute(reader->xml, names[i]);
        const char *flaw = value ? tac_name_flaw(value, buffer) : NULL;
        if (!flaw)
            continue;
        char *shown = tac_visible(value);
        tac_diagnostics_add(
            reader->diagnostics, TAC_ERROR,
            reader->builder->names.text[tac_vec_last(&reader->builder->files)], line_of(reader), 0,
            "the %s '%.200s' %s; names are text that can be shown", names[i], shown, flaw);
        free(shown);
    }
}

static void read_element(struct model_reader *reader)
{
    const xmlChar *space = xmlTextReaderConstNamespaceUri(tac_xml_raw(reader->xml));
    const char *name = tac_xml_name(reader->xml);
    if (!space || strcmp((const char *)space, MODEL_NAMESPACE) != 0)
        return;
    reader->recognised = true;
    if (strcmp(name, "action") != 0)
        check_names(reader);
    if (strcmp(name, "transition") == 0)
        read_transition(reader);
    else if (strcmp(name, "state") == 0)
        read_node(reader, TAC_NODE_STATE);
    else if (strcmp(name, "action") == 0)
        read_action(reader);
    else if (strcmp(name, "expect") == 0)
        reader->expecting = !xmlTextReaderIsEmptyElement(tac_xml_raw(reader->xml));
    else if (strcmp(name, "untried") == 0 && reader->node != TAC_NONE)
        tac_build_untried(reader->builder, reader->node, tac_xml_attribute(reader->xml, "xpath"));
    else if (strcmp(name, "connection") == 0)
        read_node(reader, TAC_NODE_CONNECTION);
    else if (strcmp(name, "final") == 0)
        read_node(reader, TAC_NODE_FINAL);
    else if (strcmp(name, "initial") == 0)
        read_initial(reader);
    else if (strcmp(name, "stateMachine") == 0)
        read_machine(reader);
    else if (strcmp(name, "activity") == 0)
        read_activity(reader);
    else if (strcmp(name, "application") == 0)
        read_application(reader);
    else if (strcmp(name, "device") == 0)
        read_device(reader);
    else if (strcmp(name, "interactionModel") == 0)
        read_root(reader);
}

/* A file that is not well formed is one error at the place where it breaks; what was read of it is
 * then not judged. */
static tac_status read_file(tac_model_builder *builder, const char *path, bool combining,
                            tac_diagnostics *diagnostics, tac_error *err)
{
    struct model_reader reader = {.builder = builder,
                                  .diagnostics = diagnostics,
                                  .device = TAC_NONE,
                                  .application = TAC_NONE,
                                  .activity = TAC_NONE,
                                  .machine = TAC_NONE,
                                  .node = TAC_NONE,
                                  .transition = TAC_NONE,
                                  .combining = combining};
    tac_status status = tac_xml_open(path, NULL, interaction_model_xsd, interaction_model_xsd_size,
                                     diagnostics, &reader.xml, err);
    if (status != TAC_OK)
        return status;
    tac_error problem = {0};
    bool more = true;
    while ((status = tac_xml_next(reader.xml, &more, &problem)) == TAC_OK && more)
        if (xmlTextReaderNodeType(tac_xml_raw(reader.xml)) == XML_READER_TYPE_ELEMENT)
            read_element(&reader);
        else if (reader.expecting)
            read_content(&reader);
    tac_xml_close(reader.xml);
    tac_str_free(&reader.condition);
    if (status == TAC_E_INPUT) {
        tac_diagnostics_add(diagnostics, TAC_ERROR, problem.file, problem.line, problem.column,
                            "%s%s", problem.message,
                            reader.recognised ? "; the file is cut off or damaged here" : "");
        return tac_diagnostics_fail(diagnostics, err);
    }
    if (status == TAC_OK && !reader.recognised) {
        tac_diagnostics_add(diagnostics, TAC_ERROR, strcmp(path, "-") ? path : "<stdin>", 1, 0,
                            "not an interaction model: expected <interactionModel xmlns=\"%s\">",
                            MODEL_NAMESPACE);
        return tac_diagnostics_fail(diagnostics, err);
    }
    if (status != TAC_OK && err)
        *err = problem;
    return status;
}

/* Schema messages name every element with its namespace; people know it. */
static void shorten(char *message)
{
    static const char prefix[] = "{" MODEL_NAMESPACE "}";
    for (char *at; (at = strstr(message, prefix));)
        memmove(at, at + sizeof prefix - 1, strlen(at + sizeof prefix - 1) + 1);
}

static int compare_places(const void *left, const void *right)
{
    const tac_diagnostic *a = left, *b = right;
    int files = strcmp(a->file, b->file);
    if (files)
        return files;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return strcmp(a->message, b->message);
}

tac_status tac_model_load_many(const char *const *paths, size_t count, tac_diagnostics *diagnostics,
                               tac_model **out, tac_error *err)
{
    if (!count)
        return tac_fail(err, TAC_E_USAGE, "no model file was given");
    tac_model_builder *builder =
        tac_model_builder_new("", strcmp(paths[0], "-") ? paths[0] : "<stdin>");
    builder->names_are_checked = true;
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        if (i > 0)
            tac_vec_push(
                &builder->files,
                tac_names_intern(&builder->names, strcmp(paths[i], "-") ? paths[i] : "<stdin>"));
        status = read_file(builder, paths[i], i > 0, diagnostics, err);
    }
    if (status == TAC_OK)
        status = tac_model_builder_finish(builder, diagnostics, out, err);
    else
        tac_model_builder_free(builder);
    for (size_t i = 0; i < diagnostics->count; i++)
        shorten(diagnostics->at[i].message);
    if (diagnostics->count > 1)
        qsort(diagnostics->at, diagnostics->count, sizeof *diagnostics->at, compare_places);
    if (status == TAC_E_INPUT && diagnostics->errors)
        return tac_diagnostics_fail(diagnostics, err);
    return status;
}

tac_status tac_model_load(const char *path, tac_diagnostics *diagnostics, tac_model **out,
                          tac_error *err)
{
    return tac_model_load_many(&path, 1, diagnostics, out, err);
}
