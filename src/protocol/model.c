/* The paper's four models of callback control flow (section 6, RQ1), cut out of one rule set.
 *
 * top: rules on in-messages only; any callback can happen at any time.
 * lifecycle: in addition the rules on callbacks whose left-hand sides speak of back-messages only.
 * A callback that loses an enabling rule this way is left unconstrained: a model that disables
 * without being able to enable would be unsound, not less precise.
 * lifecycle++: the lifecycle rules for components (activities and fragments); every other callback
 * that events start with is confined to the active state of some component: between onResume and
 * onPause, or from onCreate to onDestroy where the recording has no onResume of that object. */
#include "base/data/alloc.h"
#include "protocol/system/problem.h"
#include <string.h>

static bool back_messages_only(const struct recording *r, const struct grounding *g, uint32_t term)
{
    u32_vec letters = {0};
    bool only = true;
    regex_letters(&g->regex, term, &letters);
    for (size_t i = 0; i < letters.count; i++)
        only = only && is_back(r->letters.at[letters.at[i]].direction);
    tac_vec_free(&letters);
    return only;
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && !memcmp(text + length - n, end, n);
}

/* "ret pkg.Cls.name(...)": does Cls end in Activity or Fragment? *name gets the method's name. */
static bool component_signature(const char *signature, const char **name, size_t *name_length)
{
    const char *open = strchr(signature, '(');
    if (!open)
        return false;
    const char *dot = open;
    while (dot > signature && *dot != '.')
        dot--;
    *name = dot + 1;
    *name_length = (size_t)(open - dot) - 1;
    size_t length = (size_t)(dot - signature);
    return ends_with(signature, length, "Activity") || ends_with(signature, length, "Fragment");
}

static bool is_component_call(const struct recording *r, const struct call *c, const char **name,
                              size_t *length)
{
    if (c->kind != CALLBACK)
        return false;
    for (uint32_t i = 0; i < c->override_count; i++)
        if (component_signature(r->names.text[r->overrides.at[c->first_override + i]], name,
                                length))
            return true;
    return false;
}

static bool is_component_letter(const struct recording *r, uint32_t letter)
{
    const char *name;
    size_t length;
    return is_component_call(r, &r->calls.at[r->letters.at[letter].call], &name, &length);
}

/* Callback rules that the model keeps; `freed` marks letters that lost an enabling rule. */
static void keep_lifecycle(const struct recording *r, struct grounding *g, bool components_only)
{
    uint8_t *freed = tac_calloc(r->letters.count + 1, 1);
    uint8_t *fits = tac_calloc(g->rules.count + 1, 1);
    for (size_t i = 0; i < g->rules.count; i++) {
        const struct ground_rule *rule = &g->rules.at[i];
        fits[i] = back_messages_only(r, g, rule->term) &&
                  (!components_only || is_component_letter(r, rule->target));
        if (!fits[i] && rule->permits)
            freed[rule->target] = 1;
    }
    size_t kept = 0;
    for (size_t i = 0; i < g->rules.count; i++) {
        const struct ground_rule *rule = &g->rules.at[i];
        bool back = is_back(r->letters.at[rule->target].direction);
        if (!back || (fits[i] && !freed[rule->target]))
            g->rules.at[kept++] = *rule;
    }
    g->rules.count = kept;
    free(freed);
    free(fits);
}

static void keep_top(const struct recording *r, struct grounding *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->rules.count; i++)
        if (!is_back(r->letters.at[g->rules.at[i].target].direction))
            g->rules.at[kept++] = g->rules.at[i];
    g->rules.count = kept;
}

struct activity_letters {
    u32_vec start, stop; /* letters that begin and end the active state of a component */
};

static bool name_is(const char *name, size_t length, const char *wanted)
{
    return length == strlen(wanted) && !memcmp(name, wanted, length);
}

/* The letters onResume/onPause of each component, or onCreate/onDestroy where it never resumes. */
static void find_activity(const struct recording *r, struct activity_letters *out)
{
    tac_u64map resumes = {0};
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t l = 0; l < r->letters.count; l++) {
            const char *name;
            size_t length;
            const struct call *c = &r->calls.at[r->letters.at[l].call];
            if (r->letters.at[l].direction != CB_ENTRY || !c->value_count ||
                !is_component_call(r, c, &name, &length))
                continue;
            uint64_t object = r->values.at[c->first_value].identity;
            if (pass == 0) {
                if (name_is(name, length, "onResume"))
                    tac_u64map_at(&resumes, object, 1, NULL);
                continue;
            }
            bool fine = tac_u64map_find(&resumes, object) != NULL;
            if (name_is(name, length, fine ? "onResume" : "onCreate"))
                tac_vec_push(&out->start, l);
            if (name_is(name, length, fine ? "onPause" : "onDestroy"))
                tac_vec_push(&out->stop, l);
        }
    tac_u64map_free(&resumes);
}

static void confine(const struct recording *r, struct grounding *g)
{
    struct activity_letters active = {0};
    find_activity(r, &active);
    struct regex_store *x = &g->regex;
    uint32_t start = regex_seq(x, TERM_ALL, regex_set(x, active.start.at, active.start.count));
    uint32_t stop = regex_seq(x, TERM_ALL, regex_set(x, active.stop.at, active.stop.count));
    uint8_t *done = tac_calloc(r->letters.count + 1, 1);
    for (size_t e = 0; e < r->events.count; e++) {
        uint32_t letter = r->messages.at[r->events.at[e].first].letter;
        if (done[letter] || is_component_letter(r, letter))
            continue;
        done[letter] = 1;
        struct ground_rule rule = {.target = letter, .source = TAC_NONE, .term = TERM_EPSILON};
        tac_vec_push(&g->rules, rule);
        rule.term = start;
        rule.permits = true;
        if (start != TERM_EMPTY)
            tac_vec_push(&g->rules, rule);
        rule.term = stop;
        rule.permits = false;
        if (stop != TERM_EMPTY)
            tac_vec_push(&g->rules, rule);
    }
    free(done);
    tac_vec_free(&active.start);
    tac_vec_free(&active.stop);
}

void model_apply(const struct spec_set *specs, const struct recording *recording,
                 struct grounding *grounding, tac_protocol_model model)
{
    (void)specs;
    if (model == TAC_MODEL_TOP)
        keep_top(recording, grounding);
    else if (model == TAC_MODEL_LIFECYCLE)
        keep_lifecycle(recording, grounding, false);
    else if (model == TAC_MODEL_LIFECYCLE_PLUS) {
        keep_lifecycle(recording, grounding, true);
        confine(recording, grounding);
    }
}
