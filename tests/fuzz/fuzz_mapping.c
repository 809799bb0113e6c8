/* Mapping files of ProGuard and R8, and stacks read with them. The stacks name what the corpus
 * maps, so that mutated mappings are looked up. */
#include "fuzz_memory_file.h"
#include "fuzz_target.h"
#include "tactus/mining.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char runs_text[] =
        "{\"verdict\":\"crash\",\"exception\":\"a.c\",\"stack\":[\"\\tat a.b.a(SourceFile:3)\","
        "\"\\tat a.b.b(Unknown Source)\"],\"events\":[]}\n"
        "{\"verdict\":\"crash\",\"exception\":\"a.b\",\"stack\":\"at "
        "a.b.a(SourceFile:4294967295)\","
        "\"events\":[]}\n";
    struct memory_file mapping = memory_file_of(data, size);
    struct memory_file file = memory_file_of((const uint8_t *)runs_text, sizeof runs_text - 1);
    tac_runs_options options = {.mapping = mapping.path};
    tac_runs *runs = NULL;
    tac_error err;
    if (tac_runs_new(&options, &runs, &err) == TAC_OK &&
        tac_runs_read(runs, file.path, NULL, &err) != TAC_OK)
        abort(); /* the runs are good whatever the mapping says */
    tac_runs_free(runs);
    close(file.descriptor);
    close(mapping.descriptor);
    return 0;
}
