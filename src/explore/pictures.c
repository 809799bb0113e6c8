/* What the screens of an app look like: one picture each, taken when the screen is first seen,
 * under a name that the screen's signature gives, so that an exploration that goes on finds those
 * that it has. Pictures are for people: no result depends on one, and a device that gives none is
 * explored all the same. */
#include "base/data/map.h"
#include "base/io/output.h"
#include "explore/crew.h"
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static const size_t most_picture = (size_t)4 << 20;

/* The name of its file; arena. */
static const char *file_name(struct explorer *ex, uint32_t number)
{
    uint64_t hash = tac_hash_bytes(ex->signatures.text[number], ex->signatures.length[number], 0);
    return tac_arena_format(&ex->arena, "%016llx.png", (unsigned long long)hash);
}

static bool is_there(struct explorer *ex, const char *name)
{
    return !access(tac_arena_format(&ex->arena, "%s/%s", ex->options.pictures, name), R_OK);
}

void picture_take(struct explorer *ex, uint32_t screen_number)
{
    if (!ex->options.pictures || ex->screens.at[screen_number].pictured)
        return;
    ex->screens.at[screen_number].pictured = true;
    const char *name = file_name(ex, screen_number);
    unsigned char *data = NULL;
    size_t size = 0;
    tac_error ignored;
    if (is_there(ex, name) || crew_screenshot(ex, &data, &size, &ignored) != TAC_OK)
        return;
    bool folder = mkdir(ex->options.pictures, 0777) == 0 || errno == EEXIST;
    const char *path = tac_arena_format(&ex->arena, "%s/%s", ex->options.pictures, name);
    if (folder && size && size <= most_picture)
        tac_output_write_file(path, (const char *)data, size, &ignored);
    free(data);
}

const char *picture_name(struct explorer *ex, uint32_t screen_number)
{
    if (!ex->options.pictures)
        return NULL;
    const char *name = file_name(ex, screen_number), *prefix = ex->options.picture_prefix;
    return is_there(ex, name) ? tac_arena_format(&ex->arena, "%s%s", prefix ? prefix : "", name)
                              : NULL;
}
