/* Where a gesture goes on a phone's screen, and what keys are called. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "device/android_keys.h"
#include "device/hierarchy.h"
#include "unit/phone/sim_testing.h"

static tac_ui *screen_of(const char *nodes)
{
    tac_ui *ui = NULL;
    char *xml = tac_format("<hierarchy rotation='0'>%s</hierarchy>", nodes);
    REQUIRE_OK(tac_ui_from_xml("dump", xml, strlen(xml), &ui, &sim_error));
    free(xml);
    return ui;
}

/* "PLACE>TAKER" as resource ids, or the status' number and why. */
static char *touched(const char *nodes, tac_action_kind kind, const char *xpath)
{
    tac_ui *ui = screen_of(nodes);
    tac_gesture gesture = {.kind = kind, .target = {.xpath = xpath}};
    uint32_t place, taker;
    char *said;
    tac_status status = ui_find_touch(ui, &gesture, &place, &taker, &sim_error);
    if (status == TAC_OK)
        said = tac_format("%s>%s", ui->nodes[place].resource_id, ui->nodes[taker].resource_id);
    else
        said = tac_format("%s", sim_error.message);
    tac_ui_free(ui);
    return said;
}

#define CHECK_TOUCH(nodes, kind, xpath, wanted)                                                    \
    do {                                                                                           \
        char *said = touched(nodes, kind, xpath);                                                  \
        CHECK_STR(said, wanted);                                                                   \
        free(said);                                                                                \
    } while (0)

static const char row[] =
    "<node resource-id='row' clickable='true' long-clickable='true' enabled='true' "
    "bounds='[0,0][100,50]'><node resource-id='label' text='A' enabled='true' "
    "bounds='[0,0][50,50]'/></node>"
    "<node resource-id='off' clickable='true' enabled='false' bounds='[0,50][100,99]'>"
    "<node resource-id='in' text='B' enabled='true' bounds='[0,50][50,99]'/></node>";

TEST(a_touch_goes_on_to_what_its_place_lies_in)
{
    CHECK_TOUCH(row, TAC_ACTION_CLICK, "//node[@text='A']", "label>row");
    CHECK_TOUCH(row, TAC_ACTION_LONG_CLICK, "//node[@text='A']", "label>row");
    CHECK_TOUCH(row, TAC_ACTION_CLICK, "//node[@resource-id='row']", "row>row");
    CHECK_TOUCH(row, TAC_ACTION_CLICK, "//node[@text='B']",
                "click //node[@text='B']: the element is there but does not accept it");
    CHECK_TOUCH(row, TAC_ACTION_SCROLL, "//node[@text='A']",
                "scroll //node[@text='A']: the element is there but does not accept it");
    CHECK_TOUCH(row, TAC_ACTION_CLICK, "//node[@text='C']",
                "click //node[@text='C']: there is no such element on the screen");
    CHECK_TOUCH(row, TAC_ACTION_HOVER, "//node[@text='A']", "hover: a phone has no mouse pointer");
}

TEST(what_no_dump_tells_of_is_done_wherever_it_is_wanted)
{
    CHECK_TOUCH(row, TAC_ACTION_SWIPE, "//node[@text='A']", "label>label");
    CHECK_TOUCH(row, TAC_ACTION_DOUBLE_CLICK, "//node[@text='A']", "label>label");
    CHECK_TOUCH(row, TAC_ACTION_DRAG, "//node[@text='A']", "label>label");
    CHECK_TOUCH(row, TAC_ACTION_SWIPE, NULL, "row>row");
    CHECK_TOUCH("", TAC_ACTION_SWIPE, NULL,
                "swipe the screen: there is no such element on the screen");
}

TEST(what_has_no_size_is_not_touched)
{
    static const char nodes[] =
        "<node resource-id='a' clickable='true' enabled='true'/>"
        "<node resource-id='b' clickable='true' enabled='true' bounds='[5,5][5,9]'>"
        "<node resource-id='c' enabled='true' bounds='[5,5][6,9]'/></node>"
        "<node resource-id='d' clickable='true' enabled='true' bounds='[9,9][3,3]'/>"
        "<node resource-id='e' clickable='true' enabled='true' bounds='somewhere'/>";
    CHECK_TOUCH(
        nodes, TAC_ACTION_CLICK, "//node[@resource-id='a']",
        "click //node[@resource-id='a']: the element is there but has no size to be touched");
    CHECK_TOUCH(
        nodes, TAC_ACTION_CLICK, "//node[@resource-id='b']",
        "click //node[@resource-id='b']: the element is there but has no size to be touched");
    CHECK_TOUCH(nodes, TAC_ACTION_CLICK, "//node[@resource-id='c']", "c>b");
    CHECK_TOUCH(nodes, TAC_ACTION_CLICK, "//node[@resource-id='d']",
                "click //node[@resource-id='d']: there is no such element on the screen");
    CHECK_TOUCH(
        nodes, TAC_ACTION_CLICK, "//node[@resource-id='e']",
        "click //node[@resource-id='e']: the element is there but has no size to be touched");
}

TEST(what_nobody_sees_is_not_on_the_screen)
{
    tac_ui *ui =
        screen_of("<node resource-id='a' bounds='[0,0][9,9]'>"
                  "<node resource-id='b' bounds='[0,0][9,0]'/>"
                  "<node resource-id='c' visible-to-user='false' bounds='[0,0][9,9]'>"
                  "<node resource-id='d' bounds='[0,0][9,9]'/></node>"
                  "<node resource-id='e'/></node>"
                  "<android.view.View resource-id='f' displayed='false' bounds='[0,0][1,1]'/>"
                  "<android.view.View resource-id='g' bounds='[0,0][0,0]'/>");
    REQUIRE(ui->count == 3);
    CHECK_STR(ui->nodes[1].resource_id, "e");
    CHECK_EQ(ui->nodes[1].parent, 0);
    CHECK_STR(ui->nodes[2].resource_id, "g");
    tac_ui_free(ui);
}

/* The text of the only node of a dump with these bytes in it. */
static char *text_of(const char *bytes, size_t size)
{
    static const char before[] = "<hierarchy><node bounds='[0,0][9,9]' text='",
                      after[] = "'/></hierarchy>";
    tac_ui *ui = NULL;
    tac_str xml = {0};
    tac_str_add(&xml, before);
    tac_str_add_bytes(&xml, bytes, size);
    tac_str_add(&xml, after);
    tac_status status = tac_ui_from_xml("dump", xml.text, xml.length, &ui, &sim_error);
    char *text = tac_strdup(status == TAC_OK && ui->count ? ui->nodes[0].text : sim_error.message);
    tac_str_free(&xml);
    tac_ui_free(ui);
    return text;
}

#define CHECK_TEXT(bytes, wanted)                                                                  \
    do {                                                                                           \
        char *text = text_of(bytes, sizeof bytes - 1);                                             \
        CHECK_STR(text, wanted);                                                                   \
        free(text);                                                                                \
    } while (0)

TEST(a_dump_with_what_xml_cannot_hold_is_read)
{
    CHECK_TEXT("a\x01"
               "b\0c",
               "a b c");
    CHECK_TEXT("a&#0;b&#2;c&#x1F;d", "a b c d");
    CHECK_TEXT("&#55357;&#56832; ok", "\xf0\x9f\x98\x80 ok");
    CHECK_TEXT("&#xD83D;&#xDE00;!", "\xf0\x9f\x98\x80!");
    CHECK_TEXT("&#55357;x&#99999999999;", " x ");
    CHECK_TEXT("\xff\xc3(", "\xef\xbf\xbd\xef\xbf\xbd(");
    CHECK_TEXT("\xef\xbf\xbf\xed\xa0\xbd",
               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    CHECK_TEXT("\xd7\xa9\xd7\x9c &amp; \xe2\x80\xae&#128512;",
               "\xd7\xa9\xd7\x9c & \xe2\x80\xae\xf0\x9f\x98\x80");
    char *broken = text_of("a < b", 5);
    CHECK_CONTAINS(broken, "not well-formed");
    free(broken);
}

TEST(the_highest_node_at_a_point_takes_a_tap)
{
    tac_ui *ui = screen_of("<node resource-id='under' clickable='true' enabled='true' "
                           "bounds='[0,0][100,100]'/><node resource-id='over' clickable='true' "
                           "enabled='true' bounds='[50,50][100,100]'/>");
    CHECK_EQ(ui_topmost(ui, 10, 10, 1u << TAC_ACTION_CLICK), 0);
    CHECK_EQ(ui_topmost(ui, 60, 60, 1u << TAC_ACTION_CLICK), 1);
    CHECK_EQ(ui_topmost(ui, 100, 100, 0), TAC_UI_NONE);
    tac_ui_free(ui);
}

TEST(keys_have_the_names_of_browsers_and_of_android)
{
    static const struct {
        const char *name;
        uint32_t code;
    } keys[] = {{"Enter", 66},         {"ENTER", 66},
                {"KEYCODE_ENTER", 66}, {"66", 66},
                {"Home", 122},         {"HOME", 3},
                {"BACK", 4},           {"24", 24},
                {"Delete", 112},       {"DEL", 67},
                {"ArrowUp", 19},       {"F12", 142},
                {"KEYCODE_A", 29},     {"KEYCODE_0", 7},
                {"3D_MODE", 206},      {"PROFILE_SWITCH", 288},
                {"316", 316},          {"MEDIA_PLAY_PAUSE", 85},
                {"APP_SWITCH", 187}};
    struct android_key key;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        REQUIRE_OK(android_key_read(keys[i].name, &key, &sim_error));
        CHECK(!key.character);
        CHECK_EQ(key.code, keys[i].code);
    }
    CHECK_STR(android_key_name(66), "ENTER");
    CHECK(!android_key_name(0) && !android_key_name(5000));
}

TEST(one_character_is_that_character)
{
    static const struct {
        const char *name;
        uint32_t code;
    } keys[] = {{"a", 29}, {"Z", 54}, {"5", 12}, {" ", 62}, {"+", 0}, {"\xc3\xa9", 0}};
    struct android_key key;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        REQUIRE_OK(android_key_read(keys[i].name, &key, &sim_error));
        CHECK_STR(key.character, keys[i].name);
        CHECK_EQ(key.code, keys[i].code);
    }
}

TEST(what_is_not_a_key_is_refused)
{
    static const char *const names[] = {"",      "Entr", "KEYCODE_",    "enter", "0",
                                        "00",    "1000", "-1",          "\x01",  "\xff",
                                        "66 67", "a b",  "KEYCODE_NONE"};
    struct android_key key;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], "0") != 0) /* a character */
            CHECK_EQ(android_key_read(names[i], &key, &sim_error), TAC_E_INPUT);
    CHECK_EQ(android_key_read("Shift+a", &key, &sim_error), TAC_E_USAGE);
}
