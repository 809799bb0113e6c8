/* From the syntax tree to goals: negation normal form, state formulas as single columns. */
#include "property/temporal/duties.h"

#include "base/check.h"
#include "property/compile/observed.h"
#include <string.h>

struct goal_builder {
    struct property_compiler *compiler;
    struct goals *goals;
};

static uint32_t add(struct goal_builder *builder, struct goal goal)
{
    bool leaf = goal.op == GOAL_FALSE || goal.op == GOAL_TRUE || goal.op == GOAL_ATOM;
    assert(leaf || goal.a < builder->goals->nodes.count);
    tac_vec_push(&builder->goals->nodes, goal);
    return (uint32_t)(builder->goals->nodes.count - 1);
}

static uint32_t constant(struct goal_builder *builder, bool value)
{
    return add(builder, (struct goal){.op = value ? GOAL_TRUE : GOAL_FALSE});
}

static uint32_t build(struct goal_builder *builder, const struct ast *ast, bool negated);

static uint32_t build_future(struct goal_builder *builder, const struct ast *ast, bool negated)
{
    assert(ast_class(ast->kind) == CLASS_FUTURE);
    struct goal goal = {.window = time_window_of(ast), .ast = ast};
    if (ast->bound_kind != BOUND_NONE && ast->bound == 0 && ast->bound_strict)
        return constant(builder, (ast->kind == AST_ALWAYS) != negated); /* [< 0]: nothing there */
    if (ast->kind == AST_NEXT) {
        goal.op = GOAL_NEXT;
        goal.a = build(builder, ast->a, negated);
        goal.weak = negated;
        return add(builder, goal);
    }
    bool release = (ast->kind == AST_ALWAYS) != negated;
    goal.op = release ? GOAL_RELEASE : GOAL_UNTIL;
    if (ast->kind == AST_UNTIL) {
        goal.a = build(builder, ast->a, negated);
        goal.b = build(builder, ast->b, negated);
    } else {
        assert(ast->kind == AST_ALWAYS || ast->kind == AST_EVENTUALLY);
        goal.a = constant(builder, !release);
        goal.b = build(builder, ast->a, negated);
    }
    return add(builder, goal);
}

static uint32_t build(struct goal_builder *builder, const struct ast *ast, bool negated)
{
    ast = ast_meant(ast);
    enum ast_class class = ast_class(ast->kind);
    if (!ast_has_future(ast) || (class != CLASS_BOOLEAN && class != CLASS_FUTURE)) {
        uint32_t column = compile_hopeful(builder->compiler, ast, negated);
        enum column_op op = (enum column_op)builder->compiler->program->nodes.at[column].op;
        if (op == COLUMN_TRUE || op == COLUMN_FALSE)
            return constant(builder, (op == COLUMN_TRUE) != negated);
        return add(builder, (struct goal){.op = GOAL_ATOM, .atom = column, .negated = negated});
    }
    if (class == CLASS_FUTURE)
        return build_future(builder, ast, negated);
    if (ast->kind == AST_NOT)
        return build(builder, ast->a, !negated);
    assert(ast->kind == AST_AND || ast->kind == AST_OR);
    uint32_t a = build(builder, ast->a, negated);
    uint32_t b = build(builder, ast->b, negated);
    bool both = (ast->kind == AST_AND) != negated;
    return add(builder, (struct goal){.op = both ? GOAL_AND : GOAL_OR, .a = a, .b = b});
}

void goals_build(struct property_compiler *compiler, const struct ast *ast, struct goals *out)
{
    struct goal_builder builder = {compiler, out};
    memset(out, 0, sizeof *out);
    out->root = build(&builder, ast, false);
    out->trigger = COLUMN_NONE;
    const struct goal *root = &out->nodes.at[out->root];
    if (root->op != GOAL_RELEASE || out->nodes.at[root->a].op != GOAL_FALSE ||
        !root->window.unbounded || root->window.low || root->window.low_strict)
        return;
    const struct goal *body = &out->nodes.at[root->b];
    if (body->op == GOAL_OR && out->nodes.at[body->a].op == GOAL_ATOM &&
        out->nodes.at[body->a].negated)
        out->trigger = out->nodes.at[body->a].atom;
}

void goals_build_end(struct property_compiler *compiler, const struct ast *ast, struct goals *out)
{
    assert(ast_has_future(ast));
    struct goal_builder builder = {compiler, out};
    memset(out, 0, sizeof *out);
    struct time_window any = {.unbounded = true};
    uint32_t end = build(&builder, ast, false);
    struct goal found = {.op = GOAL_UNTIL, .b = end, .window = any, .ast = ast};
    found.a = constant(&builder, true);
    uint32_t sometime = add(&builder, found);
    out->root =
        add(&builder, (struct goal){.op = GOAL_NEXT, .a = sometime, .window = any, .ast = ast});
    out->trigger = COLUMN_NONE;
}

void goals_free(struct goals *goals)
{
    tac_vec_free(&goals->nodes);
}
