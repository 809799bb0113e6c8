/* The agent's log as a process that went wrong could leave it: a whole file, or (where the input
 * does not begin like one) the first chunk of a good one. */
#include "fuzz_target.h"
#include "jvm/host/jvm.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct heard {
    struct jvm_messages messages;
    tac_str text;
    uint32_t sum;
};

static void touch(void *context, const struct raw_record *record)
{
    struct heard *heard = context;
    for (uint32_t i = 0; i < record->text_size; i++)
        heard->sum += (uint32_t)record->text[i];
    if (!jvm_messages_define(&heard->messages, record) &&
        (record->kind == RAW_CALLIN || record->kind == RAW_RETURN)) {
        tac_str_clear(&heard->text);
        jvm_message_text(&heard->messages, record, false, &heard->text);
    }
}

static void write_log(int file, const uint8_t *data, size_t size)
{
    static const struct raw_header header = {.magic = RAW_MAGIC, .attached = 1, .chunks = 1};
    bool whole = size >= sizeof header.magic && !memcmp(data, header.magic, sizeof header.magic);
    if (!whole &&
        (write(file, &header, sizeof header) != sizeof header ||
         ftruncate(file, RAW_HEADER + RAW_CHUNK) || lseek(file, RAW_HEADER, SEEK_SET) < 0))
        abort();
    if (write(file, data, size) != (ssize_t)size)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct raw_reader reader = {.file = memfd_create("log", MFD_CLOEXEC)};
    struct heard heard = {0};
    if (reader.file < 0)
        abort();
    write_log(reader.file, data, size);
    raw_reader_take(&reader, false, touch, &heard);
    raw_reader_take(&reader, true, touch, &heard);
    raw_reader_close(&reader);
    jvm_messages_free(&heard.messages);
    tac_str_free(&heard.text);
    return 0;
}
