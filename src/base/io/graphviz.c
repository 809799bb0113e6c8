/* Graphs to pictures through the program dot. */
#include "base/io/graphviz.h"
#include "base/data/alloc.h"
#include "base/process/process.h"
#include <stdlib.h>

tac_status tac_graphviz_svg(const char *dot, size_t size, char **svg, size_t *svg_size,
                            tac_error *err)
{
    return tac_graphviz_layout(NULL, dot, size, svg, svg_size, err);
}

tac_status tac_graphviz_layout(const char *engine, const char *dot, size_t size, char **svg,
                               size_t *svg_size, tac_error *err)
{
    char *option = tac_format("-K%s", engine ? engine : "dot");
    const char *const command[] = {"dot", "-Tsvg", option, NULL};
    const double seconds = 120;
    int exit_code = 0;
    tac_status status =
        tac_process_run(command, "graphviz", dot, size, seconds, svg, svg_size, &exit_code, err);
    free(option);
    if (status == TAC_E_MISSING)
        return tac_fail(err, status,
                        "dot is not installed; install Debian's package 'graphviz', or write DOT "
                        "instead of SVG");
    if (status == TAC_E_LIMIT)
        return tac_fail(
            err, status,
            "dot did not finish within %g seconds: the graph is too large to draw whole; "
            "write DOT instead of SVG and lay it out with sfdp",
            seconds);
    if (status == TAC_OK && exit_code) {
        free(*svg);
        status = tac_fail(err, TAC_E_DEVICE, "dot ended with exit code %d", exit_code);
    }
    return status;
}
