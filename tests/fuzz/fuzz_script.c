/* Guards and updates: whatever the text, it is refused with a message or runs, and parsing it as
 * the other kind does no harm either. */
#include "base/data/alloc.h"
#include "fuzz_target.h"
#include "model/script/script.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = tac_strndup((const char *)data, size), message[SCRIPT_MESSAGE];
    struct scripts scripts = {0};
    script update, guard;
    bool runs = script_parse(&scripts, text, false, &update, message);
    bool holds = script_parse(&scripts, text, true, &guard, message);
    struct script_value *values = tac_calloc(scripts.variables.count + 1, sizeof *values);
    for (int i = 0; i < 3; i++) {
        if (runs)
            script_run(&scripts, update, values);
        if (holds)
            script_holds(&scripts, guard, values);
    }
    tac_arena arena = {0};
    script_rename(&arena, text, "Model");
    tac_arena_free(&arena);
    free(values);
    free(text);
    scripts_free(&scripts);
    return 0;
}
