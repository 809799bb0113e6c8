/* Every public function that takes a watch stops when it is told to, at once and later, and leaves
 * nothing behind. */
#include "rules/rules.h"
#include "rules_helpers.h"

struct stopper {
    tac_watch watch;
    uint64_t left; /* ticks that are answered with "go on" */
    uint64_t ticks;
};

static bool count_down(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)what, (void)done, (void)total;
    struct stopper *stopper = (struct stopper *)self;
    stopper->ticks++;
    return stopper->left-- > 0;
}

static tac_status check_until(const tac_rules *rules, tac_rules_engine engine, bool hazards,
                              uint64_t left, uint64_t *ticks)
{
    struct stopper stopper = {.watch = {count_down}, .left = left};
    tac_rules_options options = {.engine = engine, .hazards = hazards, .watch = &stopper.watch};
    tac_rules_findings *findings = NULL;
    tac_error err = {0};
    tac_status status = tac_rules_check(rules, &options, &findings, &err);
    CHECK_EQ(status == TAC_OK, findings != NULL);
    CHECK_EQ(status, err.status);
    tac_rules_findings_free(findings);
    *ticks = stopper.ticks;
    return status;
}

TEST(every_engine_stops_at_every_tick)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter-fixed.rules");
    for (tac_rules_engine engine = TAC_RULES_LEAN; engine <= TAC_RULES_ENUMERATIVE; engine++)
        for (int hazards = 0; hazards < 2; hazards++) {
            uint64_t ticks, all;
            CHECK_EQ(check_until(rules, engine, hazards, UINT64_MAX, &all), TAC_OK);
            CHECK(all > 0);
            for (uint64_t left = 0; left < all; left += left < 5 ? 1 : 7) {
                CHECK_EQ(check_until(rules, engine, hazards, left, &ticks), TAC_E_INTERRUPTED);
                CHECK_EQ(ticks, left + 1);
            }
        }
    tac_rules_free(rules);
}

TEST(repair_stops_at_every_tick)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    static const tac_rules_fault faults[] = {TAC_RULES_CYCLE, TAC_RULES_UNREACHABLE,
                                             TAC_RULES_RACE};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (uint64_t left = 0; left < 40; left += left < 3 ? 1 : 18) {
            struct stopper stopper = {.watch = {count_down}, .left = left};
            tac_rules_repair_options options = {.fault = faults[i], .watch = &stopper.watch};
            tac_rules_repairs *repairs = NULL;
            tac_error err = {0};
            CHECK_EQ(tac_rules_repair(rules, &options, &repairs, &err), TAC_E_INTERRUPTED);
            CHECK(repairs == NULL);
        }
    tac_rules_free(rules);
}

TEST(simulate_stops_at_every_tick)
{
    tac_rules *rules = load_rules("examples/rules/phoneadapter.rules");
    char input[64];
    memset(input, '0', rules->variable_count);
    input[rules->variable_count] = '\0';
    CHECK_EQ(tac_rules_set_all(rules, "A_t, B_t, E_bt, C_bt", input, NULL), TAC_OK);
    for (uint64_t left = 0; left < 3; left++) {
        struct stopper stopper = {.watch = {count_down}, .left = left};
        tac_rules_simulation simulation = {.input = input, .watch = &stopper.watch};
        tac_rules_timeline *timeline = NULL;
        CHECK_EQ(tac_rules_simulate(rules, &simulation, &timeline, NULL), TAC_E_INTERRUPTED);
        CHECK(timeline == NULL);
    }
    tac_rules_free(rules);
}
