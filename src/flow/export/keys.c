/* Keys by their names, in the words of each tool. A name is looked for without regard to case, to
 * '_' and to a leading KEYCODE_; a single character is itself. */
#include "flow/export/exporter.h"
#include <ctype.h>
#include <string.h>

static const struct export_key keys[] = {
    {"Enter", "ENTER", 66, 0xE007, "Enter"},
    {"Tab", "TAB", 61, 0xE004, "Tab"},
    {"Escape", "ESCAPE", 111, 0xE00C, NULL},
    {"Backspace", "DEL", 67, 0xE003, "Backspace"},
    {"Del", "DEL", 67, 0xE003, "Backspace"},
    {"Delete", "FORWARD_DEL", 112, 0xE017, NULL},
    {"Space", "SPACE", 62, 0xE00D, NULL},
    {"ArrowLeft", "DPAD_LEFT", 21, 0xE012, NULL},
    {"ArrowUp", "DPAD_UP", 19, 0xE013, NULL},
    {"ArrowRight", "DPAD_RIGHT", 22, 0xE014, NULL},
    {"ArrowDown", "DPAD_DOWN", 20, 0xE015, NULL},
    {"DpadLeft", "DPAD_LEFT", 21, 0xE012, NULL},
    {"DpadUp", "DPAD_UP", 19, 0xE013, NULL},
    {"DpadRight", "DPAD_RIGHT", 22, 0xE014, NULL},
    {"DpadDown", "DPAD_DOWN", 20, 0xE015, NULL},
    {"DpadCenter", "DPAD_CENTER", 23, 0xE007, NULL},
    {"PageUp", "PAGE_UP", 92, 0xE00E, NULL},
    {"PageDown", "PAGE_DOWN", 93, 0xE00F, NULL},
    {"MoveHome", "MOVE_HOME", 122, 0xE011, NULL},
    {"End", "MOVE_END", 123, 0xE010, NULL},
    {"Back", "BACK", 4, 0, "Back"},
    {"Home", "HOME", 3, 0, "Home"},
    {"Menu", "MENU", 82, 0, NULL},
    {"Search", "SEARCH", 84, 0, NULL},
    {"Camera", "CAMERA", 27, 0, NULL},
    {"Power", "POWER", 26, 0, "Power"},
    {"VolumeUp", "VOLUME_UP", 24, 0, "Volume Up"},
    {"VolumeDown", "VOLUME_DOWN", 25, 0, "Volume Down"},
    {"VolumeMute", "VOLUME_MUTE", 164, 0, NULL},
    {"MediaPlayPause", "MEDIA_PLAY_PAUSE", 85, 0, NULL},
    {"MediaPlay", "MEDIA_PLAY", 126, 0, NULL},
    {"MediaPause", "MEDIA_PAUSE", 127, 0, NULL},
    {"MediaStop", "MEDIA_STOP", 86, 0, NULL},
    {"MediaNext", "MEDIA_NEXT", 87, 0, NULL},
    {"MediaPrevious", "MEDIA_PREVIOUS", 88, 0, NULL},
    {"AppSwitch", "APP_SWITCH", 187, 0, NULL},
};

static bool same_name(const char *key, const char *name)
{
    for (; *key; key++) {
        while (*name == '_' || *name == ' ')
            name++;
        if (tolower((unsigned char)*name++) != tolower((unsigned char)*key))
            return false;
    }
    return !*name;
}

const struct export_key *export_key_of(const char *name)
{
    if (!strncmp(name, "KEYCODE_", 8))
        name += 8;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (same_name(keys[i].name, name))
            return &keys[i];
    return NULL;
}

const char *export_key_name(uint32_t webdriver)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].webdriver == webdriver)
            return keys[i].name;
    return NULL;
}
