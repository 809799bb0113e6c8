/* What verify found out, and what is said about it. */
#ifndef TAC_PROTOCOL_VERIFICATION_H
#define TAC_PROTOCOL_VERIFICATION_H

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
    json_t *witnesses;       /* one per reachable call, where all are wanted; or NULL */
};

/* replay: of the witness; without a target where there is none. */
json_t *verification_document(const struct verification *verification, const struct replay *replay);
void verification_result(const struct verification *verification, const struct replay *replay,
                         tac_protocol_result *out);

#endif
