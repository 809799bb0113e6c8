/* What other modules use of this one beside tactus/protocol.h. */
#pragma once

#include "protocol/result.h"
#include "tactus/protocol.h"

/* The files that a list names, one per line, relative to root (NULL: the parent of the folder that
 * holds the list). */
tac_status tac_protocol_rules_read_list(const char *list, const char *root,
                                        tac_protocol_rules **out, tac_diagnostics *diagnostics,
                                        tac_error *err);
/* Leaves a rule out from now on: "FILE:LINE", as answers name it. False when there is none. */
bool tac_protocol_rules_leave_out(tac_protocol_rules *rules, const char *place);
/* What is suspicious about the rules themselves: every finding of reading and of lint, for files
 * that may be broken, and every name that the recording (may be NULL) has almost so. Fails only
 * when a file cannot be read. */
tac_status tac_protocol_lint_against(const char *const *files, size_t count,
                                     const tac_recording *recording, tac_diagnostics *findings,
                                     tac_error *err);

typedef struct tac_recording_facts {
    size_t messages;           /* of the UI thread */
    size_t toplevel_callbacks; /* complete ones: the events */
    size_t raised_callbacks;   /* of those, ended in an exception: no events for verify */
    size_t dropped_messages;   /* after the last complete top-level callback */
    size_t other_messages;     /* of other threads */
    bool truncated;            /* the file ends inside a message */
} tac_recording_facts;
tac_recording_facts tac_recording_look(const tac_recording *recording);

/* The dialogue as the paper's figure 4 draws it: framework left, app right, time downwards. At most
 * max_events events from first_event on (from 0). rules, if given, adds what each message enables
 * and disallows. */
typedef struct tac_recording_view {
    size_t first_event, max_events;  /* max_events 0 = all */
    bool returns;                    /* show returns as well */
    const tac_protocol_rules *rules; /* may be NULL: then every message is shown */
} tac_recording_view;
tac_status tac_recording_draw_text(const tac_recording *recording, const tac_recording_view *view,
                                   FILE *out, tac_error *err);
tac_status tac_recording_draw_svg(const tac_recording *recording, const tac_recording_view *view,
                                  FILE *out, tac_error *err);
json_t *tac_recording_json(const tac_recording *recording, const tac_recording_view *view);

/* Does rule set a admit every sequence of the recorded events that b admits, and the other way
 * round? Of the options: as_recorded and watch. The comparison is the caller's to free. */
tac_status tac_protocol_compare(const tac_protocol_rules *a, const tac_protocol_rules *b,
                                const tac_recording *recording, const tac_protocol_options *options,
                                tac_protocol_comparison *out, tac_error *err);

typedef struct tac_protocol_corpus {
    const char *const *traces;
    size_t count;
    bool validate;   /* validate, else verify */
    bool all_models; /* each trace under all four models; else options->model */
    const tac_protocol_options *options;
    const char *triage;    /* verify: a file that tells real defects from false alarms; or NULL */
    unsigned jobs;         /* processes at once; 0 = one per processor */
    double time_limit;     /* seconds a problem; 0 = none */
    uint64_t memory_limit; /* bytes a problem; 0 = none */
} tac_protocol_corpus;

/* What came of every trace under every model, and the tables over them: verified per method and
 * model (verify, the paper's tables 1 and 2), or traces by steps admitted and refusing rule
 * (validate, its figure 11). */
typedef struct tac_protocol_table tac_protocol_table;

/* Each trace in a process of its own; a trace that fails, or passes a limit, is reported and the
 * others go on. corpus->traces must outlive the table. */
tac_status tac_protocol_corpus_run(const tac_protocol_rules *rules,
                                   const tac_protocol_corpus *corpus, tac_protocol_table **out,
                                   tac_error *err);
tac_answer tac_protocol_table_answer(const tac_protocol_table *table);
/* What came of one recording under one model; the table's. */
typedef struct tac_protocol_entry {
    const char *trace, *model; /* "lifestate", "top", "lifecycle", "lifecycle++" */
    const char *end;           /* "done", or what kept it from an answer: "time limit", ... */
    const tac_protocol_result
        *result; /* how it ended and why, calls and witnesses; NULL: no answer */
} tac_protocol_entry;
size_t tac_protocol_table_count(const tac_protocol_table *table);
tac_protocol_entry tac_protocol_table_entry(const tac_protocol_table *table, size_t index);
/* {"traces": an entry per trace and model, "table", "triage_unused"}; the caller's. */
json_t *tac_protocol_table_json(const tac_protocol_table *table);
void tac_protocol_table_text(const tac_protocol_table *table, FILE *out);
void tac_protocol_table_free(tac_protocol_table *table); /* NULL is fine */

/* Writes a witness as a flow requirement: its events in order, each mapped to an event of a model.
 * map_path: a JSON object from callback ("RemoverActivity.onCreate", or the event's label) to model
 * event. Steps without an entry are left out and listed in *unmapped (indices of the witness's
 * steps; the caller's to free). unmapped and count may be NULL. TAC_E_USAGE when the result has no
 * witness. */
tac_status tac_protocol_write_requirement(const tac_protocol_result *result, const char *map_path,
                                          const char *path, size_t **unmapped, size_t *count,
                                          tac_error *err);
