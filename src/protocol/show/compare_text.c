/* One comparison for people: yes, or the events that only one rule set admits. */
#include "base/check.h"
#include "base/print/print.h"
#include "protocol/result.h"

static void print_difference(const tac_protocol_difference *difference, const char *who,
                             const char *other, FILE *out)
{
    const tac_protocol_reason *because = difference->because;
    assert(because);
    tac_print(out, "  %s admits, and %s does not, %zu event%s:\n", who, other, difference->count,
              difference->count == 1 ? "" : "s");
    for (size_t i = 0; i < difference->count; i++)
        tac_print(out, "  %3zu. %s%s\n", i + 1, difference->events[i].event,
                  difference->events[i].assumed ? "   (not recorded, assumed)" : "");
    tac_print(out, "  %s refuses %s: %s %s it\n  rule: %s\n", other,
              difference->refused ? difference->refused : "everything", because->rule,
              tac_rule_effect_name(because->effect), because->text);
}

void tac_protocol_compare_text(const tac_protocol_comparison *comparison, const char *trace,
                               FILE *out)
{
    bool both = comparison->b_admits_all_of_a == TAC_HOLDS;
    const char *answer = comparison->left_out ? "not decided, a rule may be left out"
                                              : "not decided within the limit on states";
    if (comparison->a_admits_all_of_b == TAC_HOLDS)
        answer = both ? "yes, A and B admit the same sequences of its events"
                      : "yes, A admits every sequence of its events that B admits";
    else if (comparison->a_admits_all_of_b == TAC_VIOLATED)
        answer = "no, B admits a sequence of its events that A does not";
    tac_print(out, "%s: %s\n", trace, answer);
    if (comparison->left_out)
        tac_print(out, "  left out: %s\n", comparison->left_out);
    if (comparison->only_b)
        print_difference(comparison->only_b, "B", "A", out);
    if (comparison->only_a)
        print_difference(comparison->only_a, "A", "B", out);
}
