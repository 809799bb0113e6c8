/* A browser in the shape of a phone, turned on its side and back again. What the page does because
 * of it (listeners of resize, orientationchange) belongs to the turn as to a touch. Cost: three
 * round trips and a frame a turn. */
#include "base/data/text.h"
#include "device/web/webdriver.h"
#include <string.h>

/* The window of a phone that lies on its side, or as the session began. */
static tac_status reshape(struct webdriver *w, bool aside, tac_error *err)
{
    json_t *shape =
        json_pack("{s:i,s:i,s:f,s:b}", "width", aside ? WD_HIGH : WD_WIDE, "height",
                  aside ? WD_WIDE : WD_HIGH, "deviceScaleFactor", WD_PIXELS, "mobile", 1);
    if (aside)
        json_object_set_new(shape, "screenOrientation",
                            json_pack("{s:s,s:i}", "type", "landscapePrimary", "angle", 90));
    return wd_devtools(w, "turn the screen", "Emulation.setDeviceMetricsOverride", shape, NULL,
                       err);
}

void wd_heard(struct webdriver *w, double deadline)
{
    tac_error ignored; /* a page that is gone by now; the next look says so */
    if (w->chromium)
        wd_await(w, "wait for the page to hear of it", "window.__tactus && __tactus.heard",
                 deadline, NULL, &ignored);
}

tac_status wd_system(tac_device *device, const char *event, double deadline, tac_error *err)
{
    struct webdriver *w = device->state;
    json_t *armed = NULL;
    if (strcmp(event, "rotate") != 0)
        return tac_fail(err, TAC_E_USAGE, "a browser cannot do '%s'", event);
    if (!w->chromium || !w->process || w->capabilities)
        return tac_fail(err, TAC_E_USAGE,
                        "only the browser that has the shape of a phone can be turned; that of "
                        "other drivers, or with capabilities of its own, is not known");
    bool aside = !w->aside;
    tac_status status =
        wd_ask_page(w, "turn the screen", aside ? "__tactus.turn(true)" : "__tactus.turn(false)",
                    deadline, &armed, err);
    json_decref(armed);
    wd_touched(w);
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    if (status == TAC_OK)
        status = reshape(w, aside, err);
    if (status != TAC_OK)
        return status;
    w->aside = aside;
    wd_heard(w, deadline);
    return TAC_OK;
}
