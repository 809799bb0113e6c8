/* GraphWalker JSON, foreign and our own. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "model/tools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file file = memory_file_of(data, size);
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model = NULL;
    const char *path = file.path;
    tac_model_import_files(&path, 1, &(tac_import_options){.format = "graphwalker"}, &findings,
                           &model, &err);
    close(file.descriptor);
    tac_diagnostics_free(&findings);
    tac_model_free(model);
    return 0;
}
