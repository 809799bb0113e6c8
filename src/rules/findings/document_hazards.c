/* Races between the groups of inputs of one change. */
#include "rules/findings/document.h"

typedef struct tac_rules_state_hazards state_hazards;

/* Of two orders in which the groups are read. */
struct reading {
    const tac_rules_hazards *hazards;
    int which;
    const uint32_t *groups;
    size_t count;
    bool *together;
    uint32_t ends;
};

/* Groups that are read together stand in one list. */
struct together {
    const uint32_t *groups;
    size_t count;
};
static const struct field together_fields[] = {
    FIELD_NAMES(struct together, groups, count, rules_group_name)};
static DESCRIBE(together, struct together, .form = DESCRIBE_VALUE);

static void reads_of(const void *value, struct field_value *out)
{
    const struct reading *reading = value;
    struct together *reads = tac_arena_calloc(out->arena, reading->count, sizeof *reads);
    out->absent = !reading->together;
    out->at = reads;
    for (size_t k = 0; reading->together && k < reading->count; k++) {
        if (!reading->together[k])
            reads[out->count++].groups = reading->groups + k;
        reads[out->count - 1].count++;
    }
}

static const struct field reading_fields[] = {
    FIELD_NAMES(struct reading, groups, count, rules_group_name),
    FIELD_GET_LIST("reads", reads_of, together_described, .omit = true),
    FIELD_NAME(struct reading, ends, rules_state_name, .key = "ends_in", .maybe = true)};
static DESCRIBE(reading, struct reading);

static void orders_of(const void *value, struct field_value *out)
{
    const tac_rules_hazards *h = value;
    struct reading *orders = tac_arena_calloc(out->arena, 2, sizeof *orders);
    for (int i = 0; i < 2; i++)
        orders[i] = (struct reading){h, i, h->order[i], h->order_count, h->together[i], h->ends[i]};
    out->at = orders;
    out->count = 2;
}

FIELD_GETTER(input_before, tac_rules_hazards, rules_show_input(it->before, NULL, out))

FIELD_GETTER(input_after, tac_rules_hazards, rules_show_input(it->after, NULL, out))

static const struct field example_fields[] = {
    FIELD_NAME(tac_rules_hazards, state, rules_state_name),
    FIELD_GET_LIST("before", input_before, rules_value_described),
    FIELD_GET_LIST("after", input_after, rules_value_described),
    FIELD_GET_LIST("orders", orders_of, reading_described)};
static DESCRIBE(example, tac_rules_hazards);

/* A state's, by its name. */
struct named {
    const char *name;
    const state_hazards *found;
};
static const struct field state_hazards_fields[] = {FIELD_BIG(state_hazards, hazards, .digits = 60),
                                                    FIELD_BIG(state_hazards, of, .digits = 60)};
static DESCRIBE(state_hazards, state_hazards);
static const struct field named_fields[] = {
    FIELD(struct named, name),
    FIELD_POINTER(struct named, found, state_hazards_described, .splice = true)};
static DESCRIBE(named, struct named, .keyed = true);

static void states_of(const void *value, struct field_value *out)
{
    const tac_rules *rules = ((const struct rules_document *)out->context)->rules;
    struct named *list = tac_arena_calloc(out->arena, rules->state_count, sizeof *list);
    for (uint32_t i = 0; i < rules->state_count; i++)
        list[i] =
            (struct named){rules->states[i].name, &((const tac_rules_hazards *)value)->states[i]};
    out->at = list;
    out->count = rules->state_count;
}

static const struct field monotone_fields[] = {
    FIELD_BIG(tac_rules_hazards, possible, .key = "total", .digits = 60),
    FIELD_BIG(tac_rules_hazards, possible_of, .key = "of", .digits = 60)};
static DESCRIBE(monotone, tac_rules_hazards);
static const struct field rates_fields[] = {FIELD_BIG(tac_rules_hazards, rated, .key = "total",
                                                      .digits = 60,
                                                      .known = IF(tac_rules_hazards, rates_known)),
                                            FIELD_BIG(tac_rules_hazards, of, .digits = 60)};
static DESCRIBE(rates, tac_rules_hazards);

static const struct field rules_hazards_fields[] = {
    FIELD_BIG(tac_rules_hazards, total, .digits = 60),
    FIELD_BIG(tac_rules_hazards, of, .digits = 60),
    FIELD_GET_LIST("states", states_of, named_described),
    FIELD_GROUP(tac_rules_hazards, "monotone", monotone_described),
    FIELD_GROUP(tac_rules_hazards, "rates", rates_described, .only = IF(tac_rules_hazards, rates)),
    FIELD(tac_rules_hazards, chance),
    FIELD_GROUP(tac_rules_hazards, "example", example_described,
                .only = IF(tac_rules_hazards, has_example))};
DESCRIBE(rules_hazards, tac_rules_hazards);
