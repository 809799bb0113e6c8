/* Scripts with the names of their variables in a space of their own. */
#include "base/data/str.h"
#include "model/script/nodes.h"
#include <string.h>

char *script_rename(tac_arena *arena, const char *text, const char *prefix)
{
    static const char *const words[] = {"true", "false", "null", "undefined",
                                        "var",  "let",   "const"};
    struct syntax s = {0};
    tac_str out = {0};
    const char *done = text;
    for (syntax_open(&s, &script_language, text, strlen(text), 1, 1); s.token.kind != SYNTAX_END;
         syntax_advance(&s)) {
        bool kept = s.token.kind != SYNTAX_WORD || !strncmp(s.token.text, "global.", 7);
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            kept = kept || syntax_is(&s, words[i]);
        if (kept)
            continue;
        tac_str_add_bytes(&out, done, (size_t)(s.token.text - done));
        tac_str_addf(&out, "%s.", prefix);
        done = s.token.text;
    }
    tac_str_add(&out, done);
    char *renamed = tac_arena_strdup(arena, tac_str_text(&out));
    tac_str_free(&out);
    return renamed;
}
