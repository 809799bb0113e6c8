/* Names of keys: of browsers, of Android, and what was probably meant. */
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
    CHECK_EQ(android_key_code("Enter"), 66);
    CHECK_EQ(android_key_code("KEYCODE_ENTER"), 66);
    CHECK_EQ(android_key_code("66"), 66);
    CHECK_EQ(android_key_code("Backspace"), 67);
    CHECK_EQ(android_key_code("KEYCODE_5"), 12);
    CHECK_EQ(android_key_code("5"), 5);
    CHECK_EQ(android_key_code("a"), 29);
    CHECK_EQ(android_key_code("3D_MODE"), 206);
    CHECK_EQ(android_key_code("PROFILE_SWITCH"), 288);
    CHECK_EQ(android_key_code("700"), 700); /* of a maker */
    static const char *const unknown[] = {"",          "0", "-1",        "99999999999999999999",
                                          "KEYCODE_",  ";", "Control+a", "UNKNOWN",
                                          "KEYCODE_66"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CHECK_EQ(android_key_code(unknown[i]), -1);
    CHECK_STR(android_key_name(27), "CAMERA");
    CHECK(!android_key_name(-1) && !android_key_name(0) && !android_key_name(700));
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
