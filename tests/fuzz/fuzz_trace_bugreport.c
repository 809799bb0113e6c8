/* Traces in the format bugreport. */
#include "fuzz_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_trace_bytes(data, size, "bugreport", NULL, 0);
    return 0;
}
