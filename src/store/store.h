/* A project folder, or a campaign in a database: what was run, measured and found, safe against a
 * kill at any moment.
 *
 *   DIR/index.sqlite   runs, verdicts, documents (this interface)
 *   DIR/traces/...     one enriched trace per run, written whole before its row appears here
 *
 * A row is the proof that its files are whole: files come first, the row after, with the length and
 * the SHA-256 of its trace. What a kill leaves behind without a row is written again by the next
 * attempt under the same name, so that every run is there exactly once. One process writes at a
 * time; others may read meanwhile.
 *
 * Where a folder is asked for, "postgresql://USER@HOST/DB#CAMPAIGN" is a campaign in a PostgreSQL
 * database, which many processes on many hosts may write to (store/queue.h); its files are
 * kept there too. A password in the address is TAC_E_USAGE: libpq finds it elsewhere.
 *
 * Nothing in the index is believed: every row is checked when it is read (its types, its numbers
 * against the plan, its verdict, its trace's name). A row that is wrong is TAC_E_INPUT, and the
 * message names it; tac_store_repair sets it aside. */
#pragma once

#include "tactus/error.h"
#include "tactus/watch.h"
#include <jansson.h>

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
    const char *message;      /* why, for all but pass */
    const char *exception;    /* of a crash */
    const char *trace;        /* path below the folder; "" when there is none */
    double seconds;           /* on the device's clock */
    int64_t steps;            /* events performed */
    const char *details;      /* a JSON object with more, or NULL */
    int64_t trace_size;       /* bytes of the trace; -1 = not known */
    const char *trace_digest; /* SHA-256 of the trace, 64 hexadecimal digits; "" = not known */
} tac_store_run;

/* How a run ended: the words of tac_store_run.verdict. */
typedef enum tac_stored_end {
    TAC_STORED_PASS,
    TAC_STORED_FAIL, /* a step could not be done */
    TAC_STORED_CRASH,
    TAC_STORED_ABORTED,
    TAC_STORED_ERROR /* the device failed */
} tac_stored_end;
/* Of a run that was read from a store, where only these words are. */
tac_stored_end tac_stored_end_of(const char *verdict);

/* How a folder is opened. */
typedef enum tac_store_mode {
    TAC_STORE_READ,  /* nothing is written, not even beside the index: a read-only folder will do */
    TAC_STORE_WRITE, /* what is there, by the one writer */
    TAC_STORE_CREATE, /* the same; made when it is absent */
    TAC_STORE_DURABLE /* as create; a commit returns when the disk has it, so that a power cut loses
                         nothing either */
} tac_store_mode;

/* Whether it is the address of a database rather than a folder's path. */
bool tac_store_is_address(const char *where);

/* Opens the folder. An index of a later version, a file that is not an index, or a folder that
 * another process writes to is an error. */
tac_status tac_store_open_mode(const char *folder, tac_store_mode mode, tac_store **out,
                               tac_error *err);
/* TAC_STORE_CREATE or TAC_STORE_READ. */
tac_status tac_store_open(const char *folder, bool create, tac_store **out, tac_error *err);
/* Commits what is pending and closes. */
tac_status tac_store_close(tac_store *store, tac_error *err);
const char *tac_store_folder(const tac_store *store);

/* What this folder is about. NULL when unset; the caller's.
 *
 * "plan" is the campaign's plan, a JSON object whose "runs", "flows" (absent for random runs),
 * "repeat" and "scenarios" say what run N is: rows are checked against it. */
tac_status tac_store_set(tac_store *store, const char *key, const char *value, tac_error *err);
tac_status tac_store_get(tac_store *store, const char *key, char **value, tac_error *err);

/* Runs. Adding a run that is there is TAC_E_INTERNAL. What was added since the last commit is
 * committed together or not at all. */
tac_status tac_store_add_run(tac_store *store, const tac_store_run *run, tac_error *err);
tac_status tac_store_commit(tac_store *store, tac_error *err);
/* Forgets what was added since the last commit. */
void tac_store_rollback(tac_store *store);
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

/* The length and the SHA-256 of a run's trace that is in its place below the folder. */
typedef struct tac_store_seal {
    int64_t size;
    char digest[65];
} tac_store_seal;
tac_status tac_store_seal_trace(const char *folder, const char *trace, tac_store_seal *out,
                                tac_error *err);
/* Whether the trace of a run is what the row says. TAC_E_INPUT with the trace's path and what is
 * wrong: it is gone, shorter, longer, or its content is another. A run without a trace is fine. */
tac_status tac_store_check_trace(const tac_store *store, const tac_store_run *run, tac_error *err);

/* Files of the store by their path in it ("traces/000017.jsonl", "model.xml"): put from a local
 * file, got into one. A file that is not there is TAC_E_INPUT, as is one to be put that is not of a
 * place that campaigns have. What was put counts with the next
 * commit where the store is a database. Over TAC_STORE_LARGEST_FILE bytes is TAC_E_LIMIT there. */
#define TAC_STORE_LARGEST_FILE ((int64_t)1 << 30)
tac_status tac_store_put_file(tac_store *store, const char *name, const char *path, tac_error *err);
tac_status tac_store_get_file(tac_store *store, const char *name, const char *path, tac_error *err);
tac_status tac_store_each_file(tac_store *store, bool (*visit)(void *context, const char *name),
                               void *context, tac_error *err);

/* Copies a campaign, folder or database, to a place that holds none: every row of every table and
 * every file, exactly. In a database the runs without a row are then to be done by workers. */
typedef struct tac_store_copied {
    int64_t runs, verdicts, documents, files;
} tac_store_copied;
tac_status tac_store_copy(const char *from, const char *to, tac_watch *watch, tac_store_copied *out,
                          tac_error *err);

/* The same to look at what is there now: a trace that cannot be read is left out instead of ending
 * the copy, so that readers tell of it. */
tac_status tac_store_fetch(const char *from, const char *to, tac_watch *watch, tac_error *err);

/* Something that is wrong. Texts are valid during the call. */
typedef struct tac_store_damage {
    const char *table; /* "run", "verdict", "document", "setting"; "trace" for a run's file */
    int64_t row;       /* the row's number in its table (the run's, for a trace); -1 = no row */
    const char *file;  /* the index, or the trace */
    const char *what;
} tac_store_damage;

typedef struct tac_store_check_options {
    void (*found)(void *context, const tac_store_damage *damage); /* may be NULL */
    void *context;
    tac_watch *watch; /* may be NULL */
} tac_store_check_options;

typedef struct tac_store_check {
    int64_t runs, verdicts, documents, traces; /* looked at */
    int64_t damaged;                           /* rows and traces */
    int64_t set_aside;                         /* rows moved by repair */
} tac_store_check;

/* Looks at every row and every trace. TAC_OK also when something is damaged (the count tells). */
tac_status tac_store_verify(tac_store *store, const tac_store_check_options *options,
                            tac_store_check *out, tac_error *err);
/* The same, and moves every damaged row, and the rows of a run whose trace is damaged or that has
 * lost a part, to the table `aside` with the reason; a damaged trace goes to DIR/aside/. Those runs
 * have no row then, so the campaign runs them again. The store is open for writing. */
tac_status tac_store_repair(tac_store *store, const tac_store_check_options *options,
                            tac_store_check *out, tac_error *err);
