/* `dumpsys meminfo`: every process of the dump, not only the first. Without a package the dump has
 * one line per process instead of a block:
 *
 *     Total PSS by process:
 *        356,789K: com.example (pid 1000 / activities)
 */
#include "device/android/dump/parse.h"
#include "figures/android/lines.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct meminfo {
    struct figures *facts;
    int64_t processes, pss, java, native, failed;
    bool heaps; /* some process told them */
};

static void named(struct meminfo *m, const char *what, const char *process, int64_t value)
{
    char name[320];
    snprintf(name, sizeof name, "%s[%s]", what, process);
    if (value >= 0)
        figures_number(m->facts, name, value);
}

static void see(void *context, const struct android_process_memory *p)
{
    struct meminfo *m = context;
    char name[320];
    int64_t pss = p->pss >= 0 ? p->pss : p->summed_pss;
    int64_t java = p->java >= 0 ? p->java : p->dalvik;
    int64_t native = p->native >= 0 ? p->native : p->table_native;
    if (!p->named)
        return;
    m->processes++;
    if (pss >= 0) {
        snprintf(name, sizeof name, "pss_kB[%s pid %" PRIu64 "]", p->name, p->pid);
        figures_number(m->facts, name, pss);
    }
    m->failed += pss < 0;
    m->pss += pss > 0 ? pss : 0;
    m->heaps |= java >= 0 || native >= 0;
    m->java += java > 0 ? java : 0;
    m->native += native > 0 ? native : 0;
    named(m, "rss_kB", p->name, p->rss);
    named(m, "swap_kB", p->name, p->summary ? p->swap : -1);
    named(m, "views", p->name, p->views);
    named(m, "activities", p->name, p->activities);
}

/* "356,789K: com.example (pid 1000 / activities)", to Android 6 "356789 kB: com.example (pid
 * 1000)"; a name may have brackets itself. */
static void see_row(struct meminfo *m, const struct android_lines *lines)
{
    const char *end = lines->line + lines->length, *name = android_after(lines, "K: ");
    name = name ? name : android_after(lines, " kB: ");
    const char *at = name, *pid = NULL;
    struct android_process_memory p = android_no_memory;
    uint64_t kilobytes;
    while (at && (at = memmem(at, (size_t)(end - at), " (pid ", 6)))
        pid = at, at += 6;
    if (!pid || !android_count(lines->line, name, &kilobytes) ||
        !android_count(pid + 6, end, &p.pid) || kilobytes > INT64_MAX)
        return;
    p.named = true;
    p.pss = (int64_t)kilobytes;
    snprintf(p.name, sizeof p.name, "%.*s", (int)(pid - name), name);
    see(m, &p);
}

static void see_list(struct meminfo *m, const char *text, size_t size)
{
    struct android_lines lines = {.at = text, .end = text + size};
    bool inside = false;
    while (android_next_line(&lines)) {
        if (android_starts(&lines, "Total PSS by process:"))
            inside = true;
        else if (inside && (!lines.length || android_starts(&lines, "Total ")))
            return;
        else if (inside)
            see_row(m, &lines);
    }
}

static void known(struct figures *facts, const char *name, bool told, int64_t value)
{
    if (told)
        figures_number(facts, name, value);
    else
        figures_text(facts, name, "-");
}

static tac_status read(const struct figures_input *input, struct figures *facts, tac_error *err)
{
    struct meminfo m = {.facts = facts};
    char *text;
    size_t size;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status != TAC_OK)
        return status;
    figures_text(facts, "encoding", input->encoding);
    android_each_memory(text, size, see, &m);
    if (!m.processes)
        see_list(&m, text, size);
    free(text);
    figures_number(facts, "processes", m.processes);
    known(facts, "total_pss_kB", m.processes > m.failed, m.pss);
    known(facts, "java_heap_kB", m.heaps, m.java);
    known(facts, "native_heap_kB", m.heaps, m.native);
    if (!m.processes)
        figures_warn(facts, "no process is told in it");
    if (m.failed)
        figures_warn(facts, "%" PRId64 " of %" PRId64 " processes did not say their total",
                     m.failed, m.processes);
    return TAC_OK;
}

static int sniff(const struct figures_input *input)
{
    return head_has(input, "** MEMINFO in pid") ? 3
           : head_has(input, "Applications Memory Usage") ||
                   head_line_begins(input, "Total PSS by process:")
               ? 2
               : 0;
}

const struct figures_kind figures_kind_meminfo = {.name = "meminfo",
                                                  .summary =
                                                      "dumpsys meminfo: memory of every process",
                                                  .sniff = sniff,
                                                  .read = read};
