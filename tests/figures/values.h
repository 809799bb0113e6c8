/* The making of a list of values; kinds use kind.h. */
#ifndef TAC_FACTS_VALUES_H
#define TAC_FACTS_VALUES_H

#include "figures/kind.h"

/* kind must live as long as the list. */
struct figures *figures_new(const char *path, const char *kind);

#endif
