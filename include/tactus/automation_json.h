/* Findings about automations as JSON documents. */
#ifndef TACTUS_AUTOMATION_JSON_H
#define TACTUS_AUTOMATION_JSON_H

#include "tactus/api.h"
#include "tactus/automation.h"
#include <jansson.h>

TAC_BEGIN_DECLARATIONS

/* See docs/automation.md for the keys. Each document is the caller's. */
json_t *tac_automation_findings_json(const tac_automation_findings *findings);
/* Several configurations as one: counts added up; of more than one, each finding names its path. */
typedef struct tac_automation_home {
    const char *path;
    const tac_automation_findings *findings;
} tac_automation_home;
json_t *tac_automation_homes_json(const tac_automation_home *homes, size_t count);
json_t *tac_automation_moments_json(const tac_automation_moment *moments, size_t count);

TAC_END_DECLARATIONS

#endif
