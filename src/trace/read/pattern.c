/* See pattern.h. */
#include "trace/read/pattern.h"
#include "trace/text/number.h"
#include <ctype.h>

static bool name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '-';
}

/* The place behind NAME or NAME[UNIT], or NULL. */
static const char *scan_name(const char *at)
{
    const char *start = at;
    if (!isalpha((unsigned char)*at) && *at != '_')
        return NULL;
    while (name_character(*at))
        at++;
    if (at > start && *at == '[') {
        at = strchr(at, ']');
        return at ? at + 1 : NULL;
    }
    return at > start ? at : NULL;
}

/* The '=' before the list of names, or NULL when the pattern has none. */
static const char *find_names(const char *text)
{
    const char *equals = strrchr(text, '=');
    const char *at = equals ? equals + 1 : NULL;
    while (at && (at = scan_name(at)) && *at == ',')
        at++;
    return at && !*at ? equals : NULL;
}

static tac_status declare_names(struct trace_pattern *pattern, tac_trace_source *source,
                                const char *names, tac_error *err)
{
    for (const char *at = names; at && *at;) {
        const char *end = scan_name(at);
        const char *bracket = memchr(at, '[', (size_t)(end - at));
        char *name = tac_strndup(at, (size_t)((bracket ? bracket : end) - at));
        char *unit = bracket ? tac_strndup(bracket + 1, (size_t)(end - bracket - 2)) : NULL;
        tac_status status = TAC_OK;
        if (pattern->name_count == PATTERN_NAMES)
            status = tac_fail(err, TAC_E_USAGE, "the pattern '%s' has more than %d names",
                              pattern->text, PATTERN_NAMES);
        else
            status = source_want_variable(source, name, unit ? TAC_CONTINUOUS : TAC_DISCRETE,
                                          unit ? unit : "",
                                          &pattern->variables[pattern->name_count++], err);
        free(name);
        free(unit);
        if (status)
            return status;
        at = end + (*end == ',');
    }
    return TAC_OK;
}

tac_status pattern_compile(struct trace_pattern *pattern, tac_trace_source *source,
                           const char *text, tac_error *err)
{
    const char *equals = find_names(text);
    *pattern = (struct trace_pattern){.text = text};
    size_t length = equals ? (size_t)(equals - text) : strlen(text);
    if (length == 0)
        return tac_fail(err, TAC_E_USAGE, "the pattern '%s' has no regular expression", text);
    if (tac_pattern_new(text, length, &pattern->regex, err) != TAC_OK)
        return TAC_E_USAGE;
    pattern->groups = tac_pattern_groups(pattern->regex);
    tac_status status = declare_names(pattern, source, equals ? equals + 1 : "event", err);
    if (!status && pattern->groups && pattern->name_count > pattern->groups)
        status =
            tac_fail(err, TAC_E_USAGE, "the pattern '%s' names %zu values but has %zu group%s",
                     text, pattern->name_count, pattern->groups, pattern->groups == 1 ? "" : "s");
    if (status)
        pattern_free(pattern);
    return status;
}

static tac_status set_value(const struct trace_pattern *pattern, tac_trace_source *source,
                            size_t variable, const char *text, size_t length, size_t line,
                            tac_error *err)
{
    if (!source->columns.at[variable].numbers) {
        uint32_t symbol;
        tac_status status = source_symbol_slow(source, text, length, &symbol, err);
        if (!status)
            source_set_symbol(source, variable, symbol);
        return status;
    }
    double value;
    const char *end = scan_number(text, &value);
    if (!end || end != text + length)
        return source_fail(source, err, TAC_E_INPUT, line, 0,
                           "'%.*s' for '%s' is not a number (pattern '%s')",
                           (int)(length < 60 ? length : 60), text,
                           source->variables.at[variable].name, pattern->text);
    source_set_number(source, variable, value);
    return TAC_OK;
}

tac_status pattern_apply(const struct trace_pattern *pattern, tac_trace_source *source,
                         const char *subject, size_t line, bool *matched, tac_error *err)
{
    tac_span groups[PATTERN_NAMES + 1];
    bool found;
    tac_error why;
    tac_status status = tac_pattern_find(pattern->regex, subject, strlen(subject), 0, &found,
                                         groups, PATTERN_NAMES + 1, &why);
    if (status != TAC_OK)
        return source_fail(source, err, status, line, 0, "%s", why.message);
    if (!found)
        return TAC_OK;
    *matched = true;
    for (size_t i = 0; i < pattern->name_count && status == TAC_OK; i++) {
        const tac_span *group = &groups[pattern->groups ? i + 1 : 0];
        if (group->from != TAC_NO_SPAN && group->to > group->from)
            status = set_value(pattern, source, pattern->variables[i], subject + group->from,
                               group->to - group->from, line, err);
    }
    return status;
}

void pattern_free(struct trace_pattern *pattern)
{
    tac_pattern_free(pattern->regex);
    pattern->regex = NULL;
}
