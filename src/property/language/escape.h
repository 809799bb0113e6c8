/* What stands in quotes, as the text it means: \" and \\, \n and \t, \u202e for a character by its
 * number (two for one beyond U+FFFF) and \x9b for a byte, the ways in which hidden characters are
 * shown (base/data/visible.h). Any other character after a backslash is itself. The inverse of
 * tac_quote_property. */
#ifndef TAC_PROPERTY_ESCAPE_H
#define TAC_PROPERTY_ESCAPE_H

/* In place: the meaning is never longer. NULL, or what is wrong with an escape; the text is then
 * decoded up to it. */
const char *prop_unescape(char *text);

#endif
