/* Keys by their names, as the code points that WebDriver has for them. */
#include "base/data/text.h"
#include "device/web/webdriver.h"
#include <string.h>

struct key {
    const char *name, *code;
};

static const char *code_of(const struct key *keys, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(keys[i].name) == length && !memcmp(keys[i].name, name, length))
            return keys[i].code;
    return NULL;
}

const char *wd_modifier_code(const char *name, size_t length)
{
    static const struct key keys[] = {{"Shift", "\xee\x80\x88"},
                                      {"Control", "\xee\x80\x89"},
                                      {"Ctrl", "\xee\x80\x89"},
                                      {"Alt", "\xee\x80\x8a"},
                                      {"Meta", "\xee\x80\xbd"}};
    return code_of(keys, sizeof keys / sizeof *keys, name, length);
}

static bool one_character(const char *text)
{
    size_t length = 1;
    while (*text && ((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return *text && !text[length] && tac_utf8_valid(text, length);
}

const char *wd_key_code(const char *name)
{
    static const struct key keys[] = {
        {"Enter", "\xee\x80\x87"},      {"Tab", "\xee\x80\x84"},       {"Escape", "\xee\x80\x8c"},
        {"Backspace", "\xee\x80\x83"},  {"Delete", "\xee\x80\x97"},    {"Insert", "\xee\x80\x96"},
        {"Home", "\xee\x80\x91"},       {"End", "\xee\x80\x90"},       {"PageUp", "\xee\x80\x8e"},
        {"PageDown", "\xee\x80\x8f"},   {"ArrowLeft", "\xee\x80\x92"}, {"ArrowUp", "\xee\x80\x93"},
        {"ArrowRight", "\xee\x80\x94"}, {"ArrowDown", "\xee\x80\x95"}, {"Space", " "},
        {"F1", "\xee\x80\xb1"},         {"F2", "\xee\x80\xb2"},        {"F3", "\xee\x80\xb3"},
        {"F4", "\xee\x80\xb4"},         {"F5", "\xee\x80\xb5"},        {"F6", "\xee\x80\xb6"},
        {"F7", "\xee\x80\xb7"},         {"F8", "\xee\x80\xb8"},        {"F9", "\xee\x80\xb9"},
        {"F10", "\xee\x80\xba"},        {"F11", "\xee\x80\xbb"},       {"F12", "\xee\x80\xbc"}};
    const char *code = code_of(keys, sizeof keys / sizeof *keys, name, strlen(name));
    if (!code)
        code = wd_modifier_code(name, strlen(name)); /* pressed alone */
    return code ? code : one_character(name) ? name : NULL;
}
