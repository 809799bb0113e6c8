/* See wire.h. */
#include "property/check/wire.h"

#include "base/check.h"
#include "base/data/alloc.h"
#include "property/check/wire_result.h"
#include <string.h>

void wire_error(tac_str *out, const tac_error *error, tac_status status)
{
    assert(status != TAC_OK);
    wire_put_number(out, (uint64_t)status);
    wire_put_text(out, error->file);
    wire_put_number(out, error->line);
    wire_put_number(out, error->column);
    wire_put_text(out, error->message);
}

static tac_status take_error(struct wire_reader *reader, tac_status status, tac_error *err)
{
    char *file = wire_take_text(reader);
    size_t line = (size_t)wire_take_number(reader), column = (size_t)wire_take_number(reader);
    char *message = wire_take_text(reader);
    tac_fail_at(err, status, file, line, column, "%s", message);
    free(file);
    free(message);
    return status;
}

static void put_finding(tac_str *out, const tac_check_finding *finding)
{
    wire_put_result(out, &finding->result);
    wire_put_text(out, finding->explanation);
    wire_put_text(out, finding->advice);
    wire_put_number(out, finding->has_place);
    wire_put_number(out, finding->from);
    wire_put_number(out, finding->to);
    wire_put_maybe(out, finding->variable);
}

static tac_check_finding take_finding(struct wire_reader *reader, tac_arena *arena)
{
    tac_check_finding finding = {.result = wire_take_result(reader, arena)};
    finding.explanation = wire_take_text(reader);
    finding.advice = wire_take_text(reader);
    finding.has_place = wire_take_number(reader) != 0;
    finding.from = wire_take_number(reader);
    finding.to = wire_take_number(reader);
    finding.variable = wire_take_maybe(reader);
    return finding;
}

static void put_warnings(tac_str *out, const tac_diagnostics *warnings)
{
    wire_put_number(out, warnings->count);
    for (size_t i = 0; i < warnings->count; i++) {
        wire_put_text(out, warnings->at[i].file);
        wire_put_number(out, warnings->at[i].line);
        wire_put_number(out, warnings->at[i].column);
        wire_put_text(out, warnings->at[i].message);
    }
}

static void take_warnings(struct wire_reader *reader, tac_diagnostics *out)
{
    for (size_t i = wire_take_count(reader); i > 0 && !reader->cut; i--) {
        char *file = wire_take_text(reader);
        size_t line = (size_t)wire_take_number(reader), column = (size_t)wire_take_number(reader);
        char *message = wire_take_text(reader);
        tac_diagnostics_add(out, TAC_WARNING, file, line, column, "%s", message);
        free(file);
        free(message);
    }
}

void wire_trace(tac_str *out, const tac_checked_trace *trace)
{
    assert(trace->findings != NULL);
    wire_put_number(out, TAC_OK);
    wire_put_text(out, trace->trace);
    wire_put_number(out, trace->states);
    wire_put_number(out, trace->skipped);
    wire_put_number(out, trace->count);
    for (size_t i = 0; i < trace->count; i++)
        put_finding(out, &trace->findings[i]);
    put_warnings(out, &trace->warnings);
}

tac_status unwire_trace(const char *data, size_t size, tac_checked_trace *out, tac_error *err)
{
    struct wire_reader reader = {data, data + size, false};
    tac_status status = (tac_status)wire_take_number(&reader);
    memset(out, 0, sizeof *out);
    if (status != TAC_OK && !reader.cut)
        return take_error(&reader, status, err);
    out->kept = tac_calloc(1, sizeof *out->kept);
    out->trace = wire_take_text(&reader);
    out->states = wire_take_number(&reader);
    out->skipped = wire_take_number(&reader);
    out->count = wire_take_count(&reader);
    out->findings = tac_calloc(out->count + 1, sizeof *out->findings);
    for (size_t i = 0; i < out->count; i++)
        out->findings[i] = take_finding(&reader, out->kept);
    take_warnings(&reader, &out->warnings);
    if (!reader.cut)
        return TAC_OK;
    tac_checked_trace_free(out);
    return tac_fail(err, TAC_E_INTERNAL, "no result came back");
}
