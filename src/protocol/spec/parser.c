/* A recursive-descent parser for lifestate rule files.
 *
 * A broken SPEC or REGEXP is reported with its place and skipped up to the next one, so that all
 * errors of a file come at once. Tokens between two specs that belong to neither are warned about
 * and kept in mind (left_out): they may be a rule, and without it nothing is proved. Depth is
 * bounded by SPEC_MAX_DEPTH, so the C stack is safe. */
#include "protocol/spec/parser.h"
#include "base/check.h"
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

/* ALIASES cid = [cid, ...], ... */
static void parse_aliases(struct spec_parser *p, struct spec_rule *rule)
{
    rule->first_alias = (uint32_t)p->set->aliases.count;
    do {
        struct spec_alias alias = {.first_to = (uint32_t)p->set->alias_names.count};
        alias.from = spec_take_name(p, "the name to replace");
        spec_need_sign(p, '=');
        spec_need_sign(p, '[');
        do {
            uint32_t to = spec_take_name(p, "a name");
            if (p->failed)
                return;
            tac_vec_push(&p->set->alias_names, to);
            alias.to_count++;
        } while (spec_take_sign(p, ','));
        spec_need_sign(p, ']');
        tac_vec_push(&p->set->aliases, alias);
        rule->alias_count++;
    } while (!p->failed && spec_take_sign(p, ','));
}

static void parse_spec(struct spec_parser *p)
{
    struct spec_rule rule = {.file = p->file, .line = p->token.line, .column = p->token.column};
    assert(spec_is_word(&p->token, "SPEC"));
    spec_advance(p);
    rule.body = spec_parse_sequence(p);
    if (p->failed)
        return;
    if (p->token.kind != TOKEN_ENABLE && p->token.kind != TOKEN_DISABLE) {
        spec_expected(p, "'|+', '|-' or an operator (';', '&', '|', '[*]')");
        return;
    }
    rule.permits = p->token.kind == TOKEN_ENABLE;
    spec_advance(p);
    rule.target = spec_parse_primary(p);
    if (!p->failed && spec_is_word(&p->token, "ALIASES")) {
        spec_advance(p);
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
            &p->set->diagnostics, TAC_WARNING, spec_file_name(p), named->line, named->column,
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
    assert(spec_is_word(&p->token, "REGEXP"));
    spec_advance(p);
    named.name = spec_take_name(p, "the name of the expression");
    spec_need_sign(p, '(');
    if (!p->failed && !spec_take_sign(p, ')')) {
        do {
            struct spec_param param = spec_take_param(p);
            if (param.kind != PARAM_VARIABLE && !p->failed)
                spec_expected(p, "a variable before this place");
            tac_vec_push(&p->set->params, param);
            named.param_count++;
        } while (!p->failed && spec_take_sign(p, ','));
        spec_need_sign(p, ')');
    }
    spec_need_sign(p, '=');
    spec_need_sign(p, '[');
    named.body = spec_parse_sequence(p);
    spec_need_sign(p, ']');
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
    spec_take_type(p, "the return type of a callback", &text);
    method.return_type = spec_name_of(p, &text);
    method.name = spec_take_name(p, "the callback's name, without its class");
    tac_str_clear(&text);
    spec_need_sign(p, '(');
    if (!p->failed && !spec_take_sign(p, ')')) {
        do {
            if (text.length)
                tac_str_add_char(&text, ',');
            spec_take_type(p, "a parameter's type", &text);
        } while (!p->failed && spec_take_sign(p, ','));
        spec_need_sign(p, ')');
    }
    method.types = spec_name_of(p, &text);
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
    assert(spec_is_word(&p->token, "LIFECYCLE"));
    spec_advance(p);
    do {
        uint32_t name = spec_take_name(p, "a class of the framework");
        if (!p->failed)
            tac_vec_push(&set->lifecycle_names, name);
    } while (!p->failed && spec_take_sign(p, ','));
    spec_need_sign(p, '=');
    spec_need_sign(p, '[');
    do
        parse_lifecycle_method(p);
    while (!p->failed && spec_take_sign(p, ','));
    spec_need_sign(p, ']');
    cycle.class_count = (uint32_t)set->lifecycle_names.count - cycle.first_class;
    cycle.method_count = (uint32_t)set->lifecycle_methods.count - cycle.first_method;
    if (!p->failed && cycle.method_count > SPEC_MAX_CALLBACKS)
        spec_expected(p, "at most 64 callbacks in a life cycle");
    if (!p->failed)
        tac_vec_push(&set->lifecycles, cycle);
}

static bool at_definition(const struct spec_parser *p)
{
    return spec_is_word(&p->token, "SPEC") || spec_is_word(&p->token, "REGEXP") ||
           spec_is_word(&p->token, "LIFECYCLE");
}

/* Everything up to the next SPEC, REGEXP, LIFECYCLE or the end belongs to nothing. */
static void skip_stray(struct spec_parser *p, bool warn)
{
    struct token start = p->token;
    size_t count = 0;
    while (p->token.kind != TOKEN_END && !at_definition(p)) {
        count++;
        spec_advance(p);
    }
    if (warn && count) {
        char found[96];
        spec_describe(&start, found, sizeof found);
        tac_diagnostics_add(&p->set->diagnostics, TAC_WARNING, spec_file_name(p), start.line,
                            start.column, "%zu stray token%s from %s on, left out", count,
                            count == 1 ? "" : "s", found);
        if (!p->set->left_out)
            p->set->left_out = tac_format("%s:%u: %zu stray token%s from %s on", spec_file_name(p),
                                          start.line, count, count == 1 ? "" : "s", found);
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
    spec_advance(&p);
    spec_advance(&p);
    while (p.token.kind != TOKEN_END) {
        p.failed = false;
        p.depth = 0;
        p.first_node = set->nodes.count;
        size_t cycles = set->lifecycles.count;
        if (spec_is_word(&p.token, "SPEC"))
            parse_spec(&p);
        else if (spec_is_word(&p.token, "REGEXP"))
            parse_named(&p);
        else if (spec_is_word(&p.token, "LIFECYCLE"))
            parse_lifecycle(&p);
        if (p.failed) {
            skip_stray(&p, false);
            continue;
        }
        if (p.token.kind == TOKEN_END)
            break;
        if (spec_is_sign(&p.token, ';')) {
            spec_advance(&p);
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
