/* A number that a property file derives (`let power = current * voltage`) over the states of a
 * trace. Names are bound again whenever the trace has got new variables; a derived number keeps
 * nothing from state to state, so nothing is lost by that. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "property/compile/compile.h"
#include <string.h>

struct tac_derived {
    const tac_properties *properties;
    const struct let_statement *let;
    struct column_program program;
    tac_arena arena;
    bool bound;
    size_t variables;
    uint32_t node;
    struct unit scale; /* from the values' unit to the one to report in */
    char unit[64];
};

static const struct let_statement *find_let(const tac_properties *properties, const char *name)
{
    for (size_t i = 0; i < properties->lets.count; i++)
        if (strcmp(properties->lets.at[i]->name, name) == 0)
            return properties->lets.at[i];
    return NULL;
}

tac_derived *tac_derived_new(const tac_properties *properties, const char *name)
{
    const struct let_statement *let = find_let(properties, name);
    if (!let)
        return NULL;
    tac_derived *derived = tac_calloc(1, sizeof *derived);
    derived->properties = properties;
    derived->let = let;
    return derived;
}

static void unbind(tac_derived *derived)
{
    if (derived->bound)
        column_free(&derived->program);
    tac_arena_free(&derived->arena);
    memset(&derived->program, 0, sizeof derived->program);
    memset(&derived->arena, 0, sizeof derived->arena);
    derived->bound = false;
}

void tac_derived_free(tac_derived *derived)
{
    if (!derived)
        return;
    unbind(derived);
    free(derived);
}

static tac_status bind(tac_derived *derived, const tac_monitor_schema *schema, tac_error *err)
{
    tac_diagnostics found = {0};
    unbind(derived);
    struct property_compiler compiler = {.properties = derived->properties,
                                         .schema = schema,
                                         .program = &derived->program,
                                         .diagnostics = &found,
                                         .arena = &derived->arena,
                                         .trace_name = "the trace"};
    derived->program.overflow = COLUMN_NONE;
    struct quantity quantity = compile_number(&compiler, derived->let->value);
    derived->bound = true;
    derived->node = quantity.node;
    derived->scale = unit_divide(&quantity.unit, &quantity.nominal);
    unit_text(&quantity.nominal, derived->unit, sizeof derived->unit);
    derived->variables = schema->variable_count;
    tac_status status = found.errors ? tac_diagnostics_fail(&found, err) : TAC_OK;
    tac_diagnostics_free(&found);
    if (status == TAC_OK)
        column_start(&derived->program);
    return status;
}

tac_status tac_derived_values(tac_derived *derived, const tac_monitor_schema *schema,
                              const tac_trace_block *block, double *values, tac_error *err)
{
    tac_status status = TAC_OK;
    if (!derived->bound || schema->variable_count != derived->variables)
        status = bind(derived, schema, err);
    if (status != TAC_OK)
        return status;
    column_symbols(&derived->program, schema->symbols, schema->symbol_count);
    for (size_t from = 0; from < block->count; from += COLUMN_CHUNK) {
        size_t count = block->count - from < COLUMN_CHUNK ? block->count - from : COLUMN_CHUNK;
        column_evaluate(&derived->program, block, from, count);
        const double *numbers = column_numbers(&derived->program, derived->node);
        assert(numbers != NULL);
        for (size_t i = 0; i < count; i++)
            values[from + i] = numbers[i] * derived->scale.num / derived->scale.den;
    }
    return TAC_OK;
}

const char *tac_derived_unit(const tac_derived *derived)
{
    return derived->unit;
}
