/* Executions on the devices. Each is journalled as soon as it is told, before the next is asked
 * for. Seeds follow from the candidate and the number of the try, so that a search that continues
 * does what it would have done. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "reproduce/cause.h"

static uint64_t seed_of(const struct executor *executor, const struct script *script, bool replay,
                        uint64_t number)
{
    uint64_t seed = tac_hash_bytes(executor->scenario, strlen(executor->scenario), replay);
    for (size_t i = 0; i < script->count; i++) {
        /* by what the step is: its number may be another when the search is done anew */
        const char *key = executor->hunt->known.steps.keys.text[script->at[i]];
        seed = tac_hash_bytes(key, strlen(key), seed);
    }
    seed = tac_hash_u64(seed + number);
    return seed ? seed : 1;
}

/* How it failed, as the knowledge names it; the caller's. */
static char *failure_of(struct hunt *hunt, const struct attempt_outcome *outcome)
{
    if (outcome->end == RUN_CRASH)
        return tac_format("crash %s", source_cluster(&hunt->source, outcome->exception,
                                                     outcome->stack, outcome->place));
    if (outcome->end == RUN_FAIL)
        return tac_format("step %s\non %s", source_step_message(outcome->message), outcome->screen);
    return tac_strdup("");
}

static tac_status note(void *context, size_t index, const struct attempt_outcome *outcome,
                       tac_error *err)
{
    struct executor *executor = context;
    struct hunt *hunt = executor->hunt;
    char *failure = failure_of(hunt, outcome);
    executor->left--;
    size_t done =
        outcome->steps < executor->script->count ? outcome->steps : executor->script->count;
    struct trial trial = {.script = *executor->script,
                          .scenario = executor->scenario,
                          .cause = executor->cause->key,
                          .replay = executor->replay,
                          .experiment = executor->experiment,
                          .end = outcome->end,
                          .done = done,
                          .failure = failure,
                          .detail = outcome->message,
                          .violated = outcome->violated,
                          .violated_count = outcome->violated_count,
                          .wait = outcome->wait,
                          .seed = executor->seeds[index],
                          .left = executor->left};
    tac_status status = journal_add(&hunt->journal, &hunt->known, &trial, outcome->device, err);
    free(failure);
    return status;
}

/* A step whose element is not there need not be waited for as long as the campaign did, once it is
 * known how long elements let wait; but a step that has to fail is given all of its time. */
static double deadline_of(const struct executor *executor)
{
    const struct hunt *hunt = executor->hunt;
    double whole = campaign_deadline(&hunt->run), enough = 1 + 3 * hunt->known.longest_wait;
    bool shorter = hunt->known.total && executor->cause->kind != TAC_FAILURE_STEP && enough < whole;
    return shorter ? enough : whole;
}

tac_status execute_on_devices(void *context, const struct script *script, bool replay, size_t count,
                              tac_error *err)
{
    struct executor *executor = context;
    struct hunt *hunt = executor->hunt;
    tac_flow flow = steps_flow(&hunt->known.steps, script, &executor->start);
    struct attempt *list = tac_calloc(count, sizeof *list);
    uint64_t *seeds = tac_calloc(count, sizeof *seeds);
    uint64_t number = 0;
    for (size_t i = 0; i < count; i++) {
        do
            seeds[i] = seed_of(executor, script, replay, number++);
        while (tac_u64map_find(&hunt->known.seeds, seeds[i]));
        list[i] = (struct attempt){.flow = &flow,
                                   .scenario = executor->scenario,
                                   .seed = seeds[i],
                                   .deadline = deadline_of(executor)};
    }
    executor->script = script;
    executor->replay = replay;
    executor->seeds = seeds;
    executor->left = (uint32_t)count;
    tac_status status = attempts_do(hunt->attempts, list, count, note, executor, err);
    assert(status != TAC_OK || hunt->known.total >= count);
    free((void *)(uintptr_t)flow.steps);
    free(list);
    free(seeds);
    return status;
}
