/* Playing a rule set against a world that changes.
 *
 * The world changes by events; a group becomes due at its first refresh after it has stood still
 * for its hold time, the refreshes being at multiples of its period. At each moment at which groups
 * are due the app reads them, all together, and adapts until it rests or goes round. Where chance
 * decides, the rule that comes first in the file is taken, and the other ways to end are listed.
 *
 * Invariant: moments are in the order of time; the input of a moment is what the app saw, with the
 * actions of earlier transitions in it. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/vec.h"
#include "rules/engine/simulate.h"
#include "rules/rules.h"
#include <string.h>

#define MOST_STEPS 1000000u
#define MOST_WAYS 20000u /* pairs looked at for where chance may lead */
#define NOT_DUE UINT64_MAX

struct simulator {
    const tac_rules *rules;
    const tac_rules_simulation *options;
    char *world, *seen; /* inputs: as it is, as the app has read it */
    uint32_t state;
    uint64_t *due; /* by group */
    uint64_t steps;
    TAC_VEC(tac_rules_moment) moments;
};

/* --- One moment ------------------------------------------------------------------------------- */

/* All triggered edges of the state, those of the best priority that hold. */
static size_t fired(const tac_rules *rules, uint32_t state, const char *input, uint32_t *edges)
{
    const tac_rules_state *s = &rules->states[state];
    uint32_t first = rules_triggered_edge(rules, state, input);
    size_t count = 0;
    if (first == TAC_RULES_NONE)
        return 0;
    uint32_t priority = rules->rules[rules->edges[first].rule].priority;
    for (uint32_t e = first; e < s->first_edge + s->edge_count; e++) {
        const tac_rules_rule *rule = &rules->rules[rules->edges[e].rule];
        if (rule->priority == priority && rules_predicate_holds(rules, rule->when, input))
            edges[count++] = e;
    }
    return count;
}

static uint32_t *edge_room(const tac_rules *rules)
{
    return tac_calloc((size_t)rules->edge_count + 1, sizeof(uint32_t));
}

/* A state and an input as one text, for a table of those seen. */
static uint32_t intern(tac_names *pairs, const tac_rules *rules, uint32_t state, const char *input,
                       char *room)
{
    memcpy(room, &state, sizeof state);
    memcpy(room + sizeof state, input, rules->variable_count);
    return tac_names_intern_bytes(pairs, room, sizeof state + rules->variable_count);
}

static void add_transition(tac_rules_moment *m, size_t *room, uint32_t from, const uint32_t *edges,
                           size_t count, const tac_rules *rules)
{
    tac_rules_transition t = {.from = from, .rule = rules->edges[edges[0]].rule};
    assert(count > 0 && from < rules->state_count);
    if (count > 1) {
        t.together = count - 1;
        t.others = tac_calloc(count, sizeof *t.others);
        for (size_t i = 1; i < count; i++)
            t.others[i - 1] = rules->edges[edges[i]].rule;
    }
    if (m->count == *room) {
        *room = *room ? *room * 2 : 4;
        m->transitions = tac_realloc(m->transitions, *room, sizeof *m->transitions);
    }
    m->transitions[m->count++] = t;
}

/* Adapts until it rests, or until a state comes again with the same input. */
static tac_status adapt(struct simulator *x, tac_rules_moment *m, tac_error *err)
{
    const tac_rules *rules = x->rules;
    uint64_t most = x->options->max_steps ? x->options->max_steps : MOST_STEPS;
    uint32_t *edges = edge_room(rules);
    char *room = tac_alloc(sizeof(uint32_t) + rules->variable_count + 1);
    tac_names pairs = {0};
    size_t transitions = 0;
    tac_status status = TAC_OK;
    intern(&pairs, rules, x->state, x->seen, room);
    for (;;) {
        size_t count = fired(rules, x->state, x->seen, edges);
        if (count == 0)
            break;
        if (++x->steps > most) {
            status = tac_fail(err, TAC_E_LIMIT,
                              "the app adapts more than %llu times: the simulation is given up",
                              (unsigned long long)most);
            break;
        }
        if (!tac_watch_tick(x->options->watch, "transitions", x->steps, 0)) {
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
            break;
        }
        add_transition(m, &transitions, x->state, edges, count, rules);
        const tac_rules_rule *rule = &rules->rules[rules->edges[edges[0]].rule];
        rules_apply_action(rules, rule, x->seen);
        x->state = rule->to;
        size_t known = pairs.count;
        uint32_t id = intern(&pairs, rules, x->state, x->seen, room);
        if (id < known) {
            m->never_rests = true;
            m->loop = id;
            assert(m->loop < m->count);
            break;
        }
    }
    assert(x->state < rules->state_count);
    m->state = x->state;
    tac_names_free(&pairs);
    free(room);
    free(edges);
    return status;
}

/* --- Where chance may lead -------------------------------------------------------------------- */

struct ways {
    const tac_rules *rules;
    tac_names pairs;
    TAC_VEC(uint32_t) first; /* by pair: into next */
    TAC_VEC(uint32_t) next;  /* pairs that follow */
    bool *rests;             /* by state */
};

/* A pair that follows itself in the end: some run from the start never rests. Pairs that rest or
 * lead only to such are taken away until nothing changes. */
static bool goes_round(const struct ways *w)
{
    size_t count = w->pairs.count;
    assert(w->first.count == count + 1);
    bool *gone = tac_calloc(count + 1, sizeof *gone), changed = true;
    size_t left = count;
    while (changed) {
        changed = false;
        for (size_t p = count; p-- > 0;) {
            bool some = false;
            for (uint32_t k = w->first.at[p]; k < w->first.at[p + 1]; k++)
                some = some || !gone[w->next.at[k]];
            if (!gone[p] && !some) {
                gone[p] = changed = true;
                left--;
            }
        }
    }
    free(gone);
    return left > 0;
}

/* Follows every rule that fires; false when there are too many pairs. */
static bool explore(struct ways *w, uint32_t state, const char *input)
{
    const tac_rules *rules = w->rules;
    size_t size = sizeof state + rules->variable_count;
    uint32_t *edges = edge_room(rules);
    char *room = tac_alloc(size + 1), *values = tac_alloc((size_t)rules->variable_count + 1);
    intern(&w->pairs, rules, state, input, room);
    for (uint32_t p = 0; p < w->pairs.count && w->pairs.count <= MOST_WAYS; p++) {
        tac_vec_push(&w->first, (uint32_t)w->next.count);
        memcpy(&state, w->pairs.text[p], sizeof state);
        assert(w->pairs.length[p] == size && state < rules->state_count);
        memcpy(values, w->pairs.text[p] + sizeof state, rules->variable_count);
        values[rules->variable_count] = '\0';
        size_t count = fired(rules, state, values, edges);
        w->rests[state] = w->rests[state] || count == 0;
        for (size_t i = 0; i < count; i++) {
            const tac_rules_rule *rule = &rules->rules[rules->edges[edges[i]].rule];
            memcpy(values, w->pairs.text[p] + sizeof state, rules->variable_count);
            rules_apply_action(rules, rule, values);
            tac_vec_push(&w->next, intern(&w->pairs, rules, rule->to, values, room));
        }
    }
    tac_vec_push(&w->first, (uint32_t)w->next.count);
    free(edges);
    free(room);
    free(values);
    return w->pairs.count <= MOST_WAYS;
}

static void look_at_chance(const tac_rules *rules, uint32_t state, const char *input,
                           tac_rules_moment *m)
{
    struct ways w = {.rules = rules};
    w.rests = tac_calloc((size_t)rules->state_count + 1, sizeof *w.rests);
    m->may_known = explore(&w, state, input);
    if (m->may_known) {
        m->may_rest = tac_calloc((size_t)rules->state_count + 1, sizeof *m->may_rest);
        for (uint32_t s = 0; s < rules->state_count; s++)
            if (w.rests[s])
                m->may_rest[m->may_rest_count++] = s;
        m->may_never_rest = goes_round(&w);
        assert(m->may_rest_count || m->may_never_rest);
    }
    tac_names_free(&w.pairs);
    tac_vec_free(&w.first);
    tac_vec_free(&w.next);
    free(w.rests);
}

/* --- Time ------------------------------------------------------------------------------------- */

static bool group_differs(const tac_rules *rules, uint32_t group, const char *a, const char *b)
{
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (rules->variables[v].group == group && a[v] != b[v])
            return true;
    return false;
}

/* The group has changed in the world: its first refresh after the hold time. */
static uint64_t due_after(const tac_rules_group *group, uint64_t changed)
{
    uint64_t time = changed + group->hold_ms;
    uint64_t late = group->every_ms ? time % group->every_ms : 0;
    assert(time >= changed && late <= group->every_ms);
    return late ? time + group->every_ms - late : time;
}

/* The world changes; groups that did become due later. */
static void change_world(struct simulator *x, const tac_rules_event *event)
{
    char *before = tac_strdup(x->world);
    for (uint32_t v = 0; v < x->rules->variable_count; v++)
        if (event->change[v] != '*')
            x->world[v] = event->change[v];
    for (uint32_t g = 0; g < x->rules->group_count; g++)
        if (group_differs(x->rules, g, before, x->world))
            x->due[g] = due_after(&x->rules->groups[g], event->time_ms);
    free(before);
}

static uint64_t next_due(const struct simulator *x)
{
    uint64_t next = NOT_DUE;
    for (uint32_t g = 0; g < x->rules->group_count; g++)
        if (x->due[g] < next)
            next = x->due[g];
    return next;
}

static tac_status add_moment(struct simulator *x, tac_rules_moment m, tac_error *err)
{
    assert(!x->moments.count || tac_vec_last(&x->moments).time_ms <= m.time_ms);
    m.input = tac_strdup(x->seen);
    m.valid = rules_input_is_valid(x->rules, x->seen);
    look_at_chance(x->rules, x->state, x->seen, &m);
    tac_status status = adapt(x, &m, err);
    tac_vec_push(&x->moments, m);
    return status;
}

/* Reads the groups that are due now. Nothing happens when the app sees what it saw. */
static tac_status refresh(struct simulator *x, uint64_t now, tac_error *err)
{
    assert(now != NOT_DUE);
    tac_rules_moment m = {.time_ms = now};
    m.groups = tac_calloc((size_t)x->rules->group_count + 1, sizeof *m.groups);
    for (uint32_t g = 0; g < x->rules->group_count; g++) {
        if (x->due[g] != now)
            continue;
        x->due[g] = NOT_DUE;
        if (!group_differs(x->rules, g, x->world, x->seen))
            continue;
        m.groups[m.group_count++] = g;
        for (uint32_t v = 0; v < x->rules->variable_count; v++)
            if (x->rules->variables[v].group == g)
                x->seen[v] = x->world[v];
    }
    if (m.group_count)
        return add_moment(x, m, err);
    free(m.groups);
    return TAC_OK;
}

static tac_status play(struct simulator *x, tac_error *err)
{
    const tac_rules_events *events = x->options->events;
    size_t next = 0, count = events ? events->count : 0;
    while (next < count && events->at[next].time_ms == 0)
        change_world(x, &events->at[next++]);
    memset(x->due, 0xff, (size_t)x->rules->group_count * sizeof *x->due);
    strcpy(x->seen, x->world);
    tac_status status = add_moment(x, (tac_rules_moment){0}, err);
    while (status == TAC_OK && (next < count || next_due(x) != NOT_DUE)) {
        uint64_t due = next_due(x);
        if (next < count && events->at[next].time_ms <= due)
            change_world(x, &events->at[next++]);
        else
            status = refresh(x, due, err);
    }
    return status;
}

static char *start_input(const tac_rules *rules, const char *input)
{
    if (input)
        return tac_strdup(input);
    char *off = tac_alloc((size_t)rules->variable_count + 1);
    memset(off, '0', rules->variable_count);
    off[rules->variable_count] = '\0';
    return off;
}

tac_status tac_rules_simulate(const tac_rules *rules, const tac_rules_simulation *simulation,
                              tac_rules_timeline **out, tac_error *err)
{
    if (simulation->state >= rules->state_count)
        return tac_fail(err, TAC_E_USAGE, "there is no state %u", simulation->state);
    if (simulation->input && strlen(simulation->input) != rules->variable_count)
        return tac_fail(err, TAC_E_USAGE, "an input has one character for each variable");
    struct simulator x = {.rules = rules, .options = simulation, .state = simulation->state};
    x.world = start_input(rules, simulation->input);
    x.seen = tac_strdup(x.world);
    x.due = tac_calloc((size_t)rules->group_count + 1, sizeof *x.due);
    tac_status status = play(&x, err);
    tac_rules_timeline *timeline = tac_calloc(1, sizeof *timeline);
    timeline->at = x.moments.at;
    timeline->count = x.moments.count;
    timeline->start = simulation->state;
    free(x.world);
    free(x.seen);
    free(x.due);
    if (status)
        tac_rules_timeline_free(timeline);
    else
        *out = timeline;
    return status;
}

void tac_rules_timeline_free(tac_rules_timeline *timeline)
{
    if (!timeline)
        return;
    for (size_t i = 0; i < timeline->count; i++) {
        tac_rules_moment *m = &timeline->at[i];
        for (size_t k = 0; k < m->count; k++)
            free(m->transitions[k].others);
        free(m->transitions);
        free(m->groups);
        free(m->input);
        free(m->may_rest);
    }
    free(timeline->at);
    free(timeline);
}
