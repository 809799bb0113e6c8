/* The agent's log as a process that went wrong could leave it. */
#include "fuzz_target.h"
#include "jvm/jvm.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void touch(void *context, const struct raw_record *record)
{
    uint32_t *sum = context;
    for (uint32_t i = 0; i < record->text_size; i++)
        *sum += (uint32_t)record->text[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct raw_reader reader = {.file = memfd_create("log", MFD_CLOEXEC)};
    uint32_t sum = 0;
    if (reader.file < 0 || write(reader.file, data, size) != (ssize_t)size)
        abort();
    raw_reader_take(&reader, false, touch, &sum);
    raw_reader_take(&reader, true, touch, &sum);
    raw_reader_close(&reader);
    return 0;
}
