/* One event file of a DroidBot folder. */
#include "fuzz_target.h"
#include "tactus/trace.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char folder[] = "/tmp/tactus-fuzz-XXXXXX", path[64];
    if (!mkdtemp(folder))
        abort();
    snprintf(path, sizeof path, "%s/event_1.json", folder);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        abort();
    for (int lenient = 0; lenient < 2; lenient++) {
        tac_trace_options options = {.format = "droidbot", .lenient = lenient};
        tac_trace_source *source;
        const tac_trace_block *block;
        tac_error err;
        if (tac_trace_open(folder, &options, &source, &err))
            abort(); /* the folder itself is fine */
        while (!tac_trace_next(source, &block, &err) && block)
            continue;
        tac_trace_close(source);
    }
    unlink(path);
    rmdir(folder);
    return 0;
}
