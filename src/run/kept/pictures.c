/* Pictures of screens for a reader. See kept.h. What a model names is an input like any other: no
 * path leaves the folder of the model, and links are not followed. */
#include "base/data/map.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "run/kept/kept.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PICTURES = 2000 };
static const size_t most_picture = (size_t)4 << 20, most_together = (size_t)256 << 20;

/* FOLDER/screens/HASH.EXTENSION, the folder made; NULL when it cannot be. The caller's. */
static char *path_of(const char *folder, const char *name, const char *extension)
{
    uint64_t hash = tac_hash_bytes(name, strlen(name), 0);
    char *screens = tac_format("%s/screens", folder), *path = NULL;
    if (mkdir(screens, 0777) == 0 || errno == EEXIST)
        path = tac_format("%s/%016llx.%s", screens, (unsigned long long)hash, extension);
    free(screens);
    return path;
}

char *picture_file(const char *folder, const char *name)
{
    static const char *const kinds[] = {"png", "jpg"};
    uint64_t hash = tac_hash_bytes(name, strlen(name), 0);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && *name; i++) {
        char *file = tac_format("screens/%016llx.%s", (unsigned long long)hash, kinds[i]);
        char *path = tac_format("%s/%s", folder, file);
        bool there = access(path, F_OK) == 0;
        free(path);
        if (there)
            return file;
        free(file);
    }
    return NULL;
}

bool has_picture(const char *folder, const char *name)
{
    char *file = picture_file(folder, name);
    bool there = file != NULL;
    free(file);
    return there;
}

void keep_picture(const char *folder, const char *name, tac_device *device, bool anew)
{
    if (!anew && has_picture(folder, name))
        return;
    char *path = path_of(folder, name, "png");
    unsigned char *data = NULL;
    size_t size = 0;
    tac_error ignored;
    if (path && tac_device_screenshot(device, 0, &data, &size, &ignored) == TAC_OK &&
        size <= most_picture)
        tac_output_write_file(path, (const char *)data, size, &ignored);
    free(data);
    free(path);
}

/* --- pictures of a model --- */

static bool stays_inside(const char *image)
{
    if (*image == '/' || !*image)
        return false;
    for (const char *at = image; *at; at += strcspn(at, "/"), at += *at == '/')
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2]))
            return false;
    return true;
}

/* "png", "jpg", or NULL. */
static const char *kind_of(const unsigned char *data, size_t size)
{
    if (size > 8 && !memcmp(data, "\x89PNG\r\n\x1a\n", 8))
        return "png";
    return size > 3 && !memcmp(data, "\xff\xd8\xff", 3) ? "jpg" : NULL;
}

/* Opens each part of the way without following links; -1 when there is no such file. */
static int open_inside(const char *folder, const char *image)
{
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (at >= 0 && image) {
        size_t length = strcspn(image, "/");
        bool last = !image[length];
        char *part = tac_strndup(image, length);
        int next = openat(
            at, part, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (last ? 0 : O_DIRECTORY));
        free(part);
        close(at);
        at = next;
        image = last ? NULL : image + length + 1;
    }
    return at;
}

/* The file's bytes (the caller's) when it is an ordinary one that is not too large; else NULL. */
static unsigned char *read_inside(const char *folder, const char *image, size_t *size)
{
    int fd = open_inside(folder, image);
    struct stat about;
    unsigned char *data = NULL;
    if (fd >= 0 && fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
        (size_t)about.st_size <= most_picture) {
        ssize_t got = 1;
        data = tac_alloc((size_t)about.st_size);
        for (*size = 0; got > 0 && *size<(size_t)about.st_size; *size += got> 0 ? (size_t)got : 0)
            got = read(fd, data + *size, (size_t)about.st_size - *size);
    }
    if (fd >= 0)
        close(fd);
    return data;
}

/* Makes the name known to readers of the folder. */
static void write_name(const char *folder, const char *name, const char *activity)
{
    char *path = path_of(folder, name, "json");
    tac_error ignored;
    if (path && access(path, F_OK) != 0) {
        json_t *document = json_pack("{s:o,s:o,s:s,s:[]}", "name", tac_json_string(name),
                                     "activity", tac_json_string(activity), "title", "", "texts");
        char *text = tac_json_text(document, JSON_COMPACT);
        tac_output_write_file(path, text, strlen(text), &ignored);
        free(text);
        json_decref(document);
    }
    free(path);
}

/* Returns how many bytes it copied. */
static size_t copy_picture(const char *folder, const char *from, const tac_model *model, uint32_t n)
{
    const tac_model_node *node = &model->nodes[n];
    const tac_model_machine *machine = &model->machines[node->machine];
    const char *image = model->notes[node->image];
    size_t size = 0;
    unsigned char *data = stays_inside(image) ? read_inside(from, image, &size) : NULL;
    const char *kind = data ? kind_of(data, size) : NULL;
    if (kind) {
        tac_error ignored;
        char *name = tac_format("%s/%s", machine->name, node->name);
        char *path = path_of(folder, name, kind);
        if (path && (access(path, F_OK) == 0 ||
                     tac_output_write_file(path, (const char *)data, size, &ignored) == TAC_OK))
            write_name(folder, name, model->activities[machine->activity].name);
        free(path);
        free(name);
    }
    free(data);
    return kind ? size : 0;
}

void keep_model_pictures(const char *folder, const char *model_path, const tac_model *model)
{
    const char *slash = strrchr(model_path, '/');
    char *from =
        slash ? tac_strndup(model_path, (size_t)(slash - model_path) + 1) : tac_strdup(".");
    size_t together = 0, count = 0;
    for (uint32_t n = 0; n < model->node_count; n++) {
        if (model->nodes[n].kind != TAC_NODE_STATE || model->nodes[n].image == TAC_MODEL_NONE)
            continue;
        if (count++ >= MOST_PICTURES || together >= most_together)
            break;
        together += copy_picture(folder, from, model, n);
    }
    free(from);
}
