/* What stands before every line of a pasted stack, in a layout that nobody described. */
#pragma once

#include "mining/crash/crash.h"

/* Finds the beginning that the frames of the text have in common but for numbers and blanks
 * ("web-1  | ", "Nov 16 14:03:07 host app[412]: "), takes it from every line and drops the lines
 * that lack it, which are somebody else's. False: there is none, nothing is changed. */
bool strip_common_prefix(struct log_line *lines, size_t *count);
