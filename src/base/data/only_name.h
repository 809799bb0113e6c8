/* Names that were made of others, by leaving out what a file or a language does not allow, may be
 * equal where the others were not: here they are numbered. */
#pragma once

#include "base/data/alloc.h"
#include "base/data/map.h"
#include "base/data/text.h"

/* The name, or where it is in `used` the name, the separator and the first number from 2 on that
 * makes it another; it is in `used` from then on. The caller's. */
static inline char *tac_only_name(tac_names *used, const char *name, const char *separator)
{
    char *only = tac_strdup(name);
    for (size_t number = 2; tac_names_find(used, only) != TAC_NONE; number++) {
        free(only);
        only = tac_format("%s%s%zu", name, separator, number);
    }
    tac_names_intern(used, only);
    return only;
}
