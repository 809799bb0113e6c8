/* Where the configuration of a folder lies, and what counts when it has none.
 *
 * People publish a configuration as a folder, as its config/, or somewhere below a repository: the
 * configuration.yaml nearest to the top is the one. Several equally near are several homes, whose
 * automations have nothing to do with each other: they are refused together. Without one, every
 * file that no other includes is read by itself, so that nothing counts twice. */
#include "automation/home/home.h"
#include "base/data/text.h"
#include <string.h>

static size_t depth_of(const char *path)
{
    size_t depth = 0;
    for (; (path = strchr(path, '/')); path++)
        depth++;
    return depth;
}

tac_status home_locate(struct home *home, const char *const *paths, size_t count, const char **out,
                       tac_error *err)
{
    const char *nearest = NULL, *other = NULL;
    size_t equals = 0;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(tac_base_name(paths[i]), "configuration.yaml") != 0)
            continue;
        if (!nearest || depth_of(paths[i]) < depth_of(nearest)) {
            nearest = paths[i];
            equals = 1;
        } else if (depth_of(paths[i]) == depth_of(nearest)) {
            other = paths[i];
            equals++;
        }
    }
    *out = nearest;
    if (equals > 1)
        return tac_fail_at(err, TAC_E_INPUT, home->model->path, 0, 0,
                           /* paths of a listing begin with ./ */
                           "holds %zu configurations, '%s' and '%s' among them: each is a home of "
                           "its own; give one folder after the other",
                           equals, nearest + 2, other + 2);
    home->base = "";
    if (nearest && strchr(nearest, '/'))
        home->base = tac_arena_strndup(&home->model->arena, nearest,
                                       (size_t)(strrchr(nearest, '/') + 1 - nearest));
    home->library->base = home->base;
    return TAC_OK;
}

bool home_is_included(const struct tree_library *library, const struct tree_node *root)
{
    for (size_t i = 0; i < library->file_count; i++)
        for (size_t j = 0; j < library->files[i].include_count; j++)
            if (library->files[i].includes[j] == root->file)
                return true;
    return false;
}
