/* Looking at an Android device and touching it. */
#include "base/data/text.h"
#include "device/android/adb.h"
#include "device/android_keys.h"
#include "device/hierarchy.h"
#include "model/model.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- looking --- */

/* FNV-1a over what tells two screens apart. */
static void sign(struct adb *a)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < a->ui->count; i++) {
        const tac_ui_node *n = &a->ui->nodes[i];
        const char *const texts[] = {n->resource_id, n->class_name, n->package};
        for (size_t k = 0; k < 3; k++)
            for (const char *c = texts[k]; *c; c++)
                hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
        hash = (hash ^ n->flags ^ (uint64_t)n->parent << 20) * UINT64_C(0x100000001b3);
    }
    snprintf(a->shown, sizeof a->shown, "%016" PRIx64, hash);
}

static tac_status read_screen(struct adb *a, const char *xml, size_t size, tac_error *err)
{
    tac_ui *ui = NULL;
    tac_status st = tac_ui_from_xml("uiautomator dump", xml, size, &ui, err);
    if (st)
        return st;
    tac_ui_free(a->ui);
    a->ui = ui;
    a->fresh = true;
    sign(a);
    return TAC_OK;
}

/* The screen moves. While media plays it will not stop, so say so; anything else may come to rest.
 */
static tac_status judge_busy(struct adb *a, double limit, tac_error *err)
{
    tac_status st =
        adb_do(a, "snapshot", fmax(limit - tac_now(), 0.1), err, "dumpsys media_session");
    if (st)
        return st;
    bool plays = android_media_plays(tac_str_text(&a->result.output), a->result.output.length);
    a->plays = plays;
    if (!plays && tac_now() + 0.3 < limit)
        return TAC_OK;
    return tac_fail(err, TAC_E_LIMIT, "snapshot: ERROR: could not get idle state (%s)",
                    plays ? "media is playing; pause it and ask again"
                          : "the screen keeps moving, and nothing plays; a longer deadline waits "
                            "longer");
}

tac_status adb_snapshot(tac_device *device, double deadline, const tac_ui **out, tac_error *err)
{
    static const char file[] = "/data/local/tmp/tactus-ui.xml";
    struct adb *a = adb_of(device);
    double limit = tac_now() + deadline;
    for (;;) {
        tac_status st = adb_do(a, "snapshot", fmax(limit - tac_now(), 0.1), err,
                               "rm -f %s; uiautomator dump %s && cat %s", file, file, file);
        if (st)
            return st;
        size_t start = 0, length = 0;
        char message[256] = "";
        const char *text = tac_str_text(&a->result.output);
        enum android_dump_answer answer = android_read_dump(text, a->result.output.length, &start,
                                                            &length, message, sizeof message);
        if (answer == ANDROID_DUMP_OK) {
            st = read_screen(a, text + start, length, err);
            if (!st)
                *out = a->ui;
            return st;
        }
        if (answer == ANDROID_DUMP_BUSY)
            st = judge_busy(a, limit, err);
        else if (answer == ANDROID_DUMP_FAILED || tac_now() + 0.3 >= limit)
            st = tac_fail(err, TAC_E_DEVICE, "snapshot: %s",
                          *message ? message : "there is no window (null root node)");
        if (!st)
            st = adb_do(a, "snapshot", fmax(limit - tac_now(), 0.1) + 0.3, err, "sleep 0.3");
        if (st)
            return st;
    }
}

bool adb_media_plays(const tac_device *device)
{
    return ((const struct adb *)device->state)->plays;
}

/* The screen as it is. While media plays it cannot be dumped: pause, dump, play on. What moves
 * although nothing plays is not stopped so, and playing on would begin what nobody asked for. */
tac_status adb_look(tac_device *device, double deadline, tac_error *err)
{
    struct adb *a = adb_of(device);
    const tac_ui *ui = NULL;
    tac_error first;
    if (a->fresh)
        return TAC_OK;
    tac_status st = adb_snapshot(device, deadline, &ui, &first);
    if (st != TAC_E_LIMIT || !a->plays) {
        if (st && err)
            *err = first;
        return st;
    }
    st = adb_system(device, "media-pause", deadline, err);
    if (!st)
        st = adb_snapshot(device, deadline, &ui, err);
    tac_status again = adb_system(device, "media-play", deadline, &first);
    return st ? st : again;
}

/* --- touching --- */

/* The line in which the input command says what is wrong, or NULL: it exits with 0 all the same. */
static const char *find_complaint(const char *text, int *length)
{
    for (; *text; text += strspn(text, "\r\n")) {
        const char *line = text;
        text += strcspn(text, "\r\n");
        *length = (int)fmin((double)(text - line), 300);
        static const char *const words[] = {"Exception", "Error", "nknown command"};
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (memmem(line, (size_t)(text - line), words[i], strlen(words[i])))
                return line;
    }
    return NULL;
}

/* Runs an input command between two readings of the clock, which give the response time. */
tac_status adb_input(struct adb *a, const char *step, double deadline, const char *command,
                     tac_error *err)
{
    struct adb_logged marks;
    a->fresh = false;
    tac_status st = adb_do_logged(a, step, deadline, &marks, err,
                                  "date +%%s%%N; %s; echo ==end; date +%%s%%N", command);
    if (st)
        return st;
    a->arrival_count = 0; /* what came before the input is not its doing */
    if (marks.lost) {
        a->response = NAN;
        return TAC_OK;
    }
    int length = 0;
    const char *complaint = find_complaint(tac_str_text(&a->result.output), &length);
    if (complaint)
        return tac_fail(err, TAC_E_DEVICE, "%s: the device says: %.*s", step, length, complaint);
    a->response = (double)(adb_part_date(a, "end") - adb_part_date(a, "")) * 1e-9;
    return TAC_OK;
}

/* A scroll looks into the direction: the finger goes against it. A swipe is where the finger goes;
 * one without a direction goes up. */
static void scroll_command(const tac_ui_node *n, const char *way, bool swipe, char *out,
                           size_t size)
{
    int32_t x = (n->left + n->right) / 2, y = (n->top + n->bottom) / 2;
    int32_t dx = (n->right - n->left) / 4, dy = (n->bottom - n->top) / 4;
    bool sideways = way && (!strcmp(way, "left") || !strcmp(way, "right"));
    int32_t sign_of = way && (!strcmp(way, "up") || !strcmp(way, "left")) ? -1 : 1;
    if (swipe && way && *way)
        sign_of = -sign_of;
    dx = sideways ? dx * sign_of : 0;
    dy = sideways ? 0 : dy * sign_of;
    snprintf(out, size, "input swipe %d %d %d %d 300", x + dx, y + dy, x - dx, y - dy);
}

/* How far apart two taps were, by the two times in the output, in seconds; NaN where there are
 * none.
 */
static double time_between_taps(const struct adb *a)
{
    size_t size;
    const char *text = adb_part(a, "taps", &size), *next = memchr(text, '\n', size);
    uint64_t first, second;
    if (!next || !android_count(text, next, &first) ||
        !android_count(next + 1, text + size, &second))
        return NAN;
    return fabs((double)(int64_t)(second - first)) * 1e-9;
}

/* Android takes two taps for a double tap when the second begins 40 to 300 ms after the first has
 * ended (ViewConfiguration's DOUBLE_TAP_MIN_TIME and DOUBLE_TAP_TIMEOUT, which GestureDetector
 * compares with the events' own times). Up to Android 11 every `input` starts a virtual machine,
 * which alone may take longer, so that both are started, one a little after the other: what they
 * need to start does not come between their taps. */
static tac_status double_tap(struct adb *a, const char *step, int32_t x, int32_t y, double deadline,
                             tac_error *err)
{
    const double least = 0.04, most = 0.3;
    char command[200];
    snprintf(command, sizeof command,
             "echo ==taps; (input tap %d %d; date +%%s%%N) & sleep 0.12; input tap %d %d; "
             "date +%%s%%N; wait",
             x, y, x, y);
    tac_status st = adb_input(a, step, deadline, command, err);
    if (st || isnan(a->response))
        return st;
    double between = time_between_taps(a);
    if (between >= least && between <= most)
        return TAC_OK;
    return tac_fail(err, TAC_E_USAGE,
                    "%s: there were %.2f s between the two taps; Android takes them for a double "
                    "tap when there are %g to %g s, and its input command is not as even on this "
                    "phone",
                    step, between, least, most);
}

/* Held as long as a long press takes, then moved. From Android 12 on the time that is given
 * contains the hold, which the phone's owner may set to 1.5 s, and nothing moves when none is left.
 */
static tac_status drag(struct adb *a, const char *step, const tac_gesture *gesture, int32_t x,
                       int32_t y, double deadline, tac_error *err)
{
    enum { MILLISECONDS = 2500 };
    char command[120];
    uint32_t to = TAC_UI_NONE;
    int32_t to_x, to_y;
    tac_error said;
    tac_status st = ui_find_drop(a->ui, gesture, &to, err);
    if (st)
        return st;
    ui_free_point(a->ui, to, &to_x, &to_y);
    snprintf(command, sizeof command, "input draganddrop %d %d %d %d %d", x, y, to_x, to_y,
             MILLISECONDS);
    st = adb_input(a, step, deadline, command, &said);
    if (st == TAC_E_DEVICE && strstr(said.message, "nknown command: draganddrop"))
        return tac_fail(err, TAC_E_USAGE,
                        "%s: this phone's input command has no draganddrop (Android 7 and later "
                        "have it), and nothing else holds before it moves",
                        step);
    if (st && err)
        *err = said;
    return st;
}

static tac_status touch(tac_device *device, const tac_gesture *gesture, double deadline,
                        tac_error *err)
{
    struct adb *a = adb_of(device);
    char name[256], step[320], command[160];
    const char *kind = tac_action_kind_name(gesture->kind);
    uint32_t place, taker;
    snprintf(step, sizeof step, "%s %s", kind,
             tac_selector_text(&gesture->target, name, sizeof name));
    tac_status st = adb_look(device, deadline, err);
    if (!st)
        st = ui_find_touch(a->ui, gesture, &place, &taker, err);
    if (st)
        return st;
    const tac_ui_node *n = &a->ui->nodes[place];
    int32_t x, y;
    ui_free_point(a->ui, place, &x, &y);
    switch (gesture->kind) {
    case TAC_ACTION_TEXT:
        return adb_enter_text(a, step, n, x, y, gesture->value ? gesture->value : "", deadline,
                              err);
    case TAC_ACTION_DOUBLE_CLICK:
        return double_tap(a, step, x, y, deadline, err);
    case TAC_ACTION_DRAG:
        return drag(a, step, gesture, x, y, deadline, err);
    case TAC_ACTION_LONG_CLICK:
        snprintf(command, sizeof command, "input swipe %d %d %d %d 1000", x, y, x, y);
        break;
    case TAC_ACTION_SCROLL:
        n = &a->ui->nodes[taker];
        scroll_command(n, gesture->value, false, command, sizeof command);
        break;
    case TAC_ACTION_SWIPE:
        scroll_command(n, gesture->value, true, command, sizeof command);
        break;
    case TAC_ACTION_CLICK:
    case TAC_ACTION_PINCH:
    case TAC_ACTION_BACK:
    case TAC_ACTION_HOME:
    case TAC_ACTION_LAUNCH:
    case TAC_ACTION_KEY:
    case TAC_ACTION_WAIT:
    case TAC_ACTION_HOVER:
        snprintf(command, sizeof command, "input tap %d %d", x, y);
    }
    return adb_input(a, step, deadline, command, err);
}

bool adb_has_key(const tac_device *device, const char *name)
{
    (void)device;
    return android_key_exists(name);
}

tac_status adb_perform(tac_device *device, const tac_gesture *gesture, double deadline,
                       tac_error *err)
{
    struct adb *a = adb_of(device);
    double seconds = 0;
    switch (gesture->kind) {
    case TAC_ACTION_BACK:
        return adb_input(a, "back", deadline, "input keyevent 4", err);
    case TAC_ACTION_HOME:
        return adb_input(a, "home", deadline, "input keyevent 3", err);
    case TAC_ACTION_LAUNCH:
        return adb_launch(device, deadline, err);
    case TAC_ACTION_KEY:
        return adb_press_key(device, gesture->value ? gesture->value : "", deadline, err);
    case TAC_ACTION_PINCH:
        return tac_fail(err, TAC_E_INPUT, "pinch: Android's input command has one finger only");
    case TAC_ACTION_WAIT:
        if (gesture->value && tac_parse_double(gesture->value, &seconds) && seconds > 0)
            return adb_sleep(device, seconds, err);
        return TAC_OK;
    case TAC_ACTION_CLICK:
    case TAC_ACTION_LONG_CLICK:
    case TAC_ACTION_TEXT:
    case TAC_ACTION_SCROLL:
    case TAC_ACTION_SWIPE:
    case TAC_ACTION_DOUBLE_CLICK:
    case TAC_ACTION_HOVER:
    case TAC_ACTION_DRAG:
        break;
    }
    return touch(device, gesture, deadline, err);
}

/* --- what the system does --- */

static const struct {
    const char *event, *command;
} system_commands[] = {
    {"keyboard-close", "input keyevent 111"},
    {"media-play", "input keyevent 126"},
    {"media-pause", "input keyevent 127"},
    {"connectivity-off", "svc wifi disable; svc data disable"},
    {"connectivity-on", "svc wifi enable; svc data enable"},
    {"background", "am start -a android.intent.action.MAIN -c android.intent.category.HOME"},
};

tac_status adb_system(tac_device *device, const char *event, double deadline, tac_error *err)
{
    struct adb *a = adb_of(device);
    char command[300] = "";
    for (size_t i = 0; i < sizeof system_commands / sizeof *system_commands; i++)
        if (!strcmp(system_commands[i].event, event))
            snprintf(command, sizeof command, "%s", system_commands[i].command);
    if (!strcmp(event, "foreground"))
        snprintf(command, sizeof command, "monkey -p %s -c android.intent.category.LAUNCHER 1",
                 a->package);
    if (!strcmp(event, "low-memory"))
        snprintf(command, sizeof command, "am send-trim-memory %s RUNNING_CRITICAL", a->package);
    if (!strcmp(event, "rotate"))
        snprintf(command, sizeof command,
                 "settings put system accelerometer_rotation 0; "
                 "settings put system user_rotation %u",
                 a->rotation ^= 1);
    if (!strcmp(event, "keyboard-open"))
        return tac_fail(err, TAC_E_USAGE,
                        "adb: Android opens the keyboard by itself when a field is tapped");
    tac_str quoted = {0};
    if (!*command) { /* the app's own: a broadcast that it listens to */
        android_quote(event, &quoted);
        snprintf(command, sizeof command, "am broadcast -a %.200s -p %s", tac_str_text(&quoted),
                 a->package);
        tac_str_free(&quoted);
    }
    if (strncmp(event, "media-", 6) != 0)
        a->fresh = false;
    struct adb_logged marks;
    tac_status st = adb_do_logged(a, event, deadline, &marks, err, "%s", command);
    if (!st) {
        a->own = true;
        st = adb_catch_up(a, event, marks.after, tac_now() + deadline, err);
        a->own = false;
    }
    return st;
}
