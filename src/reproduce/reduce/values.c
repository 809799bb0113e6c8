/* Shorter texts and waits: values that events carry, reduced once the events are. */
#include "base/data/alloc.h"
#include "reproduce/reduce/reduce.h"

static const double shortest_wait = 0.5; /* seconds; below that only none is tried */

static struct step_table *steps_of(const struct judge *judge)
{
    return &judge->known->steps;
}

/* The same script with another step at one place; *taken when it fails too. */
static tac_status try_step(struct judge *judge, const struct places *places, struct trail *trail,
                           size_t at, uint32_t step, bool *taken, tac_error *err)
{
    struct script candidate = script_copy(&trail->script);
    candidate.at[at] = step;
    tac_status status = reduce_try(judge, places, trail, &candidate, taken, err);
    tac_vec_free(&candidate);
    return status;
}

static tac_status without_waits(struct judge *judge, const struct places *places,
                                struct trail *trail, bool *taken, tac_error *err)
{
    struct script candidate = script_copy(&trail->script);
    for (size_t i = 0; i < candidate.count; i++)
        candidate.at[i] = steps_with_time(steps_of(judge), candidate.at[i], 0);
    tac_status status = TAC_OK;
    *taken = script_equal(&candidate, &trail->script);
    if (!*taken)
        status = reduce_try(judge, places, trail, &candidate, taken, err);
    tac_vec_free(&candidate);
    return status;
}

/* One wait: none at all, else halves for as long as it fails. */
static tac_status shorten_wait(struct judge *judge, const struct places *places,
                               struct trail *trail, size_t at, tac_error *err)
{
    double time = steps_of(judge)->at.at[trail->script.at[at]].time;
    bool taken = false;
    tac_status status = TAC_OK;
    if (time == 0)
        return TAC_OK;
    uint32_t none = steps_with_time(steps_of(judge), trail->script.at[at], 0);
    status = try_step(judge, places, trail, at, none, &taken, err);
    for (bool go_on = !taken; status == TAC_OK && go_on && time / 2 >= shortest_wait;) {
        uint32_t half = steps_with_time(steps_of(judge), trail->script.at[at], time / 2);
        status = try_step(judge, places, trail, at, half, &go_on, err);
        time /= 2;
    }
    return status;
}

/* Leaves out pieces of a text, halves first, down to single characters. UTF-8 stays whole. */
static tac_status shorten_text(struct judge *judge, const struct places *places,
                               struct trail *trail, size_t at, size_t action, tac_error *err)
{
    char *text = tac_strdup(steps_of(judge)->at.at[trail->script.at[at]].actions[action].value);
    tac_status status = TAC_OK;
    for (size_t piece = strlen(text); piece > 0 && status == TAC_OK; piece /= 2)
        for (size_t from = 0; from < strlen(text) && status == TAC_OK;) {
            size_t to = from + piece < strlen(text) ? from + piece : strlen(text);
            while (to < strlen(text) && ((unsigned char)text[to] & 0xc0) == 0x80)
                to++;
            char *shorter = tac_format("%.*s%s", (int)from, text, text + to);
            bool taken = false;
            uint32_t step =
                steps_with_value(steps_of(judge), trail->script.at[at], action, shorter);
            if (*shorter) /* entering nothing is another event */
                status = try_step(judge, places, trail, at, step, &taken, err);
            if (taken)
                memcpy(text, shorter, strlen(shorter) + 1);
            else
                from = to;
            free(shorter);
        }
    free(text);
    return status;
}

tac_status reduce_values(struct judge *judge, const struct places *places, struct trail *trail,
                         tac_error *err)
{
    bool none;
    tac_status status = without_waits(judge, places, trail, &none, err);
    for (size_t i = 0; i < trail->script.count && status == TAC_OK && !none; i++)
        status = shorten_wait(judge, places, trail, i, err);
    for (size_t i = 0; i < trail->script.count && status == TAC_OK; i++) {
        size_t actions = steps_of(judge)->at.at[trail->script.at[i]].action_count;
        for (size_t k = 0; k < actions && status == TAC_OK; k++) {
            const tac_model_action *action =
                &steps_of(judge)->at.at[trail->script.at[i]].actions[k];
            if (action->kind == TAC_ACTION_TEXT && action->value && action->value[0])
                status = shorten_text(judge, places, trail, i, k, err);
        }
    }
    return status;
}
