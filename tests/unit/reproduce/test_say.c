/* Steps in words: who reads the shortest run does it by hand, so every element is told. */
#include "reproduce/cause.h"
#include "tactus_test.h"

static void check_said(tac_model_action action, const char *wanted)
{
    tac_flow_step step = {.device = "", .event = "move", .actions = &action, .action_count = 1};
    char *said = say_step(&step, false);
    CHECK_STR(said, wanted);
    free(said);
}

TEST(elements_are_told_by_the_selector_that_found_them)
{
    check_said((tac_model_action){.kind = TAC_ACTION_CLICK, .xpath = "css:#apply"},
               "move: click #apply");
    check_said((tac_model_action){.kind = TAC_ACTION_CLICK, .xpath = "css[2]:li .buy"},
               "move: click li .buy (match 2)");
    check_said(
        (tac_model_action){.kind = TAC_ACTION_CLICK, .xpath = "(//node[@resource-id='a:id/b'])[3]"},
        "click b (match 3)");
    check_said((tac_model_action){.kind = TAC_ACTION_CLICK, .xpath = "//node[@text='Save'][1]"},
               "click 'Save'");
    check_said((tac_model_action){.kind = TAC_ACTION_CLICK, .xpath = "//node[7]"}, "click move");
    check_said((tac_model_action){.kind = TAC_ACTION_CLICK, .xpath = "()"}, "click move");
    check_said((tac_model_action){.kind = TAC_ACTION_TEXT, .xpath = "focus:", .value = "x"},
               "move: enter 'x' into what has the focus");
    check_said((tac_model_action){.kind = TAC_ACTION_KEY, .value = "text:a b"}, "move: type 'a b'");
    check_said((tac_model_action){.kind = TAC_ACTION_KEY, .value = "Enter"}, "press the key Enter");
    check_said((tac_model_action){.kind = TAC_ACTION_CLICK, .resource_id = "a:id/save"},
               "click save");
}

TEST(a_drag_tells_both_ends)
{
    check_said((tac_model_action){.kind = TAC_ACTION_DRAG,
                                  .xpath = "css[1]:.card",
                                  .value = "to:css[3]:.col"},
               "move: drag .card (match 1) to .col (match 3)");
    check_said((tac_model_action){.kind = TAC_ACTION_DRAG,
                                  .xpath = "//node[@text='A']",
                                  .value = "to://node[2]"},
               "drag 'A' to //node[2]");
    check_said(
        (tac_model_action){.kind = TAC_ACTION_DRAG, .xpath = "//node[@id='a']", .value = "left"},
        "drag left a");
}

TEST(a_script_of_actions_is_told_under_its_name)
{
    const tac_model_action actions[] = {
        {.kind = TAC_ACTION_DOUBLE_CLICK, .xpath = "css[2]:label"},
        {.kind = TAC_ACTION_KEY, .value = "text:new"},
        {.kind = TAC_ACTION_KEY, .value = "Enter"},
        {.kind = TAC_ACTION_CLICK, .xpath = "it:css[2]:label"},
    };
    tac_flow_step step = {.device = "", .event = "edit", .actions = actions, .action_count = 4};
    char *said = say_step(&step, false);
    CHECK_STR(said,
              "edit: double-click label (match 2), type 'new', press the key Enter, click it");
    free(said);
    check_said((tac_model_action){.kind = TAC_ACTION_KEY, .value = "system:reload"},
               "load it again");
}
