/* Walking the lines of a dump, for kinds that look at one line after the other. */
#ifndef TAC_FACTS_LINES_H
#define TAC_FACTS_LINES_H

#include "figures/kind.h"

/* Calls for each line (terminated, without its end) until the callback returns false. */
tac_status each_line(const struct figures_input *input, bool (*take)(void *context, char *line),
                     void *context, tac_error *err);
/* What stands behind the word, blanks skipped; NULL: the word is not in the line. */
const char *after(const char *line, const char *word);
/* The first whole number behind the word; `otherwise` when there is none. */
int64_t number_after(const char *line, const char *word, int64_t otherwise);
bool head_has(const struct figures_input *input, const char *text);
/* Whether some line of the head begins with the word, behind blanks. */
bool head_line_begins(const struct figures_input *input, const char *word);

#endif
