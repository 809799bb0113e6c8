/* What an interval must satisfy as C99: figures, the scales of their rounding, and comparisons. */
#include "base/check.h"
#include "property/emit/code.h"

static void emit_figure(FILE *out, const struct figure *figure, size_t number)
{
    static const char signs[] = {[FIGURE_ADD] = '+',
                                 [FIGURE_SUBTRACT] = '-',
                                 [FIGURE_MULTIPLY] = '*',
                                 [FIGURE_DIVIDE] = '/'};
    switch (figure->op) {
    case FIGURE_CONSTANT:
        emit_number(out, figure->value);
        break;
    case FIGURE_MEASURE:
        fprintf(out, "tm_figure(i, measures_%zu, %u)", number, figure->a);
        break;
    case FIGURE_DURATION:
        fputs("(double)(i->t_to - i->t_from) / 1e9", out);
        break;
    case FIGURE_NEGATE:
        fprintf(out, "-f[%u]", figure->a);
        break;
    case FIGURE_ABS:
        fprintf(out, "f[%u] < 0 ? -f[%u] : f[%u]", figure->a, figure->a, figure->a);
        break;
    case FIGURE_ADD:
    case FIGURE_SUBTRACT:
    case FIGURE_MULTIPLY:
    case FIGURE_DIVIDE:
        fprintf(out, "f[%u] %c f[%u]", figure->a, signs[figure->op], figure->b);
        break;
    }
}

static void emit_figure_scale(FILE *out, const struct figure *figure, size_t number)
{
    unsigned a = figure->a, b = figure->b;
    switch (figure->op) {
    case FIGURE_MEASURE:
        fprintf(out, "tm_figure_scale(i, measures_%zu, %u)", number, a);
        break;
    case FIGURE_NEGATE:
    case FIGURE_ABS:
        fprintf(out, "s[%u]", a);
        break;
    case FIGURE_ADD:
    case FIGURE_SUBTRACT:
        fprintf(out, "tm_larger(tm_larger(f[%u], s[%u]), tm_larger(f[%u], s[%u]))", a, a, b, b);
        break;
    case FIGURE_MULTIPLY:
        fprintf(out, "tm_larger(tm_larger(f[%u], s[%u]) * f[%u], tm_larger(f[%u], s[%u]) * f[%u])",
                a, a, b, b, b, a);
        break;
    case FIGURE_DIVIDE:
        fprintf(out,
                "tm_larger(tm_larger(f[%u], s[%u]) / f[%u], f[%u] * tm_larger(f[%u], s[%u]) / "
                "(f[%u] * f[%u]))",
                a, a, b, a, b, b, b, b);
        break;
    case FIGURE_CONSTANT:
    case FIGURE_DURATION:
        fputs("0", out);
        break;
    }
}

/* What the figure may be where not all is known. */
static void emit_range(FILE *out, const struct figure *figure, size_t number, size_t k)
{
    unsigned a = figure->a, b = figure->b;
    switch (figure->op) {
    case FIGURE_MEASURE:
        fprintf(out, "tm_measured(i, measures_%zu, %u, unfinished)", number, a);
        break;
    case FIGURE_DURATION:
        fprintf(out, "tm_between(f[%zu], unfinished ? TM_INFINITY : f[%zu])", k, k);
        break;
    case FIGURE_NEGATE:
        fprintf(out, "tm_between(-g[%u].high, -g[%u].low)", a, a);
        break;
    case FIGURE_ABS:
        fprintf(out, "tm_absolute(g[%u])", a);
        break;
    case FIGURE_ADD:
        fprintf(out, "tm_between(g[%u].low + g[%u].low, g[%u].high + g[%u].high)", a, b, a, b);
        break;
    case FIGURE_SUBTRACT:
        fprintf(out, "tm_between(g[%u].low - g[%u].high, g[%u].high - g[%u].low)", a, b, a, b);
        break;
    case FIGURE_MULTIPLY:
    case FIGURE_DIVIDE:
        fprintf(out, "tm_product(g[%u], g[%u], f[%zu])", a, b, k);
        break;
    case FIGURE_CONSTANT:
        fprintf(out, "tm_exact(f[%zu])", k);
        break;
    }
}

/* 0 false, 1 unknown, 2 true: `and` is the least, `or` the greatest. */
static void emit_clause(FILE *out, const struct interval_plan *plan, uint32_t clause)
{
    assert(clause < plan->clauses.count);
    const struct clause *at = &plan->clauses.at[clause];
    if (at->op == CLAUSE_COMPARISON) {
        fprintf(out, "c[%u]", at->a);
    } else if (at->op == CLAUSE_NOT) {
        fputs("(2 - ", out);
        emit_clause(out, plan, at->a);
        fputs(")", out);
    } else if (at->op == CLAUSE_AND || at->op == CLAUSE_OR) {
        fputs(at->op == CLAUSE_AND ? "tm_and(" : "tm_or(", out);
        emit_clause(out, plan, at->a);
        fputs(", ", out);
        emit_clause(out, plan, at->b);
        fputs(")", out);
    } else {
        fputs(at->op == CLAUSE_FALSE ? "0" : "2", out);
    }
}

static void emit_figures(FILE *out, const struct interval_plan *plan, size_t number)
{
    for (size_t k = 0; k < plan->figures.count; k++) {
        fprintf(out, "    f[%zu] = ", k);
        emit_figure(out, &plan->figures.at[k], number);
        fprintf(out, ";\n    s[%zu] = ", k);
        emit_figure_scale(out, &plan->figures.at[k], number);
        fprintf(out, ";\n    g[%zu] = ", k);
        emit_range(out, &plan->figures.at[k], number, k);
        fputs(";\n", out);
    }
    for (size_t k = 0; k < plan->comparisons.count; k++) {
        const struct comparison *at = &plan->comparisons.at[k];
        unsigned truth = ast_operators[at->op].truth;
        fprintf(out,
                "    c[%zu] = tm_compare(g[%u], g[%u], tm_larger(s[%u], s[%u]), %d, %d, %d);\n", k,
                at->a, at->b, at->a, at->b, (truth & ORDER(1, 0, 0)) != 0,
                (truth & ORDER(0, 1, 0)) != 0, (truth & ORDER(0, 0, 1)) != 0);
    }
}

void emit_judge(FILE *out, const struct interval_plan *plan, size_t number)
{
    assert(!quantifier_samples(plan->quantifier));
    static const char *const names[AST_KINDS] = {
        [AST_DIFF] = "TM_DIFF",   [AST_MIN] = "TM_MIN",           [AST_MAX] = "TM_MAX",
        [AST_AVG] = "TM_AVG",     [AST_INTEGRAL] = "TM_INTEGRAL", [AST_RATE] = "TM_RATE",
        [AST_FIRST] = "TM_FIRST", [AST_LAST] = "TM_LAST",         [AST_COUNT] = "TM_COUNT"};
    size_t comparisons = plan->comparisons.count;
    fprintf(out, "static const struct tm_measure measures_%zu[] = {", number);
    for (size_t m = 0; m < plan->measures.count; m++)
        fprintf(out, "{%s, %u, %d}, ", names[plan->measures.at[m].op], plan->measures.at[m].node,
                plan->measures.at[m].linear);
    fputs("{0, 0, 0}};\n\n", out);
    fprintf(out, "static int judge_%zu(const struct tm_interval *i, int unfinished)\n{\n", number);
    if (plan->figures.count)
        fprintf(out, "    double f[%zu], s[%zu];\n    struct tm_range g[%zu];\n",
                plan->figures.count, plan->figures.count, plan->figures.count);
    if (comparisons)
        fprintf(out, "    int c[%zu];\n", comparisons);
    fputs("    (void)i;\n    (void)unfinished;\n", out);
    emit_figures(out, plan, number);
    if (plan->figures.count)
        fputs("    (void)s;\n    (void)g;\n", out);
    fputs("    return ", out);
    if (plan->clauses.count)
        emit_clause(out, plan, (uint32_t)(plan->clauses.count - 1));
    else
        fputs("2", out);
    fputs(";\n}\n\n", out);
}
