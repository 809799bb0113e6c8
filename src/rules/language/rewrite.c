/* An edited rule set written into the text it was read from: rules that are as they were keep their
 * words, blanks and comments, a changed rule is written anew in its place, new states and rules
 * come after the last rule.
 *
 * What counts as changed is decided on the canonical text of both rule sets (write.c). The
 * result is read back and compared with the wanted rule set; where it differs (a rule in JSON, a
 * change of something else than rules), the rule set is written afresh instead. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/io/memory.h"
#include "rules/language/build.h"
#include <string.h>

/* The canonical text, and in it the statement of each rule and each state. */
struct statements {
    char *text;
    tac_names heads; /* "rule NAME" or "state NAME" */
    TAC_VEC(const char *) lines;
};

static char *canonical_text(const tac_rules *rules)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = tac_memory_open(&text, &size);
    tac_status status = tac_rules_write(rules, memory, NULL);
    tac_memory_close(memory);
    assert(status == TAC_OK);
    return text;
}

/* Names are words, so a head ends at the first blank or ':' after "rule " or "state ". */
static void statements_open(struct statements *s, const tac_rules *rules)
{
    *s = (struct statements){.text = canonical_text(rules)};
    for (char *line = s->text; *line;) {
        size_t length = strcspn(line, "\n");
        size_t keyword = strncmp(line, "rule ", 5) == 0    ? 5
                         : strncmp(line, "state ", 6) == 0 ? 6
                                                           : 0;
        line[length] = '\0';
        if (keyword) {
            size_t head = keyword + strcspn(line + keyword, " :");
            tac_names_intern_bytes(&s->heads, line, head);
            tac_vec_push(&s->lines, line);
        }
        line += length + 1;
    }
}

static void statements_free(struct statements *s)
{
    free(s->text);
    tac_names_free(&s->heads);
    tac_vec_free(&s->lines);
}

static const char *statement_of(const struct statements *s, const char *head, size_t length)
{
    uint32_t id = tac_names_find_bytes(&s->heads, head, length);
    assert(s->lines.count == s->heads.count);
    return id == TAC_NONE ? NULL : s->lines.at[id];
}

static void add_new(const struct statements *before, const struct statements *after, tac_str *out)
{
    for (uint32_t i = 0; i < after->heads.count; i++)
        if (!statement_of(before, after->heads.text[i], after->heads.length[i]))
            tac_str_addf(out, "%s\n", after->lines.at[i]);
}

/* The changed statement of the rule that a source statement defines, or NULL. */
static const char *changed_rule(const struct syntax *s, const struct statements *before,
                                const struct statements *after)
{
    if (!syntax_is(s, "rule") || s->ahead.kind != SYNTAX_WORD)
        return NULL;
    char *head = tac_format("rule %.*s", (int)s->ahead.length, s->ahead.text);
    const char *was = statement_of(before, head, strlen(head));
    const char *is = statement_of(after, head, strlen(head));
    free(head);
    return was && is && strcmp(was, is) != 0 ? is : NULL;
}

static void copy(const char *from, const char *to, tac_str *out)
{
    assert(from <= to);
    tac_str_add_bytes(out, from, (size_t)(to - from));
}

static char *rewrite(const char *text, size_t size, const struct statements *before,
                     const struct statements *after)
{
    tac_str out = {0};
    const char *end = text + size, *copied = text, *last_rule = text;
    struct syntax s = {0};
    syntax_open(&s, &rules_syntax, text, size, 1, 1);
    for (; s.token.kind != SYNTAX_END; syntax_advance(&s)) {
        if (s.token.kind == SYNTAX_LINE)
            continue;
        const char *start = s.token.text, *anew = changed_rule(&s, before, after);
        bool rule = syntax_is(&s, "rule");
        syntax_recover(&s, false);
        if (anew) {
            copy(copied, start, &out);
            tac_str_add(&out, anew);
            copied = s.last_end;
        }
        if (rule)
            last_rule = s.last_end;
    }
    const char *newline = memchr(last_rule, '\n', (size_t)(end - last_rule));
    const char *place = newline ? newline + 1 : end;
    assert(copied <= place && place <= end);
    copy(copied, place, &out);
    if (!newline && out.length)
        tac_str_add_char(&out, '\n');
    add_new(before, after, &out);
    copy(place, end, &out);
    return tac_str_take(&out);
}

/* Does the text read as this rule set? */
static bool reads_as(const char *text, const tac_rules *rules)
{
    tac_diagnostics ignored = {0};
    tac_rules *read = NULL;
    tac_error err;
    bool same = false;
    if (tac_rules_parse(rules->file, text, strlen(text), &ignored, &read, &err) == TAC_OK) {
        char *got = canonical_text(read), *wanted = canonical_text(rules);
        same = strcmp(got, wanted) == 0;
        free(got);
        free(wanted);
    }
    tac_rules_free(read);
    tac_diagnostics_free(&ignored);
    return same;
}

tac_status tac_rules_rewrite(const char *text, size_t size, const tac_rules *rules, FILE *out,
                             tac_error *err)
{
    tac_diagnostics ignored = {0};
    tac_rules *source = NULL;
    tac_error none;
    char *result = NULL;
    if (tac_rules_parse(rules->file, text, size, &ignored, &source, &none) == TAC_OK) {
        struct statements before, after;
        statements_open(&before, source);
        statements_open(&after, rules);
        result = rewrite(text, size, &before, &after);
        statements_free(&before);
        statements_free(&after);
    }
    bool kept = result && reads_as(result, rules);
    if (kept)
        fputs(result, out);
    free(result);
    tac_rules_free(source);
    tac_diagnostics_free(&ignored);
    if (!kept)
        return tac_rules_write(rules, out, err);
    return ferror(out) ? tac_fail(err, TAC_E_IO, "cannot write the rules") : TAC_OK;
}
