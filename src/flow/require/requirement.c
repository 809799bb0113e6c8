/* Requirements in memory: the plain syntax tree and its builders.
 *
 * Every text is owned by the requirement, so a requirement outlives the file and the model. The
 * order of everything is the order of insertion, which is the order of the file. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "flow/require/tree.h"
#include <string.h>

static char *copy_or_null(const char *text)
{
    return text ? tac_strdup(text) : NULL;
}

static char *copy_or_empty(const char *text)
{
    return tac_strdup(text ? text : "");
}

/* Room for one more element behind `count`; the new element is zeroed. */
static void *grow(void *array, size_t *count, size_t size)
{
    char *grown = tac_realloc(array, *count + 1, size);
    memset(grown + *count * size, 0, size);
    ++*count;
    return grown;
}

tac_requirement *tac_requirement_new(const char *name, const char *description)
{
    tac_requirement *requirement = tac_calloc(1, sizeof *requirement);
    requirement->name = copy_or_empty(name);
    requirement->description = copy_or_empty(description);
    requirement->file = copy_or_empty(NULL);
    return requirement;
}

static void free_atom(tac_requirement_atom *atom)
{
    free(atom->name);
    free(atom->view);
    free(atom->machine);
}

void tac_requirement_free(tac_requirement *requirement)
{
    if (!requirement)
        return;
    for (size_t i = 0; i < requirement->device_count; i++)
        free(requirement->devices[i].name);
    for (size_t i = 0; i < requirement->application_count; i++)
        free(requirement->applications[i].name);
    for (size_t i = 0; i < requirement->forbidden_count; i++)
        free_atom(&requirement->forbidden[i]);
    for (size_t i = 0; i < requirement->event_count; i++)
        free(requirement->events[i].name);
    for (size_t i = 0; i < requirement->constraint_count; i++) {
        for (size_t k = 0; k < requirement->sequence[i].atom_count; k++)
            free_atom(&requirement->sequence[i].atoms[k]);
        free(requirement->sequence[i].atoms);
    }
    free(requirement->devices);
    free(requirement->applications);
    free(requirement->forbidden);
    free(requirement->events);
    free(requirement->loops);
    free(requirement->sequence);
    free(requirement->name);
    free(requirement->description);
    free(requirement->file);
    free(requirement);
}

void tac_requirement_watch_device(tac_requirement *requirement, const char *serial_or_name)
{
    requirement->devices =
        grow(requirement->devices, &requirement->device_count, sizeof *requirement->devices);
    requirement->devices[requirement->device_count - 1].name = tac_strdup(serial_or_name);
}

void tac_requirement_watch_application(tac_requirement *requirement, const char *code_name)
{
    requirement->applications = grow(requirement->applications, &requirement->application_count,
                                     sizeof *requirement->applications);
    requirement->applications[requirement->application_count - 1].name = tac_strdup(code_name);
}

tac_requirement_atom *tac_requirement_new_forbidden(tac_requirement *requirement)
{
    requirement->forbidden =
        grow(requirement->forbidden, &requirement->forbidden_count, sizeof *requirement->forbidden);
    return &requirement->forbidden[requirement->forbidden_count - 1];
}

void tac_requirement_avoid_state(tac_requirement *requirement, const char *name, const char *view,
                                 const char *machine)
{
    *tac_requirement_new_forbidden(requirement) = (tac_requirement_atom){
        .kind = TAC_ATOM_STATE,
        .name = tac_strdup(name),
        .view = copy_or_null(view),
        .machine = copy_or_null(machine),
    };
}

void tac_requirement_avoid_view(tac_requirement *requirement, const char *name)
{
    *tac_requirement_new_forbidden(requirement) =
        (tac_requirement_atom){.kind = TAC_ATOM_VIEW, .name = tac_strdup(name)};
}

void tac_requirement_limit_event(tac_requirement *requirement, const char *event, uint32_t max,
                                 double time)
{
    requirement->events =
        grow(requirement->events, &requirement->event_count, sizeof *requirement->events);
    requirement->events[requirement->event_count - 1] =
        (tac_requirement_event){.name = tac_strdup(event), .max = max, .time = time};
}

void tac_requirement_limit_loops(tac_requirement *requirement, tac_loop_kind kind, uint32_t min,
                                 uint32_t max)
{
    requirement->loops =
        grow(requirement->loops, &requirement->loop_count, sizeof *requirement->loops);
    requirement->loops[requirement->loop_count - 1] =
        (tac_requirement_loop){.kind = kind, .min = min, .max = max};
}

size_t tac_requirement_add_constraint(tac_requirement *requirement)
{
    requirement->sequence =
        grow(requirement->sequence, &requirement->constraint_count, sizeof *requirement->sequence);
    return requirement->constraint_count - 1;
}

tac_requirement_atom *tac_requirement_new_atom(tac_requirement *requirement, size_t constraint)
{
    assert(constraint < requirement->constraint_count);
    tac_requirement_constraint *to = &requirement->sequence[constraint];
    to->atoms = grow(to->atoms, &to->atom_count, sizeof *to->atoms);
    return &to->atoms[to->atom_count - 1];
}

void tac_requirement_add_state(tac_requirement *requirement, size_t constraint, const char *name,
                               const char *view, const char *machine, bool visit)
{
    *tac_requirement_new_atom(requirement, constraint) = (tac_requirement_atom){
        .kind = TAC_ATOM_STATE,
        .visit = visit,
        .name = tac_strdup(name),
        .view = copy_or_null(view),
        .machine = copy_or_null(machine),
    };
}

void tac_requirement_add_event(tac_requirement *requirement, size_t constraint, const char *event)
{
    *tac_requirement_new_atom(requirement, constraint) = (tac_requirement_atom){
        .kind = TAC_ATOM_EVENT,
        .visit = true,
        .name = tac_strdup(event),
    };
}

void tac_requirement_add_view(tac_requirement *requirement, size_t constraint, const char *name,
                              bool visit)
{
    *tac_requirement_new_atom(requirement, constraint) = (tac_requirement_atom){
        .kind = TAC_ATOM_VIEW,
        .visit = visit,
        .name = tac_strdup(name),
    };
}
