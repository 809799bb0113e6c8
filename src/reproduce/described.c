/* See described.h. */
#include "reproduce/described.h"

#include "base/check.h"
#include "run/campaign/described.h"

static const char *const kinds[] = {[TAC_FAILURE_CRASH] = "crash",
                                    [TAC_FAILURE_PROPERTY] = "property",
                                    [TAC_FAILURE_STEP] = "step"};
TABLE_COVERS(kinds, TAC_FAILURE_STEP);
static const char *const experiments[] = {[TAC_EXPERIMENT_CONFIRMED] = "confirmed by experiment",
                                          [TAC_EXPERIMENT_REFUTED] = "refuted",
                                          [TAC_EXPERIMENT_OPEN] = "inconclusive"};
TABLE_COVERS(experiments, TAC_EXPERIMENT_OPEN);

const char *tac_failure_kind_name(tac_failure_kind kind)
{
    return kinds[kind];
}

const char *tac_experiment_name(tac_experiment verdict)
{
    return experiments[verdict];
}

static const struct field counterfactual_fields[] = {
    FIELDS(tac_counterfactual, pattern, claim, inserted, is_state, tried, failed),
    FIELD(tac_counterfactual, control_tried, .about = "the same way without it"),
    FIELD(tac_counterfactual, control_failed),
    FIELD_ENUM(tac_counterfactual, verdict, experiments)};
static DESCRIBE(counterfactual, tac_counterfactual);

static const struct field step_fields[] = {FIELDS(tac_reproduced_step, event, text)};
static DESCRIBE(step, tac_reproduced_step);

static const struct field needed_fields[] = {FIELD(tac_reproduction, needed, .key = "failed"),
                                             FIELD(tac_reproduction, tries, .key = "tried")};
static DESCRIBE(needed, tac_reproduction, .about = "what a candidate had to do in the end");
static const struct field replays_fields[] = {
    FIELD(tac_reproduction, replays, .key = "tried"),
    FIELD(tac_reproduction, replays_failed, .key = "failed")};
static DESCRIBE(replays, tac_reproduction);
static const struct field exports_fields[] = {
    FIELDS(tac_reproduction, maestro, webdriver, wdio, uiautomator)};
static DESCRIBE(exports, tac_reproduction);

static const struct field reproduced_fields[] = {
    FIELDS(tac_reproduction, scenario, steps_after, search_executions),
    FIELD_GROUP(tac_reproduction, "needed", needed_described),
    FIELD(tac_reproduction, flaky),
    FIELD_GROUP(tac_reproduction, "replays", replays_described),
    FIELD(tac_reproduction, one_minimal),
    FIELD_LIST(tac_reproduction, counterfactuals, counterfactual_count, counterfactual_described),
    FIELD(tac_reproduction, failure),
    FIELD_LIST(tac_reproduction, steps, step_count, step_described),
    FIELDS(tac_reproduction, text, flow),
    FIELD_GROUP(tac_reproduction, "exports", exports_described),
    FIELDS(tac_reproduction, properties, replay)};
static DESCRIBE(reproduced, tac_reproduction);

/* Without a result: the keys that readers rely on are there, and say that there is none. */
FIELD_GETTER(nothing_of, void, (void)out; /* zeroed */)
static const struct field no_replays_fields[] = {FIELD_CONSTANT("tried", 0),
                                                 FIELD_CONSTANT("failed", 0)};
static DESCRIBE(no_replays, tac_reproduction);
static const struct field unreproduced_fields[] = {
    FIELD_GET_INTEGER("steps_after", nothing_of, .known = IF(tac_reproduction, reproduced)),
    FIELD_GROUP(tac_reproduction, "replays", no_replays_described),
    FIELD_GET_BOOL("one_minimal", nothing_of),
    FIELD_GET_LIST("counterfactuals", nothing_of, counterfactual_described),
    FIELD_WORD("flow", ""),
    FIELD_TEXT(tac_reproduction, message, .key = "text")};
static DESCRIBE(unreproduced, tac_reproduction);

static const struct field cause_fields[] = {
    FIELD_ENUM(tac_reproduction, kind, kinds),
    FIELD_TEXT(tac_reproduction, name, .key = "property",
               .only = IF_IS(tac_reproduction, kind, TAC_FAILURE_PROPERTY)),
    FIELD_TEXT(tac_reproduction, name, .key = "cluster",
               .only = IF_OTHER(tac_reproduction, kind, TAC_FAILURE_PROPERTY)),
    FIELDS(tac_reproduction, reproduced, complete),
    FIELD_TEXT(tac_reproduction, message, .only = IF_NOT(tac_reproduction, reproduced)),
    FIELDS(tac_reproduction, runs, from_run, steps_before, executions),
    FIELD_GROUP(tac_reproduction, "", reproduced_described, .splice = true,
                .only = IF(tac_reproduction, reproduced)),
    FIELD_GROUP(tac_reproduction, "", unreproduced_described, .splice = true,
                .only = IF_NOT(tac_reproduction, reproduced))};
static DESCRIBE(cause, tac_reproduction);

static const struct field reproduce_fields[] = {
    FIELD_CONSTANT("tactus-reproduce", 1),
    FIELDS(tac_reproduce_result, campaign, folder, command, complete, executions),
    FIELD_LIST(tac_reproduce_result, causes, cause_count, cause_described),
    FIELD_LIST(tac_reproduce_result, lost, lost_count, run_lost_described, .key = "lost_devices")};
DESCRIBE(reproduce, tac_reproduce_result);

json_t *tac_reproduce_json(const tac_reproduce_result *result)
{
    return describe_json(&reproduce_described, result);
}
