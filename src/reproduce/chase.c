/* See chase.h: does it come again, what is the shortest sequence, how often does that fail, what
 * would prevent it. */
#include "reproduce/chase.h"
#include "base/data/alloc.h"

enum { BASELINE_TRIES = 10, MOST_REPAIRS = 3 };

struct chase {
    struct hunt *hunt;
    const struct cause *cause;
    struct executor executor;
    struct judge judge;
    struct trail trail; /* the shortest that is known to fail */
    const struct source_run *run;
    tac_reproduction *out;
};

/* --- the original --- */

size_t *chase_decided_after(const struct source_run *run, const struct cause *cause)
{
    for (size_t i = 0; i < run->violated.count && cause->kind == TAC_FAILURE_PROPERTY; i++)
        if (!strcmp(run->violated.at[i], cause->name))
            return &run->violated_after.at[i];
    return NULL;
}

/* As much of the run as may matter: up to the step that failed, or to the event after which the
 * property was decided. What a random run performs are events, so that there are not fewer. */
static struct trail original(const struct chase *chase)
{
    struct trail trail = trail_copy(&chase->run->trail);
    size_t most = trail.script.count, steps = chase->run->steps;
    const size_t *decided = chase_decided_after(chase->run, chase->cause);
    if (chase->cause->kind != TAC_FAILURE_PROPERTY && !chase->hunt->source.random &&
        steps + 1 < most)
        most = steps + 1;
    if (decided && chase->hunt->source.random && *decided < most)
        most = *decided;
    if (trail.script.count > most) {
        trail.script.count = most;
        trail.at.count = most + 1;
    }
    return trail;
}

/* A failing step is told apart by the screen on which it fails, which the first execution shows. */
static uint32_t failure_like(struct knowledge *known, const char *name)
{
    char *wanted = tac_format("step %s\non ", name);
    uint32_t found = TAC_NONE;
    for (uint32_t i = 0; i < known->failures.count && found == TAC_NONE; i++)
        if (!strncmp(known->failures.text[i], wanted, strlen(wanted)))
            found = i;
    free(wanted);
    return found;
}

static uint32_t failure_of(struct chase *chase)
{
    struct knowledge *known = &chase->hunt->known;
    if (chase->cause->kind == TAC_FAILURE_STEP)
        return failure_like(known, chase->cause->name);
    char *name = tac_format("%s %s", tac_failure_kind_name(chase->cause->kind), chase->cause->name);
    uint32_t failure = knowledge_failure(known, name);
    free(name);
    return failure;
}

/* What the tries of the original ended in, for a person. */
static void not_again(struct chase *chase, const struct known *known)
{
    char *text = tac_format("run %lld was executed %u times more and did not fail so",
                            (long long)chase->run->id, known->own);
    free(chase->out->message);
    chase->out->message = text;
}

/* The shortest beginning that is known to fail; a crash needs nothing of what was planned after. */
static void cut(struct chase *chase)
{
    if (chase->judge.at_the_end)
        return;
    for (size_t length = 0; length < chase->trail.script.count; length++) {
        struct script beginning = {.at = chase->trail.script.at, .count = length};
        struct judge_tally tally = judge_known(&chase->judge, &beginning);
        if (tally.failed < chase->judge.needed)
            continue;
        chase->trail.script.count = length;
        chase->trail.at.count = length + 1;
    }
}

static tac_status confirm(struct chase *chase, bool *again, tac_error *err)
{
    struct judge *judge = &chase->judge;
    struct known known;
    const struct script *script = &chase->trail.script;
    judge->failure = failure_of(chase);
    tac_status status = judge_try(judge, script, judge->tries, &known, err);
    if (status == TAC_OK && judge->failure == TAC_NONE) { /* now its screen is known */
        judge->failure = failure_of(chase);
        known = knowledge_of(judge->known, script, judge->scenario, judge->failure);
    }
    if (status == TAC_OK && !known.own_failed)
        status = judge_try(judge, script, BASELINE_TRIES, &known, err);
    *again = false;
    if (status == TAC_OK && known.own_failed)
        status = judge_fails(judge, script, again, err);
    if (status == TAC_OK && *again)
        cut(chase);
    else if (status == TAC_OK)
        not_again(chase, &known);
    return status;
}

/* --- the reduction --- */

/* Runs that fail in one way often fail in others: where the search for an earlier cause has met
 * this failure on a shorter sequence, this one goes on from there. */
static tac_status reduce_by_earlier_searches(struct chase *chase, tac_error *err)
{
    struct judge *judge = &chase->judge;
    struct script shortest;
    bool taken;
    tac_status status = TAC_OK;
    if (knowledge_shortest(judge->known, judge->scenario, judge->failure, judge->at_the_end,
                           chase->cause->key, &shortest) &&
        shortest.count < chase->trail.script.count)
        status = reduce_try(judge, &chase->hunt->seen, &chase->trail, &shortest, &taken, err);
    tac_vec_free(&shortest);
    return status;
}

/* With a model that can follow what is left. */
static tac_status reduce_by_model(struct chase *chase, tac_error *err)
{
    const struct places *model = &chase->hunt->model;
    struct trail *trail = &chase->trail;
    if (!model->names.count || trail->script.count < 2)
        return TAC_OK;
    struct trail followed = places_follow(model, &chase->hunt->known.steps, &trail->script);
    tac_status status = TAC_OK;
    if (followed.at.at[followed.script.count - 1] != TAC_NONE)
        status = reduce_by_jumps(&chase->judge, model, &followed, err);
    if (followed.script.count < trail->script.count) {
        trail_free(trail);
        *trail = places_follow(&chase->hunt->seen, &chase->hunt->known.steps, &followed.script);
    }
    trail_free(&followed);
    return status;
}

static tac_status reduce(struct chase *chase, tac_error *err)
{
    struct judge *judge = &chase->judge;
    const struct places *seen = &chase->hunt->seen;
    struct trail *trail = &chase->trail;
    tac_status status = TAC_OK;
    if (judge->plain) {
        status = reduce_plainly(judge, &trail->script, err);
        struct script found = script_copy(&trail->script);
        trail_free(trail);
        *trail = places_follow(seen, &judge->known->steps, &found);
        tac_vec_free(&found);
        chase->out->one_minimal = status == TAC_OK;
        return status;
    }
    status = reduce_by_earlier_searches(chase, err);
    if (status == TAC_OK && judge->at_the_end)
        status = reduce_ending(judge, seen, trail, err);
    if (status == TAC_OK)
        status = reduce_by_patterns(chase->hunt, judge, chase->cause, trail, err);
    if (status == TAC_OK)
        status = reduce_by_jumps(judge, seen, trail, err);
    if (status == TAC_OK)
        status = reduce_by_model(chase, err);
    if (status == TAC_OK)
        status = reduce_cycles(judge, seen, trail, err);
    if (status == TAC_OK)
        status = reduce_events(judge, seen, trail, &chase->out->one_minimal, err);
    if (status == TAC_OK)
        status = reduce_values(judge, seen, trail, err);
    if (status == TAC_OK)
        status = reduce_events(judge, seen, trail, &chase->out->one_minimal, err);
    return status;
}

/* Replays; when they show that chance is at work, the last sweep is done again with more tries. */
static tac_status replay(struct chase *chase, tac_error *err)
{
    struct judge *judge = &chase->judge;
    uint32_t wanted = chase->hunt->options->replays ? chase->hunt->options->replays : 10;
    tac_status status = TAC_OK;
    for (unsigned i = 0; i < MOST_REPAIRS && status == TAC_OK; i++) {
        struct known known;
        bool fails;
        uint32_t tries = judge->tries;
        struct script before = script_copy(&chase->trail.script);
        status = judge_replay(judge, &chase->trail.script, wanted, &known, err);
        chase->out->replays = known.replays;
        chase->out->replays_failed = known.replays_failed;
        if (status == TAC_OK) /* notices chance */
            status = judge_fails(judge, &chase->trail.script, &fails, err);
        if (status == TAC_OK && judge->tries != tries)
            status = reduce_events(judge, &chase->hunt->seen, &chase->trail,
                                   &chase->out->one_minimal, err);
        bool same = script_equal(&before, &chase->trail.script);
        tac_vec_free(&before);
        if (same)
            break;
    }
    return status;
}

/* --- what is told --- */

static char *failure_text(const struct chase *chase)
{
    const struct knowledge *known = &chase->hunt->known;
    const char *detail =
        chase->judge.failure == TAC_NONE ? "" : known->details.at[chase->judge.failure];
    const char *name = chase->cause->name, *place = strstr(name, " at ");
    if (chase->cause->kind == TAC_FAILURE_PROPERTY)
        return tac_format("the property '%s' is violated", name);
    if (chase->cause->kind == TAC_FAILURE_STEP)
        return tac_format("the step fails: %s", name);
    return tac_format("%s%s%s", *detail ? detail : name, place ? " in " : "",
                      place ? place + 4 : "");
}

static void tell(struct chase *chase)
{
    tac_reproduction *out = chase->out;
    const struct step_table *steps = &chase->hunt->known.steps;
    const struct script *script = &chase->trail.script;
    char *sequence = say_script(steps, script, " ");
    bool several = say_devices(steps);
    out->reproduced = true;
    out->steps_after = script->count;
    out->needed = chase->judge.needed;
    out->tries = chase->judge.tries;
    out->flaky = chase->judge.flaky;
    out->failure = failure_text(chase);
    out->text = tac_format("%s: %s", sequence, out->failure);
    out->steps = tac_calloc(script->count, sizeof *out->steps);
    out->step_count = script->count;
    for (size_t i = 0; i < script->count; i++) {
        const tac_flow_step *step = &steps->at.at[script->at[i]];
        out->steps[i] = (tac_reproduced_step){tac_strdup(step->event), say_step(step, several)};
    }
    free(sequence);
}

/* --- all of it --- */

static struct chase start(struct hunt *hunt, const struct cause *cause, size_t run,
                          tac_reproduction *out)
{
    const tac_reproduce_options *options = hunt->options;
    const struct source_run *from = &hunt->source.runs.at[run];
    struct chase chase = {.hunt = hunt,
                          .cause = cause,
                          .run = from,
                          .out = out,
                          .executor = {.hunt = hunt, .cause = cause, .scenario = from->scenario},
                          .judge = {.known = &hunt->known,
                                    .execute = execute_on_devices,
                                    .scenario = from->scenario,
                                    .at_the_end = cause->kind == TAC_FAILURE_PROPERTY,
                                    .needed = options->needed ? options->needed : 2,
                                    .tries = options->tries ? options->tries : 3,
                                    .plain = options->plain,
                                    .most = options->execution_limit}};
    chase.executor.start =
        hunt->source.random ? hunt->source.start : hunt->source.flows.flows.at[from->flow];
    chase.trail = original(&chase);
    chase.judge.sends_first = script_sends_first(&hunt->known.steps, &chase.trail.script);
    out->from_run = from->id;
    out->steps_before =
        chase_decided_after(from, cause) ? from->trail.script.count : chase.trail.script.count;
    free(out->scenario);
    out->scenario = tac_strdup(from->scenario);
    return chase;
}

static void note_catch(struct chase *chase, struct catch *out)
{
    struct known known = knowledge_of(&chase->hunt->known, &chase->trail.script,
                                      chase->judge.scenario, chase->judge.failure);
    uint32_t failed = chase->judge.at_the_end ? 0 : known.own_failed;
    out->script = script_copy(&chase->trail.script);
    out->start = chase->executor.start;
    out->disturbed = known.own > known.passed + failed;
    tell(chase);
}

tac_status chase_from(struct hunt *hunt, const struct cause *cause, size_t run, struct catch *out,
                      tac_error *err)
{
    *out = (struct catch){.told = {.kind = cause->kind,
                                   .name = tac_strdup(cause->name),
                                   .message = tac_strdup(""),
                                   .scenario = tac_strdup(""),
                                   .runs = cause->runs.count}};
    struct chase chase = start(hunt, cause, run, &out->told);
    chase.judge.context = &chase.executor;
    bool again = false;
    tac_status status = TAC_OK;
    if (hunt->source.random && !chase.run->performed) {
        free(out->told.message);
        out->told.message = tac_format("the trace of run %lld does not say what was performed; "
                                       "record the campaign anew",
                                       (long long)chase.run->id);
    } else {
        status = confirm(&chase, &again, err);
    }
    if (status == TAC_OK && again)
        status = reduce(&chase, err);
    if (status == TAC_OK && again)
        status = replay(&chase, err);
    chase.executor.experiment = true;
    if (status == TAC_OK && again && !chase.judge.plain)
        status = try_counterfactuals(hunt, &chase.judge, cause, &chase.trail, &out->told, err);
    if (status == TAC_OK && again)
        note_catch(&chase, out);
    trail_free(&chase.trail);
    return status;
}

void catch_free(struct catch *catch)
{
    tac_vec_free(&catch->script);
    reproduction_free(&catch->told);
}

tac_status chase_try(struct hunt *hunt, const struct cause *cause, size_t run, double *share,
                     tac_error *err)
{
    tac_reproduction unused = {0};
    struct chase chase = start(hunt, cause, run, &unused);
    struct known known = {0};
    bool performed = !hunt->source.random || chase.run->performed;
    tac_status status = TAC_OK;
    chase.judge.context = &chase.executor;
    chase.judge.failure = failure_of(&chase);
    if (performed)
        status = judge_try(&chase.judge, &chase.trail.script, chase.judge.tries, &known, err);
    chase.judge.failure = failure_of(&chase);
    known =
        knowledge_of(&hunt->known, &chase.trail.script, chase.run->scenario, chase.judge.failure);
    *share = performed && known.own ? (double)known.own_failed / known.own : -0.5;
    trail_free(&chase.trail);
    reproduction_free(&unused);
    return status;
}
