/* Duties over chunks: the witness and the moment of decision, as for automata. */
#include "property/temporal/temporal.h"

#include "base/check.h"
#include <string.h>

static bool is_bad(tac_answer answer)
{
    return answer == TAC_VIOLATED || answer == TAC_PRESUMABLY_VIOLATED;
}

void temporal_note(struct temporal_state *state, tac_answer before, tac_answer after,
                   uint64_t index, int64_t time)
{
    if (before != after)
        state->changed = index;
    if (is_bad(after) && !is_bad(before)) {
        state->since = index;
        state->since_time = time;
    }
    if (after == TAC_HOLDS || after == TAC_VIOLATED) {
        state->decided = true;
        state->decided_state = index;
        state->decided_time = time;
    }
}

void queued_start(const struct goals *goals, struct duty_state *duties,
                  struct temporal_state *state)
{
    memset(state, 0, sizeof *state);
    duties_reset(goals, duties);
    state->decided = duties->answer == TAC_HOLDS || duties->answer == TAC_VIOLATED;
}

/* Only the outermost "always (trigger -> ...)" is awake: until the trigger holds, or a sleeping
 * duty's window opens, no state changes anything. */
static bool waits_for_trigger(const struct goals *goals, const struct duty_state *duties)
{
    return goals->trigger != COLUMN_NONE && duties->started && duties->roots.count == 1 &&
           duties->now.at[duties->roots.at[0]].op == DUTY_OPEN &&
           duties->now.at[duties->roots.at[0]].a == goals->root;
}

/* The next state from i on that can change something; chunk->count when none does. */
static size_t next_change(const struct goals *goals, const struct duty_state *duties,
                          const struct chunk *chunk, size_t i)
{
    assert(i < chunk->count && goals->trigger != COLUMN_NONE);
    const uint8_t *bits = column_bits(chunk->program, goals->trigger);
    const uint8_t *hit = memchr(bits + i, 1, chunk->count - i);
    size_t stop = hit ? (size_t)(hit - bits) : chunk->count;
    for (size_t g = 0; duties->asleep && g < goals->nodes.count; g++) {
        const struct duty_queue *queue = &duties->sleeping[g];
        const struct time_window *window = &goals->nodes.at[g].window;
        if (queue->head == queue->starts.count)
            continue;
        int64_t start = queue->starts.at[queue->head];
        size_t j = i;
        while (j < stop &&
               !window_opened(
                   window, (window->steps ? (int64_t)(chunk->first + j) : chunk->time[j]) - start))
            j++;
        stop = j;
    }
    return stop;
}

void queued_feed(const struct goals *goals, struct duty_state *duties, struct temporal_state *state,
                 const struct chunk *chunk)
{
    assert(chunk->count > 0);
    if (chunk->first == 0)
        state->since_time = chunk->time[0];
    for (size_t i = 0; i < chunk->count && !state->decided; i++) {
        if (waits_for_trigger(goals, duties)) {
            i = next_change(goals, duties, chunk, i);
            if (i == chunk->count)
                return;
        }
        tac_answer before = duties->answer;
        duties_step(goals, duties, chunk, i);
        temporal_note(state, before, duties->answer, chunk->first + i, chunk->time[i]);
    }
}

void queued_tick(const struct goals *goals, struct duty_state *duties, struct temporal_state *state,
                 uint64_t last, int64_t now)
{
    if (state->decided)
        return;
    tac_answer before = duties->answer;
    duties_tick(goals, duties, now);
    temporal_note(state, before, duties->answer, last, now);
}
