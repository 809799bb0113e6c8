/* Interval expressions: figures (numbers of an interval), comparisons of figures, clauses (boolean
 * combinations of comparisons), with units checked as in state formulas. */
#include "property/interval/interval.h"

#include "base/check.h"
#include "property/compile/observed.h"
#include <stdio.h>
#include <string.h>

struct body {
    struct property_compiler *compiler;
    struct interval_plan *plan;
    tac_semantics semantics;
    bool inner;     /* the condition after `where`: no further nesting */
    bool conjuncts; /* every relation so far is joined by `and` */
};

static uint32_t add_figure(struct body *body, enum figure_op op, uint32_t a, uint32_t b,
                           double value)
{
    assert(op == FIGURE_CONSTANT || op == FIGURE_DURATION || op == FIGURE_MEASURE ||
           (a < body->plan->figures.count && b <= body->plan->figures.count));
    struct figure figure = {op, a, b, value};
    tac_vec_push(&body->plan->figures, figure);
    return (uint32_t)(body->plan->figures.count - 1);
}

static uint32_t add_clause(struct body *body, enum clause_op op, uint32_t a, uint32_t b)
{
    assert((op != CLAUSE_NOT && op != CLAUSE_AND && op != CLAUSE_OR) ||
           a < body->plan->clauses.count);
    struct clause clause = {op, a, b};
    tac_vec_push(&body->plan->clauses, clause);
    return (uint32_t)(body->plan->clauses.count - 1);
}

static void watch_slots(struct body *body, uint32_t node)
{
    assert(node < body->compiler->program->nodes.count);
    const struct column_program *program = body->compiler->program;
    const struct column_node *at = &program->nodes.at[node];
    uint32_t slots[2] = {COLUMN_NONE, COLUMN_NONE};
    enum column_op op = (enum column_op)at->op;
    if (op == COLUMN_NUMBER || op == COLUMN_SYMBOL_IS || op == COLUMN_SYMBOL_IS_NOT ||
        op == COLUMN_TEXT_SLOT)
        slots[0] = at->a;
    else if (op == COLUMN_SYMBOLS_EQUAL || op == COLUMN_SYMBOLS_DIFFER)
        slots[0] = at->a, slots[1] = at->b;
    else if (op != COLUMN_CONSTANT && op != COLUMN_TRUE && op != COLUMN_FALSE &&
             op != COLUMN_BARE && op != COLUMN_TEXT_LITERAL) {
        watch_slots(body, at->a);
        if (column_is_binary(op))
            watch_slots(body, at->b);
    }
    for (int i = 0; i < 2; i++) {
        bool known = slots[i] == COLUMN_NONE;
        for (size_t k = 0; !known && k < body->plan->watched.count; k++)
            known = body->plan->watched.at[k] == slots[i];
        if (!known)
            tac_vec_push(&body->plan->watched, slots[i]);
    }
}

static uint32_t add_measure(struct body *body, const struct ast *ast, uint32_t node)
{
    const struct column_program *program = body->compiler->program;
    struct interval_measure measure = {.op = ast->kind, .node = node};
    const struct column_node *at = &program->nodes.at[node];
    measure.linear = ast->kind != AST_COUNT && compile_is_linear(program, node);
    measure.monotone = at->op == COLUMN_NUMBER && program->slots.at[at->a].monotone;
    for (size_t i = 0; i < body->plan->measures.count; i++)
        if (body->plan->measures.at[i].op == ast->kind && body->plan->measures.at[i].node == node)
            return (uint32_t)i;
    watch_slots(body, node);
    tac_vec_push(&body->plan->measures, measure);
    return (uint32_t)(body->plan->measures.count - 1);
}

static struct quantity compile_measure(struct body *body, const struct ast *ast)
{
    assert(ast_class(ast->kind) == CLASS_AGGREGATE);
    struct unit second = {{1}, 1, 1};
    struct quantity out = {.unit = unit_none(), .nominal = unit_none(), .known = true};
    if (ast->kind == AST_DURATION) {
        out.unit = out.nominal = second;
        out.node = add_figure(body, FIGURE_DURATION, 0, 0, 0);
        return out;
    }
    uint32_t node;
    if (ast->kind == AST_COUNT) {
        node = compile_state(body->compiler, ast->a);
    } else {
        struct quantity inside = compile_number(body->compiler, ast->a);
        node = inside.node;
        out = inside;
        out.constant = out.bare = false;
        if (ast->kind == AST_INTEGRAL) {
            out.unit = unit_multiply(&inside.unit, &second);
            out.nominal = unit_multiply(&inside.nominal, &second);
        } else if (ast->kind == AST_RATE) {
            out.unit = unit_divide(&inside.unit, &second);
            out.nominal = unit_divide(&inside.nominal, &second);
        }
    }
    uint32_t measure = add_measure(body, ast, node);
    out.node = add_figure(body, FIGURE_MEASURE, measure, 0, 0);
    return out;
}

static uint32_t constant(void *body, double value)
{
    return add_figure(body, FIGURE_CONSTANT, 0, 0, value);
}

static uint32_t operation(void *body, enum ast_kind kind, uint32_t a, uint32_t b)
{
    static const enum figure_op ops[AST_KINDS] = {
        [AST_NEGATE] = FIGURE_NEGATE,     [AST_ABS] = FIGURE_ABS,
        [AST_ADD] = FIGURE_ADD,           [AST_SUBTRACT] = FIGURE_SUBTRACT,
        [AST_MULTIPLY] = FIGURE_MULTIPLY, [AST_DIVIDE] = FIGURE_DIVIDE};
    assert(ops[kind] != FIGURE_CONSTANT);
    return add_figure(body, ops[kind], a, b, 0);
}

static struct quantity figure_leaf(const struct arithmetic *in, const struct ast *ast)
{
    struct body *body = in->context;
    if (ast_class(ast->kind) == CLASS_AGGREGATE)
        return compile_measure(body, ast);
    if (ast->kind == AST_NAME)
        compile_error(body->compiler, ast,
                      "'%s' has many values inside an interval: write diff(%s), "
                      "first(%s), last(%s), max(%s), avg(%s), ...",
                      ast->text, ast->text, ast->text, ast->text, ast->text, ast->text);
    else
        compile_error(body->compiler, ast,
                      "a figure of the interval is wanted here, such as "
                      "diff(x), duration or a number");
    return compile_constant(in, 0, unit_none(), true);
}

static uint32_t compile_comparison(struct body *body, const struct ast *ast)
{
    assert(ast_class(ast->kind) == CLASS_COMPARISON);
    char text[64];
    struct arithmetic in = {body->compiler, body, constant, operation, figure_leaf};
    struct quantity a, b;
    if (!compile_operands(&in, ast, &a, &b))
        return add_clause(body, CLAUSE_FALSE, 0, 0);
    struct comparison comparison = {
        .op = ast->kind, .a = a.node, .b = b.node, .unit = a.unit, .constant = b.constant};
    if (a.constant && !b.constant) { /* 5 < diff(x): the figure goes left */
        static const enum ast_kind mirrored[AST_KINDS] = {
            [AST_LT] = AST_GT, [AST_LE] = AST_GE, [AST_GT] = AST_LT,
            [AST_GE] = AST_LE, [AST_EQ] = AST_EQ, [AST_NE] = AST_NE};
        comparison.op = mirrored[ast->kind];
        comparison.a = b.node;
        comparison.b = a.node;
        comparison.constant = true;
    }
    const struct ast *bound = ast_meant(a.constant ? ast->a : ast->b);
    while (bound->kind == AST_NEGATE)
        bound = ast_meant(bound->a);
    struct unit shown_in = a.nominal;
    unit_text(&a.nominal, text, sizeof text);
    if (comparison.constant && bound->kind == AST_NUMBER && bound->has_unit &&
        unit_same_dimension(&bound->unit, &a.unit)) { /* figures are given in the bound's unit */
        shown_in = bound->unit;
        snprintf(text, sizeof text, "%s", bound->text);
    }
    comparison.left = ast_source(body->compiler->arena, a.constant ? ast->b : ast->a);
    comparison.text = ast_source(body->compiler->arena, ast);
    comparison.shown = unit_divide(&a.unit, &shown_in);
    comparison.unit_text = tac_arena_strdup(body->compiler->arena, text);
    tac_vec_push(&body->plan->comparisons, comparison);
    return add_clause(body, CLAUSE_COMPARISON, (uint32_t)(body->plan->comparisons.count - 1), 0);
}

static uint32_t compile_relation(struct body *body, const struct ast *ast, bool conjunct)
{
    assert(ast->kind == AST_QUANTIFIED && ast->p);
    struct interval_plan *plan = body->plan;
    if (ast->relation == RELATION_NONE) {
        compile_error(body->compiler, ast,
                      "an interval inside an interval is related to it: "
                      "exists [p, q] during (or overlaps, before, within)");
    } else if (body->inner) {
        compile_error(body->compiler, ast,
                      "an inner interval has no intervals inside; relate both to the outer one: "
                      "exists [p, q] during and exists [r, s] overlaps");
    } else if (plan->relations.count == RELATIONS_MOST) {
        compile_error(body->compiler, ast, "more than %d nested intervals in one property",
                      RELATIONS_MOST);
    } else if (body->semantics != TAC_SEMANTICS_DEF) {
        compile_error(body->compiler, ast,
                      "nested intervals have the meaning of the definitions only, not of the "
                      "other readings");
    } else if (quantifier_samples(plan->quantifier)) {
        compile_error(body->compiler, ast, "share, percentile and mean take no nested intervals");
    } else {
        struct interval_relation relation = {ast->relation, tac_calloc(1, sizeof *plan->inner)};
        interval_compile(body->compiler, ast, TAC_SEMANTICS_DEF, relation.inner);
        body->conjuncts &= conjunct;
        tac_vec_push(&plan->relations, relation);
        return add_clause(body, CLAUSE_RELATION, (uint32_t)(plan->relations.count - 1), 0);
    }
    return add_clause(body, CLAUSE_TRUE, 0, 0);
}

static uint32_t compile_clause(struct body *body, const struct ast *ast, bool conjunct)
{
    ast = ast_meant(ast);
    enum ast_class class = ast_class(ast->kind);
    if (ast->kind == AST_TRUE || ast->kind == AST_FALSE)
        return add_clause(body, ast->kind == AST_TRUE ? CLAUSE_TRUE : CLAUSE_FALSE, 0, 0);
    if (class == CLASS_COMPARISON)
        return compile_comparison(body, ast);
    if (class == CLASS_QUANTIFIED)
        return compile_relation(body, ast, conjunct);
    if (class == CLASS_BOOLEAN) {
        assert(ast->kind == AST_NOT || ast->kind == AST_AND || ast->kind == AST_OR);
        bool both = conjunct && ast->kind == AST_AND;
        uint32_t a = compile_clause(body, ast->a, both);
        uint32_t b = ast->b ? compile_clause(body, ast->b, both) : 0;
        return add_clause(body,
                          ast->kind == AST_NOT   ? CLAUSE_NOT
                          : ast->kind == AST_AND ? CLAUSE_AND
                                                 : CLAUSE_OR,
                          a, b);
    }
    if (class == CLASS_PAST || class == CLASS_FUTURE)
        compile_error(body->compiler, ast,
                      "'%s' speaks about states; inside an interval count "
                      "states: count(%s ...) == 0",
                      ast_kind_word(ast->kind), ast_kind_word(ast->kind));
    else if (ast->kind == AST_NAME)
        compile_error(body->compiler, ast,
                      "'%s' is a condition on states; inside an interval write "
                      "count(%s) > 0, or compare a figure such as diff(x)",
                      ast->text, ast->text);
    else
        compile_error(body->compiler, ast, "a comparison is wanted here, such as diff(x) < 5");
    return add_clause(body, CLAUSE_FALSE, 0, 0);
}

/* Top-level conjuncts that can only get worse while the interval grows. */
static void find_alarms(struct interval_plan *plan, uint32_t clause)
{
    assert(clause < plan->clauses.count);
    const struct clause *at = &plan->clauses.at[clause];
    if (at->op == CLAUSE_AND) {
        find_alarms(plan, at->a);
        find_alarms(plan, at->b);
    }
    if (at->op != CLAUSE_COMPARISON)
        return;
    const struct comparison *comparison = &plan->comparisons.at[at->a];
    const struct figure *figure = &plan->figures.at[comparison->a];
    bool upper = comparison->op == AST_LT || comparison->op == AST_LE;
    bool lower = comparison->op == AST_GT || comparison->op == AST_GE;
    struct alarm alarm = {.comparison = at->a, .op = AST_DURATION};
    if (!comparison->constant)
        return;
    if (figure->op == FIGURE_MEASURE) {
        const struct interval_measure *measure = &plan->measures.at[figure->a];
        alarm.op = measure->op;
        alarm.measure = figure->a;
        bool grows = (measure->op == AST_DIFF || measure->op == AST_LAST) && measure->monotone;
        if (!(upper && (grows || measure->op == AST_MAX)) && !(lower && measure->op == AST_MIN))
            return;
    } else if (figure->op != FIGURE_DURATION || !upper) {
        return;
    }
    tac_vec_push(&plan->alarms, alarm);
}

/* q, a state formula or one that looks ahead. */
static void compile_end(struct body *body, const struct ast *ast)
{
    assert(body->plan->p < body->compiler->program->nodes.count);
    struct interval_plan *plan = body->plan;
    plan->q = COLUMN_NONE;
    if (!ast->q) {
        plan->runs = true;
        plan->q = column_node(body->compiler->program, COLUMN_NOT, plan->p, 0, 0);
        return;
    }
    if (!ast_has_future(ast->q)) {
        plan->q = compile_state(body->compiler, ast->q);
        if (plan->q == plan->p)
            compile_warning(body->compiler, ast->q,
                            "both ends are the same condition: intervals are disjoint, so of "
                            "three occurrences the second and third are not compared; for two "
                            "that are too near write always (p -> not once(0, 10 s] p)");
        return;
    }
    if (body->semantics != TAC_SEMANTICS_DEF)
        compile_error(body->compiler, ast->q,
                      "an end that looks ahead has the meaning of the definitions only, not of "
                      "the other readings");
    plan->ahead = true;
    goals_build_end(body->compiler, ast->q, &plan->end_goals);
}

/* Slices of a trace that tells their lengths are followed one by one, so that they may overlap.
 * Beside relations they are taken as disjoint. */
static void compile_slice(struct body *body, const struct ast *ast)
{
    static const struct unit nanosecond = {{1}, 1, 1e9};
    struct property_compiler *compiler = body->compiler;
    uint32_t variable = compile_variable(compiler, "dur");
    body->plan->slice = ast->slice;
    if (!ast->slice || body->semantics != TAC_SEMANTICS_DEF || body->inner ||
        body->plan->relations.count || variable == COLUMN_NONE ||
        compiler->schema->variables[variable].kind != TAC_CONTINUOUS)
        return;
    size_t slots = compiler->program->slots.count;
    uint32_t slot = compile_slot(compiler, ast, "dur", false);
    struct column_slot *at = &compiler->program->slots.at[slot];
    at->quiet |= slot == slots;
    if (!at->has_unit || !unit_same_dimension(&at->unit, &nanosecond))
        return;
    body->plan->length = at->node;
    body->plan->length_ns = unit_convert(1, &at->unit, &nanosecond);
}

/* What share, percentile and mean need beside the expression. */
static void compile_sample(struct body *body, const struct ast *ast)
{
    struct interval_plan *plan = body->plan;
    struct unit percent = {{0}, 1, 100};
    if (!quantifier_samples(plan->quantifier))
        return;
    plan->rank = ast->number;
    if (plan->quantifier == QUANT_SHARE && ast->b) {
        plan->share_op = ast->compare;
        plan->share_bound = ast->b->has_unit ? unit_convert(ast->b->number, &ast->b->unit, &percent)
                                             : ast->b->number * 100;
    } else if (plan->comparisons.count != 1 || !plan->comparisons.at[0].constant) {
        compile_error(body->compiler, ast->a ? ast->a : ast,
                      "%s compares one figure with a constant, such as duration < 200 ms",
                      plan->quantifier == QUANT_MEAN ? "mean" : "percentile");
    }
}

/* One relation of the first four, joined by `and`, is decided in constant memory. */
static void keep_simple_relation(struct body *body)
{
    assert(!body->plan->inner);
    struct interval_plan *plan = body->plan;
    if (plan->relations.count != 1 || !body->conjuncts ||
        ast_relations[plan->relations.at[0].relation].special ||
        plan->relations.at[0].inner->observed)
        return;
    plan->relation = plan->relations.at[0].relation;
    plan->inner = plan->relations.at[0].inner;
    tac_vec_free(&plan->relations);
}

void interval_compile(struct property_compiler *compiler, const struct ast *ast,
                      tac_semantics semantics, struct interval_plan *out)
{
    struct body body = {.compiler = compiler,
                        .plan = out,
                        .semantics = semantics,
                        .inner = ast->relation != RELATION_NONE,
                        .conjuncts = true};
    memset(out, 0, sizeof *out);
    out->length = COLUMN_NONE;
    out->quantifier = ast->quantifier;
    out->semantics = semantics;
    out->observed = compile_is_observed(compiler, ast->a);
    out->p = compile_state(compiler, ast->p);
    compile_end(&body, ast);
    if (ast->a)
        compile_clause(&body, ast->a, true);
    compile_sample(&body, ast);
    compile_slice(&body, ast);
    keep_simple_relation(&body);
    out->margin_common = out->comparisons.count > 0;
    for (size_t i = 1; i < out->comparisons.count; i++)
        if (!unit_equal(&out->comparisons.at[0].unit, &out->comparisons.at[i].unit) ||
            !unit_equal(&out->comparisons.at[0].shown, &out->comparisons.at[i].shown))
            out->margin_common = false;
    bool alarms = out->quantifier == QUANT_FIRST || out->quantifier == QUANT_FORALL;
    if (out->clauses.count && alarms && !out->relations.count)
        find_alarms(out, (uint32_t)(out->clauses.count - 1));
}

void interval_plan_free(struct interval_plan *plan)
{
    if (plan->inner)
        interval_plan_free(plan->inner);
    free(plan->inner);
    for (size_t i = 0; i < plan->relations.count; i++) {
        interval_plan_free(plan->relations.at[i].inner);
        free(plan->relations.at[i].inner);
    }
    tac_vec_free(&plan->relations);
    goals_free(&plan->end_goals);
    tac_vec_free(&plan->measures);
    tac_vec_free(&plan->figures);
    tac_vec_free(&plan->comparisons);
    tac_vec_free(&plan->clauses);
    tac_vec_free(&plan->alarms);
    tac_vec_free(&plan->watched);
}
