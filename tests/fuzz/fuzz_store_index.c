/* The index of a folder of runs: any bytes as index.sqlite, opened for reading, read through and
 * verified. */
#include "fuzz_folder.h"
#include "fuzz_target.h"
#include "store/store.h"

static bool see_run(void *context, const tac_store_run *run)
{
    *(int64_t *)context += run->id + (run->verdict[0] == 'p');
    return true;
}

static bool see_verdict(void *context, int64_t run, const char *property, const char *answer,
                        const json_t *document)
{
    *(int64_t *)context += run + property[0] + answer[0] + (int64_t)json_object_size(document);
    return true;
}

static bool see_document(void *context, const char *kind, const char *name, const json_t *document)
{
    *(int64_t *)context += kind[0] + name[0] + json_is_object(document);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *folder = fuzz_folder();
    tac_store *store;
    tac_error err;
    tac_store_check count;
    int64_t sum = 0;
    fuzz_file(folder, "index.sqlite", data, size);
    if (tac_store_open(folder, false, &store, &err) != TAC_OK)
        return 0;
    tac_store_each_run(store, see_run, &sum, &err);
    tac_store_each_verdict(store, see_verdict, &sum, &err);
    tac_store_each_document(store, see_document, &sum, &err);
    tac_store_verify(store, NULL, &count, &err);
    tac_store_close(store, NULL);
    return 0;
}
