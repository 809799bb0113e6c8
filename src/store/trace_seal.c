/* The length and the SHA-256 of a trace: sealed when its run ends, compared when it is read. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "tactus/store.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

tac_status tac_store_seal_trace(const char *folder, const char *trace, tac_store_seal *out,
                                tac_error *err)
{
    assert(*trace);
    _Static_assert(sizeof out->digest == TAC_DIGEST_TEXT, "a seal holds a whole digest");
    char *path = tac_format("%s/%s", folder, trace);
    uint64_t size = 0;
    tac_status status = tac_digest_file(path, out->digest, &size, err);
    out->size = (int64_t)size;
    free(path);
    return status;
}

tac_status tac_store_check_trace(const tac_store *store, const tac_store_run *run, tac_error *err)
{
    if (!*run->trace)
        return TAC_OK;
    char *path = tac_format("%s/%s", tac_store_folder(store), run->trace);
    struct stat about;
    tac_status status = TAC_OK;
    tac_store_seal seal;
    if (stat(path, &about))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "%s",
                             errno == ENOENT ? "the trace is gone" : strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the trace is not a file");
    else if (!*run->trace_digest)
        status = about.st_size ? TAC_OK
                               : tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the trace is empty");
    else if (about.st_size != run->trace_size)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the trace has %" PRId64 " bytes, but it was written with %" PRId64,
                             (int64_t)about.st_size, run->trace_size);
    else
        status = tac_store_seal_trace(tac_store_folder(store), run->trace, &seal, err);
    if (status == TAC_OK && *run->trace_digest && strcmp(seal.digest, run->trace_digest))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the trace is not the one that was written: its content has changed");
    free(path);
    return status;
}
