/* Unit rules of arithmetic and comparisons, and the compiler's messages. */
#include "base/check.h"
#include "property/compile/compile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static void report(struct property_compiler *compiler, tac_severity severity, const struct ast *at,
                   const char *format, va_list args)
{
    char message[700];
    vsnprintf(message, sizeof message, format, args);
    tac_diagnostics *list = compiler->diagnostics;
    for (size_t i = 0; i < list->count; i++) /* a let used twice is compiled twice */
        if (list->at[i].line == at->line && list->at[i].column == at->column)
            return;
    tac_diagnostics_add(list, severity, compiler->properties->file, at->line, at->column, "%s",
                        message);
}

void compile_error(struct property_compiler *compiler, const struct ast *at, const char *format,
                   ...)
{
    va_list args;
    va_start(args, format);
    report(compiler, TAC_ERROR, at, format, args);
    va_end(args);
}

void compile_warning(struct property_compiler *compiler, const struct ast *at, const char *format,
                     ...)
{
    va_list args;
    va_start(args, format);
    report(compiler, TAC_WARNING, at, format, args);
    va_end(args);
}

static bool adopt(struct property_compiler *compiler, const struct ast *at, struct quantity *bare,
                  const struct quantity *other, struct unit *ratio)
{
    assert(bare->bare && !other->bare);
    char text[64];
    if (other->known && !unit_dimensionless(&other->unit) &&
        (!bare->constant || bare->value < 0 || bare->value > 0))
        compile_warning(compiler, at,
                        "a number without a unit meets %s and is taken as %s; write "
                        "the unit",
                        unit_text(&other->nominal, text, sizeof text), text);
    *ratio = unit_divide(&other->nominal, &other->unit);
    bare->unit = other->unit;
    bare->nominal = other->nominal;
    bare->known = other->known;
    bare->bare = other->bare;
    bare->unknown = other->unknown;
    return true;
}

static bool meet_unknown(struct property_compiler *compiler, const struct ast *at,
                         struct quantity *unknown, const struct quantity *known)
{
    assert(!unknown->known && unknown->unknown);
    char text[64];
    if (!known->known)
        return true;
    if (unit_dimensionless(&known->unit) && !known->constant)
        return true;
    if (compiler->schema) {
        compile_error(
            compiler, at, "the unit of '%s' is not known, so it cannot meet %s; add 'unit %s %s'",
            unknown->unknown, unit_text(&known->unit, text, sizeof text), unknown->unknown, text);
        return false;
    }
    unknown->unit = known->unit;
    unknown->nominal = known->nominal;
    return true;
}

/* The common unit of two operands. The values of a and of b are multiplied by their ratio's num and
 * divided by its den to get there. */
static bool common_unit(struct property_compiler *compiler, const struct ast *at,
                        struct quantity *a, struct quantity *b, struct unit *ratio_a,
                        struct unit *ratio_b)
{
    assert(a->unit.den > 0 && b->unit.den > 0);
    char left[64], right[64];
    *ratio_a = *ratio_b = unit_none();
    if (a->bare && !b->bare)
        return adopt(compiler, at, a, b, ratio_a);
    if (b->bare && !a->bare)
        return adopt(compiler, at, b, a, ratio_b);
    if (!a->known)
        return meet_unknown(compiler, at, a, b);
    if (!b->known)
        return meet_unknown(compiler, at, b, a);
    if (!unit_same_dimension(&a->unit, &b->unit)) {
        unit_text(&a->unit, left, sizeof left);
        unit_text(&b->unit, right, sizeof right);
        compile_error(compiler, at, "%s and %s do not go together", *left ? left : "a plain number",
                      *right ? right : "a plain number");
        return false;
    }
    if (a->constant && !b->constant) {
        *ratio_a = unit_divide(&a->unit, &b->unit);
        a->unit = b->unit;
        a->nominal = b->nominal;
    } else {
        *ratio_b = unit_divide(&b->unit, &a->unit);
        b->unit = a->unit;
        b->nominal = a->nominal;
    }
    return true;
}

static void scale(const struct arithmetic *in, struct quantity *quantity, const struct unit *ratio)
{
    assert(ratio->den > 0);
    if (quantity->constant) {
        quantity->value = quantity->value * ratio->num / ratio->den;
        quantity->node = in->constant(in->context, quantity->value);
        return;
    }
    if (ratio->num > 1 || ratio->num < 1)
        quantity->node = in->operation(in->context, AST_MULTIPLY, quantity->node,
                                       in->constant(in->context, ratio->num));
    if (ratio->den > 1 || ratio->den < 1)
        quantity->node = in->operation(in->context, AST_DIVIDE, quantity->node,
                                       in->constant(in->context, ratio->den));
}

bool compile_operands(const struct arithmetic *in, const struct ast *ast, struct quantity *a,
                      struct quantity *b)
{
    struct unit ratio_a, ratio_b;
    *a = compile_arithmetic(in, ast->a);
    *b = compile_arithmetic(in, ast->b);
    bool sum = ast->kind != AST_MULTIPLY && ast->kind != AST_DIVIDE;
    if (sum && !common_unit(in->compiler, ast, a, b, &ratio_a, &ratio_b))
        return false;
    if (sum) {
        scale(in, a, &ratio_a);
        scale(in, b, &ratio_b);
    }
    return true;
}

struct quantity compile_constant(const struct arithmetic *in, double value, struct unit unit,
                                 bool bare)
{
    return (struct quantity){.node = in->constant(in->context, value),
                             .unit = unit,
                             .nominal = unit,
                             .known = true,
                             .bare = bare,
                             .constant = true,
                             .value = value};
}

/* a + b, a - b, a * b or a / b as `ast` says, apart from its node. */
static struct quantity combined(const struct ast *ast, const struct quantity *a,
                                const struct quantity *b)
{
    assert(ast_class(ast->kind) == CLASS_ARITHMETIC && ast->b);
    struct quantity out = *a;
    out.known = a->known && b->known;
    out.bare = a->bare && b->bare;
    out.unknown = a->known ? b->unknown : a->unknown;
    out.constant = a->constant && b->constant;
    if (ast->kind == AST_ADD || ast->kind == AST_SUBTRACT) {
        out.value = ast->kind == AST_ADD ? a->value + b->value : a->value - b->value;
    } else if (ast->kind == AST_MULTIPLY) {
        out.value = a->value * b->value;
        out.unit = unit_multiply(&a->unit, &b->unit);
        out.nominal = unit_multiply(&a->nominal, &b->nominal);
    } else {
        assert(ast->kind == AST_DIVIDE);
        out.value = a->value / b->value;
        out.unit = unit_divide(&a->unit, &b->unit);
        out.nominal = unit_divide(&a->nominal, &b->nominal);
    }
    return out;
}

struct quantity compile_arithmetic(const struct arithmetic *in, const struct ast *ast)
{
    struct quantity a, b = {0}, out;
    ast = ast_meant(ast);
    if (ast->kind == AST_NUMBER)
        return compile_constant(in, ast->number, ast->unit, !ast->has_unit);
    if (ast_class(ast->kind) != CLASS_ARITHMETIC)
        return in->leaf(in, ast);
    if (ast->b) {
        if (!compile_operands(in, ast, &a, &b))
            return a;
        out = combined(ast, &a, &b);
    } else {
        out = a = compile_arithmetic(in, ast->a);
        out.value = ast->kind == AST_NEGATE ? -a.value : fabs(a.value);
    }
    out.node = out.constant ? in->constant(in->context, out.value)
                            : in->operation(in->context, ast->kind, a.node, b.node);
    return out;
}
