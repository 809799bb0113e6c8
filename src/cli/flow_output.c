/* Writes flows one by one, as text or JSON Lines. */
#include "cli/flow_output.h"

bool flow_output_visit(void *context, const tac_flow_path *path)
{
    struct flow_output *output = context;
    output->written++;
    if (output->jsonl) {
        output->status =
            tac_flow_write(tac_flow_describe(output->engine, path), output->out, &output->err);
        return output->status == TAC_OK;
    }
    for (uint32_t i = 0; i < path->length; i++)
        fprintf(output->out, "%s%s", i ? " " : "", tac_flow_path_event(output->engine, path, i));
    fputc('\n', output->out);
    return true;
}
