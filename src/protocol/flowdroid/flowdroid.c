/* lifecycle++: the callback control flow of FlowDroid (Arzt et al., PLDI 2014, section 3; its
 * generated main methods), as the lifestate paper compares with it. Ground rules of its own replace
 * those about callbacks:
 *
 *   - each activity and each fragment goes through its life cycle in FlowDroid's order;
 *   - one activity at a time: another is created only when the one before is destroyed;
 *   - a fragment lives inside its host, between the host's onCreate and onStart, one at a time, and
 * the host goes on when it is detached;
 *   - callbacks of the listed interfaces, on listeners that an activity reaches (views found or
 * added, fragments attached, listeners passed in its callbacks), happen in its active state, from
 * onResume to onPause.
 *
 * Callbacks that are not listed, or not reached, are free when a recording is validated, as the
 * paper has it. When a recording is searched they are not: FlowDroid's main methods never call a
 * callback that they do not know (other than through the call that runs it: tasks, runnables,
 * threads), so it is no event there; that is how defects are missed. Each rule remembers which of
 * the paper's four causes of unsoundness, or this fifth, it stands for. O(calls + rules). */
#include "protocol/flowdroid/flowdroid.h"
#include "base/check.h"
#include <string.h>

void flowdroid_add_rule(struct flowdroid *f, const u32_vec *when, const u32_vec *targets,
                        bool permits, enum model_cause cause)
{
    assert(targets && cause != CAUSE_NONE);
    struct regex_store *x = &f->grounding->regex;
    u32_vec letters = {0};
    if (when && !when->count)
        return;
    if (when)
        tac_vec_append(&letters, when->at, when->count);
    uint32_t term =
        when ? regex_seq(x, TERM_ALL, regex_set(x, letters.at, letters.count)) : TERM_EPSILON;
    for (size_t i = 0; i < targets->count; i++)
        tac_vec_push(&f->grounding->rules, (struct ground_rule){.target = targets->at[i],
                                                                .term = term,
                                                                .permits = permits,
                                                                .source = TAC_NONE,
                                                                .cause = cause});
    tac_vec_free(&letters);
}

/* Everything that an activity reaches, itself included. */
static void reach(const struct flowdroid *f, uint32_t from, tac_u64map *out)
{
    bool more = true;
    tac_u64map_at(out, from, 1, NULL);
    while (more) {
        more = false;
        for (size_t i = 0; i < f->pairs.count; i++)
            if (tac_u64map_find(out, f->pairs.at[i].from)) {
                bool is_new;
                tac_u64map_at(out, f->pairs.at[i].to, 1, &is_new);
                more = more || is_new;
            }
    }
}

/* The first of these steps that was recorded. */
static const u32_vec *nearest_step(const struct flowdroid_component *c, const char *const *names,
                                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int step = flowdroid_step_named(false, names[i], strlen(names[i]));
        assert(step > 0);
        if (c->letters[step].count)
            return &c->letters[step];
    }
    return &c->letters[0];
}

static const char *const into_active[] = {"onPostResume", "onResume", "onPostCreate", "onStart",
                                          "onCreate"};
static const char *const out_of_active[] = {"onPause", "onStop", "onDestroy"};

/* Listed callbacks belong to the active state of the activities that reach their receiver. */
static void flowdroid_add_listeners(struct flowdroid *f)
{
    const struct recording *r = f->recording;
    size_t count = f->letter_listener.count;
    u32_vec *on = tac_calloc(count + 1, sizeof *on), *off = tac_calloc(count + 1, sizeof *off);
    for (size_t a = 0; a < f->components.count; a++) {
        const struct flowdroid_component *c = &f->components.at[a];
        tac_u64map reached = {0};
        if (c->is_fragment)
            continue;
        reach(f, c->object, &reached);
        const u32_vec *start = nearest_step(c, into_active, 5);
        const u32_vec *stop = nearest_step(c, out_of_active, 3);
        for (size_t i = 0; i < count; i++) {
            const struct call *call = &r->calls.at[r->letters.at[f->letter_listener.at[i]].call];
            if (!tac_u64map_find(&reached, flowdroid_value(r, call, 0)))
                continue;
            tac_vec_append(&on[i], start->at, start->count);
            tac_vec_append(&off[i], stop->at, stop->count);
        }
        tac_u64map_free(&reached);
    }
    for (size_t i = 0; i < count; i++) {
        u32_vec target = {.at = &f->letter_listener.at[i], .count = 1};
        if (on[i].count) {
            flowdroid_add_rule(f, NULL, &target, false, CAUSE_OUTSIDE_ACTIVE);
            flowdroid_add_rule(f, &on[i], &target, true, CAUSE_OUTSIDE_ACTIVE);
            flowdroid_add_rule(f, &off[i], &target, false, CAUSE_OUTSIDE_ACTIVE);
        }
        tac_vec_free(&on[i]);
        tac_vec_free(&off[i]);
    }
    free(on);
    free(off);
}

/* Classes whose callbacks FlowDroid reaches: other components, and what runs by a call. */
static bool called_otherwise(const struct method_parts *m)
{
    static const char *const classes[] = {"android.app.Application",
                                          "android.app.Service",
                                          "android.app.IntentService",
                                          "android.content.BroadcastReceiver",
                                          "android.content.ContentProvider",
                                          "android.content.Context",
                                          "android.content.ContextWrapper",
                                          "android.os.AsyncTask",
                                          "java.lang.Runnable",
                                          "java.lang.Thread",
                                          "android.os.Handler",
                                          "java.util.TimerTask",
                                          "java.util.concurrent.Callable"};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (m->class_length == strlen(classes[i]) && !memcmp(m->class, classes[i], m->class_length))
            return true;
    return false;
}

static bool never_called(const struct flowdroid *f, uint32_t letter)
{
    const struct recording *r = f->recording;
    const struct call *call = &r->calls.at[r->letters.at[letter].call];
    assert(letter < f->recording->letters.count);
    if (call->kind != CALLBACK || !call->override_count ||
        tac_u64map_find(&f->by_object, flowdroid_value(r, call, 0)))
        return false;
    for (uint32_t i = 0; i < call->override_count; i++) {
        struct method_parts m;
        if (!recording_split(r->names.text[r->overrides.at[call->first_override + i]], &m) ||
            called_otherwise(&m) ||
            tac_names_find_bytes(&f->listed, m.class, m.class_length) != TAC_NONE)
            return false;
    }
    return true;
}

/* Events that FlowDroid's main methods do not have. */
static void drop_uncalled(struct flowdroid *f)
{
    const struct recording *r = f->recording;
    uint8_t *seen = tac_calloc(r->letters.count + 1, 1);
    for (size_t e = 0; e < r->events.count; e++) {
        uint32_t letter = r->messages.at[r->events.at[e].first].letter;
        u32_vec target = {.at = &letter, .count = 1};
        if (!seen[letter] && never_called(f, letter))
            flowdroid_add_rule(f, NULL, &target, false, CAUSE_NOT_CALLED);
        seen[letter] = 1;
    }
    free(seen);
}

const char *model_cause_name(enum model_cause cause)
{
    static const char *const names[] = {[CAUSE_NONE] = "",
                                        [CAUSE_OUTSIDE_ACTIVE] = "outside the active lifecycle",
                                        [CAUSE_LIFECYCLE] = "wrong lifecycle automata",
                                        [CAUSE_FRAGMENT_START] =
                                            "wrong start of the fragment lifecycle",
                                        [CAUSE_INTERLEAVING] = "no components interleaving",
                                        [CAUSE_NOT_CALLED] = "not called by the model"};
    TABLE_COVERS(names, CAUSE_NOT_CALLED);
    assert(cause < sizeof names / sizeof *names);
    return names[cause];
}

void flowdroid_rules(const struct recording *recording, struct grounding *grounding, bool search)
{
    struct flowdroid f = {.recording = recording, .grounding = grounding};
    flowdroid_read_list(&f);
    for (uint32_t l = 0; l < recording->letters.count; l++)
        flowdroid_note_letter(&f, l);
    flowdroid_note_links(&f);
    for (size_t i = 0; i < f.components.count; i++) {
        const struct flowdroid_component *c = &f.components.at[i];
        if (c->is_fragment && (c->host == TAC_NONE || !tac_u64map_find(&f.by_object, c->host)))
            continue; /* of no known activity: free */
        flowdroid_add_cycle(&f, c);
        if (c->is_fragment)
            flowdroid_add_fragment(&f, c);
    }
    flowdroid_add_activities(&f);
    flowdroid_add_listeners(&f);
    if (search)
        drop_uncalled(&f);
    for (size_t i = 0; i < f.components.count; i++)
        for (size_t k = 0; k < FLOWDROID_STEPS; k++)
            tac_vec_free(&f.components.at[i].letters[k]);
    tac_vec_free(&f.components);
    tac_vec_free(&f.pairs);
    tac_vec_free(&f.letter_listener);
    tac_u64map_free(&f.by_object);
    tac_u64map_free(&f.links);
    tac_names_free(&f.listed);
}
