/* What a file is and the figures it holds, for every kind. */
#include "facts/facts.h"
#include "fuzz_target.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int file = memfd_create("fuzz", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    for (size_t i = 0; tac_facts_kind_name(i); i++) {
        tac_facts *facts = NULL;
        tac_error err;
        if (tac_facts_read(path, i ? tac_facts_kind_name(i - 1) : NULL, NULL, &facts, &err))
            continue;
        json_t *document = tac_facts_json(facts);
        if (!json_is_object(document))
            abort();
        json_decref(document);
        tac_facts_free(facts);
    }
    close(file);
    return 0;
}
