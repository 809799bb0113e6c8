/* Keys of Android by number, as android.view.KeyEvent has them up to Android 11; those that came
 * later are pressed by their numbers. */
#include "device/android_keys.h"
#include "base/data/text.h"
#include <string.h>

/* clang-format off */
static const char *const names[] = {
    "UNKNOWN", "SOFT_LEFT", "SOFT_RIGHT", "HOME", "BACK", "CALL", "ENDCALL", "0", "1", "2", "3",
    "4", "5", "6", "7", "8", "9", "STAR", "POUND", "DPAD_UP", "DPAD_DOWN", "DPAD_LEFT",
    "DPAD_RIGHT", "DPAD_CENTER", "VOLUME_UP", "VOLUME_DOWN", "POWER", "CAMERA", "CLEAR", "A", "B",
    "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T", "U",
    "V", "W", "X", "Y", "Z", "COMMA", "PERIOD", "ALT_LEFT", "ALT_RIGHT", "SHIFT_LEFT",
    "SHIFT_RIGHT", "TAB", "SPACE", "SYM", "EXPLORER", "ENVELOPE", "ENTER", "DEL", "GRAVE",
    "MINUS", "EQUALS", "LEFT_BRACKET", "RIGHT_BRACKET", "BACKSLASH", "SEMICOLON", "APOSTROPHE",
    "SLASH", "AT", "NUM", "HEADSETHOOK", "FOCUS", "PLUS", "MENU", "NOTIFICATION", "SEARCH",
    "MEDIA_PLAY_PAUSE", "MEDIA_STOP", "MEDIA_NEXT", "MEDIA_PREVIOUS", "MEDIA_REWIND",
    "MEDIA_FAST_FORWARD", "MUTE", "PAGE_UP", "PAGE_DOWN", "PICTSYMBOLS", "SWITCH_CHARSET",
    "BUTTON_A", "BUTTON_B", "BUTTON_C", "BUTTON_X", "BUTTON_Y", "BUTTON_Z", "BUTTON_L1",
    "BUTTON_R1", "BUTTON_L2", "BUTTON_R2", "BUTTON_THUMBL", "BUTTON_THUMBR", "BUTTON_START",
    "BUTTON_SELECT", "BUTTON_MODE", "ESCAPE", "FORWARD_DEL", "CTRL_LEFT", "CTRL_RIGHT",
    "CAPS_LOCK", "SCROLL_LOCK", "META_LEFT", "META_RIGHT", "FUNCTION", "SYSRQ", "BREAK",
    "MOVE_HOME", "MOVE_END", "INSERT", "FORWARD", "MEDIA_PLAY", "MEDIA_PAUSE", "MEDIA_CLOSE",
    "MEDIA_EJECT", "MEDIA_RECORD", "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10",
    "F11", "F12", "NUM_LOCK", "NUMPAD_0", "NUMPAD_1", "NUMPAD_2", "NUMPAD_3", "NUMPAD_4",
    "NUMPAD_5", "NUMPAD_6", "NUMPAD_7", "NUMPAD_8", "NUMPAD_9", "NUMPAD_DIVIDE",
    "NUMPAD_MULTIPLY", "NUMPAD_SUBTRACT", "NUMPAD_ADD", "NUMPAD_DOT", "NUMPAD_COMMA",
    "NUMPAD_ENTER", "NUMPAD_EQUALS", "NUMPAD_LEFT_PAREN", "NUMPAD_RIGHT_PAREN", "VOLUME_MUTE",
    "INFO", "CHANNEL_UP", "CHANNEL_DOWN", "ZOOM_IN", "ZOOM_OUT", "TV", "WINDOW", "GUIDE", "DVR",
    "BOOKMARK", "CAPTIONS", "SETTINGS", "TV_POWER", "TV_INPUT", "STB_POWER", "STB_INPUT",
    "AVR_POWER", "AVR_INPUT", "PROG_RED", "PROG_GREEN", "PROG_YELLOW", "PROG_BLUE", "APP_SWITCH",
    "BUTTON_1", "BUTTON_2", "BUTTON_3", "BUTTON_4", "BUTTON_5", "BUTTON_6", "BUTTON_7",
    "BUTTON_8", "BUTTON_9", "BUTTON_10", "BUTTON_11", "BUTTON_12", "BUTTON_13", "BUTTON_14",
    "BUTTON_15", "BUTTON_16", "LANGUAGE_SWITCH", "MANNER_MODE", "3D_MODE", "CONTACTS", "CALENDAR",
    "MUSIC", "CALCULATOR", "ZENKAKU_HANKAKU", "EISU", "MUHENKAN", "HENKAN", "KATAKANA_HIRAGANA",
    "YEN", "RO", "KANA", "ASSIST", "BRIGHTNESS_DOWN", "BRIGHTNESS_UP", "MEDIA_AUDIO_TRACK",
    "SLEEP", "WAKEUP", "PAIRING", "MEDIA_TOP_MENU", "11", "12", "LAST_CHANNEL", "TV_DATA_SERVICE",
    "VOICE_ASSIST", "TV_RADIO_SERVICE", "TV_TELETEXT", "TV_NUMBER_ENTRY", "TV_TERRESTRIAL_ANALOG",
    "TV_TERRESTRIAL_DIGITAL", "TV_SATELLITE", "TV_SATELLITE_BS", "TV_SATELLITE_CS",
    "TV_SATELLITE_SERVICE", "TV_NETWORK", "TV_ANTENNA_CABLE", "TV_INPUT_HDMI_1",
    "TV_INPUT_HDMI_2", "TV_INPUT_HDMI_3", "TV_INPUT_HDMI_4", "TV_INPUT_COMPOSITE_1",
    "TV_INPUT_COMPOSITE_2", "TV_INPUT_COMPONENT_1", "TV_INPUT_COMPONENT_2", "TV_INPUT_VGA_1",
    "TV_AUDIO_DESCRIPTION", "TV_AUDIO_DESCRIPTION_MIX_UP", "TV_AUDIO_DESCRIPTION_MIX_DOWN",
    "TV_ZOOM_MODE", "TV_CONTENTS_MENU", "TV_MEDIA_CONTEXT_MENU", "TV_TIMER_PROGRAMMING", "HELP",
    "NAVIGATE_PREVIOUS", "NAVIGATE_NEXT", "NAVIGATE_IN", "NAVIGATE_OUT", "STEM_PRIMARY", "STEM_1",
    "STEM_2", "STEM_3", "DPAD_UP_LEFT", "DPAD_DOWN_LEFT", "DPAD_UP_RIGHT", "DPAD_DOWN_RIGHT",
    "MEDIA_SKIP_FORWARD", "MEDIA_SKIP_BACKWARD", "MEDIA_STEP_FORWARD", "MEDIA_STEP_BACKWARD",
    "SOFT_SLEEP", "CUT", "COPY", "PASTE", "SYSTEM_NAVIGATION_UP", "SYSTEM_NAVIGATION_DOWN",
    "SYSTEM_NAVIGATION_LEFT", "SYSTEM_NAVIGATION_RIGHT", "ALL_APPS", "REFRESH", "THUMBS_UP",
    "THUMBS_DOWN", "PROFILE_SWITCH"};
/* clang-format on */
enum { NAMES = sizeof names / sizeof *names, MOST_CODE = 999 };

/* What browsers call keys that have another name here. Their Home and End move in a text. */
static const struct {
    const char *name;
    uint32_t code;
} browser_names[] = {{"Enter", 66},      {"Tab", 61},         {"Escape", 111},   {"Backspace", 67},
                     {"Delete", 112},    {"Insert", 124},     {"Home", 122},     {"End", 123},
                     {"PageUp", 92},     {"PageDown", 93},    {"ArrowLeft", 21}, {"ArrowUp", 19},
                     {"ArrowRight", 22}, {"ArrowDown", 20},   {"Space", 62},     {"Back", 4},
                     {"MediaPlay", 126}, {"MediaPause", 127}, {"Shift", 59},     {"Control", 113},
                     {"Ctrl", 113},      {"Alt", 57},         {"Meta", 117}};

const char *const *android_key_names(size_t *count)
{
    *count = NAMES;
    return names;
}

const char *android_key_name(uint32_t code)
{
    return code && code < NAMES ? names[code] : NULL;
}

uint32_t android_key_code(const char *name)
{
    static const char prefix[] = "KEYCODE_";
    if (!strncmp(name, prefix, sizeof prefix - 1))
        name += sizeof prefix - 1;
    for (uint32_t i = 1; i < NAMES; i++)
        if (!strcmp(names[i], name))
            return i;
    return 0;
}

/* Bytes of the character that the text begins with; 0 where it is none. */
static size_t character_length(const char *text)
{
    size_t length = 1;
    while (*text && ((unsigned char)text[length] & 0xc0) == 0x80)
        length++;
    return *text && tac_utf8_valid(text, length) ? length : 0;
}

static uint32_t code_of_character(const char *text)
{
    if (*text == ' ')
        return 62;
    if (*text >= '0' && *text <= '9')
        return 7 + (uint32_t)(*text - '0');
    if (*text >= 'a' && *text <= 'z')
        return 29 + (uint32_t)(*text - 'a');
    return *text >= 'A' && *text <= 'Z' ? 29 + (uint32_t)(*text - 'A') : 0;
}

/* "Shift+a": a modifier before a key, which "+" itself is not. */
static bool has_modifier(const char *name)
{
    const char *plus = strchr(name, '+');
    return plus && plus > name && plus[1];
}

tac_status android_key_read(const char *name, struct android_key *out, tac_error *err)
{
    uint64_t number = 0;
    size_t length = character_length(name);
    *out = (struct android_key){0};
    if (length && !name[length] && (unsigned char)*name >= ' ') {
        *out = (struct android_key){name, code_of_character(name)};
        return TAC_OK;
    }
    for (size_t i = 0; i < sizeof browser_names / sizeof *browser_names; i++)
        if (!strcmp(browser_names[i].name, name)) {
            out->code = browser_names[i].code;
            return TAC_OK;
        }
    if (tac_parse_u64(name, &number) && number && number <= MOST_CODE)
        out->code = (uint32_t)number;
    else
        out->code = android_key_code(name);
    if (out->code)
        return TAC_OK;
    if (has_modifier(name))
        return tac_fail(err, TAC_E_USAGE, "key %s: a phone has no keys with modifiers", name);
    return tac_fail(err, TAC_E_INPUT,
                    "key: '%s' is not the name of a key; a key is one character, Enter, Tab, "
                    "Backspace, ArrowLeft and so on, or Android's name or number (VOLUME_UP, 24)",
                    name);
}

bool android_key_exists(const char *name)
{
    struct android_key key;
    tac_error unused;
    return android_key_read(name, &key, &unused) == TAC_OK;
}
