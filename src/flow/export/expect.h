/* What flows expect of a screen; see expect.c. */
#pragma once

#include "flow/export/exporter.h"
#include "property/language/ast.h"
#include "property/monitor/condition.h"
#include <math.h>

/* A condition that is one comparison of what is observed; what is NULL when it is another. With
 * neither a text nor a number it is a truth: visible, enabled, checked. */
struct expectation_simple {
    const tac_observable *what;
    const char *text;
    double number; /* NaN: none */
    bool contains; /* the text is a piece */
    bool holds;    /* false: it must not be so */
};

void expect_simple(const tac_properties *of, const struct ast *ast, struct expectation_simple *out);
/* The css or the query of what is observed, as JavaScript. False: it cannot be found in a page. */
bool expect_add_selector(tac_str *out, const tac_observable *what);
/* The condition in JavaScript over `on`, what page.js.in reads; false: it looks back, or elsewhere.
 */
bool expect_add_script(tac_str *out, const tac_properties *of, const struct ast *ast);

/* Writes an assertion; false: the tool has none for it. text: the condition as it was written. */
typedef bool expect_write(void *context, const tac_properties *of, const struct ast *ast,
                          const char *text);
/* Writes the assertions of these conditions; those that cannot be written are told and noted in
 * the script. */
void expect_each(tac_exporter *exporter, const char *const *conditions, size_t count,
                 expect_write *write, void *context);
