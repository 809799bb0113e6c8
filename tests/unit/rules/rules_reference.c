/* See rules_reference.h. Nothing here is clever. */
#include "rules_reference.h"
#include "base/data/str.h"
#include <stdlib.h>
#include <string.h>

#define MAX_RULES 64
#define MAX_RUN 5000

static bool node_holds(const tac_rules *rules, uint32_t index, unsigned input)
{
    tac_rules_node node = rules->nodes[index];
    switch (node.op) {
    case TAC_RULES_FALSE:
        return false;
    case TAC_RULES_TRUE:
        return true;
    case TAC_RULES_VARIABLE:
        return input >> node.left & 1;
    case TAC_RULES_RULE:
        return reference_holds(rules, rules->rules[node.left].when, input);
    case TAC_RULES_NOT:
        return !node_holds(rules, node.left, input);
    case TAC_RULES_AND:
        return node_holds(rules, node.left, input) && node_holds(rules, node.right, input);
    case TAC_RULES_OR:
        return node_holds(rules, node.left, input) || node_holds(rules, node.right, input);
    case TAC_RULES_IMPLIES:
        return !node_holds(rules, node.left, input) || node_holds(rules, node.right, input);
    }
    abort();
}

bool reference_holds(const tac_rules *rules, tac_rules_predicate predicate, unsigned input)
{
    return node_holds(rules, predicate.root, input);
}

bool reference_valid(const tac_rules *rules, unsigned input)
{
    for (uint32_t i = 0; i < rules->constraint_count; i++)
        if (!reference_holds(rules, rules->constraints[i].holds, input))
            return false;
    return true;
}

size_t reference_triggered(const tac_rules *rules, uint32_t state, unsigned input, uint32_t *out)
{
    size_t count = 0;
    uint32_t best = UINT32_MAX;
    for (uint32_t e = 0; e < rules->edge_count; e++) {
        uint32_t rule = rules->edges[e].rule;
        if (rules->edges[e].state == state &&
            reference_holds(rules, rules->rules[rule].when, input) &&
            rules->rules[rule].priority < best)
            best = rules->rules[rule].priority;
    }
    for (uint32_t r = 0; r < rules->rule_count; r++)
        for (uint32_t e = 0; e < rules->edge_count; e++)
            if (rules->edges[e].state == state && rules->edges[e].rule == r &&
                rules->rules[r].priority == best &&
                reference_holds(rules, rules->rules[r].when, input))
                out[count++] = r;
    return count;
}

/* On an invalid input (after an action) the run has ended: nothing is triggered. */
static size_t triggered_if_valid(const tac_rules *rules, uint32_t state, unsigned input,
                                 uint32_t *out)
{
    return reference_valid(rules, input) ? reference_triggered(rules, state, input, out) : 0;
}

static unsigned after_action(const tac_rules *rules, uint32_t rule, unsigned input)
{
    for (uint32_t i = 0; i < rules->rules[rule].action_count; i++) {
        const tac_rules_action *action = &rules->actions[rules->rules[rule].first_action + i];
        input &= ~(1u << action->variable);
        input |= (unsigned)action->value << action->variable;
    }
    return input;
}

/* --- Tallies: text -> count
 * ----------------------------------------------------------------------- */

static void tally(json_t *counts, const char *key)
{
    json_t *old = json_object_get(counts, key);
    json_object_set_new(counts, key, json_integer(old ? json_integer_value(old) + 1 : 1));
}

static json_t *count_string(json_int_t count)
{
    return json_sprintf("%" JSON_INTEGER_FORMAT, count);
}

/* The tallied objects (their text is the key) with "inputs" added. */
static json_t *with_inputs(const json_t *counts)
{
    json_t *array = json_array(), *value;
    const char *key;
    json_object_foreach((json_t *)counts, key, value)
    {
        json_t *object = json_loads(key, 0, NULL);
        json_object_set_new(object, "inputs", count_string(json_integer_value(value)));
        json_array_append_new(array, object);
    }
    return array;
}

static void tally_object(json_t *counts, json_t *object)
{
    char *key = json_dumps(object, JSON_SORT_KEYS);
    tally(counts, key);
    free(key);
    json_decref(object);
}

static json_t *state_text(const tac_rules *rules, uint32_t state)
{
    return json_string(rules->states[state].name);
}

static json_t *rule_text(const tac_rules *rules, uint32_t rule)
{
    return json_string(rules->rules[rule].name);
}

/* --- Runs ------------------------------------------------------------------------------------- */

struct walk {
    const tac_rules *rules;
    uint32_t states[MAX_RUN], taken[MAX_RUN];
    unsigned inputs[MAX_RUN];
    size_t length;
    bool all_rest, all_one, cycle; /* over the runs of the present start */
    json_t *paths;                 /* tallies */
    json_t *cycles;                /* set of canonical cycles */
    uint32_t wanted;               /* expectation: where every run should end */
    bool strays;
};

static json_t *path_object(const struct walk *w, bool cycle, size_t loop)
{
    json_t *states = json_array(), *taken = json_array();
    for (size_t i = 0; i <= w->length; i++)
        json_array_append_new(states, state_text(w->rules, w->states[i]));
    for (size_t i = 0; i < w->length; i++)
        json_array_append_new(taken, rule_text(w->rules, w->taken[i]));
    json_t *object = json_pack("{s:s,s:o,s:o}", "kind", cycle ? "cycle" : "race", "states", states,
                               "rules", taken);
    if (cycle)
        json_object_set_new(object, "loop", json_integer((json_int_t)loop));
    return object;
}

static void note_cycle(struct walk *w, size_t loop)
{
    size_t length = w->length - loop, first = 0;
    for (size_t i = 1; i < length; i++)
        if (strcmp(w->rules->states[w->states[loop + i]].name,
                   w->rules->states[w->states[loop + first]].name) < 0)
            first = i;
    json_t *names = json_array();
    for (size_t i = 0; i < length; i++)
        json_array_append_new(names, state_text(w->rules, w->states[loop + (first + i) % length]));
    char *key = json_dumps(names, 0);
    json_object_set_new(w->cycles, key, json_true());
    free(key);
    json_decref(names);
}

static void walk_on(struct walk *w)
{
    uint32_t state = w->states[w->length], fired[MAX_RULES];
    unsigned input = w->inputs[w->length];
    for (size_t i = 0; i < w->length; i++)
        if (w->states[i] == state && w->inputs[i] == input) {
            w->cycle = w->strays = true;
            w->all_rest = w->all_one = false;
            tally_object(w->paths, path_object(w, true, i));
            note_cycle(w, i);
            return;
        }
    size_t count = triggered_if_valid(w->rules, state, input, fired);
    if (count == 0) {
        w->all_rest = w->all_rest && w->length == 0;
        w->all_one = w->all_one && w->length == 1;
        w->strays = w->strays || state != w->wanted;
        if (w->length >= 2)
            tally_object(w->paths, path_object(w, false, 0));
    }
    for (size_t i = 0; i < count; i++) {
        if (w->length + 1 >= MAX_RUN)
            abort();
        w->taken[w->length] = fired[i];
        w->states[w->length + 1] = w->rules->rules[fired[i]].to;
        w->inputs[w->length + 1] = after_action(w->rules, fired[i], input);
        w->length++;
        walk_on(w);
        w->length--;
    }
}

static void walk_from(struct walk *w, uint32_t state, unsigned input, uint32_t wanted)
{
    w->length = 0;
    w->states[0] = state;
    w->inputs[0] = input;
    w->all_rest = w->all_one = true;
    w->cycle = w->strays = false;
    w->wanted = wanted;
    walk_on(w);
}

/* Some run from here ends: a search that visits every pair once. A run may go round a loop before
 * it leaves it, so walking until the first repetition would not do. */
static bool can_end(const tac_rules *rules, uint32_t state, unsigned input, bool *seen)
{
    uint32_t fired[MAX_RULES];
    size_t pair = ((size_t)state << rules->variable_count) + input;
    if (seen[pair])
        return false;
    seen[pair] = true;
    size_t count = triggered_if_valid(rules, state, input, fired);
    for (size_t i = 0; i < count; i++)
        if (can_end(rules, rules->rules[fired[i]].to, after_action(rules, fired[i], input), seen))
            return true;
    return count == 0;
}

/* Some run makes two transitions or more and then ends. */
static bool races(const tac_rules *rules, uint32_t state, unsigned input)
{
    uint32_t fired[MAX_RULES], again[MAX_RULES];
    bool race = false;
    size_t count = triggered_if_valid(rules, state, input, fired);
    for (size_t i = 0; i < count; i++) {
        uint32_t next = rules->rules[fired[i]].to;
        unsigned after = after_action(rules, fired[i], input);
        size_t next_count = triggered_if_valid(rules, next, after, again);
        for (size_t k = 0; k < next_count; k++) {
            bool *seen = calloc((size_t)rules->state_count << rules->variable_count, sizeof *seen);
            race = race || can_end(rules, rules->rules[again[k]].to,
                                   after_action(rules, again[k], after), seen);
            free(seen);
        }
    }
    return race;
}

/* --- The fault patterns ----------------------------------------------------------------------- */

struct tallies {
    json_t *pairs, *groups, *unstable, *breaches, *unmet;
};

static void look_at_triggers(const tac_rules *rules, uint32_t s, unsigned input, struct tallies *t)
{
    uint32_t fired[MAX_RULES], next[MAX_RULES];
    size_t count = reference_triggered(rules, s, input, fired);
    json_t *together = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(together, rule_text(rules, fired[i]));
        for (size_t k = i + 1; k < count; k++)
            tally_object(t->pairs,
                         json_pack("{s:s,s:[s,s]}", "state", rules->states[s].name, "rules",
                                   rules->rules[fired[i]].name, rules->rules[fired[k]].name));
        uint32_t to = rules->rules[fired[i]].to;
        unsigned after = after_action(rules, fired[i], input);
        if (!reference_valid(rules, after))
            tally_object(t->breaches, json_pack("{s:s,s:s}", "state", rules->states[s].name, "rule",
                                                rules->rules[fired[i]].name));
        if (triggered_if_valid(rules, to, after, next))
            tally_object(t->unstable,
                         json_pack("{s:s,s:s,s:s}", "state", rules->states[s].name, "rule",
                                   rules->rules[fired[i]].name, "next", rules->states[to].name));
    }
    if (count > 1)
        tally_object(t->groups,
                     json_pack("{s:s,s:O}", "state", rules->states[s].name, "rules", together));
    json_decref(together);
}

static void look_at_expectations(struct walk *w, uint32_t s, unsigned input, struct tallies *t)
{
    const tac_rules *rules = w->rules;
    json_t *paths = w->paths, *cycles = w->cycles;
    w->paths = json_object(); /* not counted twice */
    w->cycles = json_object();
    for (uint32_t i = 0; i < rules->expectation_count; i++) {
        if (!reference_holds(rules, rules->expectations[i].when, input))
            continue;
        walk_from(w, s, input, rules->expectations[i].state);
        if (w->strays)
            tally_object(t->unmet, json_pack("{s:s,s:i,s:s}", "expected",
                                             rules->states[rules->expectations[i].state].name,
                                             "line", (int)rules->expectations[i].line, "state",
                                             rules->states[s].name));
    }
    json_decref(w->paths);
    json_decref(w->cycles);
    w->paths = paths;
    w->cycles = cycles;
}

static json_t *look_at_state(struct walk *w, uint32_t s, struct tallies *t)
{
    json_int_t nondeterministic = 0, stable = 0, one = 0, race = 0, cycle = 0;
    uint32_t fired[MAX_RULES];
    for (unsigned input = 0; input < 1u << w->rules->variable_count; input++) {
        if (!reference_valid(w->rules, input))
            continue;
        nondeterministic += reference_triggered(w->rules, s, input, fired) > 1;
        look_at_triggers(w->rules, s, input, t);
        walk_from(w, s, input, TAC_RULES_NONE);
        stable += w->all_rest;
        one += w->all_one;
        race += races(w->rules, s, input);
        cycle += w->cycle;
        look_at_expectations(w, s, input, t);
    }
    return json_pack("{s:o,s:o,s:o,s:o,s:o}", "nondeterministic", count_string(nondeterministic),
                     "stable", count_string(stable), "one", count_string(one), "race",
                     count_string(race), "cycle", count_string(cycle));
}

static bool edge_is_live(const tac_rules *rules, uint32_t state, uint32_t rule)
{
    uint32_t fired[MAX_RULES];
    for (unsigned input = 0; input < 1u << rules->variable_count; input++) {
        if (!reference_valid(rules, input))
            continue;
        size_t count = reference_triggered(rules, state, input, fired);
        for (size_t i = 0; i < count; i++)
            if (fired[i] == rule)
                return true;
    }
    return false;
}

static void look_at_life(const tac_rules *rules, json_t *document)
{
    json_t *dead_rules = json_array(), *dead_states = json_array(), *unreachable = json_array();
    bool *reached = calloc(rules->state_count + 1, sizeof *reached), grows = true;
    for (uint32_t s = 0; s < rules->state_count; s++) {
        size_t active = 0, dead = 0;
        for (uint32_t e = 0; e < rules->edge_count; e++) {
            if (rules->edges[e].state != s)
                continue;
            active++;
            if (edge_is_live(rules, s, rules->edges[e].rule))
                continue;
            dead++;
            json_array_append_new(dead_rules, json_pack("[s,s]", rules->states[s].name,
                                                        rules->rules[rules->edges[e].rule].name));
        }
        if (active && active == dead)
            json_array_append_new(dead_states, state_text(rules, s));
    }
    reached[rules->initial] = true;
    while (grows) {
        grows = false;
        for (uint32_t e = 0; e < rules->edge_count; e++) {
            uint32_t to = rules->rules[rules->edges[e].rule].to;
            if (reached[rules->edges[e].state] && !reached[to] &&
                edge_is_live(rules, rules->edges[e].state, rules->edges[e].rule))
                reached[to] = grows = true;
        }
    }
    for (uint32_t s = 0; s < rules->state_count; s++)
        if (!reached[s])
            json_array_append_new(unreachable, state_text(rules, s));
    free(reached);
    json_object_set_new(document, "dead_rules", dead_rules);
    json_object_set_new(document, "dead_states", dead_states);
    json_object_set_new(document, "unreachable", unreachable);
}

/* --- Hazards ---------------------------------------------------------------------------------- */

/* Runs to stability without regard to constraints; false = never. Deterministic rule sets only. */
static bool settle(const tac_rules *rules, uint32_t *state, unsigned *input)
{
    uint32_t fired[MAX_RULES];
    for (size_t steps = 0; steps < (size_t)rules->state_count << rules->variable_count; steps++) {
        if (reference_triggered(rules, *state, *input, fired) == 0)
            return true;
        *input = after_action(rules, fired[0], *input);
        *state = rules->rules[fired[0]].to;
    }
    return reference_triggered(rules, *state, *input, fired) == 0;
}

struct orders {
    const tac_rules *rules;
    unsigned after, masks[16];
    size_t count;
    bool used[16];
    uint64_t first;
    bool has_first, differ;
};

static void all_orders(struct orders *o, size_t depth, uint32_t state, unsigned input, bool never)
{
    if (depth == o->count) {
        uint64_t end = never ? UINT64_MAX : (uint64_t)state << 32 | input;
        if (o->has_first && end != o->first)
            o->differ = true;
        o->first = end;
        o->has_first = true;
        return;
    }
    for (size_t i = 0; i < o->count; i++) {
        if (o->used[i])
            continue;
        uint32_t next = state;
        unsigned mixed = (input & ~o->masks[i]) | (o->after & o->masks[i]);
        bool diverges = never || !settle(o->rules, &next, &mixed);
        o->used[i] = true;
        all_orders(o, depth + 1, next, mixed, diverges);
        o->used[i] = false;
    }
}

static bool is_hazard(const tac_rules *rules, uint32_t state, unsigned before, unsigned after,
                      bool *counts)
{
    struct orders o = {.rules = rules, .after = after};
    for (uint32_t g = 0; g < rules->group_count; g++) {
        unsigned mask = 0;
        for (uint32_t v = 0; v < rules->variable_count; v++)
            mask |= (unsigned)(rules->variables[v].group == g) << v;
        if ((before ^ after) & mask)
            o.masks[o.count++] = mask;
    }
    *counts = o.count >= 2;
    if (!*counts)
        return false;
    all_orders(&o, 0, state, before, false);
    return o.differ;
}

static json_t *look_at_hazards(const tac_rules *rules)
{
    json_t *states = json_object();
    json_int_t total = 0, total_of = 0;
    unsigned inputs = 1u << rules->variable_count;
    uint32_t fired[MAX_RULES];
    for (uint32_t s = 0; s < rules->state_count; s++) {
        json_int_t hazards = 0, of = 0;
        for (unsigned before = 0; before < inputs; before++) {
            if (!reference_valid(rules, before) || reference_triggered(rules, s, before, fired))
                continue;
            for (unsigned after = 0; after < inputs; after++) {
                bool counts = false;
                if (!reference_valid(rules, after))
                    continue;
                hazards += is_hazard(rules, s, before, after, &counts);
                of += counts;
            }
        }
        total += hazards;
        total_of += of;
        json_object_set_new(
            states, rules->states[s].name,
            json_pack("{s:o,s:o}", "hazards", count_string(hazards), "of", count_string(of)));
    }
    return json_pack("{s:o,s:o,s:o}", "total", count_string(total), "of", count_string(total_of),
                     "states", states);
}

json_t *reference_document(const tac_rules *rules, bool hazards)
{
    struct walk *w = calloc(1, sizeof *w);
    struct tallies t = {json_object(), json_object(), json_object(), json_object(), json_object()};
    json_t *document = json_object(), *states = json_object(), *cycles = json_array(), *value;
    json_int_t valid = 0, races = 0, cycle_paths = 0;
    const char *key;
    w->rules = rules;
    w->paths = json_object();
    w->cycles = json_object();
    for (unsigned input = 0; input < 1u << rules->variable_count; input++)
        valid += reference_valid(rules, input);
    json_object_set_new(document, "valid_inputs", count_string(valid));
    for (uint32_t s = 0; s < rules->state_count; s++)
        json_object_set_new(states, rules->states[s].name, look_at_state(w, s, &t));
    json_object_set_new(document, "states", states);
    json_object_set_new(document, "deterministic", json_boolean(json_object_size(t.pairs) == 0));
    look_at_life(rules, document);
    json_object_set_new(document, "pairs", with_inputs(t.pairs));
    json_object_set_new(document, "groups", with_inputs(t.groups));
    json_object_set_new(document, "unstable", with_inputs(t.unstable));
    json_object_set_new(document, "inconsistent_actions", with_inputs(t.breaches));
    json_object_set_new(document, "expectations", with_inputs(t.unmet));
    json_object_set_new(document, "paths", with_inputs(w->paths));
    json_object_foreach(w->paths, key, value) *
        (strstr(key, "\"kind\": \"cycle\"") ? &cycle_paths : &races) += 1;
    json_object_set_new(document, "race_paths", json_integer(races));
    json_object_set_new(document, "cycle_paths", json_integer(cycle_paths));
    json_object_foreach(w->cycles, key, value)
        json_array_append_new(cycles, json_loads(key, 0, NULL));
    json_object_set_new(document, "cycles", cycles);
    if (hazards)
        json_object_set_new(document, "hazards", look_at_hazards(rules));
    json_decref(t.pairs);
    json_decref(t.groups);
    json_decref(t.unstable);
    json_decref(t.breaches);
    json_decref(t.unmet);
    json_decref(w->paths);
    json_decref(w->cycles);
    free(w);
    return document;
}
