/* Condition templates: the part of Jinja that conditions are written in, as conditions.
 *
 * Understood: and, or, not, comparisons (also chained), in, inline if, {% if %} with constant
 * bodies, {% set %}; is_state, is_state_attr, states(), states.domain.name.state, state_attr, the
 * filters float and int; now().hour, .month, .day, .weekday(), .isoweekday(); trigger.id,
 * .entity_id, .platform, .to_state.state, .from_state.state. Every other subexpression becomes a
 * free condition named by its text. */
#pragma once

#include "automation/model/model.h"

/* scope tells apart what differs between automations though its text is the same (trigger, this,
 * variables; a scope that begins with ! is always kept). Never fails: what is not understood is
 * free. */
struct cond *template_condition(tac_automation_model *model, struct place place, const char *scope,
                                const char *text);
bool is_template(const char *text); /* contains {{ or {% */
