/* What is polled or logged: memory, processes, battery, power rails, the Android log. */
#include "trace/perfetto/reader.h"

static tac_status add_plain(struct perfetto *perfetto, const char *name, const char *unit,
                            int64_t time, double value, tac_error *err)
{
    struct timeline *timeline = &perfetto->timeline;
    struct timeline_event event = {.time = time,
                                   .kind = TIMELINE_COUNTER,
                                   .name =
                                       timeline_series(timeline, timeline_name_text(timeline, name),
                                                       TAC_NONE, TAC_CONTINUOUS, unit, 1),
                                   .number = value};
    return timeline_add(timeline, &event, err);
}

/* --- Processes -------------------------------------------------------------------------------- */

static void read_process(struct perfetto *perfetto, struct wire wire)
{
    struct wire_small process = wire_small(wire);
    uint32_t pid = (uint32_t)process.number[1];
    if (process.text[3])
        kernel_process_name(&perfetto->kernel, pid, process.text[3], wire_name_length(&process, 3));
    kernel_thread_of(&perfetto->kernel, pid, pid);
}

static void read_thread(struct perfetto *perfetto, struct wire wire)
{
    struct wire_small thread = wire_small(wire);
    uint32_t tid = (uint32_t)thread.number[1], tgid = (uint32_t)thread.number[3];
    if (thread.text[2])
        kernel_thread_name(&perfetto->kernel, tid, thread.text[2], wire_name_length(&thread, 2));
    if (tgid)
        kernel_thread_of(&perfetto->kernel, tid, tgid);
}

void perfetto_processes(struct perfetto *perfetto, struct wire wire)
{
    struct wire_field field;
    while (wire_next(&wire, &field)) {
        if (field.type != WIRE_BYTES)
            continue;
        if (field.number == 1)
            read_process(perfetto, wire_inside(&field));
        else if (field.number == 2)
            read_thread(perfetto, wire_inside(&field));
    }
}

static tac_status add_process(struct perfetto *perfetto, struct wire wire, int64_t time,
                              tac_error *err)
{
    static const char *const names[] = {NULL,         NULL,           "mem.virtual", "mem.rss",
                                        "mem.anon",   "mem.file",     "mem.shmem",   "mem.swap",
                                        "mem.locked", "mem.peak_rss", "oom_score"};
    struct wire_field field;
    uint32_t pid = (uint32_t)wire_small(wire).number[1];
    tac_status status = TAC_OK;
    while (!status && wire_next(&wire, &field))
        if (field.number >= 2 && field.number <= 10 && field.type == WIRE_VARINT)
            status = kernel_counter(&perfetto->kernel, time, pid, names[field.number],
                                    strlen(names[field.number]), field.number < 10 ? "kB" : "",
                                    (double)(int64_t)field.value, err);
    return status;
}

tac_status perfetto_process_stats(struct perfetto *perfetto, struct wire wire, int64_t time,
                                  tac_error *err)
{
    struct wire part;
    tac_status status = TAC_OK;
    while (!status && wire_part(&wire, 1, &part))
        status = add_process(perfetto, part, time, err);
    return status;
}

/* --- The system's memory ---------------------------------------------------------------------- */

static tac_status add_meminfo(struct perfetto *perfetto, struct wire wire, int64_t time,
                              tac_error *err)
{
    static const char *const names[] = {"0",
                                        "total",
                                        "free",
                                        "available",
                                        "buffers",
                                        "cached",
                                        "swap_cached",
                                        "active",
                                        "inactive",
                                        "active_anon",
                                        "inactive_anon",
                                        "active_file",
                                        "inactive_file",
                                        "unevictable",
                                        "mlocked",
                                        "swap_total",
                                        "swap_free",
                                        "dirty",
                                        "writeback",
                                        "anon_pages",
                                        "mapped",
                                        "shmem",
                                        "slab",
                                        "slab_reclaimable",
                                        "slab_unreclaimable",
                                        "kernel_stack",
                                        "page_tables",
                                        "commit_limit",
                                        "committed",
                                        "vmalloc_total",
                                        "vmalloc_used",
                                        "vmalloc_chunk",
                                        "cma_total",
                                        "cma_free"};
    struct wire_small row = wire_small(wire);
    uint64_t key = row.number[1];
    char name[48];
    if (key < sizeof names / sizeof *names)
        snprintf(name, sizeof name, "meminfo.%s", names[key]);
    else
        snprintf(name, sizeof name, "meminfo.k%llu", (unsigned long long)key);
    return add_plain(perfetto, name, "kB", time, (double)row.number[2], err);
}

tac_status perfetto_system(struct perfetto *perfetto, struct wire wire, int64_t time,
                           tac_error *err)
{
    struct wire part;
    tac_status status = TAC_OK;
    while (!status && wire_part(&wire, 1, &part))
        status = add_meminfo(perfetto, part, time, err);
    return status;
}

/* --- Power ------------------------------------------------------------------------------------ */

tac_status perfetto_battery(struct perfetto *perfetto, struct wire wire, int64_t time,
                            tac_error *err)
{
    static const struct {
        const char *name, *unit;
    } counters[] = {{NULL, NULL},
                    {"battery.charge", "uAh"},
                    {"battery.level", "%"},
                    {"battery.current", "uA"},
                    {"battery.current_average", "uA"},
                    {NULL, NULL},
                    {"battery.energy", "uWh"},
                    {"battery.voltage", "uV"}};
    struct wire_field field;
    tac_status status = TAC_OK;
    while (!status && wire_next(&wire, &field))
        if (field.number < sizeof counters / sizeof *counters && counters[field.number].name &&
            field.type != WIRE_BYTES)
            status = add_plain(perfetto, counters[field.number].name, counters[field.number].unit,
                               time, wire_double(&field), err);
    return status;
}

static void add_series(struct perfetto *perfetto, uint64_t index, const char *text, size_t length)
{
    struct timeline *timeline = &perfetto->timeline;
    tac_str name = {0};
    tac_str_add(&name, "rail.");
    tac_str_add_bytes(&name, text, length);
    if (!length)
        tac_str_addf(&name, "%llu", (unsigned long long)index);
    *tac_u64map_at(&perfetto->rails, index, 0, NULL) =
        timeline_series(timeline, timeline_name(timeline, name.text, name.length), TAC_NONE,
                        TAC_CONTINUOUS, "uJ", 1);
    tac_str_free(&name);
}

static void read_rail(struct perfetto *perfetto, struct wire wire)
{
    struct wire_small rail = wire_small(wire);
    add_series(perfetto, rail.number[1], rail.text[2], rail.length[2]);
}

/* A sample has its own time, in milliseconds of the boot clock; energy counts up since boot. */
static tac_status add_rail(struct perfetto *perfetto, struct wire wire, int64_t time,
                           tac_error *err)
{
    struct wire_small sample = wire_small(wire);
    uint64_t index = sample.number[1], milliseconds = sample.number[2];
    const uint64_t *series = tac_u64map_find(&perfetto->rails, index);
    if (!series) {
        index &= 0x7f;
        add_series(perfetto, index, "", 0);
        series = tac_u64map_find(&perfetto->rails, index);
    }
    struct timeline_event event = {.time = milliseconds && milliseconds < INT64_MAX / 1000000
                                               ? (int64_t)milliseconds * 1000000
                                               : time,
                                   .kind = TIMELINE_COUNTER,
                                   .name = (uint32_t)*series,
                                   .number = (double)sample.number[3]};
    return timeline_add(&perfetto->timeline, &event, err);
}

tac_status perfetto_rails(struct perfetto *perfetto, struct wire wire, int64_t time, tac_error *err)
{
    struct wire part;
    tac_status status = TAC_OK;
    for (struct wire first = wire; wire_part(&first, 1, &part);)
        read_rail(perfetto, part);
    while (!status && wire_part(&wire, 2, &part))
        status = add_rail(perfetto, part, time, err);
    return status;
}

/* --- The log ---------------------------------------------------------------------------------- */

static tac_status add_log(struct perfetto *perfetto, struct wire wire, tac_error *err)
{
    static const char levels[] = "??VDIWEFS";
    struct timeline *timeline = &perfetto->timeline;
    struct wire_small line = wire_small(wire);
    uint64_t level = line.number[7];
    struct timeline_event event = {
        .kind = TIMELINE_LOG,
        .integer = line.has[7] && level < sizeof levels - 1 ? (unsigned char)levels[level] : '?',
        .name = timeline_name(timeline, line.text[6] ? line.text[6] : "", line.length[6]),
        .track = timeline_name(timeline, line.text[8] ? line.text[8] : "", line.length[8])};
    if (line.has[5])
        event.time =
            clocks_known_to_boot(&perfetto->clocks, CLOCK_REALTIME_ID, (int64_t)line.number[5]);
    return timeline_add(timeline, &event, err);
}

tac_status perfetto_log(struct perfetto *perfetto, struct wire wire, tac_error *err)
{
    struct wire part;
    tac_status status = TAC_OK;
    while (!status && wire_part(&wire, 1, &part))
        status = add_log(perfetto, part, err);
    return status;
}
