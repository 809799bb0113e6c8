/* Races between the groups of inputs of one change, as JSON. */
#include "base/data/bignum.h"
#include "base/io/json.h"
#include "rules/findings/document.h"
#include <stdlib.h>

static json_t *big_json(const mpz_t value)
{
    char *text = tac_big_text_short(value, 60);
    json_t *string = tac_json_string(text);
    free(text);
    return string;
}

/* Groups that are read together stand in one list. */
static json_t *reads_json(const tac_rules *rules, const tac_rules_hazards *h, int which)
{
    json_t *reads = json_array(), *last = NULL;
    for (size_t k = 0; k < h->order_count; k++) {
        if (!h->together[which][k])
            json_array_append_new(reads, last = json_array());
        json_array_append_new(last, tac_json_string(rules->groups[h->order[which][k]].name));
    }
    return reads;
}

static json_t *hazard_example_json(const tac_rules *rules, const tac_rules_hazards *h)
{
    json_t *example = json_object(), *orders = json_array();
    json_object_set_new(example, "state", rules_state_name_json(rules, h->state));
    json_object_set_new(example, "before", rules_input_json(rules, h->before, NULL));
    json_object_set_new(example, "after", rules_input_json(rules, h->after, NULL));
    for (int i = 0; i < 2; i++) {
        json_t *order = json_object(), *groups = json_array();
        for (size_t k = 0; k < h->order_count; k++)
            json_array_append_new(groups, tac_json_string(rules->groups[h->order[i][k]].name));
        json_object_set_new(order, "groups", groups);
        if (h->together[i])
            json_object_set_new(order, "reads", reads_json(rules, h, i));
        json_object_set_new(
            order, "ends_in",
            h->ends[i] == TAC_RULES_NONE ? json_null() : rules_state_name_json(rules, h->ends[i]));
        json_array_append_new(orders, order);
    }
    json_object_set_new(example, "orders", orders);
    return example;
}

json_t *rules_hazards_json(const tac_rules *rules, const tac_rules_hazards *h)
{
    if (!h->known)
        return json_null();
    json_t *hazards = json_object(), *states = json_object(), *possible = json_object();
    json_object_set_new(hazards, "total", big_json(h->total));
    json_object_set_new(hazards, "of", big_json(h->of));
    for (uint32_t i = 0; i < rules->state_count; i++) {
        json_t *state = json_object();
        json_object_set_new(state, "hazards", big_json(h->states[i].hazards));
        json_object_set_new(state, "of", big_json(h->states[i].of));
        json_object_set_new(states, rules->states[i].name, state);
    }
    json_object_set_new(hazards, "states", states);
    json_object_set_new(possible, "total", big_json(h->possible));
    json_object_set_new(possible, "of", big_json(h->possible_of));
    json_object_set_new(hazards, "monotone", possible);
    if (h->rates) {
        json_t *rated = json_object();
        json_object_set_new(rated, "total", h->rates_known ? big_json(h->rated) : json_null());
        json_object_set_new(rated, "of", big_json(h->of));
        json_object_set_new(hazards, "rates", rated);
    }
    json_object_set_new(hazards, "chance", json_boolean(h->chance));
    if (h->has_example)
        json_object_set_new(hazards, "example", hazard_example_json(rules, h));
    return hazards;
}
