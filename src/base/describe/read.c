/* Documents back into structs by their descriptions: what a program of another version may have
 * written, where what is missing or of another type is passed over, and files that somebody may
 * have edited, where it is an error with its place. */
#include "base/describe/describe.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

/* Where a strict reading stands; it ends at the first misfit. */
struct reading {
    tac_arena *arena;
    bool strict;
    char place[256]; /* JSON pointer */
    size_t length;
    tac_str expected; /* not empty: what is there is another value */
};

static size_t enter(struct reading *r, const char *key, size_t index)
{
    size_t was = r->length, room = sizeof r->place - was;
    if (!r->strict)
        return was;
    int n = key ? snprintf(r->place + was, room, "/%s", key)
                : snprintf(r->place + was, room, "/%zu", index);
    r->length += n > 0 && (size_t)n < room ? (size_t)n : 0;
    return was;
}

/* Not from a misfit: its place is told. */
static void leave(struct reading *r, size_t was)
{
    if (!r->expected.length)
        r->length = was;
    r->place[r->length] = '\0';
}

static void read_struct(const struct describe *what, const json_t *document, struct reading *r,
                        void *value);
static void read_value(const struct field *field, const json_t *json, struct reading *r,
                       char *value);

static void misfit(struct reading *r, const struct field *field, bool missing)
{
    static const char *const kinds[] = {[FIELD_KIND_TEXT] = "a text",
                                        [FIELD_KIND_UNSIGNED] =
                                            "a whole number, 0 or more, that fits",
                                        [FIELD_KIND_SIGNED] = "a whole number that fits",
                                        [FIELD_KIND_BOOL] = "true or false",
                                        [FIELD_KIND_NUMBER] = "a number",
                                        [FIELD_KIND_SECONDS] = "a number of seconds",
                                        [FIELD_KIND_ENUM] = "one of",
                                        [FIELD_KIND_BIG] = "a number as a text",
                                        [FIELD_KIND_JSON] = "a value",
                                        [FIELD_KIND_STRUCT] = "an object",
                                        [FIELD_KIND_LIST] = "an array",
                                        [FIELD_KIND_CONSTANT] = "a value"};
    TABLE_COVERS(kinds, FIELD_KIND_CONSTANT);
    if (!r->strict || r->expected.length)
        return;
    if (missing)
        tac_str_addf(&r->expected, "\"%s\", ", field_key(field));
    tac_str_add(&r->expected, kinds[field->kind]);
    for (size_t i = 0; field->kind == FIELD_KIND_ENUM && i < field->word_count; i++)
        tac_str_addf(&r->expected, "%s%s", i ? ", " : " ", field->words[i] ? field->words[i] : "");
}

static void set_text(const struct field *field, const char *text, struct reading *r, char *to)
{
    size_t length = text ? strlen(text) : 0;
    const char *kept = text ? tac_arena_strndup(r->arena, text, length) : field->maybe ? NULL : "";
    if (field->pointed)
        memcpy(to, &kept, sizeof kept);
    else if (text && length < field->size)
        memcpy(to, text, length + 1);
}

static bool set_integer(const struct field *field, json_int_t number, char *to)
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
    return fits && back == number;
}

static bool set_word(const struct field *field, const char *word, char *to)
{
    for (size_t i = 0; word && i < field->word_count; i++)
        if (field->words[i] && !strcmp(field->words[i], word)) {
            memcpy(to, &i, field->size);
            return true;
        }
    return false;
}

static void read_element(const struct describe *what, const json_t *json, struct reading *r,
                         char *value)
{
    size_t first = what->keyed ? 1 : 0;
    bool tuple = what->form == DESCRIBE_TUPLE;
    if (what->form == DESCRIBE_OBJECT)
        read_struct(what, json, r, value);
    else if (!tuple)
        read_value(&what->fields[first], json, r, value);
    else if (r->strict && json_array_size(json) != what->count)
        tac_str_addf(&r->expected, "a list of %zu values", what->count);
    for (size_t i = 0; tuple && i < json_array_size(json) && i < what->count; i++)
        read_value(&what->fields[i], json_array_get(json, i), r, value);
}

static void read_list(const struct field *field, const json_t *json, struct reading *r, char *value)
{
    const struct describe *of = field->of;
    size_t count = of->keyed ? json_object_size(json) : json_array_size(json), i = 0;
    if (!(of->keyed ? json_is_object(json) : json_is_array(json)) || !field->count_size) {
        misfit(r, field, false);
        return;
    }
    char *list = tac_arena_calloc(r->arena, count, of->size), *key_at;
    const char *key;
    json_t *one;
    memcpy(value + field->at, &list, sizeof list);
    memcpy(value + field->count_at, &count, field->count_size);
    if (of->keyed)
        json_object_foreach((json_t *)(uintptr_t)json, key, one)
        {
            key_at = list + i++ * of->size;
            set_text(&of->fields[0], key, r, key_at + of->fields[0].at);
            read_element(of, one, r, key_at);
        }
    else
        for (; i < count && !r->expected.length; i++) {
            size_t was = enter(r, NULL, i);
            read_element(of, json_array_get(json, i), r, list + i * of->size);
            leave(r, was);
        }
}

static void read_inner(const struct field *field, const json_t *json, struct reading *r, char *to)
{
    void *inner = to;
    if (!json_is_object(json)) {
        misfit(r, field, false);
        return;
    }
    if (field->pointed)
        memcpy(to, &(void *){inner = tac_arena_calloc(r->arena, 1, field->of->size)}, sizeof inner);
    read_struct(field->of, json, r, inner);
}

static void read_value(const struct field *field, const json_t *json, struct reading *r,
                       char *value)
{
    char *to = value + field->at;
    double number = json_is_number(json) ? json_number_value(json) : (double)NAN;
    bool yes = json_is_true(json) != field->reversed;
    int64_t time;
    bool fits = true;
    switch (field->kind) {
    case FIELD_KIND_TEXT:
        fits = json_is_string(json) || (field->maybe && json_is_null(json));
        set_text(field, json_string_value(json), r, to);
        break;
    case FIELD_KIND_UNSIGNED:
    case FIELD_KIND_SIGNED:
        fits = json_is_integer(json) && set_integer(field, json_integer_value(json), to);
        break;
    case FIELD_KIND_BOOL:
        fits = json_is_boolean(json);
        if (fits)
            memcpy(to, &yes, sizeof yes);
        break;
    case FIELD_KIND_NUMBER:
        fits = json_is_number(json) || json_is_null(json);
        memcpy(to, &number, sizeof number);
        break;
    case FIELD_KIND_SECONDS:
        fits = json_is_number(json);
        time = fabs(number) < 9e9 ? llround(number * 1e9) : 0;
        memcpy(to, &time, sizeof time);
        break;
    case FIELD_KIND_ENUM:
        fits = set_word(field, json_string_value(json), to);
        break;
    case FIELD_KIND_STRUCT:
        read_inner(field, json, r, to);
        break;
    case FIELD_KIND_LIST:
        read_list(field, json, r, value);
        break;
    case FIELD_KIND_BIG:
    case FIELD_KIND_JSON:
    case FIELD_KIND_CONSTANT:
        break;
    }
    if (!fits)
        misfit(r, field, false);
}

static void read_struct(const struct describe *what, const json_t *document, struct reading *r,
                        void *value)
{
    for (size_t i = what->keyed ? 1 : 0; i < what->count && !r->expected.length; i++) {
        const struct field *field = &what->fields[i];
        const json_t *json = field->splice ? document : json_object_get(document, field_key(field));
        char *to = (char *)value + field->at;
        if (field->hidden || field->get || field->name || field->pick ||
            (r->strict && !field_if_holds(&field->only, value)))
            continue;
        size_t was = field->splice ? r->length : enter(r, field_key(field), 0);
        if (json)
            read_value(field, json, r, value);
        else if (field->needed)
            misfit(r, field, true);
        leave(r, was);
        if (field->kind == FIELD_KIND_LIST && field->pointed && !*(char **)(void *)to)
            memset((char *)value + field->count_at, 0, field->count_size); /* it was no list */
        if (!json && field->kind == FIELD_KIND_TEXT && field->pointed && !*(char **)(void *)to)
            set_text(field, NULL, r, to);
    }
}

void describe_read(const struct describe *what, const json_t *document, tac_arena *arena,
                   void *value)
{
    read_struct(what, document, &(struct reading){.arena = arena}, value);
}

tac_status describe_load(const struct describe *what, const tac_json *file, tac_arena *arena,
                         void *value, tac_error *err)
{
    struct reading r = {.arena = arena, .strict = true};
    tac_status status = TAC_OK;
    read_struct(what, file->root, &r, value);
    if (r.expected.length)
        status = tac_json_fail(file, r.place, err, "expected %s", tac_str_text(&r.expected));
    tac_str_free(&r.expected);
    return status;
}
