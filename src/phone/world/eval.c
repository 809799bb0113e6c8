/* Values of expressions and texts while the app runs. A text in a comparison with a number reads as
 * 0; the empty text and 0 are false. Division by zero gives 0: app files describe apps, they do not
 * crash the phone. */
#include "base/check.h"
#include "base/data/text.h"
#include "phone/world/phone.h"
#include <math.h>

struct sim_instance *sim_top(struct sim *s)
{
    return s->stack.count ? &s->stack.at[s->stack.count - 1] : NULL;
}

static struct sim_slot *slot_of(struct sim *s, struct sim_ref ref)
{
    static const struct sim_slot nothing = {0, NULL};
    struct sim_instance *top = sim_top(s);
    if (ref.scope == SIM_LOCAL)
        return top ? &top->locals[ref.slot] : (struct sim_slot *)&nothing;
    return ref.scope == SIM_PROCESS ? &s->process[ref.slot] : &s->kept[ref.slot];
}

void sim_slot_set(struct sim_slot *slot, struct sim_value value)
{
    char *text = value.text ? tac_strndup(value.text, strnlen(value.text, SIM_MAX_TEXT)) : NULL;
    free(slot->text);
    slot->text = text;
    slot->number = value.number;
}

void sim_assign(struct sim *s, struct sim_ref ref, struct sim_value value)
{
    if (ref.scope == SIM_LOCAL && !sim_top(s))
        return;
    sim_slot_set(slot_of(s, ref), value);
    sim_touch(s);
}

static bool truth(struct sim_value value)
{
    return value.text ? *value.text != '\0' : value.number != 0;
}

static bool equal(struct sim_value a, struct sim_value b)
{
    if (a.text && b.text)
        return !strcmp(a.text, b.text);
    if (a.text || b.text)
        return false;
    return a.number == b.number;
}

static struct sim_value number(double number)
{
    return (struct sim_value){number, NULL};
}

static double random_below(struct sim *s, double most)
{
    double bound = floor(most);
    if (!(bound >= 1) || bound > 1e15)
        return 0;
    return (double)tac_random_below(&s->random, (uint64_t)bound);
}

/* How many operands are evaluated before the operator: not the right one of `and` and `or`. */
static const uint8_t operands[] = {
    [SIM_OP_RANDOM] = 1, [SIM_OP_NOT] = 1, [SIM_OP_MINUS] = 1, [SIM_OP_AND] = 1,
    [SIM_OP_OR] = 1,     [SIM_OP_EQ] = 2,  [SIM_OP_NE] = 2,    [SIM_OP_LT] = 2,
    [SIM_OP_LE] = 2,     [SIM_OP_GT] = 2,  [SIM_OP_GE] = 2,    [SIM_OP_ADD] = 2,
    [SIM_OP_SUB] = 2,    [SIM_OP_MUL] = 2, [SIM_OP_DIV] = 2,   [SIM_OP_MOD] = 2};
static_assert(sizeof operands / sizeof *operands == SIM_OPS, "an operator has no operands");

struct sim_value sim_eval(struct sim *s, uint32_t expr, uint32_t item)
{
    static const char *const media[] = {
        [SIM_OFF] = "off", [SIM_PLAYING] = "playing", [SIM_PAUSED] = "paused"};
    TABLE_COVERS(media, SIM_PAUSED);
    const struct sim_expr *e = &s->app->exprs.at[expr];
    struct sim_value a = number(0), b = a;
    if (operands[e->op] > 0)
        a = sim_eval(s, e->a, item);
    if (operands[e->op] > 1)
        b = sim_eval(s, e->b, item);
    switch (e->op) {
    case SIM_OP_NUMBER:
    case SIM_OP_TEXT:
        return e->value;
    case SIM_OP_VARIABLE:
        return (struct sim_value){slot_of(s, e->ref)->number, slot_of(s, e->ref)->text};
    case SIM_OP_ITEM:
        return number(item);
    case SIM_OP_MEDIA:
        return (struct sim_value){0, media[s->media.state]};
    case SIM_OP_COUNT:
        return number(s->occurred[e->a]);
    case SIM_OP_RANDOM:
        return number(random_below(s, a.number));
    case SIM_OP_NOT:
        return number(!truth(a));
    case SIM_OP_MINUS:
        return number(-a.number);
    case SIM_OP_AND:
        return number(truth(a) && truth(sim_eval(s, e->b, item)));
    case SIM_OP_OR:
        return number(truth(a) || truth(sim_eval(s, e->b, item)));
    case SIM_OP_EQ:
        return number(equal(a, b));
    case SIM_OP_NE:
        return number(!equal(a, b));
    case SIM_OP_LT:
        return number(a.number < b.number);
    case SIM_OP_LE:
        return number(a.number <= b.number);
    case SIM_OP_GT:
        return number(a.number > b.number);
    case SIM_OP_GE:
        return number(a.number >= b.number);
    case SIM_OP_ADD:
        return number(a.number + b.number);
    case SIM_OP_SUB:
        return number(a.number - b.number);
    case SIM_OP_MUL:
        return number(a.number * b.number);
    case SIM_OP_DIV:
        return number(b.number != 0 ? a.number / b.number : 0);
    case SIM_OP_MOD:
        return number(b.number != 0 ? fmod(a.number, b.number) : 0);
    case SIM_OPS:
        break;
    }
    return number(0);
}

bool sim_true(struct sim *s, uint32_t expr, uint32_t item)
{
    return expr == SIM_NONE || truth(sim_eval(s, expr, item));
}

void sim_print(struct sim *s, uint32_t index, uint32_t item, tac_str *out)
{
    struct sim_text text = {0, 0};
    if (index != SIM_NONE)
        text = s->app->texts.at[index];
    for (uint32_t i = 0; i < text.count; i++) {
        const struct sim_part *part = &s->app->parts.at[text.first + i];
        if (part->literal) {
            tac_str_add(out, part->literal);
            continue;
        }
        struct sim_value value = sim_eval(s, part->expr, item);
        char number[32];
        tac_str_add(out,
                    value.text ? value.text : tac_double_text(value.number, number, sizeof number));
    }
}
