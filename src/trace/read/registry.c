/* The formats by name and by content. */
#include "base/data/text.h"
#include "trace/read/format.h"

const struct trace_format_row trace_formats[TRACE_FORMATS] = {
#define TRACE_FORMAT(id, name, what) [TRACE_##id] = {#name, what, &trace_format_##name},
#include "trace/read/formats.def"
#undef TRACE_FORMAT
};

const struct trace_format *trace_format_find(const char *name)
{
    for (size_t i = 0; i < TRACE_FORMATS; i++)
        if (!strcmp(trace_formats[i].name, name))
            return trace_formats[i].format;
    return NULL;
}

static bool ending_matches(const struct trace_format *format, const char *path)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".zip"};
    char name[256], wanted[32];
    snprintf(name, sizeof name, "%s", tac_base_name(path));
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (tac_ends_with(name, packed[i]) && strchr(name, '.') != strrchr(name, '.'))
            *strrchr(name, '.') = '\0';
    const char *dot = strrchr(name, '.');
    if (!dot || snprintf(wanted, sizeof wanted, "|%s|", dot) >= (int)sizeof wanted)
        return false;
    return strstr(format->endings, wanted) != NULL;
}

const struct trace_format *trace_format_guess(const struct trace_probe *probe)
{
    const struct trace_format *best = NULL;
    int best_score = 0;
    for (size_t i = 0; i < TRACE_FORMATS; i++) {
        const struct trace_format *format = trace_formats[i].format;
        if (format->is_folder != probe->is_folder)
            continue;
        int score = format->sniff(probe) * 2;
        if (score && ending_matches(format, probe->path))
            score++;
        if (score > best_score) {
            best = format;
            best_score = score;
        }
    }
    return best;
}

const char *trace_format_name(const struct trace_format *format)
{
    return format->id < TRACE_FORMATS ? trace_formats[format->id].name : "run";
}

const char *trace_format_list(void)
{
#define TRACE_FORMAT(id, name, what) ", " #name
    static const char list[] =
#include "trace/read/formats.def"
        ;
#undef TRACE_FORMAT
    return list + 2;
}
