#include "cli/piped.h"

#include <string.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/input.h"
#include "base/io/output.h"
#include "base/keep/scratch.h"

enum { LARGEST_INPUT = 1 << 30 };

tac_status piped_keep(struct piped *piped, const char **path, tac_error *err)
{
    struct stat about;
    char *data = NULL;
    size_t size = 0;
    if (!*path || stat(*path, &about) || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
        return TAC_OK;
    assert(piped->count < sizeof piped->paths / sizeof *piped->paths);
    tac_status status = piped->folder ? TAC_OK : tac_scratch_make("inputs", &piped->folder, err);
    if (status == TAC_OK)
        status = tac_input_slurp(*path, LARGEST_INPUT, &data, &size, err);
    if (status == TAC_OK) {
        char *copy = tac_format("%s/%zu", piped->folder, piped->count);
        piped->names[piped->count] = *path;
        piped->paths[piped->count++] = copy;
        status = tac_output_write_file(copy, data, size, err);
        *path = copy;
    }
    free(data);
    return status;
}

const char *piped_name(const struct piped *piped, const char *path)
{
    for (size_t i = 0; piped && path && i < piped->count; i++)
        if (!strcmp(piped->paths[i], path))
            return piped->names[i];
    return path;
}

void piped_remove(struct piped *piped)
{
    for (size_t i = 0; i < piped->count; i++)
        free(piped->paths[i]);
    tac_scratch_remove(piped->folder);
}
