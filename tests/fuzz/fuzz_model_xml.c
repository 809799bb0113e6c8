/* Model files: schema and meaning; what loads must also be written and read back. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "tactus/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file file = memory_file_of(data, size);
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model = NULL;
    if (tac_model_load(file.path, &findings, &model, &err) == TAC_OK) {
        char *text = NULL;
        size_t length = 0;
        FILE *memory = open_memstream(&text, &length);
        if (!memory || tac_model_write(model, memory, &err) != TAC_OK || fclose(memory))
            abort();
        struct memory_file again = memory_file_of((const uint8_t *)text, length);
        tac_diagnostics second = {0};
        tac_model *same = NULL;
        if (tac_model_load(again.path, &second, &same, &err) != TAC_OK)
            abort();
        if (same->node_count != model->node_count ||
            same->transition_count != model->transition_count)
            abort();
        close(again.descriptor);
        free(text);
        tac_diagnostics_free(&second);
        tac_model_free(same);
    }
    close(file.descriptor);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return 0;
}
