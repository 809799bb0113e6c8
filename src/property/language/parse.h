/* Shared by the parts of the parser: statements, expressions, quantities, quantified intervals. */
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
/* A node that starts at a token, and its text up to the last token that was consumed. */
struct ast *prop_new_node(struct property_parser *parser, enum ast_kind kind,
                          const struct property_token *at);
struct ast *prop_finish(struct property_parser *parser, struct ast *node);
/* Does `slice NAME` stand here? NAME is not a word of the grammar: `slice` itself stays a name. */
bool prop_is_slice(const struct property_parser *parser);
/* Both ends of the slice that is named here; returns the token it starts at. */
struct property_token prop_slice(struct property_parser *parser, struct ast **begin,
                                 struct ast **end);
/* As a condition: begun, and not ended since. */
struct ast *prop_inside_slice(struct property_parser *parser);
/* Does an observable stand here: FUNCTION(SELECTOR ...)? */
bool prop_is_observable(const struct property_parser *parser);
/* Reads it; false after an error. The name is left out. */
bool prop_observable(struct property_parser *parser, tac_observable *out);
/* As a value: the name of a variable that is declared by that. */
struct ast *prop_observed_in_place(struct property_parser *parser);
/* Adds a declaration; one of the same name is an error unless it says the same. */
void prop_add_observable(struct property_parser *parser, const tac_observable *observable,
                         uint32_t line, uint32_t column);
/* ["a", "b"] */
struct ast *prop_list(struct property_parser *parser);
/* These are never NULL; after an error the result is meaningless. From loose to tight. */
struct ast *prop_expression(struct property_parser *parser);
struct ast *prop_implies(struct property_parser *parser);
struct ast *prop_unary(struct property_parser *parser);
struct ast *prop_comparison(struct property_parser *parser);
struct ast *prop_number(struct property_parser *parser);
/* quantifier: that of the current token. */
struct ast *prop_quantified(struct property_parser *parser, enum quantifier quantifier);
/* The bound of a temporal operator, if one stands here. */
void prop_bound(struct property_parser *parser, struct ast *node);
/* < <= > >= == != */
bool prop_accept_comparison(struct property_parser *parser, enum ast_kind *kind);
/* One level deeper; false when that is too deep, or after an error. The caller leaves: depth--. */
bool prop_enter(struct property_parser *parser);

#endif
