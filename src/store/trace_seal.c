/* The length and the SHA-256 of a trace: sealed when its run ends, compared when it is read. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "store/backend.h"
#include <inttypes.h>
#include <string.h>

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

/* Whether what was found is what the row says. */
static tac_status compare(const tac_store *store, const tac_store_run *run,
                          const tac_store_seal *found, tac_error *err)
{
    char *path = store->backend->file_path(store->data, run->trace);
    tac_status status = TAC_OK;
    if (!*run->trace_digest && !found->size)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the trace is empty");
    else if (*run->trace_digest && found->size != run->trace_size)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the trace has %" PRId64 " bytes, but it was written with %" PRId64,
                             found->size, run->trace_size);
    else if (*run->trace_digest && strcmp(found->digest, run->trace_digest))
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the trace is not the one that was written: its content has changed");
    free(path);
    return status;
}

tac_status tac_store_check_trace(const tac_store *store, const tac_store_run *run, tac_error *err)
{
    if (!*run->trace)
        return TAC_OK;
    tac_store_seal seal;
    tac_status status = store->backend->seal(store->data, run->trace, &seal, err);
    return status == TAC_OK ? compare(store, run, &seal, err) : status;
}
