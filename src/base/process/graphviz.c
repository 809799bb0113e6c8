/* Graphs to pictures through the program dot. */
#include "base/process/graphviz.h"
#include "base/data/alloc.h"
#include "base/process/process.h"

struct dot_job {
    const char *format, *engine; /* "-Tsvg"; NULL: dot */
    double seconds;
};

/* *text is set only when it succeeds. */
static tac_status run_dot(const struct dot_job *job, const char *dot, size_t size, char **text,
                          size_t *text_size, tac_error *err)
{
    char *engine = tac_format("-K%s", job->engine ? job->engine : "dot"), *made = NULL;
    const char *const command[] = {"dot", job->format, engine, NULL};
    int exit_code = 0;
    tac_status status = tac_process_run(command, "graphviz", dot, size, job->seconds, &made,
                                        text_size, &exit_code, err);
    free(engine);
    if (status == TAC_E_MISSING)
        return tac_fail(err, status,
                        "dot is not installed; install Debian's package 'graphviz', or write DOT "
                        "instead of SVG");
    if (status == TAC_E_LIMIT)
        return tac_fail(
            err, status,
            "dot did not finish within %g seconds: the graph is too large to draw whole; "
            "write DOT instead of SVG and lay it out with sfdp",
            job->seconds);
    if (status == TAC_OK && exit_code) {
        free(made);
        return tac_fail(err, TAC_E_DEVICE, "dot ended with exit code %d", exit_code);
    }
    if (status == TAC_OK)
        *text = made;
    return status;
}

tac_status tac_graphviz_svg(const char *dot, size_t size, char **svg, size_t *svg_size,
                            tac_error *err)
{
    return tac_graphviz_layout(NULL, dot, size, svg, svg_size, err);
}

tac_status tac_graphviz_layout(const char *engine, const char *dot, size_t size, char **svg,
                               size_t *svg_size, tac_error *err)
{
    return run_dot(&(struct dot_job){"-Tsvg", engine, 120}, dot, size, svg, svg_size, err);
}

tac_status tac_graphviz_places(const char *dot, size_t size, double seconds, char **plain,
                               tac_error *err)
{
    size_t plain_size;
    return run_dot(&(struct dot_job){"-Tplain", NULL, seconds}, dot, size, plain, &plain_size, err);
}
