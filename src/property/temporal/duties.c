/* See duties.h. Cost of a state: the open duties that are awake; one when only "always" waits. */
#include "property/temporal/duties.h"

#include "base/check.h"
#include <string.h>

/* Trees above this size are not compared with each other. */
enum { COMPARED_SIZE = 48, COMPARED_NEIGHBOURS = 24 };

struct duty_step {
    const struct goals *goals;
    struct duty_state *state;
    const struct chunk *chunk;
    size_t i;
    int64_t time;
    uint64_t index;
};

static const struct goal *goal_at(const struct goals *goals, uint32_t goal)
{
    assert_costly(goal < goals->nodes.count);
    return &goals->nodes.at[goal];
}

static uint32_t put(struct duty_state *state, struct duty duty)
{
    tac_vec_push(&state->next, duty);
    return (uint32_t)(state->next.count - 1);
}

static uint32_t constant(struct duty_state *state, bool value)
{
    (void)state;
    return value ? 1 : 0; /* the first two duties of a vector are false and true */
}

static void clear(duty_vec *duties)
{
    assert(duties != NULL);
    static const struct duty constants[2] = {{.op = DUTY_FALSE}, {.op = DUTY_TRUE}};
    duties->count = 0;
    tac_vec_append(duties, constants, 2);
}

static bool has_window(const struct goal *goal)
{
    return !goal->window.unbounded || goal->window.low || goal->window.low_strict;
}

/* --- One duty implies another: sound, not complete -------------------------------------------- */

static bool open_implies(const struct goals *goals, const struct duty *a, const struct duty *b,
                         const int64_t now[2])
{
    if (a->a != b->a)
        return false;
    if (a->start == b->start)
        return true;
    const struct goal *goal = goal_at(goals, a->a);
    int64_t at = now[goal->window.steps];
    if (goal->op == GOAL_NEXT || !window_opened(&goal->window, at - a->start) ||
        !window_opened(&goal->window, at - b->start))
        return false;
    /* both windows are open: until the earlier deadline implies until the later one */
    return goal->window.unbounded ||
           (goal->op == GOAL_UNTIL ? a->start < b->start : a->start > b->start);
}

static bool implies(const struct goals *goals, const struct duty *all, uint32_t x, uint32_t y,
                    const int64_t now[2], unsigned *work)
{
    const struct duty *a = &all[x], *b = &all[y];
    if (x == y || a->op == DUTY_FALSE || b->op == DUTY_TRUE)
        return true;
    if (++*work > 400)
        return false;
    if (b->op == DUTY_AND)
        return implies(goals, all, x, b->a, now, work) && implies(goals, all, x, b->b, now, work);
    if (a->op == DUTY_OR)
        return implies(goals, all, a->a, y, now, work) && implies(goals, all, a->b, y, now, work);
    if (a->op == DUTY_AND &&
        (implies(goals, all, a->a, y, now, work) || implies(goals, all, a->b, y, now, work)))
        return true;
    if (b->op == DUTY_OR &&
        (implies(goals, all, x, b->a, now, work) || implies(goals, all, x, b->b, now, work)))
        return true;
    return a->op == DUTY_OPEN && b->op == DUTY_OPEN && open_implies(goals, a, b, now);
}

/* --- Building the trees of the next state ----------------------------------------------------- */

static uint32_t join(struct duty_step *step, uint32_t op, uint32_t x, uint32_t y)
{
    assert(op == DUTY_AND || op == DUTY_OR);
    assert(x < step->state->next.count && y < step->state->next.count);
    struct duty_state *state = step->state;
    const int64_t now[2] = {step->time, (int64_t)step->index};
    uint32_t absorbing = op == DUTY_OR, neutral = !absorbing;
    if (x == absorbing || y == absorbing)
        return absorbing;
    if (x == neutral)
        return y;
    if (y == neutral)
        return x;
    unsigned work = 0;
    if (implies(step->goals, state->next.at, x, y, now, &work))
        return op == DUTY_AND ? x : y;
    work = 0;
    if (implies(step->goals, state->next.at, y, x, now, &work))
        return op == DUTY_AND ? y : x;
    return put(state, (struct duty){.op = op, .a = x, .b = y});
}

static uint32_t advance(struct duty_step *step, uint32_t goal, int64_t start);

/* The goal at the state of the step. */
static uint32_t expand(struct duty_step *step, uint32_t goal)
{
    const struct goal *at = goal_at(step->goals, goal);
    switch (at->op) {
    case GOAL_FALSE:
    case GOAL_TRUE:
        return constant(step->state, at->op == GOAL_TRUE);
    case GOAL_ATOM: {
        const struct column_program *program = step->chunk->program;
        bool sure = step->state->doubtful != at->negated;
        const uint8_t *column =
            sure ? column_bits(program, at->atom) : column_may(program, at->atom);
        return constant(step->state, column[step->i] != at->negated);
    }
    case GOAL_AND:
    case GOAL_OR: {
        uint32_t a = expand(step, at->a);
        if (a == (at->op == GOAL_OR)) /* the other part does not matter */
            return a;
        return join(step, at->op == GOAL_AND ? DUTY_AND : DUTY_OR, a, expand(step, at->b));
    }
    case GOAL_NEXT:
        break;
    case GOAL_UNTIL:
    case GOAL_RELEASE:
        return advance(step, goal, at->window.steps ? (int64_t)step->index : step->time);
    }
    int64_t start = !has_window(at) ? 0 : at->window.steps ? (int64_t)step->index : step->time;
    return put(step->state, (struct duty){.op = DUTY_OPEN, .a = goal, .start = start});
}

/* An operator started at `start`, at the state of the step. */
static uint32_t advance(struct duty_step *step, uint32_t goal, int64_t start)
{
    const struct goal *at = goal_at(step->goals, goal);
    int64_t distance = (at->window.steps ? (int64_t)step->index : step->time) - start;
    bool until = at->op == GOAL_UNTIL;
    bool opened = !has_window(at) || window_opened(&at->window, distance);
    bool passed = has_window(at) && window_passed(&at->window, distance);
    if (at->op == GOAL_NEXT)
        return opened && !passed ? expand(step, at->a) : constant(step->state, at->weak);
    if (passed)
        return constant(step->state, !until);
    uint32_t here = opened ? expand(step, at->b) : constant(step->state, !until);
    if (here == until) /* shown, or broken, by b alone */
        return here;
    uint32_t left = expand(step, at->a);
    if (left != !until) {
        uint32_t open =
            put(step->state,
                (struct duty){.op = DUTY_OPEN, .a = goal, .start = has_window(at) ? start : 0});
        left = join(step, until ? DUTY_AND : DUTY_OR, left, open);
    }
    return join(step, until ? DUTY_OR : DUTY_AND, here, left);
}

static uint32_t rebuild(struct duty_step *step, uint32_t duty)
{
    const struct duty at = step->state->now.at[duty];
    if (at.op == DUTY_OPEN)
        return advance(step, at.a, at.start);
    if (at.op == DUTY_FALSE || at.op == DUTY_TRUE)
        return duty;
    uint32_t a = rebuild(step, at.a);
    if (a == (at.op == DUTY_OR))
        return a;
    return join(step, at.op, a, rebuild(step, at.b));
}

/* --- The conjunction -------------------------------------------------------------------------- */

/* What the duty is worth if the trace ended here. */
static bool at_end(const struct goals *goals, const duty_vec *duties, uint32_t duty)
{
    const struct duty *at = &duties->at[duty];
    if (at->op == DUTY_AND)
        return at_end(goals, duties, at->a) && at_end(goals, duties, at->b);
    if (at->op == DUTY_OR)
        return at_end(goals, duties, at->a) || at_end(goals, duties, at->b);
    if (at->op != DUTY_OPEN)
        return at->op == DUTY_TRUE;
    const struct goal *goal = goal_at(goals, at->a);
    return goal->op == GOAL_RELEASE || (goal->op == GOAL_NEXT && goal->weak);
}

/* Nothing can happen to it before its window opens. */
static bool sleeps(const struct duty_step *step, const struct duty *duty)
{
    if (duty->op != DUTY_OPEN)
        return false;
    const struct goal *goal = goal_at(step->goals, duty->a);
    enum goal_op first = goal_at(step->goals, goal->a)->op;
    if (goal->op == GOAL_NEXT || (first != GOAL_FALSE && first != GOAL_TRUE))
        return false;
    int64_t now = goal->window.steps ? (int64_t)step->index : step->time;
    return has_window(goal) && !window_opened(&goal->window, now - duty->start);
}

/* False: an older one comes after younger ones, and stays awake. */
static bool put_to_sleep(struct duty_step *step, const struct duty *duty)
{
    assert(duty->op == DUTY_OPEN && duty->a < step->goals->nodes.count);
    struct duty_state *state = step->state;
    struct duty_queue *queue = &state->sleeping[duty->a];
    if (queue->starts.count > queue->head && tac_vec_last(&queue->starts) == duty->start)
        return true; /* the same duty is asleep already */
    if (queue->starts.count > queue->head && tac_vec_last(&queue->starts) > duty->start)
        return false;
    tac_vec_push(&queue->starts, duty->start);
    state->asleep++;
    state->asleep_bad += goal_at(step->goals, duty->a)->op == GOAL_UNTIL;
    if (state->asleep > DUTY_MOST)
        state->overflow = duty->a;
    return true;
}

static uint32_t some_goal(const duty_vec *duties, uint32_t duty)
{
    while (duties->at[duty].op == DUTY_AND || duties->at[duty].op == DUTY_OR)
        duty = duties->at[duty].a;
    return duties->at[duty].op == DUTY_OPEN ? duties->at[duty].a : 0;
}

/* Adds a tree of `next` to the conjunction; false when it makes it false. */
static bool conjoin(struct duty_step *step, uint32_t duty)
{
    assert(duty < step->state->next.count);
    struct duty_state *state = step->state;
    const int64_t now[2] = {step->time, (int64_t)step->index};
    const struct duty at = state->next.at[duty];
    if (at.op == DUTY_FALSE || at.op == DUTY_TRUE)
        return at.op == DUTY_TRUE;
    if (at.op == DUTY_AND)
        return conjoin(step, at.a) && conjoin(step, at.b);
    if (sleeps(step, &at) && put_to_sleep(step, &at))
        return true;
    size_t count = state->next_roots.count;
    size_t from = count > COMPARED_NEIGHBOURS ? count - COMPARED_NEIGHBOURS : 0;
    for (size_t k = from; k < state->next_roots.count; k++) {
        unsigned work = 0;
        if (implies(step->goals, state->next.at, state->next_roots.at[k], duty, now, &work))
            return true;
        work = 0;
        if (implies(step->goals, state->next.at, duty, state->next_roots.at[k], now, &work))
            state->next_roots.at[k--] = tac_vec_pop(&state->next_roots);
        if (!state->next_roots.count)
            break;
    }
    tac_vec_push(&state->next_roots, duty);
    if (state->next.count > 4 * (size_t)DUTY_MOST || state->next_roots.count > DUTY_MOST)
        state->overflow = some_goal(&state->next, duty);
    return true;
}

static bool wake(struct duty_step *step)
{
    struct duty_state *state = step->state;
    bool good = true;
    for (uint32_t g = 0; state->asleep && good && g < step->goals->nodes.count; g++) {
        struct duty_queue *queue = &state->sleeping[g];
        const struct goal *goal = goal_at(step->goals, g);
        while (good && queue->head < queue->starts.count) {
            int64_t start = queue->starts.at[queue->head];
            int64_t now = goal->window.steps ? (int64_t)step->index : step->time;
            if (!window_opened(&goal->window, now - start))
                break;
            queue->head++;
            state->asleep--;
            state->asleep_bad -= goal->op == GOAL_UNTIL;
            good = conjoin(step, advance(step, g, start));
        }
        if (queue->head == queue->starts.count)
            queue->head = queue->starts.count = 0;
    }
    return good;
}

static void settle(const struct goals *goals, struct duty_state *state, bool good)
{
    assert(state->asleep_bad <= state->asleep);
    if (!good) {
        state->bad = true;
        state->answer = TAC_VIOLATED;
        return;
    }
    state->bad = state->asleep_bad > 0;
    for (size_t k = 0; !state->bad && k < state->roots.count; k++)
        state->bad = !at_end(goals, &state->now, state->roots.at[k]);
    state->answer = !state->roots.count && !state->asleep ? TAC_HOLDS
                    : state->bad                          ? TAC_PRESUMABLY_VIOLATED
                                                          : TAC_PRESUMABLY_HOLDS;
}

static void swap(struct duty_state *state)
{
    duty_vec duties = state->now;
    state->now = state->next;
    state->next = duties;
    uint32_t *at = state->roots.at;
    size_t capacity = state->roots.capacity;
    state->roots.at = state->next_roots.at;
    state->roots.count = state->next_roots.count;
    state->roots.capacity = state->next_roots.capacity;
    state->next_roots.at = at;
    state->next_roots.count = 0;
    state->next_roots.capacity = capacity;
}

void duties_step(const struct goals *goals, struct duty_state *state, const struct chunk *chunk,
                 size_t i)
{
    assert(i < chunk->count);
    struct duty_step step = {goals, state, chunk, i, chunk->time[i], chunk->first + i};
    bool good = true;
    clear(&state->next);
    state->next_roots.count = 0;
    if (!state->started) {
        state->started = true;
        good = conjoin(&step, expand(&step, goals->root));
    } else {
        for (size_t k = 0; good && k < state->roots.count; k++)
            good = conjoin(&step, rebuild(&step, state->roots.at[k]));
        if (good)
            good = wake(&step);
    }
    swap(state);
    settle(goals, state, good);
}

/* The duty when time has reached `now` without a state. */
static uint32_t expire(const struct goals *goals, struct duty_state *state, uint32_t duty,
                       int64_t now)
{
    const struct duty at = state->now.at[duty];
    if (at.op == DUTY_OPEN) {
        const struct goal *goal = goal_at(goals, at.a);
        if (!has_window(goal) || goal->window.steps ||
            !window_passed(&goal->window, now - at.start))
            return put(state, at);
        return goal->op == GOAL_NEXT ? goal->weak : goal->op == GOAL_RELEASE;
    }
    if (at.op == DUTY_FALSE || at.op == DUTY_TRUE)
        return duty;
    uint32_t absorbing = at.op == DUTY_OR;
    uint32_t a = expire(goals, state, at.a, now);
    uint32_t b = a == absorbing ? a : expire(goals, state, at.b, now);
    if (a == absorbing || b == absorbing)
        return absorbing;
    return a == !absorbing   ? b
           : b == !absorbing ? a
                             : put(state, (struct duty){.op = at.op, .a = a, .b = b});
}

void duties_tick(const struct goals *goals, struct duty_state *state, int64_t now)
{
    bool good = true;
    if (!state->started || state->answer == TAC_VIOLATED || state->answer == TAC_HOLDS)
        return;
    clear(&state->next);
    state->next_roots.count = 0;
    for (size_t k = 0; good && k < state->roots.count; k++) {
        uint32_t left = expire(goals, state, state->roots.at[k], now);
        good = left != 0;
        if (left > 1)
            tac_vec_push(&state->next_roots, left);
    }
    for (uint32_t g = 0; state->asleep && good && g < goals->nodes.count; g++) {
        const struct goal *goal = goal_at(goals, g);
        const struct duty_queue *queue = &state->sleeping[g];
        if (goal->op == GOAL_UNTIL && !goal->window.steps && queue->head < queue->starts.count &&
            window_passed(&goal->window, now - queue->starts.at[queue->head]))
            good = false;
    }
    swap(state);
    settle(goals, state, good);
}

/* --- States ----------------------------------------------------------------------------------- */

void duties_init(const struct goals *goals, struct duty_state *state)
{
    memset(state, 0, sizeof *state);
    state->sleeping = tac_calloc(goals->nodes.count + 1, sizeof *state->sleeping);
    duties_reset(goals, state);
}

void duties_reset(const struct goals *goals, struct duty_state *state)
{
    clear(&state->now);
    state->roots.count = 0;
    for (size_t g = 0; g < goals->nodes.count; g++)
        state->sleeping[g].head = state->sleeping[g].starts.count = 0;
    state->asleep = state->asleep_bad = 0;
    state->started = state->bad = state->doubtful = false;
    state->overflow = COLUMN_NONE;
    /* before the first state: what an empty trace gives */
    const struct goal *root = goal_at(goals, goals->root);
    state->answer = root->op == GOAL_TRUE    ? TAC_HOLDS
                    : root->op == GOAL_FALSE ? TAC_VIOLATED
                    : root->op == GOAL_RELEASE || (root->op == GOAL_NEXT && root->weak)
                        ? TAC_PRESUMABLY_HOLDS
                        : TAC_PRESUMABLY_VIOLATED;
}

void duties_copy(const struct goals *goals, struct duty_state *to, const struct duty_state *from)
{
    assert(to != from && to->sleeping);
    to->now.count = 0;
    tac_vec_append(&to->now, from->now.at, from->now.count);
    to->roots.count = 0;
    tac_vec_append(&to->roots, from->roots.at, from->roots.count);
    for (size_t g = 0; g < goals->nodes.count; g++) {
        const struct duty_queue *queue = &from->sleeping[g];
        to->sleeping[g].head = to->sleeping[g].starts.count = 0;
        if (queue->starts.count > queue->head)
            tac_vec_append(&to->sleeping[g].starts, queue->starts.at + queue->head,
                           queue->starts.count - queue->head);
    }
    to->asleep = from->asleep;
    to->asleep_bad = from->asleep_bad;
    to->bad = from->bad;
    to->started = from->started;
    to->doubtful = from->doubtful;
    to->overflow = from->overflow;
    to->answer = from->answer;
}

bool duties_equal(const struct goals *goals, const struct duty_state *a, const struct duty_state *b)
{
    (void)goals;
    if (a->asleep || b->asleep || a->started != b->started || a->roots.count != b->roots.count ||
        a->answer != b->answer)
        return false;
    for (size_t k = 0; k < a->roots.count; k++) {
        const struct duty *x = &a->now.at[a->roots.at[k]], *y = &b->now.at[b->roots.at[k]];
        if (x->op != DUTY_OPEN || y->op != DUTY_OPEN || x->a != y->a || x->start != y->start)
            return false;
    }
    return true;
}

void duties_free(const struct goals *goals, struct duty_state *state)
{
    for (size_t g = 0; state->sleeping && g < goals->nodes.count; g++)
        tac_vec_free(&state->sleeping[g].starts);
    free(state->sleeping);
    tac_vec_free(&state->now);
    tac_vec_free(&state->next);
    tac_vec_free(&state->roots);
    tac_vec_free(&state->next_roots);
}
