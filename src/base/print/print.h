/* Printing text for people: what a %s brings, which may be another's, is shown with its hidden
 * characters and line breaks visible, so that no line of the output begins with it. */
#pragma once

#include <stdio.h>

/* fprintf with its flags, widths, precisions and conversions but %n and long double. */
void tac_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
