/* Lifestate rule files: reading, resolving names, and lint. */
#include "fuzz_target.h"
#include "protocol/spec/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct spec_set set = {0};
    tac_error err;
    spec_add_text(&set, "fuzz", (const char *)data, size);
    if (spec_finish(&set, &err) == TAC_OK) {
        tac_str text = {0};
        for (size_t i = 0; i < set.rules.count && i < 100; i++)
            spec_rule_text(&set, &set.rules.at[i], &text);
        tac_str_free(&text);
        if (set.rules.count < 50 && size < 4096)
            spec_lint(&set);
    }
    spec_free(&set);
    return 0;
}
