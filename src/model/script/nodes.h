/* The operators of scripts. A row here is all that the parser needs; evaluate.c says what it does,
 * and does not compile without. */
#pragma once

#include "base/syntax/syntax.h"
#include "model/script/script.h"

/* kind, spelling, power, place */
#define SCRIPT_OPERATORS(X)                                                                        \
    X(OP_CHOICE, "?", 1, SYNTAX_RIGHT)                                                             \
    X(OP_OR, "||", 2, SYNTAX_LEFT)                                                                 \
    X(OP_AND, "&&", 3, SYNTAX_LEFT)                                                                \
    X(OP_EQUAL, "==", 4, SYNTAX_LEFT)                                                              \
    X(OP_UNEQUAL, "!=", 4, SYNTAX_LEFT)                                                            \
    X(OP_SAME, "===", 4, SYNTAX_LEFT)                                                              \
    X(OP_NOT_SAME, "!==", 4, SYNTAX_LEFT)                                                          \
    X(OP_LESS, "<", 5, SYNTAX_LEFT)                                                                \
    X(OP_LESS_EQUAL, "<=", 5, SYNTAX_LEFT)                                                         \
    X(OP_GREATER, ">", 5, SYNTAX_LEFT)                                                             \
    X(OP_GREATER_EQUAL, ">=", 5, SYNTAX_LEFT)                                                      \
    X(OP_ADD, "+", 6, SYNTAX_LEFT)                                                                 \
    X(OP_SUBTRACT, "-", 6, SYNTAX_LEFT)                                                            \
    X(OP_MULTIPLY, "*", 7, SYNTAX_LEFT)                                                            \
    X(OP_DIVIDE, "/", 7, SYNTAX_LEFT)                                                              \
    X(OP_MODULO, "%", 7, SYNTAX_LEFT)                                                              \
    X(OP_NOT, "!", 8, SYNTAX_PREFIX)                                                               \
    X(OP_NEGATE, "-", 8, SYNTAX_PREFIX)                                                            \
    X(OP_PLUS, "+", 8, SYNTAX_PREFIX)

#define SCRIPT_KIND(kind, text, power, place) kind,
enum script_op {
    OP_VALUE,
    OP_VARIABLE,
    SCRIPT_OPERATORS(SCRIPT_KIND) /* a, b: their operands */
    OP_ASSIGN,                    /* a: variable, b: expression */
    OP_STEP,    /* a: variable, b: expression; its value is the variable's before */
    OP_SEQUENCE /* a, then b */
};
#undef SCRIPT_KIND

extern const struct syntax_language script_language;
