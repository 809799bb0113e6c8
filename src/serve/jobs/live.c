/* Files that a job writes for those who watch. They are inputs like any other: what is not as
 * expected is left out, and no path leaves the folder. See live.h. */
#include "serve/jobs/live.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "serve/folder/beneath.h"
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_WORKERS = 8, MOST_VIEW = 64 << 10, MOST_ENTRIES = 5000 };

/* The entries of a folder of the served one; NULL when it is not there. */
static DIR *open_folder(tac_portal *portal, const char *path)
{
    const char *last;
    char *inside = tac_format("%s/x", path);
    int folder = path_is_fine(inside) ? open_parent(portal->root, inside, false, &last) : -1;
    free(inside);
    DIR *entries = folder >= 0 ? fdopendir(folder) : NULL;
    if (folder >= 0 && !entries)
        close(folder);
    return entries;
}

static json_t *read_view(tac_portal *portal, const char *campaign, int worker)
{
    char *path = tac_format("%s/live/%d.json", campaign, worker), *data = NULL;
    size_t size = 0;
    tac_json document = {0};
    json_t *view = NULL;
    if (read_beneath(portal->root, path, &data, &size, NULL) == TAC_OK && size <= MOST_VIEW &&
        tac_json_parse(path, data, size, &document, NULL) == TAC_OK &&
        json_is_object(document.root))
        view = json_incref(document.root);
    const char *picture = json_string_value(json_object_get(view, "picture"));
    if (picture) {
        char *whole = tac_format("%s/%s", campaign, picture);
        json_object_set_new(view, "picture", tac_json_string(whole));
        free(whole);
    }
    tac_json_free(&document);
    free(data);
    free(path);
    return view;
}

static json_t *campaign_views(tac_portal *portal, const char *campaign)
{
    json_t *views = json_array();
    for (int worker = 0; worker < MOST_WORKERS; worker++) {
        json_t *view = read_view(portal, campaign, worker);
        if (view)
            json_array_append_new(views, view);
    }
    return views;
}

/* The picture that was taken last; "" when there is none. The caller's. */
static char *newest_picture(tac_portal *portal, const char *folder)
{
    DIR *entries = open_folder(portal, folder);
    char *newest = tac_strdup("");
    struct timespec best = {0};
    struct dirent *entry;
    for (unsigned count = 0; entries && count < MOST_ENTRIES && (entry = readdir(entries));
         count++) {
        struct stat about;
        if (entry->d_name[0] == '.' || !tac_ends_with(entry->d_name, ".png") ||
            fstatat(dirfd(entries), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(about.st_mode) || about.st_mtim.tv_sec < best.tv_sec ||
            (about.st_mtim.tv_sec == best.tv_sec && about.st_mtim.tv_nsec < best.tv_nsec))
            continue;
        best = about.st_mtim;
        free(newest);
        newest = tac_format("%s/%s", folder, entry->d_name);
    }
    if (entries)
        closedir(entries);
    return newest;
}

/* As 'tactus explore' names the folder of the pictures of a model. */
static json_t *exploration_view(tac_portal *portal, const char *model)
{
    size_t length = strlen(model);
    length -= tac_ends_with(model, ".xml") ? 4 : 0;
    length -= length > 6 && !strncmp(model + length - 6, ".model", 6) ? 6 : 0;
    char *folder = tac_format("%.*s.pictures", (int)length, model);
    char *picture = newest_picture(portal, folder);
    json_t *views = *picture ? json_pack("[{s:o}]", "picture", tac_json_string(picture)) : NULL;
    free(picture);
    free(folder);
    return views;
}

json_t *live_views(tac_portal *portal, const struct job *job)
{
    const char *kind = json_string_value(json_object_get(job->about, "kind"));
    const char *output = json_string_value(json_object_get(job->about, "output"));
    if (!kind || !output)
        return NULL;
    if (!strcmp(kind, "explore"))
        return exploration_view(portal, output);
    return strcmp(kind, "run") ? NULL : campaign_views(portal, output);
}
