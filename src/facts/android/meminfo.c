/* `dumpsys meminfo`: every process of the dump, not only the first. */
#include "device/android/dump/parse.h"
#include "facts/android/lines.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct meminfo {
    tac_facts *facts;
    int64_t processes, pss, java, native, failed;
};

static void named(struct meminfo *m, const char *what, const char *process, int64_t value)
{
    char name[320];
    snprintf(name, sizeof name, "%s[%s]", what, process);
    if (value >= 0)
        facts_number(m->facts, name, value);
}

static void see(void *context, const struct android_process_memory *p)
{
    struct meminfo *m = context;
    char name[320];
    int64_t pss = p->pss >= 0 ? p->pss : p->summed_pss;
    if (!p->named)
        return;
    m->processes++;
    if (pss >= 0) {
        snprintf(name, sizeof name, "pss_kB[%s pid %" PRIu64 "]", p->name, p->pid);
        facts_number(m->facts, name, pss);
    }
    m->failed += pss < 0;
    m->pss += pss > 0 ? pss : 0;
    m->java += p->java > 0 ? p->java : 0;
    m->native += p->native > 0 ? p->native : 0;
    named(m, "rss_kB", p->name, p->rss);
    named(m, "swap_kB", p->name, p->summary ? p->swap : -1);
    named(m, "views", p->name, p->views);
    named(m, "activities", p->name, p->activities);
}

static tac_status read(const struct facts_input *input, tac_facts *facts, tac_error *err)
{
    struct meminfo m = {.facts = facts};
    char *text;
    size_t size;
    tac_status status = facts_slurp(input, &text, &size, err);
    if (status != TAC_OK)
        return status;
    facts_text(facts, "encoding", input->encoding);
    android_each_memory(text, size, see, &m);
    free(text);
    facts_number(facts, "processes", m.processes);
    facts_number(facts, "total_pss_kB", m.pss);
    facts_number(facts, "java_heap_kB", m.java);
    facts_number(facts, "native_heap_kB", m.native);
    if (m.failed)
        facts_warn(facts, "%" PRId64 " of %" PRId64 " processes did not say their total", m.failed,
                   m.processes);
    return TAC_OK;
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
