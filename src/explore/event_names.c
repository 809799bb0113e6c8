/* Readable names of events. A control's name comes from its resource-id, else description, else
 * text, else class, in camel case ("play_pause" becomes playPause); the gesture is added where it
 * is not a click. A key stands for one control and gesture wherever it appears, so it has one name;
 * names that two keys would share get a number, in the order of the keys' texts, so that the order
 * of discovery does not matter. --rename has the last word and may give several keys one name. */
#include "base/check.h"
#include "base/data/order.h"
#include "base/io/json.h"
#include "explore/explorer.h"
#include "explore/screen_class.h"

static tac_status rename_events(struct explorer *ex, const char **names, tac_error *err)
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

tac_status event_names(struct explorer *ex, const char ***out, tac_error *err)
{
    size_t count = ex->keys.count;
    const char **sorted = tac_calloc(count + 1, sizeof *sorted);
    const char **names = tac_calloc(count + 1, sizeof *names);
    tac_names used = {0};
    if (count)
        memcpy(sorted, ex->keys.text, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, tac_order_text);
    for (size_t i = 0; i < count; i++) {
        char *base = control_base_name(sorted[i]);
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
    assert(used.count == count); /* one name per key */
    tac_names_free(&used);
    free(sorted);
    tac_status st = ex->options.rename ? rename_events(ex, names, err) : TAC_OK;
    if (st)
        free(names);
    else
        *out = names;
    return st;
}
