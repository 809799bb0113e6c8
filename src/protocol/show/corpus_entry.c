/* See corpus_entry.h. A child's answer crosses the pipe packed: its result, or its error. */
#include "protocol/show/corpus_entry.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/print/print.h"
#include "protocol/evidence/described.h"
#include "protocol/evidence/evidence.h"

/* What a child sends: one of the two. */
struct corpus_answer {
    const char *error;
    const tac_protocol_result *result;
};

static const char *const ends[] = {[CORPUS_DONE] = "done",
                                   [CORPUS_TIME_LIMIT] = "time limit",
                                   [CORPUS_MEMORY_LIMIT] = "memory limit",
                                   [CORPUS_DIED] = "died",
                                   [CORPUS_ERROR] = "error"};
TABLE_COVERS(ends, CORPUS_ERROR);
static const char *const models[] = {[TAC_MODEL_LIFESTATE] = "lifestate",
                                     [TAC_MODEL_TOP] = "top",
                                     [TAC_MODEL_LIFECYCLE] = "lifecycle",
                                     [TAC_MODEL_LIFECYCLE_PLUS] = "lifecycle++"};
TABLE_COVERS(models, TAC_MODEL_LIFECYCLE_PLUS);

const char *corpus_end_name(enum corpus_end end)
{
    return ends[end];
}

const char *corpus_model_name(tac_protocol_model model)
{
    return models[model];
}

bool corpus_entry_admitted(const struct corpus_entry *entry)
{
    return entry->result.admission == TAC_ADMITTED ||
           entry->result.admission == TAC_ADMISSION_VIOLATION;
}

tac_answer corpus_entry_answer(const struct corpus_entry *entry, bool validate)
{
    if (entry->end != CORPUS_DONE)
        return TAC_INCONCLUSIVE;
    if (validate && entry->result.admission == TAC_ADMITTED)
        return entry->result.left_out ? TAC_INCONCLUSIVE : TAC_HOLDS;
    if (validate)
        return TAC_VIOLATED;
    switch (entry->result.safety) {
    case TAC_SAFE:
        return TAC_HOLDS;
    case TAC_UNSAFE:
        return TAC_VIOLATED;
    case TAC_SAFETY_UNKNOWN:
    case TAC_INADMISSIBLE:
        break;
    }
    return TAC_INCONCLUSIVE;
}

/* "UNSAFE", or "STUCK" with validate; "UNKNOWN" where there is no answer. */
static const char *corpus_entry_word(const struct corpus_entry *entry, bool validate)
{
    bool unknown = validate && corpus_entry_answer(entry, true) == TAC_INCONCLUSIVE;
    return entry->end != CORPUS_DONE || unknown ? "UNKNOWN"
           : validate                           ? tac_admission_name(entry->result.admission)
                                                : tac_safety_name(entry->result.safety);
}

FIELD_GETTER(validated, struct corpus_entry, out->at = &it->result;
             out->absent = it->end != CORPUS_DONE || !*(const bool *)out->context)
FIELD_GETTER(verified, struct corpus_entry, out->at = &it->result;
             out->absent = it->end != CORPUS_DONE || *(const bool *)out->context)
FIELD_GETTER(no_result, struct corpus_entry, out->text = "UNKNOWN";
             out->absent = it->end == CORPUS_DONE || !*(const bool *)out->context)
FIELD_GETTER(no_verdict, struct corpus_entry, out->text = "UNKNOWN";
             out->absent = it->end == CORPUS_DONE || *(const bool *)out->context)
static const struct field corpus_entry_fields[] = {
    FIELD(struct corpus_entry, trace),
    FIELD_ENUM(struct corpus_entry, model, models),
    FIELD_ENUM(struct corpus_entry, end, ends),
    FIELD_GET_POINTER("", validated, protocol_validate_described, .splice = true, .omit = true),
    FIELD_GET_POINTER("", verified, protocol_verify_described, .splice = true, .omit = true),
    FIELD_GET_TEXT("result", no_result, .omit = true),
    FIELD_GET_TEXT("verdict", no_verdict, .omit = true),
    FIELD(struct corpus_entry, error, .only = IF(struct corpus_entry, error)),
    FIELDS(struct corpus_entry, seconds, peak_bytes)};
DESCRIBE(corpus_entry, struct corpus_entry);

void corpus_entry_print(const struct corpus_entry *entry, bool validate, FILE *out)
{
    const tac_protocol_result *result = &entry->result;
    const char *rule = result->because ? result->because->rule : "";
    tac_print(out, "%-12s %-11s %s", corpus_entry_word(entry, validate),
              corpus_model_name(entry->model), entry->trace);
    if (entry->end != CORPUS_DONE)
        tac_print(out, ": %s", entry->error ? entry->error : corpus_end_name(entry->end));
    else if (validate && result->admission != TAC_ADMITTED)
        tac_print(out, ": step %zu, %s", result->steps, rule);
    else if (!validate && result->safety == TAC_INADMISSIBLE)
        tac_print(out, ": %s", rule);
    else if (result->left_out && corpus_entry_answer(entry, validate) == TAC_INCONCLUSIVE)
        tac_print(out, ": a rule may be left out, %s", result->left_out);
    else if (!validate && result->witness)
        tac_print(out, ": %zu event%s to %s", result->witness->count,
                  result->witness->count == 1 ? "" : "s", result->witness->violation.words);
    tac_print(out, "\n");
}

void corpus_entries_free(corpus_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        tac_protocol_result_free(&entries->at[i].result);
        free(entries->at[i].error);
    }
    tac_vec_free(entries);
}

static const struct field corpus_answer_fields[] = {
    FIELD_TEXT(struct corpus_answer, error, .maybe = true),
    FIELD_POINTER(struct corpus_answer, result, protocol_result_described)};
static DESCRIBE(corpus_answer, struct corpus_answer);

void corpus_result_write(const tac_protocol_result *result, tac_str *out)
{
    describe_pack(&corpus_answer_described, &(struct corpus_answer){.result = result}, out);
}

void corpus_error_write(const tac_error *err, tac_str *out)
{
    char text[2048];
    struct corpus_answer answer = {.error = tac_error_text(err, text, sizeof text)};
    describe_pack(&corpus_answer_described, &answer, out);
}

void corpus_entry_read(struct corpus_entry *entry, const char *data, size_t size)
{
    struct corpus_answer answer = {0};
    tac_arena *memory = evidence_memory();
    tac_error ignored;
    entry->end = CORPUS_DIED;
    if (describe_unpack(&corpus_answer_described, data, size, memory, &answer, &ignored) != TAC_OK)
        answer.result = NULL;
    if (answer.error) {
        entry->end = CORPUS_ERROR;
        entry->error = tac_strdup(answer.error);
    } else if (answer.result) {
        entry->end = CORPUS_DONE;
        entry->result = *answer.result;
        entry->result.memory = memory;
        return;
    }
    evidence_memory_free(memory);
}
