/* `dumpsys meminfo`: every process of the dump, not only the first. */
#include "facts/android/lines.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct meminfo {
    tac_facts *facts;
    char process[256];
    int64_t pid, processes, pss, java, native;
    bool in_summary, total_seen, columns_have_rss;
};

static void named(struct meminfo *m, const char *what, int64_t value)
{
    char name[320];
    snprintf(name, sizeof name, "%s[%s]", what, m->process);
    if (value >= 0)
        facts_number(m->facts, name, value);
}

static void begin(struct meminfo *m, const char *line)
{
    const char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;
    m->pid = number_after(line, "in pid", 0);
    m->processes++;
    m->in_summary = m->total_seen = false;
    snprintf(m->process, sizeof m->process, "%.*s", close ? (int)(close - open - 1) : 0,
             close ? open + 1 : "");
}

static void take_total(struct meminfo *m, int64_t pss)
{
    char name[320];
    if (m->total_seen)
        return;
    m->total_seen = true;
    m->pss += pss;
    snprintf(name, sizeof name, "pss_kB[%s pid %" PRId64 "]", m->process, m->pid);
    facts_number(m->facts, name, pss);
}

static bool take(void *context, char *line)
{
    struct meminfo *m = context;
    const char *text = line + strspn(line, " \t");
    if (strstr(line, "** MEMINFO in pid"))
        begin(m, line);
    else if (!strncmp(text, "App Summary", 11))
        m->in_summary = true;
    else if (!m->processes)
        return true;
    else if (!strncmp(text, "TOTAL", 5) && (isspace((unsigned char)text[5])) &&
             isdigit((unsigned char)*after(text, "TOTAL")))
        take_total(m, number_after(text, "TOTAL", 0));
    else if (m->in_summary && !strncmp(text, "Java Heap:", 10))
        m->java += number_after(text, "Java Heap:", 0);
    else if (m->in_summary && !strncmp(text, "Native Heap:", 12))
        m->native += number_after(text, "Native Heap:", 0);
    else if (m->in_summary && !strncmp(text, "TOTAL", 5)) {
        if (!m->total_seen)
            take_total(m,
                       number_after(text, strstr(text, "TOTAL PSS:") ? "TOTAL PSS:" : "TOTAL:", 0));
        named(m, "rss_kB", number_after(text, "TOTAL RSS:", -1));
        int64_t swap = number_after(text, "TOTAL SWAP PSS:", -1);
        named(m, "swap_kB", swap >= 0 ? swap : number_after(text, "TOTAL SWAP (KB):", -1));
    } else if (!strncmp(text, "Views:", 6))
        named(m, "views", number_after(text, "Views:", -1));
    else if (strstr(text, "Activities:"))
        named(m, "activities", number_after(text, "Activities:", -1));
    return true;
}

static tac_status read(const struct facts_input *input, tac_facts *facts, tac_error *err)
{
    struct meminfo m = {.facts = facts};
    facts_text(facts, "encoding", input->encoding);
    tac_status status = each_line(input, take, &m, err);
    if (status == TAC_OK) {
        facts_number(facts, "processes", m.processes);
        facts_number(facts, "total_pss_kB", m.pss);
        facts_number(facts, "java_heap_kB", m.java);
        facts_number(facts, "native_heap_kB", m.native);
    }
    return status;
}

static int sniff(const struct facts_input *input)
{
    return head_has(input, "** MEMINFO in pid")           ? 3
           : head_has(input, "Applications Memory Usage") ? 2
                                                          : 0;
}

const struct facts_kind facts_kind_meminfo = {.name = "meminfo",
                                              .summary = "dumpsys meminfo: memory of every process",
                                              .sniff = sniff,
                                              .read = read};
