/* The analysis of a rule set as one verdict: how many faults of each kind, and where to go on. */
#include "base/json.h"
#include "base/str.h"
#include "tactus/rules.h"

/* "4 clashing pairs, 1 dead rule" */
static void add_kind(tac_str *text, size_t count, const char *one, const char *many)
{
    if (count)
        tac_str_addf(text, "%s%zu %s", text->length ? ", " : "", count, count == 1 ? one : many);
}

static size_t unreachable_states(const tac_rules_findings *findings)
{
    size_t count = 0;
    for (uint32_t i = 0; i < findings->state_count; i++)
        count += findings->states[i].unreachable;
    return count;
}

void tac_rules_verdict(const tac_rules *rules, const tac_rules_findings *findings,
                       tac_verdict *verdict)
{
    bool faulty = tac_rules_faulty(findings);
    tac_str text = {0};
    add_kind(&text, findings->pair_count, "pair of rules fires at once",
             "pairs of rules fire at once");
    add_kind(&text, findings->dead_rule_count, "dead rule", "dead rules");
    add_kind(&text, unreachable_states(findings), "unreachable state", "unreachable states");
    add_kind(&text, findings->cycle_count, "cycle that never rests", "cycles that never rest");
    add_kind(&text, (size_t)findings->race_paths, "race", "races");
    add_kind(&text, findings->breach_count, "action that breaks a constraint",
             "actions that break a constraint");
    add_kind(&text, findings->unmet_count, "expectation not met", "expectations not met");
    tac_verdict_init(verdict, "rules", rules->app, faulty ? TAC_VIOLATED : TAC_HOLDS);
    tac_verdict_explain(verdict, "%s", faulty ? tac_str_text(&text) : "no faults");
    if (!findings->deterministic)
        tac_verdict_advise(verdict, "'tactus rules repair --fault nondeterminism' finds the fewest "
                                    "priorities to change");
    else if (findings->cycle_count)
        tac_verdict_advise(verdict, "'tactus rules repair --fault cycle' proposes conditions that "
                                    "break the cycle");
    verdict->statistics = tac_rules_findings_json(rules, findings, false);
    tac_str_free(&text);
}
