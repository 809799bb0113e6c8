/* The importers behind tac_model_import: each takes a whole parsed file and gives a checked model.
 */
#ifndef TAC_MODEL_MODEL_IMPORT_H
#define TAC_MODEL_MODEL_IMPORT_H

#include "base/io/json.h"
#include "tactus/model.h"

#define TAC_IMPORT_MAX_SIZE ((size_t)256 << 20) /* bytes of a foreign file */

tac_status tac_import_graphwalker(const char *path, const tac_json *json,
                                  tac_diagnostics *diagnostics, tac_model **out, tac_error *err);
/* A file of tac_model_write_graphwalker. */
tac_status tac_import_own_graphwalker(const tac_json *json, tac_diagnostics *diagnostics,
                                      tac_model **out, tac_error *err);
tac_status tac_import_graphml(const char *path, const char *text, size_t size,
                              tac_diagnostics *diagnostics, tac_model **out, tac_error *err);
tac_status tac_import_droidbot(const char *path, const tac_json *json, tac_diagnostics *diagnostics,
                               tac_model **out, tac_error *err);

#endif
