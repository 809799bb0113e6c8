/* State formulas as C99: one assignment per node, in the order of the column program. */
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
static unsigned emit_bare_index(const struct column_program *program, uint32_t literal)
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
    enum column_op op = (enum column_op)node->op;
    char name[80];
    if (op == COLUMN_CONSTANT)
        emit_number(out, node->value);
    else if (op == COLUMN_NUMBER)
        fprintf(out, "%s%s", state, emit_input(program, node->a, name));
    else if (op == COLUMN_NEGATE)
        fprintf(out, "-n[%u]", node->a);
    else if (op == COLUMN_ABS)
        fprintf(out, "n[%u] < 0 ? -n[%u] : n[%u]", node->a, node->a, node->a);
    else
        fprintf(out, "n[%u]%sn[%u]", node->a, column_operations[op].word, node->b);
}

static void emit_test(FILE *out, const struct column_program *program,
                      const struct column_node *node, const char *state)
{
    unsigned a = node->a, b = node->b;
    enum column_op op = (enum column_op)node->op;
    const char *input = column_operations[op].group == COLUMN_GROUP_SYMBOL
                            ? emit_input(program, a, (char[80]){0})
                            : "";
    if (op == COLUMN_TRUE || op == COLUMN_FALSE)
        fputs(op == COLUMN_TRUE ? "1" : "0", out);
    else if (op == COLUMN_LT || op == COLUMN_LE)
        fprintf(out, "n[%u]%sn[%u]", a, column_operations[op].word, b);
    else if (op == COLUMN_EQ)
        fprintf(out, "n[%u] <= n[%u] && n[%u] >= n[%u]", a, b, a, b);
    else if (op == COLUMN_NE)
        fprintf(out, "n[%u] < n[%u] || n[%u] > n[%u]", a, b, a, b);
    else if (op == COLUMN_NUMBER_TRUE)
        fprintf(out, "n[%u] < 0 || n[%u] > 0", a, a);
    else if (op == COLUMN_BARE)
        fprintf(out, "%sbare[%u] == 1", state, emit_bare_index(program, a));
    else if (op == COLUMN_SYMBOL_IS)
        fprintf(out, "%s%s == %u", state, input, b + 1);
    else if (program->slots.at[a].is_event)
        fprintf(out, "%s%s != %u && %s%s != -2", state, input, b + 1, state, input);
    else
        fprintf(out, "%s%s >= 0 && %s%s != %u", state, input, state, input, b + 1);
}

/* One of the two columns: b, surely true, or m, not surely false. */
struct emitted {
    char name;
    unsigned past; /* its place in past[] and when[] */
};

/* a since b within [0, high]: the last place of b is enough; past[] is 1 while there is one. */
static void emit_since_within(FILE *out, const struct column_program *program,
                              const struct column_node *node, unsigned id, struct emitted in)
{
    const struct time_window *window = &program->bounds.at[node->window];
    const char *now = window->steps ? "tm_index" : "tm_time";
    char c = in.name;
    unsigned past = in.past;
    fprintf(out,
            "    if (!%c[%u])\n        past[%u] = 0;\n"
            "    if (%c[%u]) {\n        past[%u] = 1;\n        when[%u] = %s;\n    }\n",
            c, node->a, past, c, node->b, past, past, now);
    if (!window->unbounded)
        fprintf(out, "    if (past[%u] && %s - when[%u] %s %lldLL)\n        past[%u] = 0;\n", past,
                now, past, window->high_strict ? ">=" : ">", (long long)window->high, past);
    fprintf(out, "    %c[%u] = past[%u];\n", c, id, past);
}

static void emit_past(FILE *out, const struct column_program *program,
                      const struct column_node *node, unsigned id, struct emitted in)
{
    unsigned a = node->a, past = in.past;
    enum column_op op = (enum column_op)node->op;
    char c = in.name;
    if (op == COLUMN_PREVIOUSLY)
        fprintf(out, "    %c[%u] = past[%u];\n    past[%u] = %c[%u];\n", c, id, past, past, c, a);
    else if (op == COLUMN_ONCE)
        fprintf(out, "    %c[%u] = past[%u] = past[%u] || %c[%u];\n", c, id, past, past, c, a);
    else if (op == COLUMN_SINCE_WITHIN)
        emit_since_within(out, program, node, id, in);
    else if (op == COLUMN_HISTORICALLY) /* past[] starts at 0: it counts failures */
        fprintf(out, "    past[%u] = past[%u] || !%c[%u];\n    %c[%u] = !past[%u];\n", past, past,
                c, a, c, id, past);
    else
        fprintf(out, "    %c[%u] = past[%u] = %c[%u] || (%c[%u] && past[%u]);\n", c, id, past, c,
                node->b, c, a, past);
}

/* rise and fall: one thing now, the other before. past[past] is b before, the next one m. */
static void emit_edge(FILE *out, const struct column_node *node, unsigned id, unsigned past)
{
    unsigned a = node->a;
    if (node->op == COLUMN_RISE)
        fprintf(out, "    b[%u] = b[%u] && !past[%u];\n    m[%u] = m[%u] && !past[%u];\n", id, a,
                past + 1, id, a, past);
    else
        fprintf(out, "    b[%u] = !m[%u] && past[%u];\n    m[%u] = !b[%u] && past[%u];\n", id, a,
                past, id, a, past + 1);
    fprintf(out, "    past[%u] = b[%u];\n    past[%u] = m[%u];\n", past, a, past + 1, a);
}

/* Where a number or a test is unknown. */
static void emit_unknown(FILE *out, const struct column_program *program,
                         const struct column_node *node, unsigned id, const char *state)
{
    enum column_op op = (enum column_op)node->op;
    char name[80];
    bool symbol = column_operations[op].group == COLUMN_GROUP_SYMBOL;
    fprintf(out, "    m[%u] = ", id);
    if (!column_is_number(op))
        fprintf(out, "b[%u] || ", id);
    if (op == COLUMN_NUMBER)
        fprintf(out, "%s%s != %s%s", state, emit_input(program, node->a, name), state, name);
    else if (op == COLUMN_BARE)
        fprintf(out, "%sbare[%u] == 2", state, emit_bare_index(program, node->a));
    else if (symbol)
        fprintf(out, "%s%s %s", state, emit_input(program, node->a, name),
                program->slots.at[node->a].is_event ? "== -2" : "< 0");
    else if (op == COLUMN_CONSTANT || op == COLUMN_TRUE || op == COLUMN_FALSE)
        fputs("0", out);
    else if (column_is_binary(op))
        fprintf(out, "m[%u] || m[%u]", node->a, node->b);
    else
        fprintf(out, "m[%u]", node->a);
    fputs(";\n", out);
}

static void emit_boolean(FILE *out, const struct column_node *node, unsigned id)
{
    const char *sign = node->op == COLUMN_AND ? "&&" : "||";
    if (node->op == COLUMN_NOT)
        fprintf(out, "    b[%u] = !m[%u];\n    m[%u] = !b[%u];\n", id, node->a, id, node->a);
    else
        fprintf(out, "    b[%u] = b[%u] %s b[%u];\n    m[%u] = m[%u] %s m[%u];\n", id, node->a,
                sign, node->b, id, node->a, sign, node->b);
}

void emit_columns(FILE *out, const struct column_program *program, const char *state)
{
    unsigned past = 0;
    for (unsigned id = 0; id < program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id];
        enum column_op op = (enum column_op)node->op;
        if (op == COLUMN_RISE || op == COLUMN_FALL) {
            emit_edge(out, node, id, past);
            past += 2;
        } else if (column_operations[op].group == COLUMN_GROUP_PAST) {
            emit_past(out, program, node, id, (struct emitted){'b', past++});
            emit_past(out, program, node, id, (struct emitted){'m', past++});
        } else if (column_operations[op].group == COLUMN_GROUP_BOOLEAN) {
            emit_boolean(out, node, id);
        } else {
            fprintf(out, "    %c[%u] = ", column_is_number(op) ? 'n' : 'b', id);
            if (column_is_number(op))
                emit_number_node(out, program, node, state);
            else
                emit_test(out, program, node, state);
            fputs(";\n", out);
            emit_unknown(out, program, node, id, state);
        }
    }
}

size_t emit_past_count(const struct column_program *program)
{
    size_t count = 0;
    for (size_t i = 0; i < program->nodes.count; i++)
        count += 2 * (column_operations[program->nodes.at[i].op].group == COLUMN_GROUP_PAST);
    return count;
}
