/* Lists of texts, in order, for the comparison of sets of flows. */
#include "base/data/alloc.h"
#include "reference_flows.h"
#include <string.h>

void string_list_add(string_list *list, char *owned)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 64;
        list->at = tac_realloc(list->at, list->capacity, sizeof *list->at);
    }
    list->at[list->count++] = owned;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void string_list_sort(string_list *list)
{
    if (list->count)
        qsort(list->at, list->count, sizeof *list->at, by_text);
}

void string_list_free(string_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->at[i]);
    free(list->at);
    *list = (string_list){0};
}
