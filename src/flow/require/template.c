/* Requirements for the common cases, so that nobody has to write XML by hand. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "flow/requirement.h"
#include <string.h>

tac_requirement *tac_requirement_start_stop(const char *start, const char *stop)
{
    char *description = tac_format("%s, later %s, each exactly once.", start, stop);
    tac_requirement *requirement = tac_requirement_new("start-stop", description);
    free(description);
    tac_requirement_limit_event(requirement, start, 1, -1);
    if (strcmp(start, stop) != 0)
        tac_requirement_limit_event(requirement, stop, 1, -1);
    else
        requirement->events[0].max = 2;
    tac_requirement_add_event(requirement, tac_requirement_add_constraint(requirement), start);
    tac_requirement_add_event(requirement, tac_requirement_add_constraint(requirement), stop);
    return requirement;
}

/* "event:NAME", "view:NAME", "state:MACHINE/NAME", "state:NAME" or "NAME" taken apart. */
struct thing {
    tac_atom_kind kind;
    const char *name;
    char *machine; /* NULL when not given; owned */
};

static tac_status take_apart(const char *word, struct thing *out, tac_error *err)
{
    const char *colon = strchr(word, ':');
    *out = (struct thing){.kind = TAC_ATOM_STATE, .name = word};
    if (colon) {
        size_t length = (size_t)(colon - word);
        if (length == 5 && !strncmp(word, "event", 5))
            out->kind = TAC_ATOM_EVENT;
        else if (length == 4 && !strncmp(word, "view", 4))
            out->kind = TAC_ATOM_VIEW;
        else if (length != 5 || strncmp(word, "state", 5) != 0)
            return tac_fail(err, TAC_E_USAGE,
                            "'%s': expected event:NAME, state:NAME, state:MACHINE/NAME or "
                            "view:NAME",
                            word);
        out->name = colon + 1;
    }
    const char *slash = out->kind == TAC_ATOM_STATE ? strrchr(out->name, '/') : NULL;
    if (slash) {
        out->machine = tac_strndup(out->name, (size_t)(slash - out->name));
        out->name = slash + 1;
    }
    if (!*out->name || (out->machine && !*out->machine)) {
        free(out->machine);
        return tac_fail(err, TAC_E_USAGE, "'%s' names nothing", word);
    }
    return TAC_OK;
}

static tac_requirement *described(const char *name, const char *what, const char *const *things,
                                  size_t count)
{
    tac_str text = {0};
    tac_str_add(&text, what);
    for (size_t i = 0; i < count; i++)
        tac_str_addf(&text, "%s %s", i ? "," : "", things[i]);
    tac_str_add(&text, ".");
    tac_requirement *requirement = tac_requirement_new(name, tac_str_text(&text));
    tac_str_free(&text);
    return requirement;
}

tac_status tac_requirement_visit_in_order(const char *const *things, size_t count,
                                          tac_requirement **out, tac_error *err)
{
    tac_requirement *requirement = described("visit-in-order", "In this order:", things, count);
    for (size_t i = 0; i < count; i++) {
        struct thing thing;
        tac_status status = take_apart(things[i], &thing, err);
        if (status != TAC_OK) {
            tac_requirement_free(requirement);
            return status;
        }
        size_t constraint = tac_requirement_add_constraint(requirement);
        if (thing.kind == TAC_ATOM_EVENT)
            tac_requirement_add_event(requirement, constraint, thing.name);
        else if (thing.kind == TAC_ATOM_VIEW)
            tac_requirement_add_view(requirement, constraint, thing.name, true);
        else
            tac_requirement_add_state(requirement, constraint, thing.name, NULL, thing.machine,
                                      true);
        free(thing.machine);
    }
    *out = requirement;
    return TAC_OK;
}

tac_status tac_requirement_avoid(const char *const *things, size_t count, tac_requirement **out,
                                 tac_error *err)
{
    tac_requirement *requirement = described("avoid", "Never:", things, count);
    for (size_t i = 0; i < count; i++) {
        struct thing thing;
        tac_status status = take_apart(things[i], &thing, err);
        if (status != TAC_OK) {
            tac_requirement_free(requirement);
            return status;
        }
        if (thing.kind == TAC_ATOM_EVENT)
            tac_requirement_limit_event(requirement, thing.name, 0, -1);
        else if (thing.kind == TAC_ATOM_VIEW)
            tac_requirement_avoid_view(requirement, thing.name);
        else
            tac_requirement_avoid_state(requirement, thing.name, NULL, thing.machine);
        free(thing.machine);
    }
    *out = requirement;
    return TAC_OK;
}
