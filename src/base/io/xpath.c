/* See xpath.h. */
#include "base/io/xpath.h"
#include <libxml/parser.h>
#include <string.h>

static void keep_silent(void *context, const char *message, ...)
{
    (void)context;
    (void)message;
}

static void keep_error_silent(void *context, const xmlError *error)
{
    (void)context;
    (void)error;
}

xmlXPathObjectPtr tac_xpath_evaluate(const char *text, xmlXPathContextPtr context)
{
    xmlGenericErrorFunc old = xmlGenericError;
    void *old_context = xmlGenericErrorContext;
    context->error = (xmlStructuredErrorFunc)keep_error_silent;
    xmlSetGenericErrorFunc(NULL, keep_silent);
    xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)text, context);
    xmlSetGenericErrorFunc(old_context, old);
    return found;
}

bool tac_xpath_compiles(const char *text)
{
    xmlGenericErrorFunc old = xmlGenericError;
    void *old_context = xmlGenericErrorContext;
    xmlSetGenericErrorFunc(NULL, keep_silent);
    xmlXPathCompExprPtr compiled = xmlXPathCompile((const xmlChar *)text);
    xmlSetGenericErrorFunc(old_context, old);
    bool good = compiled != NULL;
    xmlXPathFreeCompExpr(compiled);
    return good;
}

static bool only_elements(const xmlNodeSet *set)
{
    for (int i = 0; set && i < set->nodeNr; i++)
        if (set->nodeTab[i]->type != XML_ELEMENT_NODE && set->nodeTab[i]->type != XML_DOCUMENT_NODE)
            return false;
    return true;
}

bool tac_xpath_selects(const char *text)
{
    static const char screen[] =
        "<hierarchy rotation=\"0\"><node index=\"0\" text=\"a\" resource-id=\"a\" class=\"a\" "
        "package=\"a\" content-desc=\"a\" checkable=\"false\" checked=\"false\" clickable=\"true\" "
        "enabled=\"true\" focusable=\"true\" focused=\"false\" scrollable=\"false\" "
        "long-clickable=\"false\" password=\"false\" selected=\"false\" bounds=\"[0,0][1,1]\">"
        "<node index=\"0\" text=\"\">a</node></node></hierarchy>";
    xmlDocPtr doc = xmlReadMemory(screen, (int)sizeof screen - 1, "screen", NULL, XML_PARSE_NONET);
    xmlXPathContextPtr context = doc ? xmlXPathNewContext(doc) : NULL;
    xmlXPathObjectPtr found = context ? tac_xpath_evaluate(text, context) : NULL;
    bool good = found && found->type == XPATH_NODESET && only_elements(found->nodesetval);
    xmlXPathFreeObject(found);
    xmlXPathFreeContext(context);
    xmlFreeDoc(doc);
    return good;
}

const char *tac_xpath_end(const char *at, const char *end, const char *stops)
{
    const char *line = memchr(at, '\n', (size_t)(end - at));
    size_t depth = 0;
    for (end = line ? line : end; at < end && (depth || !strchr(stops, *at)); at++) {
        if (*at == '"' || *at == '\'')
            at = memchr(at + 1, *at, (size_t)(end - at - 1));
        else if (*at == '(' || *at == '[')
            depth++;
        else if (depth && (*at == ')' || *at == ']'))
            depth--;
        if (!at)
            return NULL;
    }
    return depth ? NULL : at;
}
