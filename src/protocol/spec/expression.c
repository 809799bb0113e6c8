/* What a lifestate rule says: messages with their parameters, named expressions, and !, [*], &, |
 * and ; between them. Depth is bounded by SPEC_MAX_DEPTH, so the C stack is safe. */
#include "base/check.h"
#include "protocol/spec/parser.h"
#include <string.h>

/* The text that a string stands for. A backslash makes a quote or a backslash plain, and n, t and r
 * a line end, a tab and a return; before anything else it is itself. */
static uint32_t string_name(struct spec_parser *p, const struct token *t)
{
    static const char escapes[] = "\"\\ntr", meant[] = "\"\\\n\t\r";
    tac_str text = {0};
    assert(t->length >= 2);
    for (size_t i = 1; i + 1 < t->length; i++) {
        const char *escape = t->text[i] == '\\' && i + 2 < t->length
                                 ? memchr(escapes, t->text[i + 1], sizeof escapes - 1)
                                 : NULL;
        tac_str_add_char(&text, escape ? meant[escape - escapes] : t->text[i]);
        i += escape != NULL;
    }
    uint32_t name = spec_name_of(p, &text);
    tac_str_free(&text);
    return name;
}

struct spec_param spec_take_param(struct spec_parser *p)
{
    struct spec_param param = {.kind = PARAM_ANY, .name = TAC_NONE};
    struct token t = p->token;
    if (p->failed)
        return param;
    if (spec_is_sign(&t, '#')) {
        param.kind = PARAM_ANY;
    } else if (t.kind == TOKEN_STRING) {
        param.kind = PARAM_CONSTANT;
        param.name = string_name(p, &t);
    } else if (t.kind == TOKEN_NUMBER) {
        param.kind = PARAM_CONSTANT;
        param.name = spec_token_name(p);
    } else if (spec_is_word(&t, "TRUE") || spec_is_word(&t, "FALSE")) {
        param.kind = PARAM_CONSTANT;
        param.name = tac_names_intern(&p->set->names, spec_is_word(&t, "TRUE") ? "true" : "false");
    } else if (spec_is_word(&t, "NULL")) {
        param.kind = PARAM_NULL;
    } else if (t.kind == TOKEN_ID) {
        param.kind = PARAM_VARIABLE;
        param.name = spec_token_name(p);
    } else {
        spec_expected(p, "a variable, a constant or '#'");
        return param;
    }
    spec_advance(p);
    return param;
}

/* cid or cid[]...; appended to out. */
void spec_take_type(struct spec_parser *p, const char *what, tac_str *out)
{
    if (p->failed || p->token.kind != TOKEN_ID) {
        spec_expected(p, what);
        return;
    }
    tac_str_add_bytes(out, p->token.text, p->token.length);
    spec_advance(p);
    while (spec_is_sign(&p->token, '[') && spec_is_sign(&p->ahead, ']')) {
        tac_str_add(out, "[]");
        spec_advance(p);
        spec_advance(p);
    }
}

uint32_t spec_name_of(struct spec_parser *p, const tac_str *text)
{
    return tac_names_intern_bytes(&p->set->names, tac_str_text(text), text->length);
}

/* "[WORD]" where WORD is one of two; returns which, or -1 after reporting. */
static int take_bracket(struct spec_parser *p, const char *first, const char *second,
                        const char *what)
{
    if (p->failed)
        return -1;
    if (spec_is_sign(&p->token, '[') &&
        (spec_is_word(&p->ahead, first) || spec_is_word(&p->ahead, second))) {
        spec_advance(p);
        int which = spec_is_word(&p->token, first) ? 0 : 1;
        spec_advance(p);
        spec_need_sign(p, ']');
        return which;
    }
    spec_expected(p, what);
    return -1;
}

/* (param : type, ...) of a message. Parameters go to set->params in one run. */
static void take_message_params(struct spec_parser *p, struct spec_atom *atom)
{
    tac_str types = {0};
    spec_need_sign(p, '(');
    if (!p->failed && spec_take_sign(p, ')')) {
        atom->types = spec_name_of(p, &types);
        return;
    }
    while (!p->failed) {
        struct spec_param param = spec_take_param(p);
        spec_need_sign(p, ':');
        if (types.length)
            tac_str_add_char(&types, ',');
        spec_take_type(p, "the type of the parameter", &types);
        tac_vec_push(&p->set->params, param);
        atom->param_count++;
        if (!p->failed && spec_take_sign(p, ','))
            continue;
        spec_need_sign(p, ')');
        break;
    }
    atom->types = spec_name_of(p, &types);
    tac_str_free(&types);
}

/* [param =] [CI|CB] [ENTRY|EXIT] [ [param] ] rettype pkg.Cls.method(...) */
static uint32_t parse_message(struct spec_parser *p)
{
    struct token start = p->token;
    struct spec_atom atom = {0};
    if (!spec_is_sign(&p->token, '[')) {
        atom.has_result = true;
        atom.result = spec_take_param(p);
        spec_need_sign(p, '=');
    }
    bool callin = take_bracket(p, "CB", "CI", "[CB] or [CI]") == 1;
    bool is_exit = take_bracket(p, "ENTRY", "EXIT", "[ENTRY] or [EXIT]") == 1;
    atom.direction = direction_of(callin ? CALLIN : CALLBACK, is_exit);
    if (atom.has_result && !is_exit && !p->failed) {
        tac_diagnostics_add(&p->set->diagnostics, TAC_ERROR, spec_file_name(p), start.line,
                            start.column,
                            "only an [EXIT] has a value: remove \"... =\" or write [EXIT]");
        p->failed = true;
    }
    atom.first_param = (uint32_t)p->set->params.count;
    struct spec_param receiver = {.kind = PARAM_NULL, .name = TAC_NONE};
    if (!p->failed && spec_take_sign(p, '[')) {
        receiver = spec_take_param(p);
        spec_need_sign(p, ']');
    }
    tac_vec_push(&p->set->params, receiver);
    atom.param_count = 1;
    tac_str type = {0};
    spec_take_type(p, "the return type", &type);
    atom.return_type = spec_name_of(p, &type);
    tac_str_free(&type);
    atom.method =
        spec_take_name(p, "the method's name with its class, as in android.app.Activity.finish");
    take_message_params(p, &atom);
    if (p->failed)
        return TAC_NONE;
    tac_vec_push(&p->set->atoms, atom);
    return spec_add_node(p, NODE_ATOM, (uint32_t)p->set->atoms.count - 1, TAC_NONE, &start);
}

/* Name(param, ...) */
static uint32_t parse_use(struct spec_parser *p)
{
    struct token start = p->token;
    struct spec_use use = {.first_param = (uint32_t)p->set->params.count};
    use.name = spec_take_name(p, "a name");
    spec_need_sign(p, '(');
    if (!p->failed && !spec_take_sign(p, ')')) {
        do {
            struct spec_param param = spec_take_param(p);
            tac_vec_push(&p->set->params, param);
            use.param_count++;
        } while (!p->failed && spec_take_sign(p, ','));
        spec_need_sign(p, ')');
    }
    if (p->failed)
        return TAC_NONE;
    tac_vec_push(&p->set->uses, use);
    return spec_add_node(p, NODE_NAME, (uint32_t)p->set->uses.count - 1, TAC_NONE, &start);
}

uint32_t spec_parse_primary(struct spec_parser *p)
{
    struct token start = p->token;
    if (p->failed)
        return TAC_NONE;
    if (spec_take_sign(p, '(')) {
        if (++p->depth > SPEC_MAX_DEPTH)
            return spec_expected(p, "at most 500 nested parentheses");
        uint32_t inner = spec_parse_sequence(p);
        p->depth--;
        spec_need_sign(p, ')');
        return inner;
    }
    if (spec_is_sign(&p->ahead, '=') || spec_is_sign(&p->token, '['))
        return parse_message(p);
    if (spec_is_word(&p->token, "TRUE") || spec_is_word(&p->token, "FALSE")) {
        enum node_kind kind = spec_is_word(&p->token, "TRUE") ? NODE_TRUE : NODE_FALSE;
        spec_advance(p);
        return spec_add_node(p, kind, TAC_NONE, TAC_NONE, &start);
    }
    if (p->token.kind == TOKEN_ID && spec_is_sign(&p->ahead, '('))
        return parse_use(p);
    return spec_expected(
        p, "a message such as [CB] [ENTRY] [x] void Cls.m(), a name, TRUE, FALSE or '('");
}

static uint32_t parse_not(struct spec_parser *p)
{
    struct token start = p->token;
    unsigned count = 0;
    while (!p->failed && spec_take_sign(p, '!'))
        count++;
    uint32_t node = spec_parse_primary(p);
    for (count %= 2; count; count--)
        node = spec_add_node(p, NODE_NOT, node, TAC_NONE, &start);
    return node;
}

static uint32_t parse_star(struct spec_parser *p)
{
    struct token start = p->token;
    uint32_t node = parse_not(p);
    bool starred = false;
    while (!p->failed && p->token.kind == TOKEN_STAR) {
        spec_advance(p);
        if (!starred) /* x[*][*] is x[*] */
            node = spec_add_node(p, NODE_STAR, node, TAC_NONE, &start);
        starred = true;
    }
    return node;
}

static uint32_t parse_boolean(struct spec_parser *p)
{
    uint32_t left = parse_star(p);
    while (!p->failed && (spec_is_sign(&p->token, '&') || spec_is_sign(&p->token, '|'))) {
        struct token sign = p->token;
        spec_advance(p);
        uint32_t right = parse_star(p);
        left = spec_add_node(p, spec_is_sign(&sign, '&') ? NODE_AND : NODE_OR, left, right, &sign);
    }
    return left;
}

uint32_t spec_parse_sequence(struct spec_parser *p)
{
    uint32_t left = parse_boolean(p);
    while (!p->failed && spec_is_sign(&p->token, ';')) {
        struct token sign = p->token;
        spec_advance(p);
        uint32_t right = parse_boolean(p);
        left = spec_add_node(p, NODE_SEQ, left, right, &sign);
    }
    return left;
}
