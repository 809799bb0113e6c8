#include "serve/folder/list.h"
#include "base/data/text.h"
#include "serve/folder/beneath.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 5000, MOST_DEPTH = 12, HEAD = 4096 };

static bool has(const char *head, size_t size, const char *text)
{
    return memmem(head, size, text, strlen(text)) != NULL;
}

static const char *kind_of_json(const char *head, size_t size)
{
    if (has(head, size, "\"screens\"") && has(head, size, "\"package\""))
        return "app";
    if (has(head, size, "\"segments\"") || has(head, size, "\"latency\"") ||
        has(head, size, "\"rate\""))
        return "scenario";
    return "other";
}

static const char *kind_of_lines(const char *head, size_t size)
{
    if (has(head, size, "\"tactus\"") && has(head, size, "\"trace\""))
        return "trace";
    if (has(head, size, "\"steps\"") && has(head, size, "\"start\""))
        return "flows";
    if (has(head, size, "\"callback") || has(head, size, "\"callin") || has(head, size, "_entry\""))
        return "recording";
    return "trace";
}

const char *kind_of_file(const char *name, const char *head, size_t size)
{
    static const struct {
        const char *ending, *kind;
    } endings[] = {{".props", "property"},  {".rules", "rules"}, {".spec", "protocol"},
                   {".actions", "actions"}, {".csv", "trace"},   {".html", "page"},
                   {".png", "picture"},     {".svg", "picture"}, {".jpg", "picture"},
                   {".logcat", "trace"},    {".ttr", "trace"}};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (tac_ends_with(name, endings[i].ending))
            return endings[i].kind;
    if (tac_ends_with(name, ".xml"))
        return has(head, size, "interactionModel")         ? "model"
               : has(head, size, "appUserFlowRequirement") ? "requirement"
                                                           : "other";
    if (tac_ends_with(name, ".jsonl"))
        return kind_of_lines(head, size);
    if (tac_ends_with(name, ".json"))
        return kind_of_json(head, size);
    if (tac_ends_with(name, ".yaml") || tac_ends_with(name, ".yml"))
        return has(head, size, "trigger") || has(head, size, "automation") ? "automation" : "other";
    return "other";
}

static void add_entry(listing *list, const char *path, const char *kind, const struct stat *about)
{
    struct listed entry = {.path = tac_strdup(path),
                           .kind = kind,
                           .size = about->st_size,
                           .modified = (double)about->st_mtim.tv_sec +
                                       (double)about->st_mtim.tv_nsec / 1e9};
    tac_vec_push(&list->files, entry);
}

static void add_file(listing *list, int folder, const char *name, const char *path)
{
    char head[HEAD];
    struct stat about;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t got = -1;
    if (!fstat(file, &about) && S_ISREG(about.st_mode))
        got = read(file, head, sizeof head);
    if (got >= 0)
        add_entry(list, path, kind_of_file(name, head, (size_t)got), &about);
    close(file);
}

static void walk(listing *list, int folder, const char *prefix, unsigned depth);

static void add_folder(listing *list, int parent, const char *name, const char *path,
                       unsigned depth)
{
    struct stat about;
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    if (!fstatat(folder, "index.sqlite", &about, AT_SYMLINK_NOFOLLOW) && S_ISREG(about.st_mode)) {
        add_entry(list, path, "campaign", &about);
        close(folder);
    } else {
        walk(list, folder, path, depth + 1);
    }
}

/* Closes the folder. */
static void walk(listing *list, int folder, const char *prefix, unsigned depth)
{
    DIR *open = fdopendir(folder);
    struct dirent *entry;
    if (!open) {
        close(folder);
        return;
    }
    while ((entry = readdir(open)) && !list->truncated) {
        char *path = tac_format("%s%s%s", prefix, *prefix ? "/" : "", entry->d_name);
        if (entry->d_name[0] == '.' || !path_is_fine(path)) {
            free(path);
            continue;
        }
        if (list->files.count >= MOST_FILES || depth >= MOST_DEPTH)
            list->truncated = true;
        else if (entry->d_type == DT_DIR && tac_ends_with(entry->d_name, ".pictures"))
            ; /* of a model, which shows them at its states */
        else if (entry->d_type == DT_DIR)
            add_folder(list, dirfd(open), entry->d_name, path, depth);
        else if (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN)
            add_file(list, dirfd(open), entry->d_name, path);
        free(path);
    }
    closedir(open);
}

static int by_age(const void *a, const void *b)
{
    const struct listed *x = a, *y = b;
    if (x->modified != y->modified)
        return x->modified > y->modified ? -1 : 1;
    return strcmp(x->path, y->path);
}

void list_folder(int root, listing *out)
{
    *out = (listing){0};
    int folder = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0)
        walk(out, folder, "", 0);
    if (out->files.count)
        qsort(out->files.at, out->files.count, sizeof *out->files.at, by_age);
}

void listing_free(listing *list)
{
    for (size_t i = 0; i < list->files.count; i++)
        free(list->files.at[i].path);
    tac_vec_free(&list->files);
}
