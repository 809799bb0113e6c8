/* State formulas and derived variables to column nodes. */
#include "base/check.h"
#include "property/compile/observed.h"

#include <string.h>

uint32_t compile_variable(const struct property_compiler *compiler, const char *name)
{
    if (compiler->schema)
        for (size_t i = 0; i < compiler->schema->variable_count; i++)
            if (strcmp(compiler->schema->variables[i].name, name) == 0)
                return (uint32_t)i;
    return COLUMN_NONE;
}

static void slot_unit(struct property_compiler *compiler, const struct ast *at,
                      struct column_slot *slot)
{
    assert(!slot->discrete && !slot->has_unit);
    const struct unit_statement *said = property_unit_of(compiler->properties, slot->name);
    const char *bad, *text = "";
    size_t bad_length;
    struct unit measured = unit_none();
    if (slot->variable != COLUMN_NONE)
        text = compiler->schema->variables[slot->variable].unit;
    bool has = text && *text && unit_parse(text, strlen(text), &measured, &bad, &bad_length);
    if (!said && !has)
        return;
    slot->has_unit = true;
    slot->unit = has ? measured : said->unit;
    slot->nominal = said ? said->unit : measured;
    slot->unit_text = said ? said->text : tac_arena_strdup(compiler->arena, text);
    if (!said || !has)
        return;
    if (!unit_same_dimension(&said->unit, &measured)) {
        slot->unit = said->unit;
        compile_error(compiler, at, "'%s' is declared in %s (line %u), but %s gives it in %s",
                      slot->name, said->text, said->line, compiler->trace_name, text);
    }
}

/* What an action of a run typed and aimed at: no value says that it did neither. */
static bool is_choice(const struct property_compiler *compiler, const struct column_slot *slot)
{
    return slot->variable != COLUMN_NONE &&
           compiler->schema->variables[slot->variable].type == TAC_VALUE_TEXT &&
           (!strcmp(slot->name, "typed") || !strcmp(slot->name, "target"));
}

uint32_t compile_slot(struct property_compiler *compiler, const struct ast *at, const char *name,
                      bool discrete)
{
    assert(name && *name);
    struct column_program *program = compiler->program;
    for (size_t i = 0; i < program->slots.count; i++)
        if (program->slots.at[i].discrete == discrete &&
            strcmp(program->slots.at[i].name, name) == 0)
            return (uint32_t)i;
    struct column_slot slot = {.name = name,
                               .discrete = discrete,
                               .is_event = strcmp(name, "event") == 0,
                               .unit = unit_none(),
                               .nominal = unit_none(),
                               .unit_text = "",
                               .scale_num = 1,
                               .scale_den = 1,
                               .line = at->line,
                               .column = at->column,
                               .node = COLUMN_NONE};
    slot.variable = compile_variable(compiler, name);
    slot.linear =
        property_flag_of(compiler->properties, name, true) ||
        (slot.variable != COLUMN_NONE && compiler->schema->variables[slot.variable].linear);
    slot.observed =
        property_observe_of(compiler->properties, name) != NULL || is_choice(compiler, &slot);
    slot.monotone = property_flag_of(compiler->properties, name, false);
    if (!discrete)
        slot_unit(compiler, at, &slot);
    uint32_t id = (uint32_t)program->slots.count;
    tac_vec_push(&program->slots, slot);
    if (!discrete)
        program->slots.at[id].node = column_node(program, COLUMN_NUMBER, id, 0, 0);
    return id;
}

bool compile_is_linear(const struct column_program *program, uint32_t node)
{
    assert(node < program->nodes.count);
    const struct column_node *at = &program->nodes.at[node];
    if (at->op == COLUMN_NUMBER)
        return program->slots.at[at->a].linear;
    if (column_operations[at->op].group != COLUMN_GROUP_ARITHMETIC)
        return false;
    return compile_is_linear(program, at->a) ||
           (column_is_binary((enum column_op)at->op) && compile_is_linear(program, at->b));
}

static struct quantity number_name(const struct arithmetic *in, const struct ast *ast)
{
    struct property_compiler *compiler = in->compiler;
    enum value_kind kind = compile_name_kind(compiler, ast->text);
    if (kind != VALUE_UNKNOWN && kind != VALUE_NUMBER &&
        (compile_variable(compiler, ast->text) != COLUMN_NONE || strcmp(ast->text, "event") != 0)) {
        compile_error(compiler, ast, "'%s' is discrete in %s; a number is wanted here", ast->text,
                      compiler->trace_name);
        return compile_constant(in, 0, unit_none(), true);
    }
    uint32_t slot = compile_slot(compiler, ast, ast->text, false);
    struct column_slot *at = &compiler->program->slots.at[slot];
    if (at->quiet) { /* named at last */
        at->quiet = false;
        at->line = ast->line;
        at->column = ast->column;
    }
    struct quantity out = {.node = at->node,
                           .unit = at->unit,
                           .nominal = at->nominal,
                           .known = at->has_unit,
                           .unknown = at->name};
    return out;
}

/* The columns of what has one of its own; of > and >= with the sides exchanged. */
static const enum column_op columns[AST_KINDS] = {
    [AST_NEGATE] = COLUMN_NEGATE,
    [AST_ABS] = COLUMN_ABS,
    [AST_ADD] = COLUMN_ADD,
    [AST_SUBTRACT] = COLUMN_SUBTRACT,
    [AST_MULTIPLY] = COLUMN_MULTIPLY,
    [AST_DIVIDE] = COLUMN_DIVIDE,
    [AST_LT] = COLUMN_LT,
    [AST_LE] = COLUMN_LE,
    [AST_GT] = COLUMN_LT,
    [AST_GE] = COLUMN_LE,
    [AST_EQ] = COLUMN_EQ,
    [AST_NE] = COLUMN_NE,
    [AST_NOT] = COLUMN_NOT,
    [AST_AND] = COLUMN_AND,
    [AST_OR] = COLUMN_OR,
    [AST_PREVIOUSLY] = COLUMN_PREVIOUSLY,
    [AST_ONCE] = COLUMN_ONCE,
    [AST_HISTORICALLY] = COLUMN_HISTORICALLY,
    [AST_SINCE] = COLUMN_SINCE,
    [AST_RISE] = COLUMN_RISE,
    [AST_FALL] = COLUMN_FALL,
};

static uint32_t constant(void *compiler, double value)
{
    return column_constant(((struct property_compiler *)compiler)->program, value);
}

static uint32_t operation(void *compiler, enum ast_kind kind, uint32_t a, uint32_t b)
{
    return column_node(((struct property_compiler *)compiler)->program, columns[kind], a, b, 0);
}

static struct quantity number_leaf(const struct arithmetic *in, const struct ast *ast)
{
    struct property_compiler *compiler = in->compiler;
    if (ast->kind == AST_NAME)
        return number_name(in, ast);
    if (ast->kind == AST_PREVIOUS || ast->kind == AST_SIZE)
        return compile_observed_number(compiler, ast);
    if (ast_class(ast->kind) == CLASS_AGGREGATE)
        compile_error(compiler, ast,
                      "'%s' measures an interval and cannot stand in a state; it "
                      "belongs after forall [p, q], first [p, q] or exists [p, q]",
                      ast_kind_word(ast->kind));
    else
        compile_error(compiler, ast, "a number is wanted here, not %s",
                      ast->kind == AST_STRING || ast->kind == AST_ITEM || ast->kind == AST_TRIM
                          ? "a text"
                      : ast->kind == AST_LIST ? "a list"
                                              : "a condition");
    return compile_constant(in, 0, unit_none(), true);
}

static struct arithmetic of_states(struct property_compiler *compiler)
{
    return (struct arithmetic){compiler, compiler, constant, operation, number_leaf};
}

struct quantity compile_number(struct property_compiler *compiler, const struct ast *ast)
{
    struct arithmetic in = of_states(compiler);
    return compile_arithmetic(&in, ast);
}

uint32_t compile_number_comparison(struct property_compiler *compiler, const struct ast *ast)
{
    assert(ast_class(ast->kind) == CLASS_COMPARISON);
    struct arithmetic in = of_states(compiler);
    struct quantity a, b;
    if (!compile_operands(&in, ast, &a, &b))
        return column_node(compiler->program, COLUMN_FALSE, 0, 0, 0);
    bool swap = ast->kind == AST_GT || ast->kind == AST_GE;
    for (size_t i = 0; i < compiler->program->slots.count; i++)
        if (compiler->program->slots.at[i].node == a.node ||
            compiler->program->slots.at[i].node == b.node)
            compiler->program->slots.at[i].compared = true;
    return column_node(compiler->program, columns[ast->kind], swap ? b.node : a.node,
                       swap ? a.node : b.node, 0);
}

/* Variable `name` against a text. */
static uint32_t compare_text(struct property_compiler *compiler, const struct ast *at,
                             const struct ast *name, const char *text)
{
    assert(at->kind == AST_EQ || at->kind == AST_NE);
    uint32_t variable = compile_variable(compiler, name->text);
    if (variable != COLUMN_NONE && compiler->schema->variables[variable].kind == TAC_CONTINUOUS) {
        compile_error(compiler, at, "'%s' is a number in %s and cannot be compared with '%s'",
                      name->text, compiler->trace_name, text);
        return column_node(compiler->program, COLUMN_FALSE, 0, 0, 0);
    }
    uint32_t slot = compile_slot(compiler, name, name->text, true);
    compiler->program->slots.at[slot].compared = true;
    return column_node(compiler->program,
                       at->kind == AST_EQ ? COLUMN_SYMBOL_IS : COLUMN_SYMBOL_IS_NOT, slot,
                       column_literal(compiler->program, text, at), 0);
}

static bool discrete_name(const struct property_compiler *compiler, const struct ast *ast)
{
    if (ast->kind != AST_NAME)
        return false;
    uint32_t variable = compile_variable(compiler, ast->text);
    if (variable != COLUMN_NONE)
        return compiler->schema->variables[variable].kind == TAC_DISCRETE;
    return strcmp(ast->text, "event") == 0;
}

static bool continuous_name(const struct property_compiler *compiler, const struct ast *ast)
{
    if (ast->kind != AST_NAME)
        return false;
    uint32_t variable = compile_variable(compiler, ast->text);
    if (variable != COLUMN_NONE)
        return compiler->schema->variables[variable].kind == TAC_CONTINUOUS;
    return property_unit_of(compiler->properties, ast->text) != NULL;
}

static uint32_t compare_names(struct property_compiler *compiler, const struct ast *ast,
                              const struct ast *a, const struct ast *b)
{
    assert(a->kind == AST_NAME && b->kind == AST_NAME);
    if (continuous_name(compiler, a) || continuous_name(compiler, b))
        return compile_number_comparison(compiler, ast);
    bool a_discrete = discrete_name(compiler, a), b_discrete = discrete_name(compiler, b);
    if (a_discrete && b_discrete) {
        uint32_t left = compile_slot(compiler, a, a->text, true);
        uint32_t right = compile_slot(compiler, b, b->text, true);
        return column_node(compiler->program,
                           ast->kind == AST_EQ ? COLUMN_SYMBOLS_EQUAL : COLUMN_SYMBOLS_DIFFER, left,
                           right, 0);
    }
    if (compiler->exporting)
        tac_vec_push(&compiler->program->compared_names, b_discrete ? a->text : b->text);
    if (b_discrete)
        return compare_text(compiler, ast, b, a->text);
    return compare_text(compiler, ast, a, b->text);
}

static uint32_t compare_equal(struct property_compiler *compiler, const struct ast *ast)
{
    const struct ast *a = ast_meant(ast->a), *b = ast_meant(ast->b);
    if (a->kind == AST_STRING || b->kind == AST_STRING) {
        const struct ast *name = a->kind == AST_STRING ? b : a;
        const char *text = a->kind == AST_STRING ? a->text : b->text;
        if (name->kind == AST_NAME)
            return compare_text(compiler, ast, name, text);
        compile_error(compiler, ast, "a text is compared with a discrete variable: NAME == \"%s\"",
                      text);
        return column_node(compiler->program, COLUMN_FALSE, 0, 0, 0);
    }
    if (a->kind == AST_NAME && b->kind == AST_NAME)
        return compare_names(compiler, ast, a, b);
    if (b->kind == AST_NUMBER && discrete_name(compiler, a))
        return compare_text(compiler, ast, a, ast_source(compiler->arena, b));
    if (a->kind == AST_NUMBER && discrete_name(compiler, b))
        return compare_text(compiler, ast, b, ast_source(compiler->arena, a));
    return compile_number_comparison(compiler, ast);
}

const char *const compile_true_words[] = {"true", "True", "TRUE", "1", NULL};

/* A bare name: a boolean variable, else an event. */
static uint32_t state_name(struct property_compiler *compiler, const struct ast *ast)
{
    assert(ast->kind == AST_NAME && !ast->let);
    struct column_program *program = compiler->program;
    uint32_t variable = compile_variable(compiler, ast->text);
    if (strcmp(ast->text, "event") == 0) {
        compile_error(compiler, ast, "which event? write event == NAME, or just NAME");
        return column_node(program, COLUMN_FALSE, 0, 0, 0);
    }
    if (compiler->exporting)
        return column_node(program, COLUMN_BARE, column_literal(program, ast->text, ast), 0, 0);
    if (variable == COLUMN_NONE) {
        uint32_t event = compile_slot(compiler, ast, "event", true);
        return column_node(program, COLUMN_SYMBOL_IS, event,
                           column_literal(program, ast->text, ast), 0);
    }
    if (compiler->schema->variables[variable].kind == TAC_CONTINUOUS) {
        uint32_t slot = compile_slot(compiler, ast, ast->text, false);
        return column_node(program, COLUMN_NUMBER_TRUE, program->slots.at[slot].node, 0, 0);
    }
    uint32_t slot = compile_slot(compiler, ast, ast->text, true);
    uint32_t any = column_node(program, COLUMN_FALSE, 0, 0, 0);
    for (size_t i = 0; compile_true_words[i]; i++) {
        uint32_t word = column_node(program, COLUMN_SYMBOL_IS, slot,
                                    column_literal(program, compile_true_words[i], NULL), 0);
        any = i ? column_node(program, COLUMN_OR, any, word, 0) : word;
    }
    return any;
}

uint32_t compile_operator(struct property_compiler *compiler, const struct ast *ast, uint32_t a,
                          uint32_t b)
{
    struct column_program *program = compiler->program;
    if (ast->bound_kind == BOUND_NONE) {
        assert(columns[ast->kind] != COLUMN_CONSTANT);
        return column_node(program, columns[ast->kind], a, b, 0);
    }
    if (ast->kind == AST_SINCE)
        return column_since(program, a, b, ast);
    uint32_t always = column_node(program, COLUMN_TRUE, 0, 0, 0);
    if (ast->kind == AST_ONCE)
        return column_since(program, always, a, ast);
    assert(ast->kind == AST_HISTORICALLY);
    uint32_t failed = column_since(program, always, column_node(program, COLUMN_NOT, a, 0, 0), ast);
    return column_node(program, COLUMN_NOT, failed, 0, 0);
}

uint32_t compile_state(struct property_compiler *compiler, const struct ast *ast)
{
    return compile_is_observed(compiler, ast) ? compile_truth(compiler, ast).yes
                                              : compile_plain_state(compiler, ast);
}

uint32_t compile_plain_state(struct property_compiler *compiler, const struct ast *ast)
{
    ast = ast_meant(ast);
    switch (ast_class(ast->kind)) {
    case CLASS_COMPARISON:
        return ast->kind == AST_EQ || ast->kind == AST_NE
                   ? compare_equal(compiler, ast)
                   : compile_number_comparison(compiler, ast);
    case CLASS_BOOLEAN:
    case CLASS_PAST: {
        uint32_t a = compile_state(compiler, ast->a);
        return compile_operator(compiler, ast, a, ast->b ? compile_state(compiler, ast->b) : 0);
    }
    case CLASS_FUTURE:
        compile_error(compiler, ast,
                      "'%s' looks ahead and cannot stand in a state formula; the "
                      "past operators can (previously, once, historically, since)",
                      ast_kind_word(ast->kind));
        break;
    case CLASS_QUANTIFIED:
        compile_error(compiler, ast,
                      "an interval property cannot stand inside a state formula; give "
                      "it a name and combine properties by name");
        break;
    case CLASS_VALUE:
        if (ast->kind == AST_TRUE || ast->kind == AST_FALSE)
            return column_node(compiler->program,
                               ast->kind == AST_TRUE ? COLUMN_TRUE : COLUMN_FALSE, 0, 0, 0);
        if (ast->kind == AST_NAME)
            return state_name(compiler, ast);
        compile_error(compiler, ast, "a condition is wanted here, not %s",
                      ast->kind == AST_STRING ? "a text; write event == \"...\"" : "a number");
        break;
    case CLASS_ARITHMETIC:
    case CLASS_AGGREGATE:
    case CLASS_OBSERVED:
        compile_error(compiler, ast, "a condition is wanted here, not a number");
        break;
    }
    return column_node(compiler->program, COLUMN_FALSE, 0, 0, 0);
}
