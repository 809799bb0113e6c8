/* The text language: one statement a line, or separated by ';'. The grammar is in docs/rules.md.
 * After an error reading goes on at the next statement, so that all errors are reported at once. */
#include "base/data/text.h"
#include "base/check.h"
#include "rules/language/build.h"
#include <string.h>

struct text_reader {
    struct rules_builder *b;
    struct lexer lexer;
};

static struct place here(const struct text_reader *r)
{
    return (struct place){r->lexer.token.line, r->lexer.token.column};
}

static bool at_end(const struct text_reader *r)
{
    return r->lexer.token.kind == TOKEN_NEWLINE || r->lexer.token.kind == TOKEN_END;
}

static bool expected(struct text_reader *r, const char *what)
{
    const struct token *token = &r->lexer.token;
    if (at_end(r))
        rules_build_error(r->b, here(r), "expected %s, found the end of the line", what);
    else if (token->kind == TOKEN_BAD)
        rules_build_error(r->b, here(r), "expected %s, found %s", what,
                          token->text > r->lexer.line_start && token->text[-1] == '"'
                              ? "a text without its closing quote"
                              : "a character that the rule language does not have");
    else
        rules_build_error(r->b, here(r), "expected %s, found '%.*s'", what,
                          (int)(token->length > 40 ? 40 : token->length), token->text);
    return false;
}

static const char *read_name(struct text_reader *r, const char *what)
{
    if (r->lexer.token.kind != TOKEN_WORD) {
        expected(r, what);
        return NULL;
    }
    const char *name = rules_build_name(r->b, r->lexer.token.text, r->lexer.token.length, here(r));
    rules_lexer_next(&r->lexer);
    return name;
}

/* [ "label" ] [ monotone [ rising | falling ] ] in any order */
static bool read_marks(struct text_reader *r, const char **label, tac_monotone *monotone)
{
    *label = "";
    *monotone = TAC_MONOTONE_NO;
    for (;;) {
        const struct token *token = &r->lexer.token;
        if (token->kind == TOKEN_STRING) {
            if (token->length > 1000 || !tac_utf8_valid(token->text, token->length))
                return expected(r, "a label of at most 1,000 bytes of UTF-8");
            *label = tac_arena_strndup(&r->b->arena, token->text, token->length);
            rules_lexer_next(&r->lexer);
        } else if (rules_lexer_accept(&r->lexer, "monotone")) {
            *monotone = TAC_MONOTONE_RISING;
            if (rules_lexer_accept(&r->lexer, "falling"))
                *monotone = TAC_MONOTONE_FALLING;
            else
                rules_lexer_accept(&r->lexer, "rising");
        } else {
            return true;
        }
    }
}

static bool read_variables(struct text_reader *r, uint32_t group)
{
    do {
        struct place at = here(r);
        const char *label, *name = read_name(r, "the name of a variable");
        tac_monotone monotone;
        if (!name || !read_marks(r, &label, &monotone))
            return false;
        rules_build_variable(r->b, group, name, label, monotone, at);
    } while (rules_lexer_accept(&r->lexer, ","));
    return true;
}

/* NUMBER [ms | s | min | h] */
static bool read_duration(struct text_reader *r, uint64_t *out)
{
    struct token number = r->lexer.token;
    if (number.kind != TOKEN_NUMBER)
        return expected(r, "a time, as in '10 s'");
    rules_lexer_next(&r->lexer);
    struct token unit = r->lexer.token;
    bool has_unit = unit.kind == TOKEN_WORD && !rules_token_is(&unit, "every") &&
                    !rules_token_is(&unit, "hold");
    if (!rules_duration(number.text, number.length, has_unit ? unit.text : NULL, unit.length,
                        out)) {
        rules_build_error(r->b, (struct place){number.line, number.column},
                          "expected a time from 1 ms to 1000 h, as in '500 ms', '10 s', '2 min' "
                          "or '1 h', found '%.*s'",
                          (int)(number.length > 40 ? 40 : number.length), number.text);
        return false;
    }
    if (has_unit)
        rules_lexer_next(&r->lexer);
    return true;
}

static bool read_group(struct text_reader *r)
{
    struct place at = here(r);
    const char *name = read_name(r, "the name of the group");
    if (!name)
        return false;
    uint32_t group = rules_build_group(r->b, name, at);
    uint64_t every_ms = 0, hold_ms = 0;
    for (;;) {
        bool every = rules_lexer_accept(&r->lexer, "every");
        if (!every && !rules_lexer_accept(&r->lexer, "hold"))
            break;
        if (!read_duration(r, every ? &every_ms : &hold_ms))
            return false;
    }
    rules_build_rates(r->b, group, every_ms, hold_ms, at);
    if ((every_ms || hold_ms) && at_end(r))
        return true;
    if (!rules_lexer_accept(&r->lexer, ":"))
        return expected(r, "':' and variables, 'every' or 'hold' after the name of the group");
    return read_variables(r, group);
}

static bool read_values(struct text_reader *r, tac_rules_sensor *sensor)
{
    sensor->first_value = (uint32_t)r->b->values.count;
    do {
        const char *value = read_name(r, "a value of the sensor");
        if (!value)
            return false;
        tac_vec_push(&r->b->values, value);
        sensor->value_count++;
        if (sensor->value_count > 1000)
            return expected(r, "at most 1,000 values");
    } while (rules_lexer_accept(&r->lexer, ","));
    if (!rules_lexer_accept(&r->lexer, "}"))
        return expected(r, "',' or '}'");
    return true;
}

static bool read_sensor(struct text_reader *r)
{
    struct place at = here(r);
    tac_rules_sensor sensor = {.group = TAC_RULES_NONE, .label = ""};
    sensor.name = read_name(r, "the name of the sensor");
    if (!sensor.name)
        return false;
    if (rules_lexer_accept(&r->lexer, "{")) {
        if (!read_values(r, &sensor))
            return false;
    } else if (!rules_lexer_accept(&r->lexer, "number")) {
        return expected(r, "'number' or the values in braces, as in {home, office, other}");
    }
    if (rules_lexer_accept(&r->lexer, "in")) {
        struct place group_at = here(r);
        const char *group = read_name(r, "the name of a group");
        if (!group)
            return false;
        sensor.group = rules_build_group(r->b, group, group_at);
    }
    struct place marks = here(r);
    if (!read_marks(r, &sensor.label, &sensor.monotone))
        return false;
    if (sensor.monotone && sensor.value_count) {
        rules_build_error(r->b, marks, "only a number can be monotone; %s has values", sensor.name);
        return false;
    }
    rules_build_sensor(r->b, &sensor, at);
    return true;
}

static bool read_states(struct text_reader *r)
{
    do {
        struct place at = here(r);
        const char *name = read_name(r, "the name of a state");
        if (!name)
            return false;
        rules_build_state(r->b, name, rules_lexer_accept(&r->lexer, "initial"), at);
    } while (rules_lexer_accept(&r->lexer, ","));
    return true;
}

static bool read_actions(struct text_reader *r)
{
    do {
        struct place at = here(r);
        const char *name = read_name(r, "the variable to set");
        if (!name)
            return false;
        if (!rules_lexer_accept(&r->lexer, "="))
            return expected(r, "'=' and a value");
        const struct token *value = &r->lexer.token;
        if ((value->kind != TOKEN_WORD && value->kind != TOKEN_NUMBER) ||
            value->length > RULES_MAX_NAME)
            return expected(r, "on or off");
        rules_build_action(r->b, name, tac_arena_strndup(&r->b->arena, value->text, value->length),
                           at);
        rules_lexer_next(&r->lexer);
    } while (rules_lexer_accept(&r->lexer, ","));
    return true;
}

/* STATE, ... -> STATE */
static bool read_ends(struct text_reader *r, size_t rule)
{
    do {
        struct place at = here(r);
        const char *from = read_name(r, "the state the rule is active in");
        if (!from)
            return false;
        rules_build_from(r->b, from, at);
    } while (rules_lexer_accept(&r->lexer, ","));
    if (r->lexer.token.kind != TOKEN_ARROW)
        return expected(r, "',' or '->'");
    rules_lexer_next(&r->lexer);
    struct place at = here(r);
    const char *to = read_name(r, "the state the rule leads to");
    assert(rule < r->b->rules.count);
    r->b->rules.at[rule].to = to;
    r->b->rules.at[rule].to_at = at;
    return to != NULL;
}

static bool read_rule(struct text_reader *r)
{
    struct place at = here(r);
    const char *name = read_name(r, "the name of the rule");
    if (!name)
        return false;
    if (!rules_lexer_accept(&r->lexer, ":"))
        return expected(r, "':' after the name of the rule");
    rules_build_rule(r->b, name, at);
    assert(r->b->rules.count > 0);
    size_t rule = r->b->rules.count - 1;
    if (!read_ends(r, rule))
        return false;
    if (!rules_lexer_accept(&r->lexer, "when"))
        return expected(r, "'when' and the rule's predicate");
    if (!rules_parse_predicate(r->b, &r->lexer, &r->b->rules.at[rule].when))
        return false;
    while (!at_end(r)) {
        if (rules_lexer_accept(&r->lexer, "priority")) {
            const struct token *token = &r->lexer.token;
            if (at_end(r))
                return expected(r, "a number");
            if (!rules_build_priority(r->b, token->text, token->length, here(r),
                                      &r->b->rules.at[rule].priority))
                return false;
            rules_lexer_next(&r->lexer);
        } else if (rules_lexer_accept(&r->lexer, "do")) {
            if (!read_actions(r))
                return false;
        } else {
            return expected(r, "'and', 'or', '->', 'priority', 'do' or the end of the line");
        }
    }
    return true;
}

static bool read_expectation(struct text_reader *r)
{
    struct place at = here(r);
    tac_rules_predicate when;
    const char *state = read_name(r, "the state that is expected");
    if (!state)
        return false;
    if (!rules_lexer_accept(&r->lexer, "when"))
        return expected(r, "'when' and a predicate");
    if (!rules_parse_predicate(r->b, &r->lexer, &when))
        return false;
    rules_build_expectation(r->b, state, when, at);
    return true;
}

static bool read_statement(struct text_reader *r)
{
    struct place at = here(r);
    if (rules_lexer_accept(&r->lexer, "rule"))
        return read_rule(r);
    if (rules_lexer_accept(&r->lexer, "state"))
        return read_states(r);
    if (rules_lexer_accept(&r->lexer, "group"))
        return read_group(r);
    if (rules_lexer_accept(&r->lexer, "variable"))
        return read_variables(r, TAC_RULES_NONE);
    if (rules_lexer_accept(&r->lexer, "sensor"))
        return read_sensor(r);
    if (rules_lexer_accept(&r->lexer, "expect"))
        return read_expectation(r);
    if (rules_lexer_accept(&r->lexer, "app")) {
        const char *name = read_name(r, "the name of the app");
        if (name)
            r->b->app = name;
        return name != NULL;
    }
    if (rules_lexer_accept(&r->lexer, "constraint")) {
        tac_rules_predicate holds;
        if (!rules_parse_predicate(r->b, &r->lexer, &holds))
            return false;
        rules_build_constraint(r->b, holds, at);
        return true;
    }
    return expected(r, "app, group, variable, sensor, constraint, state, rule or expect");
}

void rules_read_rules_text(struct rules_builder *b, const char *text, size_t size)
{
    struct text_reader r = {.b = b};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    rules_lexer_open(&r.lexer, text, size, 1, 1);
    while (r.lexer.token.kind != TOKEN_END) {
        if (r.lexer.token.kind == TOKEN_NEWLINE) {
            rules_lexer_next(&r.lexer);
            continue;
        }
        if (read_statement(&r) && !at_end(&r))
            expected(&r, "the end of the line or ';'");
        while (!at_end(&r))
            rules_lexer_next(&r.lexer);
    }
}
