/* The list of formats, in the order in which they are asked. */
#include "base/data/text.h"
#include "trace/read/format.h"

static const struct trace_format *const formats[] = {
    &trace_format_jsonl,        &trace_format_binary,   &trace_format_csv,
    &trace_format_logcat,       &trace_format_droidbot, &trace_format_scpi,
    &trace_format_perfetto,     &trace_format_systrace, &trace_format_chrome,
    &trace_format_pcap,         &trace_format_har,      &trace_format_bugreport,
    &trace_format_batterystats,
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

const struct trace_format *trace_format_find(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (!strcmp(formats[i]->name, name))
            return formats[i];
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
    for (size_t i = 0; i < FORMATS; i++) {
        const struct trace_format *format = formats[i];
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

const char *trace_format_list(void)
{
    return "jsonl, binary, csv, logcat, droidbot, scpi, perfetto, systrace, chrome, pcap, har, "
           "batterystats, bugreport";
}
