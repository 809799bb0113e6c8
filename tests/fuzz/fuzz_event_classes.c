/* Classes of events for `tactus model abstract`, applied to a small model. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "model/model.h"
#include "model/tools.h"

static tac_model *small_model(void)
{
    static const char *const events[] = {"one", "two", "three", "plus", "a*b"};
    tac_model_builder *builder = tac_model_builder_new("small", "small");
    uint32_t device = tac_build_device(builder, "d", NULL, 0);
    uint32_t application = tac_build_application(builder, device, "a", NULL, NULL, true, 0);
    uint32_t activity = tac_build_activity(builder, application, "v", true, 0);
    uint32_t machine = tac_build_machine(builder, activity, "m", true, 0);
    tac_build_node(builder, machine, TAC_NODE_STATE, "S", 0);
    tac_build_initial(builder, machine, "S", 0);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        tac_build_transition(builder, machine, "S", events[i], "S", -1, -1, 1, NULL, NULL, 0);
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model *model = NULL;
    if (tac_model_builder_finish(builder, &findings, &model, &err) != TAC_OK)
        abort();
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file file = memory_file_of(data, size);
    tac_model *model = small_model(), *folded = NULL;
    tac_diagnostics findings = {0};
    tac_error err;
    tac_model_abstract(model, file.path, &findings, &folded, &err);
    close(file.descriptor);
    tac_diagnostics_free(&findings);
    tac_model_free(folded);
    tac_model_free(model);
    return 0;
}
