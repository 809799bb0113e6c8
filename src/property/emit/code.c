/* Expressions as C99: one assignment per node, in the order of the column program. */
#include "property/emit/code.h"
#include "base/check.h"

#include <math.h>
#include <string.h>

const char *emit_input(const struct column_program *program, size_t slot, char *buffer)
{
    assert(slot < program->slots.count);
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

/* Bare names are numbered by their literals, in the order of the nodes. */
unsigned emit_bare_index(const struct column_program *program, uint32_t literal)
{
    unsigned index = 0;
    for (size_t i = 0; i < program->nodes.count; i++) {
        if (program->nodes.at[i].op != COLUMN_BARE)
            continue;
        if (program->nodes.at[i].a == literal)
            return index;
        index++;
    }
    return index;
}

unsigned emit_bare_count(const struct column_program *program)
{
    return emit_bare_index(program, COLUMN_NONE);
}

static void emit_list(FILE *out, const char *name, const char *const *texts, size_t count)
{
    fprintf(out, "static const char *const %s[] = {", name);
    for (size_t i = 0; i < count; i++) {
        emit_string(out, texts[i]);
        fputs(", ", out);
    }
    fputs("\"\"};\n", out);
}

void emit_inputs(FILE *out, const struct column_program *program)
{
    TAC_VEC(const char *) names = {0}, units = {0}, bare = {0};
    for (size_t i = 0; i < program->slots.count; i++) {
        tac_vec_push(&names, program->slots.at[i].name);
        tac_vec_push(&units, program->slots.at[i].unit_text);
    }
    for (size_t i = 0; i < program->nodes.count; i++)
        if (program->nodes.at[i].op == COLUMN_BARE)
            tac_vec_push(&bare, program->literals.text[program->nodes.at[i].a]);
    emit_list(out, "tm_input_names", names.at, names.count);
    emit_list(out, "tm_input_units", units.at, units.count);
    emit_list(out, "tm_bare_names", bare.at, bare.count);
    emit_list(out, "tm_not_columns", program->compared_names.at, program->compared_names.count);
    fputs("static const char tm_input_is_event[] = {", out);
    for (size_t i = 0; i < program->slots.count; i++)
        fprintf(out, "%d, ", program->slots.at[i].is_event);
    fputs("0}, tm_input_is_discrete[] = {", out);
    for (size_t i = 0; i < program->slots.count; i++)
        fprintf(out, "%d, ", program->slots.at[i].discrete);
    fputs("0};\n\n", out);
    tac_vec_free(&names);
    tac_vec_free(&units);
    tac_vec_free(&bare);
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
    case COLUMN_BARE:
        fprintf(out, "%sbare[%u]", state, emit_bare_index(program, a));
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

/* a since b within [0, high]: the last place of b is enough; past[] is 1 while there is one. */
static void emit_since_within(FILE *out, const struct column_program *program,
                              const struct column_node *node, unsigned id, unsigned past)
{
    const struct time_window *window = &program->bounds.at[node->window];
    const char *now = window->steps ? "tm_index" : "tm_time";
    fprintf(out,
            "    if (!b[%u])\n        past[%u] = 0;\n"
            "    if (b[%u]) {\n        past[%u] = 1;\n        when[%u] = %s;\n    }\n",
            node->a, past, node->b, past, past, now);
    if (!window->unbounded)
        fprintf(out, "    if (past[%u] && %s - when[%u] %s %lldLL)\n        past[%u] = 0;\n", past,
                now, past, window->high_strict ? ">=" : ">", (long long)window->high, past);
    fprintf(out, "    b[%u] = past[%u];\n", id, past);
}

static void emit_past(FILE *out, const struct column_program *program,
                      const struct column_node *node, unsigned id, unsigned past)
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
    case COLUMN_SINCE_WITHIN:
        emit_since_within(out, program, node, id, past);
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
            emit_past(out, program, node, id, past++);
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
    default:
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
    assert(plan->quantifier <= QUANT_EXISTS);
    size_t comparisons = plan->comparisons.count;
    fprintf(out, "static const struct tm_measure measures_%zu[] = {", number);
    for (size_t m = 0; m < plan->measures.count; m++)
        fprintf(out, "{%d, %u, %d}, ", plan->measures.at[m].op - AST_DIFF,
                plan->measures.at[m].node, plan->measures.at[m].linear);
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

static tac_status refuse(const tac_properties *properties, const struct ast *at, tac_error *err,
                         const char *what, const char *why)
{
    return tac_fail_at(err, TAC_E_INPUT, properties->file, at->line, at->column,
                       "%s cannot be exported: %s", what, why);
}

static tac_status check_part(const tac_properties *properties, const struct property_part *part,
                             tac_error *err)
{
    const struct interval_plan *interval = &part->interval;
    if (part->each_count)
        return refuse(properties, part->ast, err, "'for each'",
                      "the number of values is not known before the trace is read");
    if (part->queued)
        return refuse(properties, part->ast, err,
                      "a bound that does not start at 0, or operators inside each other whose "
                      "automaton is too large,",
                      "they keep queues of obligations, and a monitor has fixed memory");
    if (interval->inner || interval->relations.count)
        return refuse(properties, part->ast, err, "nested intervals",
                      "an interval may wait for others without a bound");
    if (interval->ahead)
        return refuse(properties, part->ast, err, "an interval end that looks ahead",
                      "it keeps a queue of obligations");
    if (!part->temporal && interval->slice)
        return refuse(properties, part->ast, err, "an interval that is a slice",
                      "slices may overlap, and a monitor has fixed memory; write both ends");
    if (!part->temporal && interval->quantifier > QUANT_EXISTS)
        return refuse(properties, part->ast, err, "share, percentile and mean",
                      "they keep a figure of every interval");
    return TAC_OK;
}

tac_status emit_check(const tac_properties *properties, const struct property_plan *plan,
                      size_t only, tac_error *err)
{
    for (size_t i = 0; i < plan->parts.count; i++)
        if (only == SIZE_MAX || only == i) {
            tac_status status = check_part(properties, &plan->parts.at[i], err);
            if (status != TAC_OK)
                return status;
        }
    for (size_t i = 0; i < plan->program.bounds.count; i++)
        if (plan->program.bounds.at[i].low > 0 || plan->program.bounds.at[i].low_strict)
            return refuse(properties, plan->program.bound_places.at[i], err,
                          "a bound into the past that does not start at 0",
                          "it keeps a queue of states, and a monitor has fixed memory");
    for (size_t i = 0; i < plan->program.nodes.count; i++)
        if (plan->program.nodes.at[i].op == COLUMN_SYMBOLS_EQUAL ||
            plan->program.nodes.at[i].op == COLUMN_SYMBOLS_DIFFER)
            return tac_fail_at(err, TAC_E_INPUT, properties->file, 0, 0,
                               "comparing two discrete variables cannot be exported");
    for (size_t i = 0; i < plan->program.nodes.count; i++)
        if (plan->program.nodes.at[i].op > COLUMN_SINCE_WITHIN)
            return tac_fail_at(err, TAC_E_INPUT, properties->file, 0, 0,
                               "formulas over observables, texts and lists cannot be exported: "
                               "an exported monitor reads no screens");
    for (size_t i = 0; i < plan->program.slots.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(plan->program.slots.at[i].name, plan->program.slots.at[k].name) == 0)
                return tac_fail_at(err, TAC_E_INPUT, properties->file,
                                   plan->program.slots.at[i].line, plan->program.slots.at[i].column,
                                   "'%s' is used as a number and as a discrete value",
                                   plan->program.slots.at[i].name);
    return TAC_OK;
}
