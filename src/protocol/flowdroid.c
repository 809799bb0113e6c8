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
#include "base/check.h"
#include "base/data/alloc.h"
#include "protocol/flowdroid_callbacks.h"
#include "protocol/system/problem.h"
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

#define MAX_STEPS 16

struct component {
    uint32_t object; /* identity */
    bool is_fragment;
    uint32_t host;              /* of a fragment: identity, or TAC_NONE */
    u32_vec letters[MAX_STEPS]; /* per step: the letters of its callback on this object */
};

struct object_link {
    uint32_t from, to;
};

struct flowdroid {
    const struct recording *recording;
    struct grounding *grounding;
    TAC_VEC(struct component) components;
    tac_u64map by_object; /* identity -> index in components, plus 1 */
    tac_names listed;     /* classes of callbacks */
    tac_u64map links;     /* pairs of identities: from << 32 | to */
    TAC_VEC(struct object_link) pairs;
    u32_vec letter_listener; /* listed callback letters */
};

static size_t step_count(bool is_fragment)
{
    return is_fragment ? sizeof fragment_steps / sizeof *fragment_steps
                       : sizeof activity_steps / sizeof *activity_steps;
}

static const struct cycle_step *steps_of(bool is_fragment)
{
    return is_fragment ? fragment_steps : activity_steps;
}

static int step_named(bool is_fragment, const char *name, size_t length)
{
    assert(step_count(is_fragment) <= MAX_STEPS);
    for (size_t i = 1; i < step_count(is_fragment); i++)
        if (strlen(steps_of(is_fragment)[i].name) == length &&
            !memcmp(steps_of(is_fragment)[i].name, name, length))
            return (int)i;
    return -1;
}

/* "ret pkg.Cls.name(...)" */
struct method_parts {
    const char *class, *name;
    size_t class_length, name_length;
};

static bool split(const char *signature, struct method_parts *out)
{
    const char *open = strchr(signature, '(');
    const char *space = open ? memchr(signature, ' ', (size_t)(open - signature)) : NULL;
    if (!open)
        return false;
    out->class = space ? space + 1 : signature;
    out->name = open;
    while (out->name > out->class && out->name[-1] != '.')
        out->name--;
    if (out->name == out->class)
        return false;
    out->class_length = (size_t)(out->name - out->class) - 1;
    out->name_length = (size_t)(open - out->name);
    return true;
}

static bool ends(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && !memcmp(text + length - n, end, n);
}

static bool named(const struct method_parts *m, const char *name)
{
    return m->name_length == strlen(name) && !memcmp(m->name, name, m->name_length);
}

static void read_list(struct flowdroid *f)
{
    const char *at = flowdroid_callbacks;
    while (*at) {
        size_t line = strcspn(at, "\n"), package = strcspn(at, " \n");
        for (size_t i = package; *at != '#' && i < line;) {
            size_t length = strcspn(at + i + 1, " \n");
            tac_str text = {0};
            tac_str_add_bytes(&text, at, package);
            tac_str_add_char(&text, '.');
            tac_str_add_bytes(&text, at + i + 1, length);
            tac_names_intern_bytes(&f->listed, tac_str_text(&text), text.length);
            tac_str_free(&text);
            i += length + 1;
        }
        at += line + (at[line] == '\n');
    }
    assert(f->listed.count > 300);
}

static struct component *component_of(struct flowdroid *f, uint32_t object, bool is_fragment)
{
    uint64_t *place = tac_u64map_at(&f->by_object, object, 0, NULL);
    if (!*place) {
        *place = f->components.count + 1;
        tac_vec_push(
            &f->components,
            (struct component){.object = object, .is_fragment = is_fragment, .host = TAC_NONE});
    }
    return &f->components.at[*place - 1];
}

static void link_objects(struct flowdroid *f, uint32_t from, uint32_t to)
{
    bool is_new;
    if (from == IDENTITY_NULL || to == IDENTITY_NULL || from == to)
        return;
    tac_u64map_at(&f->links, (uint64_t)from << 32 | to, 0, &is_new);
    if (is_new)
        tac_vec_push(&f->pairs, (struct object_link){from, to});
}

static uint32_t value_at(const struct recording *r, const struct call *call, uint32_t i)
{
    return i < call->value_count ? r->values.at[call->first_value + i].identity : IDENTITY_NULL;
}

/* Life cycle callbacks and listed callbacks among the letters. */
static void note_letter(struct flowdroid *f, uint32_t letter)
{
    const struct recording *r = f->recording;
    const struct call *call = &r->calls.at[r->letters.at[letter].call];
    uint32_t listed = 0;
    assert(letter < f->recording->letters.count);
    if (r->letters.at[letter].direction != CB_ENTRY)
        return;
    for (uint32_t i = 0; i < call->override_count; i++) {
        struct method_parts m;
        if (!split(r->names.text[r->overrides.at[call->first_override + i]], &m))
            continue;
        bool fragment = ends(m.class, m.class_length, "Fragment");
        int step = fragment || ends(m.class, m.class_length, "Activity")
                       ? step_named(fragment, m.name, m.name_length)
                       : -1;
        if (step > 0) {
            struct component *c = component_of(f, value_at(r, call, 0), fragment);
            tac_vec_push(&c->letters[step], letter);
            if (fragment && named(&m, "onAttach"))
                c->host = value_at(r, call, 1) == IDENTITY_NULL ? c->host : value_at(r, call, 1);
            return;
        }
        listed += tac_names_find_bytes(&f->listed, m.class, m.class_length) != TAC_NONE;
    }
    /* Interfaces that a class of the framework implements already do not count. */
    if (listed && listed == call->override_count)
        tac_vec_push(&f->letter_listener, letter);
}

/* Who reaches whom: views, fragments, and listeners passed while one is called back. */
static void note_call(struct flowdroid *f, const struct call *call, const tac_u64map *listeners)
{
    const struct recording *r = f->recording;
    struct method_parts m;
    if (!split(r->names.text[call->signature], &m))
        return;
    uint32_t receiver = value_at(r, call, 0);
    if ((named(&m, "findViewById") || named(&m, "onCreateView") || named(&m, "getView")) &&
        call->has_result)
        link_objects(f, receiver, call->result.identity);
    if (named(&m, "addView") || named(&m, "setContentView") || named(&m, "onAttachFragment"))
        link_objects(f, receiver, value_at(r, call, 1));
    if (named(&m, "onAttach"))
        link_objects(f, value_at(r, call, 1), receiver);
    for (uint32_t i = 1; i < call->value_count; i++) {
        uint32_t value = value_at(r, call, i);
        if (!tac_u64map_find(listeners, value))
            continue;
        for (uint32_t at = call->parent; at != TAC_NONE; at = r->calls.at[at].parent)
            if (r->calls.at[at].kind == CALLBACK)
                link_objects(f, value_at(r, &r->calls.at[at], 0), value);
    }
}

static void note_links(struct flowdroid *f)
{
    const struct recording *r = f->recording;
    tac_u64map listeners = {0};
    for (size_t i = 0; i < f->letter_listener.count; i++) {
        const struct call *call = &r->calls.at[r->letters.at[f->letter_listener.at[i]].call];
        tac_u64map_at(&listeners, value_at(r, call, 0), 1, NULL);
    }
    for (size_t i = 0; i < r->calls.count; i++)
        note_call(f, &r->calls.at[i], &listeners);
    tac_u64map_free(&listeners);
}

static void add_rule(struct flowdroid *f, const u32_vec *when, const u32_vec *targets, bool permits,
                     enum model_cause cause)
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

/* Can `to` follow `from`, with steps that were not recorded passed over? */
static bool follows(const struct component *c, size_t from, size_t to, unsigned depth)
{
    const struct cycle_step *steps = steps_of(c->is_fragment);
    const char *at = steps[from].next;
    while (*at && depth < MAX_STEPS) {
        size_t length = strcspn(at, " ");
        int next = step_named(c->is_fragment, at, length);
        assert(next > 0);
        if ((size_t)next == to ||
            (!c->letters[next].count && follows(c, (size_t)next, to, depth + 1)))
            return true;
        at += length + (at[length] == ' ');
    }
    return false;
}

static void add_cycle(struct flowdroid *f, const struct component *c)
{
    size_t count = step_count(c->is_fragment);
    for (size_t to = 1; to < count; to++) {
        u32_vec before = {0}, others = {0};
        if (!c->letters[to].count)
            continue;
        for (size_t from = 1; from < count; from++) {
            u32_vec *list = follows(c, from, to, 0) ? &before : &others;
            tac_vec_append(list, c->letters[from].at, c->letters[from].count);
        }
        bool first = follows(c, 0, to, 0);
        if (!first)
            add_rule(f, NULL, &c->letters[to], false, CAUSE_LIFECYCLE);
        add_rule(f, &before, &c->letters[to], true, CAUSE_LIFECYCLE);
        add_rule(f, &others, &c->letters[to], false, CAUSE_LIFECYCLE);
        tac_vec_free(&before);
        tac_vec_free(&others);
    }
}

/* The first and the last recorded step of a component. */
static const u32_vec *first_step(const struct component *c)
{
    for (size_t to = 1; to < step_count(c->is_fragment); to++)
        if (c->letters[to].count && follows(c, 0, to, 0))
            return &c->letters[to];
    return &c->letters[0];
}

static const u32_vec *last_step(const struct component *c)
{
    return &c->letters[step_count(c->is_fragment) - 1];
}

/* One activity at a time. */
static void add_activities(struct flowdroid *f)
{
    for (size_t a = 0; a < f->components.count; a++)
        for (size_t b = 0; b < f->components.count; b++) {
            const struct component *x = &f->components.at[a], *y = &f->components.at[b];
            if (a == b || x->is_fragment || y->is_fragment)
                continue;
            add_rule(f, first_step(x), first_step(y), false, CAUSE_INTERLEAVING);
            add_rule(f, last_step(x), first_step(y), true, CAUSE_INTERLEAVING);
        }
}

/* A fragment starts between its host's onCreate and what follows; meanwhile the host waits, and so
 * do the host's other fragments. */
static void add_fragment(struct flowdroid *f, const struct component *c)
{
    assert(c->is_fragment);
    const uint64_t *place = tac_u64map_find(&f->by_object, c->host);
    if (c->host == TAC_NONE || !place)
        return;
    const struct component *host = &f->components.at[*place - 1];
    u32_vec rest = {0}, waiting = {0};
    for (size_t i = 2; i < step_count(false); i++) {
        tac_vec_append(&rest, host->letters[i].at, host->letters[i].count);
        if (host->letters[i].count && follows(host, 1, i, 0))
            tac_vec_append(&waiting, host->letters[i].at, host->letters[i].count);
    }
    add_rule(f, NULL, first_step(c), false, CAUSE_FRAGMENT_START);
    add_rule(f, &host->letters[1], first_step(c), true, CAUSE_FRAGMENT_START);
    add_rule(f, &rest, first_step(c), false, CAUSE_FRAGMENT_START);
    add_rule(f, first_step(c), &waiting, false, CAUSE_INTERLEAVING);
    add_rule(f, last_step(c), &waiting, true, CAUSE_INTERLEAVING);
    for (size_t i = 0; i < f->components.count; i++) {
        const struct component *other = &f->components.at[i];
        if (other == c || !other->is_fragment || other->host != c->host)
            continue;
        add_rule(f, first_step(c), first_step(other), false, CAUSE_INTERLEAVING);
        add_rule(f, last_step(c), first_step(other), true, CAUSE_INTERLEAVING);
    }
    tac_vec_free(&rest);
    tac_vec_free(&waiting);
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
static const u32_vec *nearest_step(const struct component *c, const char *const *names,
                                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int step = step_named(false, names[i], strlen(names[i]));
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
static void add_listeners(struct flowdroid *f)
{
    const struct recording *r = f->recording;
    size_t count = f->letter_listener.count;
    u32_vec *on = tac_calloc(count + 1, sizeof *on), *off = tac_calloc(count + 1, sizeof *off);
    for (size_t a = 0; a < f->components.count; a++) {
        const struct component *c = &f->components.at[a];
        tac_u64map reached = {0};
        if (c->is_fragment)
            continue;
        reach(f, c->object, &reached);
        const u32_vec *start = nearest_step(c, into_active, 5);
        const u32_vec *stop = nearest_step(c, out_of_active, 3);
        for (size_t i = 0; i < count; i++) {
            const struct call *call = &r->calls.at[r->letters.at[f->letter_listener.at[i]].call];
            if (!tac_u64map_find(&reached, value_at(r, call, 0)))
                continue;
            tac_vec_append(&on[i], start->at, start->count);
            tac_vec_append(&off[i], stop->at, stop->count);
        }
        tac_u64map_free(&reached);
    }
    for (size_t i = 0; i < count; i++) {
        u32_vec target = {.at = &f->letter_listener.at[i], .count = 1};
        if (on[i].count) {
            add_rule(f, NULL, &target, false, CAUSE_OUTSIDE_ACTIVE);
            add_rule(f, &on[i], &target, true, CAUSE_OUTSIDE_ACTIVE);
            add_rule(f, &off[i], &target, false, CAUSE_OUTSIDE_ACTIVE);
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
        tac_u64map_find(&f->by_object, value_at(r, call, 0)))
        return false;
    for (uint32_t i = 0; i < call->override_count; i++) {
        struct method_parts m;
        if (!split(r->names.text[r->overrides.at[call->first_override + i]], &m) ||
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
            add_rule(f, NULL, &target, false, CAUSE_NOT_CALLED);
        seen[letter] = 1;
    }
    free(seen);
}

const char *model_cause_name(enum model_cause cause)
{
    static const char *const names[] = {"",
                                        "outside the active lifecycle",
                                        "wrong lifecycle automata",
                                        "wrong start of the fragment lifecycle",
                                        "no components interleaving",
                                        "not called by the model"};
    assert(cause < sizeof names / sizeof *names);
    return names[cause];
}

void flowdroid_rules(const struct recording *recording, struct grounding *grounding, bool search)
{
    struct flowdroid f = {.recording = recording, .grounding = grounding};
    read_list(&f);
    for (uint32_t l = 0; l < recording->letters.count; l++)
        note_letter(&f, l);
    note_links(&f);
    for (size_t i = 0; i < f.components.count; i++) {
        const struct component *c = &f.components.at[i];
        if (c->is_fragment && (c->host == TAC_NONE || !tac_u64map_find(&f.by_object, c->host)))
            continue; /* of no known activity: free */
        add_cycle(&f, c);
        if (c->is_fragment)
            add_fragment(&f, c);
    }
    add_activities(&f);
    add_listeners(&f);
    if (search)
        drop_uncalled(&f);
    for (size_t i = 0; i < f.components.count; i++)
        for (size_t k = 0; k < MAX_STEPS; k++)
            tac_vec_free(&f.components.at[i].letters[k]);
    tac_vec_free(&f.components);
    tac_vec_free(&f.pairs);
    tac_vec_free(&f.letter_listener);
    tac_u64map_free(&f.by_object);
    tac_u64map_free(&f.links);
    tac_names_free(&f.listed);
}
