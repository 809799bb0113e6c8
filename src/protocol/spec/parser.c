/* A recursive-descent parser for lifestate rule files.
 *
 * A broken SPEC or REGEXP is reported with its place and skipped up to the next one, so that all
 * errors of a file come at once. Tokens between two specs that belong to neither are only warned
 * about: published files have them. Depth is bounded by SPEC_MAX_DEPTH, so the C stack is safe. */
#include "base/check.h"
#include "protocol/spec/spec.h"
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

struct spec_parser {
    struct spec_set *set;
    struct spec_lexer lexer;
    struct token token, ahead; /* one token of look-ahead besides the current one */
    uint32_t file;
    unsigned depth;
    bool failed;       /* the current spec is broken and was reported */
    size_t first_node; /* of the current spec, for its size limit */
};

static void advance(struct spec_parser *p)
{
    p->token = p->ahead;
    p->ahead = spec_lexer_next(&p->lexer);
}

static const char *file_name(const struct spec_parser *p)
{
    return p->set->files.at[p->file];
}

static bool is_sign(const struct token *t, char c)
{
    return t->kind == TOKEN_SIGN && t->text[0] == c;
}

static bool is_word(const struct token *t, const char *word)
{
    return t->kind == TOKEN_ID && t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

static void describe(const struct token *t, char *buffer, size_t size)
{
    if (t->kind == TOKEN_END)
        snprintf(buffer, size, "the end of the file");
    else
        snprintf(buffer, size, "'%.*s'", (int)(t->length > 60 ? 60 : t->length), t->text);
}

/* Reports once per spec: what was expected here. */
static uint32_t expected(struct spec_parser *p, const char *what)
{
    if (!p->failed) {
        char found[96];
        describe(&p->token, found, sizeof found);
        tac_diagnostics_add(&p->set->diagnostics, TAC_ERROR, file_name(p), p->token.line,
                            p->token.column, "expected %s, found %s", what, found);
    }
    p->failed = true;
    return TAC_NONE;
}

static bool take_sign(struct spec_parser *p, char c)
{
    if (!is_sign(&p->token, c))
        return false;
    advance(p);
    return true;
}

static void need_sign(struct spec_parser *p, char c)
{
    char what[4] = {'\'', c, '\'', 0};
    if (!p->failed && !take_sign(p, c))
        expected(p, what);
}

static uint32_t token_name(struct spec_parser *p)
{
    return tac_names_intern_bytes(&p->set->names, p->token.text, p->token.length);
}

static uint32_t take_name(struct spec_parser *p, const char *what)
{
    if (p->failed || p->token.kind != TOKEN_ID)
        return expected(p, what);
    uint32_t name = token_name(p);
    advance(p);
    return name;
}

static uint32_t add_node(struct spec_parser *p, enum node_kind kind, uint32_t left, uint32_t right,
                         const struct token *at)
{
    assert(p->first_node <= p->set->nodes.count);
    if (p->failed)
        return TAC_NONE;
    if (p->set->nodes.count - p->first_node >= SPEC_MAX_NODES) {
        tac_diagnostics_add(&p->set->diagnostics, TAC_ERROR, file_name(p), at->line, at->column,
                            "a rule with more than %d parts: split it", SPEC_MAX_NODES);
        p->failed = true;
        return TAC_NONE;
    }
    struct spec_node node = {
        .kind = kind, .left = left, .right = right, .line = at->line, .column = at->column};
    tac_vec_push(&p->set->nodes, node);
    return (uint32_t)p->set->nodes.count - 1;
}

static struct spec_param take_param(struct spec_parser *p)
{
    struct spec_param param = {.kind = PARAM_ANY, .name = TAC_NONE};
    struct token t = p->token;
    if (p->failed)
        return param;
    if (is_sign(&t, '#')) {
        param.kind = PARAM_ANY;
    } else if (t.kind == TOKEN_STRING) {
        param.kind = PARAM_CONSTANT;
        param.name = tac_names_intern_bytes(&p->set->names, t.text + 1, t.length - 2);
    } else if (t.kind == TOKEN_NUMBER) {
        param.kind = PARAM_CONSTANT;
        param.name = token_name(p);
    } else if (is_word(&t, "TRUE") || is_word(&t, "FALSE")) {
        param.kind = PARAM_CONSTANT;
        param.name = tac_names_intern(&p->set->names, is_word(&t, "TRUE") ? "true" : "false");
    } else if (is_word(&t, "NULL")) {
        param.kind = PARAM_NULL;
    } else if (t.kind == TOKEN_ID) {
        param.kind = PARAM_VARIABLE;
        param.name = token_name(p);
    } else {
        expected(p, "a variable, a constant or '#'");
        return param;
    }
    advance(p);
    return param;
}

/* cid or cid[]...; appended to out. */
static void take_type(struct spec_parser *p, const char *what, tac_str *out)
{
    if (p->failed || p->token.kind != TOKEN_ID) {
        expected(p, what);
        return;
    }
    tac_str_add_bytes(out, p->token.text, p->token.length);
    advance(p);
    while (is_sign(&p->token, '[') && is_sign(&p->ahead, ']')) {
        tac_str_add(out, "[]");
        advance(p);
        advance(p);
    }
}

static uint32_t name_of(struct spec_parser *p, const tac_str *text)
{
    return tac_names_intern_bytes(&p->set->names, tac_str_text(text), text->length);
}

/* "[WORD]" where WORD is one of two; returns which, or -1 after reporting. */
static int take_bracket(struct spec_parser *p, const char *first, const char *second,
                        const char *what)
{
    if (p->failed)
        return -1;
    if (is_sign(&p->token, '[') && (is_word(&p->ahead, first) || is_word(&p->ahead, second))) {
        advance(p);
        int which = is_word(&p->token, first) ? 0 : 1;
        advance(p);
        need_sign(p, ']');
        return which;
    }
    expected(p, what);
    return -1;
}

/* (param : type, ...) of a message. Parameters go to set->params in one run. */
static void take_message_params(struct spec_parser *p, struct spec_atom *atom)
{
    tac_str types = {0};
    need_sign(p, '(');
    if (!p->failed && take_sign(p, ')')) {
        atom->types = name_of(p, &types);
        return;
    }
    while (!p->failed) {
        struct spec_param param = take_param(p);
        need_sign(p, ':');
        if (types.length)
            tac_str_add_char(&types, ',');
        take_type(p, "the type of the parameter", &types);
        tac_vec_push(&p->set->params, param);
        atom->param_count++;
        if (!p->failed && take_sign(p, ','))
            continue;
        need_sign(p, ')');
        break;
    }
    atom->types = name_of(p, &types);
    tac_str_free(&types);
}

/* [param =] [CI|CB] [ENTRY|EXIT] [ [param] ] rettype pkg.Cls.method(...) */
static uint32_t parse_message(struct spec_parser *p)
{
    struct token start = p->token;
    struct spec_atom atom = {0};
    if (!is_sign(&p->token, '[')) {
        atom.has_result = true;
        atom.result = take_param(p);
        need_sign(p, '=');
    }
    bool callin = take_bracket(p, "CB", "CI", "[CB] or [CI]") == 1;
    bool is_exit = take_bracket(p, "ENTRY", "EXIT", "[ENTRY] or [EXIT]") == 1;
    atom.direction = direction_of(callin ? CALLIN : CALLBACK, is_exit);
    if (atom.has_result && !is_exit && !p->failed) {
        tac_diagnostics_add(&p->set->diagnostics, TAC_ERROR, file_name(p), start.line, start.column,
                            "only an [EXIT] has a value: remove \"... =\" or write [EXIT]");
        p->failed = true;
    }
    atom.first_param = (uint32_t)p->set->params.count;
    struct spec_param receiver = {.kind = PARAM_NULL, .name = TAC_NONE};
    if (!p->failed && take_sign(p, '[')) {
        receiver = take_param(p);
        need_sign(p, ']');
    }
    tac_vec_push(&p->set->params, receiver);
    atom.param_count = 1;
    tac_str type = {0};
    take_type(p, "the return type", &type);
    atom.return_type = name_of(p, &type);
    tac_str_free(&type);
    atom.method =
        take_name(p, "the method's name with its class, as in android.app.Activity.finish");
    take_message_params(p, &atom);
    if (p->failed)
        return TAC_NONE;
    tac_vec_push(&p->set->atoms, atom);
    return add_node(p, NODE_ATOM, (uint32_t)p->set->atoms.count - 1, TAC_NONE, &start);
}

/* Name(param, ...) */
static uint32_t parse_use(struct spec_parser *p)
{
    struct token start = p->token;
    struct spec_use use = {.first_param = (uint32_t)p->set->params.count};
    use.name = take_name(p, "a name");
    need_sign(p, '(');
    if (!p->failed && !take_sign(p, ')')) {
        do {
            struct spec_param param = take_param(p);
            tac_vec_push(&p->set->params, param);
            use.param_count++;
        } while (!p->failed && take_sign(p, ','));
        need_sign(p, ')');
    }
    if (p->failed)
        return TAC_NONE;
    tac_vec_push(&p->set->uses, use);
    return add_node(p, NODE_NAME, (uint32_t)p->set->uses.count - 1, TAC_NONE, &start);
}

static uint32_t parse_sequence(struct spec_parser *p);

static uint32_t parse_primary(struct spec_parser *p)
{
    struct token start = p->token;
    if (p->failed)
        return TAC_NONE;
    if (take_sign(p, '(')) {
        if (++p->depth > SPEC_MAX_DEPTH)
            return expected(p, "at most 500 nested parentheses");
        uint32_t inner = parse_sequence(p);
        p->depth--;
        need_sign(p, ')');
        return inner;
    }
    if (is_sign(&p->ahead, '=') || is_sign(&p->token, '['))
        return parse_message(p);
    if (is_word(&p->token, "TRUE") || is_word(&p->token, "FALSE")) {
        enum node_kind kind = is_word(&p->token, "TRUE") ? NODE_TRUE : NODE_FALSE;
        advance(p);
        return add_node(p, kind, TAC_NONE, TAC_NONE, &start);
    }
    if (p->token.kind == TOKEN_ID && is_sign(&p->ahead, '('))
        return parse_use(p);
    return expected(p,
                    "a message such as [CB] [ENTRY] [x] void Cls.m(), a name, TRUE, FALSE or '('");
}

static uint32_t parse_not(struct spec_parser *p)
{
    struct token start = p->token;
    unsigned count = 0;
    while (!p->failed && take_sign(p, '!'))
        count++;
    uint32_t node = parse_primary(p);
    for (count %= 2; count; count--)
        node = add_node(p, NODE_NOT, node, TAC_NONE, &start);
    return node;
}

static uint32_t parse_star(struct spec_parser *p)
{
    struct token start = p->token;
    uint32_t node = parse_not(p);
    bool starred = false;
    while (!p->failed && p->token.kind == TOKEN_STAR) {
        advance(p);
        if (!starred) /* x[*][*] is x[*] */
            node = add_node(p, NODE_STAR, node, TAC_NONE, &start);
        starred = true;
    }
    return node;
}

static uint32_t parse_boolean(struct spec_parser *p)
{
    uint32_t left = parse_star(p);
    while (!p->failed && (is_sign(&p->token, '&') || is_sign(&p->token, '|'))) {
        struct token sign = p->token;
        advance(p);
        uint32_t right = parse_star(p);
        left = add_node(p, is_sign(&sign, '&') ? NODE_AND : NODE_OR, left, right, &sign);
    }
    return left;
}

static uint32_t parse_sequence(struct spec_parser *p)
{
    uint32_t left = parse_boolean(p);
    while (!p->failed && is_sign(&p->token, ';')) {
        struct token sign = p->token;
        advance(p);
        uint32_t right = parse_boolean(p);
        left = add_node(p, NODE_SEQ, left, right, &sign);
    }
    return left;
}

/* ALIASES cid = [cid, ...], ... */
static void parse_aliases(struct spec_parser *p, struct spec_rule *rule)
{
    rule->first_alias = (uint32_t)p->set->aliases.count;
    do {
        struct spec_alias alias = {.first_to = (uint32_t)p->set->alias_names.count};
        alias.from = take_name(p, "the name to replace");
        need_sign(p, '=');
        need_sign(p, '[');
        do {
            uint32_t to = take_name(p, "a name");
            if (p->failed)
                return;
            tac_vec_push(&p->set->alias_names, to);
            alias.to_count++;
        } while (take_sign(p, ','));
        need_sign(p, ']');
        tac_vec_push(&p->set->aliases, alias);
        rule->alias_count++;
    } while (!p->failed && take_sign(p, ','));
}

static void parse_spec(struct spec_parser *p)
{
    struct spec_rule rule = {.file = p->file, .line = p->token.line, .column = p->token.column};
    assert(is_word(&p->token, "SPEC"));
    advance(p);
    rule.body = parse_sequence(p);
    if (p->failed)
        return;
    if (p->token.kind != TOKEN_ENABLE && p->token.kind != TOKEN_DISABLE) {
        expected(p, "'|+', '|-' or an operator (';', '&', '|', '[*]')");
        return;
    }
    rule.permits = p->token.kind == TOKEN_ENABLE;
    advance(p);
    rule.target = parse_primary(p);
    if (!p->failed && is_word(&p->token, "ALIASES")) {
        advance(p);
        parse_aliases(p, &rule);
    }
    if (!p->failed)
        tac_vec_push(&p->set->rules, rule);
}

static void replace_earlier(struct spec_parser *p, const struct spec_named *named)
{
    for (size_t i = 0; i < p->set->named.count; i++) {
        struct spec_named *old = &p->set->named.at[i];
        if (old->replaced || old->name != named->name || old->param_count != named->param_count)
            continue;
        old->replaced = true;
        tac_diagnostics_add(
            &p->set->diagnostics, TAC_WARNING, file_name(p), named->line, named->column,
            "REGEXP %s replaces the one defined at %s:%u; remove one of them",
            p->set->names.text[named->name], p->set->files.at[old->file], old->line);
    }
}

static void parse_named(struct spec_parser *p)
{
    struct spec_named named = {.file = p->file,
                               .line = p->token.line,
                               .column = p->token.column,
                               .first_param = (uint32_t)p->set->params.count};
    assert(is_word(&p->token, "REGEXP"));
    advance(p);
    named.name = take_name(p, "the name of the expression");
    need_sign(p, '(');
    if (!p->failed && !take_sign(p, ')')) {
        do {
            struct spec_param param = take_param(p);
            if (param.kind != PARAM_VARIABLE && !p->failed)
                expected(p, "a variable before this place");
            tac_vec_push(&p->set->params, param);
            named.param_count++;
        } while (!p->failed && take_sign(p, ','));
        need_sign(p, ')');
    }
    need_sign(p, '=');
    need_sign(p, '[');
    named.body = parse_sequence(p);
    need_sign(p, ']');
    if (p->failed)
        return;
    replace_earlier(p, &named);
    tac_vec_push(&p->set->named, named);
}

/* type name(type, ...) of a life cycle. */
static void parse_lifecycle_method(struct spec_parser *p)
{
    struct spec_method method = {0};
    tac_str text = {0};
    take_type(p, "the return type of a callback", &text);
    method.return_type = name_of(p, &text);
    method.name = take_name(p, "the callback's name, without its class");
    tac_str_clear(&text);
    need_sign(p, '(');
    if (!p->failed && !take_sign(p, ')')) {
        do {
            if (text.length)
                tac_str_add_char(&text, ',');
            take_type(p, "a parameter's type", &text);
        } while (!p->failed && take_sign(p, ','));
        need_sign(p, ')');
    }
    method.types = name_of(p, &text);
    if (!p->failed)
        tac_vec_push(&p->set->lifecycle_methods, method);
    tac_str_free(&text);
}

/* LIFECYCLE cid, ... = [ type name(type, ...), ... ] */
static void parse_lifecycle(struct spec_parser *p)
{
    struct spec_set *set = p->set;
    struct spec_lifecycle cycle = {.file = p->file,
                                   .line = p->token.line,
                                   .first_class = (uint32_t)set->lifecycle_names.count,
                                   .first_method = (uint32_t)set->lifecycle_methods.count};
    assert(is_word(&p->token, "LIFECYCLE"));
    advance(p);
    do {
        uint32_t name = take_name(p, "a class of the framework");
        if (!p->failed)
            tac_vec_push(&set->lifecycle_names, name);
    } while (!p->failed && take_sign(p, ','));
    need_sign(p, '=');
    need_sign(p, '[');
    do
        parse_lifecycle_method(p);
    while (!p->failed && take_sign(p, ','));
    need_sign(p, ']');
    cycle.class_count = (uint32_t)set->lifecycle_names.count - cycle.first_class;
    cycle.method_count = (uint32_t)set->lifecycle_methods.count - cycle.first_method;
    if (!p->failed && cycle.method_count > SPEC_MAX_CALLBACKS)
        expected(p, "at most 64 callbacks in a life cycle");
    if (!p->failed)
        tac_vec_push(&set->lifecycles, cycle);
}

static bool at_definition(const struct spec_parser *p)
{
    return is_word(&p->token, "SPEC") || is_word(&p->token, "REGEXP") ||
           is_word(&p->token, "LIFECYCLE");
}

/* Everything up to the next SPEC, REGEXP, LIFECYCLE or the end belongs to nothing. */
static void skip_stray(struct spec_parser *p, bool warn)
{
    struct token start = p->token;
    size_t count = 0;
    while (p->token.kind != TOKEN_END && !at_definition(p)) {
        count++;
        advance(p);
    }
    if (warn && count) {
        char found[96];
        describe(&start, found, sizeof found);
        tac_diagnostics_add(&p->set->diagnostics, TAC_WARNING, file_name(p), start.line,
                            start.column, "%zu stray token%s from %s on, left out", count,
                            count == 1 ? "" : "s", found);
    }
}

/* The set's hash chains the files: of the hash so far and the next file's content. */
static void hash_file(struct spec_set *set, const char *text, size_t size)
{
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, strlen(set->hash), (const uint8_t *)set->hash);
    sha256_update(&context, size, (const uint8_t *)text);
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++)
        snprintf(set->hash + 2 * i, 3, "%02x", digest[i]);
}

void spec_add_text(struct spec_set *set, const char *name, const char *text, size_t size)
{
    struct spec_parser p = {.set = set, .file = (uint32_t)set->files.count};
    tac_vec_push(&set->files, tac_strdup(name));
    hash_file(set, text, size);
    if (size >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3)) {
        tac_diagnostics_add(&set->diagnostics, TAC_WARNING, name, 1, 1,
                            "the file starts with a byte order mark, skipped");
        text += 3;
        size -= 3;
    }
    spec_lexer_start(&p.lexer, text, size);
    advance(&p);
    advance(&p);
    while (p.token.kind != TOKEN_END) {
        p.failed = false;
        p.depth = 0;
        p.first_node = set->nodes.count;
        size_t cycles = set->lifecycles.count;
        if (is_word(&p.token, "SPEC"))
            parse_spec(&p);
        else if (is_word(&p.token, "REGEXP"))
            parse_named(&p);
        else if (is_word(&p.token, "LIFECYCLE"))
            parse_lifecycle(&p);
        if (p.failed) {
            skip_stray(&p, false);
            continue;
        }
        if (p.token.kind == TOKEN_END)
            break;
        if (is_sign(&p.token, ';')) {
            advance(&p);
            if (p.token.kind == TOKEN_END)
                tac_diagnostics_add(&set->diagnostics, TAC_WARNING, name, p.token.line,
                                    p.token.column, "a ';' after the last rule of the file");
            if (at_definition(&p) || p.token.kind == TOKEN_END)
                continue;
        } else if (at_definition(&p) &&
                   (p.first_node != set->nodes.count || set->lifecycles.count > cycles)) {
            tac_diagnostics_add(&set->diagnostics, TAC_WARNING, name, p.token.line, p.token.column,
                                "a ';' is missing before this rule");
            continue;
        }
        skip_stray(&p, true);
    }
}
