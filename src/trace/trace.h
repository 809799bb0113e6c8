/* What other modules use of this one beside tactus/trace.h. */
#pragma once

#include "tactus/trace.h"

/* A value that is not known, which is not the same as none: of a discrete variable a symbol whose
 * text is this character and the reason, of a continuous one a NaN that carries the id of such a
 * symbol. A number that has not been seen yet is a NaN without one. */
#define TAC_TRACE_UNKNOWN '\x1a'
/* reason: the id of the symbol. */
double tac_trace_unknown_number(uint32_t reason);
/* The id of the symbol that tells why; TAC_TRACE_NO_SYMBOL for any other number. */
uint32_t tac_trace_unknown_reason(double number);

/* The symbol of a list of texts; the caller's. Bytes that are not UTF-8 become U+FFFD. */
char *tac_trace_list(const char *const *texts, size_t count);
/* The word of a type in headers: "name", "text", "list", "boolean". */
const char *tac_value_type_name(tac_value_type type);
