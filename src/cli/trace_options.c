/* See trace_options.h. */
#include "cli/trace_options.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/text.h"
#include "trace/read/format.h"
#include <inttypes.h>
#include <string.h>

const struct option_choice trace_format_choices[] = {
#define TRACE_FORMAT(id, name, what) {#name, TRACE_##id},
#include "trace/read/formats.def"
#undef TRACE_FORMAT
    {0},
};

/* The names of all --select options, split at commas. */
static const char *const *read_select(const struct invocation *in, size_t *count)
{
    size_t given, most = 0;
    const char *const *texts = option_values(in, "select", &given);
    for (size_t i = 0; i < given; i++)
        most += strlen(texts[i]) + 1;
    const char **list = tac_arena_calloc(in->texts, most, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < given; i++) {
        char *next = tac_arena_strdup(in->texts, texts[i]), *name;
        while ((name = strsep(&next, ",")))
            if (*name)
                list[(*count)++] = name;
    }
    return list;
}

tac_trace_options read_trace_options(const struct invocation *in)
{
    tac_trace_options options = {.format = option_text(in, "input-format"),
                                 .time_column = option_text(in, "time-column"),
                                 .discrete = option_text(in, "discrete"),
                                 .lenient = option_flag(in, "lenient"),
                                 .watch = in->watch,
                                 .year = (int)option_number(in, "year", 0)};
    options.patterns = option_values(in, "pattern", &options.pattern_count);
    options.host = option_text(in, "host");
    options.select = read_select(in, &options.select_count);
    return options;
}

static void repeat_text(tac_str *out, const char *name, const char *value)
{
    if (!value)
        return;
    tac_str_addf(out, "%s--%s ", out->length ? " " : "", name);
    tac_quote_shell(out, value);
}

char *repeat_trace_options(const struct invocation *in)
{
    static const char *const once[] = {"input-format", "time-column", "discrete", "host"};
    static const char *const repeated[] = {"pattern", "select"};
    tac_str out = {0};
    char year[24];
    for (size_t i = 0; i < 4; i++)
        repeat_text(&out, once[i], option_text(in, once[i]));
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < option_count(in, repeated[i]); k++)
            repeat_text(&out, repeated[i], option_value(in, repeated[i], k));
    snprintf(year, sizeof year, "%" PRId64, option_number(in, "year", 0));
    if (option_number(in, "year", 0))
        repeat_text(&out, "year", year);
    if (option_flag(in, "lenient"))
        tac_str_addf(&out, "%s--lenient", out.length ? " " : "");
    return out.length ? tac_str_take(&out) : tac_strdup("");
}

void warn_skipped(const char *path, uint64_t skipped, const char *first)
{
    if (skipped)
        complain("%s: skipped %" PRIu64 " row%s%s%s", path, skipped, skipped == 1 ? "" : "s",
                 first ? "; the first: " : "", first ? first : "");
}

const char *trace_format_to_write(const struct invocation *in, const char *path)
{
    const char *wanted = option_text(in, "to");
    if (wanted)
        return wanted;
    if (path && tac_ends_with(path, ".csv"))
        return "csv";
    return path && tac_ends_with(path, ".tacb") ? "binary" : "jsonl";
}
