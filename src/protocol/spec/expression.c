/* What lifestate rules say: messages, names, TRUE, FALSE and parentheses, and !, [*], &, | and ;
 * between them. Names may hold dots, '$' and '<init>'. Depth is bounded by SPEC_MAX_DEPTH, so the C
 * stack is safe. */
#include "protocol/spec/parser.h"
#include <string.h>

/* --- tokens --- */

static bool in_number(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80 || (c && strchr("_$<.>", c));
}

/* The end of "[*]" with blanks inside allowed, or NULL. */
static const char *star_end(const char *at, const char *end)
{
    const char *wanted = "[*]";
    for (; at < end && *wanted; at++)
        if (*at == *wanted)
            wanted++;
        else if (!*at || !strchr(" \t\r\f\v", *at))
            return NULL;
    return *wanted ? NULL : at;
}

static bool closes(const char *at, const char *end)
{
    for (at++; at < end && *at != '\n' && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end && *at == '"';
}

/* Constants such as 12L and -0x1F, which stay as they are written; [*]; and a quote that is not
 * closed, which is a token by itself. */
static size_t odd(const struct syntax *s, struct syntax_token *token, const char *at,
                  const char *end)
{
    const char *stop = at + (*at == '-' && at + 1 < end);
    (void)s;
    if (*stop >= '0' && *stop <= '9') {
        while (stop < end && in_number(*stop))
            stop++;
        return (size_t)(stop - at);
    }
    if (*at == '[' && (stop = star_end(at, end))) {
        token->text = "[*]";
        token->length = 3;
        return (size_t)(stop - at);
    }
    if (*at != '"' || closes(at, end))
        return 0;
    token->kind = SYNTAX_BAD;
    token->flaw = "this quote is not closed on its line";
    return 1;
}

/* --- parts of messages --- */

uint32_t spec_take_name(struct syntax *s, const char *what)
{
    uint32_t name = TAC_NONE;
    if (!s->failed && s->token.kind == SYNTAX_WORD) {
        name = tac_names_intern_bytes(&spec_set_of(s)->names, s->token.text, s->token.length);
        syntax_advance(s);
    } else {
        syntax_expected(s, what);
    }
    return name;
}

uint32_t spec_name_of(struct syntax *s, const tac_str *text)
{
    return tac_names_intern_bytes(&spec_set_of(s)->names, tac_str_text(text), text->length);
}

static struct spec_param constant(struct syntax *s, const char *text, size_t length)
{
    uint32_t name = tac_names_intern_bytes(&spec_set_of(s)->names, text, length);
    return (struct spec_param){.kind = PARAM_CONSTANT, .name = name};
}

struct spec_param spec_take_param(struct syntax *s)
{
    struct spec_param param = {.kind = PARAM_ANY, .name = TAC_NONE};
    struct syntax_token t = s->token;
    bool number = t.kind == SYNTAX_OWN && *t.text != '[';
    if (s->failed || syntax_accept(s, "#"))
        return param;
    if (syntax_is(s, "TRUE") || syntax_is(s, "FALSE")) {
        param = syntax_is(s, "TRUE") ? constant(s, "true", 4) : constant(s, "false", 5);
    } else if (syntax_is(s, "NULL")) {
        param.kind = PARAM_NULL;
    } else if (t.kind == SYNTAX_WORD) {
        param = constant(s, t.text, t.length);
        param.kind = PARAM_VARIABLE;
    } else if (t.kind == SYNTAX_TEXT) {
        tac_arena arena = {0};
        const char *text = syntax_text(s, &t, &arena);
        param = constant(s, text, strlen(text));
        tac_arena_free(&arena);
    } else if (number) {
        param = constant(s, t.text, t.length);
    } else {
        syntax_expected(s, "a variable, a constant or '#'");
        return param;
    }
    syntax_advance(s);
    return param;
}

void spec_take_type(struct syntax *s, const char *what, tac_str *out)
{
    if (out->length)
        tac_str_add_char(out, ',');
    if (s->failed || s->token.kind != SYNTAX_WORD) {
        syntax_expected(s, what);
        return;
    }
    tac_str_add_bytes(out, s->token.text, s->token.length);
    syntax_advance(s);
    while (syntax_is(s, "[") && syntax_token_is(&s->ahead, "]")) {
        tac_str_add(out, "[]");
        syntax_advance(s);
        syntax_advance(s);
    }
}

void spec_take_list(struct syntax *s, void (*item)(struct syntax *s, void *context), void *context)
{
    if (!syntax_need(s, "(", NULL) || syntax_accept(s, ")"))
        return;
    do
        item(s, context);
    while (syntax_accept(s, ","));
    syntax_need(s, ")", "',' or ')'");
}

/* "[WORD]" where WORD is one of two: is it the first? */
static bool take_bracket(struct syntax *s, const char *first, const char *second, const char *what)
{
    const char *const words[] = {first, second};
    if (!syntax_need(s, "[", what))
        return false;
    bool is_first = syntax_accept(s, first);
    if (!is_first && !syntax_accept(s, second))
        syntax_expected_one_of(s, what, words, 2);
    syntax_need(s, "]", NULL);
    return is_first;
}

/* --- operands --- */

static syntax_node add_node(struct syntax *s, enum node_kind kind, size_t left, size_t right,
                            const struct syntax_token *at)
{
    struct spec_set *set = spec_set_of(s);
    if (!syntax_count_node(s))
        return (syntax_node){.index = TAC_NONE};
    struct spec_node node = {.kind = kind,
                             .left = (uint32_t)left,
                             .right = (uint32_t)right,
                             .line = at->line,
                             .column = at->column};
    tac_vec_push(&set->nodes, node);
    return (syntax_node){.index = set->nodes.count - 1};
}

/* One parameter of a message, and its type. */
struct read_message {
    struct spec_atom atom;
    tac_str types;
};

static void take_message_param(struct syntax *s, void *context)
{
    struct read_message *message = context;
    struct spec_param param = spec_take_param(s);
    syntax_need(s, ":", NULL);
    spec_take_type(s, "the type of the parameter", &message->types);
    tac_vec_push(&spec_set_of(s)->params, param);
    message->atom.param_count++;
}

/* [param =] [CI|CB] [ENTRY|EXIT] [ [param] ] rettype pkg.Cls.method(param : type, ...). The
 * parameters go to set->params in one run. */
static syntax_node take_message(struct syntax *s)
{
    struct spec_set *set = spec_set_of(s);
    struct syntax_token start = s->token;
    struct read_message message = {.atom = {.has_result = !syntax_is(s, "["), .param_count = 1}};
    struct spec_atom *atom = &message.atom;
    if (atom->has_result) {
        atom->result = spec_take_param(s);
        syntax_need(s, "=", NULL);
    }
    bool callback = take_bracket(s, "CB", "CI", "[CB] or [CI]");
    bool is_entry = take_bracket(s, "ENTRY", "EXIT", "[ENTRY] or [EXIT]");
    atom->direction = direction_of(callback ? CALLBACK : CALLIN, !is_entry);
    if (atom->has_result && is_entry)
        syntax_fail(s, &start, "only an [EXIT] has a value: remove \"... =\" or write [EXIT]");
    atom->first_param = (uint32_t)set->params.count;
    struct spec_param receiver = {.kind = PARAM_NULL, .name = TAC_NONE};
    if (syntax_accept(s, "[")) {
        receiver = spec_take_param(s);
        syntax_need(s, "]", NULL);
    }
    tac_vec_push(&set->params, receiver);
    spec_take_type(s, "the return type", &message.types);
    atom->return_type = spec_name_of(s, &message.types);
    atom->method =
        spec_take_name(s, "the method's name with its class, as in android.app.Activity.finish");
    tac_str_clear(&message.types);
    spec_take_list(s, take_message_param, &message);
    atom->types = spec_name_of(s, &message.types);
    tac_str_free(&message.types);
    if (!s->failed)
        tac_vec_push(&set->atoms, *atom);
    return add_node(s, NODE_ATOM, set->atoms.count - 1, TAC_NONE, &start);
}

static void take_use_param(struct syntax *s, void *context)
{
    struct spec_use *use = context;
    struct spec_param param = spec_take_param(s);
    tac_vec_push(&spec_set_of(s)->params, param);
    use->param_count++;
}

/* Name(param, ...) */
static syntax_node take_use(struct syntax *s)
{
    struct spec_set *set = spec_set_of(s);
    struct syntax_token start = s->token;
    struct spec_use use = {.first_param = (uint32_t)set->params.count};
    use.name = spec_take_name(s, "a name");
    spec_take_list(s, take_use_param, &use);
    if (!s->failed)
        tac_vec_push(&set->uses, use);
    return add_node(s, NODE_NAME, set->uses.count - 1, TAC_NONE, &start);
}

syntax_node spec_take_operand(struct syntax *s)
{
    struct spec_parser *p = s->context;
    struct syntax_token start = s->token;
    syntax_node node = {.index = TAC_NONE};
    if (syntax_accept(s, "(")) {
        node = syntax_expression(s, 0);
        syntax_need(s, ")", "an operator (';', '&', '|', '[*]') or ')'");
        p->negated = p->starred = TAC_NONE;
    } else if (syntax_token_is(&s->ahead, "=") || syntax_is(s, "[")) {
        node = take_message(s);
    } else if (syntax_is(s, "TRUE") || syntax_is(s, "FALSE")) {
        syntax_advance(s);
        node = add_node(s, syntax_token_is(&start, "TRUE") ? NODE_TRUE : NODE_FALSE, TAC_NONE,
                        TAC_NONE, &start);
    } else if (s->token.kind == SYNTAX_WORD && syntax_token_is(&s->ahead, "(")) {
        node = take_use(s);
    } else {
        syntax_expected(
            s, "a message such as [CB] [ENTRY] [x] void Cls.m(), a name, TRUE, FALSE or '('");
    }
    return node;
}

/* --- operators --- */

/* x[*][*] is x[*], and !!x is x. */
static syntax_node combine(struct syntax *s, const struct syntax_taken *taken, syntax_node left,
                           syntax_node right)
{
    struct spec_parser *p = s->context;
    enum node_kind kind = (enum node_kind)taken->op->kind;
    bool back = kind == NODE_NOT && left.index == p->negated;
    p->negated = TAC_NONE;
    if (back)
        return (syntax_node){.index = p->set->nodes.at[left.index].left};
    if (kind == NODE_STAR && left.index == p->starred)
        return left;
    size_t other = taken->op->place == SYNTAX_LEFT ? right.index : TAC_NONE;
    syntax_node node = add_node(s, kind, left.index, other, &taken->at);
    if (kind == NODE_NOT)
        p->negated = node.index;
    if (kind == NODE_STAR)
        p->starred = node.index;
    return node;
}

static const struct syntax_operator operators[] = {
    {";", NODE_SEQ, 1, SYNTAX_LEFT, NULL},   {"&", NODE_AND, 2, SYNTAX_LEFT, NULL},
    {"|", NODE_OR, 2, SYNTAX_LEFT, NULL},    {"[*]", NODE_STAR, 3, SYNTAX_POSTFIX, NULL},
    {"!", NODE_NOT, 4, SYNTAX_PREFIX, NULL}, {NULL, 0, 0, SYNTAX_LEFT, NULL},
};

static const char *const statements[] = {"SPEC", "REGEXP", "LIFECYCLE", NULL};
static const struct syntax_escapes escapes = {
    .letters = "\"\\ntr", .meant = "\"\\\n\t\r", .keeps = true};

const struct syntax_language spec_syntax = {
    .blanks = " \t\r\n\f\v",
    .comment = "//",
    .word_start = "$<",
    .word_part = ".>",
    .foreign_letters = true,
    .quotes = "\"",
    .hidden_texts = true,
    .hidden_names = true,
    .escapes = &escapes,
    .marks = "[ ] ( ) , : = # |+ |-",
    .odd = odd,
    .operators = operators,
    .primary = spec_take_operand,
    .combine = combine,
    .most_depth = SPEC_MAX_DEPTH,
    .most_nodes = SPEC_MAX_NODES,
    .advice = "split the rule, or name a part by a REGEXP",
    .statements = statements,
};
