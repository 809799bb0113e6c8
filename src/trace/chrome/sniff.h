/* Is the start of a file one of Chrome's trace events as JSON? */
#pragma once

#include <stdbool.h>

/* head: the first bytes, terminated. */
bool chrome_sniff(const char *head);
