/* Text for `input text`: what is escaped must come out of the phone's shell as it went in. */
#include "device/android/dump/parse.h"
#include "fuzz_target.h"
#include "phone/adbd/daemon.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = tac_strndup((const char *)data, size);
    tac_str command = {0}, typed = {0};
    size_t bad = 0;
    tac_str_add(&command, "input text ");
    if (android_escape_text(text, &command, &bad)) {
        const char *line = tac_str_text(&command);
        char *store = malloc(strlen(line) + PHONE_MOST_WORDS + 1);
        char **argv = calloc(PHONE_MOST_WORDS, sizeof *argv);
        int argc;
        char separator;
        do {
            separator = phone_next_command(&line, store, &argc, argv);
            if (argc != 3 || strcmp(argv[1], "text") != 0)
                abort();
            for (const char *c = argv[2]; *c; c++) {
                bool blank = c[0] == '%' && c[1] == 's';
                tac_str_add_char(&typed, blank ? ' ' : *c);
                c += blank;
            }
        } while (separator);
        if (strcmp(tac_str_text(&typed), text) != 0)
            abort();
        free(argv);
        free(store);
    } else if (bad >= strlen(text)) {
        abort();
    }
    tac_str_free(&command);
    tac_str_free(&typed);
    free(text);
    return 0;
}
