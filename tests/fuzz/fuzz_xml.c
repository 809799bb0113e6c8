/* Any bytes as a small XML document: the guard before the parser, the parser, the escapes after it.
 */
#include "base/data/quote.h"
#include "base/io/xml.h"
#include "fuzz_target.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_xml_limits limits = {.max_depth = 32};
    xmlDocPtr document = NULL;
    tac_error err;
    if (tac_xml_parse("fuzz", (const char *)data, size, &limits, &document, &err) != TAC_OK)
        return 0;
    if (document->intSubset)
        abort();
    xmlChar *text = xmlNodeGetContent(xmlDocGetRootElement(document));
    tac_str out = {0};
    if (text)
        tac_quote_html(&out, (const char *)text);
    tac_str_free(&out);
    xmlFree(text);
    xmlFreeDoc(document);
    return 0;
}
