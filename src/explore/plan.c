/* The way to the nearest thing that is still wanted: breadth-first search over predicted places,
 * each a screen with a back stack. Every outcome seen counts as possible, so that what only chance
 * leads to is found too; the walker notices when it ends elsewhere and asks again. Frames of the
 * stack are shared between places (a tree of frames with parent links).
 *
 * Cost: O(places x controls) per plan, places capped. */
#include "base/check.h"
#include "explore/explorer.h"

enum { MAX_PLACES = 50000, MAX_STACK = 40 };

struct stack_node {
    uint32_t below; /* NOWHERE at the bottom */
    uint32_t activity, height;
    struct call_site left_by;
    uint64_t hash; /* of this frame and everything below */
};

struct place {
    uint32_t screen, stack; /* stack: the topmost frame */
    uint32_t parent, control;
};

struct search {
    struct explorer *ex;
    TAC_VEC(struct stack_node) stacks;
    TAC_VEC(struct place) places;
    tac_u64map seen;
    bool here; /* from where the app is, not from a launch */
};

static uint32_t push_frame(struct search *s, uint32_t below, uint32_t activity)
{
    assert(below == NOWHERE || below < s->stacks.count);
    struct stack_node n = {
        .below = below, .activity = activity, .left_by = {NOWHERE, NOWHERE, NOWHERE}};
    n.height = below == NOWHERE ? 1 : s->stacks.at[below].height + 1;
    n.hash = tac_hash_u64((below == NOWHERE ? 7 : s->stacks.at[below].hash) * 31 + activity);
    tac_vec_push(&s->stacks, n);
    return (uint32_t)s->stacks.count - 1;
}

/* The same frame, left by a call: a new node, for the old one may be shared. */
static uint32_t leave_frame(struct search *s, uint32_t node, struct call_site site)
{
    assert(node < s->stacks.count && site.screen < s->ex->screens.count);
    struct stack_node n = s->stacks.at[node];
    n.left_by = site;
    n.hash = tac_hash_u64(
        n.hash ^ ((uint64_t)site.screen << 40 ^ (uint64_t)site.control << 16 ^ site.outcome));
    tac_vec_push(&s->stacks, n);
    return (uint32_t)s->stacks.count - 1;
}

static void reach(struct search *s, uint32_t screen_number, uint32_t stack, uint32_t parent,
                  uint32_t control_index)
{
    if (screen_number == NOWHERE || s->places.count >= MAX_PLACES ||
        s->stacks.at[stack].height > MAX_STACK)
        return;
    assert(screen_number < s->ex->screens.count);
    if (s->ex->screens.at[screen_number].forgotten)
        return;
    assert(parent == NOWHERE || parent < s->places.count);
    uint64_t key = tac_hash_u64(s->stacks.at[stack].hash * 131 + screen_number);
    bool is_new = false;
    tac_u64map_at(&s->seen, key, 1, &is_new);
    if (is_new)
        tac_vec_push(&s->places, (struct place){screen_number, stack, parent, control_index});
}

/* Whether one event led to different places: a return is one place, wherever it lands. */
bool control_differs(const struct control *c)
{
    size_t ends = 0, others = 0;
    for (size_t i = 0; i < c->outcomes.count; i++) {
        bool end = c->outcomes.at[i].kind == RETURNED || c->outcomes.at[i].kind == LEFT;
        bool counts = !c->outcomes.at[i].forgotten;
        ends += counts && end;
        others += counts && !end;
    }
    return others + (ends > 0) > 1;
}

bool plan_wanted(const struct explorer *ex, uint32_t screen_number, const struct control *c)
{
    assert(screen_number < ex->screens.count);
    if (c->system || c->refused || c->claimed || c->attempts > MAX_ATTEMPTS ||
        ex->screens.at[screen_number].forgotten)
        return false;
    if (ex->options.depth && ex->screens.at[screen_number].depth >= ex->options.depth)
        return false;
    return c->tries == 0 || (control_differs(c) && c->tries < ex->options.tries);
}

/* Whether ending the call below by this control would show something new: where it then lands. */
static bool shows_return(const struct search *s, uint32_t stack, const struct control *c)
{
    uint32_t below = s->stacks.at[stack].below;
    if (below == NOWHERE || s->stacks.at[below].left_by.screen == NOWHERE)
        return false;
    struct call_site site = s->stacks.at[below].left_by;
    assert(explorer_has_call(s->ex, site));
    const struct explore_outcome *o =
        &s->ex->screens.at[site.screen].controls.at[site.control].outcomes.at[site.outcome];
    for (size_t i = 0; i < o->landings.count; i++)
        if (o->landings.at[i].by == c->key)
            return false;
    return o->attempts < 3 * (1 + o->landings.count);
}

/* The activity that a control goes up to although others lie between, or NOWHERE. */
static uint32_t clears_to(const struct explorer *ex, const struct control *c)
{
    for (size_t i = 0; i < c->outcomes.count; i++)
        if (c->outcomes.at[i].kind == RETURNED && c->outcomes.at[i].target != NOWHERE)
            return ex->screens.at[c->outcomes.at[i].target].activity;
    return NOWHERE;
}

static void follow_return(struct search *s, uint32_t from, uint32_t control_index,
                          const struct explore_outcome *o)
{
    const struct place p = s->places.at[from];
    uint32_t stack = s->stacks.at[p.stack].below;
    uint32_t up_to = clears_to(s->ex, &s->ex->screens.at[p.screen].controls.at[control_index]);
    if (up_to != NOWHERE)
        while (stack != NOWHERE && s->stacks.at[stack].activity != up_to)
            stack = s->stacks.at[stack].below;
    else
        for (uint32_t i = 1; i < o->pops && stack != NOWHERE; i++)
            stack = s->stacks.at[stack].below;
    if (stack == NOWHERE || s->stacks.at[stack].left_by.screen == NOWHERE)
        return;
    struct call_site site = s->stacks.at[stack].left_by;
    assert(explorer_has_call(s->ex, site));
    const struct explore_outcome *call =
        &s->ex->screens.at[site.screen].controls.at[site.control].outcomes.at[site.outcome];
    uint32_t below = s->stacks.at[stack].below;
    uint32_t cleared = push_frame(s, below, s->stacks.at[stack].activity);
    uint32_t key = s->ex->screens.at[p.screen].controls.at[control_index].key;
    bool seen = false; /* this call ended by this control: then it lands where it landed before */
    for (size_t i = 0; i < call->landings.count; i++)
        seen |= call->landings.at[i].by == key;
    for (size_t i = 0; i < call->landings.count; i++)
        if (!seen || call->landings.at[i].by == key)
            reach(s, call->landings.at[i].screen, cleared, from, control_index);
}

static void follow(struct search *s, uint32_t from, uint32_t control_index, uint32_t outcome_index)
{
    const struct place p = s->places.at[from];
    const struct explore_outcome *o =
        &s->ex->screens.at[p.screen].controls.at[control_index].outcomes.at[outcome_index];
    uint32_t stack = p.stack;
    const struct control *c = &s->ex->screens.at[p.screen].controls.at[control_index];
    if (s->here && c->system && c->refusals > MAX_REFUSALS)
        return; /* waited for in vain: a launch leads on */
    switch (o->kind) {
    case WENT:
        reach(s, o->target, stack, from, control_index);
        break;
    case CALLED:
        if (o->pops == 0)
            stack =
                leave_frame(s, stack, (struct call_site){p.screen, control_index, outcome_index});
        for (uint32_t i = 0; i < o->pops && stack != NOWHERE; i++)
            stack = s->stacks.at[stack].below;
        stack = push_frame(s, stack, s->ex->screens.at[o->target].activity);
        reach(s, o->target, stack, from, control_index);
        break;
    case RETURNED:
        follow_return(s, from, control_index, o);
        break;
    case AWAY:
        for (size_t i = 0; i < o->landings.count; i++)
            reach(s, o->landings.at[i].screen, stack, from, control_index);
        break;
    case LEFT:
    case CRASHED:
        break;
    }
}

static void start_here(struct search *s)
{
    struct explorer *ex = s->ex;
    uint32_t stack = NOWHERE;
    for (size_t i = 0; i < ex->frames.count; i++) {
        stack = push_frame(s, stack, ex->frames.at[i].activity);
        if (ex->frames.at[i].left_by.screen != NOWHERE)
            stack = leave_frame(s, stack, ex->frames.at[i].left_by);
    }
    if (stack != NOWHERE)
        reach(s, ex->at, stack, NOWHERE, NOWHERE);
}

static void start_from_launch(struct search *s)
{
    for (uint32_t i = 0; i < s->ex->screens.count; i++)
        if (s->ex->screens.at[i].launch)
            reach(s, i, push_frame(s, NOWHERE, s->ex->screens.at[i].activity), NOWHERE, NOWHERE);
}

static void write_plan(const struct search *s, uint32_t at, uint32_t control_index,
                       struct explore_plan *out)
{
    assert(at < s->places.count);
    out->controls.count = out->screens.count = 0;
    const struct control *c =
        &s->ex->screens.at[s->places.at[at].screen].controls.at[control_index];
    out->returning = (struct call_site){NOWHERE, NOWHERE, NOWHERE};
    if (!plan_wanted(s->ex, s->places.at[at].screen, c) &&
        shows_return(s, s->places.at[at].stack, c))
        out->returning = s->stacks.at[s->stacks.at[s->places.at[at].stack].below].left_by;
    tac_vec_push(&out->controls, control_index);
    tac_vec_push(&out->screens, s->places.at[at].screen);
    for (; s->places.at[at].parent != NOWHERE; at = s->places.at[at].parent) {
        tac_vec_push(&out->controls, s->places.at[at].control);
        tac_vec_push(&out->screens, s->places.at[s->places.at[at].parent].screen);
    }
    assert(out->controls.count == out->screens.count && out->controls.count > 0);
    for (size_t i = 0, j = out->controls.count; i + 1 < j; i++) {
        j--;
        uint32_t swapped = out->controls.at[i], n = out->screens.at[i];
        out->controls.at[i] = out->controls.at[j];
        out->controls.at[j] = swapped;
        out->screens.at[i] = out->screens.at[j];
        out->screens.at[j] = n;
    }
}

/* Every step performs a control that its screen has. */
static bool plan_is_within(const struct explorer *ex, const struct explore_plan *p)
{
    for (size_t i = 0; i < p->controls.count; i++)
        if (p->screens.at[i] >= ex->screens.count ||
            p->controls.at[i] >= ex->screens.at[p->screens.at[i]].controls.count)
            return false;
    return true;
}

/* Whether this control, from this place, is something that is still wanted. */
static bool is_goal(const struct search *s, const struct place *p, const struct control *c)
{
    if (plan_wanted(s->ex, p->screen, c))
        return true;
    for (size_t i = 0; i < c->outcomes.count && !c->system; i++)
        if (c->outcomes.at[i].kind == RETURNED && clears_to(s->ex, c) == NOWHERE &&
            shows_return(s, p->stack, c))
            return true;
    return false;
}

bool plan_find(struct explorer *ex, bool from_launch, struct explore_plan *out)
{
    struct search s = {.ex = ex, .here = !from_launch};
    bool found = false;
    if (from_launch)
        start_from_launch(&s);
    else
        start_here(&s);
    for (uint32_t at = 0; at < s.places.count && !found; at++) {
        const struct screen *here = &ex->screens.at[s.places.at[at].screen];
        for (uint32_t i = 0; i < here->controls.count && !found; i++)
            if (is_goal(&s, &s.places.at[at], &here->controls.at[i])) {
                write_plan(&s, at, i, out);
                found = true;
            }
        for (uint32_t i = 0; i < here->controls.count && !found; i++)
            for (uint32_t k = 0; k < here->controls.at[i].outcomes.count; k++)
                follow(&s, at, i, k);
    }
    assert(s.places.count <= MAX_PLACES);
    assert(!found || (from_launch ? ex->screens.at[out->screens.at[0]].launch
                                  : out->screens.at[0] == ex->at));
    assert_costly(!found || plan_is_within(ex, out));
    tac_vec_free(&s.stacks);
    tac_vec_free(&s.places);
    tac_u64map_free(&s.seen);
    return found;
}

/* How little a screen promises: where most of what was tried changed nothing, as in a long list of
 * dead links, the rest will hardly do something. Going back says nothing about
 * it. */
static uint32_t boredom(const struct explorer *ex, uint32_t screen_number)
{
    const struct screen *s = &ex->screens.at[screen_number];
    uint32_t tried = 0, moved = 0;
    for (size_t i = 0; i < s->controls.count; i++) {
        const struct control *c = &s->controls.at[i];
        bool counts = c->tries && !c->system && c->kind != TAC_ACTION_BACK;
        bool moves = false;
        for (size_t o = 0; o < c->outcomes.count; o++)
            moves |= c->outcomes.at[o].kind != WENT || c->outcomes.at[o].target != screen_number;
        tried += counts;
        moved += counts && moves;
    }
    double promise = (moved + 1.0) / (tried + 2.0);
    return promise >= 0.4 ? 0 : promise >= 0.25 ? 2 : promise >= 0.15 ? 4 : 6;
}

/* How little a control promises; 0 is the most. What leads out of the app shows nothing of it, and
 * what did nothing elsewhere will hardly do something here. */
static uint32_t dullness(const struct explorer *ex, uint32_t screen_number, const struct control *c,
                         uint32_t bored)
{
    const struct key_record none = {0};
    const struct key_record *r = c->key < ex->records.count ? &ex->records.at[c->key] : &none;
    bool link = c->leads && c->kind == TAC_ACTION_CLICK; /* says that it leads on */
    uint32_t least = (c->leaves ? 6 : 0) + !link;
    if (c->kind != TAC_ACTION_BACK && r->moves * 2 <= r->tries && !c->tries && !(link && !r->tries))
        least += bored; /* what moves elsewhere leads out of here too */
    if (!plan_wanted(ex, screen_number, c) || c->tries)
        return least + 12; /* seen already: where a call returns, what chance does */
    switch (c->kind) {
    case TAC_ACTION_CLICK:
    case TAC_ACTION_TEXT:
    case TAC_ACTION_DOUBLE_CLICK:
        break;
    case TAC_ACTION_BACK:
    case TAC_ACTION_HOME:
        least += 4;
        break;
    case TAC_ACTION_LONG_CLICK:
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_LAUNCH:
    case TAC_ACTION_KEY:
    case TAC_ACTION_WAIT:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        least += 2;
    }
    if (!r->tries)
        return least;
    if (r->finds * 2 > r->tries && !link) /* such as a toggle: something new almost every time */
        return least + (r->tries == 1) + (r->tries > 8 ? 2 : 0);
    return least + (r->moves ? 2 + 2 * (r->tries - r->moves > r->moves) : 8) +
           (r->tries > 8 ? 2 : 0);
}

bool plan_find_novel(struct explorer *ex, bool from_launch, struct explore_plan *out)
{
    struct search s = {.ex = ex, .here = !from_launch};
    TAC_VEC(uint32_t) far = {0}; /* events to each place */
    uint32_t best = UINT32_MAX;
    if (from_launch)
        start_from_launch(&s);
    else
        start_here(&s);
    for (uint32_t at = 0; at < s.places.count; at++) {
        const struct place p = s.places.at[at];
        const struct screen *here = &ex->screens.at[p.screen];
        uint32_t distance = p.parent == NOWHERE ? 0 : far.at[p.parent] + 1;
        uint32_t bored = boredom(ex, p.screen);
        tac_vec_push(&far, distance);
        if (distance >= best)
            break; /* places come in the order of their distance */
        for (uint32_t i = 0; i < here->controls.count; i++) {
            const struct control *c = &here->controls.at[i];
            if (!is_goal(&s, &p, c) || distance + dullness(ex, p.screen, c, bored) >= best)
                continue;
            best = distance + dullness(ex, p.screen, c, bored);
            write_plan(&s, at, i, out);
        }
        for (uint32_t i = 0; i < here->controls.count; i++)
            for (uint32_t k = 0; k < here->controls.at[i].outcomes.count; k++)
                follow(&s, at, i, k);
    }
    assert_costly(best == UINT32_MAX || plan_is_within(ex, out));
    tac_vec_free(&far);
    tac_vec_free(&s.stacks);
    tac_vec_free(&s.places);
    tac_u64map_free(&s.seen);
    return best != UINT32_MAX;
}

void plan_free(struct explore_plan *p)
{
    tac_vec_free(&p->controls);
    tac_vec_free(&p->screens);
}
