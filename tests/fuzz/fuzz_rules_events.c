/* Files of events for the simulation of rules, text and JSON; what can be read is played. */
#include "fuzz_target.h"
#include "rules/rules.h"
#include <string.h>

static const char rules_text[] = "group G every 3 s hold 1 s: a, b\nvariable c\n"
                                 "sensor speed number in G\nsensor place {home, office}\n"
                                 "state S initial; state T\n"
                                 "rule r: S -> T when a and speed > 5 do c=on\n"
                                 "rule q: T -> S when not b or place == home\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_diagnostics diagnostics = {0}, of_rules = {0};
    tac_rules *rules = NULL;
    tac_rules_events *events = NULL;
    tac_rules_timeline *timeline = NULL;
    if (size > 4096 ||
        tac_rules_parse("rules", rules_text, strlen(rules_text), &of_rules, &rules, NULL) != TAC_OK)
        return 0;
    if (tac_rules_events_parse(rules, "fuzz", (const char *)data, size, &diagnostics, &events,
                               NULL) == TAC_OK) {
        tac_rules_simulation simulation = {.events = events, .max_steps = 2000};
        if (tac_rules_simulate(rules, &simulation, &timeline, NULL) == TAC_OK)
            json_decref(tac_rules_timeline_json(rules, timeline));
    }
    tac_rules_timeline_free(timeline);
    tac_rules_events_free(events);
    tac_rules_free(rules);
    tac_diagnostics_free(&diagnostics);
    tac_diagnostics_free(&of_rules);
    return 0;
}
