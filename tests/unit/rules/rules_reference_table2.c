/* Table 2 of the paper by walking every input along every satisfied rule: see rules_reference.h. */
#include "base/data/str.h"
#include "rules_reference.h"
#include <stdlib.h>
#include <string.h>

#define MAX_RULES 64

static json_t *count_string(size_t count)
{
    return json_sprintf("%zu", count);
}

struct table2_walk {
    const tac_rules *rules;
    uint32_t path[64];
    size_t length;
    bool on_path[64];
    unsigned input;
    json_t *races, *cycles; /* sets of path and projected input */
};

static unsigned variables_of(const tac_rules *rules, tac_rules_predicate predicate)
{
    unsigned mask = 0;
    for (uint32_t i = predicate.first; i <= predicate.root; i++)
        if (rules->nodes[i].op == TAC_RULES_VARIABLE)
            mask |= 1u << rules->nodes[i].left;
        else if (rules->nodes[i].op == TAC_RULES_RULE)
            mask |= variables_of(rules, rules->rules[rules->nodes[i].left].when);
    return mask;
}

static void note_table2(struct table2_walk *w, json_t *set)
{
    tac_str key = {0};
    unsigned mask = 0;
    if (w->length < 2)
        return;
    for (size_t i = 0; i < w->length; i++) {
        mask |= variables_of(w->rules, w->rules->rules[w->path[i]].when);
        tac_str_addf(&key, "%u ", w->path[i]);
    }
    tac_str_addf(&key, ": %u", w->input & mask);
    json_object_set_new(set, tac_str_text(&key), json_true());
    tac_str_free(&key);
}

static void walk_table2(struct table2_walk *w, uint32_t state)
{
    bool any = false;
    w->on_path[state] = true;
    for (uint32_t e = 0; e < w->rules->edge_count; e++) {
        uint32_t rule = w->rules->edges[e].rule, to = w->rules->rules[rule].to;
        if (w->rules->edges[e].state != state ||
            !reference_holds(w->rules, w->rules->rules[rule].when, w->input))
            continue;
        any = true;
        w->path[w->length++] = rule;
        if (w->on_path[to])
            note_table2(w, w->cycles);
        else
            walk_table2(w, to);
        w->length--;
    }
    if (!any)
        note_table2(w, w->races);
    w->on_path[state] = false;
}

json_t *reference_table2(const tac_rules *rules)
{
    json_t *table = json_object();
    uint32_t fired[MAX_RULES];
    for (uint32_t s = 0; s < rules->state_count; s++) {
        struct table2_walk w = {.rules = rules, .races = json_object(), .cycles = json_object()};
        json_t *chance = json_object();
        unsigned own = 0;
        for (uint32_t e = 0; e < rules->edge_count; e++)
            if (rules->edges[e].state == s)
                own |= variables_of(rules, rules->rules[rules->edges[e].rule].when);
        for (w.input = 0; w.input < 1u << rules->variable_count; w.input++) {
            char key[16];
            snprintf(key, sizeof key, "%u", w.input & own);
            if (reference_triggered(rules, s, w.input, fired) > 1)
                json_object_set_new(chance, key, json_true());
            walk_table2(&w, s);
        }
        json_object_set_new(table, rules->states[s].name,
                            json_pack("{s:o,s:o,s:o}", "nondeterministic",
                                      count_string(json_object_size(chance)), "races",
                                      count_string(json_object_size(w.races)), "cycles",
                                      count_string(json_object_size(w.cycles))));
        json_decref(chance);
        json_decref(w.races);
        json_decref(w.cycles);
    }
    return table;
}
