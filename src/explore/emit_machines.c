/* The first half of writing the model: screens get their canonical numbers and names, and the state
 * machines are found.
 *
 * A machine is made for every screen with which an instance of an activity began. Where one call
 * came back to different screens, depending on the control that ended it (save, or cancel), the
 * called machine is copied, once for each of them, and each copy keeps the controls that lead
 * there. So the model has exactly the flows that were seen, at the price of two transitions with
 * one event. */
#include "base/check.h"
#include "base/data/order.h"
#include "base/data/str.h"
#include "explore/emit.h"

static int by_order(const void *a, const void *b)
{
    const struct control *x = a, *y = b;
    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Landings in an order that does not depend on the order of discovery. */
static int by_landing(const void *a, const void *b, void *context)
{
    const struct explorer *ex = context;
    const struct landing *x = a, *y = b;
    if (x->by != y->by && x->by != NOWHERE && y->by != NOWHERE)
        return strcmp(ex->keys.text[x->by], ex->keys.text[y->by]);
    return strcmp(ex->signatures.text[x->screen], ex->signatures.text[y->screen]);
}

static void put_in_order(struct explorer *ex)
{
    for (size_t i = 0; i < ex->screens.count; i++) {
        struct screen *s = &ex->screens.at[i];
        for (size_t c = 0; c < s->controls.count; c++)
            for (size_t o = 0; o < s->controls.at[c].outcomes.count; o++) {
                struct explore_outcome *out = &s->controls.at[c].outcomes.at[o];
                if (out->landings.count > 1)
                    qsort_r(out->landings.at, out->landings.count, sizeof(struct landing),
                            by_landing, ex);
            }
        if (s->controls.count)
            qsort(s->controls.at, s->controls.count, sizeof(struct control), by_order);
    }
}

static void push_successors(const struct screen *s, number_list *stack)
{
    for (size_t i = s->controls.count; i-- > 0;)
        for (size_t o = s->controls.at[i].outcomes.count; o-- > 0;) {
            const struct explore_outcome *out = &s->controls.at[i].outcomes.at[o];
            for (size_t k = out->landings.count; k-- > 0;)
                tac_vec_push(stack, out->landings.at[k].screen);
            if (out->kind == WENT || out->kind == CALLED)
                tac_vec_push(stack, out->target);
        }
}

static void number_from(struct emitter *em, uint32_t start)
{
    number_list stack = {0};
    tac_vec_push(&stack, start);
    while (stack.count) {
        uint32_t at = tac_vec_pop(&stack);
        if (em->out->number[at] != NOWHERE)
            continue;
        assert(at < em->ex->screens.count);
        em->out->number[at] = (uint32_t)em->order.count;
        tac_vec_push(&em->order, at);
        push_successors(&em->ex->screens.at[at], &stack);
    }
    tac_vec_free(&stack);
}

/* S0, S1, ... in the canonical order; or, so that partial models of a random app have one name for
 * one screen, names from the screen itself. */
static void name_screens(struct emitter *em)
{
    struct explorer *ex = em->ex;
    for (uint32_t i = 0; i < ex->screens.count; i++) {
        uint64_t hash = tac_hash_bytes(ex->signatures.text[i], ex->signatures.length[i], 0);
        em->out->states[i] =
            ex->options.stable_names
                ? tac_arena_format(&ex->arena, "S%06x", (unsigned)(hash & 0xffffff))
                : tac_arena_format(&ex->arena, "S%u", em->out->number[i]);
    }
    for (uint32_t i = 0; i < ex->screens.count && ex->options.stable_names; i++)
        for (uint32_t k = 0; k < i; k++)
            if (!strcmp(em->out->states[i], em->out->states[k]))
                em->out->states[i] = tac_arena_format(&ex->arena, "%sx", em->out->states[i]);
}

void emit_number_screens(struct emitter *em)
{
    put_in_order(em->ex);
    struct explorer *ex = em->ex;
    for (uint32_t i = 0; i < ex->screens.count; i++)
        em->out->number[i] = NOWHERE;
    for (uint32_t i = 0; i < ex->screens.count; i++)
        if (ex->screens.at[i].launch)
            number_from(em, i);
    for (uint32_t i = 0; i < ex->screens.count; i++)
        number_from(em, i);
    assert(em->order.count == ex->screens.count); /* every screen has its number */
    name_screens(em);
}

/* --- machines --- */

static void collect_members(const struct explorer *ex, struct machine *m)
{
    assert(m->entry < ex->screens.count);
    m->contains = tac_calloc(ex->screens.count + 1, sizeof *m->contains);
    tac_vec_push(&m->members, m->entry);
    m->contains[m->entry] = true;
    for (size_t i = 0; i < m->members.count; i++) {
        const struct screen *s = &ex->screens.at[m->members.at[i]];
        for (size_t c = 0; c < s->controls.count; c++)
            for (size_t o = 0; o < s->controls.at[c].outcomes.count; o++) {
                const struct explore_outcome *out = &s->controls.at[c].outcomes.at[o];
                number_list next = {0};
                if (out->kind == WENT)
                    tac_vec_push(&next, out->target);
                for (size_t k = 0; k < out->landings.count; k++)
                    tac_vec_push(&next, out->landings.at[k].screen);
                for (size_t k = 0; k < next.count; k++)
                    if (!m->contains[next.at[k]]) {
                        m->contains[next.at[k]] = true;
                        tac_vec_push(&m->members, next.at[k]);
                    }
                tac_vec_free(&next);
            }
    }
}

/* --- calls that come back to different screens --- */

static bool is_split(const struct explore_outcome *o)
{
    for (size_t i = 1; i < o->landings.count && o->kind == CALLED && !o->pops; i++)
        if (o->landings.at[i].screen != o->landings.at[0].screen)
            return true;
    return false;
}

static void collect_keys(const struct explore_outcome *o, uint32_t landing_screen, number_list *out)
{
    for (size_t i = 0; i < o->landings.count; i++)
        if (landing_screen == NOWHERE || o->landings.at[i].screen == landing_screen)
            tac_vec_push(out, o->landings.at[i].by);
    assert(out->count > 0); /* asked for where it was seen to land only */
    qsort(out->at, out->count, sizeof *out->at, tac_order_u32);
}

static bool same_list(const number_list *a, const number_list *b)
{
    return a->count == b->count && !memcmp(a->at, b->at, a->count * sizeof *a->at);
}

static bool has_number(const number_list *list, uint32_t number)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i] == number)
            return true;
    return false;
}

bool emit_may_end(const struct machine *m, uint32_t key)
{
    return !m->copy || has_number(&m->allowed, key) || !has_number(&m->known, key);
}

uint32_t emit_called_machine(const struct emitter *em, const struct explore_outcome *call,
                             uint32_t landing_screen)
{
    assert(call->kind == CALLED && call->target < em->ex->screens.count);
    if (!is_split(call))
        return em->entry_machine[call->target];
    struct machine wanted = {.entry = call->target};
    collect_keys(call, landing_screen, &wanted.allowed);
    collect_keys(call, NOWHERE, &wanted.known);
    uint32_t found = NOWHERE;
    for (uint32_t i = 0; i < em->machines.count && found == NOWHERE; i++) {
        const struct machine *m = &em->machines.at[i];
        if (m->copy && m->entry == wanted.entry && same_list(&m->allowed, &wanted.allowed) &&
            same_list(&m->known, &wanted.known))
            found = i;
    }
    tac_vec_free(&wanted.allowed);
    tac_vec_free(&wanted.known);
    return found;
}

static void add_machine(struct emitter *em, struct machine m, uint32_t *per_activity)
{
    struct explorer *ex = em->ex;
    uint32_t activity = ex->screens.at[m.entry].activity, number = per_activity[activity]++;
    assert(activity < ex->names.count && m.copy == (m.allowed.count > 0));
    tac_str name = {0};
    tac_str_addf(&name, "%s_", ex->names.text[activity]);
    if (!ex->options.stable_names)
        tac_str_addf(&name, "%u", number);
    else
        tac_str_add(&name, em->out->states[m.entry]);
    for (size_t i = 0; i < m.allowed.count && ex->options.stable_names; i++)
        tac_str_addf(&name, "_%s", em->out->names[m.allowed.at[i]]);
    m.name = tac_arena_strdup(&ex->arena, tac_str_text(&name));
    tac_str_free(&name);
    collect_members(ex, &m);
    if (!m.copy)
        em->entry_machine[m.entry] = (uint32_t)em->machines.count;
    tac_vec_push(&em->machines, m);
}

/* needed[s]: some instance begins with s and may be ended by anything. */
static void find_entries(const struct explorer *ex, bool *needed)
{
    for (uint32_t i = 0; i < ex->screens.count; i++) {
        needed[i] |= ex->screens.at[i].launch;
        for (size_t c = 0; c < ex->screens.at[i].controls.count; c++) {
            const struct control *k = &ex->screens.at[i].controls.at[c];
            for (size_t o = 0; o < k->outcomes.count; o++) {
                const struct explore_outcome *out = &k->outcomes.at[o];
                bool far = out->kind == RETURNED && out->target != NOWHERE;
                if ((out->kind == CALLED && !is_split(out)) || far)
                    needed[out->target] = true;
            }
        }
    }
}

static void add_copies(struct emitter *em, const struct explore_outcome *o, uint32_t *per_activity)
{
    for (size_t i = 0; i < o->landings.count && is_split(o); i++) {
        uint32_t landing_screen = o->landings.at[i].screen;
        if (emit_called_machine(em, o, landing_screen) != NOWHERE)
            continue;
        struct machine m = {.entry = o->target, .copy = true};
        collect_keys(o, landing_screen, &m.allowed);
        collect_keys(o, NOWHERE, &m.known);
        add_machine(em, m, per_activity);
    }
}

void emit_find_machines(struct emitter *em)
{
    struct explorer *ex = em->ex;
    bool *needed = tac_calloc(ex->screens.count + 1, sizeof *needed);
    uint32_t *per_activity = tac_calloc(ex->names.count + 1, sizeof *per_activity);
    for (uint32_t i = 0; i < ex->screens.count; i++)
        em->entry_machine[i] = NOWHERE;
    find_entries(ex, needed);
    for (size_t n = 0; n < em->order.count; n++)
        if (needed[em->order.at[n]])
            add_machine(em, (struct machine){.entry = em->order.at[n]}, per_activity);
    for (size_t n = 0; n < em->order.count; n++) {
        const struct screen *s = &ex->screens.at[em->order.at[n]];
        for (size_t c = 0; c < s->controls.count; c++)
            for (size_t o = 0; o < s->controls.at[c].outcomes.count; o++)
                add_copies(em, &s->controls.at[c].outcomes.at[o], per_activity);
    }
    assert(em->machines.count > 0 || ex->screens.count == 0);
    free(needed);
    free(per_activity);
}

void emit_build_machines(struct emitter *em)
{
    struct explorer *ex = em->ex;
    uint32_t *activity_index = tac_calloc(ex->names.count + 1, sizeof *activity_index);
    bool *launchable = tac_calloc(ex->names.count + 1, sizeof *launchable);
    for (size_t i = 0; i < ex->names.count; i++)
        activity_index[i] = NOWHERE;
    for (size_t i = 0; i < em->machines.count; i++)
        launchable[ex->screens.at[em->machines.at[i].entry].activity] |=
            ex->screens.at[em->machines.at[i].entry].launch;
    for (size_t i = 0; i < em->machines.count; i++) {
        struct machine *m = &em->machines.at[i];
        uint32_t activity = ex->screens.at[m->entry].activity;
        if (activity_index[activity] == NOWHERE)
            activity_index[activity] = tac_build_activity(
                em->builder, em->application, ex->names.text[activity], launchable[activity], 0);
        m->index = tac_build_machine(em->builder, activity_index[activity], m->name,
                                     ex->screens.at[m->entry].launch, 0);
    }
    free(activity_index);
    free(launchable);
}

void emit_free_machines(struct emitter *em)
{
    for (size_t i = 0; i < em->machines.count; i++) {
        tac_vec_free(&em->machines.at[i].members);
        tac_vec_free(&em->machines.at[i].allowed);
        tac_vec_free(&em->machines.at[i].known);
        free(em->machines.at[i].contains);
    }
    tac_vec_free(&em->machines);
}
