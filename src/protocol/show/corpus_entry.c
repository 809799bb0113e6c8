/* See corpus_entry.h. A child's answer crosses the pipe as [admission, steps, safety, calls, the
 * document]; enumerations are numbers there: both ends are this program. Why it ended so, and the
 * witnesses, come from the document. */
#include "protocol/show/corpus_entry.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "protocol/evidence/evidence.h"
#include <stdlib.h>
#include <string.h>

const char *corpus_end_name(enum corpus_end end)
{
    static const char *const names[] = {
        [CORPUS_DONE] = "done",
        [CORPUS_TIME_LIMIT] = "time limit",
        [CORPUS_MEMORY_LIMIT] = "memory limit",
        [CORPUS_DIED] = "died",
        [CORPUS_ERROR] = "error",
    };
    TABLE_COVERS(names, CORPUS_ERROR);
    assert(end < sizeof names / sizeof *names);
    return names[end];
}

const char *corpus_model_name(tac_protocol_model model)
{
    static const char *const names[] = {
        [TAC_MODEL_LIFESTATE] = "lifestate",
        [TAC_MODEL_TOP] = "top",
        [TAC_MODEL_LIFECYCLE] = "lifecycle",
        [TAC_MODEL_LIFECYCLE_PLUS] = "lifecycle++",
    };
    TABLE_COVERS(names, TAC_MODEL_LIFECYCLE_PLUS);
    assert(model < sizeof names / sizeof *names);
    return names[model];
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

json_t *corpus_entry_json(const struct corpus_entry *entry, bool validate)
{
    json_t *json = json_object();
    json_object_set_new(json, "trace", tac_json_string(entry->trace));
    json_object_set_new(json, "model", json_string(corpus_model_name(entry->model)));
    json_object_set_new(json, "end", json_string(corpus_end_name(entry->end)));
    if (entry->document)
        json_object_update(json, entry->document);
    else
        json_object_set_new(json, validate ? "result" : "verdict",
                            json_string(corpus_entry_word(entry, validate)));
    if (entry->error)
        json_object_set_new(json, "error", tac_json_string(entry->error));
    json_object_set_new(json, "seconds", tac_json_number(entry->seconds));
    json_object_set_new(json, "peak_bytes", json_integer((json_int_t)entry->peak_bytes));
    return json;
}

void corpus_entry_print(const struct corpus_entry *entry, bool validate, FILE *out)
{
    const tac_protocol_result *result = &entry->result;
    const char *rule = result->because ? result->because->rule : "";
    fprintf(out, "%-12s %-11s %s", corpus_entry_word(entry, validate),
            corpus_model_name(entry->model), entry->trace);
    if (entry->end != CORPUS_DONE)
        fprintf(out, ": %s", entry->error ? entry->error : corpus_end_name(entry->end));
    else if (validate && result->admission != TAC_ADMITTED)
        fprintf(out, ": step %zu, %s", result->steps, rule);
    else if (!validate && result->safety == TAC_INADMISSIBLE)
        fprintf(out, ": %s", rule);
    else if (result->left_out && corpus_entry_answer(entry, validate) == TAC_INCONCLUSIVE)
        fprintf(out, ": a rule may be left out, %s", result->left_out);
    else if (!validate && result->witness)
        fprintf(out, ": %zu event%s to %s", result->witness->count,
                result->witness->count == 1 ? "" : "s", result->witness->violation.words);
    fprintf(out, "\n");
}

void corpus_entries_free(corpus_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        tac_protocol_result_free(&entries->at[i].result);
        free(entries->at[i].error);
        json_decref(entries->at[i].document);
    }
    tac_vec_free(entries);
}

static json_t *text_or_null(const char *text)
{
    return text ? tac_json_string(text) : json_null();
}

static void write_line(json_t *json, tac_str *out)
{
    char *text = tac_json_text(json, JSON_COMPACT);
    tac_str_add(out, text);
    free(text);
    json_decref(json);
}

void corpus_result_write(const tac_protocol_result *result, bool validate, tac_str *out)
{
    json_t *calls = json_array();
    for (size_t i = 0; i < result->call_count; i++) {
        const tac_protocol_call *call = &result->calls[i];
        json_array_append_new(
            calls, json_pack("[iooI]", (int)call->safety, text_or_null(call->method),
                             text_or_null(call->message), (json_int_t)call->witness_events));
    }
    write_line(
        json_pack("[iIioo]", (int)result->admission, (json_int_t)result->steps, (int)result->safety,
                  calls,
                  validate ? tac_protocol_validate_json(result) : tac_protocol_verify_json(result)),
        out);
}

void corpus_error_write(const tac_error *err, tac_str *out)
{
    char text[2048];
    write_line(json_pack("[o]", tac_json_string(tac_error_text(err, text, sizeof text))), out);
}

static char *own(const json_t *value)
{
    return json_is_string(value) ? tac_strdup(json_string_value(value)) : NULL;
}

static void read_calls(const json_t *list, tac_protocol_result *out)
{
    size_t count = json_array_size(list);
    tac_protocol_call *calls = tac_arena_calloc(out->memory, count + 1, sizeof *calls);
    for (size_t i = 0; i < count; i++) {
        const json_t *call = json_array_get(list, i);
        const char *method = json_string_value(json_array_get(call, 1));
        const char *message = json_string_value(json_array_get(call, 2));
        calls[i] = (tac_protocol_call){
            .safety = (tac_safety)json_integer_value(json_array_get(call, 0)),
            .method = evidence_text_or_null(out->memory, method),
            .message = evidence_text(out->memory, message ? message : ""),
            .witness_events = (size_t)json_integer_value(json_array_get(call, 3))};
    }
    out->calls = calls;
    out->call_count = count;
}

static bool read_result(const json_t *root, tac_protocol_result *out, json_t **document)
{
    int admission, safety;
    json_int_t steps;
    json_t *calls;
    if (json_unpack((json_t *)root, "[iIioo!]", &admission, &steps, &safety, &calls, document))
        return false;
    *out = (tac_protocol_result){.admission = (tac_admission)admission,
                                 .steps = (size_t)steps,
                                 .safety = (tac_safety)safety,
                                 .memory = evidence_memory()};
    read_calls(calls, out);
    evidence_read(*document, out);
    json_incref(*document);
    return true;
}

void corpus_entry_read(struct corpus_entry *entry, const char *data, size_t size)
{
    json_t *root = json_loadb(data, size, 0, NULL);
    if (json_array_size(root) == 1 && json_is_string(json_array_get(root, 0))) {
        entry->end = CORPUS_ERROR;
        entry->error = own(json_array_get(root, 0));
    } else {
        entry->end =
            read_result(root, &entry->result, &entry->document) ? CORPUS_DONE : CORPUS_DIED;
    }
    json_decref(root);
}
