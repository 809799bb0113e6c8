/* What a plan says about rows. The plan itself is the campaign's; here only what bounds a row is
 * read, with caps, because the index is an input like any other. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "store/backend.h"

static const json_int_t most_runs = (json_int_t)1 << 40;

void store_plan_free(struct store_plan *plan)
{
    for (size_t i = 0; i < plan->scenarios.count; i++)
        free(plan->scenarios.at[i]);
    tac_vec_free(&plan->scenarios);
    *plan = (struct store_plan){0};
}

static bool count_in(const json_t *plan, const char *key, json_int_t otherwise, int64_t *out)
{
    const json_t *value = json_object_get(plan, key);
    json_int_t number = value ? json_integer_value(value) : otherwise;
    *out = number;
    return (!value || json_is_integer(value)) && number >= (value ? 0 : otherwise) &&
           number <= most_runs;
}

static bool read_scenarios(const json_t *list, struct store_plan *plan)
{
    size_t i;
    const json_t *scenario;
    if (list && !json_is_array(list))
        return false;
    json_array_foreach(list, i, scenario)
    {
        if (!json_is_string(scenario))
            return false;
        tac_vec_push(&plan->scenarios, tac_strdup(json_string_value(scenario)));
    }
    return true;
}

/* The number of runs is the product of its parts. */
static bool adds_up(const struct store_plan *plan)
{
    int64_t scenarios = plan->scenarios.count ? (int64_t)plan->scenarios.count : 1, product;
    assert(plan->runs >= 0);
    if (plan->flows < 0) /* random runs: as many in each scenario */
        return plan->runs % scenarios == 0;
    return !__builtin_mul_overflow(plan->flows, plan->repeat, &product) &&
           !__builtin_mul_overflow(product, scenarios, &product) && product == plan->runs;
}

tac_status store_plan_read(struct store_plan *plan, const char *text, const char *file,
                           tac_error *err)
{
    store_plan_free(plan);
    if (!text)
        return TAC_OK;
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    bool good = json_object_get(document, "runs") && count_in(document, "runs", 0, &plan->runs) &&
                count_in(document, "flows", -1, &plan->flows) &&
                count_in(document, "repeat", 1, &plan->repeat) && plan->repeat > 0 &&
                read_scenarios(json_object_get(document, "scenarios"), plan) && adds_up(plan);
    json_decref(document);
    if (!good) {
        store_plan_free(plan);
        return tac_fail_at(err, TAC_E_INPUT, file, 0, 0,
                           "the row 'plan' of the table 'setting' is damaged: its numbers of runs, "
                           "flows, repeats and scenarios do not fit together");
    }
    plan->known = true;
    assert(plan->runs >= 0 && plan->runs <= most_runs);
    assert(plan->flows < 0 || plan->runs == 0 || plan->flows > 0);
    return TAC_OK;
}
