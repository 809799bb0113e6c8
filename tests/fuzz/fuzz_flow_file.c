/* Flow files, exported to every format. */
#include "flow/export.h"
#include "fuzz_memory_file.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file file = memory_file_of(data, size);
    for (int format = TAC_EXPORT_MAESTRO; format <= TAC_EXPORT_PROMELA; format++) {
        char *text = NULL;
        size_t length;
        uint64_t unsaid;
        tac_error err;
        FILE *out = open_memstream(&text, &length);
        tac_status status = tac_flow_export_to(
            file.path, &(tac_export_options){.format = (tac_export_format)format}, file.path, out,
            &unsaid, &err);
        fclose(out);
        free(text);
        if (status != TAC_OK)
            break;
    }
    close(file.descriptor);
    return 0;
}
