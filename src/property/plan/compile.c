/* Compiling a property file, with or without a trace's schema. */
#include "property/plan/planner.h"

#include "base/check.h"
#include "property/compile/observed.h"
#include <string.h>

static uint32_t add_combine(struct planner *planner, enum combine_op op, uint32_t a, uint32_t b)
{
    assert(op == COMBINE_PART || op == COMBINE_PROPERTY || a < planner->plan->combines.count);
    struct combine combine = {op, a, b};
    tac_vec_push(&planner->plan->combines, combine);
    return (uint32_t)(planner->plan->combines.count - 1);
}

static void watch_slot(struct property_part *part, uint32_t slot)
{
    for (size_t i = 0; i < part->watched_count; i++)
        if (part->watched[i] == slot)
            return;
    part->watched = tac_realloc(part->watched, part->watched_count + 1, sizeof *part->watched);
    part->watched[part->watched_count++] = slot;
}

static void watch_column(struct property_part *part, const struct column_program *program,
                         uint32_t node)
{
    assert(node < program->nodes.count);
    const struct column_node *at = &program->nodes.at[node];
    enum column_op op = (enum column_op)at->op;
    if (op == COLUMN_CONSTANT || op == COLUMN_TRUE || op == COLUMN_FALSE || op == COLUMN_BARE ||
        op == COLUMN_TEXT_LITERAL)
        return;
    if (op == COLUMN_TEXT_SLOT) {
        watch_slot(part, at->a);
        return;
    }
    bool two = column_operations[op].group == COLUMN_GROUP_SYMBOLS;
    if (op == COLUMN_NUMBER || two || column_operations[op].group == COLUMN_GROUP_SYMBOL) {
        watch_slot(part, at->a);
        if (two)
            watch_slot(part, at->b);
        return;
    }
    watch_column(part, program, at->a);
    if (column_is_binary(op))
        watch_column(part, program, at->b);
}

/* Where a state formula that speaks of what was observed can be told. */
static uint32_t known_of(struct planner *planner, const struct ast *body)
{
    struct truth truth = compile_truth(&planner->compiler, body);
    return column_node(planner->compiler.program, COLUMN_OR, truth.yes, truth.no, 0);
}

/* In "always (a -> b)" with a state formula a, the column of a; where b is one too and speaks of
 * what was observed, only where that can be told. In "always b", where b can be told. */
static uint32_t trigger_of(struct planner *planner, const struct ast *ast)
{
    assert(planner->compiler.program != NULL);
    ast = ast_meant(ast);
    if (ast->kind != AST_ALWAYS)
        return COLUMN_NONE;
    const struct ast *body = ast_meant(ast->a);
    bool observed = compile_is_observed(&planner->compiler, body);
    if (!body->condition)
        return observed && !ast_has_future(body) ? known_of(planner, body) : COLUMN_NONE;
    if (ast_has_future(body->condition))
        return COLUMN_NONE;
    uint32_t trigger = compile_state(&planner->compiler, body->condition);
    if (ast_has_future(body->b) || !observed)
        return trigger;
    return column_node(planner->compiler.program, COLUMN_AND, trigger, known_of(planner, body), 0);
}

/* An automaton where there is one of modest size, else duties. */
static void compile_temporal(struct planner *planner, const struct ast *ast,
                             struct property_part *part)
{
    assert(part->temporal && part->program == planner->compiler.program);
    part->trigger = trigger_of(planner, ast);
    part->observed = compile_is_observed(&planner->compiler, ast);
    planner->compiler.unknown = COLUMN_NONE;
    part->queued = ast_has_low_bound(ast) || !dfa_build(&planner->compiler, ast, &part->automaton);
    part->beside = !part->queued && !planner->compiler.known && !planner->compiler.exporting;
    if (part->queued || part->beside)
        goals_build(&planner->compiler, ast, &part->goals);
    part->unknown = planner->compiler.unknown;
    for (size_t i = 0; i < part->automaton.atom_count; i++)
        watch_column(part, planner->compiler.program, part->automaton.atoms[i]);
    for (size_t i = 0; i < part->goals.nodes.count; i++)
        if (part->goals.nodes.at[i].op == GOAL_ATOM)
            watch_column(part, planner->compiler.program, part->goals.nodes.at[i].atom);
}

/* The slot of a variable of `for each`: discrete unless the trace says it is a number. */
static uint32_t each_slot(struct planner *planner, const struct ast *name)
{
    assert(planner->compiler.program != &planner->plan->program);
    uint32_t variable = compile_variable(&planner->compiler, name->text);
    bool number = variable != COLUMN_NONE &&
                  planner->compiler.schema->variables[variable].kind == TAC_CONTINUOUS;
    return compile_slot(&planner->compiler, name, name->text, !number);
}

/* A program of the part's own, which knows the variables of `for each`. */
static void start_each(struct planner *planner, struct property_part *part)
{
    const struct property_statement *each = planner->each;
    part->program = tac_calloc(1, sizeof *part->program);
    planner->compiler.program = part->program;
    for (; part->each_count < each->each_count; part->each_count++)
        part->each[part->each_count] = each_slot(planner, each->each[part->each_count]);
}

uint32_t planner_add_formula(struct planner *planner, const struct ast *ast)
{
    struct column_program *own = planner->compiler.program;
    struct property_part part = {.temporal = true,
                                 .ast = ast,
                                 .program = own,
                                 .trigger = COLUMN_NONE,
                                 .unknown = COLUMN_NONE,
                                 .proof = COLUMN_NONE};
    if (planner->each)
        start_each(planner, &part);
    compile_temporal(planner, ast, &part);
    planner->compiler.program = own;
    tac_vec_push(&planner->plan->parts, part);
    return (uint32_t)(planner->plan->parts.count - 1);
}

static uint32_t add_part(struct planner *planner, const struct ast *ast)
{
    assert(planner->compiler.program == &planner->plan->program);
    struct property_part part = {.temporal = ast->kind != AST_QUANTIFIED, .ast = ast};
    part.program = planner->compiler.program;
    part.trigger = part.unknown = part.proof = COLUMN_NONE;
    if (planner->each)
        start_each(planner, &part);
    if (!part.temporal) {
        if (ast->relation != RELATION_NONE)
            compile_error(&planner->compiler, ast,
                          "a relation needs an outer interval: forall "
                          "[p, q] exists [r, s] during");
        interval_compile(&planner->compiler, ast, planner->semantics, &part.interval);
        part.observed = compile_is_observed(&planner->compiler, ast) ||
                        compile_is_observed(&planner->compiler, ast->p) ||
                        compile_is_observed(&planner->compiler, ast->q);
    } else {
        compile_temporal(planner, ast, &part);
        if (!planner->compiler.exporting)
            part.proof = planner_add_proof(planner, ast);
        if (!ast_has_future(ast))
            compile_warning(&planner->compiler, ast,
                            "this speaks about the first state only; for every state write always "
                            "(...)");
    }
    planner->compiler.program = &planner->plan->program;
    tac_vec_push(&planner->plan->parts, part);
    return add_combine(planner, COMBINE_PART, (uint32_t)(planner->plan->parts.count - 1), 0);
}

static uint32_t combine(struct planner *planner, const struct ast *ast)
{
    assert(ast != NULL);
    if (ast->kind == AST_NAME && ast->property != SIZE_MAX)
        return add_combine(planner, COMBINE_PROPERTY, (uint32_t)ast->property, 0);
    if (ast->kind == AST_QUANTIFIED || !ast_is_combination(ast))
        return add_part(planner, ast);
    uint32_t a = combine(planner, ast->a), b = ast->b ? combine(planner, ast->b) : 0;
    assert(ast->kind == AST_NOT || ast->kind == AST_AND || ast->kind == AST_OR);
    return add_combine(planner,
                       ast->kind == AST_NOT   ? COMBINE_NOT
                       : ast->kind == AST_AND ? COMBINE_AND
                                              : COMBINE_OR,
                       a, b);
}

static void compile_plan(const tac_properties *properties, const tac_monitor_schema *schema,
                         tac_semantics semantics, bool known, const char *trace_name,
                         bool exporting, tac_diagnostics *diagnostics, struct property_plan *plan)
{
    assert(!exporting || !schema);
    memset(plan, 0, sizeof *plan);
    struct planner planner = {.plan = plan, .semantics = semantics};
    planner.compiler = (struct property_compiler){.properties = properties,
                                                  .schema = schema,
                                                  .program = &plan->program,
                                                  .diagnostics = diagnostics,
                                                  .arena = &plan->arena,
                                                  .trace_name = trace_name,
                                                  .exporting = exporting,
                                                  .known = known,
                                                  .unknown = COLUMN_NONE};
    plan->roots = tac_calloc(properties->properties.count + 1, sizeof *plan->roots);
    for (size_t i = 0; i < properties->properties.count; i++) {
        const struct property_statement *property = &properties->properties.at[i];
        planner.each = property->each_count ? property : NULL;
        if (planner.each && property->kind == TAC_PROPERTY_COMBINED)
            compile_error(&planner.compiler, property->body,
                          "'for each' takes one formula; give every part a property of its own "
                          "and combine them by name");
        plan->roots[i] = combine(&planner, property->body);
    }
}

void property_plan_compile(const tac_properties *properties, const tac_monitor_schema *schema,
                           tac_semantics semantics, bool known, const char *trace_name,
                           tac_diagnostics *diagnostics, struct property_plan *plan)
{
    compile_plan(properties, schema, semantics, known, trace_name, false, diagnostics, plan);
}

void property_plan_export(const tac_properties *properties, tac_semantics semantics,
                          tac_diagnostics *diagnostics, struct property_plan *plan)
{
    compile_plan(properties, NULL, semantics, true, "the trace", true, diagnostics, plan);
}

void property_plan_free(struct property_plan *plan)
{
    for (size_t i = 0; i < plan->parts.count; i++) {
        interval_plan_free(&plan->parts.at[i].interval);
        dfa_free(&plan->parts.at[i].automaton);
        goals_free(&plan->parts.at[i].goals);
        if (plan->parts.at[i].program != &plan->program) {
            column_free(plan->parts.at[i].program);
            free(plan->parts.at[i].program);
        }
        free(plan->parts.at[i].watched);
    }
    tac_vec_free(&plan->parts);
    tac_vec_free(&plan->combines);
    tac_vec_free(&plan->proofs);
    column_free(&plan->program);
    tac_arena_free(&plan->arena);
    free(plan->roots);
    memset(plan, 0, sizeof *plan);
}
