/* Dumps of UI hierarchies: read, find every node again by its own XPath, write. */
#include "device/device.h"
#include "fuzz_target.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_ui *ui = NULL;
    tac_error err;
    if (tac_ui_from_xml("fuzz", (const char *)data, size, &ui, &err) != TAC_OK)
        return 0;
    for (uint32_t i = 0; i < ui->count && i < 20; i++) {
        char *xpath = tac_ui_xpath(ui, i);
        tac_selector selector = {.xpath = xpath};
        uint32_t found = 0;
        if (tac_ui_find(ui, &selector, &found, &err) == TAC_OK && found != i)
            abort();
        free(xpath);
    }
    free(tac_ui_to_xml(ui));
    tac_ui_free(ui);
    return 0;
}
