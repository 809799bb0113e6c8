/* Requirement files, bound to the smallest model and written again. */
#include "flow/requirement.h"
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>

static tac_model *small_model(void)
{
    tac_model_builder *builder = tac_model_builder_new("m", "");
    uint32_t device = tac_build_device(builder, "phone", "0001", 1);
    uint32_t application = tac_build_application(builder, device, "App", "app", NULL, true, 1);
    uint32_t activity = tac_build_activity(builder, application, "Main", true, 1);
    uint32_t machine = tac_build_machine(builder, activity, "M", true, 1);
    tac_build_node(builder, machine, TAC_NODE_STATE, "S0", 1);
    tac_build_node(builder, machine, TAC_NODE_FINAL, "end", 1);
    tac_build_initial(builder, machine, "S0", 1);
    tac_build_transition(builder, machine, "S0", "back", "end", -1, -1, 1, NULL, NULL, 1);
    tac_diagnostics findings = {0};
    tac_model *model = NULL;
    if (tac_model_builder_finish(builder, &findings, &model, NULL) != TAC_OK)
        abort();
    tac_diagnostics_free(&findings);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tac_model *model;
    tac_diagnostics findings = {0};
    tac_requirement *requirement;
    tac_error err;
    if (!model)
        model = small_model();
    struct memory_file file = memory_file_of(data, size);
    if (tac_requirement_load(file.path, &findings, &requirement, &err) == TAC_OK) {
        char *text = NULL;
        size_t length;
        FILE *out = open_memstream(&text, &length);
        tac_requirement_write(requirement, out, &err);
        fclose(out);
        free(text);
        tac_requirement_check(requirement, model, &findings, &err);
        tac_requirement_free(requirement);
    }
    close(file.descriptor);
    tac_diagnostics_free(&findings);
    return 0;
}
