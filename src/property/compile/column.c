/* The column program: construction with sharing, and evaluation chunk by chunk. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* -O2 of gcc leaves loops of unknown length scalar */
#endif
#include "property/compile/column.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

bool column_is_number(enum column_op op)
{
    return op <= COLUMN_DIVIDE || op == COLUMN_PREVIOUS || op == COLUMN_SIZE;
}

bool column_is_text(enum column_op op)
{
    return op >= COLUMN_TEXT_SLOT && op <= COLUMN_TEXT_TRIM;
}

bool column_is_binary(enum column_op op)
{
    return (op >= COLUMN_ADD && op <= COLUMN_DIVIDE) || (op >= COLUMN_LT && op <= COLUMN_NE) ||
           op == COLUMN_AND || op == COLUMN_OR || op == COLUMN_SINCE || op == COLUMN_SINCE_WITHIN ||
           op == COLUMN_TEXT_ITEM || (op >= COLUMN_TEXT_EQ && op <= COLUMN_PREFIX);
}

static uint32_t intern_node(struct column_program *program, struct column_node wanted)
{
    assert(wanted.op <= COLUMN_NUMBER_KNOWN);
    assert(program->index.count == program->nodes.count);
    struct column_node node;
    memset(&node, 0, sizeof node);
    node.op = wanted.op;
    node.a = wanted.a;
    node.b = wanted.b;
    node.window = wanted.window;
    node.value = wanted.value;
    program->has_text |= column_is_text((enum column_op)wanted.op);
    uint32_t id = tac_names_intern_bytes(&program->index, &node, sizeof node);
    if (id == program->nodes.count)
        tac_vec_push(&program->nodes, node);
    assert(id < program->nodes.count);
    return id;
}

uint32_t column_node(struct column_program *program, enum column_op op, uint32_t a, uint32_t b,
                     double value)
{
    assert(!column_is_binary(op) || (a < program->nodes.count && b < program->nodes.count));
    return intern_node(program,
                       (struct column_node){.op = (uint32_t)op, .a = a, .b = b, .value = value});
}

struct time_window time_window_of(const struct ast *ast)
{
    return (struct time_window){.steps = ast->bound_kind == BOUND_STEPS,
                                .low_strict = ast->low_strict,
                                .high_strict = ast->bound_strict,
                                .unbounded = ast->bound_kind == BOUND_NONE || ast->unbounded,
                                .low = ast->low,
                                .high = ast->bound};
}

uint32_t column_since(struct column_program *program, uint32_t a, uint32_t b, const struct ast *at)
{
    assert(a < program->nodes.count && b < program->nodes.count);
    assert(at->bound_kind != BOUND_NONE && at->low >= 0 && at->low <= at->bound);
    struct time_window window = time_window_of(at);
    size_t k = 0;
    for (; k < program->bounds.count; k++) {
        const struct time_window *known = &program->bounds.at[k];
        if (known->steps == window.steps && known->low_strict == window.low_strict &&
            known->high_strict == window.high_strict && known->unbounded == window.unbounded &&
            known->low == window.low && known->high == window.high)
            break;
    }
    if (k == program->bounds.count) {
        tac_vec_push(&program->bounds, window);
        tac_vec_push(&program->bound_places, at);
    }
    return intern_node(
        program,
        (struct column_node){.op = COLUMN_SINCE_WITHIN, .a = a, .b = b, .window = (uint32_t)k});
}

uint32_t column_constant(struct column_program *program, double value)
{
    return column_node(program, COLUMN_CONSTANT, 0, 0, value);
}

uint32_t column_literal(struct column_program *program, const char *text, const struct ast *at)
{
    assert(program->literal_symbol.count == program->literal_place.count);
    uint32_t id = tac_names_intern(&program->literals, text);
    if (id == program->literal_symbol.count)
        tac_vec_push(&program->literal_symbol, TAC_TRACE_NO_SYMBOL);
    if (id == program->literal_place.count)
        tac_vec_push(&program->literal_place, at ? (struct column_place){at->line, at->column}
                                                 : (struct column_place){0, 0});
    return id;
}

uint32_t column_text(struct column_program *program, const char *text, size_t length)
{
    return tac_names_intern_bytes(&program->texts, text, length);
}

void column_free(struct column_program *program)
{
    for (size_t i = 0; program->runtime && i < program->nodes.count; i++) {
        free(program->runtime[i].own_number);
        free(program->runtime[i].text);
        free(program->runtime[i].bit);
    }
    column_past_free(program, program->past);
    free(program->runtime);
    free(program->no_symbols);
    tac_vec_free(&program->bounds);
    tac_vec_free(&program->bound_places);
    tac_vec_free(&program->compared_names);
    free(program->symbols);
    free(program->missing);
    tac_names_free(&program->index);
    tac_names_free(&program->literals);
    tac_names_free(&program->texts);
    tac_vec_free(&program->text_of_symbol);
    tac_vec_free(&program->nodes);
    tac_vec_free(&program->slots);
    tac_vec_free(&program->literal_symbol);
    tac_vec_free(&program->literal_place);
    memset(program, 0, sizeof *program);
}

void column_start(struct column_program *program)
{
    assert(!program->runtime && !program->past);
    program->runtime = tac_calloc(program->nodes.count + 1, sizeof *program->runtime);
    program->symbols = tac_calloc(program->slots.count + 1, sizeof *program->symbols);
    program->missing = tac_alloc(COLUMN_CHUNK * sizeof(double));
    program->no_symbols = tac_alloc(COLUMN_CHUNK * sizeof *program->no_symbols);
    memset(program->no_symbols, 0xff, COLUMN_CHUNK * sizeof *program->no_symbols);
    program->past = column_past_new(program);
    program->overflow = COLUMN_NONE;
    for (size_t i = 0; i < COLUMN_CHUNK; i++)
        program->missing[i] = (double)NAN;
    for (size_t id = 0; id < program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id];
        struct column_runtime *run = &program->runtime[id];
        program->has_past |= node->op == COLUMN_PREVIOUS || node->op == COLUMN_TEXT_PREVIOUS;
        if (column_is_text((enum column_op)node->op)) {
            run->text = tac_calloc(COLUMN_CHUNK, sizeof *run->text);
            for (size_t i = 0; node->op == COLUMN_TEXT_LITERAL && i < COLUMN_CHUNK; i++)
                run->text[i] = node->a;
            continue;
        }
        if (!column_is_number((enum column_op)node->op)) {
            run->bit = tac_calloc(COLUMN_CHUNK, 1);
            memset(run->bit, node->op == COLUMN_TRUE, COLUMN_CHUNK);
            program->has_past |= node->op >= COLUMN_PREVIOUSLY && node->op <= COLUMN_SINCE_WITHIN;
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
    assert(program->runtime && program->past);
    program->states = 0;
    program->symbols_seen = 0;
    program->text_of_symbol.count = 0;
    for (size_t i = 0; i < program->literal_symbol.count; i++)
        program->literal_symbol.at[i] = TAC_TRACE_NO_SYMBOL;
    column_past_reset(program, program->past);
}

struct column_past *column_past_new(const struct column_program *program)
{
    struct column_past *past = tac_calloc(program->nodes.count + 1, sizeof *past);
    column_past_reset(program, past);
    return past;
}

void column_past_reset(const struct column_program *program, struct column_past *past)
{
    for (size_t id = 0; id < program->nodes.count; id++) {
        past[id].carry = program->nodes.at[id].op == COLUMN_HISTORICALLY;
        past[id].carry_number = (double)NAN;
        past[id].carry_text = COLUMN_NONE;
        past[id].has_latest = false;
        past[id].head = past[id].waiting.count = 0;
    }
}

void column_past_copy(const struct column_program *program, struct column_past *to,
                      const struct column_past *from)
{
    assert(to != from);
    for (size_t id = 0; program->has_past && id < program->nodes.count; id++) {
        to[id].carry = from[id].carry;
        to[id].carry_number = from[id].carry_number;
        to[id].carry_text = from[id].carry_text;
        to[id].has_latest = from[id].has_latest;
        to[id].latest = from[id].latest;
        to[id].head = to[id].waiting.count = 0;
        if (from[id].waiting.count > from[id].head)
            tac_vec_append(&to[id].waiting, from[id].waiting.at + from[id].head,
                           from[id].waiting.count - from[id].head);
    }
}

bool column_past_equal(const struct column_program *program, const struct column_past *a,
                       const struct column_past *b)
{
    for (size_t id = 0; program->has_past && id < program->nodes.count; id++) {
        size_t waiting = a[id].waiting.count - a[id].head;
        if (a[id].carry != b[id].carry || a[id].carry_text != b[id].carry_text ||
            memcmp(&a[id].carry_number, &b[id].carry_number, sizeof a[id].carry_number) != 0 ||
            a[id].has_latest != b[id].has_latest ||
            (a[id].has_latest && a[id].latest != b[id].latest) ||
            waiting != b[id].waiting.count - b[id].head ||
            (waiting && memcmp(a[id].waiting.at + a[id].head, b[id].waiting.at + b[id].head,
                               waiting * sizeof *a[id].waiting.at) != 0))
            return false;
    }
    return true;
}

void column_past_free(const struct column_program *program, struct column_past *past)
{
    for (size_t id = 0; past && id < program->nodes.count; id++)
        tac_vec_free(&past[id].waiting);
    free(past);
}

void column_symbols(struct column_program *program, const char *const *symbols, size_t count)
{
    assert(program->literals.count == program->literal_symbol.count);
    for (size_t i = program->symbols_seen; i < count; i++) {
        if (program->has_text)
            tac_vec_push(&program->text_of_symbol,
                         column_text(program, symbols[i], strlen(symbols[i])));
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
static void evaluate_since_within(struct column_program *program, size_t id, const uint8_t *a,
                                  const uint8_t *b, const int64_t *time, size_t n)
{
    assert(program->nodes.at[id].window < program->bounds.count);
    assert(program->past[id].head <= program->past[id].waiting.count);
    uint32_t bound = program->nodes.at[id].window;
    const struct time_window *window = &program->bounds.at[bound];
    struct column_past *past = &program->past[id];
    uint8_t *out = program->runtime[id].bit;
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

static void evaluate_past(struct column_runtime *run, struct column_past *past, enum column_op op,
                          const uint8_t *a, const uint8_t *b, size_t n)
{
    uint8_t *out = run->bit;
    uint8_t carry = past->carry;
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
    else
        for (size_t i = 0; i < n; i++)
            out[i] = a[i] | b[i];
}

void column_evaluate(struct column_program *program, const tac_trace_block *block, size_t offset,
                     size_t count)
{
    assert(count <= COLUMN_CHUNK && offset + count <= block->count);
    load_slots(program, block, offset, count);
    for (size_t id = 0; id < program->nodes.count; id++) {
        const struct column_node *node = &program->nodes.at[id];
        struct column_runtime *run = &program->runtime[id];
        enum column_op op = (enum column_op)node->op;
        if (op == COLUMN_CONSTANT || op == COLUMN_NUMBER || op == COLUMN_TRUE || op == COLUMN_FALSE)
            continue;
        if (op > COLUMN_SINCE_WITHIN)
            column_evaluate_text(program, id, count);
        else if (column_is_number(op))
            evaluate_number(program, node, run->own_number, count);
        else if (op <= COLUMN_NE || op == COLUMN_NUMBER_TRUE)
            evaluate_comparison(program, node, run->bit, count);
        else if (op <= COLUMN_SYMBOL_IS_NOT)
            evaluate_literal(program, node, run->bit, count);
        else if (op <= COLUMN_SYMBOLS_DIFFER)
            evaluate_symbols(program, node, run->bit, count);
        else {
            const uint8_t *a = program->runtime[node->a].bit;
            const uint8_t *b = column_is_binary(op) ? program->runtime[node->b].bit : a;
            if (op <= COLUMN_OR)
                evaluate_boolean(run, op, a, b, count);
            else if (op == COLUMN_SINCE_WITHIN)
                evaluate_since_within(program, id, a, b, block->time + offset, count);
            else
                evaluate_past(run, &program->past[id], op, a, b, count);
        }
    }
    program->states += count;
}
