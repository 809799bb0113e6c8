/* Lists of texts; see list.h. */
#include "trace/text/list.h"
#include "base/check.h"
#include "trace/text/json_text.h"
#include <string.h>

const char *const value_type_words[] = {[TAC_VALUE_NAME] = "name",
                                        [TAC_VALUE_TEXT] = "text",
                                        [TAC_VALUE_LIST] = "list",
                                        [TAC_VALUE_BOOLEAN] = "boolean"};
TABLE_COVERS(value_type_words, TAC_VALUE_BOOLEAN);

const char *tac_value_type_name(tac_value_type type)
{
    return value_type_words[type];
}

bool type_of_name(const char *name, tac_value_type *out)
{
    for (size_t i = 0; name && i < sizeof value_type_words / sizeof *value_type_words; i++)
        if (!strcmp(name, value_type_words[i])) {
            *out = (tac_value_type)i;
            return true;
        }
    return false;
}

void list_add(tac_str *list, const char *text, size_t length)
{
    tac_str_add_char(list, list->length ? ',' : '[');
    json_text_encode(list, text, length);
}

void list_close(tac_str *list)
{
    tac_str_add(list, list->length ? "]" : "[]");
}

char *tac_trace_list(const char *const *texts, size_t count)
{
    tac_str list = {0};
    for (size_t i = 0; i < count; i++)
        list_add(&list, texts[i], strlen(texts[i]));
    list_close(&list);
    return tac_str_take(&list);
}

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

const char *list_read(const char *at, tac_str *out, tac_str *scratch, const char **wrong)
{
    tac_str_clear(out);
    *wrong = at;
    if (*at != '[')
        return NULL;
    at = skip_blanks(at + 1);
    for (bool first = true; first ? *at != ']' : true; first = false) {
        *wrong = at;
        if (*at != '"')
            return NULL;
        const char *end = json_text_decode(at + 1, scratch, wrong);
        if (!end)
            return NULL;
        list_add(out, tac_str_text(scratch), scratch->length);
        at = skip_blanks(end + 1);
        *wrong = at;
        if (*at == ']')
            break;
        if (*at != ',')
            return NULL;
        at = skip_blanks(at + 1);
    }
    list_close(out);
    return at + 1;
}
