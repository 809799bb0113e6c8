/* Logcats, with and without patterns. */
#include "fuzz_trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const patterns[] = {"CONTROL -(\\w+)=event", "rx=(\\d+)=rxData[kB]"};
    read_trace_bytes(data, size, "logcat", NULL, 0);
    read_trace_bytes(data, size, "logcat", patterns, 2);
    return 0;
}
