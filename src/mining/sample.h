/* A sample of the passing runs that the bounded search of gapped patterns carries along: the share
 * of them that shows a prefix, or a prefix and then a state. Exact when there are at most
 * SAMPLE_RUNS passing runs; the kept patterns are measured on all of them afterwards. */
#ifndef TAC_MINING_SAMPLE_H
#define TAC_MINING_SAMPLE_H

#include "mining/candidates.h"

#define SAMPLE_RUNS 1024

struct sample;

struct sample *sample_new(const struct mine_task *task);
/* Makes prefix[0 .. depth-1] + block the prefix of depth + 1 blocks. Returns the work done. */
uint64_t sample_extend(struct sample *sample, uint32_t depth, uint32_t block);
/* Share of runs that show the prefix of `depth` blocks and then the state (TAC_NONE: any). */
double sample_share(const struct sample *sample, uint32_t depth, uint32_t state);
void sample_free(struct sample *sample); /* NULL is fine */

#endif
