/* Input as the driver gives it; a finger, and where the driver's own scripts do not run in the page
 * (it has replaced JSON or Array) the mouse, through DevTools. An input that the page has felt is
 * never sent again. */
#include "base/data/text.h"
#include "base/io/json.h"
#include "device/web/webdriver.h"
#include <string.h>
#include <unistd.h>

/* Whether the driver fell over a script of its own before the page felt anything. */
static bool never_arrived(struct webdriver *w, double deadline)
{
    json_t *felt = NULL;
    tac_error ignored;
    if (!w->chromium || w->hung ||
        (strcmp(w->error, "unknown error") && strcmp(w->error, "javascript error")))
        return false;
    tac_status status =
        wd_ask_page(w, "touch", "__tactus.input !== null", deadline, &felt, &ignored);
    bool never = status == TAC_OK && json_is_false(felt);
    json_decref(felt);
    return never;
}

struct spot {
    int x, y, clicks;
    bool down;
};

static tac_status mouse_step(struct webdriver *w, const char *type, struct spot *at, tac_error *err)
{
    bool down = !strcmp(type, "pointerDown"), up = !strcmp(type, "pointerUp");
    at->clicks += down;
    at->down = down || (at->down && !up);
    return wd_devtools(w, "touch", "Input.dispatchMouseEvent",
                       json_pack("{s:s,s:i,s:i,s:s,s:i,s:i}", "type",
                                 down ? "mousePressed"
                                 : up ? "mouseReleased"
                                      : "mouseMoved",
                                 "x", at->x, "y", at->y, "button", at->down || up ? "left" : "none",
                                 "buttons", at->down ? 1 : 0, "clickCount", at->clicks),
                       NULL, err);
}

static tac_status mouse_again(struct webdriver *w, const json_t *source, tac_error *err)
{
    const json_t *step;
    size_t i;
    struct spot at = {0};
    tac_status status = TAC_OK;
    json_array_foreach(json_object_get(source, "actions"), i, step)
    {
        const char *type = tac_json_get_text(step, "type");
        json_int_t rest = json_integer_value(json_object_get(step, "duration"));
        if (status != TAC_OK)
            break;
        if (rest > 0 && rest < 10000)
            usleep((useconds_t)rest * 1000);
        if (!strcmp(type, "pointerMove")) {
            at.x = (int)json_integer_value(json_object_get(step, "x"));
            at.y = (int)json_integer_value(json_object_get(step, "y"));
        }
        if (strcmp(type, "pause"))
            status = mouse_step(w, type, &at, err);
    }
    return status;
}

tac_status wd_input(struct webdriver *w, const char *step, json_t *body, double deadline,
                    tac_error *err)
{
    json_incref(body);
    tac_status status = wd_deliver(w, step, "/actions", body, deadline, NULL, err);
    const json_t *source = json_array_get(json_object_get(body, "actions"), 0);
    if (status != TAC_OK && !strcmp(tac_json_get_text(source, "type"), "pointer") &&
        never_arrived(w, deadline))
        status = mouse_again(w, source, err);
    w->traffic.delivered = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    json_decref(body);
    return status;
}

static tac_status finger_event(struct webdriver *w, const char *type, json_t *points,
                               double deadline, tac_error *err)
{
    return wd_deliver(w, "touch", "/goog/cdp/execute",
                      json_pack("{s:s,s:{s:s,s:o}}", "cmd", "Input.dispatchTouchEvent", "params",
                                "type", type, "touchPoints", points),
                      deadline, NULL, err);
}

/* A finger rests on the glass, also when the page changes its size under it: the page is felt where
 * the finger is by then. The driver says for both ends where on the page they are, which makes a
 * swipe of it, or a click elsewhere, as the clocks will have it. */
tac_status wd_finger(struct webdriver *w, int32_t x, int32_t y, int milliseconds, double deadline,
                     tac_error *err)
{
    if (!w->chromium)
        return wd_input(w, "touch", wd_touch(NULL, x, y, milliseconds), deadline, err);
    tac_status status =
        finger_event(w, "touchStart", json_pack("[{s:i,s:i}]", "x", x, "y", y), deadline, err);
    if (status != TAC_OK)
        return status;
    usleep((useconds_t)milliseconds * 1000);
    status = finger_event(w, "touchEnd", json_array(), deadline, err);
    if (!strcmp(w->error, "unexpected alert open")) /* it was answered; the finger is still down */
        status = finger_event(w, "touchEnd", json_array(), deadline, err);
    w->pointer.lifted = tac_clock(CLOCK_REALTIME);
    return status;
}
