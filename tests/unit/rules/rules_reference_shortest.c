/* Shortest races and runs that never end, by walking everything: see rules_reference.h. */
#include "rules_reference.h"
#include <stdlib.h>
#include <string.h>

struct pair {
    uint32_t state;
    unsigned input;
};

static unsigned after_action(const tac_rules *rules, uint32_t rule, unsigned input)
{
    for (uint32_t i = 0; i < rules->rules[rule].action_count; i++) {
        const tac_rules_action *action = &rules->actions[rules->rules[rule].first_action + i];
        input = action->value ? input | 1u << action->variable : input & ~(1u << action->variable);
    }
    return input;
}

/* The rules that fire: none on an input that an action has made invalid. */
static size_t fired(const tac_rules *rules, struct pair at, uint32_t *out)
{
    return reference_valid(rules, at.input) ? reference_triggered(rules, at.state, at.input, out)
                                            : 0;
}

/* Every run is walked until a pair comes again; the least number of transitions, or most. */
static size_t walk(const tac_rules *rules, struct pair *path, size_t depth, size_t most)
{
    uint32_t rule[64];
    for (size_t i = 0; i < depth; i++)
        if (path[i].state == path[depth].state && path[i].input == path[depth].input)
            return depth;
    if (depth + 1 >= most)
        return most;
    size_t count = fired(rules, path[depth], rule);
    for (size_t i = 0; i < count; i++) {
        path[depth + 1] = (struct pair){rules->rules[rule[i]].to,
                                        after_action(rules, rule[i], path[depth].input)};
        most = walk(rules, path, depth + 1, most);
    }
    return most;
}

size_t reference_shortest_cycle(const tac_rules *rules, uint32_t state)
{
    size_t pairs = ((size_t)rules->state_count << rules->variable_count) + 2, most = pairs;
    struct pair *path = calloc(pairs + 1, sizeof *path);
    for (unsigned input = 0; input < 1u << rules->variable_count; input++) {
        path[0] = (struct pair){state, input};
        if (reference_valid(rules, input))
            most = walk(rules, path, 0, most);
    }
    free(path);
    return most == pairs ? 0 : most;
}

/* The pairs that some run is in after n transitions, n = 0, 1, ...; the first n from 2 on with one
 * that rests. */
static size_t race_from(const tac_rules *rules, uint32_t state, unsigned input)
{
    size_t inputs = (size_t)1 << rules->variable_count, pairs = rules->state_count * inputs;
    bool *now = calloc(pairs, 1), *next = calloc(pairs, 1);
    size_t found = 0;
    now[state * inputs + input] = true;
    for (size_t n = 0; n <= pairs + 2 && !found; n++) {
        memset(next, 0, pairs);
        for (size_t p = 0; p < pairs; p++) {
            uint32_t rule[64];
            struct pair at = {(uint32_t)(p / inputs), (unsigned)(p % inputs)};
            size_t count = now[p] ? fired(rules, at, rule) : 0;
            if (now[p] && count == 0 && n >= 2)
                found = n;
            for (size_t i = 0; i < count; i++)
                next[rules->rules[rule[i]].to * inputs + after_action(rules, rule[i], at.input)] =
                    true;
        }
        memcpy(now, next, pairs);
    }
    free(now);
    free(next);
    return found;
}

size_t reference_shortest_race(const tac_rules *rules, uint32_t state)
{
    size_t best = 0;
    for (unsigned input = 0; input < 1u << rules->variable_count; input++) {
        size_t length = reference_valid(rules, input) ? race_from(rules, state, input) : 0;
        if (length && (!best || length < best))
            best = length;
    }
    return best;
}

bool reference_replays(const tac_rules *rules, uint32_t state, const json_t *witness, bool race)
{
    const json_t *states = json_object_get(witness, "states");
    const json_t *names = json_object_get(witness, "rules");
    size_t length = json_array_size(states) - 1;
    struct pair *path = calloc(length + 1, sizeof *path);
    bool fine = length >= (race ? 2 : 1) && length == json_array_size(names);
    path[0].state = state;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        if (json_is_true(
                json_object_get(json_object_get(witness, "input"), rules->variables[v].name)))
            path[0].input |= 1u << v;
    fine = fine && reference_valid(rules, path[0].input);
    for (size_t i = 0; i <= length && fine; i++) {
        uint32_t rule[64];
        size_t count = fired(rules, path[i], rule), k = 0;
        fine = !strcmp(rules->states[path[i].state].name,
                       json_string_value(json_array_get(states, i)));
        if (i == length) {
            bool again = false;
            for (size_t j = 0; j < length; j++)
                again = again || (path[j].state == path[length].state &&
                                  path[j].input == path[length].input);
            fine = fine && (race ? count == 0 : again);
            break;
        }
        while (k < count &&
               strcmp(rules->rules[rule[k]].name, json_string_value(json_array_get(names, i))))
            k++;
        fine = fine && k < count;
        if (fine)
            path[i + 1] = (struct pair){rules->rules[rule[k]].to,
                                        after_action(rules, rule[k], path[i].input)};
    }
    free(path);
    return fine;
}
