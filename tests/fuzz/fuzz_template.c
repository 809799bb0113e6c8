/* Templates written by the user, tried on a few runs. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "mining/template.h"
#include <string.h>

static tac_runs *few_runs(void)
{
    static const char text[] = "0 s1 a s2 b\n0 s1 b s1\n1 s1 a s1 c\n1 s2 c s2\n2 s1\n";
    struct memory_file file = memory_file_of((const uint8_t *)text, sizeof text - 1);
    tac_runs *runs;
    tac_error err;
    if (tac_runs_new(NULL, &runs, &err) != TAC_OK ||
        tac_runs_read(runs, file.path, NULL, &err) != TAC_OK)
        abort();
    close(file.descriptor);
    return runs;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tac_runs *runs;
    char text[4096];
    if (!runs)
        runs = few_runs();
    if (size >= sizeof text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    tac_mine_options options = tac_mine_defaults();
    tac_template_result result = {0};
    tac_error err;
    options.merge = size % 2;
    if (tac_mine_template(runs, text, &options, NULL, &result, &err) == TAC_OK) {
        json_decref(tac_template_json(runs, &result, 3, true));
        tac_template_result_free(&result);
    }
    return 0;
}
