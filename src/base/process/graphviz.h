/* Graphs to pictures through the program dot. */
#pragma once

#include "tactus/error.h"
#include <stddef.h>

/* DOT text to SVG text (the caller's). TAC_E_MISSING names the package when dot is not installed;
 * TAC_E_LIMIT when a large graph takes over two minutes. */
tac_status tac_graphviz_svg(const char *dot, size_t size, char **svg, size_t *svg_size,
                            tac_error *err);
/* The same laid out by another of graphviz' engines (neato, fdp, ...); NULL: dot. */
tac_status tac_graphviz_layout(const char *engine, const char *dot, size_t size, char **svg,
                               size_t *svg_size, tac_error *err);

/* DOT text to the plain format, places without a picture (the caller's), within some seconds. */
tac_status tac_graphviz_places(const char *dot, size_t size, double seconds, char **plain,
                               tac_error *err);
