/* Numbers that are not known: a quiet NaN whose low half is the id of the symbol that tells why.
 * Arithmetic keeps it, copying and scaling included. */
#include "trace/trace.h"

#include <math.h>
#include <string.h>

static const uint64_t mark = (uint64_t)0x7ff80001 << 32;

double tac_trace_unknown_number(uint32_t reason)
{
    uint64_t bits = mark | reason;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

uint32_t tac_trace_unknown_reason(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    bits &= ~((uint64_t)1 << 63); /* a negated one is one, too */
    return isnan(number) && bits >> 32 == mark >> 32 ? (uint32_t)bits : TAC_TRACE_NO_SYMBOL;
}
