/* See wire.h. Numbers are 8 bytes, texts a number and their bytes; both ends are one program on one
 * machine, so no byte order matters. */
#include "property/monitor/wire.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include <string.h>

static void put_number(tac_str *out, uint64_t value)
{
    char bytes[sizeof value];
    memcpy(bytes, &value, sizeof value);
    tac_str_add_bytes(out, bytes, sizeof bytes);
}

static void put_text(tac_str *out, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    put_number(out, length);
    tac_str_add_bytes(out, text ? text : "", length);
}

void wire_error(tac_str *out, const tac_error *error, tac_status status)
{
    assert(status != TAC_OK);
    put_number(out, (uint64_t)status);
    put_text(out, error->file);
    put_number(out, error->line);
    put_number(out, error->column);
    put_text(out, error->message);
}

void wire_trace(tac_str *out, const tac_checked_trace *trace)
{
    assert(trace->document && trace->findings);
    put_number(out, TAC_OK);
    put_text(out, trace->trace);
    put_number(out, trace->states);
    put_number(out, trace->skipped);
    put_number(out, trace->count);
    for (size_t i = 0; i < trace->count; i++) {
        put_number(out, (uint64_t)trace->findings[i].answer);
        put_number(out, trace->findings[i].exercised);
        put_text(out, trace->findings[i].name);
        put_text(out, trace->findings[i].explanation);
        put_text(out, trace->findings[i].advice);
        put_number(out, trace->findings[i].has_place);
        put_number(out, trace->findings[i].from);
        put_number(out, trace->findings[i].to);
        put_number(out, trace->findings[i].variable != NULL);
        put_text(out, trace->findings[i].variable);
    }
    put_number(out, trace->warnings.count);
    for (size_t i = 0; i < trace->warnings.count; i++) {
        put_text(out, trace->warnings.at[i].file);
        put_number(out, trace->warnings.at[i].line);
        put_number(out, trace->warnings.at[i].column);
        put_text(out, trace->warnings.at[i].message);
    }
    char *document = tac_json_text(trace->document, JSON_COMPACT);
    put_text(out, document);
    free(document);
}

struct wire_reader {
    const char *at, *end;
    bool cut;
};

static uint64_t take_number(struct wire_reader *reader)
{
    uint64_t value = 0;
    if ((size_t)(reader->end - reader->at) < sizeof value) {
        reader->cut = true;
        return 0;
    }
    memcpy(&value, reader->at, sizeof value);
    reader->at += sizeof value;
    return value;
}

static char *take_text(struct wire_reader *reader)
{
    uint64_t length = take_number(reader);
    if (length > (size_t)(reader->end - reader->at)) {
        reader->cut = true;
        length = 0;
    }
    char *text = tac_alloc((size_t)length + 1);
    memcpy(text, reader->at, (size_t)length);
    text[length] = 0;
    reader->at += length;
    return text;
}

static tac_status take_error(struct wire_reader *reader, tac_status status, tac_error *err)
{
    char *file = take_text(reader);
    size_t line = (size_t)take_number(reader), column = (size_t)take_number(reader);
    char *message = take_text(reader);
    tac_fail_at(err, status, file, line, column, "%s", message);
    free(file);
    free(message);
    return status;
}

static void take_warnings(struct wire_reader *reader, tac_diagnostics *out)
{
    for (uint64_t i = take_number(reader); i > 0 && !reader->cut; i--) {
        char *file = take_text(reader);
        size_t line = (size_t)take_number(reader), column = (size_t)take_number(reader);
        char *message = take_text(reader);
        tac_diagnostics_add(out, TAC_WARNING, file, line, column, "%s", message);
        free(file);
        free(message);
    }
}

tac_status unwire_trace(const char *data, size_t size, tac_checked_trace *out, tac_error *err)
{
    struct wire_reader reader = {data, data + size, false};
    tac_status status = (tac_status)take_number(&reader);
    memset(out, 0, sizeof *out);
    if (status != TAC_OK && !reader.cut)
        return take_error(&reader, status, err);
    out->trace = take_text(&reader);
    out->states = take_number(&reader);
    out->skipped = take_number(&reader);
    out->count = (size_t)take_number(&reader);
    if (out->count > size)
        out->count = 0;
    out->findings = tac_calloc(out->count + 1, sizeof *out->findings);
    for (size_t i = 0; i < out->count; i++) {
        tac_check_finding *finding = &out->findings[i];
        finding->answer = (tac_answer)take_number(&reader);
        finding->exercised = take_number(&reader) != 0;
        finding->name = take_text(&reader);
        finding->explanation = take_text(&reader);
        finding->advice = take_text(&reader);
        finding->has_place = take_number(&reader) != 0;
        finding->from = take_number(&reader);
        finding->to = take_number(&reader);
        bool has_variable = take_number(&reader) != 0;
        finding->variable = take_text(&reader);
        if (!has_variable) {
            free(finding->variable);
            finding->variable = NULL;
        }
    }
    take_warnings(&reader, &out->warnings);
    char *document = take_text(&reader);
    out->document = json_loads(document, 0, NULL);
    free(document);
    if (!reader.cut && out->document)
        return TAC_OK;
    tac_checked_trace_free(out);
    return tac_fail(err, TAC_E_INTERNAL, "no result came back");
}
