/* What verify found out, and what is said about it. */
#pragma once

#include "protocol/search/search.h"
#include "protocol/validate/validation.h"
#include "protocol/verify/replay.h"

struct verification {
    struct problem *problem;
    const struct validation *validation; /* NULL: the rules are taken on trust, as recorded */
    bool admitted, inadmissible;         /* inadmissible: nothing was searched */
    struct search_result found;
    enum search_verdict verdict;
    const char *certificate; /* where the proof was written, or NULL */
};

/* Into a result that has its memory and its witnesses: all else, and the verdict. */
void verification_result(const struct verification *verification, tac_protocol_result *out);
