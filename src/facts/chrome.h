/* The facts of Chrome's events, which may also stand inside a page of another kind. */
#ifndef TAC_FACTS_CHROME_H
#define TAC_FACTS_CHROME_H

#include "facts/kind.h"
#include "trace/read/window.h"

tac_status facts_of_chrome(const struct facts_input *input, struct trace_window *window,
                           tac_facts *facts, tac_error *err);

#endif
