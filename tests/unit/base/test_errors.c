/* Error objects and lists of diagnostics. */
#include "base/error.h"
#include "tactus_test.h"

TEST(text_shows_the_known_parts_of_the_place)
{
    tac_error err;
    char text[256];
    CHECK_EQ(tac_fail_at(&err, TAC_E_INPUT, "a.xml", 3, 7, "no %s", "state"), TAC_E_INPUT);
    CHECK_STR(tac_error_text(&err, text, sizeof text), "a.xml:3:7: no state");
    tac_fail_at(&err, TAC_E_INPUT, "a.xml", 3, 0, "no state");
    CHECK_STR(tac_error_text(&err, text, sizeof text), "a.xml:3: no state");
    tac_fail(&err, TAC_E_USAGE, "what?");
    CHECK_STR(tac_error_text(&err, text, sizeof text), "what?");
    CHECK_EQ(tac_fail(NULL, TAC_E_LIMIT, "nobody listens"), TAC_E_LIMIT);
}

TEST(a_message_may_quote_the_one_before)
{
    tac_error err;
    tac_fail(&err, TAC_E_IO, "disk full");
    tac_fail(&err, err.status, "while saving: %s", err.message);
    CHECK_STR(err.message, "while saving: disk full");
}

TEST(exit_codes)
{
    CHECK_EQ(tac_status_exit_code(TAC_OK), 0);
    CHECK_EQ(tac_status_exit_code(TAC_E_USAGE), 2);
    CHECK_EQ(tac_status_exit_code(TAC_E_INPUT), 4);
    CHECK_EQ(tac_status_exit_code(TAC_E_INTERNAL), 4);
}

TEST(diagnostics_keep_a_thousand_and_count_all)
{
    tac_diagnostics list = {0};
    tac_error err;
    CHECK_EQ(tac_diagnostics_fail(&list, &err), TAC_OK);
    tac_diagnostics_add(&list, TAC_WARNING, "m.xml", 1, 0, "unreachable");
    CHECK_EQ(tac_diagnostics_fail(&list, &err), TAC_OK);
    for (unsigned i = 0; i < 1500; i++)
        tac_diagnostics_add(&list, TAC_ERROR, "m.xml", i + 2, 0, "bad %u", i);
    CHECK_EQ(list.count, TAC_DIAGNOSTICS_MAX);
    CHECK_EQ(list.errors, 1500);
    CHECK_EQ(tac_diagnostics_fail(&list, &err), TAC_E_INPUT);
    CHECK_EQ(err.line, 2);
    CHECK_STR(err.message, "bad 0 (and 1499 more errors)");
    tac_diagnostics_free(&list);
}
