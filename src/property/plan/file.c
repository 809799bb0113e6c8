/* Loading a property file: parse, resolve, compile once without a trace to find every error that
 * does not depend on one. */
#include "base/check.h"
#include "property/plan/plan.h"

#include "base/io/input.h"

static void check(tac_properties *properties, tac_diagnostics *diagnostics)
{
    struct property_plan plan;
    property_plan_compile(properties, NULL, TAC_SEMANTICS_DEF, true, "the trace", diagnostics,
                          &plan);
    for (size_t i = 0; i < properties->properties.count; i++) {
        struct property_statement *property = &properties->properties.at[i];
        const struct combine *root = &plan.combines.at[plan.roots[i]];
        if (root->op == COMBINE_PART && plan.parts.at[root->a].temporal) {
            property->automaton_states = plan.parts.at[root->a].automaton.states;
            property->automaton_clocks = plan.parts.at[root->a].automaton.clocks;
        }
    }
    property_plan_free(&plan);
}

tac_status tac_property_parse(const char *name, const char *text, size_t size,
                              tac_diagnostics *diagnostics, tac_properties **out, tac_error *err)
{
    if (size > PROPERTY_MAX_SIZE)
        return tac_fail_at(err, TAC_E_LIMIT, name, 0, 0,
                           "a property file has at most %zu bytes, this one has %zu",
                           PROPERTY_MAX_SIZE, size);
    tac_properties *properties = tac_calloc(1, sizeof *properties);
    size_t errors = diagnostics->errors;
    properties->file = tac_arena_strdup(&properties->arena, name);
    properties->text = tac_arena_strndup(&properties->arena, text, size);
    properties->size = size;
    property_parse_text(properties, diagnostics);
    if (diagnostics->errors == errors)
        property_resolve(properties, diagnostics);
    if (diagnostics->errors == errors)
        check(properties, diagnostics);
    if (diagnostics->errors == errors && properties->properties.count == 0)
        tac_diagnostics_add(diagnostics, TAC_ERROR, name, 0, 0,
                            "the file has no property; write one: property NAME: forall [p, q] "
                            "diff(x) < 5");
    if (diagnostics->errors > errors) {
        tac_property_free(properties);
        tac_status status = tac_diagnostics_fail(diagnostics, err);
        return status == TAC_OK ? TAC_E_INPUT : status;
    }
    *out = properties;
    return TAC_OK;
}

tac_status tac_property_load(const char *path, tac_diagnostics *diagnostics, tac_properties **out,
                             tac_error *err)
{
    char *text;
    size_t size;
    tac_status status = tac_input_slurp(path, PROPERTY_MAX_SIZE, &text, &size, err);
    if (status != TAC_OK)
        return status;
    status = tac_property_parse(path, text, size, diagnostics, out, err);
    free(text);
    return status;
}

void tac_property_free(tac_properties *properties)
{
    if (!properties)
        return;
    tac_vec_free(&properties->lets);
    tac_vec_free(&properties->units);
    tac_vec_free(&properties->flags);
    tac_vec_free(&properties->properties);
    tac_vec_free(&properties->observes);
    tac_arena_free(&properties->arena);
    free(properties);
}

size_t tac_property_observables(const tac_properties *properties)
{
    return properties->observes.count;
}

const tac_observable *tac_property_observable(const tac_properties *properties, size_t index)
{
    assert(index < properties->observes.count);
    return &properties->observes.at[index].observable;
}

size_t tac_property_observable_line(const tac_properties *properties, size_t index)
{
    assert(index < properties->observes.count);
    return properties->observes.at[index].line;
}

size_t tac_property_count(const tac_properties *properties)
{
    return properties->properties.count;
}

const char *tac_property_name(const tac_properties *properties, size_t index)
{
    assert(index < properties->properties.count);
    return properties->properties.at[index].name;
}

const char *tac_property_source(const tac_properties *properties, size_t index)
{
    return properties->properties.at[index].source;
}

tac_property_kind tac_property_kind_of(const tac_properties *properties, size_t index)
{
    return properties->properties.at[index].kind;
}

size_t tac_property_line(const tac_properties *properties, size_t index)
{
    return properties->properties.at[index].line;
}

bool tac_property_automaton(const tac_properties *properties, size_t index, size_t *states,
                            size_t *clocks)
{
    const struct property_statement *property = &properties->properties.at[index];
    if (property->kind != TAC_PROPERTY_TEMPORAL)
        return false;
    *states = property->automaton_states;
    *clocks = property->automaton_clocks;
    return true;
}

/* The first "AGGREGATE(variable) OP constant" of each variable of one property. */
static void add_limits(const struct property_plan *plan, size_t index, tac_property_limit **limits,
                       size_t *count, size_t *capacity)
{
    const struct combine *root = &plan->combines.at[plan->roots[index]];
    const struct interval_plan *interval =
        root->op == COMBINE_PART ? &plan->parts.at[root->a].interval : NULL;
    for (size_t i = 0; interval && i < interval->comparisons.count; i++) {
        const struct comparison *comparison = &interval->comparisons.at[i];
        const struct figure *figure = &interval->figures.at[comparison->a];
        if (!comparison->constant || figure->op != FIGURE_MEASURE)
            continue;
        const struct interval_measure *measure = &interval->measures.at[figure->a];
        const struct column_node *node = &plan->program.nodes.at[measure->node];
        if (node->op != COLUMN_NUMBER)
            continue;
        if (*count == *capacity) {
            *capacity = tac_vec_next_capacity(*capacity, *count + 1);
            *limits = tac_realloc(*limits, *capacity, sizeof **limits);
        }
        (*limits)[(*count)++] =
            (tac_property_limit){.property = index,
                                 .variable = tac_strdup(plan->program.slots.at[node->a].name),
                                 .aggregate = ast_kind_word(measure->op),
                                 .comparison = ast_kind_word(comparison->op),
                                 .bound = interval->figures.at[comparison->b].value};
    }
}

tac_property_limit *tac_property_limits(const tac_properties *properties, size_t *count)
{
    struct property_plan plan;
    tac_diagnostics unused = {0};
    tac_property_limit *limits = NULL;
    size_t capacity = 0;
    *count = 0;
    property_plan_compile(properties, NULL, TAC_SEMANTICS_DEF, true, "the trace", &unused, &plan);
    for (size_t i = 0; i < properties->properties.count; i++)
        add_limits(&plan, i, &limits, count, &capacity);
    property_plan_free(&plan);
    tac_diagnostics_free(&unused);
    return limits;
}

void tac_property_limits_free(tac_property_limit *limits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(limits[i].variable);
    free(limits);
}
