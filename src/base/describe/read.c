/* Documents back into structs by their descriptions; for what a program of another version may have
 * written: what is missing or of another type is passed over. */
#include "base/describe/describe.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

static void read_value(const struct field *field, const json_t *json, tac_arena *arena,
                       char *value);

static void set_text(const struct field *field, const char *text, tac_arena *arena, char *to)
{
    size_t length = text ? strlen(text) : 0;
    const char *kept = text ? tac_arena_strndup(arena, text, length) : field->maybe ? NULL : "";
    if (field->pointed)
        memcpy(to, &kept, sizeof kept);
    else if (text && length < field->size)
        memcpy(to, text, length + 1);
}

static void set_integer(const struct field *field, json_int_t number, char *to)
{
    bool fits = field->kind != FIELD_KIND_UNSIGNED || number >= 0;
    char kept[sizeof number];
    assert(field->size <= sizeof kept);
    memcpy(kept, to, field->size);
    memcpy(to, &number, field->size); /* the low bytes come first */
    int64_t back = field->kind == FIELD_KIND_UNSIGNED ? (int64_t)field_unsigned(to, field->size)
                                                      : field_signed(to, field->size);
    if (!fits || back != number)
        memcpy(to, kept, field->size);
}

static void set_word(const struct field *field, const char *word, char *to)
{
    for (size_t i = 0; word && i < field->word_count; i++)
        if (field->words[i] && !strcmp(field->words[i], word))
            memcpy(to, &i, field->size);
}

static void read_element(const struct describe *what, const json_t *json, tac_arena *arena,
                         char *value)
{
    if (what->form == DESCRIBE_OBJECT)
        describe_read(what, json, arena, value);
    else if (what->form == DESCRIBE_VALUE)
        read_value(&what->fields[what->keyed ? 1 : 0], json, arena, value);
}

static void read_list(const struct field *field, const json_t *json, tac_arena *arena, char *value)
{
    const struct describe *of = field->of;
    size_t count = of->keyed ? json_object_size(json) : json_array_size(json), i = 0;
    if (!(of->keyed ? json_is_object(json) : json_is_array(json)) || !field->count_size)
        return;
    char *list = tac_arena_calloc(arena, count, of->size), *key_at;
    const char *key;
    json_t *one;
    if (of->keyed)
        json_object_foreach((json_t *)(uintptr_t)json, key, one)
        {
            key_at = list + i++ * of->size;
            set_text(&of->fields[0], key, arena, key_at + of->fields[0].at);
            read_element(of, one, arena, key_at);
        }
    else
        json_array_foreach(json, i, one) read_element(of, one, arena, list + i * of->size);
    memcpy(value + field->at, &list, sizeof list);
    memcpy(value + field->count_at, &count, field->count_size);
}

static void read_inner(const struct field *field, const json_t *json, tac_arena *arena, char *to)
{
    void *inner = to;
    if (!json_is_object(json))
        return;
    if (field->pointed)
        memcpy(to, &(void *){inner = tac_arena_calloc(arena, 1, field->of->size)}, sizeof inner);
    describe_read(field->of, json, arena, inner);
}

static void read_value(const struct field *field, const json_t *json, tac_arena *arena, char *value)
{
    char *to = value + field->at;
    double number = json_is_number(json) ? json_number_value(json) : (double)NAN;
    bool yes = json_is_true(json) != field->reversed;
    int64_t time;
    switch (field->kind) {
    case FIELD_KIND_TEXT:
        set_text(field, json_string_value(json), arena, to);
        break;
    case FIELD_KIND_UNSIGNED:
    case FIELD_KIND_SIGNED:
        if (json_is_integer(json))
            set_integer(field, json_integer_value(json), to);
        break;
    case FIELD_KIND_BOOL:
        if (json_is_boolean(json))
            memcpy(to, &yes, sizeof yes);
        break;
    case FIELD_KIND_NUMBER:
        memcpy(to, &number, sizeof number);
        break;
    case FIELD_KIND_SECONDS:
        time = fabs(number) < 9e9 ? llround(number * 1e9) : 0;
        memcpy(to, &time, sizeof time);
        break;
    case FIELD_KIND_ENUM:
        set_word(field, json_string_value(json), to);
        break;
    case FIELD_KIND_STRUCT:
        read_inner(field, json, arena, to);
        break;
    case FIELD_KIND_LIST:
        read_list(field, json, arena, value);
        break;
    case FIELD_KIND_BIG:
    case FIELD_KIND_JSON:
    case FIELD_KIND_CONSTANT:
        break;
    }
}

void describe_read(const struct describe *what, const json_t *document, tac_arena *arena,
                   void *value)
{
    for (size_t i = what->keyed ? 1 : 0; i < what->count; i++) {
        const struct field *field = &what->fields[i];
        const json_t *json = field->splice ? document : json_object_get(document, field_key(field));
        char *to = (char *)value + field->at;
        if (field->hidden || field->get || field->name || field->pick)
            continue;
        if (json)
            read_value(field, json, arena, value);
        if (field->kind == FIELD_KIND_LIST && field->pointed && !*(char **)(void *)to)
            memset((char *)value + field->count_at, 0, field->count_size); /* it was no list */
        if (!json && field->kind == FIELD_KIND_TEXT && field->pointed && !*(char **)(void *)to)
            set_text(field, NULL, arena, to);
    }
}
