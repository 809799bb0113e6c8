/* Names of keys: of browsers, of Android, and what was probably meant. */
#include "device/android_keys.h"
#include "device/keys.h"
#include "tactus_test.h"

TEST(browsers_know_characters_names_and_modifiers)
{
    static const char *const known[] = {"a",        "+",     "\xc3\xa9",  "Enter",
                                        "F12",      "Shift", "Control+a", "Control+Shift+ArrowLeft",
                                        "Control++"};
    static const char *const unknown[] = {"",         "ab",      "enter",     "Control+",
                                          "Controla", "+Enter",  "CAMERA",    "F13",
                                          "\xc3",     "Enter+a", "Control+ab"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        CHECK(web_key_exists(known[i]));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CHECK(!web_key_exists(unknown[i]));
}

TEST(phones_know_names_of_both_kinds_and_numbers)
{
    static const char *const unknown[] = {
        "", "-1", "0x", "99999999999999999999", "KEYCODE_", "Control+a", "UNKNOWN", "KEYCODE_66"};
    static const struct {
        const char *name;
        uint32_t code;
    } known[] = {{"Enter", 66},     {"KEYCODE_ENTER", 66}, {"66", 66},
                 {"Backspace", 67}, {"KEYCODE_5", 12},     {"5", 12},
                 {"a", 29},         {"3D_MODE", 206},      {"PROFILE_SWITCH", 288},
                 {"700", 700}}; /* of a maker */
    struct android_key key;
    tac_error err;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        CHECK_EQ(android_key_read(known[i].name, &key, &err), TAC_OK);
        CHECK_EQ(key.code, known[i].code);
        CHECK(device_key_exists(known[i].name));
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CHECK(android_key_read(unknown[i], &key, &err) != TAC_OK);
    CHECK_STR(android_key_name(27), "CAMERA");
    CHECK(!android_key_name(0) && !android_key_name(700));
    CHECK(!device_key_exists("Etner"));
}

static void meant(const char *name, const char *wanted)
{
    char buffer[40];
    CHECK_STR(device_key_closest(name, buffer, sizeof buffer), wanted);
}

TEST(what_was_meant_is_found_with_its_modifiers)
{
    meant("Etner", "Enter");
    meant("ENTR", "ENTER");
    meant("keycode_camera", "CAMERA");
    meant("Crtl+a", "Ctrl+a");
    meant("control+SHIFT+arrowleft", "Control+Shift+ArrowLeft");
    meant("Nothing", "");
    meant("", "");
    meant("Control+", "");
    meant("Shift+Shift+Shift+Shift+Shift+Shift+Shift+Shift+Enter", "");
}
