/* What other modules use of this one beside tactus/verdict.h. */
#pragma once

#include "tactus/verdict.h"

/* The explanation may be NULL; it is then set by tac_verdict_explain. Texts are copied. */
void tac_verdict_init(tac_verdict *verdict, const char *analysis, const char *subject,
                      tac_answer answer);
void tac_verdict_explain(tac_verdict *verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void tac_verdict_advise(tac_verdict *verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The answer about many: violated if any is, else inconclusive if any is, else holds. "Presumably"
 * counts as what it presumes. Folds from TAC_HOLDS. */
tac_answer tac_answer_both(tac_answer one, tac_answer other);

/* tac_exit_code of an analysis that succeeded. */
int tac_answer_exit_code(tac_answer answer);
