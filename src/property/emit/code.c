/* Expressions as C99: one assignment per node, in the order of the column program. */
#include "property/emit/code.h"

#include <math.h>
#include <string.h>

const char *emit_input(const struct column_program *program, size_t slot, char *buffer)
{
    const char *name = program->slots.at[slot].name;
    bool clean = true;
    size_t n = 2;
    memcpy(buffer, "v_", 3);
    for (; *name && n < 60; name++) {
        bool fine = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                    (*name >= '0' && *name <= '9') || *name == '_';
        clean &= fine;
        buffer[n++] = fine ? *name : '_';
    }
    buffer[n] = 0;
    if (!clean || *name)
        snprintf(buffer + n, 80 - n, "_%zu", slot);
    return buffer;
}

void emit_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 32 || c > 126 || c == '?')
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

void emit_number(FILE *out, double value)
{
    if (isnan(value))
        fputs("(0.0 / 0.0)", out);
    else if (isinf(value))
        fputs(value > 0 ? "(1.0 / 0.0)" : "(-1.0 / 0.0)", out);
    else {
        char text[40];
        snprintf(text, sizeof text, "%.17g", value);
        fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
    }
}

void emit_symbols(FILE *out, const struct column_program *program)
{
    fputs("static int symbol(const char *text)\n{\n", out);
    fputs("    if (!text || !*text)\n        return -1;\n", out);
    for (size_t i = 0; i < program->literals.count; i++) {
        fputs("    if (!strcmp(text, ", out);
        emit_string(out, program->literals.text[i]);
        fprintf(out, "))\n        return %zu;\n", i + 1);
    }
    fputs("    return 0;\n}\n\n", out);
}

static void emit_number_node(FILE *out, const struct column_program *program,
                             const struct column_node *node, const char *state)
{
    static const char signs[] = {[COLUMN_ADD] = '+',
                                 [COLUMN_SUBTRACT] = '-',
                                 [COLUMN_MULTIPLY] = '*',
                                 [COLUMN_DIVIDE] = '/'};
    char name[80];
    switch ((enum column_op)node->op) {
    case COLUMN_CONSTANT:
        emit_number(out, node->value);
        break;
    case COLUMN_NUMBER:
        fprintf(out, "%s%s", state, emit_input(program, node->a, name));
        break;
    case COLUMN_NEGATE:
        fprintf(out, "-n[%u]", node->a);
        break;
    case COLUMN_ABS:
        fprintf(out, "n[%u] < 0 ? -n[%u] : n[%u]", node->a, node->a, node->a);
        break;
    default:
        fprintf(out, "n[%u] %c n[%u]", node->a, signs[node->op], node->b);
        break;
    }
}

static void emit_test(FILE *out, const struct column_program *program,
                      const struct column_node *node, const char *state)
{
    unsigned a = node->a, b = node->b;
    char name[80];
    switch ((enum column_op)node->op) {
    case COLUMN_TRUE:
    case COLUMN_FALSE:
        fputs(node->op == COLUMN_TRUE ? "1" : "0", out);
        break;
    case COLUMN_LT:
        fprintf(out, "n[%u] < n[%u]", a, b);
        break;
    case COLUMN_LE:
        fprintf(out, "n[%u] <= n[%u]", a, b);
        break;
    case COLUMN_EQ:
        fprintf(out, "n[%u] <= n[%u] && n[%u] >= n[%u]", a, b, a, b);
        break;
    case COLUMN_NE:
        fprintf(out, "n[%u] < n[%u] || n[%u] > n[%u]", a, b, a, b);
        break;
    case COLUMN_NUMBER_TRUE:
        fprintf(out, "n[%u] < 0 || n[%u] > 0", a, a);
        break;
    case COLUMN_SYMBOL_IS:
        fprintf(out, "%s%s == %u", state, emit_input(program, a, name), b + 1);
        break;
    default: /* COLUMN_SYMBOL_IS_NOT */
        emit_input(program, a, name);
        if (program->slots.at[a].is_event)
            fprintf(out, "%s%s != %u", state, name, b + 1);
        else
            fprintf(out, "%s%s >= 0 && %s%s != %u", state, name, state, name, b + 1);
        break;
    }
}

static void emit_past(FILE *out, const struct column_node *node, unsigned id, unsigned past)
{
    unsigned a = node->a;
    switch ((enum column_op)node->op) {
    case COLUMN_PREVIOUSLY:
        fprintf(out, "    b[%u] = past[%u];\n    past[%u] = b[%u];\n", id, past, past, a);
        break;
    case COLUMN_RISE:
        fprintf(out, "    b[%u] = b[%u] && !past[%u];\n    past[%u] = b[%u];\n", id, a, past, past,
                a);
        break;
    case COLUMN_FALL:
        fprintf(out, "    b[%u] = !b[%u] && past[%u];\n    past[%u] = b[%u];\n", id, a, past, past,
                a);
        break;
    case COLUMN_ONCE:
        fprintf(out, "    b[%u] = past[%u] = past[%u] || b[%u];\n", id, past, past, a);
        break;
    case COLUMN_HISTORICALLY: /* past[] starts at 0: it counts failures */
        fprintf(out, "    past[%u] = past[%u] || !b[%u];\n    b[%u] = !past[%u];\n", past, past, a,
                id, past);
        break;
    default:
        fprintf(out, "    b[%u] = past[%u] = b[%u] || (b[%u] && past[%u]);\n", id, past, node->b, a,
                past);
        break;
    }
}

void emit_columns(FILE *out, const struct column_program *program, const char *state)
{
    unsigned past = 0;
    for (unsigned id = 0; id < program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id];
        enum column_op op = (enum column_op)node->op;
        if (op >= COLUMN_PREVIOUSLY) {
            emit_past(out, node, id, past++);
            continue;
        }
        fprintf(out, "    %c[%u] = ", column_is_number(op) ? 'n' : 'b', id);
        if (column_is_number(op))
            emit_number_node(out, program, node, state);
        else if (op == COLUMN_NOT)
            fprintf(out, "!b[%u]", node->a);
        else if (op == COLUMN_AND || op == COLUMN_OR)
            fprintf(out, "b[%u] %s b[%u]", node->a, op == COLUMN_AND ? "&&" : "||", node->b);
        else
            emit_test(out, program, node, state);
        fputs(";\n", out);
    }
}

size_t emit_past_count(const struct column_program *program)
{
    size_t count = 0;
    for (size_t i = 0; i < program->nodes.count; i++)
        count += program->nodes.at[i].op >= COLUMN_PREVIOUSLY;
    return count;
}

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
    default:
        fprintf(out, "f[%u] %c f[%u]", figure->a, signs[figure->op], figure->b);
        break;
    }
}

static void emit_clause(FILE *out, const struct interval_plan *plan, uint32_t clause)
{
    const struct clause *at = &plan->clauses.at[clause];
    if (at->op == CLAUSE_COMPARISON) {
        const struct comparison *comparison = &plan->comparisons.at[at->a];
        unsigned a = comparison->a, b = comparison->b;
        if (comparison->op == AST_EQ)
            fprintf(out, "(f[%u] <= f[%u] && f[%u] >= f[%u])", a, b, a, b);
        else if (comparison->op == AST_NE)
            fprintf(out, "(f[%u] < f[%u] || f[%u] > f[%u])", a, b, a, b);
        else
            fprintf(out, "(f[%u] %s f[%u])", a, ast_kind_word(comparison->op), b);
        return;
    }
    if (at->op < CLAUSE_NOT || at->op == CLAUSE_RELATION) {
        fputs(at->op == CLAUSE_FALSE ? "0" : "1", out);
        return;
    }
    fputs(at->op == CLAUSE_AND || at->op == CLAUSE_OR ? "(" : "(!", out);
    emit_clause(out, plan, at->a);
    if (at->op != CLAUSE_NOT) {
        fputs(at->op == CLAUSE_AND ? " && " : " || ", out);
        emit_clause(out, plan, at->b);
    }
    fputc(')', out);
}

void emit_judge(FILE *out, const struct interval_plan *plan, size_t number)
{
    fprintf(out, "static const struct tm_measure measures_%zu[] = {", number);
    for (size_t m = 0; m < plan->measures.count; m++)
        fprintf(out, "{%d, %u, %d}, ", plan->measures.at[m].op - AST_DIFF,
                plan->measures.at[m].node, plan->measures.at[m].linear);
    fputs("{0, 0, 0}};\n\n", out);
    fprintf(out, "static int judge_%zu(const struct tm_interval *i)\n{\n", number);
    if (plan->figures.count)
        fprintf(out, "    double f[%zu];\n", plan->figures.count);
    else
        fputs("    (void)i;\n", out);
    for (size_t k = 0; k < plan->figures.count; k++) {
        fprintf(out, "    f[%zu] = ", k);
        emit_figure(out, &plan->figures.at[k], number);
        fputs(";\n", out);
    }
    fputs("    return ", out);
    if (plan->clauses.count)
        emit_clause(out, plan, (uint32_t)(plan->clauses.count - 1));
    else
        fputs("1", out);
    fputs(";\n}\n\n", out);
}

tac_status emit_check(const tac_properties *properties, const struct plan *plan, tac_error *err)
{
    for (size_t i = 0; i < plan->parts.count; i++)
        if (plan->parts.at[i].interval.inner)
            return tac_fail_at(err, TAC_E_INPUT, properties->file, plan->parts.at[i].ast->line,
                               plan->parts.at[i].ast->column,
                               "nested intervals cannot be exported; take the property out");
    for (size_t i = 0; i < plan->program.nodes.count; i++)
        if (plan->program.nodes.at[i].op == COLUMN_SYMBOLS_EQUAL ||
            plan->program.nodes.at[i].op == COLUMN_SYMBOLS_DIFFER)
            return tac_fail_at(err, TAC_E_INPUT, properties->file, 0, 0,
                               "comparing two discrete variables cannot be exported");
    for (size_t i = 0; i < plan->program.slots.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(plan->program.slots.at[i].name, plan->program.slots.at[k].name) == 0)
                return tac_fail_at(err, TAC_E_INPUT, properties->file,
                                   plan->program.slots.at[i].line, plan->program.slots.at[i].column,
                                   "'%s' is used as a number and as a discrete value",
                                   plan->program.slots.at[i].name);
    return TAC_OK;
}
