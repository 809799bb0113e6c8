/* Which of several equal controls each one is: all at once as one by one; and controls are found
 * again by their keys, elements by their ranks. */
#include "explore/screen_class.h"
#include "explore/screen_view.h"
#include "unit/device/random_screen.h"
#include "unit/phone/sim_testing.h"

TEST(ordinals_of_all_nodes_are_those_of_each)
{
    tac_random random;
    tac_random_seed(&random, 7);
    for (size_t round = 0; round < test_scale(200); round++) {
        tac_ui *ui = random_screen_of(&random, 80, 2 + round % 3);
        bool *skipped = calloc(ui->count + 1, sizeof *skipped);
        for (uint32_t i = 0; i < ui->count; i++)
            skipped[i] = !tac_random_below(&random, 4);
        uint32_t *all = control_ordinals(ui, skipped);
        for (uint32_t i = 0; i < ui->count; i++)
            CHECK_EQ(all[i], control_ordinal(ui, skipped, i));
        free(all);
        free(skipped);
        tac_ui_free(ui);
    }
}

TEST(a_control_is_found_by_its_key_and_an_element_by_its_rank)
{
    tac_random random;
    tac_random_seed(&random, 8);
    for (size_t round = 0; round < test_scale(100); round++) {
        tac_ui *ui = random_screen_of(&random, 80, 2);
        bool *skipped = calloc(ui->count + 1, sizeof *skipped);
        for (uint32_t i = 0; i < ui->count; i++)
            skipped[i] = !tac_random_below(&random, 4);
        struct screen_view view;
        screen_view_begin(&view, ui, skipped);
        uint32_t rank = 0;
        for (uint32_t i = 0; i < ui->count; i++) {
            if (skipped[i])
                continue;
            CHECK_EQ(screen_view_rank(&view, i), rank);
            CHECK_EQ(screen_view_of_rank(&view, rank++), i);
            bool clicks = tac_ui_gestures(&ui->nodes[i]) & 1u << TAC_ACTION_CLICK;
            char *key = screen_view_key(&view, i, TAC_ACTION_CLICK, "a|b");
            if (clicks)
                CHECK_EQ(screen_view_control(&view, key, TAC_ACTION_CLICK), i);
            free(key);
        }
        CHECK_EQ(screen_view_of_rank(&view, rank), TAC_UI_NONE);
        CHECK_EQ(screen_view_control(&view, "click|id|nobody|0|", TAC_ACTION_CLICK), TAC_UI_NONE);
        screen_view_end(&view);
        free(skipped);
        tac_ui_free(ui);
    }
}
