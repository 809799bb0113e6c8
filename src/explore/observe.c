/* Looks at the device after something happened: has the app crashed, is it in front, which screen
 * is it. Two things are handled on the way: permission dialogs are answered by rule, and media that
 * keeps Android from dumping the hierarchy is paused for the snapshot and resumed after it (section
 * 5.1.4), whether or not the snapshot could be taken. */
#include "base/check.h"
#include "explore/crew.h"
#include "explore/permission.h"

/* Borrowed texts end with the next call on the device; interned ones stay. */
static const char *kept(struct explorer *ex, const char *text)
{
    uint32_t id = tac_names_intern(&ex->names, text);
    return ex->names.text[id];
}

static tac_status answer_dialog(struct explorer *ex, tac_error *err)
{
    const tac_ui *ui = NULL;
    const char *wanted = permission_button(ex->options.deny_permissions);
    tac_status st = crew_snapshot(ex, &ui, err);
    if (st)
        return st;
    for (uint32_t i = 0; i < ui->count; i++) {
        if (!strstr(ui->nodes[i].resource_id, wanted))
            continue;
        char *xpath = tac_ui_xpath(ui, i);
        tac_gesture click = {.kind = TAC_ACTION_CLICK, .target = {.xpath = xpath}};
        st = crew_perform(ex, &click, err);
        free(xpath);
        return st ? st : crew_settle(ex, err);
    }
    return tac_fail(err, TAC_E_DEVICE, "a permission dialog has no button '%s'", wanted);
}

static tac_status read_screen(struct explorer *ex, struct sight *out, tac_error *err)
{
    const tac_ui *ui = NULL;
    out->activity = kept(ex, out->activity);
    out->package = kept(ex, out->package);
    bool paused = false;
    tac_error first = {0};
    ex->snapshots++;
    tac_status st = crew_snapshot(ex, &ui, &first);
    if (st == TAC_E_LIMIT && tac_device_media_plays(ex->device)) {
        paused = true;
        st = crew_system(ex, "media-pause", err);
        if (!st)
            st = crew_snapshot(ex, &ui, err);
    } else if (st && err) {
        *err = first;
    }
    if (!st)
        st = screen_match(ex, ui, out->activity, &out->screen, err);
    assert(st || out->screen < ex->screens.count);
    if (!st)
        picture_take(ex, out->screen);
    if (!paused)
        return st;
    tac_status again = crew_system(ex, "media-play", st ? NULL : err);
    return st ? st : again;
}

tac_status observe(struct explorer *ex, struct sight *out, tac_error *err)
{
    tac_status st = TAC_OK;
    tac_foreground front = {0};
    for (int dialogs = 0;; dialogs++) {
        tac_crash crash = {0};
        st = crew_crash(ex, &crash, err);
        if (!st)
            st = crew_foreground(ex, &front, err);
        if (st)
            return st;
        *out = (struct sight){.running = front.running && !crash.crashed,
                              .crashed = crash.crashed,
                              .screen = NOWHERE,
                              .package = front.package,
                              .activity = front.activity,
                              .depth = front.depth,
                              .instance = front.instance};
        if (crash.crashed || !permission_is_asked(front.package))
            break;
        if (dialogs >= 20)
            return tac_fail(err, TAC_E_DEVICE, "permission dialogs keep coming back");
        st = answer_dialog(ex, err);
        if (st)
            return st;
    }
    out->in_app = out->running && !strcmp(out->package, ex->package);
    assert(!out->in_app || !out->crashed);
    if (out->in_app)
        return read_screen(ex, out, err);
    out->package = kept(ex, out->package);
    out->activity = kept(ex, out->activity);
    return TAC_OK;
}
