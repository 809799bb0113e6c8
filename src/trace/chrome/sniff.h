/* Is the start of a file one of Chrome's trace events as JSON? */
#ifndef TAC_TRACE_CHROME_SNIFF_H
#define TAC_TRACE_CHROME_SNIFF_H

#include <stdbool.h>

/* head: the first bytes, terminated. */
bool chrome_sniff(const char *head);

#endif
