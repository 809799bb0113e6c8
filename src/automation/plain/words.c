/* Lines, words and the small parts of statements. */
#include "automation/plain/plain.h"
#include "base/data/text.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool is_word_byte(char c)
{
    return c && !strchr(" \t\r\n,()'\"#", c);
}

/* One word at *at; a quote that does not end takes the rest of the line. */
static struct plain_word take_word(struct plain *p, const char *line, const char **at)
{
    struct plain_word word = {.column = (size_t)(*at - line) + 1};
    const char *from = *at, *end = from;
    if (*from == '\'' || *from == '"') {
        word.quoted = true;
        end = ++from;
        while (*end && *end != from[-1])
            end++;
        *at = *end ? end + 1 : end;
    } else if (is_word_byte(*from)) {
        while (is_word_byte(*end))
            end++;
        if (end > from + 1 && end[-1] == ':')
            end--;
        *at = end;
    } else {
        *at = ++end;
    }
    word.text = tac_arena_strndup(&p->model->arena, from, (size_t)(end - from));
    return word;
}

static void split_line(struct plain *p, const char *line, uint32_t number)
{
    TAC_VEC(struct plain_word) words = {0};
    const char *at = line + strspn(line, " \t\r");
    struct plain_line made = {.number = number, .indent = (size_t)(at - line)};
    for (; *at && *at != '#'; at += strspn(at, " \t\r"))
        tac_vec_push(&words, take_word(p, line, &at));
    if (words.count) {
        made.words = tac_arena_calloc(&p->model->arena, words.count, sizeof *made.words);
        memcpy(made.words, words.at, words.count * sizeof *made.words);
        made.count = words.count;
        p->lines[p->count++] = made;
    }
    tac_vec_free(&words);
}

void plain_split(struct plain *p, char *text, size_t size)
{
    size_t most = 1;
    for (size_t i = 0; i < size; i++)
        most += text[i] == '\n';
    p->lines = tac_arena_calloc(&p->model->arena, most, sizeof *p->lines);
    uint32_t number = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
        split_line(p, line, ++number);
}

struct plain_line *plain_here(struct plain *p)
{
    return p->at < p->count ? &p->lines[p->at] : NULL;
}

struct place plain_place(const struct plain *p)
{
    size_t at = p->at < p->count ? p->at : p->count - 1;
    return (struct place){0, p->lines[at].number};
}

bool plain_ok(const struct plain *p)
{
    return p->status == TAC_OK;
}

bool plain_fail(struct plain *p, const char *format, ...)
{
    if (!plain_ok(p))
        return false;
    const struct plain_line *line = plain_here(p);
    const struct plain_word *word = line && line->at < line->count ? &line->words[line->at] : NULL;
    char text[240];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    p->status = word ? tac_fail_at(p->err, TAC_E_INPUT, p->path, line->number, word->column,
                                   "%s, not '%.60s'", text, word->text)
                     : tac_fail_at(p->err, TAC_E_INPUT, p->path, plain_place(p).line, 0,
                                   "%s, not the end of the line", text);
    return false;
}

bool plain_next_is(struct plain *p, const char *word)
{
    const struct plain_line *line = plain_here(p);
    return plain_ok(p) && line && line->at < line->count && !line->words[line->at].quoted &&
           !strcmp(line->words[line->at].text, word);
}

bool plain_take(struct plain *p, const char *word)
{
    bool is = plain_next_is(p, word);
    if (is)
        plain_here(p)->at++;
    return is;
}

bool plain_expect(struct plain *p, const char *word)
{
    return plain_take(p, word) || plain_fail(p, "expected '%s'", word);
}

const char *plain_text(struct plain *p, const char *what)
{
    struct plain_line *line = plain_here(p);
    if (!plain_ok(p) || !line || line->at >= line->count ||
        (!line->words[line->at].quoted && strchr(",():", line->words[line->at].text[0]))) {
        plain_fail(p, "expected %s", what);
        return "";
    }
    return line->words[line->at++].text;
}

uint32_t plain_entity(struct plain *p)
{
    return model_entity(p->model, plain_text(p, "an entity"));
}

double plain_number(struct plain *p)
{
    struct plain_line *line = plain_here(p);
    const char *text = plain_text(p, "a number");
    double number = 0;
    if (plain_ok(p) && !tac_parse_double(text, &number)) {
        line->at--;
        plain_fail(p, "expected a number");
    }
    return number;
}

double plain_duration(struct plain *p)
{
    double number = plain_number(p);
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    for (size_t i = 0; i < 3; i++)
        if (plain_take(p, units[i].name) && number >= 0 && number <= 1e9)
            return number * units[i].seconds;
    plain_fail(p, "expected a duration such as '30 s', '5 min' or '1 h'");
    return 0;
}

double plain_clock(struct plain *p)
{
    struct plain_line *line = plain_here(p);
    const char *text = plain_text(p, "a time such as 22:30");
    unsigned hour, minute, second = 0;
    int end = 0;
    bool fits = sscanf(text, "%2u:%2u%n:%2u%n", &hour, &minute, &end, &second, &end) >= 2 &&
                !text[end] && hour < 24 && minute < 60 && second < 60;
    if (plain_ok(p) && !fits) {
        line->at--;
        plain_fail(p, "expected a time such as 22:30 or 22:30:00");
    }
    return fits ? hour * 3600.0 + minute * 60.0 + second : 0;
}

static bool begins_condition(const struct plain_line *line)
{
    static const char *const verbs[] = {"is", "above", "below", "between", "unchanged"};
    if (line->at >= line->count || !strcmp(line->words[line->at].text, "(") ||
        !strcmp(line->words[line->at].text, "not"))
        return true;
    for (size_t i = 0; line->at + 1 < line->count && i < sizeof verbs / sizeof *verbs; i++)
        if (!line->words[line->at + 1].quoted && !strcmp(line->words[line->at + 1].text, verbs[i]))
            return true;
    return false;
}

void plain_values(struct plain *p, struct text_set *out)
{
    struct plain_line *line = plain_here(p);
    set_add(p->model, out, plain_text(p, "a value"));
    while (plain_next_is(p, "or")) {
        line->at++;
        if (begins_condition(line)) {
            line->at--;
            return;
        }
        set_add(p->model, out, plain_text(p, "a value"));
    }
}

void plain_range(struct plain *p, double *above, double *below)
{
    *above = -INFINITY;
    *below = INFINITY;
    if (plain_take(p, "above")) {
        *above = plain_number(p);
    } else if (plain_take(p, "below")) {
        *below = plain_number(p);
    } else if (plain_expect(p, "between")) {
        *above = plain_number(p);
        plain_expect(p, "and");
        *below = plain_number(p);
    }
}

bool plain_end(struct plain *p)
{
    const struct plain_line *line = plain_here(p);
    if (plain_ok(p) && line && line->at < line->count)
        return plain_fail(p, "expected the end of the line");
    p->at++;
    return plain_ok(p);
}
