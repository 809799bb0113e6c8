/* A project folder: what was run, measured and found, safe against a kill at any moment.
 *
 *   DIR/index.sqlite   runs, verdicts, documents (this interface)
 *   DIR/traces/...     one enriched trace per run, written whole before its row appears here
 *
 * A row is the proof that its files are whole: files come first, the row after. What a kill leaves
 * behind without a row is written again by the next attempt under the same name, so that every run
 * is there exactly once. One process writes at a time; others may read meanwhile. */
#ifndef TACTUS_STORE_H
#define TACTUS_STORE_H

#include "tactus/error.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct tac_store tac_store;

/* One executed flow or random run. Texts are NULL or "" when they do not apply. */
typedef struct tac_store_run {
    int64_t id;       /* the run's place in its campaign, from 0: the key */
    const char *kind; /* "flow" or "monkey" */
    const char *name; /* readable: "flow 12, cafe, repeat 2" */
    int64_t flow;     /* index in the flow file, -1 for monkey runs */
    const char *scenario;
    int64_t repeat;
    uint64_t seed;
    const char
        *verdict; /* "pass", "fail" (a step could not be done), "crash", "aborted", "error" */
    const char *message;   /* why, for all but pass */
    const char *exception; /* of a crash */
    const char *trace;     /* path below the folder; "" when there is none */
    double seconds;        /* on the device's clock */
    int64_t steps;         /* events performed */
    const char *details;   /* a JSON object with more, or NULL */
} tac_store_run;

/* Opens the folder, creating it (and its index) when `create`. An index of a later version, a file
 * that is no index, or a folder another process writes to is an error. */
tac_status tac_store_open(const char *folder, bool create, tac_store **out, tac_error *err);
/* Commits what is pending and closes. */
tac_status tac_store_close(tac_store *store, tac_error *err);
const char *tac_store_folder(const tac_store *store);

/* What this folder is about ("plan": the campaign's plan as JSON). NULL when unset; the caller's.
 */
tac_status tac_store_set(tac_store *store, const char *key, const char *value, tac_error *err);
tac_status tac_store_get(tac_store *store, const char *key, char **value, tac_error *err);

/* Runs. Adding a run that is there is TAC_E_INTERNAL. Rows are committed in batches: call
 * tac_store_commit to make them durable now. */
tac_status tac_store_add_run(tac_store *store, const tac_store_run *run, tac_error *err);
tac_status tac_store_has_run(tac_store *store, int64_t id, bool *has, tac_error *err);
tac_status tac_store_commit(tac_store *store, tac_error *err);
/* In order of id; the row is valid during the call. Returning false stops. */
tac_status tac_store_each_run(tac_store *store,
                              bool (*visit)(void *context, const tac_store_run *run), void *context,
                              tac_error *err);
tac_status tac_store_count_runs(tac_store *store, const char *verdict, int64_t *count,
                                tac_error *err);

/* The verdict of one property on one run; document as in `tactus check --json`. */
tac_status tac_store_add_verdict(tac_store *store, int64_t run, const char *property,
                                 const char *answer, const json_t *document, tac_error *err);
tac_status tac_store_each_verdict(tac_store *store,
                                  bool (*visit)(void *context, int64_t run, const char *property,
                                                const char *answer, const json_t *document),
                                  void *context, tac_error *err);

/* Documents of analyses ("mining", "rules", "protocol", "model", "coverage", "command"), kept by
 * kind and name; a later one replaces an earlier. */
tac_status tac_store_put_document(tac_store *store, const char *kind, const char *name,
                                  const json_t *document, tac_error *err);
tac_status tac_store_each_document(tac_store *store,
                                   bool (*visit)(void *context, const char *kind, const char *name,
                                                 const json_t *document),
                                   void *context, tac_error *err);

#endif
