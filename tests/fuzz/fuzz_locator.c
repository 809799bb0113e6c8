/* Locators: what is read is written, reads back as the same, and means what libxml2 selects. */
#include "../unit/device/judge.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "device/hierarchy.h"
#include "fuzz_target.h"
#include <stdlib.h>

static const char screen[] = "<hierarchy rotation=\"0\"><node text=\"a\" resource-id=\"x\" "
                             "class=\"Button\" clickable=\"true\">"
                             "<node text=\"it's\" class=\"a\" enabled=\"true\"/><node text=\"a\" "
                             "content-desc=\"ab\"/></node>"
                             "<node text=\"\" resource-id=\"x\"><node text=\"a\"><node text=\"b\" "
                             "class=\"a\"/></node></node>"
                             "</hierarchy>";

static void compare(const tac_ui *ui, struct judge *judge, const tac_locator *locator,
                    const char *xpath)
{
    bool own[8] = {0}, marks[8] = {0}, any;
    if (ui_match(ui, locator, own, &any) &&
        (!judge_mark(judge, xpath, marks) || memcmp(own, marks, sizeof own) != 0))
        abort();
}

static void check_path(const tac_locator *locator, const char *text)
{
    tac_str first = {0}, second = {0};
    tac_locator again;
    tac_error err;
    tac_ui *ui = NULL;
    tac_locator_write(locator, "node", &first);
    if (!tac_locator_read(tac_str_text(&first), &again) ||
        tac_ui_from_xml("screen", screen, strlen(screen), &ui, &err) != TAC_OK)
        abort();
    tac_locator_write(&again, "node", &second);
    if (strcmp(tac_str_text(&first), tac_str_text(&second)) != 0)
        abort();
    char *xml = tac_ui_to_xml(ui);
    struct judge judge = judge_open(xml, strlen(xml));
    compare(ui, &judge, locator, text);
    compare(ui, &judge, &again, tac_str_text(&first));
    judge_close(&judge);
    free(xml);
    tac_ui_free(ui);
    tac_locator_free(&again);
    tac_str_free(&first);
    tac_str_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = tac_strndup((const char *)data, size);
    tac_locator locator;
    text[strcspn(text, "\n")] = '\0';
    if (tac_locator_read(text, &locator) && locator.kind == TAC_LOCATOR_PATH && !locator.again &&
        tac_utf8_valid(text, strlen(text)))
        check_path(&locator, text);
    tac_locator_free(&locator);
    free(text);
    return 0;
}
