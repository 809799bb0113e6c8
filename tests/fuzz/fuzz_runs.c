/* Runs in any form, then a small mining of what was read: no input may break the engines. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "tactus/mining.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file file = memory_file_of(data, size);
    tac_runs *runs = NULL;
    tac_error err;
    if (tac_runs_new(NULL, &runs, &err) == TAC_OK &&
        tac_runs_read(runs, file.path, NULL, &err) == TAC_OK) {
        tac_mine_options options = tac_mine_defaults();
        tac_mine_result *result;
        options.all = size % 2;
        options.depth = 3;
        options.min_occurrences = 2;
        options.limit = 2000;
        if (tac_mine(runs, &options, NULL, &result, &err) == TAC_OK) {
            json_decref(tac_mine_json(runs, result, 10));
            tac_mine_result_free(result);
        }
    }
    tac_runs_free(runs);
    close(file.descriptor);
    return 0;
}
