/* Guards and updates: the common part of JavaScript that models of GraphWalker use.
 *
 *   guard    an expression
 *   update   statements  x = 0; n++; names += 'a'; var ok = !ok
 *
 * Values are numbers, truth values, texts, null and undefined, with JavaScript's operators and
 * conversions: || && ?: == != === !== < <= > >= + - * / % ! and the assignments = += -= *= /= %= ++
 * --. Names may have dots (global.x). Functions, objects, arrays and loops are not understood, and
 * what is not understood is named. docs/models.md has the language.
 *
 * All scripts of one model share one set of variables, kept as a valuation: an array of values by
 * variable. Texts are interned, so valuations compare as bytes. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"
#include "tactus/error.h"
#include <stdbool.h>

enum script_kind { SCRIPT_UNDEFINED, SCRIPT_NULL, SCRIPT_BOOL, SCRIPT_NUMBER, SCRIPT_TEXT };

/* 16 bytes without gaps that matter: valuations are compared and interned as bytes. */
struct script_value {
    uint32_t kind;
    uint32_t text; /* SCRIPT_TEXT: id in scripts.texts; SCRIPT_BOOL: 0 or 1; else 0 */
    double number; /* SCRIPT_NUMBER; else 0 */
};

struct script_node {
    uint8_t op;
    uint32_t a, b, c; /* operands: nodes, or a variable */
    struct script_value value;
};

struct scripts {
    tac_names variables, texts;
    TAC_VEC(struct script_node) nodes; /* of all scripts */
    TAC_VEC(bool) assigned;            /* variable: some script sets it */
};

/* A parsed script: statements are a chain of nodes. */
typedef uint32_t script;

#define NO_SCRIPT UINT32_MAX

void scripts_free(struct scripts *scripts);
enum { SCRIPT_MESSAGE = 240 };
/* False with what is wrong in message (SCRIPT_MESSAGE bytes). A guard is one expression. */
bool script_parse(struct scripts *scripts, const char *text, bool guard, script *out,
                  char *message);
/* Runs on a valuation of scripts.variables.count values; updates change it. The value of a guard is
 * its truth. */
bool script_holds(struct scripts *scripts, script guard, struct script_value *values);
void script_run(struct scripts *scripts, script update, struct script_value *values);
/* The script with every variable but those that start with "global." put behind `prefix` and a dot;
 * the arena's. Scripts that are not understood come back as they are. */
char *script_rename(tac_arena *arena, const char *text, const char *prefix);
