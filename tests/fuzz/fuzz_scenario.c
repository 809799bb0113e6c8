/* Network scenarios: parse, and look up times in and beyond them. */
#include "fuzz_target.h"
#include "network/scenario.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scenario *s = NULL;
    tac_error err;
    if (scenario_parse("fuzz", (const char *)data, size, &s, &err) != TAC_OK)
        return 0;
    size_t cursor = 0;
    for (double time = 0; time < 3 * s->length && time < 1000; time += s->length / 50 + 0.01)
        (void)scenario_at(s, time, &cursor);
    scenario_free(s);
    return 0;
}
