/* What witnesses of a monitor show of the source that was fed to it. */
#include "base/data/map.h"
#include "property_support.h"
#include "tactus_test.h"

/* A run goes on after the last state was fed, and its table of texts moves. */
TEST(witnesses_are_named_after_the_source_has_moved_its_table)
{
    static const tac_trace_variable event = {.name = "event", .unit = "", .kind = TAC_DISCRETE};
    tac_properties *properties = properties_of("property a: always event != boom");
    tac_monitor *monitor;
    REQUIRE(tac_monitor_new(properties, NULL, &monitor, NULL) == TAC_OK);
    tac_names texts = {0};
    uint32_t states[] = {tac_names_intern(&texts, "calm"), tac_names_intern(&texts, "boom")};
    int64_t times[] = {0, 1000000000};
    const uint32_t *symbols[] = {states};
    const double *numbers[] = {NULL};
    const tac_trace_block block = {2, 0, times, numbers, symbols};
    const tac_monitor_schema schema = {&event, 1, texts.text, texts.count};
    REQUIRE(tac_monitor_feed(monitor, &schema, &block, NULL) == TAC_OK);
    for (int i = 0; i < 1000; i++) {
        char later[16];
        snprintf(later, sizeof later, "later %d", i);
        tac_names_intern(&texts, later);
    }
    tac_property_result result;
    tac_monitor_result(monitor, 0, true, &result);
    CHECK(result.answer == TAC_VIOLATED);
    REQUIRE(result.witness && result.witness->value_count);
    CHECK_STR(result.witness->values[0].text[0], "boom");
    tac_monitor_free(monitor);
    tac_names_free(&texts);
    tac_property_free(properties);
}
