/* C code of state formulas and interval expressions, shared by the two exports. */
#pragma once

#include "property/plan/plan.h"
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
/* judge.c: static const struct tm_measure measures_K[] and static int judge_K(const struct
 * tm_interval *).
 */
void emit_judge(FILE *out, const struct interval_plan *plan, size_t number);
size_t emit_past_count(const struct column_program *program);
/* refuse.c: refuses what exports cannot express; only: one part, or SIZE_MAX for all. */
tac_status emit_check(const tac_properties *properties, const struct property_plan *plan,
                      size_t only, tac_error *err);
/* Names, units and kinds of the inputs for the table reader (table.c.in). */
void emit_inputs(FILE *out, const struct column_program *program);
/* How many bare names there are in bare[]. */
unsigned emit_bare_count(const struct column_program *program);
/* struct tm_interval steps of one part; semantics of plan->semantics (c99.c). */
void emit_close(FILE *out, const struct interval_plan *plan, size_t part);
void emit_interval_step(FILE *out, const struct interval_plan *plan, size_t part,
                        const char *interval, const char *time);
