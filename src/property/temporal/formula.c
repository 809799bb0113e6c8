/* Formulas in negation normal form, hash-consed, and a cheap implication test that keeps the states
 * of an automaton small before it is minimised. */
#include "base/check.h"
#include "property/compile/observed.h"
#include "property/temporal/temporal.h"

#include <string.h>

/* Step bounds up to this are counted in states, larger ones by a clock. */
enum { STEPS_IN_STATES = 64 };

static uint32_t intern(struct formulas *formulas, struct formula formula)
{
    struct formula clean;
    memset(&clean, 0, sizeof clean);
    clean.op = formula.op;
    clean.a = formula.a;
    clean.b = formula.b;
    clean.bound_kind = formula.bound_kind;
    clean.bound = formula.bound;
    uint32_t id = tac_names_intern_bytes(&formulas->index, &clean, sizeof clean);
    if (id == formulas->nodes.count)
        tac_vec_push(&formulas->nodes, clean);
    return id;
}

void ltlf_init(struct formulas *formulas)
{
    memset(formulas, 0, sizeof *formulas);
    intern(formulas, (struct formula){.op = FORMULA_FALSE});
    intern(formulas, (struct formula){.op = FORMULA_TRUE});
}

void ltlf_free(struct formulas *formulas)
{
    tac_vec_free(&formulas->nodes);
    tac_vec_free(&formulas->clocks);
    tac_vec_free(&formulas->atoms);
    tac_names_free(&formulas->index);
    tac_u64map_free(&formulas->implied);
}

uint32_t ltlf_make(struct formulas *formulas, enum formula_op op, uint32_t a, uint32_t b,
                   enum formula_bound kind, uint64_t bound)
{
    assert(op == FORMULA_ATOM || op == FORMULA_NOT_ATOM || a < formulas->nodes.count);
    if (op == FORMULA_AND || op == FORMULA_OR) {
        uint32_t absorbing = op == FORMULA_OR, neutral = !absorbing;
        if (a == absorbing || b == absorbing)
            return absorbing;
        if (a == neutral || a == b)
            return b;
        if (b == neutral)
            return a;
        if (a > b) {
            uint32_t swap = a;
            a = b;
            b = swap;
        }
    }
    return intern(formulas, (struct formula){op, a, b, kind, bound});
}

static uint32_t atom(struct formulas *formulas, uint32_t column, bool negated)
{
    size_t k = 0;
    while (k < formulas->atoms.count && formulas->atoms.at[k] != column)
        k++;
    if (k == formulas->atoms.count)
        tac_vec_push(&formulas->atoms, column);
    return ltlf_make(formulas, negated ? FORMULA_NOT_ATOM : FORMULA_ATOM, (uint32_t)k, 0, UNBOUNDED,
                     0);
}

/* Only tests of discrete variables against their values? */
static bool symbolic(const struct column_program *program, uint32_t node)
{
    const struct column_node *at = &program->nodes.at[node];
    if (at->op == COLUMN_SYMBOL_IS)
        return true;
    if (at->op == COLUMN_SYMBOL_IS_NOT)
        return program->slots.at[at->a].is_event;
    if (at->op == COLUMN_NOT)
        return symbolic(program, at->a);
    return (at->op == COLUMN_AND || at->op == COLUMN_OR) && symbolic(program, at->a) &&
           symbolic(program, at->b);
}

static uint32_t from_column(struct formulas *formulas, struct column_program *program,
                            uint32_t node, bool negated, enum grain grain)
{
    assert(node < program->nodes.count);
    const struct column_node at = program->nodes.at[node];
    if (at.op == COLUMN_TRUE || at.op == COLUMN_FALSE)
        return (at.op == COLUMN_TRUE) != negated;
    if (at.op == COLUMN_NOT)
        return from_column(formulas, program, at.a, !negated, grain);
    if (at.op == COLUMN_SYMBOL_IS_NOT && program->slots.at[at.a].is_event)
        return atom(formulas, column_node(program, COLUMN_SYMBOL_IS, at.a, at.b, 0), !negated);
    if ((at.op == COLUMN_AND || at.op == COLUMN_OR) &&
        (grain == GRAIN_FINE || (grain == GRAIN_VALUES && symbolic(program, node)))) {
        uint32_t a = from_column(formulas, program, at.a, negated, grain);
        uint32_t b = from_column(formulas, program, at.b, negated, grain);
        bool both = (at.op == COLUMN_AND) != negated;
        return ltlf_make(formulas, both ? FORMULA_AND : FORMULA_OR, a, b, UNBOUNDED, 0);
    }
    return atom(formulas, node, negated);
}

struct builder {
    struct formulas *formulas;
    struct property_compiler *compiler;
    enum grain grain;
};

static uint32_t build(struct builder *builder, const struct ast *ast, bool negated);

static uint64_t clock_of(struct formulas *formulas, bool steps, bool strict, int64_t amount)
{
    assert(amount >= 0);
    struct clock_kind kind = {steps, strict, amount};
    for (size_t i = 0; i < formulas->clocks.count; i++) {
        const struct clock_kind *at = &formulas->clocks.at[i];
        if (at->steps == steps && at->strict == strict && at->amount == amount)
            return i;
    }
    tac_vec_push(&formulas->clocks, kind);
    return formulas->clocks.count - 1;
}

/* Bounds of the tree as bounds of the formula. False: an empty bound such as [< 0]. */
static bool bound_of(struct builder *builder, const struct ast *ast, enum formula_bound *kind,
                     uint64_t *bound)
{
    *kind = UNBOUNDED;
    *bound = 0;
    if (ast->bound_kind == BOUND_NONE)
        return true;
    if (ast->bound_strict && ast->bound == 0)
        return false;
    if (ast->bound_kind == BOUND_STEPS) {
        int64_t steps = ast->bound - ast->bound_strict;
        *kind = steps <= STEPS_IN_STATES ? STEPS : CLOCK;
        *bound = *kind == STEPS ? (uint64_t)steps : clock_of(builder->formulas, true, false, steps);
        return true;
    }
    *kind = CLOCK;
    *bound = clock_of(builder->formulas, false, ast->bound_strict, ast->bound);
    return true;
}

static uint32_t build_future(struct builder *builder, const struct ast *ast, bool negated)
{
    struct formulas *formulas = builder->formulas;
    enum formula_bound kind;
    uint64_t bound;
    bool always = ast->kind == AST_ALWAYS;
    if (!bound_of(builder, ast, &kind, &bound)) /* nothing lies within the bound */
        return always != negated;
    if (ast->kind == AST_NEXT) {
        uint32_t a = build(builder, ast->a, negated);
        if (kind == STEPS && bound == 0)
            return negated;
        if (kind != CLOCK || formulas->clocks.at[bound].steps)
            kind = UNBOUNDED, bound = 0;
        return ltlf_make(formulas, negated ? FORMULA_WEAK_NEXT : FORMULA_NEXT, a, 0, kind, bound);
    }
    enum formula_op op = always != negated ? FORMULA_RELEASE : FORMULA_UNTIL;
    if (ast->kind == AST_UNTIL) {
        uint32_t a = build(builder, ast->a, negated), b = build(builder, ast->b, negated);
        return ltlf_make(formulas, op, a, b, kind, bound);
    }
    assert(always || ast->kind == AST_EVENTUALLY);
    uint32_t b = build(builder, ast->a, negated);
    return ltlf_make(formulas, op, op == FORMULA_UNTIL, b, kind, bound);
}

static uint32_t build(struct builder *builder, const struct ast *ast, bool negated)
{
    ast = ast_meant(ast);
    enum ast_class class = ast_class(ast->kind);
    if (!ast_has_future(ast) || (class != CLASS_BOOLEAN && class != CLASS_FUTURE)) {
        uint32_t column = compile_hopeful(builder->compiler, ast, negated);
        return from_column(builder->formulas, builder->compiler->program, column, negated,
                           builder->grain);
    }
    if (class == CLASS_FUTURE)
        return build_future(builder, ast, negated);
    if (ast->kind == AST_NOT)
        return build(builder, ast->a, !negated);
    assert(ast->kind == AST_AND || ast->kind == AST_OR);
    uint32_t a = build(builder, ast->a, negated), b = build(builder, ast->b, negated);
    bool both = (ast->kind == AST_AND) != negated;
    return ltlf_make(builder->formulas, both ? FORMULA_AND : FORMULA_OR, a, b, UNBOUNDED, 0);
}

uint32_t ltlf_build(struct formulas *formulas, struct property_compiler *compiler,
                    const struct ast *ast, enum grain grain)
{
    struct builder builder = {formulas, compiler, grain};
    return build(&builder, ast, false);
}

static bool no_tighter(const struct formula *a, const struct formula *b)
{
    if (b->bound_kind == UNBOUNDED)
        return true;
    return a->bound_kind == b->bound_kind &&
           (a->bound_kind == STEPS ? a->bound <= b->bound : a->bound == b->bound);
}

static bool implies_now(struct formulas *formulas, uint32_t a, uint32_t b)
{
    struct formula left = formulas->nodes.at[a], right = formulas->nodes.at[b];
    if (left.op == FORMULA_OR)
        return ltlf_implies(formulas, left.a, b) && ltlf_implies(formulas, left.b, b);
    if (right.op == FORMULA_AND)
        return ltlf_implies(formulas, a, right.a) && ltlf_implies(formulas, a, right.b);
    if (left.op == FORMULA_AND &&
        (ltlf_implies(formulas, left.a, b) || ltlf_implies(formulas, left.b, b)))
        return true;
    if (right.op == FORMULA_OR &&
        (ltlf_implies(formulas, a, right.a) || ltlf_implies(formulas, a, right.b)))
        return true;
    bool left_next = left.op == FORMULA_NEXT || left.op == FORMULA_WEAK_NEXT;
    bool right_next = right.op == FORMULA_NEXT || right.op == FORMULA_WEAK_NEXT;
    if (left_next && right_next && left.bound_kind == UNBOUNDED && right.bound_kind == UNBOUNDED)
        return (left.op == FORMULA_NEXT || right.op == FORMULA_WEAK_NEXT) &&
               ltlf_implies(formulas, left.a, right.a);
    if (left.op == FORMULA_UNTIL && right.op == FORMULA_UNTIL && no_tighter(&left, &right) &&
        ltlf_implies(formulas, left.a, right.a) && ltlf_implies(formulas, left.b, right.b))
        return true;
    if (left.op == FORMULA_RELEASE && right.op == FORMULA_RELEASE && no_tighter(&right, &left) &&
        ltlf_implies(formulas, left.a, right.a) && ltlf_implies(formulas, left.b, right.b))
        return true;
    if (right.op == FORMULA_UNTIL && ltlf_implies(formulas, a, right.b))
        return true;
    if (left.op == FORMULA_RELEASE && ltlf_implies(formulas, left.b, b))
        return true;
    if (right.op == FORMULA_UNTIL && right.a == 1 && right.bound_kind == UNBOUNDED)
        return (left.op == FORMULA_NEXT && ltlf_implies(formulas, left.a, b)) ||
               (left.op == FORMULA_UNTIL && ltlf_implies(formulas, left.b, b));
    if (left.op == FORMULA_RELEASE && left.a == 0 && left.bound_kind == UNBOUNDED)
        return (right.op == FORMULA_WEAK_NEXT && ltlf_implies(formulas, a, right.a)) ||
               (right.op == FORMULA_RELEASE && ltlf_implies(formulas, a, right.b));
    return false;
}

bool ltlf_implies(struct formulas *formulas, uint32_t a, uint32_t b)
{
    if (a == b || a == 0 || b == 1)
        return true;
    if (a == 1 || b == 0)
        return false;
    uint64_t key = (uint64_t)a << 32 | b;
    bool is_new;
    uint64_t *memo = tac_u64map_at(&formulas->implied, key, 0, &is_new);
    if (!is_new)
        return *memo != 0; /* also cuts recursion: an open question counts as no */
    bool answer = implies_now(formulas, a, b);
    *tac_u64map_at(&formulas->implied, key, 0, NULL) = answer;
    return answer;
}
