/* Readable names of events. A control's name comes from its resource-id, else description, else
 * text, else class, in camel case ("play_pause" becomes playPause); the gesture is added where it
 * is not a click. A key stands for one control and gesture wherever it appears, so it has one name;
 * names that two keys would share get a number, in the order of the keys' texts, so that the order
 * of discovery does not matter. --rename has the last word and may give several keys one name. */
#include "base/json.h"
#include "base/str.h"
#include "base/text.h"
#include "explore/explorer.h"
#include <ctype.h>

static void add_camel(tac_str *out, const char *text)
{
    bool up = out->length > 0;
    for (const unsigned char *p = (const unsigned char *)text; *p && out->length < 60; p++) {
        if (!isalnum(*p) && *p < 0x80) {
            up = out->length > 0;
            continue;
        }
        bool first = out->length == 0;
        tac_str_add_char(out, (char)(up ? toupper(*p) : first ? tolower(*p) : *p));
        up = false;
    }
}

/* Keys read KIND|WHAT|VALUE|ORDINAL|TEXT (screen_match.c), "back", "home" or "system|NAME-". */
static char *base_name(const char *key)
{
    if (!strncmp(key, "system|", 7) || !strchr(key, '|')) {
        tac_str plain = {0};
        for (const char *p = strncmp(key, "system|", 7) ? key : key + 7; *p; p++)
            tac_str_add_char(&plain, *p == ' ' ? '_' : *p);
        return tac_str_take(&plain);
    }
    tac_str out = {0};
    size_t kind = strcspn(key, "|");
    const char *what = key + kind + 1, *value = strchr(what, '|') + 1;
    const char *end = strrchr(value, '|'); /* before the text */
    while (end > value && end[-1] != '|')
        end--;
    const char *ordinal = end;
    char *text = tac_strndup(value, (size_t)(end - value - 1));
    const char *entry = strncmp(what, "id|", 3) ? text : strrchr(text, '/');
    if (!strncmp(what, "class|", 6))
        entry = strrchr(text, '.');
    if (!strncmp(key, "text|", 5))
        tac_str_add(&out, "type");
    else if (!strncmp(key, "scroll|", 7))
        tac_str_add(&out, "scroll");
    else if (!strncmp(key, "swipe|", 6))
        tac_str_add(&out, "swipe");
    add_camel(&out, entry ? (*entry == '/' || *entry == '.' ? entry + 1 : entry) : text);
    if (!out.length)
        tac_str_add(&out, "control");
    if (!strncmp(key, "longClick|", 10))
        tac_str_add(&out, "Long");
    unsigned long which = strtoul(ordinal, NULL, 10);
    if (which)
        tac_str_addf(&out, "_%lu", which + 1);
    free(text);
    return tac_str_take(&out);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static tac_status rename_events(explorer *ex, const char **names, tac_error *err)
{
    tac_json file;
    tac_status st = tac_json_load(ex->options.rename, 1 << 20, &file, err);
    if (st)
        return st;
    if (!json_is_object(file.root))
        st = tac_json_fail(&file, "", err, "expected an object {\"event\": \"new name\"}");
    const char *from;
    json_t *to;
    json_object_foreach(file.root, from, to)
    {
        if (st)
            break;
        const char *name = json_string_value(to);
        if (!name || !*name || strpbrk(name, " \t\n")) {
            char pointer[256];
            snprintf(pointer, sizeof pointer, "/%.200s", from);
            st = tac_json_fail(&file, pointer, err, "a new name is a text without blanks");
            break;
        }
        for (uint32_t i = 0; i < ex->keys.count; i++)
            if (!strcmp(names[i], from))
                names[i] = tac_arena_format(&ex->arena, "\1%s", name);
    }
    for (uint32_t i = 0; i < ex->keys.count && !st; i++)
        if (names[i][0] == '\1')
            names[i]++;
    tac_json_free(&file);
    return st;
}

tac_status event_names(explorer *ex, const char ***out, tac_error *err)
{
    size_t count = ex->keys.count;
    const char **sorted = tac_calloc(count + 1, sizeof *sorted);
    const char **names = tac_calloc(count + 1, sizeof *names);
    tac_names used = {0};
    if (count)
        memcpy(sorted, ex->keys.text, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_text);
    for (size_t i = 0; i < count; i++) {
        char *base = base_name(sorted[i]);
        char *name = tac_strdup(base);
        for (unsigned n = 2; tac_names_find(&used, name) != TAC_NONE; n++) {
            free(name);
            name = tac_format("%s%u", base, n);
        }
        tac_names_intern(&used, name);
        names[tac_names_find(&ex->keys, sorted[i])] = tac_arena_strdup(&ex->arena, name);
        free(base);
        free(name);
    }
    tac_names_free(&used);
    free(sorted);
    tac_status st = ex->options.rename ? rename_events(ex, names, err) : TAC_OK;
    if (st)
        free(names);
    else
        *out = names;
    return st;
}
