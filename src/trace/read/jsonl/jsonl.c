/* JSON Lines: an object per state, {"t":TIME,"NAME":VALUE,...}, between a header and an end line
 * (header.h). Its own scanner: keys come in nearly the same order, so they stand in a ring in
 * that order; a key is compared with the one behind the last match, then with the next few, and
 * looked up only then. Strings without escapes are interned from the window. */
#include "trace/read/jsonl/jsonl.h"
#include "trace/read/jsonl/fast.h"
#include "trace/read/jsonl/header.h"
#include "trace/text/json_text.h"

enum { TRIES = 6 };

/* Past a text that begins here, or its end. */
static const char *past_text(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

/* Sure only when the object itself has the member: other formats have "t" somewhere inside. */
static int sniff(const struct trace_probe *probe)
{
    const char *at = probe->head + strspn(probe->head, " \t\r\n");
    size_t depth = 0, deepest = 0;
    if (*at != '{')
        return 0;
    do {
        const char *start = at;
        depth += (*at == '{') + (*at == '[');
        depth -= (*at == '}') + (*at == ']');
        deepest = depth > deepest ? depth : deepest;
        at = *at == '"' ? past_text(at) : at + 1;
        if (depth == 1 && *start == '"' && at[strspn(at, " \t")] == ':' &&
            (!strncmp(start, "\"tactus\"", 8) || !strncmp(start, "\"t\"", 3)))
            return 2;
    } while (depth && *at);
    return deepest < 3; /* other documents are deep */
}

/* --- Keys ------------------------------------------------------------------------------------- */

static inline bool key_matches(const struct expected_key *key, const char *at)
{
    uint64_t head;
    memcpy(&head, at, 8);
    if (((head ^ key->head) & key->mask) || at[key->length] != '"')
        return false;
    return key->length <= 8 || !memcmp(at, key->text, key->length);
}

/* A new key takes its place in the ring where it was met. */
static void remember_key(struct jsonl *jsonl, struct jsonl_line *line, const char *text,
                         size_t length, size_t variable)
{
    if (jsonl->ring_count == JSONL_RING)
        return;
    for (size_t i = 0; i < jsonl->ring_count; i++)
        if (jsonl->ring[i].variable == variable)
            return;
    struct expected_key *place = &jsonl->ring[line->cursor];
    memmove(place + 1, place, (jsonl->ring_count++ - line->cursor) * sizeof *place);
    *place = (struct expected_key){.text = text, .length = length, .variable = variable};
    size_t head = length < 8 ? length : 8;
    memcpy(&place->head, text, head);
    memset(&place->mask, 0xff, head);
    line->cursor++;
}

/* The ring's key that stands at `at` (behind the opening quote), or NULL. */
static inline const struct expected_key *find_key(const struct jsonl *jsonl,
                                                  struct jsonl_line *line, const char *at)
{
    size_t cursor = line->cursor;
    for (size_t tries = 0; tries < TRIES && tries < jsonl->ring_count; tries++) {
        cursor = cursor < jsonl->ring_count ? cursor : 0;
        const struct expected_key *key = &jsonl->ring[cursor++];
        if (key_matches(key, at)) {
            line->cursor = cursor;
            return key;
        }
    }
    return NULL;
}

/* The kind of a variable that the header did not name follows from its first value. */
static tac_status new_variable(tac_trace_source *source, const char *name, size_t length,
                               const char *value, size_t *variable, tac_error *err)
{
    bool number = digit_of(*value) < 10 || *value == '-' || *value == 'N' || *value == 'n';
    if (*value == '{' || (*value == 'n' && value[1] == 'u')) { /* nothing about the kind: wait */
        *variable = SIZE_MAX;
        return TAC_OK;
    }
    tac_status status = source_add_variable(
        source, name, length, number ? TAC_CONTINUOUS : TAC_DISCRETE, "", false, variable, err);
    if (status == TAC_OK && *value == '[')
        source_set_type(source, *variable, TAC_VALUE_LIST);
    return status;
}

/* Reads a key that was not expected, up to its value. *variable SIZE_MAX: skip the value. */
static tac_status read_key(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                           size_t *variable, tac_error *err)
{
    const char *wrong, *start = line->at;
    if (*line->at != '"')
        return jsonl_bad(source, line, line->at, err, "expected a key in quotes");
    const char *end = json_text_decode(line->at + 1, &jsonl->scratch, &wrong);
    if (!end)
        return jsonl_bad(source, line, wrong, err, "a text is not closed, or has a wrong escape");
    const char *name = tac_str_text(&jsonl->scratch);
    size_t length = jsonl->scratch.length;
    line->at = skip_blanks(end + 1);
    if (*line->at != ':')
        return jsonl_bad(source, line, line->at, err, "expected ':' behind the key");
    line->at = skip_blanks(line->at + 1);
    bool plain = (size_t)(end - start - 1) == length;
    if (length == 1 && *name == 't') {
        *variable = jsonl_time_key;
        if (plain)
            remember_key(jsonl, line, "t", 1, jsonl_time_key);
        return TAC_OK;
    }
    *variable = source_find_variable(source, name, length);
    if (*variable == SIZE_MAX && length == 4 && !memcmp(name, "time", 4))
        return *variable = jsonl_time_key, TAC_OK;
    if (*variable == SIZE_MAX) {
        tac_status status = new_variable(source, name, length, line->at, variable, err);
        if (status || *variable == SIZE_MAX)
            return status;
    }
    if (plain)
        remember_key(jsonl, line, source->variables.at[*variable].name, length, *variable);
    return TAC_OK;
}

/* --- The fast path -----------------------------------------------------------------------------
 *
 * A state as the writers write it, {"t":...,"KNOWN":PLAIN,...}, goes straight into the columns.
 * Anything else makes it give up without a trace, and the careful path reads the line again. */

enum { TOUCHED = 32 };

/* The line's end when the state was read and committed, else NULL. */
ALWAYS_INLINE const char *fast_state(const struct jsonl *jsonl, tac_trace_source *source,
                                     const char *at, const struct jsonl_scanners scan)
{
    struct jsonl_line line = {.cursor = 1}; /* "t" is the ring's first key */
    struct trace_column *touched[TOUCHED];
    size_t count = 0;
    int64_t time;
    if (memcmp(at, "{\"t\":", 5) || !(at = fast_time(at + 5, &time, scan)) || at[-1] == '.' ||
        time < source->last_time)
        return NULL;
    while (*at == ',' && at[1] == '"' && count < TOUCHED) {
        const struct expected_key *key = find_key(jsonl, &line, at + 2);
        if (!key || key->variable == jsonl_time_key || at[key->length + 3] != ':')
            break;
        struct trace_column *column = &source->columns.at[key->variable];
        const char *end = column->filled > source->count
                              ? NULL /* given twice */
                              : fast_value(source, column, at + key->length + 4, scan);
        if (!end)
            break;
        column->filled = source->count + 1;
        touched[count++] = column;
        at = end;
    }
    if (at[0] != '}' || at[1] != '\n') {
        while (count)
            touched[--count]->filled = source->count;
        return NULL;
    }
    source_commit_dense(source, time);
    return at + 1;
}

/* States from `at` on, as many as are plain. Returns the line end of the last one, or NULL. */
ALWAYS_INLINE const char *fast_states(const struct jsonl *jsonl, tac_trace_source *source,
                                      const char *at, const char *limit,
                                      const struct jsonl_scanners scan)
{
    const char *last = NULL;
    while (at < limit && source->count < TAC_TRACE_BLOCK_STATES &&
           (at = fast_state(jsonl, source, at, scan))) {
        last = at++;
    }
    return last;
}

static inline const char *no_number(const char *text, double *out)
{
    (void)text;
    (void)out;
    return NULL;
}

static inline const char *no_seconds(const char *text, int64_t *out)
{
    (void)text;
    (void)out;
    return NULL;
}

#ifdef TAC_HAS_WIDE_NUMBERS
__attribute__((target("avx2,bmi,popcnt"))) static const char *
wide_states(const struct jsonl *jsonl, tac_trace_source *source, const char *at, const char *limit)
{
    const struct jsonl_scanners scan = {wide_decimal, wide_json_number, wide_json_seconds};
    return fast_states(jsonl, source, at, limit, scan);
}
#endif

static const char *plain_states(const struct jsonl *jsonl, tac_trace_source *source, const char *at,
                                const char *limit)
{
#ifdef TAC_HAS_WIDE_NUMBERS
    if (wide_numbers_usable())
        return wide_states(jsonl, source, at, limit);
#endif
    const struct jsonl_scanners scan = {scan_decimal, no_number, no_seconds};
    return fast_states(jsonl, source, at, limit, scan);
}

/* --- Lines ------------------------------------------------------------------------------------ */

static tac_status read_pair(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                            tac_error *err)
{
    size_t variable;
    const struct expected_key *key = *line->at == '"' ? find_key(jsonl, line, line->at + 1) : NULL;
    if (key && line->at[key->length + 2] == ':') {
        variable = key->variable;
        line->at = skip_blanks(line->at + key->length + 3);
    } else {
        tac_status status = read_key(jsonl, source, line, &variable, err);
        if (status)
            return status;
    }
    if (*line->at == '"')
        return jsonl_read_text(jsonl, source, line, variable, err);
    if (digit_of(*line->at) < 10 || *line->at == '-')
        return jsonl_read_number(jsonl, source, line, variable, err);
    if (*line->at == '[')
        return jsonl_read_list(jsonl, source, line, variable, err);
    if (*line->at == '{')
        return jsonl_read_unknown(jsonl, source, line, variable, err);
    return jsonl_read_word(source, line, variable, err);
}

static tac_status read_state(struct jsonl *jsonl, tac_trace_source *source, struct jsonl_line *line,
                             tac_error *err)
{
    source_begin(source);
    line->at = skip_blanks(line->text);
    if (*line->at != '{')
        return jsonl_bad(source, line, line->at, err, "expected an object {\"t\":...}");
    line->at = skip_blanks(line->at + 1);
    for (bool first = true; *line->at != '}'; first = false) {
        if (!first) {
            if (*line->at != ',')
                return jsonl_bad(source, line, line->at, err, "expected ',' or '}'");
            line->at = skip_blanks(line->at + 1);
        }
        tac_status status = read_pair(jsonl, source, line, err);
        if (status)
            return status;
        line->at = skip_blanks(line->at);
    }
    line->at = skip_blanks(line->at + 1);
    if (*line->at != '\n')
        return jsonl_bad(source, line, line->at, err, "text behind the object");
    if (!line->has_time)
        return jsonl_bad(source, line, line->text, err, "the state has no time \"t\"");
    if (source_commit(source, line->time))
        return TAC_OK;
    return source_commit_error(source, line->time, line->number, 1, err);
}

static bool is_end_line(const char *text)
{
    const char *at = skip_blanks(text);
    if (*at != '{' || (at = skip_blanks(at + 1))[0] != '"' || at[1] != 'e' || at[2] != 'n' ||
        at[3] != 'd' || at[4] != '"')
        return false;
    at = skip_blanks(at + 5);
    return *at == ':' && *skip_blanks(at + 1) == '{';
}

static tac_status read_end(struct jsonl *jsonl, tac_trace_source *source,
                           const struct jsonl_line *line, tac_error *err)
{
    uint64_t promised, found = source->first + source->count;
    size_t length = (size_t)((const char *)rawmemchr(line->text, '\n') - line->text);
    tac_status status = jsonl_read_end(source, line->text, length, line->number, &promised, err);
    if (status)
        return status;
    jsonl->saw_end = true;
    if (promised != found + source->skipped && !source->options.lenient)
        return source_fail(source, err, TAC_E_INPUT, line->number, 1,
                           "the end line counts %llu states, but there are %llu: lines are missing",
                           (unsigned long long)promised, (unsigned long long)found);
    return TAC_OK;
}

/* Reads the plain lines at the window's begin, or else one line with care, and moves behind. */
static tac_status read_line(struct jsonl *jsonl, tac_trace_source *source, tac_error *err)
{
    struct trace_window *window = &source->window;
    const char *text = window->data + window->begin, *limit = window->data + window->complete;
    size_t before = source->count;
    const char *done = jsonl->saw_end ? NULL : plain_states(jsonl, source, text, limit);
    if (done) {
        window->begin = (size_t)(done - window->data) + 1;
        window->line += source->count - before;
        return TAC_OK;
    }
    struct jsonl_line line = {.text = text, .number = window->line++};
    tac_error problem; /* left uninitialised: clearing it would cost more than the line */
    tac_status status = TAC_OK;
    if (*skip_blanks(line.text) == '\n') /* a blank line says nothing */
        line.at = skip_blanks(line.text);
    else if (jsonl->saw_end)
        status = source_fail(source, &problem, TAC_E_INPUT, line.number, 1,
                             "a state behind the end line");
    else if (is_end_line(line.text))
        status = read_end(jsonl, source, &line, &problem);
    else
        status = read_state(jsonl, source, &line, &problem);
    const char *end = status || !line.at || *line.at != '\n' ? rawmemchr(line.text, '\n') : line.at;
    window->begin = (size_t)(end - window->data) + 1;
    return status ? source_skip_or_fail(source, &problem, err) : TAC_OK;
}

static tac_status at_end(struct jsonl *jsonl, tac_trace_source *source, tac_error *err)
{
    source->ended = true;
    if (!jsonl->ends || jsonl->saw_end)
        return TAC_OK;
    source->cut = true;
    tac_error problem = {0};
    source_fail(source, &problem, TAC_E_INPUT, source->window.line, 0,
                "the file is cut: its end line is missing; reading leniently takes what is there");
    return source_skip_or_fail(source, &problem, err);
}

static tac_status fill(tac_trace_source *source, tac_error *err)
{
    struct jsonl *jsonl = source->reader;
    struct trace_window *window = &source->window;
    while (source->count < TAC_TRACE_BLOCK_STATES) {
        tac_status status;
        bool waits;
        if (jsonl->saw_end && window->follow) {
            source->ended = true;
            return TAC_OK;
        }
        if (!window_has_line(window)) {
            if ((status = source_more_lines(source, &waits, err)) || waits)
                return status;
            if (!window_has_line(window))
                return at_end(jsonl, source, err);
        }
        if ((status = read_line(jsonl, source, err)))
            return status;
    }
    return TAC_OK;
}

static tac_status open_jsonl(tac_trace_source *source, tac_error *err)
{
    struct jsonl *jsonl = source->reader = tac_calloc(1, sizeof *jsonl);
    struct trace_window *window = &source->window;
    const char *line;
    size_t length, number;
    bool waits, is_header = false;
    tac_status status = source_next_line(source, &line, &length, &number, &waits, err);
    if (!status && line)
        status = jsonl_read_header(source, line, length, number, &is_header, &jsonl->ends, err);
    if (!status && line && !is_header) { /* an ordinary state: read it again as one */
        window->begin = (size_t)(line - window->data);
        window->line = number;
    }
    return status;
}

static void close_jsonl(tac_trace_source *source)
{
    struct jsonl *jsonl = source->reader;
    if (jsonl) {
        tac_str_free(&jsonl->scratch);
        tac_str_free(&jsonl->list);
    }
    free(jsonl);
}

const struct trace_format trace_format_jsonl = {
    .id = TRACE_JSONL,
    .endings = "|.jsonl|.ndjson|",
    .sniff = sniff,
    .open = open_jsonl,
    .fill = fill,
    .close = close_jsonl,
};
