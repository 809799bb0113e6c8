/* Terms: what the operands of comparisons in a template are. Shared by the parser (expression.c)
 * and the meaning of comparisons (compare.c). */
#pragma once

#include "automation/model/model.h"

enum term_kind {
    TERM_UNKNOWN,
    TERM_TEXT,    /* a constant */
    TERM_NUMBER,  /* a constant */
    TERM_LIST,    /* constants: texts */
    TERM_STATE,   /* the state of an entity, as text */
    TERM_AMOUNT,  /* the state of an entity, as number */
    TERM_CLOCK,   /* a part of now() */
    TERM_NOW,     /* now() */
    TERM_CHANGED, /* when an entity changed last */
    TERM_AGE,     /* how long ago that was, in seconds */
    TERM_TRIGGER, /* trigger.id and the like */
    TERM_BOOLEAN  /* a condition */
};

struct term {
    enum term_kind kind;
    const char *text;
    double number;
    bool whole;     /* TERM_AMOUNT: without what follows the point (int) */
    bool defaulted; /* TERM_AMOUNT: it is `number` where the state is not a number */
    struct text_set texts;
    bool numbers; /* TERM_LIST: of numbers */
    uint32_t entity;
    enum clock_part part;
    double unit;  /* TERM_CLOCK: seconds of an hour, or 1 */
    double shift; /* TERM_CLOCK: isoweekday counts from 1 */
    enum trigger_aspect aspect;
    struct cond *cond;
    const struct term *last; /* of a comparison: its right operand, which a < b < c compares too */
    const char *from, *to;   /* its text in the template */
};

/* A comparison is the set of outcomes in which it holds. `in` is EQUAL with a member of a list,
 * `not in` its contrary. */
enum { LESS = 1, EQUAL = 2, MORE = 4, MEMBER = 8 };

/* left op right as a condition; NULL when it is not understood. */
struct cond *term_compare(tac_automation_model *model, struct place place, const struct term *left,
                          unsigned op, const struct term *right);
/* The truth of a term inside an expression; NULL when it is not understood. */
struct cond *term_truth(tac_automation_model *model, struct place place, const struct term *term);
