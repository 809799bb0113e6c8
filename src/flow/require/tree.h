/* What the reader shares with the builders of requirements. */
#pragma once

#include "flow/requirement.h"

#define TAC_REQUIREMENT_NAMESPACE "http://www.morse.uma.es/appuserflowrequirement"

/* A zeroed atom at the end of the forbidden ones, or of a constraint; borrowed, valid until the
 * next one is added. */
tac_requirement_atom *tac_requirement_new_forbidden(tac_requirement *requirement);
tac_requirement_atom *tac_requirement_new_atom(tac_requirement *requirement, size_t constraint);
