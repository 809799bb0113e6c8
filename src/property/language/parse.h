/* The property language on the kernel of expressions: statements, expressions, quantities,
 * quantified intervals, slices, what is observed. The context of `struct syntax` is the
 * tac_properties that is read into. */
#pragma once

#include "base/syntax/syntax.h"
#include "property/language/ast.h"

/* Powers of the operators in ast.h that a part of the grammar asks for. */
enum { POWER_ANY = 1, POWER_UNARY = 5, POWER_COMPARISON = 6, POWER_SUM = 7 };

enum { PROP_STATEMENTS = 6 };
extern const char *const prop_statements[PROP_STATEMENTS + 1];
extern const struct syntax_language property_language;

static inline tac_arena *prop_arena(const struct syntax *s)
{
    return &((tac_properties *)s->context)->arena;
}

/* An expression; never NULL, meaningless after an error. */
struct ast *prop_expression(struct syntax *s, unsigned power);
/* The token's text with escapes undone; lives in the arena. */
const char *prop_text(struct syntax *s, const struct syntax_token *token);
bool prop_is_reserved(const struct syntax_token *token);
/* A node that starts at a token, and its text up to the last token that was taken. */
struct ast *prop_new_node(struct syntax *s, enum ast_kind kind, const struct syntax_token *at);
struct ast *prop_finish(struct syntax *s, struct ast *node);

/* A unit at the current token, with parts joined by '*' and '/' without blanks. False without an
 * error when there is none. */
bool prop_unit(struct syntax *s, struct unit *out);
struct ast *prop_number(struct syntax *s);
/* The bound of a temporal operator, if one stands here. */
void prop_bound(struct syntax *s, struct ast *node);

/* Does `[` stand here, or the percentile's `(`, so that its word is a quantifier? */
bool prop_opens_interval(const struct syntax *s);
/* The rest of a quantified interval, after its word. */
struct ast *prop_quantified(struct syntax *s, const struct syntax_token *at);
bool prop_is_relation(const struct syntax_token *token);

/* Does `slice NAME` stand here? NAME is not a word of the grammar: `slice` itself stays a name. */
bool prop_is_slice(const struct syntax *s);
/* Both ends of the slice `at` that is named here. */
void prop_slice(struct syntax *s, const struct syntax_token *at, struct ast **begin,
                struct ast **end);
/* As a condition: begun, and not ended since. */
struct ast *prop_inside_slice(struct syntax *s, const struct syntax_token *at);

/* Does an observable stand here: FUNCTION(SELECTOR ...)? */
bool prop_is_observable(const struct syntax *s);
/* Reads it; false after an error. The name is left out. */
bool prop_observable(struct syntax *s, tac_observable *out);
/* As a value: the name of a variable that is declared by that. */
struct ast *prop_observed_in_place(struct syntax *s);
/* Adds a declaration; one of the same name is an error unless it says the same. */
void prop_add_observable(struct syntax *s, const tac_observable *observable, uint32_t line,
                         uint32_t column);
struct ast *prop_list(struct syntax *s); /* ["a", "b"] */
