/* See trace_options.h. */
#include "cli/trace_options.h"
#include "base/data/alloc.h"
#include <inttypes.h>

tac_trace_options read_trace_options(const struct invocation *in)
{
    tac_trace_options options = {.format = option_text(in, "input-format"),
                                 .time_column = option_text(in, "time-column"),
                                 .discrete = option_text(in, "discrete"),
                                 .pattern_count = option_count(in, "pattern"),
                                 .lenient = option_flag(in, "lenient"),
                                 .watch = in->watch,
                                 .year = (int)option_number(in, "year", 0)};
    const char **patterns = tac_calloc(options.pattern_count + 1, sizeof *patterns);
    for (size_t i = 0; i < options.pattern_count; i++)
        patterns[i] = option_value(in, "pattern", i);
    options.patterns = patterns;
    return options;
}

void free_trace_options(tac_trace_options *options)
{
    free((void *)(uintptr_t)options->patterns);
    options->patterns = NULL;
}

void warn_skipped(const char *path, uint64_t skipped, const char *first)
{
    if (skipped)
        fprintf(stderr, "tactus: %s: skipped %" PRIu64 " row%s%s%s\n", path, skipped,
                skipped == 1 ? "" : "s", first ? "; the first: " : "", first ? first : "");
}
