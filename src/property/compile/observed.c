/* Three-valued state formulas; see observed.h. */
#include "property/compile/observed.h"

#include "base/check.h"
#include <string.h>

/* --- What kind of value ----------------------------------------------------------------------- */

static enum value_kind kind_of_variable(const tac_trace_variable *variable)
{
    static const enum value_kind kinds[] = {[TAC_VALUE_NAME] = VALUE_NAME,
                                            [TAC_VALUE_TEXT] = VALUE_TEXT,
                                            [TAC_VALUE_LIST] = VALUE_LIST,
                                            [TAC_VALUE_BOOLEAN] = VALUE_BOOLEAN};
    TABLE_COVERS(kinds, TAC_VALUE_BOOLEAN);
    return variable->kind == TAC_CONTINUOUS ? VALUE_NUMBER : kinds[variable->type];
}

enum value_kind compile_name_kind(const struct property_compiler *compiler, const char *name)
{
    uint32_t variable = compile_variable(compiler, name);
    if (variable != COLUMN_NONE)
        return kind_of_variable(&compiler->schema->variables[variable]);
    const struct observe_statement *observed = property_observe_of(compiler->properties, name);
    if (observed) {
        tac_trace_variable declared = tac_observable_variable(&observed->observable);
        return kind_of_variable(&declared);
    }
    return strcmp(name, "event") == 0 ? VALUE_NAME : VALUE_UNKNOWN;
}

static enum value_kind compile_value_kind(const struct property_compiler *compiler,
                                          const struct ast *ast)
{
    ast = ast_meant(ast);
    if (ast->kind == AST_NAME)
        return compile_name_kind(compiler, ast->text);
    if (ast->kind == AST_PREVIOUS)
        return compile_value_kind(compiler, ast->a);
    if (ast->kind == AST_STRING || ast->kind == AST_ITEM || ast->kind == AST_TRIM)
        return VALUE_TEXT;
    if (ast->kind == AST_TRUE || ast->kind == AST_FALSE)
        return VALUE_BOOLEAN;
    return ast->kind == AST_LIST ? VALUE_LIST : VALUE_NUMBER;
}

bool compile_is_observed(const struct property_compiler *compiler, const struct ast *ast)
{
    if (!ast)
        return false;
    ast = ast_meant(ast);
    if (ast->kind == AST_NAME)
        return property_observe_of(compiler->properties, ast->text) != NULL;
    return ast_class(ast->kind) == CLASS_OBSERVED || compile_is_observed(compiler, ast->a) ||
           compile_is_observed(compiler, ast->b);
}

/* --- Texts and numbers ------------------------------------------------------------------------ */

static uint32_t literal(struct property_compiler *compiler, const char *text)
{
    struct column_program *program = compiler->program;
    return column_node(program, COLUMN_TEXT_LITERAL, column_text(program, text, strlen(text)), 0,
                       0);
}

static uint32_t text_name(struct property_compiler *compiler, const struct ast *ast)
{
    enum value_kind kind = compile_name_kind(compiler, ast->text);
    if (kind == VALUE_NUMBER) {
        compile_error(compiler, ast, "'%s' is a number; a text is wanted here", ast->text);
        return literal(compiler, "");
    }
    uint32_t slot = compile_slot(compiler, ast, ast->text, true);
    compiler->program->slots.at[slot].compared = true;
    return column_node(compiler->program, COLUMN_TEXT_SLOT, slot, 0, 0);
}

/* A text: the id of a text node. */
static uint32_t compile_text(struct property_compiler *compiler, const struct ast *ast)
{
    ast = ast_meant(ast);
    struct column_program *program = compiler->program;
    if (ast->kind == AST_STRING || ast->kind == AST_LIST)
        return literal(compiler, ast->text);
    if (ast->kind == AST_TRUE || ast->kind == AST_FALSE)
        return literal(compiler, ast_kind_word(ast->kind));
    if (ast->kind == AST_NUMBER)
        return literal(compiler, ast_source(compiler->arena, ast));
    if (ast->kind == AST_NAME)
        return text_name(compiler, ast);
    if (ast->kind == AST_PREVIOUS)
        return column_node(program, COLUMN_TEXT_PREVIOUS, compile_text(compiler, ast->a), 0, 0);
    if (ast->kind == AST_TRIM) {
        if (compile_value_kind(compiler, ast->a) == VALUE_LIST)
            compile_error(compiler, ast, "trim takes a text, not a list");
        return column_node(program, COLUMN_TEXT_TRIM, compile_text(compiler, ast->a), 0, 0);
    }
    if (ast->kind == AST_ITEM) {
        enum value_kind kind = compile_value_kind(compiler, ast->a);
        if (kind != VALUE_LIST && kind != VALUE_UNKNOWN)
            compile_error(compiler, ast, "item takes a list and a number: item(LIST, -1)");
        uint32_t list = compile_text(compiler, ast->a);
        return column_node(program, COLUMN_TEXT_ITEM, list, compile_number(compiler, ast->b).node,
                           0);
    }
    compile_error(compiler, ast, "a text or a list is wanted here");
    return literal(compiler, "");
}

struct quantity compile_observed_number(struct property_compiler *compiler, const struct ast *ast)
{
    assert(ast->kind == AST_PREVIOUS || ast->kind == AST_SIZE);
    if (ast->kind == AST_PREVIOUS) {
        struct quantity of = compile_number(compiler, ast->a);
        of.node = column_node(compiler->program, COLUMN_PREVIOUS, of.node, 0, 0);
        of.constant = false;
        return of;
    }
    enum value_kind kind = compile_value_kind(compiler, ast->a);
    if (kind == VALUE_NUMBER || kind == VALUE_BOOLEAN)
        compile_error(compiler, ast, "size takes a list or a text");
    struct quantity size = {
        .unit = unit_none(), .nominal = unit_none(), .bare = true, .known = true};
    bool text = kind == VALUE_TEXT || kind == VALUE_NAME;
    size.node = column_node(compiler->program, COLUMN_SIZE, compile_text(compiler, ast->a), 0,
                            text ? 0 : 1);
    return size;
}

/* --- Comparisons ------------------------------------------------------------------------------ */

static uint32_t negation(struct property_compiler *compiler, uint32_t a)
{
    return column_node(compiler->program, COLUMN_NOT, a, 0, 0);
}

static uint32_t both(struct property_compiler *compiler, uint32_t a, uint32_t b)
{
    return column_node(compiler->program, COLUMN_AND, a, b, 0);
}

static uint32_t either(struct property_compiler *compiler, uint32_t a, uint32_t b)
{
    return column_node(compiler->program, COLUMN_OR, a, b, 0);
}

static struct truth known_truth(struct property_compiler *compiler, uint32_t yes, uint32_t known)
{
    return (struct truth){yes, both(compiler, known, negation(compiler, yes))};
}

static uint32_t known_node(struct property_compiler *compiler, uint32_t node)
{
    enum column_op op = (enum column_op)compiler->program->nodes.at[node].op;
    return column_node(compiler->program,
                       column_is_text(op) ? COLUMN_TEXT_KNOWN : COLUMN_NUMBER_KNOWN, node, 0, 0);
}

static struct truth text_truth(struct property_compiler *compiler, enum column_op op, uint32_t a,
                               uint32_t b, bool list)
{
    uint32_t yes = column_node(compiler->program, op, a, b, list);
    return known_truth(compiler, yes,
                       both(compiler, known_node(compiler, a), known_node(compiler, b)));
}

/* What stands beside a discrete variable without being one is a text: filter == Active. */
static uint32_t text_operand(struct property_compiler *compiler, const struct ast *ast)
{
    ast = ast_meant(ast);
    if (ast->kind == AST_NAME && compile_name_kind(compiler, ast->text) == VALUE_UNKNOWN)
        return literal(compiler, ast->text);
    return compile_text(compiler, ast);
}

/* A name that the trace does not have, which is taken as a text. */
static bool is_bare_text(const struct property_compiler *compiler, const struct ast *ast)
{
    return compiler->schema && compiler->schema->variable_count && ast_meant(ast)->kind == AST_NAME;
}

static struct truth text_comparison(struct property_compiler *compiler, const struct ast *ast,
                                    enum value_kind a, enum value_kind b)
{
    bool lists = a == VALUE_LIST && b == VALUE_LIST;
    bool told = (a != VALUE_UNKNOWN || is_bare_text(compiler, ast->a)) &&
                (b != VALUE_UNKNOWN || is_bare_text(compiler, ast->b));
    if ((a == VALUE_LIST) != (b == VALUE_LIST) && told)
        compile_error(compiler, ast,
                      "a list is compared with a list; for one of its texts write contains(LIST, "
                      "TEXT)");
    if ((a == VALUE_BOOLEAN && b == VALUE_NUMBER) || (a == VALUE_NUMBER && b == VALUE_BOOLEAN))
        compile_error(compiler, ast, "this is true or false and is not compared with a number");
    if (ast->kind != AST_EQ && ast->kind != AST_NE)
        compile_error(compiler, ast, "texts and lists are compared by == and !=");
    return text_truth(compiler, ast->kind == AST_NE ? COLUMN_TEXT_NE : COLUMN_TEXT_EQ,
                      text_operand(compiler, ast->a), text_operand(compiler, ast->b), lists);
}

static struct truth comparison(struct property_compiler *compiler, const struct ast *ast)
{
    enum value_kind a = compile_value_kind(compiler, ast->a);
    enum value_kind b = compile_value_kind(compiler, ast->b);
    bool numbers =
        (a == VALUE_UNKNOWN || a == VALUE_NUMBER) && (b == VALUE_UNKNOWN || b == VALUE_NUMBER);
    if (!numbers)
        return text_comparison(compiler, ast, a, b);
    uint32_t yes = compile_number_comparison(compiler, ast);
    uint32_t known = both(compiler, known_node(compiler, compile_number(compiler, ast->a).node),
                          known_node(compiler, compile_number(compiler, ast->b).node));
    return known_truth(compiler, yes, known);
}

/* contains, prefix */
static struct truth relation(struct property_compiler *compiler, const struct ast *ast)
{
    enum value_kind a = compile_value_kind(compiler, ast->a);
    enum value_kind b = compile_value_kind(compiler, ast->b);
    bool contains = ast->kind == AST_CONTAINS;
    const struct ast *first = ast_meant(ast->a);
    bool list = a == VALUE_LIST || (a == VALUE_UNKNOWN && first->kind == AST_NAME);
    if (a == VALUE_NUMBER || b == VALUE_NUMBER)
        compile_error(compiler, ast, "%s takes %s", ast_kind_word(ast->kind),
                      contains ? "a list and a text, or two texts" : "two lists, or two texts");
    else if (contains && b == VALUE_LIST)
        compile_error(compiler, ast, "contains takes a list and one text, or two texts");
    else if (!contains && a != VALUE_UNKNOWN && b != VALUE_UNKNOWN &&
             (a == VALUE_LIST) != (b == VALUE_LIST))
        compile_error(compiler, ast, "prefix takes two lists, or two texts");
    return text_truth(compiler, contains ? COLUMN_CONTAINS : COLUMN_PREFIX,
                      compile_text(compiler, ast->a), compile_text(compiler, ast->b), list);
}

/* A boolean that stands by itself, or was so in the state before. */
static struct truth boolean(struct property_compiler *compiler, const struct ast *ast)
{
    enum value_kind kind = compile_value_kind(compiler, ast);
    if (kind == VALUE_NUMBER) {
        uint32_t number = compile_number(compiler, ast).node;
        return known_truth(compiler,
                           column_node(compiler->program, COLUMN_NUMBER_TRUE, number, 0, 0),
                           known_node(compiler, number));
    }
    if (kind != VALUE_BOOLEAN && kind != VALUE_NAME && kind != VALUE_UNKNOWN)
        compile_error(compiler, ast, "a condition is wanted here, not a %s; compare it",
                      kind == VALUE_LIST ? "list" : "text");
    uint32_t text = compile_text(compiler, ast);
    struct truth any = text_truth(compiler, COLUMN_TEXT_EQ, text, literal(compiler, "true"), false);
    for (size_t i = 1; kind != VALUE_BOOLEAN && compile_true_words[i]; i++) {
        struct truth word = text_truth(compiler, COLUMN_TEXT_EQ, text,
                                       literal(compiler, compile_true_words[i]), false);
        any = (struct truth){either(compiler, any.yes, word.yes), both(compiler, any.no, word.no)};
    }
    return any;
}

/* --- Operators -------------------------------------------------------------------------------- */

static struct truth rise_or_fall(struct property_compiler *compiler, const struct ast *ast,
                                 struct truth a)
{
    struct column_program *program = compiler->program;
    uint32_t was = column_node(program, COLUMN_PREVIOUSLY, a.yes, 0, 0);
    uint32_t was_not =
        negation(compiler, column_node(program, COLUMN_PREVIOUSLY, negation(compiler, a.no), 0, 0));
    if (ast->kind == AST_RISE)
        return (struct truth){both(compiler, a.yes, was_not), either(compiler, a.no, was)};
    return (struct truth){both(compiler, a.no, was), either(compiler, a.yes, was_not)};
}

static struct truth operation(struct property_compiler *compiler, const struct ast *ast)
{
    struct truth a = compile_truth(compiler, ast->a), b = {0};
    if (ast->b)
        b = compile_truth(compiler, ast->b);
    if (ast->kind == AST_NOT)
        return (struct truth){a.no, a.yes};
    if (ast->kind == AST_AND)
        return (struct truth){both(compiler, a.yes, b.yes), either(compiler, a.no, b.no)};
    if (ast->kind == AST_OR)
        return (struct truth){either(compiler, a.yes, b.yes), both(compiler, a.no, b.no)};
    if (ast->kind == AST_RISE || ast->kind == AST_FALL)
        return rise_or_fall(compiler, ast, a);
    /* The other past operators grow with their operands: `no` is what fails even when all that is
     * unknown is taken as true. */
    assert(ast_class(ast->kind) == CLASS_PAST);
    uint32_t possible = negation(compiler, a.no), other = ast->b ? negation(compiler, b.no) : 0;
    return (struct truth){compile_operator(compiler, ast, a.yes, b.yes),
                          negation(compiler, compile_operator(compiler, ast, possible, other))};
}

struct truth compile_truth(struct property_compiler *compiler, const struct ast *ast)
{
    ast = ast_meant(ast);
    if (!compile_is_observed(compiler, ast)) {
        uint32_t yes = compile_state(compiler, ast);
        return (struct truth){yes, negation(compiler, yes)};
    }
    if (ast_class(ast->kind) == CLASS_COMPARISON)
        return comparison(compiler, ast);
    if (ast->kind == AST_CONTAINS || ast->kind == AST_PREFIX)
        return relation(compiler, ast);
    if (ast->kind == AST_NAME || ast->kind == AST_PREVIOUS)
        return boolean(compiler, ast);
    if (ast_class(ast->kind) == CLASS_BOOLEAN || ast_class(ast->kind) == CLASS_PAST)
        return operation(compiler, ast);
    uint32_t yes = compile_plain_state(compiler, ast); /* says what is wrong with it */
    return (struct truth){yes, negation(compiler, yes)};
}

uint32_t compile_hopeful(struct property_compiler *compiler, const struct ast *ast, bool negated)
{
    if (!compile_is_observed(compiler, ast))
        return compile_state(compiler, ast);
    struct truth truth = compile_truth(compiler, ast);
    uint32_t unknown = negation(compiler, either(compiler, truth.yes, truth.no));
    compiler->unknown =
        compiler->unknown == COLUMN_NONE ? unknown : either(compiler, compiler->unknown, unknown);
    return negated ? truth.yes : negation(compiler, truth.no);
}
