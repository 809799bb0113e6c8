/* Names in scripts, and scripts with the names of their variables in a space of their own. */
#include "base/data/str.h"
#include "model/script/nodes.h"
#include <ctype.h>
#include <string.h>

size_t script_name_length(const char *at)
{
    size_t length = 0;
    if (!isalpha((unsigned char)*at) && *at != '_' && *at != '$')
        return 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_' || at[length] == '$' ||
           (at[length] == '.' && (isalpha((unsigned char)at[length + 1]) || at[length + 1] == '_')))
        length++;
    return length;
}

bool script_is_word(const char *at, size_t length, const char *word)
{
    return length == strlen(word) && !strncmp(at, word, length);
}

char *script_rename(tac_arena *arena, const char *text, const char *prefix)
{
    static const char *const words[] = {"true", "false", "null", "undefined",
                                        "var",  "let",   "const"};
    tac_str out = {0};
    while (*text) {
        size_t length = script_name_length(text);
        if (*text == '\'' || *text == '"') {
            const char *end = strchr(text + 1, *text);
            length = end ? (size_t)(end - text) + 1 : strlen(text);
        } else if (isdigit((unsigned char)*text)) {
            length = strspn(text, "0123456789.eExXabcdefABCDEF");
        } else if (length) {
            bool kept = !strncmp(text, "global.", 7);
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                kept = kept || script_is_word(text, length, words[i]);
            if (!kept)
                tac_str_addf(&out, "%s.", prefix);
        }
        length = length ? length : 1;
        tac_str_add_bytes(&out, text, length);
        text += length;
    }
    char *renamed = tac_arena_strdup(arena, tac_str_text(&out));
    tac_str_free(&out);
    return renamed;
}
