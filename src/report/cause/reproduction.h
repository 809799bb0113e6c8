/* What `tactus reproduce` left with a campaign: the shortest script of each failure. */
#pragma once

#include "report/project/parts.h"

struct script_file;

/* CAMPAIGN/reproduce.json; NULL when there is none that can be read. */
struct script_file *script_file_load(const struct report_campaign *campaign);
void script_file_free(struct script_file *reproduction); /* NULL is fine */

/* Sets "reproduction" of the object where the failure was searched for, and "reproduce", how
 * the reader looks for it, where not. kind: "crash" or "property". */
void script_file_describe(const struct script_file *reproduction, const tac_report_options *options,
                          const struct report_campaign *campaign, const char *kind,
                          const char *name, json_t *object);

/* How the reader looks for it, in the words of who made the report; NULL when it has none. The
 * caller's. */
char *reproduction_advice(const tac_report_options *options, const struct report_campaign *campaign,
                          const char *kind, const char *name);
