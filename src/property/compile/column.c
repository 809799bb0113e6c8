/* The column program: construction with sharing, and evaluation chunk by chunk. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* -O2 of gcc leaves loops of unknown length scalar */
#endif
#include "property/compile/column.h"

#include <math.h>
#include <string.h>

bool column_is_number(enum column_op op)
{
    return op <= COLUMN_DIVIDE;
}

bool column_is_binary(enum column_op op)
{
    return (op >= COLUMN_ADD && op <= COLUMN_DIVIDE) || (op >= COLUMN_LT && op <= COLUMN_NE) ||
           op == COLUMN_AND || op == COLUMN_OR || op == COLUMN_SINCE;
}

uint32_t column_node(struct column_program *program, enum column_op op, uint32_t a, uint32_t b,
                     double value)
{
    struct column_node node;
    memset(&node, 0, sizeof node);
    node.op = (uint32_t)op;
    node.a = a;
    node.b = b;
    node.value = value;
    uint32_t id = tac_names_intern_bytes(&program->index, &node, sizeof node);
    if (id == program->nodes.count)
        tac_vec_push(&program->nodes, node);
    return id;
}

uint32_t column_constant(struct column_program *program, double value)
{
    return column_node(program, COLUMN_CONSTANT, 0, 0, value);
}

uint32_t column_literal(struct column_program *program, const char *text, const struct ast *at)
{
    uint32_t id = tac_names_intern(&program->literals, text);
    if (id == program->literal_symbol.count)
        tac_vec_push(&program->literal_symbol, TAC_TRACE_NO_SYMBOL);
    if (id == program->literal_place.count)
        tac_vec_push(&program->literal_place, (struct column_place){at->line, at->column});
    return id;
}

void column_free(struct column_program *program)
{
    for (size_t i = 0; program->runtime && i < program->nodes.count; i++) {
        free(program->runtime[i].own_number);
        free(program->runtime[i].bit);
    }
    free(program->runtime);
    free(program->symbols);
    free(program->missing);
    tac_names_free(&program->index);
    tac_names_free(&program->literals);
    tac_vec_free(&program->nodes);
    tac_vec_free(&program->slots);
    tac_vec_free(&program->literal_symbol);
    tac_vec_free(&program->literal_place);
    memset(program, 0, sizeof *program);
}

void column_start(struct column_program *program)
{
    program->runtime = tac_calloc(program->nodes.count + 1, sizeof *program->runtime);
    program->symbols = tac_calloc(program->slots.count + 1, sizeof *program->symbols);
    program->missing = tac_alloc(COLUMN_CHUNK * sizeof(double));
    for (size_t i = 0; i < COLUMN_CHUNK; i++)
        program->missing[i] = (double)NAN;
    for (size_t id = 0; id < program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id];
        struct column_runtime *run = &program->runtime[id];
        if (!column_is_number((enum column_op)node->op)) {
            run->bit = tac_calloc(COLUMN_CHUNK, 1);
            memset(run->bit, node->op == COLUMN_TRUE, COLUMN_CHUNK);
            run->carry = node->op == COLUMN_HISTORICALLY;
            continue;
        }
        run->own_number = tac_calloc(COLUMN_CHUNK, sizeof(double));
        run->number = run->own_number;
        if (node->op == COLUMN_CONSTANT)
            for (size_t i = 0; i < COLUMN_CHUNK; i++)
                run->own_number[i] = node->value;
    }
}

void column_reset(struct column_program *program)
{
    program->states = 0;
    program->symbols_seen = 0;
    for (size_t i = 0; i < program->literal_symbol.count; i++)
        program->literal_symbol.at[i] = TAC_TRACE_NO_SYMBOL;
    for (size_t id = 0; id < program->nodes.count; id++)
        program->runtime[id].carry = program->nodes.at[id].op == COLUMN_HISTORICALLY;
}

void column_symbols(struct column_program *program, const char *const *symbols, size_t count)
{
    for (size_t i = program->symbols_seen; i < count; i++) {
        uint32_t id = tac_names_find(&program->literals, symbols[i]);
        if (id != TAC_NONE)
            program->literal_symbol.at[id] = (uint32_t)i;
    }
    if (count > program->symbols_seen)
        program->symbols_seen = count;
}

static void load_slots(struct column_program *program, const tac_trace_block *block, size_t offset,
                       size_t count)
{
    for (size_t s = 0; s < program->slots.count; s++) {
        const struct column_slot *slot = &program->slots.at[s];
        bool there = slot->variable != COLUMN_NONE;
        if (slot->discrete) {
            program->symbols[s] = there ? block->symbols[slot->variable] + offset : NULL;
            continue;
        }
        if (slot->node == COLUMN_NONE)
            continue;
        struct column_runtime *run = &program->runtime[slot->node];
        const double *values = there ? block->numbers[slot->variable] + offset : program->missing;
        bool scaled = slot->scale_num < 1 || slot->scale_num > 1 || slot->scale_den > 1;
        if (!scaled) {
            run->number = (double *)(uintptr_t)values; /* read only from here on */
            continue;
        }
        run->number = run->own_number;
        for (size_t i = 0; i < count; i++)
            run->own_number[i] = values[i] * slot->scale_num / slot->scale_den;
    }
}

static void evaluate_number(struct column_program *program, const struct column_node *node,
                            double *restrict out, size_t n)
{
    const double *restrict a = program->runtime[node->a].number;
    const double *restrict b = node->op >= COLUMN_ADD ? program->runtime[node->b].number : a;
    switch ((enum column_op)node->op) {
    case COLUMN_NEGATE:
        for (size_t i = 0; i < n; i++)
            out[i] = -a[i];
        break;
    case COLUMN_ABS:
        for (size_t i = 0; i < n; i++)
            out[i] = fabs(a[i]);
        break;
    case COLUMN_ADD:
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] + b[i];
        break;
    case COLUMN_SUBTRACT:
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] - b[i];
        break;
    case COLUMN_MULTIPLY:
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] * b[i];
        break;
    case COLUMN_DIVIDE:
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] / b[i];
        break;
    default:
        break;
    }
}

/* Comparisons with NaN are false, != included: no value compares with nothing. */
static void evaluate_comparison(struct column_program *program, const struct column_node *node,
                                uint8_t *restrict out, size_t n)
{
    const double *restrict a = program->runtime[node->a].number;
    const double *restrict b =
        node->op == COLUMN_NUMBER_TRUE ? program->missing : program->runtime[node->b].number;
    switch ((enum column_op)node->op) {
    case COLUMN_LT:
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] < b[i];
        break;
    case COLUMN_LE:
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] <= b[i];
        break;
    case COLUMN_EQ:
        for (size_t i = 0; i < n; i++)
            out[i] = (a[i] <= b[i]) & (a[i] >= b[i]);
        break;
    case COLUMN_NE:
        for (size_t i = 0; i < n; i++)
            out[i] = (a[i] < b[i]) | (a[i] > b[i]);
        break;
    case COLUMN_NUMBER_TRUE:
        for (size_t i = 0; i < n; i++)
            out[i] = (a[i] < 0) | (a[i] > 0);
        break;
    default:
        break;
    }
}

static void evaluate_literal(struct column_program *program, const struct column_node *node,
                             uint8_t *restrict out, size_t n)
{
    const uint32_t *restrict a = program->symbols[node->a];
    bool is = node->op == COLUMN_SYMBOL_IS;
    bool event = program->slots.at[node->a].is_event;
    uint32_t wanted = program->literal_symbol.at[node->b];
    if (!a)
        memset(out, !is && event, n);
    else if (is && wanted == TAC_TRACE_NO_SYMBOL)
        memset(out, 0, n);
    else if (is)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] == wanted;
    else if (event)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] != wanted || a[i] == TAC_TRACE_NO_SYMBOL;
    else
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] != wanted && a[i] != TAC_TRACE_NO_SYMBOL;
}

static void evaluate_symbols(struct column_program *program, const struct column_node *node,
                             uint8_t *restrict out, size_t n)
{
    const uint32_t *a = program->symbols[node->a], *b = program->symbols[node->b];
    bool differ = node->op == COLUMN_SYMBOLS_DIFFER;
    if (!a || !b) {
        memset(out, 0, n);
        return;
    }
    for (size_t i = 0; i < n; i++)
        out[i] =
            a[i] != TAC_TRACE_NO_SYMBOL && b[i] != TAC_TRACE_NO_SYMBOL && (a[i] == b[i]) != differ;
}

static void evaluate_past(struct column_runtime *run, enum column_op op, const uint8_t *a,
                          const uint8_t *b, size_t n)
{
    uint8_t *out = run->bit;
    uint8_t carry = run->carry;
    switch (op) {
    case COLUMN_PREVIOUSLY:
        for (size_t i = 0; i < n; i++) {
            out[i] = carry;
            carry = a[i];
        }
        break;
    case COLUMN_RISE:
        for (size_t i = 0; i < n; i++) {
            out[i] = a[i] & (uint8_t)!carry;
            carry = a[i];
        }
        break;
    case COLUMN_FALL:
        for (size_t i = 0; i < n; i++) {
            out[i] = (uint8_t)!a[i] & carry;
            carry = a[i];
        }
        break;
    case COLUMN_ONCE:
        for (size_t i = 0; i < n; i++)
            out[i] = carry |= a[i];
        break;
    case COLUMN_HISTORICALLY:
        for (size_t i = 0; i < n; i++)
            out[i] = carry &= a[i];
        break;
    default: /* a since b: b now, or a now and it held before */
        for (size_t i = 0; i < n; i++)
            out[i] = carry = b[i] | (a[i] & carry);
        break;
    }
    run->carry = carry;
}

static void evaluate_boolean(struct column_runtime *run, enum column_op op,
                             const uint8_t *restrict a, const uint8_t *restrict b, size_t n)
{
    uint8_t *restrict out = run->bit;
    if (op == COLUMN_NOT)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] ^ 1;
    else if (op == COLUMN_AND)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] & b[i];
    else
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] | b[i];
}

void column_evaluate(struct column_program *program, const tac_trace_block *block, size_t offset,
                     size_t count)
{
    load_slots(program, block, offset, count);
    for (size_t id = 0; id < program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id];
        struct column_runtime *run = &program->runtime[id];
        enum column_op op = (enum column_op)node->op;
        if (op == COLUMN_CONSTANT || op == COLUMN_NUMBER || op == COLUMN_TRUE || op == COLUMN_FALSE)
            continue;
        if (column_is_number(op))
            evaluate_number(program, node, run->own_number, count);
        else if (op <= COLUMN_NE || op == COLUMN_NUMBER_TRUE)
            evaluate_comparison(program, node, run->bit, count);
        else if (op <= COLUMN_SYMBOL_IS_NOT)
            evaluate_literal(program, node, run->bit, count);
        else if (op <= COLUMN_SYMBOLS_DIFFER)
            evaluate_symbols(program, node, run->bit, count);
        else {
            const uint8_t *a = program->runtime[node->a].bit;
            bool two = op == COLUMN_AND || op == COLUMN_OR || op == COLUMN_SINCE;
            const uint8_t *b = two ? program->runtime[node->b].bit : a;
            if (op <= COLUMN_OR)
                evaluate_boolean(run, op, a, b, count);
            else
                evaluate_past(run, op, a, b, count);
        }
    }
    program->states += count;
}
