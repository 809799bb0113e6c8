/* Values of expressions and texts while the app runs. A text in a comparison with a number reads as
 * 0; the empty text and 0 are false. Division by zero gives 0: app files describe apps, they do not
 * crash the phone. */
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

static double arithmetic(enum sim_op op, double a, double b)
{
    switch (op) {
    case SIM_OP_ADD:
        return a + b;
    case SIM_OP_SUB:
        return a - b;
    case SIM_OP_MUL:
        return a * b;
    case SIM_OP_DIV:
        return b != 0 ? a / b : 0;
    case SIM_OP_MOD:
        return b != 0 ? fmod(a, b) : 0;
    case SIM_OP_LT:
        return a < b;
    case SIM_OP_LE:
        return a <= b;
    case SIM_OP_GT:
        return a > b;
    default:
        return a >= b;
    }
}

static struct sim_value random_below(struct sim *s, double most)
{
    double bound = floor(most);
    if (!(bound >= 1) || bound > 1e15)
        return (struct sim_value){0, NULL};
    return (struct sim_value){(double)tac_random_below(&s->random, (uint64_t)bound), NULL};
}

struct sim_value sim_eval(struct sim *s, uint32_t expr, uint32_t item)
{
    static const char *const media[] = {"off", "playing", "paused"};
    const struct sim_expr *e = &s->app->exprs.at[expr];
    const struct sim_slot *slot;
    switch (e->op) {
    case SIM_OP_NUMBER:
    case SIM_OP_TEXT:
        return e->value;
    case SIM_OP_VARIABLE:
        slot = slot_of(s, e->ref);
        return (struct sim_value){slot->number, slot->text};
    case SIM_OP_ITEM:
        return (struct sim_value){item, NULL};
    case SIM_OP_MEDIA:
        return (struct sim_value){0, media[s->media.state]};
    case SIM_OP_COUNT:
        return (struct sim_value){s->occurred[e->a], NULL};
    case SIM_OP_RANDOM:
        return random_below(s, sim_eval(s, e->a, item).number);
    case SIM_OP_NOT:
        return (struct sim_value){!truth(sim_eval(s, e->a, item)), NULL};
    case SIM_OP_MINUS:
        return (struct sim_value){-sim_eval(s, e->a, item).number, NULL};
    case SIM_OP_AND:
        return (struct sim_value){truth(sim_eval(s, e->a, item)) && truth(sim_eval(s, e->b, item)),
                                  NULL};
    case SIM_OP_OR:
        return (struct sim_value){truth(sim_eval(s, e->a, item)) || truth(sim_eval(s, e->b, item)),
                                  NULL};
    case SIM_OP_EQ:
        return (struct sim_value){equal(sim_eval(s, e->a, item), sim_eval(s, e->b, item)), NULL};
    case SIM_OP_NE:
        return (struct sim_value){!equal(sim_eval(s, e->a, item), sim_eval(s, e->b, item)), NULL};
    default:
        break;
    }
    double a = sim_eval(s, e->a, item).number, b = sim_eval(s, e->b, item).number;
    return (struct sim_value){arithmetic(e->op, a, b), NULL};
}

bool sim_true(struct sim *s, uint32_t expr, uint32_t item)
{
    return expr == SIM_NONE || truth(sim_eval(s, expr, item));
}

void sim_print(struct sim *s, struct sim_text text, uint32_t item, tac_str *out)
{
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
