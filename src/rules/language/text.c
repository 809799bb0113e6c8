/* The text language: one statement a line, or separated by ';'. The grammar is in docs/rules.md.
 * After an error reading goes on at the next statement, so that all errors are reported at once;
 * what was read of the statement counts. */
#include "base/check.h"
#include "rules/language/build.h"

static const char *read_name(struct syntax *s, const char *what)
{
    struct syntax_token name = s->token;
    struct place at = rules_here(s);
    if (s->failed || name.kind != SYNTAX_WORD) {
        syntax_expected(s, what);
        return NULL;
    }
    syntax_advance(s);
    return rules_build_name(s->context, name.text, name.length, at);
}

/* [ "label" ] [ monotone [ rising | falling ] ] in any order; false after a mistake */
static bool read_marks(struct syntax *s, const char **label, tac_monotone *monotone)
{
    struct rules_builder *b = s->context;
    *label = "";
    *monotone = TAC_MONOTONE_NO;
    while (!s->failed) {
        if (s->token.kind == SYNTAX_TEXT && s->token.length <= 1000) {
            *label = tac_arena_strndup(&b->arena, s->token.text, s->token.length);
            syntax_advance(s);
        } else if (s->token.kind == SYNTAX_TEXT) {
            syntax_expected(s, "a label of at most 1,000 bytes");
        } else if (syntax_accept(s, "monotone")) {
            *monotone = syntax_accept(s, "falling") ? TAC_MONOTONE_FALLING : TAC_MONOTONE_RISING;
            if (*monotone == TAC_MONOTONE_RISING)
                syntax_accept(s, "rising");
        } else {
            break;
        }
    }
    return !s->failed;
}

static void read_variables(struct syntax *s, uint32_t group)
{
    do {
        struct place at = rules_here(s);
        const char *label, *name = read_name(s, "the name of a variable");
        tac_monotone monotone;
        if (name && read_marks(s, &label, &monotone))
            rules_build_variable(s->context, group, name, label, monotone, at);
    } while (syntax_accept(s, ","));
}

/* NUMBER [ms | s | min | h] */
static uint64_t read_duration(struct syntax *s)
{
    struct syntax_token number = s->token;
    uint64_t ms = 0;
    if (number.kind != SYNTAX_NUMBER) {
        syntax_expected(s, "a time, as in '10 s'");
        return 0;
    }
    syntax_advance(s);
    struct syntax_token unit = s->token;
    bool has_unit = unit.kind == SYNTAX_WORD && !syntax_is(s, "every") && !syntax_is(s, "hold");
    if (!rules_duration(number.text, number.length, has_unit ? unit.text : NULL, unit.length, &ms))
        syntax_fail(s, &number,
                    "expected a time from 1 ms to 1000 h, as in '500 ms', '10 s', '2 min' or "
                    "'1 h', found '%.*s'",
                    (int)(number.length > 40 ? 40 : number.length), number.text);
    if (has_unit && !s->failed)
        syntax_advance(s);
    return ms;
}

static void read_group(struct syntax *s, struct place at)
{
    at = rules_here(s);
    const char *name = read_name(s, "the name of the group");
    if (!name)
        return;
    uint32_t group = rules_build_group(s->context, name, at);
    uint64_t every_ms = 0, hold_ms = 0;
    while (syntax_is(s, "every") || syntax_is(s, "hold")) {
        uint64_t *ms = syntax_is(s, "every") ? &every_ms : &hold_ms;
        syntax_advance(s);
        *ms = read_duration(s);
    }
    if (s->failed)
        return;
    rules_build_rates(s->context, group, every_ms, hold_ms, at);
    if ((every_ms || hold_ms) && syntax_at_end(s))
        return;
    if (syntax_need(s, ":", "':' and variables, 'every' or 'hold' after the name of the group"))
        read_variables(s, group);
}

static void read_values(struct syntax *s, tac_rules_sensor *sensor)
{
    struct rules_builder *b = s->context;
    sensor->first_value = (uint32_t)b->values.count;
    do {
        const char *value = read_name(s, "a value of the sensor");
        if (value)
            tac_vec_push(&b->values, value);
        if (++sensor->value_count > 1000)
            syntax_expected(s, "at most 1,000 values");
    } while (syntax_accept(s, ","));
    syntax_need(s, "}", "',' or '}'");
}

static void read_sensor(struct syntax *s, struct place at)
{
    at = rules_here(s);
    tac_rules_sensor sensor = {.group = TAC_RULES_NONE, .label = ""};
    sensor.name = read_name(s, "the name of the sensor");
    if (syntax_accept(s, "{"))
        read_values(s, &sensor);
    else
        syntax_need(s, "number", "'number' or the values in braces, as in {home, office, other}");
    if (syntax_accept(s, "in")) {
        struct place group_at = rules_here(s);
        const char *group = read_name(s, "the name of a group");
        if (group)
            sensor.group = rules_build_group(s->context, group, group_at);
    }
    struct syntax_token marks = s->token;
    if (read_marks(s, &sensor.label, &sensor.monotone) && sensor.monotone && sensor.value_count)
        syntax_fail(s, &marks, "only a number can be monotone; %s has values", sensor.name);
    if (!s->failed)
        rules_build_sensor(s->context, &sensor, at);
}

static void read_states(struct syntax *s, struct place at)
{
    do {
        at = rules_here(s);
        const char *name = read_name(s, "the name of a state");
        if (name)
            rules_build_state(s->context, name, syntax_accept(s, "initial"), at);
    } while (syntax_accept(s, ","));
}

static void read_actions(struct syntax *s)
{
    struct rules_builder *b = s->context;
    do {
        struct place at = rules_here(s);
        const char *name = read_name(s, "the variable to set");
        syntax_need(s, "=", "'=' and a value");
        struct syntax_token value = s->token;
        if ((value.kind != SYNTAX_WORD && value.kind != SYNTAX_NUMBER) ||
            value.length > RULES_MAX_NAME)
            syntax_expected(s, "on or off");
        if (s->failed)
            return;
        rules_build_action(b, name, tac_arena_strndup(&b->arena, value.text, value.length), at);
        syntax_advance(s);
    } while (syntax_accept(s, ","));
}

/* STATE, ... -> STATE */
static void read_ends(struct syntax *s, size_t rule)
{
    struct rules_builder *b = s->context;
    do {
        struct place at = rules_here(s);
        const char *from = read_name(s, "the state the rule is active in");
        if (from)
            rules_build_from(b, from, at);
    } while (syntax_accept(s, ","));
    if (!syntax_need(s, "->", "',' or '->'"))
        return;
    b->rules.at[rule].to_at = rules_here(s);
    b->rules.at[rule].to = read_name(s, "the state the rule leads to");
}

static void read_rule(struct syntax *s, struct place at)
{
    struct rules_builder *b = s->context;
    at = rules_here(s);
    const char *name = read_name(s, "the name of the rule");
    if (!syntax_need(s, ":", "':' after the name of the rule"))
        return;
    rules_build_rule(b, name, at);
    size_t rule = b->rules.count - 1;
    read_ends(s, rule);
    if (syntax_need(s, "when", "'when' and the rule's predicate") &&
        !rules_read_predicate(s, &b->rules.at[rule].when))
        b->rules.at[rule].when = (tac_rules_predicate){0};
    while (!s->failed && !syntax_at_end(s)) {
        if (syntax_accept(s, "priority")) {
            struct syntax_token number = s->token;
            if (syntax_at_end(s))
                syntax_expected(s, "a number");
            else if (!rules_build_priority(b, number.text, number.length, rules_here(s),
                                           &b->rules.at[rule].priority))
                s->failed = true;
            if (!s->failed)
                syntax_advance(s);
        } else if (syntax_accept(s, "do")) {
            read_actions(s);
        } else {
            static const char *const words[] = {"and", "or", "->", "priority", "do"};
            syntax_expected_one_of(s, "'and', 'or', '->', 'priority', 'do' or the end of the line",
                                   words, sizeof words / sizeof *words);
        }
    }
}

static void read_expectation(struct syntax *s, struct place at)
{
    tac_rules_predicate when;
    at = rules_here(s);
    const char *state = read_name(s, "the state that is expected");
    if (syntax_need(s, "when", "'when' and a predicate") && rules_read_predicate(s, &when))
        rules_build_expectation(s->context, state, when, at);
}

static void read_app(struct syntax *s, struct place at)
{
    struct rules_builder *b = s->context;
    const char *name = read_name(s, "the name of the app");
    (void)at;
    if (name)
        b->app = name;
}

static void read_constraint(struct syntax *s, struct place at)
{
    tac_rules_predicate holds;
    if (rules_read_predicate(s, &holds))
        rules_build_constraint(s->context, holds, at);
}

static void read_own_variables(struct syntax *s, struct place at)
{
    (void)at;
    read_variables(s, TAC_RULES_NONE);
}

static void read_statement(struct syntax *s)
{
    static const char *const words[] = {"app",        "group", "variable", "sensor",
                                        "constraint", "state", "rule",     "expect"};
    static void (*const readers[])(struct syntax *, struct place) = {
        read_app,        read_group,  read_own_variables, read_sensor,
        read_constraint, read_states, read_rule,          read_expectation};
    static_assert(sizeof words / sizeof *words == sizeof readers / sizeof *readers, "one each");
    struct place at = rules_here(s);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (syntax_accept(s, words[i])) {
            readers[i](s, at);
            return;
        }
    syntax_expected_one_of(s, NULL, words, sizeof words / sizeof *words);
}

void rules_read_rules_text(struct rules_builder *b, const char *text, size_t size)
{
    struct syntax s;
    rules_syntax_open(&s, b, text, size, (struct place){1, 1});
    while (s.token.kind != SYNTAX_END) {
        if (!syntax_at_end(&s))
            read_statement(&s);
        if (!syntax_at_end(&s))
            syntax_expected(&s, "the end of the line or ';'");
        syntax_recover(&s, false);
        syntax_advance(&s);
    }
}
