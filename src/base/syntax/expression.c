/* Expressions, by climbing over the powers of one table of operators. An operator is taken when it
 * binds at least as strongly as is wanted (`power`) and not more strongly than what was read so far
 * may be bound (`strength`): so `a < b < c` and `not a < b` need no grammar of their own. Cost:
 * linear in the tokens, times the operators of the table. Depth and nodes are capped. */
#include "base/check.h"
#include "base/syntax/syntax.h"
#include <string.h>

enum { STRONGEST = 256 };

static bool enter(struct syntax *s)
{
    const struct syntax_language *l = s->language;
    if (++s->depth > l->most_depth)
        syntax_fail(s, &s->token, "expressions nested more than %u deep%s%s", l->most_depth,
                    l->advice ? "; " : "", l->advice ? l->advice : "");
    return !s->failed;
}

bool syntax_count_node(struct syntax *s)
{
    const struct syntax_language *l = s->language;
    if (l->most_nodes && ++s->nodes > l->most_nodes)
        syntax_fail(s, &s->token, "more than %zu names, values and operators in one expression%s%s",
                    l->most_nodes, l->advice ? "; " : "", l->advice ? l->advice : "");
    return !s->failed;
}

/* Whether an operator is spelt here: one token, or two. */
static bool is_here(const struct syntax *s, const struct syntax_operator *op)
{
    if (!s->token.length || *op->text != *s->token.text)
        return false;
    const char *blank = strchr(op->text, ' ');
    char first[16] = "";
    if (!blank)
        return syntax_token_is(&s->token, op->text);
    assert((size_t)(blank - op->text) < sizeof first);
    memcpy(first, op->text, (size_t)(blank - op->text));
    return syntax_token_is(&s->token, first) && syntax_token_is(&s->ahead, blank + 1);
}

static bool is_prefix(const struct syntax_operator *op)
{
    return op->place == SYNTAX_PREFIX || op->place == SYNTAX_WHOLE;
}

/* Takes the longest operator here of at least this power and at most this strength. */
static bool take(struct syntax *s, bool prefix, unsigned power, unsigned strength, syntax_node left,
                 struct syntax_taken *out)
{
    const struct syntax_operator *found = NULL;
    for (const struct syntax_operator *op = s->language->operators; op && op->text; op++)
        if (is_prefix(op) == prefix && op->power >= power && op->power <= strength &&
            is_here(s, op) && (!op->applies || op->applies(s)) &&
            (!found || strlen(op->text) > strlen(found->text)))
            found = op;
    if (s->failed || !found)
        return false;
    *out = (struct syntax_taken){.op = found, .at = s->token, .left = left};
    syntax_advance(s);
    if (strchr(found->text, ' '))
        syntax_advance(s);
    if (s->language->taken)
        out->more = s->language->taken(s, out);
    return true;
}

static syntax_node combine(struct syntax *s, const struct syntax_taken *op, syntax_node left,
                           syntax_node right)
{
    return s->failed ? left : s->language->combine(s, op, left, right);
}

/* What stands before the first operator between or behind operands. */
static syntax_node operand(struct syntax *s, unsigned power, unsigned *strength)
{
    syntax_node none = {0}, node = none;
    struct syntax_taken prefix;
    *strength = STRONGEST;
    if (take(s, true, power, STRONGEST, none, &prefix)) {
        *strength = prefix.op->power;
        if (prefix.op->place == SYNTAX_WHOLE)
            return prefix.more;
        node = s->failed ? none : syntax_expression(s, prefix.op->power);
        return combine(s, &prefix, node, none);
    }
    return s->failed ? none : s->language->primary(s);
}

static syntax_node climb(struct syntax *s, unsigned power)
{
    unsigned strength;
    syntax_node left = operand(s, power, &strength), right = {0};
    struct syntax_taken op;
    while (!s->failed && take(s, false, power, strength, left, &op)) {
        enum syntax_place place = op.op->place;
        strength =
            place == SYNTAX_SINGLE || place == SYNTAX_RIGHT ? op.op->power - 1U : op.op->power;
        if (s->failed)
            break;
        if (place == SYNTAX_RIGHT)
            right = syntax_expression(s, op.op->power);
        else if (place != SYNTAX_POSTFIX)
            right = climb(s, op.op->power + 1U);
        left = combine(s, &op, left, right);
    }
    s->operand_end = s->token.text;
    return left;
}

syntax_node syntax_expression(struct syntax *s, unsigned power)
{
    syntax_node node = {0};
    assert(s->language->primary && s->language->combine && s->language->most_depth);
    if (!s->failed && enter(s))
        node = climb(s, power);
    s->depth--;
    return node;
}
