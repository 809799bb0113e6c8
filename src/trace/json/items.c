/* See items.h. Values are cut out of the window by their brackets and quotes, then parsed whole. */
#include "trace/json/items.h"
#include "base/data/text.h"
#include "trace/json/mend.h"
#include <string.h>

enum { STEP = 1 << 16, NESTING = 512 };

void json_items_open(struct json_items *items, struct trace_window *window, const char *const *path)
{
    *items = (struct json_items){.window = window, .path = path, .others = json_object()};
    items->key.cap = 4096;
}

void json_items_open_sequence(struct json_items *items, struct trace_window *window)
{
    static const char *const nowhere[] = {NULL};
    json_items_open(items, window, nowhere);
    items->state = ITEMS_ARRAY;
    items->root_array = items->found = items->sequence = true;
}

void json_items_close(struct json_items *items)
{
    json_decref(items->others);
    tac_str_free(&items->key);
}

double json_loose_number(const json_t *value, double otherwise)
{
    double number;
    if (json_is_number(value))
        return json_number_value(value);
    return json_is_string(value) && tac_parse_double(json_string_value(value), &number) ? number
                                                                                        : otherwise;
}

static void pass(struct json_items *items, size_t size)
{
    items->window->begin += size;
    items->offset += size;
}

/* The byte `ahead` behind the begin, or -1 at the end of the input. */
static tac_status byte_at(struct json_items *items, size_t ahead, int *byte, tac_error *err)
{
    struct trace_window *window = items->window;
    if (window->end - window->begin <= ahead) {
        tac_status status = window_need(window, ahead + STEP, err);
        if (status)
            return status;
    }
    *byte = window->end - window->begin > ahead ? (unsigned char)window->data[window->begin + ahead]
                                                : -1;
    return TAC_OK;
}

static tac_status skip_blanks(struct json_items *items, const char *set, int *byte, tac_error *err)
{
    tac_status status;
    while (!(status = byte_at(items, 0, byte, err)) && *byte > 0 && strchr(set, *byte))
        pass(items, 1);
    return status;
}

/* The length of the string that starts at `from`, quotes included; 0 when it is cut. */
static tac_status string_length(struct json_items *items, size_t from, size_t *length,
                                tac_error *err)
{
    int byte;
    tac_status status;
    *length = 0;
    for (size_t at = from + 1; !(status = byte_at(items, at, &byte, err)) && byte >= 0; at++) {
        if (at - from > JSON_ITEM_MAX)
            return tac_fail_at(err, TAC_E_LIMIT, tac_input_name(items->window->input), 0, 0,
                               "a text is longer than 64 MiB");
        if (byte == '"') {
            *length = at + 1 - from;
            return TAC_OK;
        }
        at += byte == '\\';
    }
    return status;
}

/* The length of the value at the begin; 0 when the document ends inside it. */
static tac_status value_length(struct json_items *items, size_t *length, tac_error *err)
{
    size_t at = 0, depth = 0;
    int byte;
    tac_status status = TAC_OK;
    *length = 0;
    while (!status && !(status = byte_at(items, at, &byte, err)) && byte >= 0) {
        if (at > JSON_ITEM_MAX)
            return tac_fail_at(err, TAC_E_LIMIT, tac_input_name(items->window->input), 0, 0,
                               "the value at byte %llu is larger than 64 MiB",
                               (unsigned long long)items->offset);
        size_t step = 1;
        bool closes = byte == '}' || byte == ']';
        if (!depth && at && (closes || byte == ',' || byte == ':' || strchr(" \t\r\n", byte))) {
            *length = at;
            return TAC_OK;
        }
        if (byte == '"') {
            status = string_length(items, at, &step, err);
            if (status || !step)
                return status;
        } else if (byte == '{' || byte == '[') {
            depth++;
        } else if (closes) {
            depth -= depth > 0;
        }
        at += step;
        if (!depth && (closes || byte == '"')) {
            *length = at;
            return TAC_OK;
        }
    }
    return status;
}

static tac_status end_early(struct json_items *items)
{
    items->cut = true;
    items->cut_at = items->offset;
    items->state = ITEMS_END;
    return TAC_OK;
}

/* A value of the window; NULL when it is not JSON and cannot be mended. */
static json_t *parse_value(struct json_items *items, size_t length)
{
    const size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    const char *text = items->window->data + items->window->begin;
    json_t *value = json_loadb(text, length, flags, NULL);
    if (value)
        return value;
    tac_str mended = {0};
    if (json_mend(text, length, &mended))
        value = json_loadb(tac_str_text(&mended), mended.length, flags, NULL);
    tac_str_free(&mended);
    items->mended += value != NULL;
    items->damaged += value == NULL;
    return value;
}

/* Parses the value at the begin and passes over it; *value NULL when it is not JSON. */
static tac_status take_value(struct json_items *items, size_t most, json_t **value, tac_error *err)
{
    size_t length;
    *value = NULL;
    tac_status status = value_length(items, &length, err);
    if (status)
        return status;
    if (!length)
        return end_early(items);
    if (length > most)
        items->too_large++;
    else
        *value = parse_value(items, length);
    pass(items, length);
    return TAC_OK;
}

static tac_status enter(struct json_items *items, tac_error *err)
{
    int byte;
    tac_status status = skip_blanks(items, " \t\r\n\xef\xbb\xbf", &byte, err);
    if (status)
        return status;
    if (byte == '[') {
        items->root_array = items->found = true;
        items->state = ITEMS_ARRAY;
    } else if (byte == '{') {
        items->state = ITEMS_OBJECT;
    } else {
        return tac_fail_at(err, TAC_E_INPUT, tac_input_name(items->window->input), 1, 1,
                           "not a JSON object or array");
    }
    pass(items, 1);
    return TAC_OK;
}

/* The key at the begin, without quotes, as it is written. */
static tac_status take_key(struct json_items *items, tac_error *err)
{
    size_t length;
    int byte;
    tac_status status = string_length(items, 0, &length, err);
    if (status)
        return status;
    if (!length)
        return end_early(items);
    tac_str_clear(&items->key);
    items->key.overflow = false;
    tac_str_add_bytes(&items->key, items->window->data + items->window->begin + 1, length - 2);
    pass(items, length);
    return skip_blanks(items, " \t\r\n:", &byte, err);
}

/* The member whose key was taken: enters what leads to the array, keeps what does not. */
static tac_status take_member(struct json_items *items, tac_error *err)
{
    int byte;
    const char *wanted = items->path[items->depth], *key = tac_str_text(&items->key);
    tac_status status = byte_at(items, 0, &byte, err);
    if (status)
        return status;
    bool leads = wanted && !strcmp(key, wanted);
    bool last = leads && !items->path[items->depth + 1];
    if (leads && ((last && byte == '[') || (!last && byte == '{'))) {
        pass(items, 1);
        items->depth++;
        items->found |= last;
        items->state = last ? ITEMS_ARRAY : ITEMS_OBJECT;
        return TAC_OK;
    }
    json_t *value;
    status = take_value(items, byte == '"' ? JSON_ITEM_MAX : JSON_OTHER_MAX, &value, err);
    if (value && (items->key.overflow || json_object_set(items->others, key, value)))
        items->damaged++;
    json_decref(value);
    return status;
}

static tac_status step_object(struct json_items *items, tac_error *err)
{
    int byte;
    tac_status status = skip_blanks(items, " \t\r\n,", &byte, err);
    if (status)
        return status;
    if (byte < 0)
        return end_early(items);
    if (byte == '}') {
        pass(items, 1);
        items->state = items->depth ? ITEMS_OBJECT : ITEMS_END;
        items->depth -= items->depth > 0;
        return TAC_OK;
    }
    if (byte != '"')
        return tac_fail_at(err, TAC_E_INPUT, tac_input_name(items->window->input), 0, 0,
                           "a name in quotes is expected at byte %llu",
                           (unsigned long long)items->offset);
    status = take_key(items, err);
    return status || items->state == ITEMS_END ? status : take_member(items, err);
}

static tac_status step_array(struct json_items *items, json_t **element, tac_error *err)
{
    int byte;
    tac_status status = skip_blanks(items, " \t\r\n,\xef\xbb\xbf", &byte, err);
    if (status)
        return status;
    if (byte < 0 && items->sequence)
        items->state = ITEMS_END;
    if (byte < 0)
        return items->sequence ? TAC_OK
                               : (items->cut_between = items->root_array, end_early(items));
    if (byte == '}' || byte == ':' || (byte == ']' && items->sequence)) {
        pass(items, 1); /* a stray mark; what follows may be whole again */
        items->damaged++;
        return TAC_OK;
    }
    if (byte != ']')
        return take_value(items, JSON_ITEM_MAX, element, err);
    pass(items, 1);
    items->state = items->root_array ? ITEMS_END : ITEMS_OBJECT;
    items->depth -= items->depth > 0;
    return TAC_OK;
}

/* A second document, or what a broken download left. */
static tac_status look_behind(struct json_items *items, tac_error *err)
{
    int byte;
    tac_status status = skip_blanks(items, " \t\r\n", &byte, err);
    items->behind = byte >= 0;
    return status;
}

tac_status json_items_next(struct json_items *items, json_t **element, tac_error *err)
{
    bool ended = items->state == ITEMS_END;
    tac_status status = TAC_OK;
    *element = NULL;
    while (!status && !*element && items->state != ITEMS_END) {
        if (items->state == ITEMS_START)
            status = enter(items, err);
        else if (items->state == ITEMS_OBJECT)
            status = step_object(items, err);
        else
            status = step_array(items, element, err);
    }
    if (!status && !ended && items->state == ITEMS_END && !items->cut)
        status = look_behind(items, err);
    return status;
}
