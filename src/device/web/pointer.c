/* Where the pointer is. Pages show some controls only under it, so what a screen offers depends on
 * it, and it must not be a matter of timing.
 *
 * A page that has never felt a mouse takes the last touch for the pointer. One that has felt one
 * (to hover, to click twice) takes the next touch for the pointer only until a timer of the browser
 * asks where the mouse is; then what the touch had brought out goes away, before or after the page
 * is looked at. Therefore the mouse, once used, follows the finger as soon as the page has settled:
 * the pointer is always where the last touch was. */
#include "base/data/text.h"
#include "device/web/webdriver.h"

void wd_note_touch(struct webdriver *w, int32_t x, int32_t y, bool mouse)
{
    w->pointer.x = x;
    w->pointer.y = y;
    w->pointer.known = true;
    w->pointer.mouse = w->pointer.mouse || mouse;
    w->pointer.behind = w->pointer.mouse && !mouse;
}

/* The page counts the time: where it has much to do, both timers are late. */
void wd_outlast_mark(struct webdriver *w)
{
    const double marked = 200; /* milliseconds: the tap comes a little after the finger */
    double left = marked - (double)(tac_clock(CLOCK_REALTIME) - w->pointer.lifted) / 1e6;
    if (!w->pointer.mouse || !w->pointer.lifted || left <= 0)
        return;
    char call[80];
    json_t *done = NULL;
    tac_error ignored; /* a page that is gone by now marks nothing */
    snprintf(call, sizeof call, "window.__tactus && __tactus.later ? __tactus.later(%.0f) : null",
             left);
    wd_await(w, "touch", call, 5, &done, &ignored);
    json_decref(done);
}

static tac_status move_mouse(struct webdriver *w, int32_t x, int32_t y, tac_error *err)
{
    return wd_devtools(w, "hover", "Input.dispatchMouseEvent",
                       json_pack("{s:s,s:i,s:i}", "type", "mouseMoved", "x", x, "y", y), NULL, err);
}

/* It comes from beside it; chromedriver's own moves without a button do not reach the page. */
tac_status wd_hover(struct webdriver *w, int32_t x, int32_t y, double deadline, tac_error *err)
{
    w->traffic.sent = (double)tac_clock(CLOCK_REALTIME) / 1e9;
    if (!w->chromium)
        return wd_input(w, "hover", wd_mouse(x, y, 0, 0, 0), deadline, err);
    tac_status status = move_mouse(w, x > 0 ? x - 1 : x, y, err);
    return status == TAC_OK ? move_mouse(w, x, y, err) : status;
}

bool wd_pointer_follows(struct webdriver *w)
{
    tac_error ignored; /* a page that is gone by now; the next look says so */
    bool moved = w->chromium && w->pointer.behind;
    w->pointer.behind = false;
    if (moved)
        move_mouse(w, w->pointer.x, w->pointer.y, &ignored);
    return moved;
}

tac_status wd_point(tac_device *device, tac_pointer_place place, double deadline, bool *moved,
                    tac_error *err)
{
    struct webdriver *w = device->state;
    *moved = w->pointer.known;
    if (!*moved)
        return TAC_OK;
    bool away = place == TAC_POINTER_AWAY;
    const int32_t outside = w->chromium ? -1 : 0; /* other drivers refuse what is outside */
    w->pointer.mouse = true;
    w->pointer.behind = false;
    tac_status status =
        wd_hover(w, away ? outside : w->pointer.x, away ? outside : w->pointer.y, deadline, err);
    return status == TAC_OK ? wd_settle(w, deadline, err) : status;
}
