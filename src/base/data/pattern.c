/* Regular expressions by PCRE2. See pattern.h.
 *
 * Each pattern is compiled for characters and for bytes; the subject decides which is used.
 * Compiled to machine code where the machine allows. Cost: linear for ordinary patterns, at most
 * MATCH_LIMIT steps for any. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/data/pattern.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <pcre2.h>
#include <string.h>

enum { LONGEST_PATTERN = 64 << 10, MATCH_LIMIT = 2000000, MEMORY_LIMIT_KIB = 64 << 10 };

struct tac_pattern {
    pcre2_code *characters; /* NULL when the pattern itself is not UTF-8 */
    pcre2_code *bytes;      /* NULL when the pattern needs characters, e.g. \x{20AC} */
    pcre2_match_data *match;
    pcre2_match_context *limits;
    char *text;
    uint32_t groups;
};

static pcre2_code *compile(const char *text, size_t length, uint32_t options, int *code,
                           PCRE2_SIZE *place)
{
    pcre2_compile_context *context = pcre2_compile_context_create(NULL);
    if (!context)
        tac_out_of_memory(0);
    pcre2_set_max_pattern_length(context, LONGEST_PATTERN);
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)text, length,
                                         options | PCRE2_NEVER_BACKSLASH_C, code, place, context);
    pcre2_compile_context_free(context);
    if (!compiled && *code == PCRE2_ERROR_HEAP_FAILED) /* no fault of the pattern */
        tac_out_of_memory(length);
    if (compiled)
        pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    return compiled;
}

static tac_status wrong_pattern(const char *text, size_t length, int code, size_t place,
                                tac_error *err)
{
    char reason[200] = "";
    int shown = length < 200 ? (int)length : 200;
    if (code == PCRE2_ERROR_NOMEMORY)
        tac_out_of_memory(0);
    pcre2_get_error_message(code, (PCRE2_UCHAR *)reason, sizeof reason);
    return tac_fail(err, TAC_E_USAGE,
                    "the pattern '%.*s%s' is not a regular expression: at character %zu: %s", shown,
                    text, shown < (int)length ? "..." : "", place + 1, reason);
}

tac_status tac_pattern_new(const char *text, size_t length, tac_pattern **out, tac_error *err)
{
    int code = 0;
    PCRE2_SIZE place = 0;
    tac_pattern made = {0};
    bool is_utf8 = tac_utf8_valid(text, length);
    if (is_utf8)
        made.characters = compile(text, length, PCRE2_UTF, &code, &place);
    if (made.characters || !is_utf8)
        made.bytes = compile(text, length, PCRE2_NEVER_UTF, &code, &place);
    const pcre2_code *either = made.characters ? made.characters : made.bytes;
    if (!either)
        return wrong_pattern(text, length, code, place, err);
    pcre2_pattern_info(either, PCRE2_INFO_CAPTURECOUNT, &made.groups);
    made.match = pcre2_match_data_create_from_pattern(either, NULL);
    made.limits = pcre2_match_context_create(NULL);
    if (!made.match || !made.limits)
        tac_out_of_memory(0);
    pcre2_set_match_limit(made.limits, MATCH_LIMIT);
    pcre2_set_heap_limit(made.limits, MEMORY_LIMIT_KIB);
    made.text = tac_strndup(text, length);
    *out = tac_alloc(sizeof **out);
    **out = made;
    return TAC_OK;
}

void tac_pattern_free(tac_pattern *pattern)
{
    if (!pattern)
        return;
    pcre2_code_free(pattern->characters);
    pcre2_code_free(pattern->bytes);
    pcre2_match_data_free(pattern->match);
    pcre2_match_context_free(pattern->limits);
    free(pattern->text);
    free(pattern);
}

size_t tac_pattern_groups(const tac_pattern *pattern)
{
    return pattern->groups;
}

static void copy_spans(const tac_pattern *pattern, size_t length, int set, tac_span *spans,
                       size_t span_count)
{
    const PCRE2_SIZE *places = pcre2_get_ovector_pointer(pattern->match);
    for (size_t i = 0; i < span_count; i++) {
        bool took_part = i < (size_t)set && places[2 * i] != PCRE2_UNSET;
        spans[i].from = took_part ? places[2 * i] : TAC_NO_SPAN;
        spans[i].to = took_part ? places[2 * i + 1] : TAC_NO_SPAN;
        assert(!took_part || (spans[i].from <= length && spans[i].to <= length));
    }
    /* \K in a lookahead can put the start of a match behind its end: nothing is matched then */
    if (span_count && spans[0].from > spans[0].to)
        spans[0].from = spans[0].to;
}

tac_status tac_pattern_find(const tac_pattern *pattern, const char *subject, size_t length,
                            size_t start, bool *found, tac_span *spans, size_t span_count,
                            tac_error *err)
{
    assert(start <= length);
    bool as_characters = pattern->characters && tac_utf8_valid(subject, length);
    const pcre2_code *code = as_characters ? pattern->characters : pattern->bytes;
    *found = false;
    if (!code) /* a pattern of characters over bytes that are none */
        return TAC_OK;
    uint32_t options = as_characters ? PCRE2_NO_UTF_CHECK : 0;
    int set = pcre2_match(code, (PCRE2_SPTR)subject, length, start, options, pattern->match,
                          pattern->limits);
    if (set == PCRE2_ERROR_JIT_STACKLIMIT) /* the interpreter keeps its stack on the heap */
        set = pcre2_match(code, (PCRE2_SPTR)subject, length, start, options | PCRE2_NO_JIT,
                          pattern->match, pattern->limits);
    if (set == PCRE2_ERROR_NOMATCH)
        return TAC_OK;
    if (set < 0) {
        char reason[200] = "";
        pcre2_get_error_message(set, (PCRE2_UCHAR *)reason, sizeof reason);
        return tac_fail(err, TAC_E_LIMIT,
                        "the pattern '%.200s' takes too long on a text of %zu bytes (%s); write it "
                        "without nested repetitions",
                        pattern->text, length, reason);
    }
    assert(set >= 1 && (uint32_t)set <= pattern->groups + 1);
    *found = true;
    copy_spans(pattern, length, set, spans, span_count);
    return TAC_OK;
}

const char *tac_pattern_engine_version(char *buffer)
{
    *buffer = '\0';
    pcre2_config(PCRE2_CONFIG_VERSION, buffer);
    buffer[strcspn(buffer, " ")] = '\0'; /* "10.42 2022-12-11" */
    return buffer;
}
