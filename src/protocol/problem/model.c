/* The paper's four models of callback control flow (section 6, RQ1), cut out of one rule set.
 *
 * top: rules on in-messages only; any callback can happen at any time.
 * lifecycle: in addition the rules on callbacks whose left-hand sides speak of back-messages only.
 * A callback that loses an enabling rule this way is left unconstrained: a model that disables
 * without being able to enable would be unsound, not less precise.
 * lifecycle++: the callback control flow of FlowDroid in their place (flowdroid.c). */
#include "base/check.h"
#include "protocol/flowdroid/flowdroid.h"
#include "protocol/problem/problem.h"

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

/* Callback rules that the model keeps; `freed` marks letters that lost an enabling rule. */
static void keep_lifecycle(const struct recording *r, struct grounding *g)
{
    uint8_t *freed = tac_calloc(r->letters.count + 1, 1);
    uint8_t *fits = tac_calloc(g->rules.count + 1, 1);
    assert(r->letters.count);
    for (size_t i = 0; i < g->rules.count; i++) {
        const struct ground_rule *rule = &g->rules.at[i];
        fits[i] = back_messages_only(r, g, rule->term);
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

void model_apply(const struct recording *recording, struct grounding *grounding,
                 tac_protocol_model model, bool search)
{
    if (model == TAC_MODEL_TOP)
        keep_top(recording, grounding);
    else if (model == TAC_MODEL_LIFECYCLE)
        keep_lifecycle(recording, grounding);
    else if (model == TAC_MODEL_LIFECYCLE_PLUS) {
        keep_top(recording, grounding);
        flowdroid_rules(recording, grounding, search);
    }
}
