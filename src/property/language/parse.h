/* Shared by the two halves of the parser: statements and expressions. */
#ifndef TAC_PROPERTY_PARSE_H
#define TAC_PROPERTY_PARSE_H

#include "property/language/ast.h"
#include "property/language/lex.h"

struct property_parser {
    struct property_lexer lexer;
    struct property_token token, ahead;
    const char *last_end; /* where the last consumed token ended */
    tac_properties *out;
    tac_diagnostics *diagnostics;
    unsigned depth;
    uint32_t failed_line;
    bool failed; /* an error in this statement was reported; everything is a no-op until the next */
};

void prop_advance(struct property_parser *parser);
bool prop_accept(struct property_parser *parser, const char *word);
void prop_expect(struct property_parser *parser, const char *word, const char *what);
void prop_expected(struct property_parser *parser, const char *what);
void prop_fail_at(struct property_parser *parser, uint32_t line, uint32_t column,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The token's text with escapes undone; lives in the arena. */
const char *prop_text(struct property_parser *parser, const struct property_token *token);
bool prop_is_reserved(const struct property_token *token);
/* A unit at the current token, with parts joined by '*' and '/' without blanks. False without an
 * error when there is none. */
bool prop_unit(struct property_parser *parser, struct unit *out);
/* Never NULL; after an error the result is meaningless. */
struct ast *prop_expression(struct property_parser *parser);

#endif
