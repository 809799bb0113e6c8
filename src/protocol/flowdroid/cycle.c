/* The life cycles of activities and fragments, in FlowDroid's order, as rules. */
#include "base/check.h"
#include "protocol/flowdroid/flowdroid.h"
#include <string.h>

/* Steps of a life cycle and where each leads; a step that was not recorded is passed over. */
struct cycle_step {
    const char *name;
    const char *next; /* names, separated by blanks */
};

static const struct cycle_step activity_steps[] = {
    {"", "onCreate"},
    {"onCreate", "onStart"},
    {"onStart", "onRestoreInstanceState onPostCreate onResume"},
    {"onRestoreInstanceState", "onPostCreate onResume"},
    {"onPostCreate", "onResume"},
    {"onResume", "onPostResume"},
    {"onPostResume", "onPause"},
    {"onPause", "onCreateDescription"},
    {"onCreateDescription", "onSaveInstanceState onResume"},
    {"onSaveInstanceState", "onStop onResume"},
    {"onStop", "onRestart onDestroy"},
    {"onRestart", "onStart"},
    {"onDestroy", "onCreate"},
};

static const struct cycle_step fragment_steps[] = {
    {"", "onAttach"},
    {"onAttach", "onCreate"},
    {"onCreate", "onCreateView"},
    {"onCreateView", "onViewCreated"},
    {"onViewCreated", "onActivityCreated"},
    {"onActivityCreated", "onStart"},
    {"onStart", "onResume"},
    {"onResume", "onPause"},
    {"onPause", "onResume onSaveInstanceState"},
    {"onSaveInstanceState", "onStop"},
    {"onStop", "onDestroyView onCreateView onStart"},
    {"onDestroyView", "onDestroy onCreateView"},
    {"onDestroy", "onDetach"},
    {"onDetach", "onAttach"},
};

static size_t flowdroid_step_count(bool is_fragment)
{
    return is_fragment ? sizeof fragment_steps / sizeof *fragment_steps
                       : sizeof activity_steps / sizeof *activity_steps;
}

static const struct cycle_step *steps_of(bool is_fragment)
{
    return is_fragment ? fragment_steps : activity_steps;
}

int flowdroid_step_named(bool is_fragment, const char *name, size_t length)
{
    assert(flowdroid_step_count(is_fragment) <= FLOWDROID_STEPS);
    for (size_t i = 1; i < flowdroid_step_count(is_fragment); i++)
        if (strlen(steps_of(is_fragment)[i].name) == length &&
            !memcmp(steps_of(is_fragment)[i].name, name, length))
            return (int)i;
    return -1;
}

/* Can `to` follow `from`, with steps that were not recorded passed over? */
static bool flowdroid_follows(const struct flowdroid_component *c, size_t from, size_t to,
                              unsigned depth)
{
    const struct cycle_step *steps = steps_of(c->is_fragment);
    const char *at = steps[from].next;
    while (*at && depth < FLOWDROID_STEPS) {
        size_t length = strcspn(at, " ");
        int next = flowdroid_step_named(c->is_fragment, at, length);
        assert(next > 0);
        if ((size_t)next == to ||
            (!c->letters[next].count && flowdroid_follows(c, (size_t)next, to, depth + 1)))
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

void flowdroid_add_cycle(struct flowdroid *f, const struct flowdroid_component *c)
{
    size_t count = flowdroid_step_count(c->is_fragment);
    for (size_t to = 1; to < count; to++) {
        u32_vec before = {0}, others = {0};
        if (!c->letters[to].count)
            continue;
        for (size_t from = 1; from < count; from++) {
            u32_vec *list = flowdroid_follows(c, from, to, 0) ? &before : &others;
            tac_vec_append(list, c->letters[from].at, c->letters[from].count);
        }
        bool first = flowdroid_follows(c, 0, to, 0);
        if (!first)
            flowdroid_add_rule(f, NULL, &c->letters[to], false, CAUSE_LIFECYCLE);
        flowdroid_add_rule(f, &before, &c->letters[to], true, CAUSE_LIFECYCLE);
        flowdroid_add_rule(f, &others, &c->letters[to], false, CAUSE_LIFECYCLE);
        tac_vec_free(&before);
        tac_vec_free(&others);
    }
}

/* The first and the last recorded step of a flowdroid_component. */
static const u32_vec *first_step(const struct flowdroid_component *c)
{
    for (size_t to = 1; to < flowdroid_step_count(c->is_fragment); to++)
        if (c->letters[to].count && flowdroid_follows(c, 0, to, 0))
            return &c->letters[to];
    return &c->letters[0];
}

static const u32_vec *last_step(const struct flowdroid_component *c)
{
    return &c->letters[flowdroid_step_count(c->is_fragment) - 1];
}

/* One activity at a time. */
void flowdroid_add_activities(struct flowdroid *f)
{
    for (size_t a = 0; a < f->components.count; a++)
        for (size_t b = 0; b < f->components.count; b++) {
            const struct flowdroid_component *x = &f->components.at[a], *y = &f->components.at[b];
            if (a == b || x->is_fragment || y->is_fragment)
                continue;
            flowdroid_add_rule(f, first_step(x), first_step(y), false, CAUSE_INTERLEAVING);
            flowdroid_add_rule(f, last_step(x), first_step(y), true, CAUSE_INTERLEAVING);
        }
}

/* A fragment starts between its host's onCreate and what flowdroid_follows; meanwhile the host
 * waits, and so do the host's other fragments. */
void flowdroid_add_fragment(struct flowdroid *f, const struct flowdroid_component *c)
{
    assert(c->is_fragment);
    const uint64_t *place = tac_u64map_find(&f->by_object, c->host);
    if (c->host == TAC_NONE || !place)
        return;
    const struct flowdroid_component *host = &f->components.at[*place - 1];
    u32_vec rest = {0}, waiting = {0};
    for (size_t i = 2; i < flowdroid_step_count(false); i++) {
        tac_vec_append(&rest, host->letters[i].at, host->letters[i].count);
        if (host->letters[i].count && flowdroid_follows(host, 1, i, 0))
            tac_vec_append(&waiting, host->letters[i].at, host->letters[i].count);
    }
    flowdroid_add_rule(f, NULL, first_step(c), false, CAUSE_FRAGMENT_START);
    flowdroid_add_rule(f, &host->letters[1], first_step(c), true, CAUSE_FRAGMENT_START);
    flowdroid_add_rule(f, &rest, first_step(c), false, CAUSE_FRAGMENT_START);
    flowdroid_add_rule(f, first_step(c), &waiting, false, CAUSE_INTERLEAVING);
    flowdroid_add_rule(f, last_step(c), &waiting, true, CAUSE_INTERLEAVING);
    for (size_t i = 0; i < f->components.count; i++) {
        const struct flowdroid_component *other = &f->components.at[i];
        if (other == c || !other->is_fragment || other->host != c->host)
            continue;
        flowdroid_add_rule(f, first_step(c), first_step(other), false, CAUSE_INTERLEAVING);
        flowdroid_add_rule(f, last_step(c), first_step(other), true, CAUSE_INTERLEAVING);
    }
    tac_vec_free(&rest);
    tac_vec_free(&waiting);
}
