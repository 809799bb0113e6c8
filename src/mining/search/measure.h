/* Measuring many patterns on one run at a time; see measure.c. */
#pragma once

#include "mining/search/candidates.h"

/* Where figures go. `run` counts the runs of the set; a pattern's `runs` rises once a run. */
struct ledger {
    const struct candidates *patterns;
    const struct tac_runs *runs;
    tac_figures *figures;
    double *completion;
    uint64_t *fired;
    size_t row;      /* words of a row of fired */
    uint32_t *shown; /* per pattern: 1 + last run that showed it */
    uint32_t run;
    uint64_t min_rest;
};

/* First time in this run: counts the run and when the pattern was complete. */
static inline void ledger_fire(struct ledger *ledger, uint32_t pattern, uint32_t events)
{
    if (ledger->shown[pattern] == ledger->run + 1)
        return;
    ledger->shown[pattern] = ledger->run + 1;
    ledger->figures[pattern].runs++;
    if (ledger->completion)
        ledger->completion[pattern] += events;
    if (ledger->fired)
        ledger->fired[pattern * ledger->row + ledger->run / 64] |= (uint64_t)1 << ledger->run % 64;
}

/* First and last positions of the events of the current run, and their number; valid where
 * stamp[token] matches. */
struct positions {
    uint32_t *first, *last, *times, *stamp;
    uint32_t current;
};

struct contiguous_trie;
struct contiguous_trie *contiguous_trie_new(struct ledger *ledger);
void contiguous_trie_run(struct contiguous_trie *trie, const struct run_view *view,
                         const struct positions *positions);
void contiguous_trie_finish(struct contiguous_trie *trie); /* writes the prefix figures, frees */

struct gapped_trie;
struct gapped_trie *gapped_trie_new(struct ledger *ledger);
void gapped_trie_run(struct gapped_trie *trie, const struct run_view *view,
                     const struct positions *positions);
void gapped_trie_finish(struct gapped_trie *trie);
