/* App user flows of a model: counted, listed, sampled, and chosen to cover something.
 *
 * An engine holds one model, one bound and one set of options. It builds configurations when they
 * are needed, so making one is cheap; it remembers them, so asking twice is cheaper. An engine is
 * not for several threads at once. */
#ifndef TACTUS_FLOW_H
#define TACTUS_FLOW_H

#include "tactus/error.h"
#include "tactus/flow_file.h"
#include "tactus/model.h"
#include "tactus/requirement.h"
#include "tactus/verdict.h"
#include "tactus/watch.h"
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct tac_flow_options {
    uint32_t length;                            /* the most events of a flow */
    const tac_requirement *const *requirements; /* all of them are met; borrowed, must outlive */
    size_t requirement_count;
    unsigned kinds;         /* of tac_flow_kind; 0 = TAC_FLOW_ANY */
    bool witness;           /* minimal prefixes that meet the sequences, instead of flows */
    bool distinct;          /* fold flows with equal events */
    bool all_interleavings; /* of several devices; otherwise one representative per class */
    size_t memory_limit;    /* bytes of configurations; 0 = 1 GiB */
    tac_watch *watch;       /* may be NULL */
} tac_flow_options;

typedef struct tac_flow_engine tac_flow_engine;

/* The model must outlive the engine. Names of requirements that the model does not have are errors
 * in diagnostics (not NULL), each with its line. */
tac_status tac_flow_engine_new(const tac_model *model, const tac_flow_options *options,
                               tac_diagnostics *diagnostics, tac_flow_engine **out, tac_error *err);
void tac_flow_engine_free(tac_flow_engine *engine); /* NULL is fine */

/* --- Counting --- */

/* flows counts the kinds asked for, the others every flow of their kind. With `witness`
 * flows and witnesses are the number of witnesses, the others 0. With `distinct` each is a number
 * of event sequences, and one sequence may be of several kinds. */
typedef struct tac_flow_counts {
    mpz_t flows, exit, stuck, truncated, witnesses;
} tac_flow_counts;

void tac_flow_counts_init(tac_flow_counts *counts);
void tac_flow_counts_clear(tac_flow_counts *counts);
/* Exact, by dynamic programming: O(length * edges of the configuration graph), no enumeration. */
tac_status tac_flow_count(tac_flow_engine *engine, tac_flow_counts *counts, tac_error *err);

/* {"flows","exit","stuck","truncated"} or {"witnesses"}, decimal texts; the caller's. */
json_t *tac_flow_counts_json(const tac_flow_counts *counts, bool witness);
/* What was counted, in one sentence, with the counts as statistics; the caller frees it. */
void tac_flow_counts_verdict(const tac_flow_counts *counts, const tac_flow_options *options,
                             const char *subject, tac_verdict *verdict);

/* --- Listing --- */

/* A flow inside an engine; borrowed, valid during the callback. */
typedef struct tac_flow_path {
    tac_flow_kind kind;
    uint32_t root;         /* index of the start */
    uint32_t length;       /* events */
    const uint32_t *edges; /* of the engine's graph, length of them */
} tac_flow_path;

/* Returning false stops the listing, which is then no error. */
typedef bool (*tac_flow_visit)(void *context, const tac_flow_path *path);

/* Depth first, in the order of the model file. limit 0 = all. *listed (may be NULL) is set also on
 * failure. Memory does not depend on the number of flows. */
tac_status tac_flow_list(tac_flow_engine *engine, uint64_t limit, tac_flow_visit visit,
                         void *context, uint64_t *listed, tac_error *err);
/* One flow a line, events separated by one space. */
tac_status tac_flow_list_text(tac_flow_engine *engine, uint64_t limit, FILE *out, uint64_t *listed,
                              tac_error *err);
/* One JSON object a line (flow_file.h). */
tac_status tac_flow_list_jsonl(tac_flow_engine *engine, uint64_t limit, FILE *out, uint64_t *listed,
                               tac_error *err);
/* Visits every flow and counts; for benchmarks and cross-checks of tac_flow_count. */
tac_status tac_flow_enumerate(tac_flow_engine *engine, uint64_t *flows, tac_error *err);

/* The event printed for step i of a path, "DEVICE:event" when there are several devices. */
const char *tac_flow_path_event(const tac_flow_engine *engine, const tac_flow_path *path,
                                uint32_t i);
/* The whole flow with states, actions and times; borrowed, valid until the next call. */
const tac_flow *tac_flow_describe(tac_flow_engine *engine, const tac_flow_path *path);

/* --- Sampling --- */

typedef struct tac_flow_sampling {
    uint64_t count, seed;
    bool weighted; /* a random walk by transition weights; otherwise uniform over all flows */
} tac_flow_sampling;

/* Calls visit count times (with repetition, as independent draws are); none when there is no flow.
 */
tac_status tac_flow_sample(tac_flow_engine *engine, const tac_flow_sampling *sampling,
                           tac_flow_visit visit, void *context, tac_error *err);

#endif
