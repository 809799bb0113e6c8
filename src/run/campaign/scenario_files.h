/* The files that scenarios of a campaign name. A scenario's name is its meaning unless it is a
 * file's: then the content of the file is. */
#pragma once

#include "base/data/digest.h"
#include "base/data/vec.h"
#include "tactus/error.h"

struct run_campaign;

struct scenario_file {
    char *name; /* in the plan */
    char *path; /* where it lies here */
    char digest[TAC_DIGEST_TEXT];
};

/* A zeroed struct is empty; names are different. */
struct scenario_files {
    TAC_VEC(struct scenario_file) list;
};

/* The digest of what a file holds, compressed or not. */
tac_status campaign_digest(const char *path, char digest[TAC_DIGEST_TEXT], tac_error *err);
/* Adds those of all scenarios and devices of the campaign. */
tac_status scenario_files_find(const struct run_campaign *campaign, struct scenario_files *files,
                               tac_error *err);
/* Texts are copied. */
void scenario_files_add(struct scenario_files *files, const char *name, const char *path,
                        const char *digest);
/* NULL when there is none of this name. */
const struct scenario_file *scenario_files_named(const struct scenario_files *files,
                                                 const char *name);
void scenario_files_free(struct scenario_files *files);
