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

static void emit_clause(FILE *out, const struct interval_plan *plan, uint32_t clause)
{
    assert(clause < plan->clauses.count);
    const struct clause *at = &plan->clauses.at[clause];
    if (at->op == CLAUSE_COMPARISON) {
        const char *sign = ast_kind_word(plan->comparisons.at[at->a].op);
        unsigned k = at->a;
        if (plan->comparisons.at[k].op == AST_EQ)
            fprintf(out, "(l[%u] <= r[%u] && l[%u] >= r[%u])", k, k, k, k);
        else if (plan->comparisons.at[k].op == AST_NE)
            fprintf(out, "(l[%u] < r[%u] || l[%u] > r[%u])", k, k, k, k);
        else
            fprintf(out, "(l[%u] %s r[%u])", k, sign, k);
        return;
    }
    if (at->op != CLAUSE_NOT && at->op != CLAUSE_AND && at->op != CLAUSE_OR) {
        fputs(at->op == CLAUSE_FALSE ? "0" : "1", out);
        return;
    }
    fputs(at->op == CLAUSE_NOT ? "(!" : "(", out);
    emit_clause(out, plan, at->a);
    if (at->op != CLAUSE_NOT) {
        fputs(at->op == CLAUSE_AND ? " && " : " || ", out);
        emit_clause(out, plan, at->b);
    }
    fputc(')', out);
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
    fprintf(out, "static int judge_%zu(const struct tm_interval *i)\n{\n", number);
    if (plan->figures.count)
        fprintf(out, "    double f[%zu], s[%zu];\n", plan->figures.count, plan->figures.count);
    else
        fputs("    (void)i;\n", out);
    if (comparisons)
        fprintf(out, "    double l[%zu], r[%zu];\n", comparisons, comparisons);
    for (size_t k = 0; k < plan->figures.count; k++) {
        fprintf(out, "    f[%zu] = ", k);
        emit_figure(out, &plan->figures.at[k], number);
        fprintf(out, ";\n    s[%zu] = ", k);
        emit_figure_scale(out, &plan->figures.at[k], number);
        fputs(";\n", out);
    }
    for (size_t k = 0; k < comparisons; k++) {
        unsigned x = plan->comparisons.at[k].a, y = plan->comparisons.at[k].b;
        fprintf(out,
                "    r[%zu] = f[%u];\n    l[%zu] = tm_snap(f[%u], f[%u], tm_larger(s[%u], "
                "s[%u]));\n",
                k, y, k, x, y, x, y);
    }
    if (plan->figures.count)
        fputs("    (void)s;\n", out);
    fputs("    return ", out);
    if (plan->clauses.count)
        emit_clause(out, plan, (uint32_t)(plan->clauses.count - 1));
    else
        fputs("1", out);
    fputs(";\n}\n\n", out);
}
