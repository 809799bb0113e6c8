/* Findings about automations as JSON documents. */
#ifndef TACTUS_AUTOMATION_JSON_H
#define TACTUS_AUTOMATION_JSON_H

#include "tactus/api.h"
#include "tactus/automation.h"
#include <jansson.h>

TAC_BEGIN_DECLARATIONS

/* See docs/automation.md for the keys. Each document is the caller's. */
json_t *tac_automation_findings_json(const tac_automation_findings *findings);
json_t *tac_automation_moments_json(const tac_automation_moment *moments, size_t count);

TAC_END_DECLARATIONS

#endif
