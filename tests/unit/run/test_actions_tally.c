/* What actions came to: counted by a run, summed up over rows that may be anything. */
#include "run/actions/tally.h"
#include "run/campaign/described.h"
#include "tactus_test.h"
#include <stdlib.h>
#include <string.h>

static struct action_file *load(const char *text)
{
    struct action_file *file = NULL;
    tac_error err = {0};
    REQUIRE(actions_parse("a.actions", text, strlen(text), &file, &err) == TAC_OK);
    return file;
}

TEST(the_sum_of_runs_has_the_step_that_failed_most_often)
{
    struct action_file *file = load("action a: do back; click\n   //b ; back\naction b: do back");
    struct action_tally run, sum;
    action_tally_start(&run, file);
    action_tally_start(&sum, file);
    action_tally_look(&run, (bool[]){true, false});
    action_tally_look(&run, (bool[]){true, true});
    action_tally_try(&run, 0, 2, true, "not\nthere");
    action_tally_try(&run, 0, 0, false, "");
    json_t *left = action_tally_json(&run);
    action_tally_add(&sum, left);
    action_tally_add(&sum, left);
    json_decref(left);
    action_tally_try(&sum, 0, 1, true, "other");
    tac_arena arena = {0};
    const tac_run_action *rows = action_tally_rows(&sum, &arena);
    CHECK_EQ(rows[0].looks, 4);
    CHECK_EQ(rows[0].enabled, 4);
    CHECK_EQ(rows[0].chosen, 5);
    CHECK_EQ(rows[0].abandoned, 3);
    CHECK_EQ(rows[0].unrested, 2);
    CHECK_EQ(rows[0].step, 2);
    CHECK_EQ(rows[0].abandoned_there, 2);
    CHECK_STR(rows[0].written, "click //b");
    CHECK_STR(rows[0].reason, "other");
    CHECK_EQ(rows[1].enabled, 2);
    CHECK_EQ(rows[1].step, 0);
    tac_run_summary summary = {.folder = "", .actions = rows, .action_count = 2}, again = {0};
    json_t *told = tac_run_summary_json(&summary);
    describe_read(&run_summary_described, told, &arena, &again);
    CHECK_EQ(again.action_count, 2);
    CHECK_EQ(again.actions[0].abandoned_there, 2);
    CHECK_STR(again.actions[0].written, "click //b");
    CHECK(
        json_is_null(json_object_get(json_array_get(json_object_get(told, "actions"), 1), "step")));
    json_decref(told);
    tac_arena_free(&arena);
    action_tally_free(&run);
    action_tally_free(&sum);
    actions_free(file);
}

TEST(rows_that_were_damaged_count_for_nothing)
{
    static const char *const rows[] = {
        "null", "[]", "{\"looks\":\"x\",\"done\":{}}",
        "{\"looks\":0,\"done\":[1,null,{\"action\":7},{\"action\":\"none\",\"chosen\":3}]}",
        "{\"looks\":0,\"done\":[{\"action\":\"a\",\"steps\":{\"0\":1,\"2\":1,\"x\":1,\"-1\":1}}]}"};
    struct action_file *file = load("action a: do back");
    struct action_tally sum;
    action_tally_start(&sum, file);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *row = json_loads(rows[i], JSON_DECODE_ANY, NULL);
        action_tally_add(&sum, row);
        json_decref(row);
    }
    action_tally_add(&sum, NULL); /* of a version that left nothing */
    tac_arena arena = {0};
    const tac_run_action *told = action_tally_rows(&sum, &arena);
    CHECK_EQ(told[0].looks + told[0].enabled + told[0].chosen + told[0].abandoned + told[0].step,
             0);
    tac_arena_free(&arena);
    action_tally_free(&sum);
    actions_free(file);
}
