/* What every command that reads or writes models does the same way. */
#pragma once

#include "cli/command.h"
#include "tactus/model.h"

/* Loads (and combines) model files. Errors are printed and *exit_code is set; warnings are for
 * `tactus model check`. Returns NULL on failure. */
tac_model *load_models(const struct invocation *in, const char *const *paths, size_t count,
                       int *exit_code);
/* The findings on standard error; without --verbose only the first few warnings. */
void print_findings(const struct invocation *in, tac_diagnostics *findings);
/* Writes a model to -o or standard output by one of the writers of the library; nothing is left
 * behind when it fails. */
int finish_model(const struct invocation *in, const tac_model *model,
                 tac_status (*write)(const tac_model *model, FILE *out, tac_error *err));
