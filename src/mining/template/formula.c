/* Reads and evaluates formulas; see formula.h. A formula is evaluated bottom-up, from the last
 * event to the first: time nodes x events. */
#include "mining/template/formula.h"
#include "base/check.h"
#include "base/syntax/syntax.h"
#include <string.h>

struct formula_parser {
    const struct tac_runs *runs;
    struct formula *out;
};

/* What ends a name that has no quotes. */
#define NAME_ENDS " \t\n()!&|<>-\""

enum { TIGHT = 6 }; /* what binds as strongly as '!' */

static const struct syntax_operator operators[] = {{"<->", FORMULA_SAME, 1, SYNTAX_LEFT, NULL},
                                                   {"->", FORMULA_IMPLIES, 2, SYNTAX_RIGHT, NULL},
                                                   {"||", FORMULA_OR, 3, SYNTAX_LEFT, NULL},
                                                   {"|", FORMULA_OR, 3, SYNTAX_LEFT, NULL},
                                                   {"or", FORMULA_OR, 3, SYNTAX_LEFT, NULL},
                                                   {"&&", FORMULA_AND, 4, SYNTAX_LEFT, NULL},
                                                   {"&", FORMULA_AND, 4, SYNTAX_LEFT, NULL},
                                                   {"and", FORMULA_AND, 4, SYNTAX_LEFT, NULL},
                                                   {"U", FORMULA_UNTIL, 5, SYNTAX_RIGHT, NULL},
                                                   {"W", FORMULA_WEAK, 5, SYNTAX_RIGHT, NULL},
                                                   {"!", FORMULA_NOT, TIGHT, SYNTAX_PREFIX, NULL},
                                                   {"not", FORMULA_NOT, TIGHT, SYNTAX_PREFIX, NULL},
                                                   {NULL, 0, 0, SYNTAX_LEFT, NULL}};

static syntax_node add(struct syntax *s, struct formula_node node)
{
    struct formula_parser *p = s->context;
    if (!syntax_count_node(s))
        return (syntax_node){0};
    tac_vec_push(&p->out->nodes, node);
    return (syntax_node){.index = p->out->nodes.count - 1};
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                           syntax_node right)
{
    return add(s, (struct formula_node){.kind = (enum formula_kind)op->op->kind,
                                        .left = (uint32_t)left.index,
                                        .right = (uint32_t)right.index});
}

/* A state or an input with this text; TAC_NONE: there is none. */
static uint32_t token_named(const struct tac_runs *runs, const char *name)
{
    static const char sources[] = {STATE_EVENT, INPUT_EVENT};
    uint32_t found = TAC_NONE;
    for (size_t i = 0; i < 2 && found == TAC_NONE; i++) {
        char *key = tac_format("%c%s", sources[i], name);
        found = tac_names_find(&runs->tokens, key);
        free(key);
    }
    return found;
}

static syntax_node name(struct syntax *s)
{
    struct formula_parser *p = s->context;
    struct formula_node node = {.kind = FORMULA_TOKEN};
    char *text = tac_strndup(s->token.text, s->token.length);
    node.token = token_named(p->runs, text);
    if (node.token == TAC_NONE && s->token.quote) {
        syntax_fail(s, &s->token, "no state or input of the runs has this name");
    } else if (node.token == TAC_NONE) {
        node.kind = FORMULA_PLACE;
        node.place = tac_names_intern(&p->out->places, text);
        if (node.place >= MOST_PLACES)
            syntax_fail(s, &s->token,
                        "more than 3 names that are neither states nor inputs of the runs");
    }
    free(text);
    syntax_advance(s);
    return add(s, node);
}

/* G, F and X, which may be written together: XF a is X(F(a)). */
static syntax_node temporal(struct syntax *s)
{
    struct syntax_token word = s->token;
    syntax_advance(s);
    syntax_node node = syntax_expression(s, TIGHT);
    for (size_t i = word.length; i-- > 0;)
        node = add(s, (struct formula_node){.kind = word.text[i] == 'G'   ? FORMULA_ALWAYS
                                                    : word.text[i] == 'F' ? FORMULA_EVENTUALLY
                                                                          : FORMULA_NEXT,
                                            .left = (uint32_t)node.index});
    return node;
}

static syntax_node primary(struct syntax *s)
{
    if (syntax_accept(s, "(")) {
        syntax_node inside = syntax_expression(s, 0);
        syntax_need(s, ")", NULL);
        return inside;
    }
    if (syntax_accept(s, "true"))
        return add(s, (struct formula_node){.kind = FORMULA_TRUE});
    if (syntax_accept(s, "false"))
        return add(s, (struct formula_node){.kind = FORMULA_FALSE});
    if (s->token.kind == SYNTAX_WORD && s->token.length)
        return !s->token.quote && strspn(s->token.text, "GFX") >= s->token.length ? temporal(s)
                                                                                  : name(s);
    syntax_expected(s, "the name of a state or an input, or a placeholder");
    return (syntax_node){0};
}

/* Names are all but blanks, brackets and operators. */
static size_t bare_name(const struct syntax *s, struct syntax_token *token, const char *at,
                        const char *end)
{
    (void)s, (void)end;
    token->kind = SYNTAX_WORD;
    return strcspn(at, NAME_ENDS);
}

static void report(struct syntax *s, uint32_t line, uint32_t column, const char *message)
{
    s->status = tac_fail(s->err, TAC_E_USAGE, "the template '%s', column %zu: %s", s->file,
                         syntax_character(s->file, line, column), message);
}

static const struct syntax_language language = {.blanks = " \t\n",
                                                .name_quote = '"',
                                                .long_texts = true,
                                                .hidden_texts = true,
                                                .hidden_names = true,
                                                .marks = "( )",
                                                .odd = bare_name,
                                                .operators = operators,
                                                .primary = primary,
                                                .combine = combine,
                                                .most_depth = 80,
                                                .most_nodes = MOST_NODES,
                                                .end = "the end of the template",
                                                .report = report};

tac_status formula_parse(const struct tac_runs *runs, const char *text, struct formula *out,
                         tac_error *err)
{
    memset(out, 0, sizeof *out);
    out->text = text;
    struct formula_parser p = {.runs = runs, .out = out};
    struct syntax s = {.context = &p, .file = text, .err = err};
    syntax_open(&s, &language, text, strlen(text), 1, 1);
    (void)syntax_expression(&s, 0);
    if (!syntax_at_end(&s))
        syntax_expected(&s, "an operator or the end");
    if (s.status != TAC_OK)
        formula_free(out);
    return s.status;
}

void formula_free(struct formula *formula)
{
    tac_vec_free(&formula->nodes);
    tac_names_free(&formula->places);
}

/* now[i] for every event, from operands that are done; now[count] is the end, where nothing holds
 * but what needs no event. */
static void evaluate(const struct formula_node *node, const uint32_t *events, size_t count,
                     const uint32_t *tokens, uint8_t *all, uint8_t *now)
{
    const uint8_t *left = all + node->left * (count + 1), *right = all + node->right * (count + 1);
    now[count] = node->kind == FORMULA_ALWAYS || node->kind == FORMULA_WEAK;
    for (size_t i = count; i-- > 0;)
        switch (node->kind) {
        case FORMULA_TRUE:
        case FORMULA_FALSE:
            now[i] = node->kind == FORMULA_TRUE;
            break;
        case FORMULA_TOKEN:
            now[i] = events[i] == node->token;
            break;
        case FORMULA_PLACE:
            now[i] = events[i] == tokens[node->place];
            break;
        case FORMULA_NOT:
            now[i] = !left[i];
            break;
        case FORMULA_AND:
            now[i] = left[i] && right[i];
            break;
        case FORMULA_OR:
            now[i] = left[i] || right[i];
            break;
        case FORMULA_IMPLIES:
            now[i] = !left[i] || right[i];
            break;
        case FORMULA_SAME:
            now[i] = left[i] == right[i];
            break;
        case FORMULA_NEXT:
            now[i] = i + 1 < count && left[i + 1];
            break;
        case FORMULA_EVENTUALLY:
            now[i] = left[i] || now[i + 1];
            break;
        case FORMULA_ALWAYS:
            now[i] = left[i] && now[i + 1];
            break;
        case FORMULA_UNTIL:
        case FORMULA_WEAK:
            now[i] = right[i] || (left[i] && now[i + 1]);
            break;
        }
}

bool formula_holds(const struct formula *formula, const uint32_t *events, size_t count,
                   const uint32_t *tokens, uint8_t *scratch)
{
    size_t nodes = formula->nodes.count;
    assert(nodes > 0);
    for (size_t n = 0; n < nodes; n++) {
        assert(formula->nodes.at[n].left < nodes && formula->nodes.at[n].right < nodes);
        evaluate(&formula->nodes.at[n], events, count, tokens, scratch, scratch + n * (count + 1));
    }
    return scratch[(nodes - 1) * (count + 1)];
}

char *formula_instance(const struct formula *formula, const struct tac_runs *runs,
                       const uint32_t *tokens)
{
    tac_str out = {0};
    for (const char *at = formula->text; *at;) {
        size_t length = *at == '"' ? strcspn(at + 1, "\"") + 2 : strcspn(at, NAME_ENDS);
        if (length == 0) {
            tac_str_add_char(&out, *at++);
            continue;
        }
        char *word = tac_strndup(at, length);
        uint32_t place = tac_names_find(&formula->places, word);
        tac_str_add(&out, place == TAC_NONE ? word : tac_token_text(runs, tokens[place]));
        free(word);
        at += length;
    }
    return tac_str_take(&out);
}
