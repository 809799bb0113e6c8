/* Verdicts: names, exit codes, text and JSON. */
#include "base/verdict.h"
#include "tactus_test.h"

TEST(one_function_decides_the_exit_code)
{
    static const int by_answer[] = {0, 1, 3, 0, 1};
    for (int answer = TAC_HOLDS; answer <= TAC_PRESUMABLY_VIOLATED; answer++) {
        CHECK_EQ(tac_exit_code(TAC_OK, (tac_answer)answer), by_answer[answer]);
        CHECK_EQ(tac_exit_code(TAC_E_USAGE, (tac_answer)answer), 2);
        for (int status = TAC_E_INPUT; status <= TAC_E_INTERNAL; status++)
            CHECK_EQ(tac_exit_code((tac_status)status, (tac_answer)answer), 4);
    }
    CHECK_EQ(tac_answer_both(TAC_INCONCLUSIVE, TAC_PRESUMABLY_VIOLATED), TAC_VIOLATED);
    CHECK_EQ(tac_answer_both(TAC_PRESUMABLY_HOLDS, TAC_INCONCLUSIVE), TAC_INCONCLUSIVE);
    CHECK_EQ(tac_answer_both(TAC_PRESUMABLY_HOLDS, TAC_HOLDS), TAC_HOLDS);
}

TEST(text_and_json)
{
    tac_verdict verdict;
    tac_verdict_init(&verdict, "property", "cheap on cafe", TAC_VIOLATED);
    tac_verdict_explain(&verdict, "costs %d kB", 9000);
    tac_verdict_advise(&verdict, "look at state 17");
    verdict.witness = json_pack("{s:i}", "from", 17);
    json_t *object = tac_verdict_json(&verdict);
    char *text = json_dumps(object, JSON_COMPACT);
    CHECK_STR(text, "{\"analysis\":\"property\",\"subject\":\"cheap on cafe\",\"answer\":\"false\","
                    "\"explanation\":\"costs 9000 kB\",\"advice\":\"look at state 17\","
                    "\"witness\":{\"from\":17},\"statistics\":null}");
    free(text);
    json_decref(object);
    char buffer[200] = "";
    FILE *out = fmemopen(buffer, sizeof buffer, "w");
    REQUIRE(out);
    tac_verdict_text(&verdict, out);
    fclose(out);
    CHECK_STR(buffer, "cheap on cafe: VIOLATED\n  costs 9000 kB\n  -> look at state 17\n");
    tac_verdict_free(&verdict);
}
