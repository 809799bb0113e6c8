/* The parser of lifestate rule files, in three parts: tokens (take.c), what rules say
 * (expression.c), and the definitions of a file (parser.c). */
#ifndef TAC_PROTOCOL_SPEC_PARSER_H
#define TAC_PROTOCOL_SPEC_PARSER_H

#include "protocol/spec/spec.h"

struct spec_parser {
    struct spec_set *set;
    struct spec_lexer lexer;
    struct token token, ahead; /* one token of look-ahead besides the current one */
    uint32_t file;
    unsigned depth;
    bool failed;       /* the current spec is broken and was reported */
    size_t first_node; /* of the current spec, for its size limit */
};

/* --- take.c: tokens; nothing is taken once the current spec has failed --- */
void spec_advance(struct spec_parser *p);
const char *spec_file_name(const struct spec_parser *p);
bool spec_is_sign(const struct token *t, char c);
bool spec_is_word(const struct token *t, const char *word);
/* The token in a message. */
void spec_describe(const struct token *t, char *buffer, size_t size);
/* Reports what was expected here; TAC_NONE. */
uint32_t spec_expected(struct spec_parser *p, const char *what);
bool spec_take_sign(struct spec_parser *p, char c);
void spec_need_sign(struct spec_parser *p, char c);
uint32_t spec_token_name(struct spec_parser *p);
uint32_t spec_take_name(struct spec_parser *p, const char *what);
uint32_t spec_add_node(struct spec_parser *p, enum node_kind kind, uint32_t left, uint32_t right,
                       const struct token *at);

/* --- expression.c --- */
struct spec_param spec_take_param(struct spec_parser *p);
void spec_take_type(struct spec_parser *p, const char *what, tac_str *out);
uint32_t spec_name_of(struct spec_parser *p, const tac_str *text);
uint32_t spec_parse_primary(struct spec_parser *p);  /* what may stand under '!' and [*] */
uint32_t spec_parse_sequence(struct spec_parser *p); /* a whole expression */

#endif
