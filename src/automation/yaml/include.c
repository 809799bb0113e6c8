/* Home Assistant's tags: !include and its four folder forms, !secret, !env_var. Whatever they name
 * lies inside the folder, or is left out with a warning. */
#include "automation/yaml/tree.h"
#include "base/data/order.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FOLDER_DEPTH = 16, MOST_FOLDER_FILES = 20000 };

typedef TAC_VEC(char *) path_list;

static void walk(struct tree_library *library, const char *folder, unsigned depth, path_list *out)
{
    char real[PATH_MAX];
    if (depth > MOST_FOLDER_DEPTH || !tree_inside(library, folder, real))
        return;
    DIR *dir = opendir(real);
    if (!dir)
        return;
    path_list names = {0};
    for (struct dirent *entry; (entry = readdir(dir)) && names.count < MOST_FOLDER_FILES;)
        if (entry->d_name[0] != '.')
            tac_vec_push(&names, tac_strdup(entry->d_name));
    closedir(dir);
    if (names.count)
        qsort(names.at, names.count, sizeof *names.at, tac_order_text);
    for (size_t i = 0; i < names.count; i++) {
        char *path = tac_format("%s/%s", folder, names.at[i]),
             *full = tac_format("%s/%s", real, names.at[i]);
        struct stat status;
        if (!lstat(full, &status) && S_ISDIR(status.st_mode))
            walk(library, path, depth + 1, out);
        else if (tac_ends_with(names.at[i], ".yaml") && strcmp(names.at[i], "secrets.yaml") != 0 &&
                 out->count < MOST_FOLDER_FILES)
            tac_vec_push(out, tac_strdup(path));
        free(path);
        free(full);
        free(names.at[i]);
    }
    tac_vec_free(&names);
}

bool tree_list_folder(struct tree_library *library, const char *folder, const char ***paths,
                      size_t *count)
{
    char real[PATH_MAX];
    path_list found = {0};
    if (!tree_inside(library, folder, real))
        return false;
    walk(library, folder, 0, &found);
    const char **kept = tac_arena_calloc(&library->arena, found.count + 1, sizeof *kept);
    for (size_t i = 0; i < found.count; i++) {
        kept[i] = tac_arena_strdup(&library->arena, found.at[i]);
        free(found.at[i]);
    }
    *paths = kept;
    *count = found.count;
    tac_vec_free(&found);
    return true;
}

/* The path of an include, relative to the file it stands in, seen from the library's folder. */
static char *beside(const struct tree_library *library, const struct tree_node *node)
{
    const char *own = library->files[node->file].path, *slash = strrchr(own, '/');
    if (node->text[0] == '/')
        return tac_strdup(node->text);
    return slash ? tac_format("%.*s/%s", (int)(slash - own), own, node->text)
                 : tac_strdup(node->text);
}

static char *shortened(char *path) /* a/b/../c as a/c; the same memory */
{
    char *parts[256];
    size_t count = 0;
    char *out = tac_calloc(strlen(path) + 2, 1), *rest = path, *part;
    while ((part = strsep(&rest, "/")) && count < 256)
        if (!strcmp(part, "..") && count && strcmp(parts[count - 1], "..") != 0)
            count--;
        else if (*part && strcmp(part, ".") != 0)
            parts[count++] = part;
    for (size_t i = 0; i < count; i++)
        sprintf(out + strlen(out), "%s%s", i ? "/" : "", parts[i]);
    free(path);
    return out;
}

static struct tree_node *empty_like(struct tree_library *library, const struct tree_node *node,
                                    enum tree_kind kind)
{
    struct tree_node *made = tac_arena_calloc(&library->arena, 1, sizeof *made);
    made->kind = kind;
    made->file = node->file;
    made->line = node->line;
    return made;
}

static const char *stem_of(struct tree_library *library, const char *path)
{
    const char *name = tac_base_name(path);
    return tac_arena_strndup(&library->arena, name, strlen(name) - strlen(".yaml"));
}

static void reserve(struct tree_library *library, struct tree_node *node, size_t most)
{
    node->at = tac_arena_calloc(&library->arena, most + 1, sizeof *node->at);
    if (node->kind == TREE_MAP) {
        node->keys = tac_arena_calloc(&library->arena, most + 1, sizeof *node->keys);
        node->key_lines = tac_arena_calloc(&library->arena, most + 1, sizeof *node->key_lines);
    }
}

static void add(struct tree_node *node, const char *key, uint32_t line, struct tree_node *value)
{
    if (node->kind == TREE_MAP) {
        node->keys[node->count] = key;
        node->key_lines[node->count] = line;
    }
    node->at[node->count++] = value;
}

static struct tree_node *include_folder(struct tree_library *library, const struct tree_node *node,
                                        const char *folder, const char *form)
{
    bool merge = !strncmp(form, "merge_", 6), named = strstr(form, "named") != NULL;
    struct tree_node *made = empty_like(library, node, named ? TREE_MAP : TREE_LIST);
    const char **paths;
    size_t count, most = 0;
    if (!tree_list_folder(library, folder, &paths, &count)) {
        tree_warn(library, node, "the folder '%s' is not in this configuration", node->text);
        return made;
    }
    struct tree_node **roots = tac_calloc(count + 1, sizeof *roots);
    for (size_t i = 0; i < count; i++) {
        roots[i] = tree_include(library, node->file, paths[i]);
        if (roots[i] && roots[i]->tag)
            roots[i] = tree_resolve(library, roots[i]);
        most += merge && roots[i] ? roots[i]->count : 1;
    }
    reserve(library, made, most);
    for (size_t i = 0; i < count; i++) {
        if (!roots[i] || roots[i]->kind == TREE_EMPTY)
            continue;
        if (!merge)
            add(made, named ? stem_of(library, paths[i]) : NULL, 1, roots[i]);
        else if (roots[i]->kind == made->kind)
            for (size_t j = 0; j < roots[i]->count; j++)
                add(made, named ? roots[i]->keys[j] : NULL, named ? roots[i]->key_lines[j] : 0,
                    roots[i]->at[j]);
    }
    free(roots);
    return made;
}

static struct tree_node *secret(struct tree_library *library, struct tree_node *node)
{
    if (!library->secrets_read) {
        char *name = tac_format("%ssecrets.yaml", library->base ? library->base : "");
        char *path = tac_format("%s/%s", library->folder, name);
        struct stat status;
        library->secrets_read = true;
        library->secrets = stat(path, &status) ? NULL : tree_load(library, name);
        free(path);
        free(name);
    }
    const struct tree_node *secrets = library->secrets;
    for (size_t i = 0; secrets && secrets->kind == TREE_MAP && i < secrets->count; i++)
        if (!strcmp(secrets->keys[i], node->text) && !secrets->at[i]->tag)
            return secrets->at[i];
    return node; /* stays a tagged scalar: a value that is not known */
}

struct tree_node *tree_resolve(struct tree_library *library, struct tree_node *node)
{
    static const char folder_form[] = "!include_dir_";
    for (unsigned depth = 0; node->tag && node->text && depth < 32; depth++) {
        bool folder = !strncmp(node->tag, folder_form, sizeof folder_form - 1);
        if (!strcmp(node->tag, "!secret"))
            return secret(library, node);
        if (!folder && strcmp(node->tag, "!include") != 0)
            return node;
        char *path = shortened(beside(library, node));
        struct tree_node *target;
        if (folder) {
            target = include_folder(library, node, path, node->tag + sizeof folder_form - 1);
            *node = *target; /* read once */
        } else {
            target = tree_include(library, node->file, path);
            if (!target)
                tree_warn(library, node, "'%s' cannot be included", node->text);
        }
        free(path);
        node = target ? target : empty_like(library, node, TREE_EMPTY);
    }
    return node;
}
