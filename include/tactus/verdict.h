/* What an analysis found, in the one form that exit codes, pipelines and lists of findings read;
 * the typed result of each analysis says more. */
#ifndef TACTUS_VERDICT_H
#define TACTUS_VERDICT_H

#include "tactus/api.h"
#include "tactus/error.h"
#include <jansson.h>
#include <stdio.h>

TAC_BEGIN_DECLARATIONS

typedef enum tac_answer {
    TAC_HOLDS,            /* holds, safe, no faults, done */
    TAC_VIOLATED,         /* violated, unsafe, faults found */
    TAC_INCONCLUSIVE,     /* the evidence does not decide */
    TAC_PRESUMABLY_HOLDS, /* finite-trace logic: holds if the trace ends here */
    TAC_PRESUMABLY_VIOLATED
} tac_answer;

typedef struct tac_verdict {
    tac_answer answer;
    char *analysis;     /* "property", "rules", "protocol", "mining", "flows", "run" */
    char *subject;      /* what was judged: "cheap_playback on cafe-2.jsonl" */
    char *explanation;  /* one line for a person: the finding, with its figure */
    char *advice;       /* what to do next; "" when there is nothing to do */
    json_t *witness;    /* evidence; NULL when none; owned */
    json_t *statistics; /* figures; NULL when none; owned */
} tac_verdict;

void tac_verdict_free(tac_verdict *verdict);

/* "true", "false", "inconclusive", "presumably true", "presumably false" */
const char *tac_answer_name(tac_answer answer);

/* The one decision about the program's exit code. A failed status decides: 2 wrong usage, 4 could
 * not do it. With TAC_OK the answer does: 0 holds or done, 1 violated, 3 inconclusive. */
int tac_exit_code(tac_status status, tac_answer answer);

/* {"analysis","subject","answer","explanation","advice","witness","statistics"}; the caller's. */
json_t *tac_verdict_json(const tac_verdict *verdict);
/* Two or three lines: the mark and the explanation, then the advice. */
void tac_verdict_text(const tac_verdict *verdict, FILE *out);

TAC_END_DECLARATIONS

#endif
