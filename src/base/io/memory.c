#include "base/io/memory.h"

#include <stdbool.h>

#include "base/data/alloc.h"

FILE *tac_memory_open(char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    FILE *memory = open_memstream(text, size);
    if (!memory)
        tac_out_of_memory(0);
    return memory;
}

/* Nothing but memory can be wanting: a write that failed before shows here too. */
void tac_memory_close(FILE *memory)
{
    bool whole = !ferror(memory);
    if (fclose(memory) != 0 || !whole)
        tac_out_of_memory(0);
}
