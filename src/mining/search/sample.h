/* A sample of the passing runs that the bounded searches ask: the share of them that shows a prefix
 * with gaps, or a prefix and then a state; and what follows contiguous blocks in them. Exact when
 * there are at most SAMPLE_RUNS passing runs; the kept patterns are measured on all of them
 * afterwards. */
#pragma once

#include "mining/search/candidates.h"

#define SAMPLE_RUNS 512

struct sample;

struct sample *sample_new(const struct mine_task *task);
/* Share of runs that show the prefix of `depth` blocks and then the state (TAC_NONE: any). What was
 * computed for a common beginning of the last prefix is used again. Adds to *work. */
double sample_share(struct sample *sample, const uint32_t *prefix, uint32_t depth, uint32_t state,
                    uint64_t *work);
/* Runs with an occurrence of the contiguous blocks that at least min_rest events follow. shown[x]
 * of every event is raised by the runs that have x after the last such occurrence. */
uint32_t sample_rests(const struct sample *sample, const uint32_t *blocks, uint32_t depth,
                      uint64_t min_rest, uint32_t *shown);
uint32_t sample_runs(const struct sample *sample); /* its size */
void sample_free(struct sample *sample);           /* NULL is fine */
