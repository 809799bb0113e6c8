/* State formulas over what was observed on screens, where a value may be missing.
 *
 * A formula is then true, false or unknown (Kleene's three values): unknown where a comparison
 * needs a missing value, unless the rest decides it. Each formula compiles to two columns, `yes`
 * (surely true) and `no` (surely false); never both are set. What was not observed follows the old
 * rule (a comparison without a value is false), so that `no` is the negation of `yes` there. */
#pragma once

#include "property/compile/compile.h"

struct truth {
    uint32_t yes, no;
};

enum value_kind {
    VALUE_UNKNOWN, /* a name that nothing is known of */
    VALUE_NUMBER,
    VALUE_NAME, /* a discrete variable of names */
    VALUE_TEXT,
    VALUE_LIST,
    VALUE_BOOLEAN
};

/* What a name stands for, by the trace or by its declaration. */
enum value_kind compile_name_kind(const struct property_compiler *compiler, const char *name);
/* Does the formula (lets included) speak of an observable, or of values of lists, texts and states
 * before? */
bool compile_is_observed(const struct property_compiler *compiler, const struct ast *ast);
struct truth compile_truth(struct property_compiler *compiler, const struct ast *ast);
/* The column of a part of a temporal formula: true unless it is surely false (negated: unless it is
 * surely true, and the caller negates the column). What is unknown of it is noted in the compiler.
 */
uint32_t compile_hopeful(struct property_compiler *compiler, const struct ast *ast, bool negated);
/* size, and previous of a number. */
struct quantity compile_observed_number(struct property_compiler *compiler, const struct ast *ast);
