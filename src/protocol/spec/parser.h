/* The parser of lifestate rule files, in two parts: what rules say (expression.c), and the
 * definitions of a file (parser.c). The context of the syntax is the parser. */
#pragma once

#include "base/syntax/syntax.h"
#include "protocol/spec/spec.h"

struct spec_parser {
    struct spec_set *set;
    uint32_t file;
    size_t negated, starred; /* the node of the '!' or [*] just read: two are none, or one */
};

extern const struct syntax_language spec_syntax;
static inline struct spec_set *spec_set_of(const struct syntax *s)
{
    return ((const struct spec_parser *)s->context)->set;
}
uint32_t spec_take_name(struct syntax *s, const char *what);
struct spec_param spec_take_param(struct syntax *s);
/* A type or types with commas, as one name. */
void spec_take_type(struct syntax *s, const char *what, tac_str *out);
uint32_t spec_name_of(struct syntax *s, const tac_str *text);
/* "(", nothing or items with commas, ")". */
void spec_take_list(struct syntax *s, void (*item)(struct syntax *s, void *context), void *context);
syntax_node spec_take_operand(struct syntax *s); /* what may stand under '!' and [*] */
