/* The difference of two models as a document and as a verdict. */
#include "base/check.h"
#include "model/described.h"

static const char *machine_name(uint64_t index, struct field_value *with)
{
    const tac_model *model = with->context;
    assert(index < model->machine_count);
    return model->machines[index].name;
}

static const char *node_path(uint64_t index, struct field_value *with)
{
    const tac_model *model = with->context;
    assert(index < model->node_count);
    return tac_arena_format(with->arena, "%s/%s", model->machines[model->nodes[index].machine].name,
                            model->nodes[index].name);
}

static const char *node_name(uint64_t index, struct field_value *with)
{
    return ((const tac_model *)with->context)->nodes[index].name;
}

static const char *event_name(uint64_t index, struct field_value *with)
{
    return ((const tac_model *)with->context)->events[index];
}

static const void *transition_at(uint64_t index, const struct field_value *with)
{
    const tac_model *model = with->context;
    assert(index < model->transition_count);
    return &model->transitions[index];
}

static void machine_of(const void *value, struct field_value *out)
{
    const tac_model *model = out->context;
    const tac_model_transition *transition = value;
    out->text = model->machines[model->nodes[transition->from].machine].name;
}

static const struct field transition_fields[] = {
    FIELD_GET_TEXT("machine", machine_of), FIELD_NAME(tac_model_transition, from, node_name),
    FIELD_NAME(tac_model_transition, event, event_name),
    FIELD_NAME(tac_model_transition, to, node_name), FIELD(tac_model_transition, line)};
static DESCRIBE(transition, tac_model_transition);

static const struct field only_fields[] = {
    FIELD_NAMES(tac_model_only, machines.at, machines.count, machine_name, .key = "machines"),
    FIELD_NAMES(tac_model_only, states.at, states.count, node_path, .key = "states"),
    FIELD_NAMES(tac_model_only, connections.at, connections.count, node_path, .key = "connections"),
    FIELD_NAMES(tac_model_only, finals.at, finals.count, node_path, .key = "finals"),
    FIELD_PICKS(tac_model_only, transitions.at, transitions.count, transition_at,
                transition_described, .key = "transitions")};
static DESCRIBE(only, tac_model_only);

FIELD_GETTER(part_of, tac_model_change,
             out->text = it->part == TAC_PART_MODEL     ? ((const tac_model *)out->context)->name
                         : it->part == TAC_PART_MACHINE ? machine_name(it->index, out)
                                                        : node_path(it->index, out))

FIELD_GETTER(changed_transition, tac_model_change, out->at = transition_at(it->index, out))

static const struct field change_fields[] = {
    FIELD_GET_TEXT("where", part_of, .only = IF_OTHER(tac_model_change, part, TAC_PART_TRANSITION)),
    FIELD_GET_POINTER("where", changed_transition, transition_described,
                      .only = IF_IS(tac_model_change, part, TAC_PART_TRANSITION)),
    FIELDS(tac_model_change, what, first, second)};
static DESCRIBE(change, tac_model_change);

static void devices_of(const void *value, struct field_value *out)
{
    const tac_model_differences *diff = value;
    uint64_t *counts = tac_arena_calloc(out->arena, 2, sizeof *counts);
    counts[0] = diff->first->device_count;
    counts[1] = diff->second->device_count;
    out->at = counts;
    out->count = 2;
}

static const struct field matched_fields[] = {
    FIELDS(tac_model_differences, machines, states, transitions)};
static DESCRIBE(matched, tac_model_differences);

FIELD_GETTER(is_equal, tac_model_differences, out->yes = it->count == 0)

static const struct field model_differences_fields[] = {
    FIELD_GET_BOOL("equal", is_equal),
    FIELD_GROUP(tac_model_differences, "matched", matched_described),
    FIELD(tac_model_differences, renamed),
    FIELD(tac_model_differences, count, .key = "differences"),
    FIELD_GET_LIST("devices", devices_of, element_u64_described),
    FIELD_STRUCT(tac_model_differences, only_first, only_described,
                 .with = IF(tac_model_differences, first)),
    FIELD_STRUCT(tac_model_differences, only_second, only_described,
                 .with = IF(tac_model_differences, second)),
    FIELD_LIST(tac_model_differences, changes, change_count, change_described, .key = "changed",
               .with = IF(tac_model_differences, first))};
DESCRIBE(model_differences, tac_model_differences);

json_t *tac_model_differences_json(const tac_model_differences *diff)
{
    return describe_json(&model_differences_described, diff);
}

void tac_model_diff_verdict(const tac_model_differences *diff, const char *subject,
                            tac_verdict *out)
{
    bool equal = diff->count == 0;
    tac_verdict_init(out, "model", subject, equal ? TAC_HOLDS : TAC_VIOLATED);
    if (equal)
        tac_verdict_explain(out, "equal up to names: %zu states and %zu transitions correspond",
                            diff->states, diff->transitions);
    else
        tac_verdict_explain(out, "%zu difference%s; %zu states and %zu transitions correspond",
                            diff->count, diff->count == 1 ? "" : "s", diff->states,
                            diff->transitions);
    out->statistics = describe_json(&matched_described, diff);
    if (!equal)
        out->witness = tac_model_differences_json(diff);
}
