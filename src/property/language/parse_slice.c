/* `slice NAME`: short for the ends of a recorded slice, the events begin:NAME and end:NAME
 * (docs/properties.md, "Slices"). In an interval's brackets it is the pair of them, elsewhere the
 * condition that it has begun and not ended since. It becomes ordinary nodes here, so that nothing
 * behind the parser knows of it. */
#include "base/check.h"
#include "property/language/parse.h"
#include <stdio.h>
#include <string.h>

bool prop_is_slice(const struct property_parser *parser)
{
    const struct property_token *name = &parser->ahead;
    return !parser->failed && prop_token_is(&parser->token, "slice") &&
           (name->kind == TOKEN_STRING ||
            (name->kind == TOKEN_NAME && (name->quoted || !prop_is_reserved(name))));
}

/* event == "begin:NAME", or end:NAME; its text in messages is that of the whole slice. */
static struct ast *slice_end(struct property_parser *parser, const struct property_token *at,
                             const char *head, const char *name)
{
    size_t size = strlen(head) + strlen(name) + 1;
    char *text = tac_arena_calloc(&parser->out->arena, size, 1);
    snprintf(text, size, "%s%s", head, name);
    struct ast *node = prop_finish(parser, prop_new_node(parser, AST_EQ, at));
    node->a = prop_finish(parser, prop_new_node(parser, AST_NAME, at));
    node->a->text = "event";
    node->a->quoted = true;
    node->b = prop_finish(parser, prop_new_node(parser, AST_STRING, at));
    node->b->text = text;
    return node;
}

struct property_token prop_slice(struct property_parser *parser, struct ast **begin,
                                 struct ast **end)
{
    assert(prop_is_slice(parser));
    struct property_token at = parser->token;
    prop_advance(parser);
    const char *name = prop_text(parser, &parser->token);
    prop_advance(parser);
    *begin = slice_end(parser, &at, "begin:", name);
    *end = slice_end(parser, &at, "end:", name);
    return at;
}

struct ast *prop_inside_slice(struct property_parser *parser)
{
    struct ast *begin, *end;
    struct property_token at = prop_slice(parser, &begin, &end);
    struct ast *node = prop_new_node(parser, AST_SINCE, &at);
    node->a = prop_new_node(parser, AST_NOT, &at);
    node->a->a = end;
    node->b = begin;
    prop_finish(parser, node->a);
    return prop_finish(parser, node);
}
