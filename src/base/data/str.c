/* A string builder with a cap. See str.h. */
#include "base/data/str.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <stdio.h>
#include <string.h>

/* Makes room for `more` bytes and the terminator; false and overflow past the cap. */
static bool make_room(tac_str *str, size_t more)
{
    size_t cap = str->cap ? str->cap : TAC_STR_DEFAULT_CAP;
    if (str->overflow || more > cap - str->length) {
        str->overflow = true;
        return false;
    }
    assert(str->length <= cap);
    size_t wanted = str->length + more + 1;
    if (wanted > str->capacity) {
        size_t capacity = str->capacity ? str->capacity * 2 : 64;
        str->capacity = capacity < wanted ? wanted : capacity;
        str->text = tac_realloc(str->text, str->capacity, 1);
    }
    return true;
}

void tac_str_add_bytes(tac_str *str, const char *bytes, size_t length)
{
    if (!make_room(str, length))
        return;
    if (length) /* nothing may lie nowhere */
        memcpy(str->text + str->length, bytes, length);
    str->length += length;
    assert(str->length < str->capacity);
    str->text[str->length] = '\0';
}

void tac_str_add(tac_str *str, const char *text)
{
    tac_str_add_bytes(str, text, strlen(text));
}

void tac_str_add_char(tac_str *str, char c)
{
    tac_str_add_bytes(str, &c, 1);
}

void tac_str_addv(tac_str *str, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0 && make_room(str, (size_t)length)) {
        vsnprintf(str->text + str->length, (size_t)length + 1, format, again);
        str->length += (size_t)length;
    }
    va_end(again);
}

void tac_str_addf(tac_str *str, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    tac_str_addv(str, format, args);
    va_end(args);
}

const char *tac_str_text(const tac_str *str)
{
    return str->text ? str->text : "";
}

char *tac_str_take(tac_str *str)
{
    char *text = str->text ? str->text : tac_strdup("");
    *str = (tac_str){.cap = str->cap};
    return text;
}

void tac_str_clear(tac_str *str)
{
    str->length = 0;
    str->overflow = false;
    if (str->text)
        str->text[0] = '\0';
}

void tac_str_free(tac_str *str)
{
    free(str->text);
    *str = (tac_str){.cap = str->cap};
}
