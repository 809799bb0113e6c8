/* One case per clash, dead rule, dead or unreachable state, cycle and race of a state, broken
 * constraint and unmet expectation; one that passes when there are none. */
#include "cli/rules_cases.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "rules/rules.h"

struct rules_cases {
    struct pipeline *to;
    const tac_rules *rules;
    const tac_rules_findings *findings;
    size_t added;
};

static const char *state_name(const struct rules_cases *c, uint32_t state)
{
    return c->rules->states[state].name;
}

static const char *rule_name(const struct rules_cases *c, uint32_t rule)
{
    return c->rules->rules[rule].name;
}

/* "a, b and not c": what the input must have; the rest is free. */
static char *input_text(const struct rules_cases *c, const char *input)
{
    tac_str text = {0};
    size_t said = 0;
    for (uint32_t v = 0; input && v < c->rules->variable_count; v++)
        if (input[v] == '0' || input[v] == '1')
            tac_str_addf(&text, "%s%s%s", said++ ? ", " : "when ", input[v] == '1' ? "" : "not ",
                         *c->rules->variables[v].label ? c->rules->variables[v].label
                                                       : c->rules->variables[v].name);
    return tac_str_take(&text);
}

/* The fingerprint has names only: counts change with every edit. */
static void add(struct rules_cases *c, enum finding_level level, const char *kind, const char *text,
                const char *input, const char *fingerprint)
{
    char *when = input_text(c, input);
    pipeline_add(c->to, level, kind, text, text,
                 pipeline_text(c->to, "%s%stactus rules check %s --verbose", when,
                               *when ? "\n" : "", c->rules->file),
                 fingerprint);
    c->added++;
    free(when);
}

static void at_rule(struct rules_cases *c, uint32_t rule)
{
    pipeline_place(c->to, c->rules->file, c->rules->rules[rule].line);
}

static void add_clashes(struct rules_cases *c)
{
    for (size_t i = 0; i < c->findings->pair_count; i++) {
        const tac_rules_clash *clash = &c->findings->pairs[i];
        const char *a = rule_name(c, clash->rules[0]), *b = rule_name(c, clash->rules[1]),
                   *in = state_name(c, clash->state);
        const char *same = pipeline_text(c->to, "nondeterminism %s %s %s", in, a, b);
        add(c, FINDING_ERROR, "nondeterminism",
            pipeline_text(c->to, "in %s, %s and %s fire together: chance decides", in, a, b),
            clash->inputs.cube, same);
        at_rule(c, clash->rules[0]);
        at_rule(c, clash->rules[1]);
    }
}

static void add_dead(struct rules_cases *c)
{
    for (size_t i = 0; i < c->findings->dead_rule_count; i++) {
        const tac_rules_dead_rule *dead = &c->findings->dead_rules[i];
        const char *same = pipeline_text(c->to, "dead-rule %s %s", state_name(c, dead->state),
                                         rule_name(c, dead->rule));
        add(c, FINDING_ERROR, "dead-rule",
            pipeline_text(c->to, "%s never fires in %s: %s", rule_name(c, dead->rule),
                          state_name(c, dead->state),
                          dead->unsatisfiable ? "its condition can never hold"
                                              : "another rule always comes first"),
            NULL, same);
        at_rule(c, dead->rule);
        for (size_t k = 0; k < dead->by_count; k++)
            at_rule(c, dead->by[k]);
    }
}

static void add_state(struct rules_cases *c, enum finding_level level, const char *kind,
                      uint32_t state, const char *text, const char *input)
{
    const char *same = pipeline_text(c->to, "%s %s", kind, state_name(c, state));
    add(c, level, kind, pipeline_text(c->to, "%s %s", state_name(c, state), text), input, same);
    pipeline_place(c->to, c->rules->file, c->rules->states[state].line);
}

static char *way(const struct rules_cases *c, const tac_rules_witness *witness, const char *word)
{
    tac_str text = {0};
    tac_str_addf(&text, "%s: ", word);
    for (size_t i = 0; i <= witness->length; i++)
        tac_str_addf(&text, "%s%s", i ? " -> " : "", state_name(c, witness->states[i]));
    return tac_str_take(&text);
}

static void add_unrest(struct rules_cases *c, uint32_t state, const tac_rules_witness *witness,
                       enum finding_level level, const char *kind, const char *word)
{
    if (witness->exists != TAC_RULES_YES)
        return;
    char *text = way(c, witness, word);
    char *input = tac_rules_witness_input(c->rules, c->findings, witness);
    add_state(c, level, kind, state, text, input);
    free(text);
    free(input);
}

static void add_states(struct rules_cases *c)
{
    for (uint32_t s = 0; s < c->findings->state_count; s++) {
        const tac_rules_state_findings *f = &c->findings->states[s];
        if (f->unreachable)
            add_state(c, FINDING_ERROR, "unreachable-state", s, "cannot be reached", NULL);
        if (f->dead)
            add_state(c, FINDING_ERROR, "dead-state", s, "cannot be left: all its rules are dead",
                      NULL);
        if (!c->findings->witnesses)
            continue;
        if (!c->findings->cycles_known)
            add_unrest(c, s, &f->cycle_witness, FINDING_ERROR, "cycle", "never comes to rest");
        add_unrest(c, s, &f->race_witness, FINDING_MILD, "race",
                   "adapts several times before it rests");
    }
}

/* All cycles where they are known; else the one that each state was shown to reach. */
static void add_cycles(struct rules_cases *c)
{
    for (size_t i = 0; c->findings->cycles_known && i < c->findings->cycle_count; i++) {
        const tac_rules_cycle *cycle = &c->findings->cycles[i];
        tac_str names = {0};
        for (size_t k = 0; k < cycle->length; k++)
            tac_str_addf(&names, "%s -> ", state_name(c, cycle->states[k]));
        tac_str_addf(&names, "%s", state_name(c, cycle->states[0]));
        const char *same = pipeline_text(c->to, "cycle %s", tac_str_text(&names));
        add(c, FINDING_ERROR, "cycle",
            pipeline_text(c->to, "the app never comes to rest: %s", tac_str_text(&names)),
            cycle->inputs.cube, same);
        pipeline_place(c->to, c->rules->file, c->rules->states[cycle->states[0]].line);
        tac_str_free(&names);
    }
}

static void add_breaches(struct rules_cases *c)
{
    for (size_t i = 0; i < c->findings->breach_count; i++) {
        const tac_rules_breach *breach = &c->findings->breaches[i];
        const char *same = pipeline_text(c->to, "broken-constraint %s %s",
                                         state_name(c, breach->state), rule_name(c, breach->rule));
        add(c, FINDING_ERROR, "broken-constraint",
            pipeline_text(c->to, "in %s, the action of %s breaks a constraint",
                          state_name(c, breach->state), rule_name(c, breach->rule)),
            breach->inputs.cube, same);
        at_rule(c, breach->rule);
    }
    for (size_t i = 0; i < c->findings->unmet_count; i++) {
        const tac_rules_unmet *unmet = &c->findings->unmet[i];
        const tac_rules_expectation *wanted = &c->rules->expectations[unmet->expectation];
        const char *same = pipeline_text(c->to, "unmet-expectation %s %s",
                                         state_name(c, wanted->state), state_name(c, unmet->state));
        add(c, FINDING_ERROR, "unmet-expectation",
            pipeline_text(c->to, "from %s the app does not come to %s", state_name(c, unmet->state),
                          state_name(c, wanted->state)),
            unmet->inputs.cube, same);
        pipeline_place(c->to, c->rules->file, wanted->line);
    }
}

/* "S, where a and not b happen, ends in T or in U by what is read first" */
static void add_hazards(struct rules_cases *c)
{
    const tac_rules_hazards *h = c->findings->hazards;
    bool rated = h && h->known && h->rates && h->rates_known && mpz_sgn(h->rated) != 0;
    if (!h || !h->known || !h->has_example || (mpz_sgn(h->total) == 0 && !rated))
        return;
    char *change = tac_calloc((size_t)c->rules->variable_count + 1, 1);
    const char *ends[2];
    for (uint32_t v = 0; v < c->rules->variable_count; v++)
        change[v] = h->before[v] == h->after[v] ? '*' : h->after[v];
    for (int i = 0; i < 2; i++)
        ends[i] = h->ends[i] == TAC_RULES_NONE ? "never rests" : state_name(c, h->ends[i]);
    const char *same = pipeline_text(c->to, "hazard %s", state_name(c, h->state));
    add(c, FINDING_ERROR, "hazard",
        pipeline_text(c->to,
                      "in %s, the order of the refreshes decides how a change ends: %s or %s",
                      state_name(c, h->state), ends[0], ends[1]),
        change, same);
    pipeline_place(c->to, c->rules->file, c->rules->states[h->state].line);
    free(change);
}

void rules_cases(struct pipeline *cases, const tac_rules *rules, const tac_rules_findings *findings)
{
    static const struct finding_rule kinds[] = {
        {"nondeterminism", "rules of the same priority fire together"},
        {"dead-rule", "a rule that never fires in a state"},
        {"dead-state", "a state that cannot be left"},
        {"unreachable-state", "a state that cannot be reached"},
        {"cycle", "the app never comes to rest"},
        {"race", "several adaptations in a row before the app rests"},
        {"broken-constraint", "an action after which the constraints do not hold"},
        {"unmet-expectation", "an expectation that some inputs do not meet"},
        {"hazard", "a change that ends differently by the order of the refreshes"}};
    struct rules_cases c = {cases, rules, findings, 0};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        pipeline_rule(cases, kinds[i].id, kinds[i].text);
    add_clashes(&c);
    add_dead(&c);
    add_states(&c);
    add_cycles(&c);
    add_breaches(&c);
    add_hazards(&c);
    tac_answer answer = tac_rules_answer(findings);
    if (answer == TAC_INCONCLUSIVE)
        pipeline_add(cases, FINDING_UNCLEAR, "rules", rules->file,
                     "no fault was found, but not everything could be computed", "", rules->file);
    else if (!c.added && answer == TAC_HOLDS)
        pipeline_add(cases, FINDING_PASS, "rules", rules->file, "no faults", "", rules->file);
    else if (!c.added)
        pipeline_add(cases, FINDING_ERROR, "rules", rules->file, "has faults", "", rules->file);
}
