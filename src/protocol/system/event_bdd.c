/* One relation per event, by running the event symbolically.
 *
 * Every state bit is a function of the bits at the event's start; a guard narrows the condition
 * under which the event goes on; a call notes under which condition it violates. At the end the
 * condition and "next value = function" for the bits that changed make the relation. Bits that an
 * event does not touch appear nowhere in it. */
#include "protocol/system/event_bdd.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include <string.h>

struct bit_order {
    uint32_t object, bit;
};

static int compare_order(const void *left, const void *right)
{
    const struct bit_order *a = left, *b = right;
    if (a->object != b->object)
        return a->object < b->object ? -1 : 1;
    return a->bit < b->bit ? -1 : a->bit > b->bit;
}

static uint32_t receiver_of(const struct system *s, uint32_t bit)
{
    const struct recording *r = s->recording;
    const struct call *call = &r->calls.at[r->letters.at[s->bit_letters.at[bit]].call];
    return call->value_count ? r->values.at[call->first_value].identity : IDENTITY_NULL;
}

uint32_t *event_bdd_order(const struct cone *cone)
{
    const struct system *s = cone->system;
    size_t n = cone->state_bits;
    struct bit_order *order = tac_calloc(n + 1, sizeof *order);
    for (uint32_t i = 0; i < n; i++)
        order[i] = (struct bit_order){TAC_NONE, i};
    for (uint32_t i = 0; i < cone->bits.count; i++)
        order[i].object = receiver_of(s, cone->bits.at[i]);
    for (size_t m = 0; m < cone->machines.count; m++) {
        const struct cone_machine *local = &cone->machines.at[m];
        const struct machine *machine = &s->machines.at[local->machine];
        for (uint32_t k = 0; k < local->width && machine->effect_count; k++)
            order[local->shift + k].object =
                receiver_of(s, s->effects.at[machine->first_effect].bit);
    }
    qsort(order, n, sizeof *order, compare_order);
    uint32_t *place = tac_alloc((n + 1) * sizeof *place);
    for (uint32_t i = 0; i < n; i++)
        place[order[i].bit] = i;
    free(order);
    return place;
}

struct symbolic {
    const struct cone *cone;
    const uint32_t *place;
    tac_bdd *value;             /* per state bit; -1 while untouched */
    tac_bdd path;               /* the event goes on */
    tac_bdd *permit, *prohibit; /* per bit of the system, during a step */
    struct event_relation *out;
};

static tac_bdd value_of(const struct symbolic *y, uint32_t bit)
{
    return y->value[bit] >= 0 ? y->value[bit] : tac_bdd_var(2 * y->place[bit]);
}

static void set_value(struct symbolic *y, uint32_t bit, tac_bdd value)
{
    if (y->value[bit] < 0)
        tac_vec_push(&y->out->changed, bit);
    y->value[bit] = value;
}

static void add_hit(struct symbolic *y, uint32_t bit, uint32_t position, tac_bdd when)
{
    if (when != TAC_BDD_FALSE)
        tac_vec_push(&y->out->hits, (struct event_hit){bit, position, tac_bdd_keep(when)});
}

/* The condition that the machine is in state q at this point of the event. */
static tac_bdd in_state(const struct symbolic *y, const struct cone_machine *m, uint32_t q)
{
    tac_bdd all = TAC_BDD_TRUE;
    for (uint32_t k = 0; k < m->width; k++) {
        tac_bdd bit = value_of(y, m->shift + k);
        all = tac_bdd_and(all, q >> k & 1 ? bit : tac_bdd_not(bit));
    }
    return all;
}

static void note_effects(struct symbolic *y, uint32_t first, uint32_t count, tac_bdd when)
{
    assert(first + count <= y->cone->system->effects.count);
    const struct system *s = y->cone->system;
    for (uint32_t i = 0; i < count; i++) {
        const struct effect *e = &s->effects.at[first + i];
        tac_bdd *side = e->permits ? &y->permit[e->bit] : &y->prohibit[e->bit];
        *side = tac_bdd_or(*side, when);
    }
}

static void move_symbolic(struct symbolic *y, const struct move *move)
{
    const struct cone_machine *local = &y->cone->machines.at[move->machine];
    const struct machine *m = &y->cone->system->machines.at[local->machine];
    const struct automaton *a = &m->automaton;
    assert(local->width <= 32 && move->class < a->classes);
    tac_bdd fires = TAC_BDD_FALSE, next[32];
    for (uint32_t k = 0; k < local->width; k++)
        next[k] = TAC_BDD_FALSE;
    for (uint32_t q = 0; q < a->states; q++) {
        tac_bdd here = in_state(y, local, q);
        size_t edge = (size_t)q * a->classes + move->class;
        if (a->fires[edge])
            fires = tac_bdd_or(fires, here);
        for (uint32_t k = 0; k < local->width; k++)
            if (a->next[edge] >> k & 1)
                next[k] = tac_bdd_or(next[k], here);
    }
    for (uint32_t k = 0; k < local->width; k++)
        if (next[k] != value_of(y, local->shift + k))
            set_value(y, local->shift + k, next[k]);
    note_effects(y, m->first_effect, m->effect_count, fires);
}

static void step_symbolic(struct symbolic *y, const struct op *op)
{
    const struct cone *cone = y->cone;
    const struct system *s = cone->system;
    for (uint32_t b = 0; b < s->bit_count; b++)
        y->permit[b] = y->prohibit[b] = TAC_BDD_FALSE;
    for (uint32_t i = 0; i < op->static_count; i++)
        note_effects(y, cone->static_effects.at[op->first_static + i], 1, TAC_BDD_TRUE);
    for (uint32_t i = 0; i < op->count; i++)
        move_symbolic(y, &cone->moves.at[op->first + i]);
    tac_bdd conflict = TAC_BDD_FALSE;
    for (uint32_t b = 0; b < s->bit_count; b++)
        conflict = tac_bdd_or(conflict, tac_bdd_and(y->permit[b], y->prohibit[b]));
    if (s->paper && op->next_kind)
        add_hit(y, TAC_NONE, op->position + 1, tac_bdd_and(y->path, conflict));
    y->path = tac_bdd_diff(y->path, conflict);
    for (uint32_t b = 0; b < s->bit_count; b++) {
        uint32_t local = cone_bit(cone, b);
        if (local == TAC_NONE || (y->permit[b] == TAC_BDD_FALSE && y->prohibit[b] == TAC_BDD_FALSE))
            continue;
        set_value(y, local,
                  tac_bdd_or(y->prohibit[b], tac_bdd_diff(value_of(y, local), y->permit[b])));
    }
}

static void mask_symbolic(struct symbolic *y, const struct op *op)
{
    for (uint32_t k = 0; k < op->count; k++) {
        const struct mask *m = &y->cone->masks.at[op->first + k];
        for (uint32_t i = 0; i < 64; i++) {
            if (m->set >> i & 1)
                set_value(y, 64 * m->word + i, TAC_BDD_TRUE);
            else if (m->clear >> i & 1)
                set_value(y, 64 * m->word + i, TAC_BDD_FALSE);
        }
    }
}

static void run_symbolic(struct symbolic *y, const struct program *program)
{
    for (uint32_t i = 0; i < program->op_count && y->path != TAC_BDD_FALSE; i++) {
        const struct op *op = &y->cone->ops.at[program->first_op + i];
        switch (op->kind) {
        case OP_GUARD:
            y->path = tac_bdd_diff(y->path, value_of(y, op->bit));
            break;
        case OP_CALL:
            add_hit(y, y->cone->bits.at[op->bit], op->position,
                    tac_bdd_and(y->path, value_of(y, op->bit)));
            y->path = tac_bdd_diff(y->path, value_of(y, op->bit));
            break;
        case OP_MASK:
            mask_symbolic(y, op);
            break;
        case OP_STEP:
            step_symbolic(y, op);
            break;
        case OP_DOOM:
            if (op->next_kind)
                add_hit(y, TAC_NONE, op->position + 1, y->path);
            y->path = TAC_BDD_FALSE;
            break;
        case OP_STOP:
            y->path = TAC_BDD_FALSE;
            break;
        }
    }
}

void event_relation_build(const struct cone *cone, const uint32_t *place, uint32_t program,
                          struct event_relation *out)
{
    assert(program < cone->programs.count);
    size_t bits = cone->system->bit_count;
    *out = (struct event_relation){.program = program};
    struct symbolic y = {.cone = cone, .place = place, .path = TAC_BDD_TRUE, .out = out};
    y.value = tac_alloc((cone->state_bits + 1) * sizeof *y.value);
    memset(y.value, -1, (cone->state_bits + 1) * sizeof *y.value);
    y.permit = tac_calloc(2 * bits + 1, sizeof *y.permit);
    y.prohibit = y.permit + bits;
    size_t scope = tac_bdd_scope();
    run_symbolic(&y, &cone->programs.at[program]);
    tac_bdd relation = y.path, current = TAC_BDD_TRUE;
    assert(out->changed.count <= cone->state_bits);
    size_t n = out->changed.count;
    uint32_t *from = tac_alloc((n + 1) * sizeof *from), *to = tac_alloc((n + 1) * sizeof *to);
    for (size_t i = n; i-- > 0;) {
        uint32_t bit = out->changed.at[i];
        from[i] = 2 * place[bit] + 1;
        to[i] = 2 * place[bit];
        relation = tac_bdd_and(relation, tac_bdd_iff(tac_bdd_var(from[i]), y.value[bit]));
    }
    current = tac_bdd_variables(to, n);
    out->relation = tac_bdd_keep(relation);
    out->current = tac_bdd_keep(current);
    out->to_current = tac_bdd_pairs_new(from, to, n);
    tac_bdd_leave(scope);
    free(from);
    free(to);
    free(y.value);
    free(y.permit);
}

void event_relation_free(struct event_relation *relation)
{
    tac_bdd_drop(relation->relation);
    tac_bdd_drop(relation->current);
    tac_bdd_pairs_free(relation->to_current);
    for (size_t i = 0; i < relation->hits.count; i++)
        tac_bdd_drop(relation->hits.at[i].when);
    tac_vec_free(&relation->hits);
    tac_vec_free(&relation->changed);
}
