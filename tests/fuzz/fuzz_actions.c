/* Action files: loading; every condition that loads is evaluated on readings of its observables. */
#include "fuzz_target.h"
#include "run/actions/file.h"
#include <math.h>
#include <stdlib.h>

static void evaluate(tac_condition *condition)
{
    size_t count = tac_condition_observables(condition);
    tac_observed *values = calloc(count + 1, sizeof *values);
    char list[] = "[\"a\",\"b\"]", text[] = "true";
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < count; i++) {
            tac_trace_variable variable =
                tac_observable_variable(tac_condition_observable(condition, i));
            values[i] = (tac_observed){.missing = round == 1, .number = round};
            if (variable.kind == TAC_DISCRETE)
                values[i].text = variable.type == TAC_VALUE_LIST ? list : text;
        }
        tac_condition_evaluate(condition, values, 0);
    }
    free(values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct action_file *file;
    tac_error err;
    if (size >= 20000 || actions_parse("fuzz", (const char *)data, size, &file, &err) != TAC_OK)
        return 0;
    for (size_t i = 0; i < file->actions.count; i++)
        if (file->actions.at[i].guard)
            evaluate(file->actions.at[i].guard);
    actions_free(file);
    return 0;
}
