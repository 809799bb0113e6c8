/* `dumpsys meminfo` and `dumpsys gfxinfo`: what every process of the dump uses, and how it drew. */
#include "base/data/text.h"
#include "device/android/dump/parse.h"
#include "facts/page.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_PROCESSES = 12 };

/* --- memory --- */

struct memory_page {
    tac_facts *page;
    int64_t processes, silent, pss, java, native;
};

static void add_kilobytes(tac_facts *page, const char *name, int64_t kilobytes)
{
    char number[32];
    if (kilobytes > 0)
        page_textf(page, name, "%s kB", tac_thousands((uint64_t)kilobytes, number, sizeof number));
}

static void see_process(void *context, const struct android_process_memory *p)
{
    struct memory_page *all = context;
    int64_t pss = p->pss >= 0 ? p->pss : p->summed_pss;
    int64_t java = p->java >= 0 ? p->java : p->dalvik;
    int64_t native = p->native >= 0 ? p->native : p->table_native;
    if (!p->named)
        return;
    all->silent += pss < 0;
    all->pss += pss > 0 ? pss : 0;
    all->java += java > 0 ? java : 0;
    all->native += native > 0 ? native : 0;
    if (all->processes++ < MOST_PROCESSES) {
        char name[ANDROID_NAME + 32];
        snprintf(name, sizeof name, "%s (pid %" PRIu64 ")", p->name, p->pid);
        add_kilobytes(all->page, name, pss);
    }
}

/* "356,789K: com.example (pid 1000 / activities)", to Android 6 "356789 kB: com.example (pid
 * 1000)"; a name may have brackets itself. */
static void see_row(struct memory_page *all, const struct android_lines *lines)
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
    see_process(all, &p);
}

/* The list of a dump that was asked for no process, the largest first. */
static void see_list(struct memory_page *all, const struct facts_input *input)
{
    struct android_lines lines = {.at = input->text, .end = input->text + input->size};
    bool inside = false, over = false;
    while (!over && android_next_line(&lines)) {
        over = inside && (!lines.length || android_starts(&lines, "Total "));
        if (inside && !over)
            see_row(all, &lines);
        inside = inside || android_starts(&lines, "Total PSS by process:");
    }
}

tac_status page_of_memory(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    struct memory_page all = {.page = page};
    (void)err;
    android_each_memory(input->text, input->size, see_process, &all);
    if (!all.processes)
        see_list(&all, input);
    page_number(page, "processes", all.processes);
    add_kilobytes(page, "together", all.pss);
    add_kilobytes(page, "Java heap", all.java);
    add_kilobytes(page, "native heap", all.native);
    if (!all.processes)
        page_warn(page, "the dump names no process");
    if (all.silent)
        page_warn(page, "%" PRId64 " of %" PRId64 " processes did not tell their total", all.silent,
                  all.processes);
    return TAC_OK;
}

/* --- frames --- */

static void add_jank(tac_facts *page, const char *name, double janky, double total)
{
    if (!isnan(janky) && total > 0)
        page_textf(page, name, "%.0f (%.1f %%)", janky, 100 * janky / total);
}

static void add_frames(const struct android_frames *f, tac_facts *page)
{
    static const char *const shares[] = {"half within", "90 % within", "95 % within",
                                         "99 % within"};
    if (*f->process)
        page_textf(page, "process", "%s (pid %" PRIu64 ")", f->process, f->pid);
    if (f->failed)
        page_warn(page, "%s did not answer", f->process);
    if (!isnan(f->total))
        page_number(page, "frames", llround(f->total));
    add_jank(page, "janky", f->janky, f->total);
    add_jank(page, "janky by the older rule", f->legacy, f->total);
    for (size_t i = 0; i < 4; i++)
        if (!isnan(f->raw_percentile[i]) && f->total > 0)
            page_textf(page, shares[i], "%.0f ms", f->raw_percentile[i] * 1000);
    if (f->recent)
        page_textf(page, "last frames", "%zu, %zu above 16.7 ms, the slowest %.1f ms", f->recent,
                   f->slow, f->slowest * 1000);
    if (f->cut)
        page_warn(page, "the text ends inside the frame data");
}

tac_status page_of_frames(const struct facts_input *input, tac_facts *page, tac_error *err)
{
    const char *at = input->text;
    struct android_frames frames;
    (void)err;
    for (int i = 0;
         i < MOST_PROCESSES && android_next_frames(&at, input->text + input->size, &frames); i++)
        add_frames(&frames, page);
    return TAC_OK;
}
