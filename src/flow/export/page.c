/* What only pages have: elements by css, chords of keys, texts that go to what has the focus. */
#include "base/data/text.h"
#include "flow/export/exporter.h"
#include <stdlib.h>
#include <string.h>

bool page_name_of(const tac_model_action *action, tac_locator *out)
{
    if (!action->xpath || !tac_locator_read(action->xpath, out))
        return false;
    tac_locator_free(out); /* names of pages own nothing */
    return out->kind != TAC_LOCATOR_PATH;
}

/* The only character of a text; 0 when there are more, or none. */
static uint32_t single_character(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    size_t length = strlen(text), wanted = *at < 0x80 ? 1 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
    if (!length || length != wanted || !tac_utf8_valid(text, length))
        return 0;
    uint32_t code = wanted == 1 ? *at : *at & (0xffu >> (wanted + 1));
    for (size_t i = 1; i < wanted; i++)
        code = code << 6 | (at[i] & 0x3fu);
    return code;
}

static uint32_t key_of(const char *name)
{
    const struct export_key *key = export_key_of(name);
    int64_t number;
    if (!strcmp(name, "Home")) /* of the keyboard, not of the phone */
        return 0xE011;
    if (!strcmp(name, "Insert"))
        return 0xE016;
    if (*name == 'F' && name[1] != '0' && tac_parse_i64(name + 1, &number) && number >= 1 &&
        number <= 12)
        return 0xE030 + (uint32_t)number;
    return key && key->webdriver ? key->webdriver : single_character(name);
}

size_t page_chord(const char *name, uint32_t codes[PAGE_CHORD_MAX])
{
    static const struct {
        const char *name;
        uint32_t code;
    } modifiers[] = {
        {"Shift+", 0xE008}, {"Control+", 0xE009}, {"Ctrl+", 0xE009},
        {"Alt+", 0xE00A},   {"Meta+", 0xE03D},
    };
    size_t count = 0;
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers && count + 1 < PAGE_CHORD_MAX;) {
        size_t length = strlen(modifiers[i].name);
        bool here = !strncmp(name, modifiers[i].name, length);
        if (here) {
            codes[count++] = modifiers[i].code;
            name += length;
        }
        i = here ? 0 : i + 1;
    }
    codes[count] = key_of(name);
    return codes[count] ? count + 1 : 0;
}

bool page_chord_name(const char *name, tac_str *out)
{
    uint32_t codes[PAGE_CHORD_MAX];
    size_t count = page_chord(name, codes);
    for (size_t i = 0; i < count; i++) {
        const char *word = codes[i] == 0xE008   ? "Shift"
                           : codes[i] == 0xE009 ? "Control"
                           : codes[i] == 0xE00A ? "Alt"
                           : codes[i] == 0xE03D ? "Meta"
                           : codes[i] == 0xE011 ? "Home"
                           : codes[i] == 0xE016 ? "Insert"
                                                : export_key_name(codes[i]);
        char text[5] = "";
        if (codes[i] > 0xE030 && codes[i] <= 0xE03C)
            tac_str_addf(out, "%sF%u", i ? "+" : "", (unsigned)(codes[i] - 0xE030));
        else if (!word)
            text[tac_utf8_put(text, codes[i])] = '\0';
        tac_str_addf(out, "%s%s", i && (word || *text) ? "+" : "", word ? word : text);
    }
    return count > 0;
}

const char *page_typed_text(const tac_model_action *action)
{
    const char *value = action->value ? action->value : "";
    return strncmp(value, "text:", 5) ? NULL : value + 5;
}
