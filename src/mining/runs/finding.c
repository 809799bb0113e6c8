/* One identity for one crash, wherever it is asked for. See finding.h. */
#include "mining/runs/finding.h"
#include "base/check.h"
#include "mining/runs/runs.h"

void tac_stack_finding(const char *exception, const char *stack, const char *place,
                       char id[TAC_FINDING_ID])
{
    struct crash_list list = {0};
    tac_arena arena = {0};
    struct crash crash;
    static_assert(TAC_FINDING_ID == FINDING_ID, "one length of identities");
    crash_list_make(&list, NULL, NULL);
    read_crash(&list.reader, exception, stack, &arena, &crash);
    crash.place = place ? place : "";
    char *where = crash_place(&list.reader, &crash, NULL, NULL);
    finding_identity(*crash.exception ? crash.exception : "crash", where, id);
    free(where);
    tac_arena_free(&arena);
    crash_list_free(&list);
}

void crash_finding(const char *exception, const json_t *details, char id[FINDING_ID])
{
    const char *known = json_string_value(json_object_get(details, "finding"));
    const json_t *stack = json_object_get(details, "stack");
    tac_str lines = {0};
    if (known && strlen(known) == FINDING_ID - 1) {
        memcpy(id, known, FINDING_ID);
        return;
    }
    if (json_is_string(stack))
        tac_str_add(&lines, json_string_value(stack));
    for (size_t i = 0; i < json_array_size(stack); i++) {
        const char *line = json_string_value(json_array_get(stack, i));
        tac_str_addf(&lines, "%s\n", line ? line : "");
    }
    tac_stack_finding(exception, tac_str_text(&lines),
                      json_string_value(json_object_get(details, "place")), id);
    tac_str_free(&lines);
}
