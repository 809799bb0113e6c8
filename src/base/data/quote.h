/* Text from outside inside other languages: one function per language, each for the inside of a
 * quoted literal (the caller writes the quotation marks), and one for comments of all of them.
 *
 * Whatever the text is, the literal ends where the caller ends it, the comment ends where the line
 * does, and no control, bidirectional control or line separator stands raw in the result. Where the
 * language can say a character (\u2028), the program that reads the literal gets it back. */
#pragma once

#include "base/data/str.h"

void tac_quote_js(tac_str *out, const char *text);   /* "..." and '...' of JavaScript */
void tac_quote_java(tac_str *out, const char *text); /* "..." of Java: \uXXXX is read before all */
void tac_quote_c(tac_str *out, const char *text);    /* "..." of C, and of Promela's printf */
void tac_quote_yaml(tac_str *out, const char *text); /* "..." of YAML */
void tac_quote_dot(tac_str *out, const char *text);  /* "..." of Graphviz; hidden ones visible */
void tac_quote_property(tac_str *out, const char *text); /* "..." of property files */
void tac_quote_html(tac_str *out, const char *text);  /* content and attributes of HTML, SVG, XML */
void tac_quote_shell(tac_str *out, const char *text); /* a whole word of a POSIX shell */
/* The inside of a comment: // of JavaScript, Java, C and Promela, # of YAML, also between the
 * comment signs of C. Hidden characters are written <U+202E>; so is a backslash, because
 * Java reads \u000a in comments too and C goes on after a backslash at the end of the line. */
void tac_quote_comment(tac_str *out, const char *text);

/* A whole XPath 1.0 literal with its quotation marks; a text with both kinds is put together by
 * concat(). */
void tac_quote_xpath(tac_str *out, const char *text);
