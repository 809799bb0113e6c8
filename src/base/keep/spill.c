/* An array that may be larger than memory. See spill.h.
 *
 * Space of the file is allocated before it is mapped (posix_fallocate), because writing to a mapped
 * page that the disk has no room for is a signal, not an error. */
#include "base/keep/spill.h"
#include "base/data/vec.h"
#include "base/keep/scratch.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t file_step = (size_t)1 << 26; /* numbers: the file grows by 256 MiB at most */

static tac_status cannot(int code, tac_error *err)
{
    return tac_fail_errno(err, code, tac_scratch_file_folder(),
                          "cannot keep a large set of runs in a temporary file (TMPDIR chooses "
                          "another folder)");
}

/* Makes room for `wanted` numbers in the file, which is `file` already or a new one. */
static tac_status grow_file(tac_spill *spill, size_t wanted, tac_error *err)
{
    size_t number = sizeof *spill->at;
    int file = spill->file ? spill->file : tac_scratch_file();
    if (file < 0)
        return cannot(errno, err);
    int code = posix_fallocate(file, 0, (off_t)(wanted * number));
    void *at = MAP_FAILED;
    if (!code) {
        at = spill->file
                 ? mremap(spill->at, spill->capacity * number, wanted * number, MREMAP_MAYMOVE)
                 : mmap(NULL, wanted * number, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        code = at == MAP_FAILED ? errno : 0;
    }
    if (code) {
        if (!spill->file)
            close(file);
        return cannot(code, err);
    }
    if (!spill->file) {
        if (spill->count)
            memcpy(at, spill->at, spill->count * number);
        free(spill->at);
    }
    spill->at = at;
    spill->capacity = wanted;
    spill->file = file;
    return TAC_OK;
}

/* Makes room for `least` numbers. */
static tac_status grow(tac_spill *spill, size_t least, tac_error *err)
{
    size_t limit = spill->heap_limit ? spill->heap_limit : TAC_SPILL_HEAP;
    size_t wanted = tac_vec_next_capacity(spill->capacity, least);
    if (!spill->file && least <= limit) {
        spill->capacity = wanted < limit ? wanted : limit;
        spill->at = tac_realloc(spill->at, spill->capacity, sizeof *spill->at);
        return TAC_OK;
    }
    size_t stepped = least + file_step;
    return grow_file(spill, wanted < stepped ? wanted : stepped, err);
}

tac_status tac_spill_append(tac_spill *spill, const uint32_t *values, size_t n, tac_error *err)
{
    if (spill->count + n > spill->capacity) {
        tac_status status = grow(spill, spill->count + n, err);
        if (status != TAC_OK)
            return status;
    }
    if (n)
        memcpy(spill->at + spill->count, values, n * sizeof *values);
    spill->count += n;
    return TAC_OK;
}

void tac_spill_free(tac_spill *spill)
{
    if (spill->file) {
        munmap(spill->at, spill->capacity * sizeof *spill->at);
        close(spill->file);
    } else {
        free(spill->at);
    }
    *spill = (tac_spill){0};
}
