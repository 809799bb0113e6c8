/* Observables as variables of a trace; see trace/observe.h. */
#include "base/check.h"
#include "trace/observe.h"
#include <math.h>
#include <stdlib.h>

const char *tac_observe_word(tac_observe_kind kind)
{
    static const char *const words[TAC_OBSERVE_KINDS] = {
        [TAC_OBSERVE_TEXT] = "text",          [TAC_OBSERVE_TEXTS] = "texts",
        [TAC_OBSERVE_NUMBER] = "number",      [TAC_OBSERVE_VALUE] = "value",
        [TAC_OBSERVE_COUNT] = "count",        [TAC_OBSERVE_VISIBLE] = "visible",
        [TAC_OBSERVE_ENABLED] = "enabled",    [TAC_OBSERVE_CHECKED] = "checked",
        [TAC_OBSERVE_ATTRIBUTE] = "attribute"};
    TABLE_COVERS(words, TAC_OBSERVE_ATTRIBUTE);
    assert((int)kind < TAC_OBSERVE_KINDS);
    return words[kind];
}

tac_trace_variable tac_observable_variable(const tac_observable *observable)
{
    static const tac_value_type types[TAC_OBSERVE_KINDS] = {
        [TAC_OBSERVE_TEXT] = TAC_VALUE_TEXT,       [TAC_OBSERVE_TEXTS] = TAC_VALUE_LIST,
        [TAC_OBSERVE_VALUE] = TAC_VALUE_TEXT,      [TAC_OBSERVE_VISIBLE] = TAC_VALUE_BOOLEAN,
        [TAC_OBSERVE_ENABLED] = TAC_VALUE_BOOLEAN, [TAC_OBSERVE_CHECKED] = TAC_VALUE_BOOLEAN,
        [TAC_OBSERVE_ATTRIBUTE] = TAC_VALUE_TEXT};
    bool number = observable->kind == TAC_OBSERVE_NUMBER || observable->kind == TAC_OBSERVE_COUNT;
    return (tac_trace_variable){.name = observable->name,
                                .unit = "",
                                .kind = number ? TAC_CONTINUOUS : TAC_DISCRETE,
                                .type = types[observable->kind]};
}

void tac_observed_clear(tac_observed *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(values[i].text);
        values[i] = (tac_observed){.missing = true, .number = NAN};
    }
}
