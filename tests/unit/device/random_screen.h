/* Random screens whose elements are much alike: few ids, texts that repeat, quotation marks. */
#ifndef TAC_UNIT_DEVICE_RANDOM_SCREEN_H
#define TAC_UNIT_DEVICE_RANDOM_SCREEN_H

#include "base/data/random.h"
#include "device/device.h"

static const char *random_text(tac_random *random, const char *const *texts, size_t count)
{
    return texts[tac_random_below(random, count)];
}

/* up: of this many chances one stays below the last node; large ones give flat screens, 2 a mixed
 * one, 1 a single chain. */
static tac_ui *random_screen_of(tac_random *random, size_t most, size_t up)
{
    static const char *const ids[] = {"", "", "", "a:id/x", "a:id/y", "a:id/row"};
    static const char *const texts[] = {
        "",      "",     "OK", "it's", "say \"hi\"", "it's \"both\"", "a<b & c", "line\nbreak",
        "12:30", "Today"};
    static const char *const classes[] = {"android.view.View", "android.widget.Button",
                                          "android.widget.EditText", ""};
    tac_ui *ui = tac_ui_new(0);
    size_t count = 1 + tac_random_below(random, most);
    for (uint32_t i = 0; i < count; i++) {
        tac_ui_node node = {.text = random_text(random, texts, 10),
                            .resource_id = random_text(random, ids, 6),
                            .class_name = random_text(random, classes, 4),
                            .package = "a",
                            .right = 9,
                            .bottom = 9,
                            .description =
                                tac_random_below(random, 3) ? "" : random_text(random, texts, 10),
                            .flags = (uint32_t)tac_random_below(random, 1 << 10)};
        uint32_t parent = i ? i - 1 : TAC_UI_NONE;
        while (parent != TAC_UI_NONE && tac_random_below(random, up))
            parent = ui->nodes[parent].parent;
        tac_ui_add(ui, parent, &node);
    }
    return ui;
}

#endif
