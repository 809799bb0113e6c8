/* The slow reference of all that finds elements: libxml2 on the text of the dump. */
#ifndef TAC_TEST_DEVICE_JUDGE_H
#define TAC_TEST_DEVICE_JUDGE_H

#include <assert.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct judge {
    xmlDocPtr doc;
    xmlXPathContextPtr context;
    size_t count; /* of <node>s; each carries its number + 1 in _private */
};

static inline void judge_number(xmlNode *node, size_t *count)
{
    for (; node; node = node->next) {
        if (node->type == XML_ELEMENT_NODE && !strcmp((const char *)node->name, "node"))
            node->_private = (void *)(uintptr_t)++ * count;
        judge_number(node->children, count);
    }
}

static inline void judge_silent(void *context, const char *message, ...)
{
    (void)context;
    (void)message;
}

static inline struct judge judge_open(const char *xml, size_t size)
{
    struct judge judge = {.doc = xmlReadMemory(xml, (int)size, NULL, NULL, XML_PARSE_NONET)};
    assert(judge.doc);
    judge_number(xmlDocGetRootElement(judge.doc), &judge.count);
    judge.context = xmlXPathNewContext(judge.doc);
    xmlSetGenericErrorFunc(NULL, judge_silent);
    return judge;
}

static inline void judge_close(struct judge *judge)
{
    xmlXPathFreeContext(judge->context);
    xmlFreeDoc(judge->doc);
}

/* Sets the marks of what the XPath selects; false: it is none. */
static inline bool judge_mark(struct judge *judge, const char *xpath, bool *marks)
{
    xmlXPathObjectPtr found = xmlXPathEvalExpression((const xmlChar *)xpath, judge->context);
    bool known = found && found->type == XPATH_NODESET;
    for (int i = 0; known && found->nodesetval && i < found->nodesetval->nodeNr; i++) {
        const xmlNode *node = found->nodesetval->nodeTab[i];
        if (node->type == XML_ELEMENT_NODE && node->_private)
            marks[(uintptr_t)node->_private - 1] = true;
    }
    xmlXPathFreeObject(found);
    return known;
}

#endif
