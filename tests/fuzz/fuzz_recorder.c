/* What the recorder's script says about a page: a page can write what it likes. */
#include "device/web/webdriver.h"
#include "fuzz_target.h"
#include <stdlib.h>

static void message(void *context, json_t *given)
{
    (void)context;
    if (!json_is_object(given) || !json_object_get(given, "type"))
        abort();
}

static void failure(void *context, const char *kind, const char *type, const char *text,
                    const char *stack)
{
    (void)context;
    if (!kind || !type || !text || !stack)
        abort();
}

static void unseen(void *context, const char *what)
{
    (void)context;
    (void)what;
}

static void dropped(void *context, uint64_t messages)
{
    (void)context;
    (void)messages;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_recorder_sink sink = {NULL, message, failure, unseen, dropped};
    char *text = malloc(size + 1); /* its own block, so that a read past the end is seen */
    memcpy(text, data, size);
    text[size] = '\0';
    unsigned documents = 0;
    wd_recorded_lines(text, size, &documents, &sink);
    free(text);
    return 0;
}
