/* Compiling a property file, with or without a trace's schema. */
#include "property/compile/plan.h"

#include <string.h>

struct planner {
    struct compiler compiler;
    struct plan *plan;
    tac_semantics semantics;
};

static uint32_t add_combine(struct planner *planner, enum combine_op op, uint32_t a, uint32_t b)
{
    struct combine combine = {op, a, b};
    tac_vec_push(&planner->plan->combines, combine);
    return (uint32_t)(planner->plan->combines.count - 1);
}

static void watch_slot(struct part *part, uint32_t slot)
{
    for (size_t i = 0; i < part->watched_count; i++)
        if (part->watched[i] == slot)
            return;
    part->watched = tac_realloc(part->watched, part->watched_count + 1, sizeof *part->watched);
    part->watched[part->watched_count++] = slot;
}

static void watch_column(struct part *part, const struct column_program *program, uint32_t node)
{
    const struct column_node *at = &program->nodes.at[node];
    enum column_op op = (enum column_op)at->op;
    if (op == COLUMN_CONSTANT || op == COLUMN_TRUE || op == COLUMN_FALSE)
        return;
    if (op == COLUMN_NUMBER || (op >= COLUMN_SYMBOL_IS && op <= COLUMN_SYMBOLS_DIFFER)) {
        watch_slot(part, at->a);
        if (op >= COLUMN_SYMBOLS_EQUAL)
            watch_slot(part, at->b);
        return;
    }
    watch_column(part, program, at->a);
    if (column_is_binary(op))
        watch_column(part, program, at->b);
}

static uint32_t add_part(struct planner *planner, const struct ast *ast)
{
    struct part part = {.temporal = ast->kind != AST_QUANTIFIED, .ast = ast};
    if (!part.temporal) {
        if (ast->relation != RELATION_NONE)
            compile_error(&planner->compiler, ast,
                          "a relation needs an outer interval: forall "
                          "[p, q] exists [r, s] during");
        interval_compile(&planner->compiler, ast, planner->semantics, &part.interval);
    } else {
        dfa_build(&planner->compiler, ast, &part.automaton);
        for (size_t i = 0; i < part.automaton.atom_count; i++)
            watch_column(&part, planner->compiler.program, part.automaton.atoms[i]);
        if (!ast_has_future(ast))
            compile_warning(&planner->compiler, ast,
                            "this speaks about the first state only; for every state write always "
                            "(...)");
    }
    tac_vec_push(&planner->plan->parts, part);
    return add_combine(planner, COMBINE_PART, (uint32_t)(planner->plan->parts.count - 1), 0);
}

static uint32_t combine(struct planner *planner, const struct ast *ast)
{
    if (ast->kind == AST_NAME && ast->property != SIZE_MAX)
        return add_combine(planner, COMBINE_PROPERTY, (uint32_t)ast->property, 0);
    if (ast->kind == AST_QUANTIFIED || !ast_is_combination(ast))
        return add_part(planner, ast);
    uint32_t a = combine(planner, ast->a), b = ast->b ? combine(planner, ast->b) : 0;
    return add_combine(planner,
                       ast->kind == AST_NOT   ? COMBINE_NOT
                       : ast->kind == AST_AND ? COMBINE_AND
                       : ast->kind == AST_OR  ? COMBINE_OR
                                              : COMBINE_IMPLIES,
                       a, b);
}

void property_plan_compile(const tac_properties *properties, const tac_monitor_schema *schema,
                           tac_semantics semantics, const char *trace_name,
                           tac_diagnostics *diagnostics, struct plan *plan)
{
    memset(plan, 0, sizeof *plan);
    struct planner planner = {.plan = plan, .semantics = semantics};
    planner.compiler = (struct compiler){.properties = properties,
                                         .schema = schema,
                                         .program = &plan->program,
                                         .diagnostics = diagnostics,
                                         .arena = &plan->arena,
                                         .trace_name = trace_name};
    plan->roots = tac_calloc(properties->properties.count + 1, sizeof *plan->roots);
    for (size_t i = 0; i < properties->properties.count; i++)
        plan->roots[i] = combine(&planner, properties->properties.at[i].body);
}

void property_plan_free(struct plan *plan)
{
    for (size_t i = 0; i < plan->parts.count; i++) {
        interval_plan_free(&plan->parts.at[i].interval);
        dfa_free(&plan->parts.at[i].automaton);
        free(plan->parts.at[i].watched);
    }
    tac_vec_free(&plan->parts);
    tac_vec_free(&plan->combines);
    column_free(&plan->program);
    tac_arena_free(&plan->arena);
    free(plan->roots);
    memset(plan, 0, sizeof *plan);
}
