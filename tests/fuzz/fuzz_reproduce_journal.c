/* The journal of a search: lines as a kill or a person may leave them. */
#include "fuzz_target.h"
#include "reproduce/known/journal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct knowledge known = {0};
    tac_error err;
    size_t whole = 0;
    tac_status status =
        journal_parse("journal", (const char *)data, size, NULL, &known, &whole, &err);
    if (whole > size || (status == TAC_OK && known.steps.at.count != known.steps.keys.count))
        __builtin_trap();
    for (uint32_t step = 0; step < known.steps.at.count && step < 4; step++) {
        struct script script = {.at = &step, .count = 1};
        struct known of = knowledge_of(&known, &script, "", 0);
        if (of.own > of.tried)
            __builtin_trap();
    }
    knowledge_free(&known);
    return 0;
}
