#include "serve/folder/list.h"
#include "base/data/text.h"
#include "serve/folder/beneath.h"
#include <dirent.h>
#include <fcntl.h>
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

/* What a file is, by its name and its first bytes; static. */
static const char *kind_of_file(const char *name, const char *head, size_t size)
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

struct place {
    char *path;
    unsigned depth;
};

struct walk {
    listing *list;
    int root;
    TAC_VEC(struct place) places; /* folders, the nearest first: what is left out is far away */
};

static int open_folder(int root, const char *path)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const char *last;
    if (!*path)
        return openat(root, ".", flags);
    int parent = open_parent(root, path, false, &last);
    int folder = parent < 0 ? -1 : openat(parent, last, flags);
    if (parent >= 0)
        close(parent);
    return folder;
}

static void add_folder(struct walk *walk, int parent, const char *name, const char *path,
                       unsigned depth)
{
    struct stat about;
    int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return;
    if (!fstatat(folder, "index.sqlite", &about, AT_SYMLINK_NOFOLLOW) && S_ISREG(about.st_mode))
        add_entry(walk->list, path, "campaign", &about);
    else if (depth < MOST_DEPTH)
        tac_vec_push(&walk->places, (struct place){tac_strdup(path), depth});
    else
        walk->list->truncated = true;
    close(folder);
}

static void add_name(struct walk *walk, int folder, const struct dirent *entry, const char *path,
                     unsigned depth)
{
    if (entry->d_type == DT_DIR && tac_ends_with(entry->d_name, ".pictures"))
        return; /* of a model, which shows them at its states */
    if (entry->d_type == DT_DIR)
        add_folder(walk, folder, entry->d_name, path, depth + 1);
    else if (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN)
        add_file(walk->list, folder, entry->d_name, path);
}

/* False when the list is full. */
static bool look_into(struct walk *walk, const struct place *place)
{
    int folder = open_folder(walk->root, place->path);
    DIR *open = folder < 0 ? NULL : fdopendir(folder);
    bool room = true;
    if (!open && folder >= 0)
        close(folder);
    for (struct dirent *entry; open && room && (entry = readdir(open));) {
        char *path = tac_format("%s%s%s", place->path, *place->path ? "/" : "", entry->d_name);
        if (entry->d_name[0] != '.' && path_is_fine(path)) {
            room = walk->list->files.count < MOST_FILES;
            if (room)
                add_name(walk, dirfd(open), entry, path, place->depth);
        }
        free(path);
    }
    if (open)
        closedir(open);
    return room;
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
    struct walk walk = {.list = out, .root = root};
    tac_vec_push(&walk.places, (struct place){tac_strdup(""), 0});
    bool room = true;
    for (size_t i = 0; i < walk.places.count; i++) {
        struct place place = walk.places.at[i]; /* looking into it adds others */
        room = room && look_into(&walk, &place);
        free(place.path);
    }
    tac_vec_free(&walk.places);
    out->truncated = out->truncated || !room;
    if (out->files.count)
        qsort(out->files.at, out->files.count, sizeof *out->files.at, by_age);
}

void listing_free(listing *list)
{
    for (size_t i = 0; i < list->files.count; i++)
        free(list->files.at[i].path);
    tac_vec_free(&list->files);
}
