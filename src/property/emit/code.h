/* C code of state formulas and interval expressions, shared by the two exports. */
#ifndef TAC_PROPERTY_EMIT_CODE_H
#define TAC_PROPERTY_EMIT_CODE_H

#include "property/compile/plan.h"
#include <stdio.h>

/* A C identifier for the input of a slot; buffer of 80 bytes. */
const char *emit_input(const struct column_program *program, size_t slot, char *buffer);
/* A text as a C string literal. */
void emit_string(FILE *out, const char *text);
/* A number as a C constant of type double. */
void emit_number(FILE *out, double value);
/* static int symbol(const char *text): 0 = another value, 1 .. = a value that the properties name.
 */
void emit_symbols(FILE *out, const struct column_program *program);
/* Statements that set n[] and b[] from `INPUT` expressions (s->NAME) and past[]. */
void emit_columns(FILE *out, const struct column_program *program, const char *state);
/* static const struct tm_measure measures_K[] and static int judge_K(const struct tm_interval *).
 */
void emit_judge(FILE *out, const struct interval_plan *plan, size_t number);
size_t emit_past_count(const struct column_program *program);
/* Refuses what exports cannot express. */
tac_status emit_check(const tac_properties *properties, const struct plan *plan, tac_error *err);

#endif
