/* What parsing scripts leaves and evaluating them reads: the operators of a script's nodes; and
 * what counts as a name. */
#ifndef TAC_MODEL_SCRIPT_NODES_H
#define TAC_MODEL_SCRIPT_NODES_H

#include "model/script/script.h"
#include <stddef.h>

enum script_op {
    OP_VALUE,
    OP_VARIABLE,
    OP_OR,
    OP_AND,
    OP_CHOICE,
    OP_EQUAL,
    OP_UNEQUAL,
    OP_SAME,
    OP_NOT_SAME,
    OP_LESS,
    OP_LESS_EQUAL,
    OP_GREATER,
    OP_GREATER_EQUAL,
    OP_ADD,
    OP_SUBTRACT,
    OP_MULTIPLY,
    OP_DIVIDE,
    OP_MODULO,
    OP_NOT,
    OP_NEGATE,
    OP_PLUS,
    OP_ASSIGN,  /* a: variable, b: expression */
    OP_STEP,    /* a: variable, b: expression; its value is the variable's before */
    OP_SEQUENCE /* a, then b */
};

/* Bytes of the name that begins at a place, dots within it included; 0 when none does. */
size_t script_name_length(const char *at);
bool script_is_word(const char *at, size_t length, const char *word);

#endif
