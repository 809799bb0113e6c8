/* Flows by their definition: slow, and short enough to be checked by eye against docs/flows.md.
 *
 * A path is extended one step at a time by copying whole devices; nothing is folded, cached or
 * pruned. Requirements are judged afterwards on the whole path, by name. All orders of the steps of
 * several devices are searched; those that differ by swaps of steps which nobody tells apart are
 * grouped, and the order in which earlier devices move first stands for its group. */
#ifndef REFERENCE_FLOWS_H
#define REFERENCE_FLOWS_H

#include "tactus/flow.h"

#define REFERENCE_MAX_LENGTH 16
#define REFERENCE_MAX_DEVICES 3

typedef struct reference_options {
    uint32_t length;
    const tac_requirement *requirement; /* or NULL */
    bool witness, all_interleavings;
    size_t give_up; /* stop after so many paths; 0 = never */
} reference_options;

typedef struct string_list {
    char **at;
    size_t count, capacity;
} string_list;

void string_list_add(string_list *list, char *owned);
void string_list_sort(string_list *list);
void string_list_free(string_list *list);

/* One text per flow: "KIND | first states | event@device passed states | ...". False when it gave
 * up. */
bool reference_list(const tac_model *model, const reference_options *options, string_list *out);
/* The same text from the engine's description of a flow. */
char *text_of_flow(const tac_flow *flow);

#endif
