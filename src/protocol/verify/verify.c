/* Predictive verification: are the rules fit for the recording, does a search find an order of its
 * events that makes a prohibited call, and does the witness hold when it is played?
 *
 * Nothing is reported that the simulator (simulator.h) does not reproduce message by message. */
#include "base/check.h"
#include "protocol/check/certificate.h"
#include "protocol/verify/verification.h"

static tac_status not_reproduced(const struct verification *v, tac_error *err)
{
    return tac_fail(err, TAC_E_INTERNAL,
                    "the simulator does not reproduce the witness that the search found for %s: a "
                    "defect of Tactus, please report it",
                    v->problem->recording->name);
}

/* Plays what the search found for a call. */
static tac_status play(const struct verification *v, const struct target_result *target,
                       tac_arena *memory, tac_protocol_witness *out, tac_error *err)
{
    struct replay replay = {.problem = v->problem, .target = target, .memory = memory};
    tac_status status = replay_witness(&replay) ? TAC_OK : not_reproduced(v, err);
    assert(status != TAC_OK || replay.witness.count == target->events.count);
    *out = replay.witness;
    replay_free(&replay);
    return status;
}

/* A witness of its own for every call that can be reached. */
static tac_status every_witness(const struct verification *v, tac_protocol_result *out,
                                tac_error *err)
{
    tac_status status = TAC_OK;
    size_t count = v->found.targets.count;
    tac_protocol_witness *list = tac_arena_calloc(out->memory, count + 1, sizeof *list);
    for (size_t i = 0; i < count && status == TAC_OK; i++)
        if (v->found.targets.at[i].verdict == SEARCH_UNSAFE)
            status =
                play(v, &v->found.targets.at[i], out->memory, &list[out->witness_count++], err);
    assert(out->witness_count <= count);
    out->every_witness = true;
    out->witnesses = list;
    return status;
}

static tac_status shortest_witness(struct verification *v, tac_protocol_result *out, tac_error *err)
{
    size_t shortest = SIZE_MAX;
    v->verdict = search_overall(&v->found, &shortest);
    if (shortest == SIZE_MAX)
        return TAC_OK;
    assert(shortest < v->found.targets.count);
    tac_protocol_witness *witness = tac_arena_alloc(out->memory, sizeof *witness);
    out->witness = witness;
    return play(v, &v->found.targets.at[shortest], out->memory, witness, err);
}

static tac_status answer(struct verification *v, bool every, tac_protocol_result *out,
                         tac_error *err)
{
    assert(!v->inadmissible || v->validation);
    tac_protocol_result result = {.memory = evidence_memory()};
    tac_status status = every ? every_witness(v, &result, err) : TAC_OK;
    if (status == TAC_OK && !v->inadmissible)
        status = shortest_witness(v, &result, err);
    if (v->verdict != SEARCH_SAFE || v->inadmissible || v->problem->specs->left_out)
        v->certificate = NULL;
    if (status == TAC_OK && out) {
        verification_result(v, &result);
        *out = result;
    } else {
        tac_protocol_result_free(&result);
    }
    return status;
}

/* A call that the rules disallow where it was recorded is the app's doing: the rules admit the run
 * up to there. What stops a callback, or makes two rules disagree, is theirs. */
static bool admits(enum step_result result)
{
    return result == STEP_OK || result == STEP_VIOLATION;
}

/* The calls that would have been looked at. */
static void list_targets(struct verification *v, const char *target)
{
    size_t count;
    struct target_group *groups = search_groups(&v->problem->system, target, &count);
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < groups[g].bits.count; i++)
            tac_vec_push(&v->found.targets, (struct target_result){.bit = groups[g].bits.at[i]});
    search_groups_free(groups, count);
}

static tac_status search_and_prove(struct verification *v, const tac_protocol_options *options,
                                   tac_error *err)
{
    struct search_options search = {
        .engine = (enum engine)options->engine, .target = options->target, .watch = options->watch};
    size_t shortest;
    tac_status status = search_all(&v->problem->system, &search, &v->found, err);
    if (status == TAC_OK && options->certificate && !v->problem->specs->left_out &&
        search_overall(&v->found, &shortest) == SEARCH_SAFE)
        status = certificate_write(v->problem, options, err);
    return status;
}

tac_status tac_protocol_verify(const tac_protocol_rules *rules, const tac_recording *recording,
                               const tac_protocol_options *options, tac_protocol_result *result,
                               tac_error *err)
{
    struct problem problem, validated;
    bool compares = options->model != TAC_MODEL_LIFESTATE;
    tac_status status = problem_build_to_search(rules, recording, options, &problem, err);
    if (status != TAC_OK)
        return status;
    struct validation walk = {.problem = &problem};
    struct verification v = {.problem = &problem, .certificate = options->certificate};
    /* A model that is compared may be searched in without being admitted: its share is a figure. */
    if (compares) {
        status = problem_build(rules, recording, options, &validated, err);
        if (status != TAC_OK) {
            problem_free(&problem);
            return status;
        }
        walk.problem = &validated;
    }
    if (!options->as_recorded || compares) {
        status = validation_walk(&walk, options->watch, err);
        v.validation = &walk;
        v.admitted = admits(walk.result);
        v.inadmissible = !v.admitted && !options->trust_rules && !compares;
    }
    if (status == TAC_OK && v.inadmissible)
        list_targets(&v, options->target);
    else if (status == TAC_OK)
        status = search_and_prove(&v, options, err);
    if (status == TAC_OK)
        status = answer(&v, options->every_witness, result, err);
    search_result_free(&v.found);
    validation_free(&walk);
    if (compares)
        problem_free(&validated);
    problem_free(&problem);
    return status;
}
