/* What checking a trace gives is the caller's, whole, and the same whether this process or one of
 * the pool checked it. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "property/check/described.h"
#include "property_support.h"
#include "tactus_test.h"

/* Evidence of every kind: witnesses with numbers and texts, several margins, an alarm of an open
 * interval, a figure, values of "for each", a temporal property, one that nothing tests. */
static const char properties_text[] =
    "property both: forall [tap, shown] duration < 2 s and diff(rx) < 50 kB\n"
    "property mostly: share [tap, shown] (duration < 2 s) >= 50 %\n"
    "property each for each lock: forall [tap, shown] duration < 2 s\n"
    "property answered: always (tap -> eventually[<= 2 s] shown)\n"
    "property calm: always event != boom\n"
    "property never: forall [absent, shown] duration < 1 s\n";

static const char *trace_text(bool open)
{
    return open ? "t,event,lock,rx [kB]\n0,tap,1,10\n1,shown,1,20\n2,tap,2,21\n9,other,2,90\n"
                : "t,event,lock,rx [kB]\n0,tap,1,10\n1,shown,1,20\n2,tap,2,21\n6,shown,2,90\n"
                  "7,boom,1,91\n";
}

static char *document_of(const tac_check_report *report)
{
    json_t *document = tac_check_report_json(report);
    char *text = tac_json_text(document, JSON_INDENT(1));
    json_decref(document);
    return text;
}

static tac_check_report check_two(const tac_properties *properties, unsigned jobs)
{
    char *paths[] = {tac_strdup(test_write("open.csv", trace_text(true))),
                     tac_strdup(test_write("closed.csv", trace_text(false)))};
    tac_check_options options = {.jobs = jobs};
    tac_check_report report;
    tac_error err;
    REQUIRE(tac_check_traces(properties, (const char *const *)paths, 2, &options, &report, &err) ==
            TAC_OK);
    free(paths[0]);
    free(paths[1]);
    return report;
}

TEST(a_pool_gives_what_this_process_gives)
{
    tac_properties *properties = properties_of(properties_text);
    tac_check_report here = check_two(properties, 1), pooled = check_two(properties, 2);
    char *one = document_of(&here), *other = document_of(&pooled);
    CHECK_STR(one, other);
    static const char *const kept[] = {"\"early_alarm\": {", "\"figure\": {",
                                       "\"worst\": {",       "\"margins\": [",
                                       "\"boom\"",           "\"exercised\": false"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (!strstr(one, kept[i]))
            fprintf(stderr, "no %s in %s\n", kept[i], one);
        CHECK(strstr(one, kept[i]) != NULL);
    }
    free(one);
    free(other);
    tac_check_report_free(&here);
    tac_check_report_free(&pooled);
    tac_property_free(properties);
}

TEST(findings_outlive_monitor_and_properties)
{
    tac_properties *properties = properties_of(properties_text);
    tac_check_report report = check_two(properties, 1);
    char *before = document_of(&report);
    tac_property_free(properties);
    char *after = document_of(&report);
    CHECK_STR(before, after);
    const tac_check_finding *calm = &report.traces[1].findings[4];
    CHECK_STR(calm->result.name, "calm");
    CHECK(calm->result.answer == TAC_VIOLATED);
    REQUIRE(calm->result.witness && calm->result.witness->value_count == 1);
    CHECK_STR(calm->result.witness->values[0].text[1], "boom");
    free(before);
    free(after);
    tac_check_report_free(&report);
}

TEST(what_came_back_in_part_is_refused)
{
    tac_properties *properties = properties_of(properties_text);
    tac_check_report report = check_two(properties, 1);
    tac_checked_trace back;
    tac_error err;
    tac_str sent = {0};
    checked_pack(&sent, &report.traces[1], NULL);
    REQUIRE(checked_unpack(tac_str_text(&sent), sent.length, &back, &err) == TAC_OK);
    tac_checked_trace_free(&back);
    for (size_t length = 0; length < sent.length; length++) {
        char *part = tac_alloc(length + 1); /* of its own, so that a read behind it is seen */
        memcpy(part, tac_str_text(&sent), length);
        REQUIRE(checked_unpack(part, length, &back, &err) == TAC_E_INTERNAL);
        free(part);
    }
    tac_str_free(&sent);
    tac_check_report_free(&report);
    tac_property_free(properties);
}

TEST(an_error_comes_back_with_its_place)
{
    tac_error sent_error = {0}, err;
    tac_checked_trace back;
    tac_str sent = {0};
    tac_fail_at(&sent_error, TAC_E_INPUT, "a.csv", 3, 4, "%s", "not a number");
    checked_pack(&sent, NULL, &sent_error);
    CHECK_EQ(checked_unpack(tac_str_text(&sent), sent.length, &back, &err), TAC_E_INPUT);
    CHECK_STR(err.file, "a.csv");
    CHECK_EQ(err.line, 3);
    CHECK_EQ(err.column, 4);
    tac_str_free(&sent);
}
