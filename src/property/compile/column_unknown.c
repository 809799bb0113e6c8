/* Three truths in columns: where values are unknown, and the two columns of what depends on them.
 *
 * `not` keeps unknown, `and` is the least and `or` the greatest of false, unknown and true; past
 * operators grow with their operands, so each of the two columns follows from the same column of
 * the operands. Costs nothing before the first unknown value of a trace, and then one test per node
 * and chunk wherever all is known. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* -O2 of gcc leaves loops of unknown length scalar */
#endif
#include "property/compile/column.h"

#include "trace/trace.h"
#include <math.h>
#include <string.h>

/* --- Slots ------------------------------------------------------------------------------------ */

static uint8_t *buffer(uint8_t **own)
{
    if (!*own)
        *own = tac_alloc(COLUMN_CHUNK);
    return *own;
}

static bool number_unknown(const struct column_slot *slot, double value)
{
    return isnan(value) &&
           (!slot->observed || tac_trace_unknown_reason(value) != TAC_TRACE_NO_SYMBOL);
}

static bool is_mark(const struct column_program *program, uint32_t symbol)
{
    return symbol < program->mark_of_symbol.count && program->mark_of_symbol.at[symbol];
}

static bool symbol_unknown(const struct column_program *program, const struct column_slot *slot,
                           uint32_t symbol)
{
    if (symbol == TAC_TRACE_NO_SYMBOL)
        return !slot->is_event && !slot->observed;
    return is_mark(program, symbol);
}

static bool any_nan(const double *values, size_t count)
{
    unsigned some = 0;
    for (size_t i = 0; i < count; i++)
        some |= isnan(values[i]) != 0;
    return some;
}

static bool any_symbol(const uint32_t *symbols, uint32_t wanted, size_t count)
{
    unsigned some = 0;
    for (size_t i = 0; i < count; i++)
        some |= symbols[i] == wanted;
    return some;
}

/* May a value of the slot be unknown in this chunk? */
static bool suspicious(const struct column_program *program, size_t s, size_t count)
{
    const struct column_slot *slot = &program->slots.at[s];
    if (slot->quiet || (!slot->discrete && slot->node == COLUMN_NONE))
        return false;
    if (!slot->discrete)
        return any_nan(program->runtime[slot->node].number, count);
    if (!program->symbols[s])
        return !slot->is_event;
    return program->has_marks || (!slot->is_event && !slot->observed &&
                                  any_symbol(program->symbols[s], TAC_TRACE_NO_SYMBOL, count));
}

static uint32_t reason_at(const struct column_program *program, uint32_t s, size_t i)
{
    const struct column_slot *slot = &program->slots.at[s];
    if (!slot->discrete)
        return tac_trace_unknown_reason(program->runtime[slot->node].number[i]);
    return program->symbols[s] ? program->symbols[s][i] : TAC_TRACE_NO_SYMBOL;
}

void column_load_unknown(struct column_program *program, const int64_t *time, size_t count)
{
    for (uint32_t s = 0; s < program->slots.count; s++) {
        struct column_slot *slot = &program->slots.at[s];
        slot->unknown = NULL;
        if (!suspicious(program, s, count))
            continue;
        uint8_t *out = buffer(&slot->own_unknown);
        for (size_t i = 0; i < count; i++)
            out[i] = slot->discrete ? symbol_unknown(program, slot,
                                                     program->symbols[s] ? program->symbols[s][i]
                                                                         : TAC_TRACE_NO_SYMBOL)
                                    : number_unknown(slot, program->runtime[slot->node].number[i]);
        const uint8_t *first = memchr(out, 1, count);
        if (!first)
            continue;
        slot->unknown = out;
        program->met_unknown = true;
        size_t i = (size_t)(first - out);
        if (!slot->first.set)
            slot->first = (struct column_unknown){.set = true,
                                                  .slot = s,
                                                  .reason = reason_at(program, s, i),
                                                  .state = program->states + i,
                                                  .time = time[i]};
    }
}

/* --- Nodes ------------------------------------------------------------------------------------ */

/* Where the operands a and b of a node that is no boolean or past operator are unknown. */
static void operands(const struct column_program *program, const struct column_node *node,
                     const uint8_t *out[2])
{
    enum column_op op = (enum column_op)node->op;
    enum column_group group = column_operations[op].group;
    bool slots = group == COLUMN_GROUP_SYMBOL || group == COLUMN_GROUP_SYMBOLS ||
                 op == COLUMN_NUMBER || op == COLUMN_TEXT_SLOT;
    bool leaf = (group == COLUMN_GROUP_LEAF && op != COLUMN_NUMBER) || op == COLUMN_TEXT_LITERAL;
    out[0] = out[1] = NULL;
    if (leaf)
        return;
    out[0] = slots ? program->slots.at[node->a].unknown : program->runtime[node->a].unknown;
    if (group == COLUMN_GROUP_SYMBOLS)
        out[1] = program->slots.at[node->b].unknown;
    else if (!slots && column_is_binary(op))
        out[1] = program->runtime[node->b].unknown;
}

void column_mark_unknown(struct column_program *program, size_t id, size_t count)
{
    const struct column_node *node = &program->nodes.at[id];
    struct column_runtime *run = &program->runtime[id];
    enum column_op op = (enum column_op)node->op;
    const uint8_t *of[2];
    operands(program, node, of);
    run->unknown = NULL;
    if (op == COLUMN_PREVIOUS || op == COLUMN_TEXT_PREVIOUS) {
        struct column_past *past = &program->past[id];
        bool was = past->carry;
        past->carry = of[0] && of[0][count - 1];
        if (!was && !of[0])
            return;
        uint8_t *out = buffer(&run->own_unknown);
        memset(out, 0, count);
        if (of[0])
            memcpy(out + 1, of[0], count - 1);
        out[0] = was;
        run->unknown = out;
        return;
    }
    if (!of[0] && !of[1])
        return;
    bool bits = column_operations[op].makes == COLUMN_MAKES_BIT;
    uint8_t *out = buffer(bits ? &run->own_may : &run->own_unknown);
    for (size_t i = 0; i < count; i++)
        out[i] = (of[0] && of[0][i]) || (of[1] && of[1][i]);
    if (!bits) {
        run->unknown = out;
        return;
    }
    for (size_t i = 0; i < count; i++) { /* a comparison with what is unknown */
        run->bit[i] &= out[i] ^ 1;
        out[i] |= run->bit[i];
    }
    run->may = out;
}

/* rise and fall need one thing now and the other before. */
static void evaluate_edge(struct column_past *sure, struct column_past *may, bool rise,
                          const struct column_runtime *a, size_t n, uint8_t *bit, uint8_t *out)
{
    bool was = sure->carry, might = may->carry;
    for (size_t i = 0; i < n; i++) {
        bool is = a->bit[i], can = a->may[i];
        bit[i] = rise ? is && !might : !can && was;
        out[i] = rise ? can && !was : !is && might;
        was = is;
        might = can;
    }
    sure->carry = was;
    may->carry = might;
}

void column_evaluate_kleene(struct column_program *program, size_t id, const int64_t *time,
                            size_t count)
{
    const struct column_node *node = &program->nodes.at[id];
    enum column_op op = (enum column_op)node->op;
    struct column_runtime *run = &program->runtime[id];
    const struct column_runtime *a = &program->runtime[node->a];
    const struct column_runtime *b = column_is_binary(op) ? &program->runtime[node->b] : a;
    uint8_t *bit = run->bit, *may = buffer(&run->own_may);
    run->may = may;
    if (op == COLUMN_NOT) {
        for (size_t i = 0; i < count; i++) {
            bit[i] = a->may[i] ^ 1;
            may[i] = a->bit[i] ^ 1;
        }
    } else if (op == COLUMN_AND || op == COLUMN_OR) {
        for (size_t i = 0; i < count; i++) {
            bit[i] = op == COLUMN_AND ? a->bit[i] & b->bit[i] : a->bit[i] | b->bit[i];
            may[i] = op == COLUMN_AND ? a->may[i] & b->may[i] : a->may[i] | b->may[i];
        }
    } else {
        struct column_past *sure = &program->past[id];
        struct column_past *other = &program->past[program->nodes.count + id];
        column_past_divide(sure, other);
        if (op == COLUMN_RISE || op == COLUMN_FALL) {
            evaluate_edge(sure, other, op == COLUMN_RISE, a, count, bit, may);
        } else {
            column_evaluate_past(program, id, sure, a->bit, b->bit, time, count, bit);
            column_evaluate_past(program, id, other, a->may, b->may, time, count, may);
        }
        column_past_join(sure, other);
    }
    if (!memcmp(bit, may, count))
        run->may = bit;
}

/* --- Reasons ---------------------------------------------------------------------------------- */

/* A slot below the node that is unknown in state i, or (i is SIZE_MAX) that ever was. */
static uint32_t guilty(const struct column_program *program, uint32_t id, size_t i)
{
    const struct column_node *node = &program->nodes.at[id];
    enum column_op op = (enum column_op)node->op;
    enum column_group group = column_operations[op].group;
    bool pair = group == COLUMN_GROUP_SYMBOLS;
    if (op == COLUMN_NUMBER || op == COLUMN_TEXT_SLOT || group == COLUMN_GROUP_SYMBOL || pair) {
        const uint32_t slots[2] = {node->a, pair ? node->b : node->a};
        for (size_t k = 0; k < 2; k++) {
            const struct column_slot *slot = &program->slots.at[slots[k]];
            if (i == SIZE_MAX ? slot->first.set : slot->unknown && slot->unknown[i])
                return slots[k];
        }
        return COLUMN_NONE;
    }
    if (group == COLUMN_GROUP_LEAF || op == COLUMN_TEXT_LITERAL)
        return COLUMN_NONE;
    uint32_t found = guilty(program, node->a, i);
    return found == COLUMN_NONE && column_is_binary(op) ? guilty(program, node->b, i) : found;
}

struct column_unknown column_blame(const struct column_program *program, uint32_t node, size_t i,
                                   uint64_t first, const int64_t *time)
{
    uint32_t slot = guilty(program, node, i);
    if (slot != COLUMN_NONE)
        return (struct column_unknown){.set = true,
                                       .slot = slot,
                                       .reason = reason_at(program, slot, i),
                                       .state = first + i,
                                       .time = time[i]};
    slot = guilty(program, node, SIZE_MAX); /* a past operator remembers it */
    if (slot != COLUMN_NONE)
        return program->slots.at[slot].first;
    return (struct column_unknown){.set = true,
                                   .slot = COLUMN_NONE,
                                   .reason = TAC_TRACE_NO_SYMBOL,
                                   .state = first + i,
                                   .time = time[i]};
}
