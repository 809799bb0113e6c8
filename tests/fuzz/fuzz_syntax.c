/* The kernel of expressions, with a language that uses all of it and one whose lines matter: every
 * text is read to its end, in tokens that lie in order inside the text, and each mistake has a
 * place in it. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "fuzz_target.h"
#include "small_language.h"

static void read_statements(struct syntax *s)
{
    const char *before = s->token.text;
    while (s->token.kind != SYNTAX_END) {
        if (!syntax_accept(s, "let") && !syntax_accept(s, "show"))
            syntax_accept(s, ";");
        syntax_node node = syntax_expression(s, 0);
        assert(s->failed || node.at);
        if (!s->failed && s->token.kind != SYNTAX_END && !syntax_at_statement(s))
            syntax_expected(s, "an operator or a statement");
        assert(s->token.text >= before && s->token.text <= s->end);
        bool moved = s->token.text > before;
        before = s->token.text;
        syntax_recover(s, true);
        if (!moved && s->token.text == before && s->token.kind != SYNTAX_END)
            syntax_advance(s);
    }
}

static void read_with(const struct syntax_language *language, const char *text, size_t size)
{
    tac_arena arena = {0};
    tac_diagnostics found = {0};
    struct syntax s = {.context = &arena, .file = "f", .diagnostics = &found};
    syntax_open(&s, language, text, size, 1, 1);
    read_statements(&s);
    for (size_t i = 0; i < found.count; i++)
        assert(found.at[i].line >= 1 && found.at[i].line <= s.line && found.at[i].column >= 1);
    tac_diagnostics_free(&found);
    tac_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = tac_strndup((const char *)data, size); /* NULs stay: the length counts */
    struct syntax_language lines = small_language;
    lines.line_ends = "\n;";
    lines.statements = NULL;
    lines.long_texts = true;
    lines.numbers = SYNTAX_SIGNED;
    read_with(&small_language, (const char *)data, size);
    read_with(&lines, text, strlen(text));
    free(text);
    return 0;
}
