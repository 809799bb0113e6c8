/* The values of a state, read with care: numbers, texts, lists of texts, times, words. What the
 * fast path of jsonl.c does not know comes here. */
#include "trace/read/jsonl/jsonl.h"
#include "trace/text/clock.h"
#include "trace/text/json_text.h"
#include "trace/text/list.h"
#include "trace/text/number.h"
#include <math.h>

tac_status jsonl_bad(const tac_trace_source *source, const struct jsonl_line *line, const char *at,
                     tac_error *err, const char *message)
{
    const struct trace_window *window = &source->window;
    if (window->unfinished && at + 1 == window->data + window->complete)
        message = "the file is cut in the middle of this line";
    return source_fail(source, err, TAC_E_INPUT, line->number, (size_t)(at - line->text) + 1, "%s",
                       message);
}

static tac_status wrong_kind(const tac_trace_source *source, const struct jsonl_line *line,
                             size_t variable, tac_error *err)
{
    return source_fail(source, err, TAC_E_INPUT, line->number, (size_t)(line->at - line->text) + 1,
                       "'%s' is continuous and needs a number; declare it \"discrete\" in the "
                       "header if it holds names",
                       source->variables.at[variable].name);
}

/* Too large for seconds: JavaScript's loggers count milliseconds since 1970. NULL: not so. */
static const char *scan_epoch(struct jsonl *jsonl, tac_trace_source *source, const char *at,
                              int64_t *time)
{
    const char *unit;
    int64_t scale = trace_epoch_scale(at, &unit);
    const char *end = scale ? trace_scaled_time(at, scale, time) : NULL;
    if (!end || jsonl->epoch)
        return end;
    source_note_epoch(source, unit);
    jsonl->epoch = true;
    return end;
}

static tac_status read_time(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                            tac_error *err)
{
    bool date = *line->at == '"';
    const char *end = date ? clock_scan_date_and_zone(line->at + 1, &line->time)
                           : scan_seconds(line->at, &line->time);
    if (!end && !date)
        end = scan_epoch(jsonl, source, line->at, &line->time);
    if (!end || (date && *end != '"'))
        return jsonl_bad(source, line, line->at, err,
                         date ? "the time \"t\" must be a number of seconds or an ISO date"
                              : "the time \"t\" is not a number of seconds within 146 years of 0");
    if (line->has_time)
        return jsonl_bad(source, line, line->at, err, "\"t\" is given twice in one state");
    line->has_time = true;
    line->at = end + date;
    return TAC_OK;
}

tac_status jsonl_read_text(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                           size_t variable, tac_error *err)
{
    const char *start = line->at + 1, *end = start, *wrong;
    if (variable == jsonl_time_key)
        return read_time(jsonl, source, line, err);
    if (variable != SIZE_MAX && source->columns.at[variable].numbers)
        return wrong_kind(source, line, variable, err);
    while (*end != '"' && *end != '\\' && (unsigned char)*end >= 0x20)
        end++;
    uint32_t symbol = TAC_TRACE_NO_SYMBOL;
    tac_status status = TAC_OK;
    if (variable != SIZE_MAX && source->columns.at[variable].is_list)
        return source_fail(source, err, TAC_E_INPUT, line->number,
                           (size_t)(line->at - line->text) + 1, "'%s' is a list of texts: [\"a\"]",
                           source->variables.at[variable].name);
    if (variable != SIZE_MAX && source->columns.at[variable].is_text) {
        end = json_text_decode(start, &jsonl->scratch, &wrong);
        status = end ? source_symbol_text(source, tac_str_text(&jsonl->scratch),
                                          jsonl->scratch.length, &symbol, err)
                     : jsonl_bad(source, line, wrong, err,
                                 "a text is not closed, or has a wrong escape");
    } else if (*end == '"') {
        if (end > start)
            status = source_symbol_window(source, start, (size_t)(end - start), &symbol, err);
    } else if ((end = json_text_decode(start, &jsonl->scratch, &wrong))) {
        status = source_symbol_slow(source, tac_str_text(&jsonl->scratch), jsonl->scratch.length,
                                    &symbol, err);
    } else {
        status = jsonl_bad(source, line, wrong, err, "a text is not closed, or has a wrong escape");
    }
    if (status)
        return status;
    line->at = end + 1;
    if (variable != SIZE_MAX)
        source_set_symbol(source, variable, symbol);
    return TAC_OK;
}

tac_status jsonl_read_list(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                           size_t variable, tac_error *err)
{
    const char *wrong;
    uint32_t symbol;
    const char *end = list_read(line->at, &jsonl->list, &jsonl->scratch, &wrong);
    if (variable == jsonl_time_key ||
        (variable != SIZE_MAX && !source->columns.at[variable].is_list))
        return jsonl_bad(source, line, line->at, err,
                         "a value must be a number, a text, true, false or null");
    if (!end)
        return jsonl_bad(source, line, wrong, err, "a list holds texts only: [\"a\",\"b\"]");
    line->at = end;
    if (variable == SIZE_MAX)
        return TAC_OK;
    tac_status status =
        source_symbol_text(source, tac_str_text(&jsonl->list), jsonl->list.length, &symbol, err);
    if (status == TAC_OK)
        source_set_symbol(source, variable, symbol);
    return status;
}

/* {"unknown":"REASON"} */
tac_status jsonl_read_unknown(struct jsonl *jsonl, tac_trace_source *source,
                              struct jsonl_line *line, size_t variable, tac_error *err)
{
    static const char key[] = "\"unknown\"";
    const char *wrong, *at = skip_blanks(line->at + 1);
    bool good = variable != jsonl_time_key && !strncmp(at, key, sizeof key - 1);
    at = skip_blanks(at + (good ? sizeof key - 1 : 0));
    if (!good || *at != ':' || *(at = skip_blanks(at + 1)) != '"')
        return jsonl_bad(source, line, line->at, err,
                         "a value must be a number, a text, a list of texts, true, false, null or "
                         "{\"unknown\":\"REASON\"}");
    const char *end = json_text_decode(at + 1, &jsonl->scratch, &wrong);
    if (!end)
        return jsonl_bad(source, line, wrong, err, "a text is not closed, or has a wrong escape");
    at = skip_blanks(end + 1);
    if (*at != '}')
        return jsonl_bad(source, line, at, err, "expected '}' after the reason");
    line->at = at + 1;
    if (variable == SIZE_MAX)
        return TAC_OK;
    uint32_t symbol;
    tac_status status =
        source_unknown(source, tac_str_text(&jsonl->scratch), jsonl->scratch.length, &symbol, err);
    if (status == TAC_OK && source->columns.at[variable].numbers)
        source_set_number(source, variable, tac_trace_unknown_number(symbol));
    else if (status == TAC_OK)
        source_set_symbol(source, variable, symbol);
    return status;
}

tac_status jsonl_read_number(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                             size_t variable, tac_error *err)
{
    const char *start = line->at, *digits = start + (*start == '-');
    double value;
    if (variable == jsonl_time_key)
        return read_time(jsonl, source, line, err);
    const char *end = scan_number(start, &value);
    if (!end || (*digits == '0' && digit_of(digits[1]) < 10) || end[-1] == '.')
        return jsonl_bad(source, line, start, err,
                         digit_of(*digits) < 10
                             ? "this is not a finite number in JSON's notation"
                             : "NaN and infinities are no values of a trace; use null "
                               "where there is none");
    line->at = end;
    if (variable == SIZE_MAX)
        return TAC_OK;
    if (source->columns.at[variable].numbers) {
        source_set_number(source, variable, value);
        return TAC_OK;
    }
    uint32_t symbol;
    tac_status status = source_symbol_window(source, start, (size_t)(end - start), &symbol, err);
    if (!status)
        source_set_symbol(source, variable, symbol);
    return status;
}

/* true, false, null, and the words that are none of them. */
tac_status jsonl_read_word(tac_trace_source *source, struct jsonl_line *line, size_t variable,
                           tac_error *err)
{
    const char *at = line->at;
    size_t length = !strncmp(at, "true", 4) || !strncmp(at, "null", 4) ? 4
                    : !strncmp(at, "false", 5)                         ? 5
                                                                       : 0;
    if (!length)
        return jsonl_bad(
            source, line, at, err,
            *at == 'N' || *at == 'I'
                ? "NaN and infinities are no values of a trace; use null where there is none"
                : "a value must be a number, a text, true, false or null");
    if (variable == jsonl_time_key)
        return jsonl_bad(source, line, at, err, "the time \"t\" must be a number of seconds");
    bool numeric = variable != SIZE_MAX && source->columns.at[variable].numbers;
    if (*at != 'n' && numeric)
        return wrong_kind(source, line, variable, err);
    line->at = at + length;
    if (variable == SIZE_MAX)
        return TAC_OK;
    if (numeric) {
        source_set_number(source, variable, NAN);
        return TAC_OK;
    }
    uint32_t symbol = TAC_TRACE_NO_SYMBOL;
    tac_status status =
        *at == 'n' ? TAC_OK : source_symbol_window(source, at, length, &symbol, err);
    if (!status)
        source_set_symbol(source, variable, symbol);
    return status;
}
