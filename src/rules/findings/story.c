/* The report for the author of the rules: what was found, where, why, and what to do next. */
#include "rules/findings/story.h"
#include "base/check.h"
#include "base/data/bignum.h"
#include <stdlib.h>
#include <string.h>

size_t rules_story_shown(const struct story *s, size_t count)
{
    return s->verbose || count <= SHOWN ? count : SHOWN;
}

void rules_story_rest(const struct story *s, size_t count)
{
    if (count > rules_story_shown(s, count)) {
        rules_write_paragraph(s->out, 2, "... and %zu more.", count - SHOWN);
        *s->shortened = true;
    }
}

const char *rules_story_state(const struct story *s, uint32_t state)
{
    assert(state < s->rules->state_count);
    return s->rules->states[state].name;
}

static const char *rule_name(const struct story *s, uint32_t rule)
{
    assert(rule < s->rules->rule_count);
    return s->rules->rules[rule].name;
}

/* The text moves to the story's memory. */
static const char *keep(const struct story *s, char *text)
{
    const char *kept = tac_arena_strdup(s->memory, text);
    free(text);
    return kept;
}

const char *rules_story_count(const struct story *s, const tac_rules_count *count)
{
    const char *number = keep(s, rules_count_text(count));
    return tac_arena_format(s->memory, "%s %s", number, strcmp(number, "1") ? "inputs" : "input");
}

const char *rules_story_cube(const struct story *s, const char *cube)
{
    tac_str words = {0};
    rules_words_of_cube(s->rules, cube, &words);
    return keep(s, tac_str_take(&words));
}

const char *rules_story_inputs(const struct story *s, const tac_rules_inputs *inputs)
{
    const char *cube = inputs->cube ? inputs->cube : inputs->example;
    return cube ? rules_story_cube(s, cube) : "(not listed)";
}

const char *rules_story_way(const struct story *s, const uint32_t *states, size_t length)
{
    tac_str way = {0};
    for (size_t i = 0; i <= length; i++)
        tac_str_addf(&way, "%s%s", i ? " -> " : "", rules_story_state(s, states[i]));
    return keep(s, tac_str_take(&way));
}

static void tell_head(const struct story *s)
{
    const char *valid = rules_story_count(s, &s->f->valid_inputs);
    const tac_rules *r = s->rules;
    rules_write_paragraph(s->out, 0, "%s: %u %s, %u %s, %u %s, %s that can occur.",
                          r->app[0] ? r->app : r->file, r->state_count,
                          rules_plural(r->state_count, "state", "states"), r->rule_count,
                          rules_plural(r->rule_count, "rule", "rules"), r->variable_count,
                          rules_plural(r->variable_count, "variable", "variables"), valid);
}

/* --- Nondeterminism --------------------------------------------------------------------------- */

static void tell_pair(const struct story *s, const tac_rules_clash *pair)
{
    assert(pair->rule_count == 2);
    const char *count = rules_story_count(s, &pair->inputs.count);
    const char *words = rules_story_inputs(s, &pair->inputs);
    uint32_t a = pair->rules[0], b = pair->rules[1];
    rules_write_paragraph(s->out, 2, "In %s, %s and %s fire together on %s: for example when %s.",
                          rules_story_state(s, pair->state), rule_name(s, a), rule_name(s, b),
                          count, words);
    if (s->rules->rules[a].to != s->rules->rules[b].to)
        rules_write_paragraph(s->out, 4, "Chance decides between %s and %s.",
                              rules_story_state(s, s->rules->rules[a].to),
                              rules_story_state(s, s->rules->rules[b].to));
    if (s->verbose && pair->inputs.cube)
        rules_write_paragraph(s->out, 4, "cube %s", pair->inputs.cube);
}

static void tell_nondeterminism(const struct story *s)
{
    if (s->f->pair_count == 0)
        return;
    fprintf(s->out, "\nNondeterminism: rules of the same priority fire together\n");
    for (size_t i = 0; i < rules_story_shown(s, s->f->pair_count); i++)
        tell_pair(s, &s->f->pairs[i]);
    rules_story_rest(s, s->f->pair_count);
}

/* --- Dead rules, unreachable states ----------------------------------------------------------- */

static void tell_dead_rule(const struct story *s, const tac_rules_dead_rule *dead)
{
    if (dead->unsatisfiable) {
        rules_write_paragraph(s->out, 2,
                              "%s never fires in %s: no valid input satisfies its condition "
                              "(line %u).",
                              rule_name(s, dead->rule), rules_story_state(s, dead->state),
                              s->rules->rules[dead->rule].line);
        return;
    }
    tac_str by = {0};
    rules_words_of_rules(s->rules, dead->by, dead->by_count, " or ", &by);
    rules_write_paragraph(s->out, 2,
                          "%s never fires in %s: whenever its condition holds, %s comes first "
                          "by priority.",
                          rule_name(s, dead->rule), rules_story_state(s, dead->state),
                          tac_str_text(&by));
    tac_str_free(&by);
}

static void tell_dead(const struct story *s)
{
    size_t states = 0;
    for (uint32_t i = 0; i < s->rules->state_count; i++)
        states += s->f->states[i].dead;
    if (s->f->dead_rule_count == 0)
        return;
    fprintf(s->out, "\nDead rules\n");
    for (size_t i = 0; i < rules_story_shown(s, s->f->dead_rule_count); i++)
        tell_dead_rule(s, &s->f->dead_rules[i]);
    rules_story_rest(s, s->f->dead_rule_count);
    for (uint32_t i = 0; i < s->rules->state_count && states; i++)
        if (s->f->states[i].dead)
            rules_write_paragraph(s->out, 2,
                                  "%s is a dead state: none of its rules ever fires, so it is "
                                  "never left.",
                                  rules_story_state(s, i));
}

static void tell_unreachable(const struct story *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->rules->state_count; i++) {
        if (!s->f->states[i].unreachable)
            continue;
        if (!any)
            fprintf(s->out, "\nUnreachable states\n");
        any = true;
        size_t leading = 0;
        for (uint32_t e = 0; e < s->rules->edge_count; e++)
            leading += s->rules->rules[s->rules->edges[e].rule].to == i;
        rules_write_paragraph(s->out, 2, "%s cannot be reached from %s: %s.",
                              rules_story_state(s, i), rules_story_state(s, s->rules->initial),
                              leading
                                  ? "every rule that leads there is dead or starts in a state that "
                                    "cannot be reached either"
                                  : "no rule leads there");
    }
}

/* --- The rest --------------------------------------------------------------------------------- */

static void tell_breaches(const struct story *s)
{
    if (s->f->breach_count)
        fprintf(s->out, "\nInconsistent actions: the constraints do not hold afterwards\n");
    for (size_t i = 0; i < rules_story_shown(s, s->f->breach_count); i++) {
        const tac_rules_breach *breach = &s->f->breaches[i];
        const char *words = rules_story_inputs(s, &breach->inputs);
        const char *count = rules_story_count(s, &breach->inputs.count);
        rules_write_paragraph(s->out, 2, "%s in %s, on %s: for example when %s.",
                              rule_name(s, breach->rule), rules_story_state(s, breach->state),
                              count, words);
    }
    rules_story_rest(s, s->f->breach_count);
}

static void tell_unmet(const struct story *s)
{
    if (s->f->unmet_count)
        fprintf(s->out, "\nExpectations that are not met\n");
    for (size_t i = 0; i < rules_story_shown(s, s->f->unmet_count); i++) {
        const tac_rules_unmet *unmet = &s->f->unmet[i];
        const char *words = rules_story_inputs(s, &unmet->inputs);
        const char *count = rules_story_count(s, &unmet->inputs.count);
        rules_write_paragraph(
            s->out, 2, "From %s, %s is missed on %s (line %u): for example when %s, it %s%s.",
            rules_story_state(s, unmet->state),
            rules_story_state(s, s->rules->expectations[unmet->expectation].state), count,
            s->rules->expectations[unmet->expectation].line, words,
            unmet->ends_in == TAC_RULES_NONE ? "never rests" : "ends in ",
            unmet->ends_in == TAC_RULES_NONE ? "" : rules_story_state(s, unmet->ends_in));
    }
    rules_story_rest(s, s->f->unmet_count);
}

static void tell_order(const struct story *s, const tac_rules_hazards *h, int which)
{
    tac_str order = {0};
    for (size_t i = 0; i < h->order_count; i++)
        tac_str_addf(&order, "%s%s",
                     i == 0                                        ? ""
                     : h->together[which] && h->together[which][i] ? " and "
                                                                   : ", then ",
                     s->rules->groups[h->order[which][i]].name);
    rules_write_paragraph(s->out, 4, "%s: %s%s", tac_str_text(&order),
                          h->ends[which] == TAC_RULES_NONE ? "it never rests" : "it ends in ",
                          h->ends[which] == TAC_RULES_NONE ? ""
                                                           : rules_story_state(s, h->ends[which]));
    tac_str_free(&order);
}

static void tell_hazard_example(const struct story *s, const tac_rules_hazards *h)
{
    uint32_t n = s->rules->variable_count;
    char *cube = tac_arena_calloc(s->memory, (size_t)n + 1, 1);
    for (uint32_t v = 0; v < n; v++)
        cube[v] = h->before[v] == h->after[v] ? '*' : h->after[v];
    rules_write_paragraph(s->out, 2, "For example, resting in %s, the world changes to: %s.",
                          rules_story_state(s, h->state), rules_story_cube(s, cube));
    tell_order(s, h, 0);
    tell_order(s, h, 1);
}

static const char *number(const struct story *s, const mpz_t value)
{
    return keep(s, tac_big_text(value));
}

static void tell_hazards(const struct story *s)
{
    const tac_rules_hazards *h = s->f->hazards;
    if (!h)
        return;
    fprintf(s->out, "\nHazards: the outcome depends on which sensor is read first\n");
    if (!h->known) {
        rules_write_paragraph(s->out, 2, "Too large to count within the budget.");
        return;
    }
    const char *of = number(s, h->of);
    if (mpz_sgn(h->total) == 0)
        rules_write_paragraph(s->out, 2, "None in %s changes of two groups or more.", of);
    else
        rules_write_paragraph(s->out, 2,
                              "%s of %s changes of two groups or more (%s of them move "
                              "monotone variables only the way they can move).",
                              number(s, h->total), of, number(s, h->possible));
    if (h->rates)
        rules_write_paragraph(
            s->out, 2,
            "At the rates at which the groups are read, %s changes end differently "
            "depending on the moment at which they happen.",
            h->rates_known ? number(s, h->rated) : "an unknown number of");
    if (h->chance)
        rules_write_paragraph(s->out, 2,
                              "Rules may fire together here: a hazard is a change for which two "
                              "orders differ in the ways they can end.");
    if (h->has_example)
        tell_hazard_example(s, h);
}

/* A count, or "? of 12" where it is not known: of the inputs that go on, so many race or cycle. */
static const char *table_text(const struct story *s, uint32_t state, const tac_rules_count *count)
{
    tac_rules_count all;
    if (count->known || s->f->table2)
        return keep(s, rules_count_text(count));
    rules_count_init(&all);
    rules_unrest(s->f, state, &all);
    const char *text = keep(s, rules_count_text(&all));
    rules_count_clear(&all);
    return tac_arena_format(s->memory, "? of %s", text);
}

static void tell_table(const struct story *s)
{
    static const char *const plain[] = {"rest at once", "one step", "race", "cycle", "chance"};
    static const char *const table2[] = {"nondeterministic", "dead", "races", "cycles",
                                         "unreachable"};
    if (s->rules->state_count > 40 && !s->verbose)
        return;
    const char *const *heads = s->f->table2 ? table2 : plain;
    fprintf(s->out, "\nInputs of each state\n  %-16s", "");
    for (int i = 0; i < 5; i++)
        fprintf(s->out, " %16s", heads[i]);
    fputc('\n', s->out);
    for (uint32_t i = 0; i < s->rules->state_count; i++) {
        const tac_rules_state_findings *state = &s->f->states[i];
        const tac_rules_count *counts[] = {&state->stable, &state->one, &state->race, &state->cycle,
                                           &state->nondeterministic};
        const char *texts[5];
        for (int k = 0; k < 5; k++)
            texts[k] = table_text(s, i, counts[k]);
        if (s->f->table2)
            fprintf(s->out, "  %-16s %16s %16u %16s %16s %16d\n", rules_story_state(s, i), texts[4],
                    state->dead_rules, texts[2], texts[3], state->unreachable);
        else
            fprintf(s->out, "  %-16s %16s %16s %16s %16s %16s\n", rules_story_state(s, i), texts[0],
                    texts[1], texts[2], texts[3], texts[4]);
    }
    if (!s->f->deterministic && !s->f->table2)
        rules_write_paragraph(s->out, 2,
                              "With chance in play, an input counts as a race or a cycle when "
                              "some run is one, and as resting or one step when every run is.");
}

bool tac_rules_findings_text(const tac_rules *rules, const tac_rules_findings *findings,
                             bool verbose, FILE *out)
{
    bool shortened = false;
    tac_arena memory = {0};
    struct story s = {rules, findings, verbose, out, &shortened, &memory};
    tell_head(&s);
    tac_answer answer = tac_rules_answer(findings);
    if (answer == TAC_INCONCLUSIVE)
        rules_write_paragraph(out, 0,
                              "No fault was found, but not everything could be computed. In every "
                              "state, every valid input leads to rest after at most one "
                              "adaptation, and always to the same one.");
    else if (answer == TAC_HOLDS)
        rules_write_paragraph(out, 0,
                              "No faults: in every state, every valid input leads to rest after "
                              "at most one adaptation, and always to the same one.");
    tell_nondeterminism(&s);
    tell_dead(&s);
    tell_unreachable(&s);
    if (!findings->table2) {
        rules_tell_cycles(&s);
        rules_tell_races(&s);
        tell_breaches(&s);
        tell_unmet(&s);
        tell_hazards(&s);
    }
    tell_table(&s);
    if (findings->truncated)
        rules_write_paragraph(out, 0,
                              "Some exact numbers were too large to compute%s. Everything else is "
                              "exact.",
                              rules->state_count > 40 && !verbose ? "" : ": '?' marks them");
    tac_arena_free(&memory);
    return shortened;
}
