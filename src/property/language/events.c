/* The events that a property speaks of, read off its syntax tree: what stands beside `event` in an
 * equation, and names where a condition stands that are neither lets nor properties. O(tree); trees
 * and lets are finite and without cycles once loaded. */
#include "base/check.h"
#include "property/language/ast.h"

struct event_walk {
    TAC_VEC(const char *) found;
};

static void add_event(struct event_walk *walk, const char *name)
{
    for (size_t i = 0; i < walk->found.count; i++)
        if (!strcmp(walk->found.at[i], name))
            return;
    tac_vec_push(&walk->found, name);
}

static bool is_text(const struct ast *ast)
{
    return ast->kind == AST_STRING || (ast->kind == AST_NAME && !ast->let);
}

static bool is_event_name(const struct ast *ast)
{
    return ast->kind == AST_NAME && !ast->let && !strcmp(ast->text, "event");
}

/* condition: a truth value is wanted here, so a plain name is an event or a flag. */
static void walk_tree(struct event_walk *walk, const struct ast *ast, bool condition)
{
    if (!ast)
        return;
    if (ast->kind == AST_EQ || ast->kind == AST_NE) {
        if (is_event_name(ast->a) && is_text(ast->b))
            add_event(walk, ast->b->text);
        else if (is_event_name(ast->b) && is_text(ast->a))
            add_event(walk, ast->a->text);
        return;
    }
    if (ast->kind == AST_NAME) {
        if (ast->let)
            walk_tree(walk, ast->let->value, condition);
        else if (condition && ast->property == SIZE_MAX)
            add_event(walk, ast->text);
        return;
    }
    enum ast_class class = ast_class(ast->kind);
    bool inner = class == CLASS_BOOLEAN || class == CLASS_PAST || class == CLASS_FUTURE ||
                 class == CLASS_QUANTIFIED || ast->kind == AST_COUNT;
    walk_tree(walk, ast->p, true);
    walk_tree(walk, ast->q, true);
    walk_tree(walk, ast->a, inner);
    walk_tree(walk, ast->b, inner);
}

const char **tac_property_events(const tac_properties *properties, size_t index, size_t *count)
{
    struct event_walk walk = {0};
    assert(index < properties->properties.count);
    walk_tree(&walk, properties->properties.at[index].body, true);
    *count = walk.found.count;
    return walk.found.at;
}
