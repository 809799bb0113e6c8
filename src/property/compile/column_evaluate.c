/* A column program over the states of a chunk: node by node in the order of their ids, each over
 * its whole column. Cost: one vectorised loop per node. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* -O2 of gcc leaves loops of unknown length scalar */
#endif
#include "property/compile/column.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

static void load_slots(struct column_program *program, const tac_trace_block *block, size_t offset,
                       size_t count)
{
    assert(count <= COLUMN_CHUNK);
    for (size_t s = 0; s < program->slots.count; s++) {
        const struct column_slot *slot = &program->slots.at[s];
        bool there = slot->variable != COLUMN_NONE;
        if (slot->discrete) {
            program->symbols[s] = there ? block->symbols[slot->variable] + offset : NULL;
            if (there && slot->is_event && program->events)
                program->symbols[s] = program->events;
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
    enum column_op op = (enum column_op)node->op;
    const double *restrict b = column_is_binary(op) ? program->runtime[node->b].number : a;
    if (op == COLUMN_NEGATE)
        for (size_t i = 0; i < n; i++)
            out[i] = -a[i];
    else if (op == COLUMN_ABS)
        for (size_t i = 0; i < n; i++)
            out[i] = fabs(a[i]);
    else if (op == COLUMN_ADD)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] + b[i];
    else if (op == COLUMN_SUBTRACT)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] - b[i];
    else if (op == COLUMN_MULTIPLY)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] * b[i];
    else if (op == COLUMN_DIVIDE)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] / b[i];
    else
        assert(false);
}

/* Comparisons with NaN are false, != included: no value compares with nothing. */
static void evaluate_comparison(struct column_program *program, const struct column_node *node,
                                uint8_t *restrict out, size_t n)
{
    const double *restrict a = program->runtime[node->a].number;
    const double *restrict b =
        node->op == COLUMN_NUMBER_TRUE ? program->missing : program->runtime[node->b].number;
    enum column_op op = (enum column_op)node->op;
    if (op == COLUMN_LT)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] < b[i];
    else if (op == COLUMN_LE)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] <= b[i];
    else if (op == COLUMN_EQ)
        for (size_t i = 0; i < n; i++)
            out[i] = (a[i] <= b[i]) & (a[i] >= b[i]);
    else if (op == COLUMN_NE)
        for (size_t i = 0; i < n; i++)
            out[i] = (a[i] < b[i]) | (a[i] > b[i]);
    else if (op == COLUMN_NUMBER_TRUE)
        for (size_t i = 0; i < n; i++)
            out[i] = (a[i] < 0) | (a[i] > 0);
    else
        assert(false);
}

static void evaluate_literal(struct column_program *program, const struct column_node *node,
                             uint8_t *restrict out, size_t n)
{
    assert(node->a < program->slots.count && node->b < program->literals.count);
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
    assert(node->a < program->slots.count && node->b < program->slots.count);
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

/* a since b at a distance within the bounds. */
static void evaluate_since_within(struct column_program *program, size_t id,
                                  struct column_past *past, const uint8_t *a, const uint8_t *b,
                                  const int64_t *time, size_t n, uint8_t *out)
{
    assert(program->nodes.at[id].window < program->bounds.count);
    assert(past->head <= past->waiting.count);
    uint32_t bound = program->nodes.at[id].window;
    const struct time_window *window = &program->bounds.at[bound];
    for (size_t i = 0; i < n; i++) {
        int64_t now = window->steps ? (int64_t)(program->states + i) : time[i];
        if (!a[i]) {
            past->has_latest = false;
            past->head = past->waiting.count = 0;
        }
        if (b[i])
            tac_vec_push(&past->waiting, now);
        while (past->head < past->waiting.count &&
               window_opened(window, now - past->waiting.at[past->head])) {
            past->latest = past->waiting.at[past->head++];
            past->has_latest = true;
        }
        if (past->has_latest && window_passed(window, now - past->latest))
            past->has_latest = false; /* and so have all before it */
        out[i] = past->has_latest;
        if (past->head == past->waiting.count)
            past->head = past->waiting.count = 0;
    }
    if (past->head > past->waiting.count / 2) {
        past->waiting.count -= past->head;
        memmove(past->waiting.at, past->waiting.at + past->head,
                past->waiting.count * sizeof *past->waiting.at);
        past->head = 0;
    }
    if (past->waiting.count > COLUMN_MOST_WAITING)
        program->overflow = bound;
}

void column_evaluate_past(struct column_program *program, size_t id, struct column_past *past,
                          const uint8_t *a, const uint8_t *b, const int64_t *time, size_t n,
                          uint8_t *out)
{
    enum column_op op = (enum column_op)program->nodes.at[id].op;
    uint8_t carry = past->carry;
    if (op == COLUMN_SINCE_WITHIN) {
        evaluate_since_within(program, id, past, a, b, time, n, out);
        return;
    }
    if (op == COLUMN_PREVIOUSLY)
        for (size_t i = 0; i < n; i++) {
            out[i] = carry;
            carry = a[i];
        }
    else if (op == COLUMN_RISE)
        for (size_t i = 0; i < n; i++) {
            out[i] = a[i] & (uint8_t)!carry;
            carry = a[i];
        }
    else if (op == COLUMN_FALL)
        for (size_t i = 0; i < n; i++) {
            out[i] = (uint8_t)!a[i] & carry;
            carry = a[i];
        }
    else if (op == COLUMN_ONCE)
        for (size_t i = 0; i < n; i++)
            out[i] = carry |= a[i];
    else if (op == COLUMN_HISTORICALLY)
        for (size_t i = 0; i < n; i++)
            out[i] = carry &= a[i];
    else if (op == COLUMN_SINCE) /* b now, or a now and it held before */
        for (size_t i = 0; i < n; i++)
            out[i] = carry = b[i] | (a[i] & carry);
    else
        assert(false);
    past->carry = carry;
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
    else if (op == COLUMN_OR)
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] | b[i];
    else
        assert(false);
}

/* All that a boolean or past operator depends on is known. */
static bool knows_bits(const struct column_program *program, size_t id)
{
    const struct column_node *node = &program->nodes.at[id];
    return column_is_exact(program, node->a) && !program->past[id].split &&
           (!column_is_binary((enum column_op)node->op) || column_is_exact(program, node->b));
}

void column_evaluate(struct column_program *program, const tac_trace_block *block, size_t offset,
                     size_t count)
{
    assert(count <= COLUMN_CHUNK && offset + count <= block->count);
    load_slots(program, block, offset, count);
    column_load_unknown(program, block->time + offset, count);
    for (size_t id = 0; id < program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id];
        struct column_runtime *run = &program->runtime[id];
        enum column_op op = (enum column_op)node->op;
        enum column_group group = column_operations[op].group;
        bool bits = group == COLUMN_GROUP_BOOLEAN || group == COLUMN_GROUP_PAST;
        const uint8_t *a = bits ? program->runtime[node->a].bit : NULL;
        const uint8_t *b = column_is_binary(op) && bits ? program->runtime[node->b].bit : a;
        if (program->met_unknown && bits && !knows_bits(program, id)) {
            column_evaluate_kleene(program, id, block->time + offset, count);
            continue;
        }
        run->may = run->bit;
        switch (group) {
        case COLUMN_GROUP_LEAF:
            break;
        case COLUMN_GROUP_ARITHMETIC:
            evaluate_number(program, node, run->own_number, count);
            break;
        case COLUMN_GROUP_COMPARISON:
            evaluate_comparison(program, node, run->bit, count);
            break;
        case COLUMN_GROUP_SYMBOL:
            evaluate_literal(program, node, run->bit, count);
            break;
        case COLUMN_GROUP_SYMBOLS:
            evaluate_symbols(program, node, run->bit, count);
            break;
        case COLUMN_GROUP_BOOLEAN:
            evaluate_boolean(run, op, a, b, count);
            break;
        case COLUMN_GROUP_PAST:
            column_evaluate_past(program, id, &program->past[id], a, b, block->time + offset, count,
                                 run->bit);
            break;
        case COLUMN_GROUP_OBSERVED:
            column_evaluate_text(program, id, count);
            break;
        }
        if (program->met_unknown && !bits)
            column_mark_unknown(program, id, count);
    }
    program->states += count;
}
