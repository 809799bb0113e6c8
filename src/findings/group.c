/* The same finding seen several times: sorted by kind and fingerprint, equal ones lie side by side.
 */
#include "base/check.h"
#include "base/data/alloc.h"
#include "findings/findings.h"
#include "findings/identity.h"
#include <string.h>

struct numbered_entry {
    const struct finding_entry *entry;
    size_t index;
};

static int compare_kind(const struct numbered_entry *x, const struct numbered_entry *y)
{
    int order = strcmp(x->entry->rule, y->entry->rule);
    if (!order)
        order = strcmp(x->entry->fingerprint, y->entry->fingerprint);
    if (!order)
        order = (int)x->entry->level - (int)y->entry->level;
    return order;
}

static int compare(const void *a, const void *b)
{
    const struct numbered_entry *x = a, *y = b;
    int order = compare_kind(x, y);
    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

void finding_entry_id(const struct finding_entry *entry, char *id)
{
    if (entry->id && *entry->id)
        memcpy(id, entry->id, FINDING_ID);
    else
        finding_identity_of_text(entry->rule, entry->fingerprint, id);
}

size_t *findings_occurrences(const struct finding_list *list)
{
    size_t *counts = tac_calloc(list->count + 1, sizeof *counts);
    struct numbered_entry *sorted = tac_calloc(list->count + 1, sizeof *sorted);
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = (struct numbered_entry){&list->at[i], i};
    qsort(sorted, list->count, sizeof *sorted, compare);
    for (size_t i = 0, first = 0; i < list->count; i++) {
        if (compare_kind(&sorted[first], &sorted[i]) != 0)
            first = i;
        assert(sorted[first].index <= sorted[i].index);
        counts[sorted[first].index]++;
    }
    free(sorted);
    return counts;
}
