/* Tokens of a lifestate rule file, taken one by one with one of look-ahead. What was expected is
 * reported once per spec. */
#include "base/check.h"
#include "protocol/spec/parser.h"
#include <stdio.h>
#include <string.h>

void spec_advance(struct spec_parser *p)
{
    p->token = p->ahead;
    p->ahead = spec_lexer_next(&p->lexer);
}

const char *spec_file_name(const struct spec_parser *p)
{
    return p->set->files.at[p->file];
}

bool spec_is_sign(const struct token *t, char c)
{
    return t->kind == TOKEN_SIGN && t->text[0] == c;
}

bool spec_is_word(const struct token *t, const char *word)
{
    return t->kind == TOKEN_ID && t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

void spec_describe(const struct token *t, char *buffer, size_t size)
{
    if (t->kind == TOKEN_END)
        snprintf(buffer, size, "the end of the file");
    else
        snprintf(buffer, size, "'%.*s'", (int)(t->length > 60 ? 60 : t->length), t->text);
}

/* Reports once per spec: what was expected here. */
uint32_t spec_expected(struct spec_parser *p, const char *what)
{
    if (!p->failed) {
        char found[96];
        spec_describe(&p->token, found, sizeof found);
        tac_diagnostics_add(&p->set->diagnostics, TAC_ERROR, spec_file_name(p), p->token.line,
                            p->token.column, "expected %s, found %s", what, found);
    }
    p->failed = true;
    return TAC_NONE;
}

bool spec_take_sign(struct spec_parser *p, char c)
{
    if (!spec_is_sign(&p->token, c))
        return false;
    spec_advance(p);
    return true;
}

void spec_need_sign(struct spec_parser *p, char c)
{
    char what[4] = {'\'', c, '\'', 0};
    if (!p->failed && !spec_take_sign(p, c))
        spec_expected(p, what);
}

uint32_t spec_token_name(struct spec_parser *p)
{
    return tac_names_intern_bytes(&p->set->names, p->token.text, p->token.length);
}

uint32_t spec_take_name(struct spec_parser *p, const char *what)
{
    if (p->failed || p->token.kind != TOKEN_ID)
        return spec_expected(p, what);
    uint32_t name = spec_token_name(p);
    spec_advance(p);
    return name;
}

uint32_t spec_add_node(struct spec_parser *p, enum node_kind kind, uint32_t left, uint32_t right,
                       const struct token *at)
{
    assert(p->first_node <= p->set->nodes.count);
    if (p->failed)
        return TAC_NONE;
    if (p->set->nodes.count - p->first_node >= SPEC_MAX_NODES) {
        tac_diagnostics_add(&p->set->diagnostics, TAC_ERROR, spec_file_name(p), at->line,
                            at->column, "a rule with more than %d parts: split it", SPEC_MAX_NODES);
        p->failed = true;
        return TAC_NONE;
    }
    struct spec_node node = {
        .kind = kind, .left = left, .right = right, .line = at->line, .column = at->column};
    tac_vec_push(&p->set->nodes, node);
    return (uint32_t)p->set->nodes.count - 1;
}
