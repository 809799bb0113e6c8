/* Numbers with units, and the bounds of temporal operators that are made of them: [<= 2 s],
 * [1, 5], (1 s, 2 s]. */
#include "base/check.h"
#include "property/language/parse.h"
#include <math.h>

static bool starts_unit(const struct syntax_token *token)
{
    static const char *const not_units[] = {"where", "forall", "exists", "first", "allen"};
    bool starts =
        syntax_token_is(token, "%") || (token->kind == SYNTAX_WORD && !token->quote &&
                                        !prop_is_reserved(token) && !prop_is_relation(token));
    for (size_t i = 0; i < sizeof not_units / sizeof *not_units; i++)
        starts = starts && !syntax_token_is(token, not_units[i]);
    return starts;
}

bool prop_unit(struct syntax *s, struct unit *out)
{
    assert(out != NULL);
    if (s->failed || !starts_unit(&s->token))
        return false;
    struct syntax_token first = s->token;
    syntax_advance(s);
    for (;;) {
        bool power = syntax_is(s, "^") && s->ahead.kind == SYNTAX_NUMBER;
        bool more = (syntax_is(s, "*") || syntax_is(s, "/")) && s->ahead.kind == SYNTAX_WORD;
        if (s->token.spaced || s->ahead.spaced || (!power && !more))
            break;
        syntax_advance(s);
        syntax_advance(s);
    }
    const char *bad;
    size_t bad_length;
    if (unit_parse(first.text, (size_t)(s->last_end - first.text), out, &bad, &bad_length))
        return true;
    const char *word = tac_arena_strndup(prop_arena(s), bad, bad_length);
    const char *close = unit_closest(word);
    syntax_fail_at(s, first.line, first.column + (uint32_t)(bad - first.text),
                   close ? "unknown unit '%s'; did you mean '%s'?"
                         : "unknown unit '%s'; units are s, B, bit, J, W, V, A, Ah, Hz, %%, degC, "
                           "dBm, px with prefixes (kB, ms, mAh) and their products and quotients "
                           "(MB/s)%s",
                   word, close ? close : "");
    return false;
}

struct ast *prop_number(struct syntax *s)
{
    struct ast *node = prop_new_node(s, AST_NUMBER, &s->token);
    node->number = s->token.number;
    node->unit = unit_none();
    syntax_advance(s);
    const char *unit = s->token.text;
    node->has_unit = prop_unit(s, &node->unit);
    node->text =
        node->has_unit ? tac_arena_strndup(prop_arena(s), unit, (size_t)(s->last_end - unit)) : "";
    return prop_finish(s, node);
}

/* An end of a bound. Zero is a number of states and a time. */
struct end {
    int64_t value;
    bool time, zero;
};

static struct end bound_end(struct syntax *s)
{
    struct syntax_token at = s->token;
    struct unit nanosecond = {{1}, 1, 1e9};
    if (s->failed || at.kind != SYNTAX_NUMBER) {
        syntax_expected(s, "a number of states or a time such as 2 s");
        return (struct end){0};
    }
    struct ast *number = prop_number(s);
    bool time = number->has_unit;
    double value = number->number;
    if (time && !unit_same_dimension(&number->unit, &nanosecond))
        syntax_fail(s, &at, "a bound is a time (2 s) or a number of states (5)");
    else if (time)
        value = unit_convert(value, &number->unit, &nanosecond);
    if (!(value <= 4e18) || (!time && value > floor(value)))
        syntax_fail(s, &at, "this bound is not a whole number of %s below 4e18",
                    time ? "nanoseconds" : "states");
    return s->failed ? (struct end){0} : (struct end){(int64_t)value, time, !time && !(value > 0)};
}

/* < t], <= t], > t], >= t] */
static void one_sided(struct syntax *s, struct ast *node)
{
    bool strict = syntax_is(s, "<") || syntax_is(s, ">");
    bool lower = syntax_is(s, ">") || syntax_is(s, ">=");
    syntax_advance(s);
    struct end end = bound_end(s);
    node->bound_kind = end.time ? BOUND_TIME : BOUND_STEPS;
    node->unbounded = lower;
    node->low = lower ? end.value : 0;
    node->low_strict = lower && strict;
    node->bound = lower ? INT64_MAX : end.value;
    node->bound_strict = !lower && strict;
    syntax_need(s, "]", "']' after the bound");
}

/* a, b] with round brackets for ends that do not belong to it */
static void two_sided(struct syntax *s, const struct syntax_token *at, struct ast *node)
{
    struct end low = bound_end(s), high = {0};
    node->low_strict = syntax_token_is(at, "(");
    if (syntax_need(s, ",", "',' and the upper end of the bound"))
        high = bound_end(s);
    if (low.time != high.time && !low.zero && !high.zero)
        syntax_fail(s, at, "both ends of a bound are times (1 s, 2 s) or numbers of states (1, 2)");
    node->low = low.value;
    node->bound = high.value;
    node->bound_kind = low.time || high.time ? BOUND_TIME : BOUND_STEPS;
    node->bound_strict = syntax_accept(s, ")");
    if (!node->bound_strict)
        syntax_need(s, "]", "']' or ')' after the bound");
    if (node->low > node->bound ||
        (node->low == node->bound && (node->low_strict || node->bound_strict)))
        syntax_fail(s, at, "nothing lies within this bound");
}

/* Is the '(' here the start of a bound? Only there a number is followed by ','. */
static bool round_bound(const struct syntax *s)
{
    struct syntax probe = *s;
    tac_diagnostics none = {0};
    probe.diagnostics = &none;
    bool found = syntax_accept(&probe, "(") && probe.token.kind == SYNTAX_NUMBER &&
                 prop_number(&probe) && syntax_is(&probe, ",");
    tac_diagnostics_free(&none);
    return found;
}

void prop_bound(struct syntax *s, struct ast *node)
{
    struct syntax_token at = s->token;
    if (s->failed || (!syntax_is(s, "[") && !round_bound(s)))
        return;
    syntax_advance(s);
    if (syntax_token_is(&at, "[") &&
        (syntax_is(s, "<") || syntax_is(s, "<=") || syntax_is(s, ">") || syntax_is(s, ">=")))
        one_sided(s, node);
    else
        two_sided(s, &at, node);
}
