/* Reading what a campaign kept of its screens. See screens.h. Files are inputs like any other: what
 * is not as expected is left out. */
#include "report/model/screens.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SCREENS = 5000, MOST_TEXTS = 8 };
static const size_t most_bytes = (size_t)1 << 20, most_picture = (size_t)2 << 20;

struct screen_list {
    TAC_VEC(struct known_screen) at;
    tac_names names;
};

static char *copy_of(const json_t *object, const char *key)
{
    return tac_strdup(tac_json_get_text(object, key));
}

/* "" when there is none; the caller's. */
static char *picture_beside(const char *document)
{
    static const char *const kinds[] = {"png", "jpg"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char *path =
            tac_format("%.*s.%s", (int)(strlen(document) - strlen(".json")), document, kinds[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return tac_strdup("");
}

static void add_screen(struct screen_list *list, const char *path)
{
    tac_json file;
    tac_error ignored;
    if (tac_json_load(path, most_bytes, &file, &ignored) != TAC_OK)
        return;
    const char *name = json_string_value(json_object_get(file.root, "name"));
    if (name && tac_names_find(&list->names, name) == TAC_NONE) {
        struct known_screen screen = {
            .name = tac_strdup(name), .title = copy_of(file.root, "title"), .texts = json_array()};
        size_t i;
        const json_t *text;
        json_array_foreach(json_object_get(file.root, "texts"), i,
                           text) if (json_is_string(text) &&
                                     json_array_size(screen.texts) < MOST_TEXTS)
            json_array_append_new(screen.texts, tac_json_string(json_string_value(text)));
        screen.picture = picture_beside(path);
        tac_names_intern(&list->names, name);
        tac_vec_push(&list->at, screen);
    }
    tac_json_free(&file);
}

static int is_document(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

struct screen_list *screens_load(const struct report_campaign *campaign)
{
    struct screen_list *list = tac_calloc(1, sizeof *list);
    char *folder = report_path(campaign, "screens");
    struct dirent **entries;
    int count = scandir(folder, &entries, is_document, alphasort);
    if (count < 0 && errno == ENOMEM)
        tac_out_of_memory(0);
    for (int i = 0; i < count; i++) {
        char *path = tac_format("%s/%s", folder, entries[i]->d_name);
        if (i < MOST_SCREENS)
            add_screen(list, path);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    free(folder);
    return list;
}

const struct known_screen *screens_find(const struct screen_list *list, const char *name)
{
    uint32_t id = tac_names_find(&list->names, name);
    return id == TAC_NONE ? NULL : &list->at.at[id];
}

size_t screens_count(const struct screen_list *list)
{
    return list->at.count;
}

const struct known_screen *screens_at(const struct screen_list *list, size_t index)
{
    return &list->at.at[index];
}

void screens_free(struct screen_list *list)
{
    for (size_t i = 0; i < list->at.count; i++) {
        free(list->at.at[i].name);
        free(list->at.at[i].title);
        free(list->at.at[i].picture);
        json_decref(list->at.at[i].texts);
    }
    tac_vec_free(&list->at);
    tac_names_free(&list->names);
    free(list);
}

char *screens_picture(const char *path, size_t *budget)
{
    static const unsigned char png[] = {0x89, 'P', 'N', 'G'}, jpeg[] = {0xff, 0xd8, 0xff};
    unsigned char *data = tac_alloc(most_picture);
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOMEM)
        tac_out_of_memory(0);
    size_t size = file ? fread(data, 1, most_picture, file) : 0;
    bool good = size > sizeof png && size < most_picture && size / 3 * 4 + 4 <= *budget &&
                (!memcmp(data, png, sizeof png) || !memcmp(data, jpeg, sizeof jpeg));
    char *text = good ? report_base64(data, size) : NULL;
    if (good)
        *budget -= size / 3 * 4 + 4;
    if (file)
        fclose(file);
    free(data);
    return text;
}
