/* XPaths over hierarchies of a screen. */
#pragma once

#include <libxml/xpath.h>
#include <stdbool.h>

/* As xmlXPathEvalExpression, which prints what it does not like. */
xmlXPathObjectPtr tac_xpath_evaluate(const char *text, xmlXPathContextPtr context);

/* It can be read, whatever it gives. */
bool tac_xpath_compiles(const char *text);

/* It selects elements, as far as a screen of two elements tells: it can be read, its functions
 * exist, and what it gives is neither a number nor an attribute. */
bool tac_xpath_selects(const char *text);

/* The end of an XPath that stands without quotes in a line: one of `stops` outside its brackets and
 * quotes, or the end of the line. NULL: these are not closed there. */
const char *tac_xpath_end(const char *at, const char *end, const char *stops);
