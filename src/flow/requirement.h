/* What other modules use of this one beside tactus/requirement.h. */
#pragma once

#include "tactus/model.h"
#include "tactus/requirement.h"

/* The published format; reading it back gives an equal requirement. */
tac_status tac_requirement_write(const tac_requirement *requirement, FILE *out, tac_error *err);
/* TAC_E_INPUT when the requirement names something that the model does not have; every such name is
 * in diagnostics (not NULL) with its line and the closest name. Making a flow engine checks too. */
tac_status tac_requirement_check(const tac_requirement *requirement, const tac_model *model,
                                 tac_diagnostics *diagnostics, tac_error *err);

tac_requirement *tac_requirement_new(const char *name, const char *description);
void tac_requirement_watch_device(tac_requirement *requirement, const char *serial_or_name);
void tac_requirement_watch_application(tac_requirement *requirement, const char *code_name);
/* view (activity) and machine say which state is meant when the name alone is not unique. */
void tac_requirement_avoid_state(tac_requirement *requirement, const char *name, const char *view,
                                 const char *machine);
void tac_requirement_avoid_view(tac_requirement *requirement, const char *name);
void tac_requirement_limit_event(tac_requirement *requirement, const char *event, uint32_t max,
                                 double time);
void tac_requirement_limit_loops(tac_requirement *requirement, tac_loop_kind kind, uint32_t min,
                                 uint32_t max);
/* A new, empty constraint at the end of the sequence; returns its index. */
size_t tac_requirement_add_constraint(tac_requirement *requirement);
void tac_requirement_add_state(tac_requirement *requirement, size_t constraint, const char *name,
                               const char *view, const char *machine, bool visit);
void tac_requirement_add_event(tac_requirement *requirement, size_t constraint, const char *event);
void tac_requirement_add_view(tac_requirement *requirement, size_t constraint, const char *name,
                              bool visit);

/* The event `start`, later the event `stop`, each exactly once. */
tac_requirement *tac_requirement_start_stop(const char *start, const char *stop);
/* The named things in this order. Each is "event:NAME", "state:NAME", "state:MACHINE/NAME",
 * "view:NAME" or a bare NAME, which is a state. Bad words are TAC_E_USAGE. */
tac_status tac_requirement_visit_in_order(const char *const *things, size_t count,
                                          tac_requirement **out, tac_error *err);
/* None of the named things ever ("event:NAME" means at most 0 times). */
tac_status tac_requirement_avoid(const char *const *things, size_t count, tac_requirement **out,
                                 tac_error *err);
