/* Expressions of templates: a text from left to right, and the helpers that statements share. */
#ifndef TAC_AUTOMATION_EXPRESSION_H
#define TAC_AUTOMATION_EXPRESSION_H

#include "automation/template/terms.h"

enum { TEMPLATE_DEPTH = 60, TEMPLATE_VARIABLES = 32 };

struct variable {
    const char *name, *from, *to;
    size_t length;
};

struct jinja {
    tac_automation_model *model;
    struct place place;
    const char *scope;
    const char *at, *end;
    unsigned depth;
    bool broken; /* not an expression */
    struct variable variables[TEMPLATE_VARIABLES];
    size_t variable_count;
};

/* Reads one expression; j->broken when there is none. */
struct term jinja_expression(struct jinja *j);
/* Reads one whose value is what the template renders; NULL when there is none. */
struct cond *jinja_printed(struct jinja *j);
/* What a template that renders to this text means as a condition. */
struct cond *jinja_literal(struct jinja *j, const char *from, const char *to);
struct jinja_arguments {
    struct term at[8];
    size_t count;
};
/* operand.c: the rest of a call behind its '('. */
void jinja_arguments(struct jinja *j, struct jinja_arguments *args);
struct term jinja_primary(struct jinja *j); /* operand.c: what stands between operators */
/* The truth of a term; free, named by its text, where it is not understood. */
struct cond *jinja_truth(struct jinja *j, const struct term *term);
/* The part from..to as a free condition. */
struct cond *jinja_free(struct jinja *j, const char *from, const char *to);
void jinja_blanks(struct jinja *j);
bool jinja_symbol(struct jinja *j, const char *text);  /* skips blanks and the text */
bool jinja_keyword(struct jinja *j, const char *text); /* the same for a whole word */
size_t jinja_word(const struct jinja *j);              /* the length of the word here; 0: none */

#endif
