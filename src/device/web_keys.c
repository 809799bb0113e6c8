/* Keys by their names, as the code points that WebDriver has for them. */
#include "base/data/text.h"
#include "device/keys.h"
#include <string.h>

/* Names and codes stand side by side, by index. */
static const char *const modifiers[] = {"Shift", "Control", "Ctrl", "Alt", "Meta"};
static const char *const modifier_codes[] = {"\xee\x80\x88", "\xee\x80\x89", "\xee\x80\x89",
                                             "\xee\x80\x8a", "\xee\x80\xbd"};
static const char *const keys[] = {
    "Enter", "Tab",    "Escape",   "Backspace", "Delete",  "Insert",     "Home",
    "End",   "PageUp", "PageDown", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown",
    "Space", "F1",     "F2",       "F3",        "F4",      "F5",         "F6",
    "F7",    "F8",     "F9",       "F10",       "F11",     "F12"};
static const char *const key_codes[] = {
    "\xee\x80\x87", "\xee\x80\x84", "\xee\x80\x8c", "\xee\x80\x83", "\xee\x80\x97",
    "\xee\x80\x96", "\xee\x80\x91", "\xee\x80\x90", "\xee\x80\x8e", "\xee\x80\x8f",
    "\xee\x80\x92", "\xee\x80\x93", "\xee\x80\x94", "\xee\x80\x95", " ",
    "\xee\x80\xb1", "\xee\x80\xb2", "\xee\x80\xb3", "\xee\x80\xb4", "\xee\x80\xb5",
    "\xee\x80\xb6", "\xee\x80\xb7", "\xee\x80\xb8", "\xee\x80\xb9", "\xee\x80\xba",
    "\xee\x80\xbb", "\xee\x80\xbc"};
enum { MODIFIERS = sizeof modifiers / sizeof *modifiers, KEYS = sizeof keys / sizeof *keys };
_Static_assert(sizeof modifier_codes == sizeof modifiers && sizeof key_codes == sizeof keys,
               "one code per name");

const char *const *web_key_names(size_t *count)
{
    *count = KEYS;
    return keys;
}

const char *const *web_modifier_names(size_t *count)
{
    *count = MODIFIERS;
    return modifiers;
}

static const char *code_of(const char *const *names, const char *const *codes, size_t count,
                           const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], name, length))
            return codes[i];
    return NULL;
}

static const char *modifier_code(const char *name, size_t length)
{
    return code_of(modifiers, modifier_codes, MODIFIERS, name, length);
}

static bool one_character(const char *text)
{
    size_t length = 1;
    while (*text && ((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return *text && !text[length] && tac_utf8_valid(text, length);
}

const char *web_key_code(const char *name)
{
    const char *code = code_of(keys, key_codes, KEYS, name, strlen(name));
    if (!code)
        code = modifier_code(name, strlen(name)); /* pressed alone */
    return code ? code : one_character(name) ? name : NULL;
}

const char *web_chord_modifier(const char **name)
{
    const char *plus = strchr(*name, '+');
    const char *code =
        plus && plus > *name && plus[1] ? modifier_code(*name, (size_t)(plus - *name)) : NULL;
    if (code)
        *name = plus + 1;
    return code;
}

bool web_key_exists(const char *name)
{
    while (web_chord_modifier(&name))
        continue;
    return web_key_code(name) != NULL;
}
