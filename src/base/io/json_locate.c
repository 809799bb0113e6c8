/* Where in the text does the value at a JSON pointer stand?
 *
 * Used only to report errors, so it scans the (valid) document from its start each time: O(size).
 * The scanner trusts that jansson accepted the text. */
#include "base/data/str.h"
#include "base/io/json.h"
#include <string.h>

struct scan {
    const char *at, *end;
};

/* jansson lets a NUL byte stand after a number, so NUL counts as a blank: strchr finds it too. */
static void skip_blanks(struct scan *scan)
{
    while (scan->at < scan->end && strchr(" \t\r\n", *scan->at))
        scan->at++;
}

static void skip_string(struct scan *scan)
{
    for (scan->at++; scan->at < scan->end && *scan->at != '"'; scan->at++)
        if (*scan->at == '\\')
            scan->at++;
    if (scan->at < scan->end)
        scan->at++;
}

/* Skips one value of any kind, without recursion. */
static void skip_value(struct scan *scan)
{
    size_t depth = 0;
    do {
        skip_blanks(scan);
        if (scan->at >= scan->end)
            return;
        char c = *scan->at;
        if (c == '"') {
            skip_string(scan);
        } else if (c == '{' || c == '[') {
            depth++;
            scan->at++;
        } else if (c == '}' || c == ']') {
            depth--;
            scan->at++;
        } else if (c == ',' || c == ':') {
            scan->at++;
        } else {
            while (scan->at < scan->end && !strchr(",:]} \t\r\n", *scan->at))
                scan->at++;
        }
    } while (depth > 0);
}

/* Does the raw key between quotes equal the wanted one? Escaped keys are compared by jansson. */
static bool key_is(const char *raw, size_t length, const char *wanted)
{
    if (!memchr(raw, '\\', length))
        return strlen(wanted) == length && !memcmp(raw, wanted, length);
    json_t *key = json_loadb(raw - 1, length + 2, JSON_DECODE_ANY, NULL);
    bool equal = key && !strcmp(json_string_value(key), wanted);
    json_decref(key);
    return equal;
}

/* Moves from the start of a container to the child named by token; false leaves scan in place. */
static bool enter(struct scan *scan, const char *token)
{
    struct scan look = *scan;
    bool object = *look.at == '{';
    if (!object && *look.at != '[')
        return false;
    look.at++;
    for (size_t index = 0;; index++) {
        skip_blanks(&look);
        if (look.at >= look.end || *look.at == '}' || *look.at == ']')
            return false;
        bool found;
        if (object) {
            const char *key = look.at + 1;
            skip_string(&look);
            found = key_is(key, (size_t)(look.at - key) - 1, token);
            skip_blanks(&look);
            look.at++; /* the colon */
            skip_blanks(&look);
        } else {
            char number[24];
            snprintf(number, sizeof number, "%zu", index);
            found = !strcmp(number, token);
        }
        if (found) {
            *scan = look;
            return true;
        }
        skip_value(&look);
        skip_blanks(&look);
        if (look.at < look.end && *look.at == ',')
            look.at++;
    }
}

/* One reference token with ~1 and ~0 undone; returns the rest of the pointer. */
static const char *next_token(const char *pointer, tac_str *token)
{
    tac_str_clear(token);
    for (pointer++; *pointer && *pointer != '/'; pointer++) {
        if (pointer[0] == '~' && (pointer[1] == '0' || pointer[1] == '1'))
            tac_str_add_char(token, *++pointer == '0' ? '~' : '/');
        else
            tac_str_add_char(token, *pointer);
    }
    return pointer;
}

void tac_json_locate(const tac_json *json, const char *pointer, size_t *line, size_t *column)
{
    struct scan scan = {json->text, json->text + json->size};
    skip_blanks(&scan);
    tac_str token = {0};
    while (*pointer == '/') {
        pointer = next_token(pointer, &token);
        if (scan.at >= scan.end || !enter(&scan, tac_str_text(&token)))
            break;
    }
    tac_str_free(&token);
    *line = 1;
    *column = 1;
    for (const char *at = json->text; at < scan.at; at++) {
        if (*at == '\n') {
            ++*line;
            *column = 1;
        } else {
            ++*column;
        }
    }
}
