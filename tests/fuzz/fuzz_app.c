/* App files of the built-in phone: the parser, and the app itself under a short random walk. */
#include "base/data/random.h"
#include "fuzz_target.h"
#include "phone/world/phone.h"

/* Something the screen accepts, or back. */
static tac_status touch_something(tac_device *device, tac_random *random, tac_error *err)
{
    const tac_ui *ui = NULL;
    tac_gesture gesture = {.kind = TAC_ACTION_BACK};
    char *xpath = NULL;
    if (tac_device_snapshot(device, 2, &ui, err) == TAC_OK && ui->count) {
        uint32_t node = (uint32_t)tac_random_below(random, ui->count);
        unsigned accepted = tac_ui_gestures(&ui->nodes[node]);
        for (unsigned kind = TAC_ACTION_CLICK; kind <= TAC_ACTION_SCROLL; kind++)
            if (accepted & 1u << kind)
                gesture.kind = (tac_action_kind)kind;
        if (accepted)
            gesture.target.xpath = xpath = tac_ui_xpath(ui, node);
        gesture.value = "text";
    }
    tac_status st = tac_device_perform(device, &gesture, 2, err);
    free(xpath);
    return st;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sim_app *app = NULL;
    tac_error err;
    if (sim_app_parse("fuzz", (const char *)data, size, &app, &err) != TAC_OK)
        return 0;
    const tac_device_options options = {.scenario = "cafe", .seed = 1 + size};
    tac_device device = {.driver = &sim_driver, .deadline = 2};
    if (sim_attach(&device, app, "fuzz", &options, &err) != TAC_OK)
        return 0;
    tac_random random;
    tac_random_seed(&random, size);
    tac_arrival arrival;
    tac_status st = tac_device_launch(&device, 2, &err);
    for (int i = 0; i < 12 && (st == TAC_OK || st == TAC_E_LIMIT); i++) {
        st = touch_something(&device, &random, &err);
        if (st == TAC_OK)
            st = tac_device_wait_change(&device, NULL, 1, &arrival, &err);
    }
    sim_driver.free(&device);
    return 0;
}
