/* Typing on an Android device: texts as `input text`, which enters printable ASCII only, and keys.
 */
#include "base/data/text.h"
#include "device/android/adb.h"
#include "device/android_keys.h"
#include <string.h>

#define AND " && "

enum {
    DELETES = 500,       /* of one command */
    MOST_DELETED = 5000, /* characters: each is a key, some milliseconds long */
    MOST_TYPED = 5000
};

static size_t characters_of(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

/* From the end backwards, and forwards too where the end of a line is not that of the text. */
static void add_deletes(tac_str *command, const char *held)
{
    size_t count = characters_of(held);
    bool lines = strchr(held, '\n') != NULL;
    tac_str_add(command, AND "input keyevent 123");
    for (size_t i = 0; i < count * (lines ? 2 : 1); i++) {
        if (i && i % DELETES == 0)
            tac_str_add(command, AND "input keyevent");
        tac_str_add(command, i < count ? " 67" : " 112");
    }
}

/* Appends commands that type the text, each behind AND. Tabs and line ends are keys. */
static tac_status add_text(tac_str *command, const char *step, const char *value, tac_error *err)
{
    bool enter = tac_ends_with(value, "\\n");
    char *rest = tac_strndup(value, strlen(value) - (enter ? 2 : 0));
    char *at = rest;
    tac_status st = TAC_OK;
    if (strlen(rest) > MOST_TYPED)
        st = tac_fail(err, TAC_E_USAGE,
                      "%s: a text of %zu characters; each is a key, and at most %d are typed", step,
                      strlen(rest), MOST_TYPED);
    while (st == TAC_OK && *at) {
        size_t part = strcspn(at, "\t\n"), bad = 0;
        char end = at[part];
        tac_str text = {0};
        at[part] = '\0';
        if (!android_escape_text(at, &text, &bad))
            st = tac_fail(err, TAC_E_USAGE,
                          "%s: Android's input command enters printable ASCII only; '%s' has "
                          "something else at byte %zu",
                          step, value, (size_t)(at - rest) + bad + 1);
        else if (part)
            tac_str_addf(command, AND "input text %s", tac_str_text(&text));
        if (end)
            tac_str_addf(command, AND "input keyevent %d", end == '\t' ? 61 : 66);
        tac_str_free(&text);
        at += part + (end != '\0');
    }
    if (enter)
        tac_str_add(command, AND "input keyevent 66");
    free(rest);
    return st;
}

/* The command says so when it has no key for a character, or took the text for several words: that
 * is a step that cannot be done, the device is there. */
static tac_status enter(struct adb *a, const char *step, const char *command, double deadline,
                        tac_error *err)
{
    tac_error said;
    tac_status st = adb_input(a, step, deadline, command, &said);
    if (st == TAC_E_DEVICE && (strstr(said.message, "NullPointerException") ||
                               strstr(said.message, "Invalid arguments for command")))
        return tac_fail(err, TAC_E_USAGE, "%s", said.message);
    if (st && err)
        *err = said;
    return st;
}

tac_status adb_enter_text(struct adb *a, const char *step, const tac_ui_node *node, int32_t x,
                          int32_t y, const char *value, double deadline, tac_error *err)
{
    tac_str command = {0};
    tac_status st = TAC_OK;
    if (characters_of(node->text) > MOST_DELETED)
        st =
            tac_fail(err, TAC_E_USAGE,
                     "%s: the field holds %zu characters; each is deleted by a key, at most %d are",
                     step, characters_of(node->text), MOST_DELETED);
    tac_str_addf(&command, "input tap %d %d", x, y);
    add_deletes(&command, st ? "" : node->text);
    if (!st)
        st = add_text(&command, step, value, err);
    if (!st)
        st = enter(a, step, tac_str_text(&command), deadline, err);
    tac_str_free(&command);
    return st;
}

static bool anything_focused(const tac_ui *ui)
{
    for (uint32_t i = 0; i < ui->count; i++)
        if (ui->nodes[i].flags & TAC_UI_FOCUSED)
            return true;
    return false;
}

static tac_status type_into_focus(tac_device *device, const char *text, double deadline,
                                  tac_error *err)
{
    struct adb *a = adb_of(device);
    tac_str command = {0};
    tac_status st = adb_look(device, deadline, err);
    if (!st && !anything_focused(a->ui))
        st = tac_fail(err, TAC_E_LIMIT, "type: nothing on the screen has the focus");
    if (!st)
        st = add_text(&command, "type", text, err);
    if (!st && command.length)
        st = enter(a, "type", tac_str_text(&command) + strlen(AND), deadline, err);
    tac_str_free(&command);
    return st;
}

tac_status adb_press_key(tac_device *device, const char *name, double deadline, tac_error *err)
{
    struct android_key key;
    tac_str command = {0};
    if (!strncmp(name, "text:", 5))
        return type_into_focus(device, name + 5, deadline, err);
    tac_status st = android_key_read(name, &key, err);
    if (st)
        return st;
    if (key.character) {
        st = add_text(&command, "key", key.character, err);
    } else {
        tac_str_addf(&command, AND "input keyevent %u", key.code);
    }
    if (!st)
        st = adb_input(adb_of(device), "key", deadline, tac_str_text(&command) + strlen(AND), err);
    tac_str_free(&command);
    return st;
}
