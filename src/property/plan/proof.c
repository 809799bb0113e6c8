/* Whether a formula over what was observed held for sure somewhere, or was only never refuted
 * because what it speaks of was missing.
 *
 * What is unknown violates neither a formula nor its opposite. So a formula holds for sure where
 * its opposite is violated. `always b` has an instance in every state, and one of which b can be
 * told to hold is enough: "always (not b)" is violated. One that waits for a, "always (a -> b)", is
 * asked for "always (a -> not b)" where it stands alone. Joined formulas are told by their parts,
 * as far as these decide. Cost: a formula for every leaf. */
#include "property/plan/planner.h"

#include "base/check.h"
#include "property/compile/observed.h"

static uint32_t add_node(struct planner *planner, enum proof_op op, uint32_t a, uint32_t b)
{
    struct proof node = {op, a, b};
    tac_vec_push(&planner->plan->proofs, node);
    return (uint32_t)(planner->plan->proofs.count - 1);
}

static struct ast *copy_of(struct planner *planner, const struct ast *ast)
{
    struct ast *copy = tac_arena_calloc(&planner->plan->arena, 1, sizeof *copy);
    *copy = *ast;
    return copy;
}

static struct ast *denied(struct planner *planner, const struct ast *ast)
{
    struct ast *node = copy_of(planner, ast);
    node->kind = AST_NOT;
    node->bound_kind = BOUND_NONE;
    node->a = (struct ast *)(uintptr_t)ast;
    node->b = NULL;
    return node;
}

static uint32_t refuted(struct planner *planner, const struct ast *ast)
{
    return add_node(planner, PROOF_REFUTED, planner_add_formula(planner, ast), 0);
}

/* Some instance of "always b", or of "not eventually b", is told to hold. alone: it is the whole
 * property, so that what it waits for has to happen. */
static uint32_t instance_of(struct planner *planner, const struct ast *ast, bool alone)
{
    struct ast *opposite = copy_of(planner, ast);
    const struct ast *body = ast_meant(ast->a);
    opposite->kind = AST_ALWAYS;
    if (ast->kind == AST_EVENTUALLY)
        return refuted(planner, opposite);
    if (body->condition && alone) {
        struct ast *implies = copy_of(planner, body);
        implies->b = denied(planner, body->b);
        opposite->a = implies;
    } else {
        opposite->a = denied(planner, body);
    }
    return refuted(planner, opposite);
}

/* stands: the formula is known not to be violated when the proof is asked for. */
static uint32_t prove(struct planner *planner, const struct ast *ast, bool positive, bool stands)
{
    ast = ast_meant(ast);
    if (ast->kind == AST_NOT)
        return prove(planner, ast->a, !positive, stands);
    if (ast_class(ast->kind) == CLASS_BOOLEAN && ast_has_future(ast)) {
        assert(ast->kind == AST_AND || ast->kind == AST_OR);
        bool both = (ast->kind == AST_AND) == positive;
        uint32_t a = prove(planner, ast->a, positive, stands && both);
        uint32_t b = prove(planner, ast->b, positive, stands && both);
        return add_node(planner, both ? PROOF_BOTH : PROOF_EITHER, a, b);
    }
    bool instances = ast->kind == (positive ? AST_ALWAYS : AST_EVENTUALLY) &&
                     compile_is_observed(&planner->compiler, ast);
    if (!instances)
        return refuted(planner, positive ? denied(planner, ast) : ast);
    uint32_t told = instance_of(planner, ast, false);
    if (stands)
        return told;
    uint32_t part = planner_add_formula(planner, positive ? ast : denied(planner, ast));
    return add_node(planner, PROOF_BOTH, told, add_node(planner, PROOF_STANDS, part, 0));
}

uint32_t planner_add_proof(struct planner *planner, const struct ast *ast)
{
    assert(!planner->compiler.exporting);
    ast = ast_meant(ast);
    if (!compile_is_observed(&planner->compiler, ast) || planner->compiler.diagnostics->errors)
        return COLUMN_NONE;
    bool looks_ahead = ast_has_future(ast->a) || ast_has_future(ast->b);
    if (ast->kind == AST_ALWAYS && !looks_ahead)
        return COLUMN_NONE; /* by its trigger */
    if ((!ast_has_future(ast) || (ast->kind == AST_EVENTUALLY && !looks_ahead)) && !planner->each)
        return COLUMN_NONE; /* by what was untested up to the state that decided it */
    return ast->kind == AST_ALWAYS ? instance_of(planner, ast, true)
                                   : prove(planner, ast, true, true);
}
