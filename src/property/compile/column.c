/* The column program: construction with sharing, and its buffers. */
#include "property/compile/column.h"

#include "base/check.h"
#include "trace/trace.h"
#include <math.h>
#include <string.h>

#define DESCRIBE(op, makes, group, binary, word)                                                   \
    [op] = {COLUMN_MAKES_##makes, COLUMN_GROUP_##group, binary, word},
const struct column_operation column_operations[COLUMN_OPS] = {COLUMN_OP_ROWS(DESCRIBE)};

static uint32_t intern_node(struct column_program *program, struct column_node wanted)
{
    assert(wanted.op < COLUMN_OPS);
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
        free(program->runtime[i].own_may);
        free(program->runtime[i].own_unknown);
    }
    for (size_t i = 0; i < program->slots.count; i++)
        free(program->slots.at[i].own_unknown);
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
    tac_vec_free(&program->mark_of_symbol);
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
            run->bit = run->may = tac_calloc(COLUMN_CHUNK, 1);
            memset(run->bit, node->op == COLUMN_TRUE, COLUMN_CHUNK);
            program->has_past |= column_operations[node->op].group == COLUMN_GROUP_PAST;
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
    program->text_of_symbol.count = program->mark_of_symbol.count = 0;
    program->has_marks = program->met_unknown = false;
    for (size_t id = 0; id < program->nodes.count; id++) {
        program->runtime[id].may = program->runtime[id].bit;
        program->runtime[id].unknown = NULL;
    }
    for (size_t i = 0; i < program->slots.count; i++)
        program->slots.at[i].first.set = false;
    for (size_t i = 0; i < program->literal_symbol.count; i++)
        program->literal_symbol.at[i] = TAC_TRACE_NO_SYMBOL;
    column_past_reset(program, program->past);
}

void column_symbols(struct column_program *program, const char *const *symbols, size_t count)
{
    assert(program->literals.count == program->literal_symbol.count);
    for (size_t i = program->symbols_seen; i < count; i++) {
        bool mark = symbols[i][0] == TAC_TRACE_UNKNOWN;
        tac_vec_push(&program->mark_of_symbol, mark);
        program->has_marks |= mark;
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
