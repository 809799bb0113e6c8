/* The importers behind tac_model_import_files: each takes a whole parsed file.
 */
#pragma once

#include "base/io/json.h"
#include "tactus/model.h"

#define TAC_IMPORT_MAX_SIZE ((size_t)256 << 20) /* bytes of a foreign file */

struct walker_graph;

/* GraphWalker's files are added to one graph, so that several make one project. */
tac_status tac_read_graphwalker(const char *path, const tac_json *json, struct walker_graph *graph,
                                tac_diagnostics *diagnostics, tac_error *err);
tac_status tac_read_graphml(const char *path, const char *text, size_t size,
                            struct walker_graph *graph, tac_diagnostics *diagnostics,
                            tac_error *err);
tac_status tac_read_dot(const char *path, const char *text, size_t size, struct walker_graph *graph,
                        tac_error *err);
/* A file of tac_model_write_graphwalker. */
bool tac_is_own_graphwalker(const tac_json *json);
tac_status tac_import_own_graphwalker(const tac_json *json, tac_diagnostics *diagnostics,
                                      tac_model **out, tac_error *err);
tac_status tac_import_droidbot(const char *path, const tac_json *json, tac_diagnostics *diagnostics,
                               tac_model **out, tac_error *err);
