/* Names to lets and properties; cycles, sizes, kinds. */
#include "base/check.h"
#include "property/language/ast.h"

#include "base/data/str.h"
#include "base/data/text.h"
#include <string.h>

/* A tree with its lets written out may have this many operators and levels. */
enum { MAX_OPERATORS = 20000, MAX_LEVELS = 1000 };

struct extent {
    size_t operators, levels;
};

struct resolver {
    tac_properties *properties;
    tac_diagnostics *diagnostics;
    const char *own; /* the property being linked: inside its formula its name is an event's */
};

static struct let_statement *find_let(const tac_properties *properties, const char *name)
{
    for (size_t i = 0; i < properties->lets.count; i++)
        if (strcmp(properties->lets.at[i]->name, name) == 0)
            return properties->lets.at[i];
    return NULL;
}

size_t tac_property_find(const tac_properties *properties, const char *name)
{
    for (size_t i = 0; i < properties->properties.count; i++)
        if (strcmp(properties->properties.at[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

static void complain(struct resolver *resolver, const struct ast *at, const char *message,
                     const char *name)
{
    tac_diagnostics_add(resolver->diagnostics, TAC_ERROR, resolver->properties->file, at->line,
                        at->column, message, name);
}

static void link_name(struct resolver *resolver, struct ast *ast, bool skeleton)
{
    if (!ast->quoted)
        ast->let = find_let(resolver->properties, ast->text);
    bool own = resolver->own && !strcmp(resolver->own, ast->text);
    if (!ast->let && skeleton && !own && !property_observe_of(resolver->properties, ast->text))
        ast->property = tac_property_find(resolver->properties, ast->text);
}

/* skeleton: only and, or, not, -> stand above this node in a property's body. Operators in a row
 * lean to the left, however many there are; all else is as deep as the parser allows. */
static void link_names(struct resolver *resolver, struct ast *ast, bool skeleton)
{
    for (; ast && ast->kind != AST_NAME; ast = ast->a) {
        skeleton = skeleton && ast_class(ast->kind) == CLASS_BOOLEAN;
        link_names(resolver, ast->b, skeleton);
        link_names(resolver, ast->p, false);
        link_names(resolver, ast->q, false);
    }
    if (ast)
        link_name(resolver, ast, skeleton);
}

/* --- Boolean operators by their truth tables --- */

static bool is_native(const struct ast *ast)
{
    return ast_class(ast->kind) != CLASS_BOOLEAN || ast->kind == AST_NOT || ast->kind == AST_AND ||
           ast->kind == AST_OR;
}

/* The rows of the truth table that are written out: those that hold, or the one that does not. */
static unsigned minority(const struct ast *ast)
{
    unsigned holds = (unsigned)__builtin_popcount(ast_operators[ast->kind].truth);
    return holds > 2 ? 4 - holds : holds;
}

static struct ast *join(tac_arena *arena, const struct ast *at, enum ast_kind kind, struct ast *a,
                        struct ast *b)
{
    struct ast *node = tac_arena_calloc(arena, 1, sizeof *node);
    *node = (struct ast){.kind = kind,
                         .line = at->line,
                         .column = at->column,
                         .source = at->source,
                         .source_length = at->source_length,
                         .a = a,
                         .b = b,
                         .property = SIZE_MAX};
    return node;
}

static struct ast *literal(tac_arena *arena, struct ast *ast, bool positive)
{
    return positive ? ast : join(arena, ast, AST_NOT, ast, NULL);
}

/* a -> b becomes (not a) or b; what holds in two rows, such as "either a or b", an `or` of them.
 * The tree has at most MAX_LEVELS levels; parts that stand in two places are shared. */
static void write_out(tac_arena *arena, struct ast *ast)
{
    if (!ast)
        return;
    struct ast at = *ast, *whole = NULL;
    write_out(arena, ast->a);
    write_out(arena, ast->b);
    write_out(arena, ast->p);
    write_out(arena, ast->q);
    if (is_native(ast))
        return;
    unsigned truth = ast_operators[ast->kind].truth;
    bool both = __builtin_popcount(truth) <= 2; /* rows that hold, each an `and` */
    assert(minority(ast) > 0 && at.a && at.b);
    for (unsigned row = 0; row < 4; row++)
        if ((truth >> row & 1) == both) {
            struct ast *one =
                join(arena, &at, both ? AST_AND : AST_OR, literal(arena, at.a, row >> 1 == both),
                     literal(arena, at.b, (row & 1) == both));
            whole = whole ? join(arena, &at, AST_OR, whole, one) : one;
        }
    *ast = *whole;
    ast->condition = at.kind == AST_IMPLIES ? at.a : NULL;
}

static struct extent measure(struct resolver *resolver, struct ast *ast, unsigned level);

static struct extent measure_let(struct resolver *resolver, struct ast *use, unsigned level)
{
    assert(use->let != NULL);
    struct let_statement *let = use->let;
    struct extent none = {1, 1};
    if (let->mark == 1) {
        complain(resolver, use, "'%s' is defined by itself", let->name);
        return none;
    }
    let->mark = 1;
    struct extent extent = measure(resolver, let->value, level + 1);
    let->mark = 0;
    return extent;
}

static struct extent measure_property(struct resolver *resolver, struct ast *use, unsigned level)
{
    assert(use->property < resolver->properties->properties.count);
    struct property_statement *property = &resolver->properties->properties.at[use->property];
    struct extent none = {1, 1};
    if (property->mark) {
        complain(resolver, use, "property '%s' is defined by itself", property->name);
        return none;
    }
    property->mark = 1;
    struct extent extent = measure(resolver, property->body, level + 1);
    property->mark = 0;
    return extent;
}

static struct extent measure(struct resolver *resolver, struct ast *ast, unsigned level)
{
    struct extent total = {1, 1};
    if (resolver->diagnostics->errors || !ast)
        return total;
    if (level > MAX_LEVELS) {
        complain(
            resolver, ast,
            "this expression is nested too deeply: more than 1000 operators in a row or in each "
            "other%s",
            "");
        return total;
    }
    if (ast->kind == AST_NAME && ast->let)
        return measure_let(resolver, ast, level);
    if (ast->kind == AST_NAME && ast->property != SIZE_MAX)
        return measure_property(resolver, ast, level);
    struct ast *const parts[] = {ast->a, ast->b, ast->p, ast->q};
    size_t uses = is_native(ast) || minority(ast) == 1 ? 1 : 2;
    for (int i = 0; i < 4; i++) {
        if (!parts[i])
            continue;
        struct extent part = measure(resolver, parts[i], level + 1);
        total.operators += uses * part.operators;
        if (part.levels + 1 > total.levels)
            total.levels = part.levels + 1;
        if (total.operators > MAX_OPERATORS) {
            complain(resolver, ast, "this expression is too large when its names are written out%s",
                     "");
            return total;
        }
    }
    return total;
}

bool ast_is_combination(const struct ast *ast)
{
    if (!ast)
        return false;
    if (ast->kind == AST_QUANTIFIED || (ast->kind == AST_NAME && ast->property != SIZE_MAX))
        return true;
    return ast_class(ast->kind) == CLASS_BOOLEAN &&
           (ast_is_combination(ast->a) || ast_is_combination(ast->b));
}

bool ast_has_future(const struct ast *ast)
{
    if (!ast)
        return false;
    if (ast_class(ast->kind) == CLASS_FUTURE)
        return true;
    if (ast->kind == AST_NAME && ast->let)
        return ast_has_future(ast->let->value);
    return ast_has_future(ast->a) || ast_has_future(ast->b);
}

bool ast_has_low_bound(const struct ast *ast)
{
    if (!ast)
        return false;
    if (ast->kind == AST_NAME && ast->let)
        return ast_has_low_bound(ast->let->value);
    if (ast_class(ast->kind) == CLASS_FUTURE && ast->bound_kind != BOUND_NONE &&
        (ast->low > 0 || ast->low_strict || ast->unbounded))
        return true;
    return ast_has_low_bound(ast->a) || ast_has_low_bound(ast->b);
}

const char *ast_operator_text(tac_arena *arena, const struct ast *ast)
{
    assert(ast->low >= 0 && ast->low <= ast->bound);
    const char *word = ast_kind_word(ast->kind);
    if (ast->bound_kind == BOUND_NONE)
        return word;
    double scale = ast->bound_kind == BOUND_TIME ? 1e9 : 1;
    const char *unit = ast->bound_kind == BOUND_TIME ? " s" : "";
    if (ast->unbounded)
        return tac_arena_format(arena, "%s[%s %.9g%s]", word,
                                ast->low_strict ? ">" : ">=", (double)ast->low / scale, unit);
    return tac_arena_format(arena, "%s%c%.9g%s, %.9g%s%c", word, ast->low_strict ? '(' : '[',
                            (double)ast->low / scale, unit, (double)ast->bound / scale, unit,
                            ast->bound_strict ? ')' : ']');
}

const struct unit_statement *property_unit_of(const tac_properties *properties, const char *name)
{
    for (size_t i = 0; i < properties->units.count; i++)
        if (strcmp(properties->units.at[i].name, name) == 0)
            return &properties->units.at[i];
    return NULL;
}

const struct observe_statement *property_observe_of(const tac_properties *properties,
                                                    const char *name)
{
    for (size_t i = 0; i < properties->observes.count; i++)
        if (strcmp(properties->observes.at[i].observable.name, name) == 0)
            return &properties->observes.at[i];
    return NULL;
}

bool property_flag_of(const tac_properties *properties, const char *name, bool linear)
{
    for (size_t i = 0; i < properties->flags.count; i++)
        if (properties->flags.at[i].linear == linear &&
            strcmp(properties->flags.at[i].name, name) == 0)
            return true;
    return false;
}

const char *ast_source(tac_arena *arena, const struct ast *ast)
{
    tac_str text = {.cap = 4000};
    bool blank = false, comment = false;
    char quote = 0; /* what stands in quotes is kept as it is */
    for (size_t i = 0; i < ast->source_length; i++) {
        char c = ast->source[i];
        comment = !quote && (comment || c == '#') && c != '\n';
        if (!quote && (comment || c == ' ' || c == '\t' || c == '\n' || c == '\r')) {
            blank = true;
            continue;
        }
        if (quote == c && (i == 0 || ast->source[i - 1] != '\\'))
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        if (blank && text.length)
            tac_str_add_char(&text, ' ');
        blank = false;
        tac_str_add_char(&text, c);
    }
    const char *out = tac_arena_strdup(arena, tac_str_text(&text));
    tac_str_free(&text);
    return out;
}

void property_resolve(tac_properties *properties, tac_diagnostics *diagnostics)
{
    assert(properties->properties.count <= PROPERTY_MAX_COUNT);
    struct resolver resolver = {properties, diagnostics, NULL};
    for (size_t i = 0; i < properties->lets.count; i++)
        link_names(&resolver, properties->lets.at[i]->value, false);
    for (size_t i = 0; i < properties->properties.count; i++) {
        resolver.own = properties->properties.at[i].name;
        link_names(&resolver, properties->properties.at[i].body, true);
    }
    for (size_t i = 0; i < properties->lets.count; i++) {
        struct ast use = {.kind = AST_NAME,
                          .let = properties->lets.at[i],
                          .line = properties->lets.at[i]->line,
                          .column = properties->lets.at[i]->column,
                          .property = SIZE_MAX};
        measure(&resolver, &use, 0);
    }
    for (size_t i = 0; i < properties->properties.count; i++) {
        struct property_statement *property = &properties->properties.at[i];
        property->mark = 1;
        measure(&resolver, property->body, 0);
        property->mark = 0;
        property->kind = property->body->kind == AST_QUANTIFIED ? TAC_PROPERTY_INTERVAL
                         : ast_is_combination(property->body)   ? TAC_PROPERTY_COMBINED
                                                                : TAC_PROPERTY_TEMPORAL;
    }
    if (diagnostics->errors)
        return;
    for (size_t i = 0; i < properties->lets.count; i++)
        write_out(&properties->arena, properties->lets.at[i]->value);
    for (size_t i = 0; i < properties->properties.count; i++)
        write_out(&properties->arena, properties->properties.at[i].body);
}
