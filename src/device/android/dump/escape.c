/* Text for `input text`. The command turns "%s" into a blank and enters one key per character, so
 * only printable ASCII can be entered; a "%" before an "s" is entered in a second command. The
 * whole word is quoted for the device's shell. */
#include "device/android/dump/parse.h"

void android_quote(const char *word, tac_str *out)
{
    tac_str_add_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            tac_str_add(out, "'\\''");
        else
            tac_str_add_char(out, *word);
    }
    tac_str_add_char(out, '\'');
}

bool android_escape_text(const char *text, tac_str *out, size_t *bad)
{
    tac_str plain = {0};
    tac_str_add(&plain, "");
    for (size_t i = 0; text[i]; i++) {
        if (text[i] < ' ' || text[i] > '~') {
            *bad = i;
            tac_str_free(&plain);
            return false;
        }
        if (text[i] == ' ')
            tac_str_add(&plain, "%s");
        else
            tac_str_add_char(&plain, text[i]);
        if (text[i] == '%' && text[i + 1] == 's') {
            android_quote(tac_str_text(&plain), out);
            tac_str_add(out, " && input text ");
            tac_str_clear(&plain);
        }
    }
    android_quote(tac_str_text(&plain), out);
    tac_str_free(&plain);
    return true;
}
