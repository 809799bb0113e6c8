/* Reads requirements: the published XML, validated by the schema that is embedded in the library.
 *
 * The schema decides the shape; what is left for this file is the meaning of single elements: a
 * `visit="true"` among the invariants, the number of atoms of a simple constraint, bounds that
 * exclude each other. Every finding is reported with its line, not only the first. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/xml.h"
#include "flow/require/tree.h"
#include "flow/requirement_schema.h"
#include <string.h>

#define MAX_SIZE ((size_t)16 << 20)

struct reading {
    tac_requirement *requirement;
    tac_diagnostics *diagnostics;
    const char *name;
};

#define COMPLAIN(in, node, ...)                                                                    \
    tac_diagnostics_add((in)->diagnostics, TAC_ERROR, (in)->name, (size_t)xmlGetLineNo(node), 0,   \
                        __VA_ARGS__)

/* An attribute's value, the caller's; NULL when absent. */
static char *attribute(xmlNodePtr node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    char *copy = value ? tac_strdup((const char *)value) : NULL;
    xmlFree(value);
    return copy;
}

static bool is_true(xmlNodePtr node, const char *name, bool otherwise)
{
    char *value = attribute(node, name);
    bool result = value ? !strcmp(value, "true") || !strcmp(value, "1") : otherwise;
    free(value);
    return result;
}

static uint32_t number(xmlNodePtr node, const char *name, uint32_t otherwise)
{
    char *value = attribute(node, name);
    uint64_t parsed = otherwise;
    if (value && (!tac_parse_u64(value, &parsed) || parsed > UINT32_MAX))
        parsed = otherwise;
    free(value);
    return (uint32_t)parsed;
}

static double seconds(xmlNodePtr node, const char *name)
{
    char *value = attribute(node, name);
    double parsed = -1;
    if (value && !tac_parse_double(value, &parsed))
        parsed = -1;
    free(value);
    return parsed;
}

static bool is_element(xmlNodePtr node, const char *name)
{
    return !strcmp((const char *)node->name, name);
}

#define FOR_EACH_ELEMENT(child, parent)                                                            \
    for (xmlNodePtr child = (parent)->children; child; child = child->next)                        \
        if (child->type == XML_ELEMENT_NODE)

static void read_atom(xmlNodePtr node, tac_requirement_atom *atom)
{
    *atom = (tac_requirement_atom){
        .kind = is_element(node, "state")   ? TAC_ATOM_STATE
                : is_element(node, "event") ? TAC_ATOM_EVENT
                                            : TAC_ATOM_VIEW,
        .visit = is_true(node, "visit", true),
        .name = attribute(node, "name"),
        .view = attribute(node, "view"),
        .machine = attribute(node, "statemachine"),
        .line = (size_t)xmlGetLineNo(node),
    };
    if (!atom->name)
        atom->name = tac_strdup("");
}

static void read_loop(struct reading *in, xmlNodePtr node)
{
    static const char *const kinds[] = {"transition", "state", "consecutive"};
    char *kind = attribute(node, "kind");
    tac_loop_kind parsed = TAC_LOOP_TRANSITION;
    for (int i = 0; kind && i < 3; i++)
        if (!strcmp(kind, kinds[i]))
            parsed = (tac_loop_kind)i;
    free(kind);
    uint32_t min = number(node, "min", 0), max = number(node, "max", TAC_UNBOUNDED);
    if (!min && max == TAC_UNBOUNDED)
        COMPLAIN(in, node, "the loop is not bounded; give it a min or a max");
    if (min > max)
        COMPLAIN(in, node, "loop: min %u is greater than max %u; no flow can meet it", min, max);
    tac_requirement_limit_loops(in->requirement, parsed, min, max);
    in->requirement->loops[in->requirement->loop_count - 1].line = (size_t)xmlGetLineNo(node);
}

static void read_invariants(struct reading *in, xmlNodePtr parent)
{
    tac_requirement *requirement = in->requirement;
    FOR_EACH_ELEMENT(node, parent)
    {
        if (is_element(node, "loop")) {
            read_loop(in, node);
        } else if (is_element(node, "event")) {
            char *name = attribute(node, "name");
            tac_requirement_limit_event(requirement, name ? name : "",
                                        number(node, "max", TAC_UNBOUNDED), seconds(node, "time"));
            tac_requirement_event *event = &requirement->events[requirement->event_count - 1];
            event->line = (size_t)xmlGetLineNo(node);
            if (event->max == TAC_UNBOUNDED && event->time < 0)
                COMPLAIN(in, node,
                         "event '%s': nothing is asked of it; give it a max or a time, or write "
                         "it as a <constraint> of the <sequence>",
                         event->name);
            free(name);
        } else {
            tac_requirement_atom *atom = tac_requirement_new_forbidden(requirement);
            read_atom(node, atom);
            if (atom->visit)
                COMPLAIN(in, node,
                         "%s '%s': visit=\"true\" is not an invariant (it would have to hold at "
                         "every step); write it as a <constraint> of the <sequence>",
                         atom->kind == TAC_ATOM_STATE ? "state" : "view", atom->name);
        }
    }
}

static void read_sequence(struct reading *in, xmlNodePtr parent)
{
    FOR_EACH_ELEMENT(node, parent)
    {
        char *type = attribute(node, "type");
        bool simple = !type || !strcmp(type, "simple");
        free(type);
        size_t constraint = tac_requirement_add_constraint(in->requirement);
        FOR_EACH_ELEMENT(child, node)
        {
            read_atom(child, tac_requirement_new_atom(in->requirement, constraint));
        }
        tac_requirement_constraint *read = &in->requirement->sequence[constraint];
        read->line = (size_t)xmlGetLineNo(node);
        if (simple && read->atom_count > 1)
            COMPLAIN(in, node,
                     "a simple constraint has one state, event or view, this one has %zu; write "
                     "type=\"complex\" if all are meant at the same step",
                     read->atom_count);
    }
}

static void read_child(struct reading *in, xmlNodePtr node)
{
    tac_requirement *requirement = in->requirement;
    char *value = NULL;
    if (is_element(node, "description")) {
        xmlChar *content = xmlNodeGetContent(node);
        free(requirement->description);
        requirement->description = tac_strdup(content ? (const char *)content : "");
        xmlFree(content);
    } else if (is_element(node, "application")) {
        value = attribute(node, "codeName");
        tac_requirement_watch_application(requirement, value ? value : "");
        requirement->applications[requirement->application_count - 1].line =
            (size_t)xmlGetLineNo(node);
    } else if (is_element(node, "device")) {
        value = attribute(node, "serialNumber");
        tac_requirement_watch_device(requirement, value ? value : "");
        requirement->devices[requirement->device_count - 1].line = (size_t)xmlGetLineNo(node);
    } else if (is_element(node, "invariants")) {
        read_invariants(in, node);
    } else if (is_element(node, "sequence")) {
        read_sequence(in, node);
    }
    free(value);
}

static tac_status read_document(xmlDocPtr document, const char *name, tac_diagnostics *diagnostics,
                                tac_requirement **out, tac_error *err)
{
    size_t errors_before = diagnostics->errors;
    tac_status status = tac_xml_validate(document, name, requirement_schema,
                                         requirement_schema_size, diagnostics, err);
    if (status != TAC_OK)
        return status;
    if (diagnostics->errors != errors_before)
        return tac_diagnostics_fail(diagnostics, err);
    xmlNodePtr root = xmlDocGetRootElement(document);
    char *title = attribute(root, "name");
    struct reading in = {
        .requirement = tac_requirement_new(title, ""), .diagnostics = diagnostics, .name = name};
    free(title);
    free(in.requirement->file);
    in.requirement->file = tac_strdup(name);
    FOR_EACH_ELEMENT(node, root)
    {
        read_child(&in, node);
    }
    const tac_requirement *read = in.requirement;
    if (diagnostics->errors == errors_before && !read->forbidden_count && !read->event_count &&
        !read->loop_count && !read->constraint_count)
        COMPLAIN(&in, root,
                 "the requirement asks for nothing: it has no invariant and no constraint");
    if (diagnostics->errors != errors_before) {
        tac_requirement_free(in.requirement);
        return tac_diagnostics_fail(diagnostics, err);
    }
    *out = in.requirement;
    return TAC_OK;
}

tac_status tac_requirement_load(const char *path, tac_diagnostics *diagnostics,
                                tac_requirement **out, tac_error *err)
{
    const tac_xml_limits limits = {.max_size = MAX_SIZE, .max_depth = 16};
    xmlDocPtr document;
    tac_status status = tac_xml_load(path, &limits, &document, err);
    if (status != TAC_OK)
        return status;
    status = read_document(document, path, diagnostics, out, err);
    xmlFreeDoc(document);
    return status;
}
