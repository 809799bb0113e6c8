/* Turns what was seen into an interaction model (section 5.1.3).
 *
 * Activities become activities. A machine is made for every screen with which an instance of an
 * activity began; it holds the screens reachable from there without leaving the instance. A call
 * becomes a connection that returns to where it was seen to come back to; finishing becomes the
 * final state; finishing several activities at once becomes a call with reuse (clear-top). Where
 * the language cannot say what was seen, the model allows more and `approximate` lists the place.
 *
 * Screens are numbered in depth-first preorder, back first, then in the order of the document: the
 * numbers do not depend on the strategy. */
#include "base/check.h"
#include "base/data/order.h"
#include "base/io/json.h"
#include "explore/emit.h"
#include "model/builder.h"

/* Each other application seen: one screen from which back returns. */
static void build_away(struct emitter *em, uint32_t device)
{
    struct explorer *ex = em->ex;
    for (uint32_t i = 0; i < ex->away.count; i++) {
        const struct away_app *a = &ex->away.at[i];
        const char *dot = strrchr(a->package, '.');
        const char *name =
            tac_arena_format(&ex->arena, "external%u_%s", i, dot ? dot + 1 : a->package);
        uint32_t application =
            tac_build_application(em->builder, device, name, name, a->package, false, 0);
        uint32_t activity = tac_build_activity(em->builder, application, a->activity, false, 0);
        const char *machine_name = tac_arena_format(&ex->arena, "%s_external%u", a->activity, i);
        uint32_t m = tac_build_machine(em->builder, activity, machine_name, false, 0);
        tac_build_node(em->builder, m, TAC_NODE_STATE, "E", 0);
        tac_build_node(em->builder, m, TAC_NODE_FINAL, "end", 0);
        tac_build_initial(em->builder, m, "E", 0);
        uint32_t t = tac_build_transition(em->builder, m, "E", "back", "end", TAC_EVENT_USER, -1, 1,
                                          NULL, NULL, 0);
        tac_build_action(em->builder, t, TAC_ACTION_BACK, NULL, NULL, NULL, NULL);
        em->away_machines[i] = machine_name;
    }
}

/* --- transitions --- */

static const char *state_name(const struct emitter *em, uint32_t screen_number)
{
    return em->out->states[screen_number];
}

static const char *connection_name(const struct emitter *em, size_t index, const char *calls,
                                   const char *returns, bool reuse)
{
    tac_arena *arena = &em->ex->arena;
    if (em->ex->options.stable_names)
        return tac_arena_format(arena, "C_%s_%s%s", calls, returns, reuse ? "_reuse" : "");
    return tac_arena_format(arena, "C%zu", index - em->first_connection);
}

/* A connection of the current machine; equal ones are shared. */
static const char *connect(struct emitter *em, const char *calls, const char *returns, bool reuse)
{
    for (size_t i = em->first_connection; i < em->connections.count; i++) {
        const struct connection *c = &em->connections.at[i];
        if (!strcmp(c->calls, calls) && !strcmp(c->returns, returns) && c->reuse == reuse)
            return connection_name(em, i, calls, returns, reuse);
    }
    const char *name = connection_name(em, em->connections.count, calls, returns, reuse);
    tac_vec_push(&em->connections, (struct connection){em->current, calls, returns, reuse});
    uint32_t node = tac_build_node(em->builder, em->machines.at[em->current].index,
                                   TAC_NODE_CONNECTION, name, 0);
    tac_build_call(em->builder, node, calls, returns, reuse, true);
    return name;
}

static void note(struct emitter *em, uint32_t from, const struct control *c, const char *what)
{
    struct approximation at = {state_name(em, from), em->out->names[c->key], what};
    tac_vec_push(&em->out->approximate, at);
}

static void add_transition(struct emitter *em, uint32_t from, const struct control *c,
                           const struct explore_outcome *o, const char *to, double time)
{
    assert(em->current < em->machines.count && c->key < em->ex->keys.count);
    uint32_t m = em->machines.at[em->current].index;
    double weight = control_differs(c) ? o->count : 1; /* how chance decided */
    const char *whole = tac_arena_format(&em->ex->arena, "%u %s %s %s", m, state_name(em, from),
                                         em->out->names[c->key], to);
    if (tac_names_find(&em->written, whole) != TAC_NONE)
        return;
    tac_names_intern(&em->written, whole);
    uint32_t t = tac_build_transition(em->builder, m, state_name(em, from), em->out->names[c->key],
                                      to, c->system ? TAC_EVENT_SYSTEM : TAC_EVENT_USER, time,
                                      weight, NULL, NULL, 0);
    if (!c->system)
        tac_build_action(em->builder, t, c->kind, c->xpath, c->resource_id, NULL, c->value);
}

/* Whether one control ended this call on different screens: chance, which no copy can tell apart.
 */
static bool lands_by_chance(const struct explore_outcome *o)
{
    for (size_t i = 1; i < o->landings.count; i++)
        for (size_t k = 0; k < i; k++)
            if (o->landings.at[i].by == o->landings.at[k].by)
                return true;
    return false;
}

static void add_call(struct emitter *em, uint32_t from, const struct control *c,
                     const struct explore_outcome *o, double time)
{
    if (o->pops > 1)
        note(em, from, c, "the call finishes several activities");
    if (o->pops > 0 || o->landings.count == 0) {
        assert(em->entry_machine[o->target] < em->machines.count);
        const char *calls = em->machines.at[em->entry_machine[o->target]].name;
        const char *returns = o->pops ? "end" : state_name(em, from);
        add_transition(em, from, c, o, connect(em, calls, returns, false), time);
        return;
    }
    for (size_t i = 0; i < o->landings.count; i++) {
        uint32_t to = o->landings.at[i].screen;
        const char *calls = em->machines.at[emit_called_machine(em, o, to)].name;
        add_transition(em, from, c, o, connect(em, calls, state_name(em, to), false), time);
    }
    if (lands_by_chance(o))
        note(em, from, c, "the call comes back to several screens by chance");
}

static void add_away(struct emitter *em, uint32_t from, const struct control *c,
                     const struct explore_outcome *o)
{
    uint32_t back = o->landings.count ? o->landings.at[0].screen : from;
    add_transition(em, from, c, o,
                   connect(em, em->away_machines[o->target], state_name(em, back), false), -1);
}

static void add_crash(struct emitter *em, uint32_t from, const struct control *c,
                      const struct explore_outcome *o)
{
    const char *name = tac_arena_format(&em->ex->arena, "Crash%u", o->target);
    if (!em->crash_written[o->target])
        tac_build_node(em->builder, em->machines.at[em->current].index, TAC_NODE_STATE, name, 0);
    em->crash_written[o->target] = true;
    add_transition(em, from, c, o, name, -1);
}

/* The final of the current machine that leaves the app although other activities lie below. */
static const char *leaving_final(struct emitter *em)
{
    uint32_t m = em->machines.at[em->current].index;
    if (!em->left_written)
        tac_build_leaves(em->builder, tac_build_node(em->builder, m, TAC_NODE_FINAL, "left", 0));
    em->left_written = true;
    return "left";
}

static void add_control(struct emitter *em, uint32_t from, const struct control *c)
{
    bool ends = false, far = false;
    for (size_t i = 0; i < c->outcomes.count; i++)
        far |= c->outcomes.at[i].kind == RETURNED && c->outcomes.at[i].pops > 1;
    for (size_t i = 0; i < c->outcomes.count; i++) {
        const struct explore_outcome *o = &c->outcomes.at[i];
        double time = c->system ? (double)(int64_t)(o->delay * 1000 + 0.5) / 1000 : -1;
        if (o->kind == WENT) {
            add_transition(em, from, c, o, state_name(em, o->target), time);
        } else if (o->kind == CALLED) {
            add_call(em, from, c, o, time);
        } else if (o->kind == AWAY) {
            add_away(em, from, c, o);
        } else if (o->kind == CRASHED) {
            add_crash(em, from, c, o);
        } else if (o->kind == RETURNED && far) {
            if (o->pops > 1 && em->entry_machine[o->target] != NOWHERE)
                add_transition(em, from, c, o,
                               connect(em, em->machines.at[em->entry_machine[o->target]].name,
                                       state_name(em, from), true),
                               time);
        } else if (o->kind == LEFT && o->deep) {
            add_transition(em, from, c, o, leaving_final(em), time);
        } else if (!ends &&
                   (o->kind == LEFT || emit_may_end(&em->machines.at[em->current], c->key))) {
            ends = true;
            add_transition(em, from, c, o, "end", time);
        }
    }
}

/* Elements of the screen that no transition acts on: not tried, given up, or ignored with what is
 * inside them. */
static void add_untried(struct emitter *em, uint32_t node, const struct screen *s,
                        const bool *written)
{
    struct explorer *ex = em->ex;
    for (size_t c = 0; c < s->controls.count; c++) {
        const struct control *k = &s->controls.at[c];
        if (!written[c] && k->kind == TAC_ACTION_CLICK && k->xpath) /* a line each */
            tac_build_untried(em->builder, node, strchr(k->xpath, '\n') ? "//node" : k->xpath);
    }
    for (size_t r = 0; r < ex->options.ignore_count; r++)
        tac_build_untried(
            em->builder, node,
            tac_arena_format(&ex->arena, "(%s)/descendant-or-self::node", ex->options.ignore[r]));
}

/* Transitions by the controls of a screen. */
static void fill_state(struct emitter *em, uint32_t number, uint32_t node)
{
    const struct screen *s = &em->ex->screens.at[number];
    bool *written = tac_calloc(s->controls.count + 1, sizeof *written);
    for (size_t c = 0; c < s->controls.count; c++) {
        size_t before = em->builder->transitions.count;
        add_control(em, number, &s->controls.at[c]);
        written[c] = em->builder->transitions.count > before;
    }
    add_untried(em, node, s, written);
    free(written);
}

static void fill_machine(struct emitter *em, uint32_t number)
{
    struct explorer *ex = em->ex;
    struct machine *m = &em->machines.at[number];
    number_list numbers = {0};
    em->current = number;
    em->first_connection = em->connections.count;
    em->left_written = false;
    memset(em->crash_written, 0, ex->crashes.count * sizeof *em->crash_written);
    for (size_t i = 0; i < m->members.count; i++)
        tac_vec_push(&numbers, em->out->number[m->members.at[i]]);
    qsort(numbers.at, numbers.count, sizeof *numbers.at, tac_order_u32);
    uint32_t *nodes = tac_calloc(numbers.count + 1, sizeof *nodes);
    for (size_t i = 0; i < numbers.count; i++) {
        uint32_t s = em->order.at[numbers.at[i]];
        nodes[i] = tac_build_node(em->builder, m->index, TAC_NODE_STATE, state_name(em, s), 0);
        tac_build_image(em->builder, nodes[i], picture_name(ex, s));
    }
    tac_build_initial(em->builder, m->index, state_name(em, m->entry), 0);
    tac_build_node(em->builder, m->index, TAC_NODE_FINAL, "end", 0);
    for (size_t i = 0; i < numbers.count; i++)
        fill_state(em, em->order.at[numbers.at[i]], nodes[i]);
    free(nodes);
    tac_vec_free(&numbers);
}

static void emitter_free(struct emitter *em)
{
    emit_free_machines(em);
    tac_vec_free(&em->order);
    tac_vec_free(&em->connections);
    free(em->entry_machine);
    free((void *)em->away_machines);
    free(em->crash_written);
    tac_names_free(&em->written);
}

tac_status emit_model(struct explorer *ex, struct emitted *out, tac_error *err)
{
    tac_status st = event_names(ex, &out->names, err);
    if (st)
        return st;
    struct emitter em = {.ex = ex, .out = out};
    out->number = tac_calloc(ex->screens.count + 1, sizeof *out->number);
    out->states = tac_calloc(ex->screens.count + 1, sizeof *out->states);
    em.entry_machine = tac_calloc(ex->screens.count + 1, sizeof *em.entry_machine);
    em.away_machines = tac_calloc(ex->away.count + 1, sizeof *em.away_machines);
    em.crash_written = tac_calloc(ex->crashes.count + 1, sizeof *em.crash_written);
    emit_number_screens(&em);
    emit_find_machines(&em);
    em.builder = tac_model_builder_new(ex->app_code, tac_device_uri(ex->device));
    uint32_t device = tac_build_device(em.builder, ex->device_name, ex->serial, 0);
    em.application =
        tac_build_application(em.builder, device, ex->app_name, ex->app_code, ex->package, true, 0);
    emit_build_machines(&em);
    build_away(&em, device);
    for (uint32_t i = 0; i < em.machines.count; i++)
        fill_machine(&em, i);
    tac_diagnostics findings = {0};
    st = tac_model_builder_finish(em.builder, &findings, &out->model, err);
    tac_diagnostics_free(&findings);
    emitter_free(&em);
    return st;
}
