/* A checked trace as bytes, from a process of the pool to its parent. */
#ifndef TAC_PROPERTY_WIRE_H
#define TAC_PROPERTY_WIRE_H

#include "base/data/str.h"
#include "tactus/property.h"

void wire_trace(tac_str *out, const tac_checked_trace *trace);
void wire_error(tac_str *out, const tac_error *error, tac_status status);
/* What was sent: the trace, or the error as this call's own. */
tac_status unwire_trace(const char *data, size_t size, tac_checked_trace *out, tac_error *err);

#endif
