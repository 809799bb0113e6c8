/* A plan as an index may hold it, and rows against it: numbers and texts of the input. */
#include "base/data/alloc.h"
#include "fuzz_target.h"
#include "store/backend.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct store_plan plan = {0};
    tac_error err;
    char why[STORE_WHY], *text = tac_strndup((const char *)data, size);
    int64_t numbers[4] = {0};
    memcpy(numbers, data, size < sizeof numbers ? size : sizeof numbers);
    (void)store_plan_read(&plan, text, "index", &err);
    for (int64_t id = -1; id < 8; id++) {
        tac_store_run run = {.id = id < 7 ? id : numbers[0],
                             .kind = "flow",
                             .name = text,
                             .flow = id < 4 ? id : numbers[1],
                             .scenario = size % 2 ? text : "",
                             .repeat = numbers[2],
                             .verdict = "pass",
                             .message = text,
                             .exception = "",
                             .trace = text,
                             .details = text,
                             .trace_size = numbers[3],
                             .trace_digest = text};
        struct store_verdict verdict = {
            .run = run.id, .property = text, .answer = "true", .document = text, .has_run = true};
        store_run_flaw(&plan, &run, why);
        store_verdict_flaw(&plan, &verdict, why);
    }
    store_plan_free(&plan);
    free(text);
    return 0;
}
