/* The facts of Chrome's events, which may also stand inside a page of another kind. */
#ifndef TAC_FACTS_CHROME_H
#define TAC_FACTS_CHROME_H

#include "figures/kind.h"
#include "trace/read/window.h"

tac_status figures_of_chrome(const struct figures_input *input, struct trace_window *window,
                             struct figures *facts, tac_error *err);

#endif
