/* The phone's shell: a command line is cut into words, and run. */
#include "fuzz_phone.h"
#include "fuzz_target.h"

static void check_words(const char *line)
{
    size_t length = strlen(line), room = length + PHONE_MOST_WORDS + 1;
    char *store = malloc(room), **argv = calloc(PHONE_MOST_WORDS, sizeof *argv);
    int argc;
    const char *at = line, *before;
    do {
        before = at;
        if (!phone_next_command(&at, store, &argc, argv))
            before = NULL;
        else if (at <= before || at > line + length)
            abort();
        for (int i = 0; i < argc; i++)
            if (argv[i] < store || argv[i] + strlen(argv[i]) >= store + room)
                abort();
    } while (before);
    free(argv);
    free(store);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = malloc(size + 1);
    if (!line)
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    check_words(line);
    fuzz_phone f;
    fuzz_phone_open(&f);
    tac_str out = {.cap = PHONE_MOST_FILE};
    phone_run(&f.phone, line, &out);
    struct phone_log_view view;
    if (phone_follows_log(&f.phone, line, &view))
        phone_log_follow(&f.phone, &view, &out);
    tac_str_free(&out);
    fuzz_phone_close(&f);
    free(line);
    return 0;
}
