/* `slice NAME`: short for the ends of a recorded slice, the events begin:NAME and end:NAME
 * (docs/properties.md, "Slices"). In an interval's brackets it is the pair of them, elsewhere the
 * condition that it has begun and not ended since. It becomes ordinary nodes here, so that nothing
 * after the parser knows of it. */
#include "property/language/parse.h"

bool prop_is_slice(const struct syntax *s)
{
    const struct syntax_token *name = &s->ahead;
    return syntax_is(s, "slice") &&
           (name->kind == SYNTAX_TEXT || (name->kind == SYNTAX_WORD && !prop_is_reserved(name)));
}

/* event == "begin:NAME", or end:NAME; its text in messages is that of the whole slice. */
static struct ast *slice_end(struct syntax *s, const struct syntax_token *at, const char *head,
                             const char *name)
{
    struct ast *node = prop_finish(s, prop_new_node(s, AST_EQ, at));
    node->a = prop_finish(s, prop_new_node(s, AST_NAME, at));
    node->a->text = "event";
    node->a->quoted = true;
    node->b = prop_finish(s, prop_new_node(s, AST_STRING, at));
    node->b->text = tac_arena_format(prop_arena(s), "%s%s", head, name);
    return node;
}

void prop_slice(struct syntax *s, const struct syntax_token *at, struct ast **begin,
                struct ast **end)
{
    const char *name = prop_text(s, &s->token);
    syntax_advance(s);
    *begin = slice_end(s, at, "begin:", name);
    *end = slice_end(s, at, "end:", name);
}

struct ast *prop_inside_slice(struct syntax *s, const struct syntax_token *at)
{
    struct ast *node = prop_new_node(s, AST_SINCE, at);
    node->a = prop_new_node(s, AST_NOT, at);
    prop_slice(s, at, &node->b, &node->a->a);
    prop_finish(s, node->a);
    return prop_finish(s, node);
}
