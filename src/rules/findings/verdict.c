/* A rule set's findings as the one kind of result that report, store and exit code know. */
#include "base/verdict.h"
#include "rules/findings/findings.h"
#include "rules/findings/words.h"
#include <stdlib.h>

static void add_part(tac_str *out, size_t count, const char *one, const char *many)
{
    if (count)
        tac_str_addf(out, "%s%zu %s", out->length ? ", " : "", count,
                     rules_plural(count, one, many));
}

static size_t unreachable_states(const tac_rules_findings *f)
{
    size_t count = 0;
    for (uint32_t s = 0; s < f->state_count; s++)
        count += f->states[s].unreachable;
    return count;
}

static size_t states_with(const tac_rules_findings *f, bool race)
{
    size_t count = 0;
    for (uint32_t s = 0; s < f->state_count; s++)
        count +=
            (race ? f->states[s].race_witness : f->states[s].cycle_witness).exists == TAC_RULES_YES;
    return count;
}

static const char *advice_for(const tac_rules_findings *f)
{
    if (f->pair_count)
        return "nondeterminism";
    if (f->dead_rule_count)
        return "dead";
    if (f->cycle_count || states_with(f, false))
        return "cycle";
    return f->unstable_count ? "race" : NULL;
}

void tac_rules_verdict(const tac_rules *rules, const tac_rules_findings *f, tac_verdict *verdict)
{
    const char *subject = rules->app[0] ? rules->app : rules->file;
    bool faulty = tac_rules_faulty(f);
    tac_str found = {0};
    tac_answer answer = tac_rules_answer(f);
    tac_verdict_init(verdict, "rules", subject, answer);
    add_part(&found, f->pair_count, "pair of rules fires together", "pairs of rules fire together");
    add_part(&found, f->dead_rule_count, "rule is dead", "rules are dead");
    add_part(&found, unreachable_states(f), "state is unreachable", "states are unreachable");
    if (f->cycles_known)
        add_part(&found, f->cycle_count, "cycle never rests", "cycles never rest");
    else
        add_part(&found, states_with(f, false), "state leads into a cycle",
                 "states lead into a cycle");
    if (f->paths_known)
        add_part(&found, (size_t)f->race_paths, "race", "races");
    else
        add_part(&found, states_with(f, true), "state races", "states race");
    add_part(&found, f->breach_count, "action breaks a constraint", "actions break a constraint");
    add_part(&found, f->unmet_count, "expectation is not met from some state",
             "expectations are not met from some state");
    if (rules_hazardous(f->hazards))
        add_part(&found, 1, "kind of change ends by the order of the refreshes", "");
    if (!found.length && faulty)
        add_part(&found, f->unstable_count, "rule leads into another", "rules lead into others");
    tac_verdict_explain(verdict, "%s",
                        faulty ? tac_str_text(&found)
                        : answer == TAC_HOLDS
                            ? "every valid input leads every state to rest after "
                              "at most one adaptation, always the same"
                            : "no fault was found, but not everything could be computed");
    const char *fault = advice_for(f);
    if (faulty && fault)
        tac_verdict_advise(verdict, "look for a repair of the %s first", fault);
    if (faulty)
        verdict->witness = rules_evidence_json(rules, f);
    verdict->statistics = rules_statistics_json(rules, f);
    tac_str_free(&found);
}
