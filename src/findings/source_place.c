/* The statement at a place of a script, and the function around it.
 *
 * The script is read once from its beginning, so that strings, templates, comments and regular
 * expressions are told from code; open brackets are a stack, and each knows where its present
 * statement began. A statement ends with ';', with the block that it opens or stands in, or at the
 * end of a line that the next one does not continue. It is not a parser: where it takes two
 * statements for one or one for two, it does so for every engine alike, which is what identities
 * need. Linear in the script. */
#include "base/data/vec.h"
#include "findings/identity.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATEMENT = 300 };

struct open_bracket {
    size_t at, statement; /* where it stands; where the present statement within began */
};

struct script_reader {
    const char *text;
    size_t length, at;
    TAC_VEC(struct open_bracket) open; /* the first stands for the whole script */
    char last;                         /* the last character of code that is no blank */
    size_t last_at;
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '#' || (c & 0x80);
}

static size_t word_before(const char *text, size_t end)
{
    size_t from = end;
    while (from > 0 && is_word(text[from - 1]))
        from--;
    return from;
}

static bool is_one_of(const char *text, size_t from, size_t end, const char *const *words)
{
    for (; *words; words++)
        if (strlen(*words) == end - from && memcmp(text + from, *words, end - from) == 0)
            return true;
    return false;
}

/* Whether '/' begins a regular expression: after an operator, or a word that a value follows. */
static bool regex_may_begin(const struct script_reader *r)
{
    static const char *const words[] = {"return", "typeof", "case", "in",   "of", "delete",
                                        "void",   "throw",  "new",  "else", "do", NULL};
    if (!is_word(r->last))
        return r->last != ')' && r->last != ']' && r->last != '}' && r->last != '"';
    return is_one_of(r->text, word_before(r->text, r->last_at + 1), r->last_at + 1, words);
}

/* Behind a string, a template or a regular expression that begins at `at`. */
static size_t skip_literal(const struct script_reader *r, size_t at)
{
    char mark = r->text[at];
    bool class = false;
    for (at++; at < r->length; at++) {
        char c = r->text[at];
        if (c == '\\')
            at++;
        else if (c == '\n' && mark != '`')
            return at;
        else if (mark == '/' && (c == '[' || c == ']'))
            class = c == '[';
        else if (c == mark && !class)
            return at + 1;
    }
    return r->length;
}

/* Behind a comment that begins at `at`; `at` itself when none does. */
static size_t skip_comment(const struct script_reader *r, size_t at)
{
    if (r->text[at] != '/' || at + 1 >= r->length)
        return at;
    const char *end = r->text[at + 1] == '/'   ? strchr(r->text + at, '\n')
                      : r->text[at + 1] == '*' ? strstr(r->text + at + 2, "*/")
                                               : r->text + at;
    if (!end)
        return r->length;
    return (size_t)(end - r->text) + (r->text[at + 1] == '*' ? 2 : 0);
}

/* The next character of code from `at` on, and whether a line ends before it. */
static size_t next_code(const struct script_reader *r, size_t at, bool *line_ends)
{
    for (*line_ends = false; at < r->length;) {
        size_t behind = skip_comment(r, at);
        *line_ends |= r->text[at] == '\n';
        if (behind == at && !isspace((unsigned char)r->text[at]))
            break;
        at = behind == at ? at + 1 : behind;
    }
    return at;
}

/* Whether a statement ends between the last character and the next one, which stands on another
 * line. */
static bool line_ends_statement(char last, const char *next)
{
    static const char *const words[] = {"in ", "instanceof ", "else", "catch", "finally"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(next, words[i], strlen(words[i])) == 0)
            return false;
    bool counts = !strncmp(next, "++", 2) || !strncmp(next, "--", 2);
    return !strchr("=+-*%&|^<>!~?:,.([{", last) &&
           (counts || !strchr(".,?:)]=+-*/%&|^<>([`;", *next));
}

/* Takes one piece of code: a literal, a word's character, a bracket. */
static void take_piece(struct script_reader *r)
{
    char c = r->text[r->at];
    size_t from = r->at;
    bool literal = strchr("\"'`", c) || (c == '/' && regex_may_begin(r));
    r->at = literal ? skip_literal(r, from) : from + 1;
    if (strchr("({[", c))
        tac_vec_push(&r->open, (struct open_bracket){from, r->at});
    else if (strchr(")}]", c) && r->open.count > 1)
        r->open.count--;
    r->last = literal ? '"' : c;
    r->last_at = r->at - 1;
    bool line_ends;
    size_t next = next_code(r, r->at, &line_ends);
    struct open_bracket *in = &tac_vec_last(&r->open);
    bool block = r->open.count == 1 || r->text[in->at] == '{';
    bool closed = c == '}' && !literal && next < r->length && !strchr(".,)];?:([", r->text[next]);
    if (strchr("({[", c) && !literal)
        in->statement = next;
    else if (block &&
             ((c == ';' && !literal) || (closed && line_ends) ||
              (line_ends && next < r->length && line_ends_statement(r->last, r->text + next))))
        in->statement = next;
    r->at = next;
}

/* --- the function --- */

/* The opening bracket of the one that closes at `at`, by counting; SIZE_MAX: none. */
static size_t opens_at(const char *text, size_t at)
{
    size_t depth = 0;
    for (size_t i = at + 1; i-- > 0;) {
        depth += strchr(")]}", text[i]) != NULL && text[i];
        if (text[i] && strchr("([{", text[i]) && --depth == 0)
            return i;
    }
    return SIZE_MAX;
}

static size_t blank_before(const char *text, size_t end)
{
    while (end > 0 && isspace((unsigned char)text[end - 1]))
        end--;
    return end;
}

/* The name that `NAME =` or `NAME:` before `end` gives to a function; length 0 when none does. */
static size_t assigned_name(const char *text, size_t end, size_t *from)
{
    end = blank_before(text, end);
    *from = end;
    if (end == 0 || !(text[end - 1] == '=' || text[end - 1] == ':'))
        return 0;
    end = blank_before(text, end - 1);
    *from = word_before(text, end);
    return end - *from;
}

/* The name of the function whose body the bracket opens; length 0: it has none, or it is no
 * function. */
static size_t function_name(const char *text, size_t brace, size_t *from)
{
    static const char *const control[] = {"if",    "for",  "while", "switch",
                                          "catch", "with", "await", NULL};
    static const char *const keyword[] = {"function", NULL}, *const async[] = {"async", NULL};
    size_t end = blank_before(text, brace);
    bool arrow = end > 1 && text[end - 1] == '>' && text[end - 2] == '=';
    end = arrow ? blank_before(text, end - 2) : end;
    if (end == 0 || (!arrow && text[end - 1] != ')'))
        return 0;
    end = text[end - 1] == ')' ? opens_at(text, end - 1) : word_before(text, end);
    if (end == SIZE_MAX)
        return 0;
    end = blank_before(text, end);
    if (arrow) {
        size_t word = word_before(text, end);
        return assigned_name(text, is_one_of(text, word, end, async) ? word : end, from);
    }
    end -= end > 0 && text[end - 1] == '*';
    end = blank_before(text, end);
    *from = word_before(text, end);
    if (is_one_of(text, *from, end, control))
        return 0;
    if (!is_one_of(text, *from, end, keyword))
        return end - *from;
    size_t before = blank_before(text, *from), word = word_before(text, before);
    return assigned_name(text, is_one_of(text, word, before, async) ? word : before, from);
}

/* --- the statement --- */

/* From where it begins to its end, blanks where words need them, blocks as "{}". */
static void add_statement(const struct script_reader *place, size_t from, tac_str *out)
{
    struct script_reader r = {.text = place->text, .length = place->length, .at = from};
    size_t start = out->length, depth, behind = from;
    tac_vec_push(&r.open, (struct open_bracket){0, from});
    while (r.at < r.length && r.open.at[0].statement == from &&
           out->length - start < MOST_STATEMENT) {
        size_t at = r.at;
        if (r.open.count == 1 &&
            (strchr(")}];", r.text[at]) || !strncasecmp(r.text + at, "</script", 8)))
            break;
        depth = 0;
        for (size_t i = 1; i < r.open.count; i++)
            depth += r.text[r.open.at[i].at] == '{';
        take_piece(&r);
        bool closes = r.text[at] == '}' && depth == 1 && r.last == '}';
        if (depth && !closes)
            continue;
        if (at > behind && out->length > start && is_word(r.text[at]) &&
            is_word(out->text[out->length - 1]))
            tac_str_add_char(out, ' ');
        behind = r.last_at + 1;
        tac_str_add_bytes(out, r.text + at, behind - at);
    }
    tac_vec_free(&r.open);
}

static size_t offset_of(const char *source, uint32_t line, uint32_t column)
{
    const char *at = source;
    for (uint32_t i = 1; i < line; i++) {
        at = strchr(at, '\n');
        if (!at)
            return SIZE_MAX;
        at++;
    }
    size_t left = strcspn(at, "\n"), skip = column ? column - 1 : 0;
    return (size_t)(at - source) + (skip < left ? skip : left ? left - 1 : 0);
}

/* Where code begins: in a page, behind the tag of the script that holds the target. */
static size_t code_before(const char *source, size_t target)
{
    static const char tag[] = "<script";
    size_t from = 0;
    if (source[strspn(source, " \t\r\n\xef\xbb\xbf")] != '<')
        return 0;
    for (const char *at = strcasestr(source, tag); at && (size_t)(at - source) < target;
         at = strcasestr(at + 1, tag))
        from = (size_t)(at - source) + strcspn(at, ">") + 1;
    return from <= target ? from : 0;
}

bool finding_source_place(const char *source, const char *file, uint32_t line, uint32_t column,
                          tac_str *out)
{
    struct script_reader r = {.text = source, .length = strlen(source), .last = ';'};
    size_t target = line ? offset_of(source, line, column) : SIZE_MAX, from = 0, size = 0;
    if (target >= r.length)
        return false;
    bool ignored;
    r.at = next_code(&r, code_before(source, target), &ignored);
    tac_vec_push(&r.open, (struct open_bracket){0, r.at});
    while (r.at <= target && r.at < r.length) {
        size_t open = r.open.count, outer = open > 1 ? open - 2 : 0;
        struct open_bracket top = r.open.at[open - 1], below = r.open.at[outer];
        take_piece(&r);
        if (r.at > target) { /* the target's own piece may end its statement */
            r.open.count = open;
            r.open.at[outer] = below;
            r.open.at[open - 1] = top;
        }
    }
    while (r.open.count > 1 && r.text[tac_vec_last(&r.open).at] != '{')
        r.open.count--;
    for (size_t i = r.open.count; i-- > 1 && !size;)
        if (r.text[r.open.at[i].at] == '{')
            size = function_name(source, r.open.at[i].at, &from);
    tac_str_add_bytes(out, source + from, size);
    tac_str_add(out, size ? " (" : "(");
    finding_file(out, file);
    tac_str_add(out, "): ");
    size_t statement = tac_vec_last(&r.open).statement;
    add_statement(&r, statement <= target ? statement : target, out);
    tac_vec_free(&r.open);
    return true;
}

/* The number before `end` that a colon precedes; *end is where the colon stands. */
static bool number_before(const char *from, const char **end, uint32_t *number)
{
    const char *at = *end;
    while (at > from && isdigit((unsigned char)at[-1]))
        at--;
    if (at == *end || at == from || at[-1] != ':' || *end - at > 9)
        return false;
    *number = (uint32_t)strtoul(at, NULL, 10);
    *end = at - 1;
    return true;
}

bool finding_script_frame(const char *text, struct finding_frame *out)
{
    const char *colon = strstr(text, "://"), *end = text + strlen(text), *from = colon;
    if (!colon)
        return false;
    while (from > text && (isalnum((unsigned char)from[-1]) || from[-1] == '-'))
        from--;
    end -= end > from && end[-1] == ')';
    const char *name = strncmp(text, "at ", 3) ? text : text + 3, *stop = from;
    *out = (struct finding_frame){.url = from, .name = name};
    if (!number_before(from, &end, &out->column))
        return false;
    if (!number_before(from, &end, &out->line)) {
        out->line = out->column;
        out->column = 0;
    }
    while (stop > name && strchr(" (@", stop[-1]))
        stop--;
    out->name_length = (size_t)(stop - name);
    out->url_length = (size_t)(end - from);
    return true;
}
