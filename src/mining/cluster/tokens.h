/* What is known about tokens before a search: which of them passing runs have, how often, and which
 * end a failing run and occur nowhere else. One pass over the runs. */
#pragma once

#include "mining/cluster/cluster.h"

struct token_facts {
    uint8_t *in_pass, *failure_state;
    double *pass_share, *late_share; /* of the passing runs, cut; late: in their second half */
};

/* cuts: of matched_cuts. The caller frees the facts. */
struct token_facts learn_tokens(const struct cluster_job *job, const uint32_t *cuts);
void token_facts_free(struct token_facts *facts);
