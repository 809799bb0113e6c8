/* What the recorder's script says about a page: a page can write what it likes. */
#include "device/web/webdriver.h"
#include "fuzz_target.h"
#include <stdlib.h>

static void message(void *context, json_t *given)
{
    bool *open = context;
    const char *type = json_string_value(json_object_get(given, "type"));
    if (!type)
        abort();
    bool entry = !strcmp(type, "callback_entry"),
         leave = !strncmp(type, "callback_e", 10) && !entry;
    if (entry == *open && (entry || leave)) /* callbacks follow one another */
        abort();
    *open = entry || (*open && !leave);
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
    struct wd_told told = {0};
    bool open = false;
    sink.context = &open;
    wd_recorded_lines(text, size, &told, &sink);
    if (open != told.open)
        abort();
    free(text);
    return 0;
}
