/* One problem of many: a recording under a model, and what came of it. */
#pragma once

#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/describe/describe.h"
#include "protocol/protocol.h"

enum corpus_end {
    CORPUS_DONE,
    CORPUS_TIME_LIMIT,
    CORPUS_MEMORY_LIMIT,
    CORPUS_DIED,
    CORPUS_ERROR /* the recording cannot be read, or the problem is refused */
};

struct corpus_entry {
    const char *trace; /* borrowed */
    tac_protocol_model model;
    enum corpus_end end;
    char *error;                /* for CORPUS_ERROR; else NULL */
    tac_protocol_result result; /* for CORPUS_DONE: how it ended and why, calls, witnesses */
    double seconds;
    uint64_t peak_bytes;
};

typedef TAC_VEC(struct corpus_entry) corpus_entries;

const char *corpus_model_name(tac_protocol_model model);
const char *corpus_end_name(enum corpus_end end);
/* Does the model admit the recording, but for calls that the app itself makes? */
bool corpus_entry_admitted(const struct corpus_entry *entry);
tac_answer corpus_entry_answer(const struct corpus_entry *entry, bool validate);
/* As `--json` lists it; the context is a bool, whether it was validated. */
DESCRIBED(corpus_entry, struct corpus_entry);
/* A line: the word, the model, the trace, and why. */
void corpus_entry_print(const struct corpus_entry *entry, bool validate, FILE *out);
void corpus_entries_free(corpus_entries *entries);

/* Across the border of the processes. */
void corpus_result_write(const tac_protocol_result *result, tac_str *out);
void corpus_error_write(const tac_error *err, tac_str *out);
/* Fills error or result, and the end; CORPUS_DIED when the text is not one of the
 * two functions above. */
void corpus_entry_read(struct corpus_entry *entry, const char *data, size_t size);
