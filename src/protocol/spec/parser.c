/* The definitions of lifestate rule files.
 *
 * A broken SPEC or REGEXP is reported with its place and skipped up to the next one, so that all
 * errors of a file come at once. Tokens between two specs that belong to neither are warned about
 * and kept in mind (left_out): they may be a rule, and without it nothing is proved. */
#include "protocol/spec/parser.h"
#include "base/data/digest.h"
#include "base/data/text.h"
#include <string.h>

static void warn(struct syntax *s, uint32_t line, uint32_t column, const char *text)
{
    tac_diagnostics_add(s->diagnostics, TAC_WARNING, s->file, line, column, "%s", text);
}

/* ALIASES cid = [cid, ...], ... */
static void take_aliases(struct syntax *s, struct spec_rule *rule)
{
    struct spec_set *set = spec_set_of(s);
    do {
        struct spec_alias alias = {.first_to = (uint32_t)set->alias_names.count};
        alias.from = spec_take_name(s, "the name to replace");
        syntax_need(s, "=", NULL);
        syntax_need(s, "[", NULL);
        do {
            uint32_t to = spec_take_name(s, "a name");
            tac_vec_push(&set->alias_names, to);
            alias.to_count++;
        } while (syntax_accept(s, ","));
        syntax_need(s, "]", "',' or ']'");
        tac_vec_push(&set->aliases, alias);
        rule->alias_count++;
    } while (syntax_accept(s, ","));
}

static void take_spec(struct syntax *s, const struct spec_parser *p, const struct syntax_token *at)
{
    struct spec_rule rule = {.file = p->file,
                             .line = at->line,
                             .column = at->column,
                             .first_alias = (uint32_t)p->set->aliases.count};
    rule.body = (uint32_t)syntax_expression(s, 0).index;
    rule.permits = syntax_accept(s, "|+");
    if (!rule.permits)
        syntax_need(s, "|-", "'|+', '|-' or an operator (';', '&', '|', '[*]')");
    if (!s->failed)
        rule.target = (uint32_t)spec_take_operand(s).index;
    if (syntax_accept(s, "ALIASES"))
        take_aliases(s, &rule);
    if (!s->failed)
        tac_vec_push(&p->set->rules, rule);
}

static void replace_earlier(struct syntax *s, const struct spec_named *named)
{
    struct spec_set *set = spec_set_of(s);
    for (size_t i = 0; i < set->named.count; i++) {
        struct spec_named *old = &set->named.at[i];
        if (old->replaced || old->name != named->name || old->param_count != named->param_count)
            continue;
        old->replaced = true;
        tac_diagnostics_add(s->diagnostics, TAC_WARNING, s->file, named->line, named->column,
                            "REGEXP %s replaces the one defined at %s:%u; remove one of them",
                            set->names.text[named->name], set->files.at[old->file], old->line);
    }
}

static void take_variable(struct syntax *s, void *context)
{
    struct spec_named *named = context;
    struct spec_param param = spec_take_param(s);
    if (param.kind != PARAM_VARIABLE)
        syntax_expected(s, "a variable before this place");
    tac_vec_push(&spec_set_of(s)->params, param);
    named->param_count++;
}

static void take_named(struct syntax *s, const struct spec_parser *p, const struct syntax_token *at)
{
    struct spec_named named = {.file = p->file,
                               .line = at->line,
                               .column = at->column,
                               .first_param = (uint32_t)p->set->params.count};
    named.name = spec_take_name(s, "the name of the expression");
    spec_take_list(s, take_variable, &named);
    syntax_need(s, "=", NULL);
    syntax_need(s, "[", NULL);
    named.body = (uint32_t)syntax_expression(s, 0).index;
    syntax_need(s, "]", "an operator (';', '&', '|', '[*]') or ']'");
    if (s->failed)
        return;
    replace_earlier(s, &named);
    tac_vec_push(&p->set->named, named);
}

static void take_parameter_type(struct syntax *s, void *context)
{
    spec_take_type(s, "a parameter's type", context);
}

/* type name(type, ...) of a life cycle. */
static void take_lifecycle_method(struct syntax *s)
{
    struct spec_method method;
    tac_str text = {0};
    spec_take_type(s, "the return type of a callback", &text);
    method.return_type = spec_name_of(s, &text);
    method.name = spec_take_name(s, "the callback's name, without its class");
    tac_str_clear(&text);
    spec_take_list(s, take_parameter_type, &text);
    method.types = spec_name_of(s, &text);
    if (!s->failed)
        tac_vec_push(&spec_set_of(s)->lifecycle_methods, method);
    tac_str_free(&text);
}

/* LIFECYCLE cid, ... = [ type name(type, ...), ... ] */
static void take_lifecycle(struct syntax *s, const struct spec_parser *p,
                           const struct syntax_token *at)
{
    struct spec_set *set = p->set;
    struct spec_lifecycle cycle = {.file = p->file,
                                   .line = at->line,
                                   .first_class = (uint32_t)set->lifecycle_names.count,
                                   .first_method = (uint32_t)set->lifecycle_methods.count};
    do {
        uint32_t name = spec_take_name(s, "a class of the framework");
        tac_vec_push(&set->lifecycle_names, name);
    } while (syntax_accept(s, ","));
    syntax_need(s, "=", NULL);
    syntax_need(s, "[", NULL);
    do
        take_lifecycle_method(s);
    while (syntax_accept(s, ","));
    syntax_need(s, "]", "',' or ']'");
    cycle.class_count = (uint32_t)set->lifecycle_names.count - cycle.first_class;
    cycle.method_count = (uint32_t)set->lifecycle_methods.count - cycle.first_method;
    if (cycle.method_count > SPEC_MAX_CALLBACKS)
        syntax_expected(s, "at most 64 callbacks in a life cycle");
    if (!s->failed)
        tac_vec_push(&set->lifecycles, cycle);
}

/* Everything up to the next definition or the end belongs to nothing. */
static void skip_stray(struct syntax *s)
{
    static const char *const words[] = {"SPEC", "REGEXP", "LIFECYCLE", "ALIASES"};
    struct spec_set *set = spec_set_of(s);
    struct syntax_token start = s->token;
    size_t count = 0, quote = start.kind == SYNTAX_TEXT;
    for (; s->token.kind != SYNTAX_END && !syntax_at_statement(s); syntax_advance(s))
        count++;
    if (!count)
        return;
    size_t shown = start.length + 2 * quote > 60 ? 60 : start.length + 2 * quote;
    char *text = tac_format("%zu stray token%s from '%.*s' on", count, count == 1 ? "" : "s",
                            (int)shown, start.text - quote);
    char *word = tac_strndup(start.text, start.kind == SYNTAX_WORD ? start.length : 0);
    tac_diagnostics_add(s->diagnostics, TAC_WARNING, s->file, start.line, start.column,
                        "%s, left out%s", text,
                        tac_meant(word, words, sizeof words / sizeof *words).text);
    if (!set->left_out)
        set->left_out = tac_format("%s:%u: %s", s->file, start.line, text);
    free(text);
    free(word);
}

/* The set's hash chains the files: of the hash so far and the next file's content. */
static void hash_file(struct spec_set *set, const char *text, size_t size)
{
    tac_digest *digest = tac_digest_new();
    tac_digest_add(digest, set->hash, strlen(set->hash));
    tac_digest_add(digest, text, size);
    tac_digest_end(digest, set->hash);
}

/* A definition at the present token; false when there is none. */
static bool take_definition(struct syntax *s, const struct spec_parser *p)
{
    struct syntax_token at = s->token;
    s->nodes = 0;
    if (syntax_accept(s, "SPEC"))
        take_spec(s, p, &at);
    else if (syntax_accept(s, "REGEXP"))
        take_named(s, p, &at);
    else if (syntax_accept(s, "LIFECYCLE"))
        take_lifecycle(s, p, &at);
    else
        return false;
    return true;
}

void spec_add_text(struct spec_set *set, const char *name, const char *text, size_t size)
{
    struct spec_parser p = {set, (uint32_t)set->files.count, TAC_NONE, TAC_NONE};
    tac_vec_push(&set->files, tac_strdup(name));
    struct syntax s = {
        .context = &p, .file = tac_vec_last(&set->files), .diagnostics = &set->diagnostics};
    size_t mark = tac_byte_order_mark(text, size);
    hash_file(set, text, size);
    if (mark)
        warn(&s, 1, 1, "the file starts with a byte order mark, skipped");
    syntax_open(&s, &spec_syntax, text + mark, size - mark, 1, 1);
    while (s.token.kind != SYNTAX_END) {
        bool taken = take_definition(&s, &p);
        if (s.failed) {
            syntax_recover(&s, false);
            continue;
        }
        if (syntax_accept(&s, ";")) {
            if (s.token.kind == SYNTAX_END)
                warn(&s, s.token.line, s.token.column, "a ';' after the last rule of the file");
        } else if (taken && syntax_at_statement(&s)) {
            warn(&s, s.token.line, s.token.column, "a ';' is missing before this rule");
        }
        skip_stray(&s);
    }
}
