/* Writes requirements in the published XML format. */
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/xml.h"
#include "flow/require/tree.h"
#include <errno.h>

static void add_attribute(tac_str *out, const char *name, const char *value)
{
    tac_str_addf(out, " %s=\"", name);
    tac_xml_escape(out, value);
    tac_str_add(out, "\"");
}

static void write_atom(tac_str *out, const tac_requirement_atom *atom, const char *indent)
{
    static const char *const element[] = {
        [TAC_ATOM_STATE] = "state", [TAC_ATOM_EVENT] = "event", [TAC_ATOM_VIEW] = "view"};
    TABLE_COVERS(element, TAC_ATOM_VIEW);
    assert(atom->kind < sizeof element / sizeof *element && atom->name);
    tac_str_addf(out, "%s<%s", indent, element[atom->kind]);
    add_attribute(out, "name", atom->name);
    if (atom->view)
        add_attribute(out, "view", atom->view);
    if (atom->machine)
        add_attribute(out, "statemachine", atom->machine);
    if (atom->kind != TAC_ATOM_EVENT)
        add_attribute(out, "visit", atom->visit ? "true" : "false");
    tac_str_add(out, "/>\n");
}

static void write_invariants(tac_str *out, const tac_requirement *requirement)
{
    static const char *const loop_kind[] = {[TAC_LOOP_TRANSITION] = "transition",
                                            [TAC_LOOP_STATE] = "state",
                                            [TAC_LOOP_CONSECUTIVE] = "consecutive"};
    TABLE_COVERS(loop_kind, TAC_LOOP_CONSECUTIVE);
    char number[32];
    if (!requirement->loop_count && !requirement->forbidden_count && !requirement->event_count)
        return;
    tac_str_add(out, "  <invariants>\n");
    for (size_t i = 0; i < requirement->loop_count; i++) {
        const tac_requirement_loop *loop = &requirement->loops[i];
        assert(loop->kind < sizeof loop_kind / sizeof *loop_kind);
        tac_str_addf(out, "    <loop min=\"%u\"", loop->min);
        if (loop->max != TAC_UNBOUNDED)
            tac_str_addf(out, " max=\"%u\"", loop->max);
        if (loop->kind != TAC_LOOP_TRANSITION)
            add_attribute(out, "kind", loop_kind[loop->kind]);
        tac_str_add(out, "/>\n");
    }
    for (size_t i = 0; i < requirement->forbidden_count; i++)
        write_atom(out, &requirement->forbidden[i], "    ");
    for (size_t i = 0; i < requirement->event_count; i++) {
        const tac_requirement_event *event = &requirement->events[i];
        tac_str_add(out, "    <event");
        add_attribute(out, "name", event->name);
        if (event->max != TAC_UNBOUNDED)
            tac_str_addf(out, " max=\"%u\"", event->max);
        if (event->time >= 0)
            add_attribute(out, "time", tac_double_text(event->time, number, sizeof number));
        tac_str_add(out, "/>\n");
    }
    tac_str_add(out, "  </invariants>\n");
}

static void write_sequence(tac_str *out, const tac_requirement *requirement)
{
    if (!requirement->constraint_count)
        return;
    tac_str_add(out, "  <sequence>\n");
    for (size_t i = 0; i < requirement->constraint_count; i++) {
        const tac_requirement_constraint *constraint = &requirement->sequence[i];
        tac_str_addf(out, "    <constraint type=\"%s\">\n",
                     constraint->atom_count == 1 ? "simple" : "complex");
        for (size_t k = 0; k < constraint->atom_count; k++)
            write_atom(out, &constraint->atoms[k], "      ");
        tac_str_add(out, "    </constraint>\n");
    }
    tac_str_add(out, "  </sequence>\n");
}

tac_status tac_requirement_write(const tac_requirement *requirement, FILE *file, tac_error *err)
{
    tac_str out = {0};
    tac_str_add(&out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<appUserFlowRequirement");
    add_attribute(&out, "xmlns", TAC_REQUIREMENT_NAMESPACE);
    add_attribute(&out, "name", requirement->name);
    tac_str_add(&out, ">\n");
    if (*requirement->description) {
        tac_str_add(&out, "  <description>");
        tac_xml_escape(&out, requirement->description);
        tac_str_add(&out, "</description>\n");
    }
    for (size_t i = 0; i < requirement->application_count; i++) {
        tac_str_add(&out, "  <application");
        add_attribute(&out, "codeName", requirement->applications[i].name);
        tac_str_add(&out, "/>\n");
    }
    for (size_t i = 0; i < requirement->device_count; i++) {
        tac_str_add(&out, "  <device");
        add_attribute(&out, "serialNumber", requirement->devices[i].name);
        tac_str_add(&out, "/>\n");
    }
    write_invariants(&out, requirement);
    write_sequence(&out, requirement);
    tac_str_add(&out, "</appUserFlowRequirement>\n");
    size_t written = fwrite(out.text, 1, out.length, file);
    bool complete = written == out.length;
    tac_str_free(&out);
    return complete ? TAC_OK : tac_fail_errno(err, errno, "", "cannot write the requirement");
}
