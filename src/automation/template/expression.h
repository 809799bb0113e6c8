/* Expressions of templates on the kernel: a node is a struct term of the model's arena. What is not
 * an expression makes the reading fail; nothing is ever reported. */
#pragma once

#include "automation/template/terms.h"
#include "base/syntax/syntax.h"

enum { TEMPLATE_DEPTH = 60, TEMPLATE_VARIABLES = 32, TEMPLATE_ARGUMENTS = 8 };

#define TEMPLATE_BLANKS " \t\n\v\f\r"

/* {% set name = from..to %} */
struct variable {
    struct syntax_token name;
    const char *from, *to;
};

struct jinja {
    tac_automation_model *model;
    struct place place;
    const char *scope;
    unsigned depth;     /* of statements and variables */
    const char *tested; /* where the last test (x is defined) ended */
    struct variable variables[TEMPLATE_VARIABLES];
    size_t variable_count;
};

/* What a template that renders to this text means as a condition. */
struct cond *jinja_literal(struct jinja *j, const char *from, const char *to);
/* The truth of a term; free, named by its text, where it is not understood. */
struct cond *jinja_truth(struct jinja *j, const struct term *term);
/* The part from..to as a free condition. */
struct cond *jinja_free(struct jinja *j, const char *from, const char *to);

/* Begins to read from..to. */
void jinja_open(struct syntax *s, struct jinja *j, const char *from, const char *to);
/* An expression with an inline `if`; `printed`: its value is what the template renders. */
struct term jinja_inner(struct syntax *s, bool printed);

/* --- Inside expressions --- */

/* operand.c: what stands between operators, and what may follow it: .name [..] |filter (..) */
struct term jinja_operand(struct syntax *s);
struct term jinja_followed(struct syntax *s, const struct term *left, char by);
void jinja_skip_arguments(struct syntax *s);
