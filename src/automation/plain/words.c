/* The small parts of statements. */
#include "automation/plain/plain.h"
#include "base/data/text.h"
#include <math.h>
#include <stdio.h>

struct place plain_place(const struct syntax *s)
{
    return (struct place){0, s->token.line};
}

const char *plain_text(struct syntax *s, const char *what)
{
    struct plain *p = s->context;
    bool is =
        s->token.kind == SYNTAX_TEXT || (s->token.kind == SYNTAX_WORD && *s->token.text != ':');
    if (s->failed || !is) {
        syntax_expected(s, what);
        return "";
    }
    const char *text = tac_arena_strndup(&p->model->arena, s->token.text, s->token.length);
    syntax_advance(s);
    return text;
}

uint32_t plain_entity(struct syntax *s)
{
    struct plain *p = s->context;
    return model_entity(p->model, plain_text(s, "an entity"));
}

double plain_number(struct syntax *s)
{
    static const char what[] = "a number";
    struct syntax before = *s;
    const char *text = plain_text(s, what);
    double number = 0;
    if (!s->failed && !tac_parse_double(text, &number)) {
        *s = before;
        syntax_expected(s, what);
    }
    return number;
}

double plain_duration(struct syntax *s)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"s", 1}, {"min", 60}, {"h", 3600}};
    double number = plain_number(s);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (number >= 0 && number <= 1e9 && syntax_accept(s, units[i].name))
            return number * units[i].factor;
    syntax_expected(s, "a duration such as '30 s', '5 min' or '1 h'");
    return 0;
}

double plain_clock(struct syntax *s)
{
    static const char what[] = "a time such as 22:30 or 22:30:00";
    struct syntax before = *s;
    const char *text = plain_text(s, what);
    unsigned hour, minute, second = 0;
    int end = 0;
    bool fits = sscanf(text, "%2u:%2u%n:%2u%n", &hour, &minute, &end, &second, &end) >= 2 &&
                !text[end] && hour < 24 && minute < 60 && second < 60;
    if (!s->failed && !fits) {
        *s = before;
        syntax_expected(s, what);
    }
    return fits ? hour * 3600.0 + minute * 60.0 + second : 0;
}

/* Whether a condition stands after `or`, not one more value. */
static bool begins_condition(const struct syntax *s)
{
    static const char *const verbs[] = {"is", "above", "below", "between", "unchanged"};
    if (syntax_at_end(s) || syntax_is(s, "(") || syntax_is(s, "not"))
        return true;
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (syntax_token_is(&s->ahead, verbs[i]))
            return true;
    return false;
}

void plain_values(struct syntax *s, struct text_set *out)
{
    struct plain *p = s->context;
    struct syntax before;
    do {
        set_add(p->model, out, plain_text(s, "a value"));
        before = *s;
    } while (syntax_accept(s, "or") && !begins_condition(s));
    if (!s->failed)
        *s = before;
}

void plain_states(struct syntax *s, uint32_t entity, struct text_set *out)
{
    struct plain *p = s->context;
    plain_values(s, out);
    for (size_t i = 0; i < out->count; i++)
        model_mention(p->model, entity, out->at[i]);
}

void plain_range(struct syntax *s, uint32_t entity, double *above, double *below)
{
    static const char *const words[] = {"above", "below", "between"};
    struct plain *p = s->context;
    *above = -INFINITY;
    *below = INFINITY;
    if (syntax_accept(s, "above")) {
        *above = plain_number(s);
    } else if (syntax_accept(s, "below")) {
        *below = plain_number(s);
    } else if (syntax_accept(s, "between")) {
        *above = plain_number(s);
        syntax_need(s, "and", NULL);
        *below = plain_number(s);
    } else {
        syntax_expected_one_of(s, NULL, words, sizeof words / sizeof *words);
    }
    model_cut(p->model, entity, *above);
    model_cut(p->model, entity, *below);
}

bool plain_end(struct syntax *s)
{
    if (!syntax_at_end(s))
        syntax_expected(s, "the end of the line");
    while (!s->failed && s->token.kind == SYNTAX_LINE)
        syntax_advance(s);
    return !s->failed;
}
