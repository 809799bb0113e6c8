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
    struct wire_field field;
    uint32_t pid = 0;
    const char *name = NULL;
    size_t length = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            pid = (uint32_t)wire_number(&field);
        else if (field.number == 3 && field.type == WIRE_BYTES && !name)
            name = (const char *)field.data, length = field.size;
    }
    if (name)
        kernel_process_name(&perfetto->kernel, pid, name, strnlen(name, length));
    kernel_thread_of(&perfetto->kernel, pid, pid);
}

static void read_thread(struct perfetto *perfetto, struct wire wire)
{
    struct wire_field field;
    uint32_t tid = 0, tgid = 0;
    const char *name = NULL;
    size_t length = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            tid = (uint32_t)wire_number(&field);
        else if (field.number == 3)
            tgid = (uint32_t)wire_number(&field);
        else if (field.number == 2 && field.type == WIRE_BYTES)
            name = (const char *)field.data, length = field.size;
    }
    if (name)
        kernel_thread_name(&perfetto->kernel, tid, name, strnlen(name, length));
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
    uint32_t pid = 0;
    tac_status status = TAC_OK;
    for (struct wire first = wire; wire_next(&first, &field);)
        if (field.number == 1)
            pid = (uint32_t)wire_number(&field);
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
    struct wire_field field;
    tac_status status = TAC_OK;
    while (!status && wire_next(&wire, &field))
        if (field.number == 1 && field.type == WIRE_BYTES)
            status = add_process(perfetto, wire_inside(&field), time, err);
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
    struct wire_field field;
    uint64_t key = 0, value = 0;
    char name[48];
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            key = wire_number(&field);
        else if (field.number == 2)
            value = wire_number(&field);
    }
    if (key < sizeof names / sizeof *names)
        snprintf(name, sizeof name, "meminfo.%s", names[key]);
    else
        snprintf(name, sizeof name, "meminfo.k%llu", (unsigned long long)key);
    return add_plain(perfetto, name, "kB", time, (double)value, err);
}

tac_status perfetto_system(struct perfetto *perfetto, struct wire wire, int64_t time,
                           tac_error *err)
{
    struct wire_field field;
    tac_status status = TAC_OK;
    while (!status && wire_next(&wire, &field))
        if (field.number == 1 && field.type == WIRE_BYTES)
            status = add_meminfo(perfetto, wire_inside(&field), time, err);
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

static void read_rail(struct perfetto *perfetto, struct wire wire)
{
    struct wire_field field;
    uint64_t index = 0;
    tac_str name = {0};
    tac_str_add(&name, "rail.");
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            index = wire_number(&field);
        else if (field.number == 2 && field.type == WIRE_BYTES)
            tac_str_add_bytes(&name, (const char *)field.data, field.size);
    }
    if (name.length == 5)
        tac_str_addf(&name, "%llu", (unsigned long long)index);
    struct timeline *timeline = &perfetto->timeline;
    *tac_u64map_at(&perfetto->rails, index, 0, NULL) =
        timeline_series(timeline, timeline_name(timeline, name.text, name.length), TAC_NONE,
                        TAC_CONTINUOUS, "uJ", 1);
    tac_str_free(&name);
}

/* A sample has its own time, in milliseconds of the boot clock; energy counts up since boot. */
static tac_status add_rail(struct perfetto *perfetto, struct wire wire, int64_t time,
                           tac_error *err)
{
    struct wire_field field;
    uint64_t index = 0, energy = 0, milliseconds = 0;
    while (wire_next(&wire, &field)) {
        if (field.number == 1)
            index = wire_number(&field);
        else if (field.number == 2)
            milliseconds = wire_number(&field);
        else if (field.number == 3)
            energy = wire_number(&field);
    }
    const uint64_t *series = tac_u64map_find(&perfetto->rails, index);
    if (!series) {
        uint8_t descriptor[] = {0x08, (uint8_t)(index & 0x7f)};
        read_rail(perfetto, wire_over(descriptor, sizeof descriptor));
        series = tac_u64map_find(&perfetto->rails, index & 0x7f);
    }
    struct timeline_event event = {.time = milliseconds && milliseconds < INT64_MAX / 1000000
                                               ? (int64_t)milliseconds * 1000000
                                               : time,
                                   .kind = TIMELINE_COUNTER,
                                   .name = (uint32_t)*series,
                                   .number = (double)energy};
    return timeline_add(&perfetto->timeline, &event, err);
}

tac_status perfetto_rails(struct perfetto *perfetto, struct wire wire, int64_t time, tac_error *err)
{
    struct wire_field field;
    tac_status status = TAC_OK;
    for (struct wire first = wire; wire_next(&first, &field);)
        if (field.number == 1 && field.type == WIRE_BYTES)
            read_rail(perfetto, wire_inside(&field));
    while (!status && wire_next(&wire, &field))
        if (field.number == 2 && field.type == WIRE_BYTES)
            status = add_rail(perfetto, wire_inside(&field), time, err);
    return status;
}

/* --- The log ---------------------------------------------------------------------------------- */

static tac_status add_log(struct perfetto *perfetto, struct wire wire, tac_error *err)
{
    static const char levels[] = "??VDIWEFS";
    struct wire_field field;
    struct timeline *timeline = &perfetto->timeline;
    struct timeline_event event = {.kind = TIMELINE_LOG, .integer = '?'};
    event.name = timeline_name(timeline, "", 0);
    event.track = event.name;
    while (wire_next(&wire, &field)) {
        if (field.number == 5)
            event.time = clocks_known_to_boot(&perfetto->clocks, CLOCK_REALTIME_ID,
                                              (int64_t)wire_number(&field));
        else if (field.number == 6 && field.type == WIRE_BYTES)
            event.name = timeline_name(timeline, field.data, field.size);
        else if (field.number == 8 && field.type == WIRE_BYTES)
            event.track = timeline_name(timeline, field.data, field.size);
        else if (field.number == 7 && wire_number(&field) < sizeof levels - 1)
            event.integer = (unsigned char)levels[wire_number(&field)];
    }
    return timeline_add(timeline, &event, err);
}

tac_status perfetto_log(struct perfetto *perfetto, struct wire wire, tac_error *err)
{
    struct wire_field field;
    tac_status status = TAC_OK;
    while (!status && wire_next(&wire, &field))
        if (field.number == 1 && field.type == WIRE_BYTES)
            status = add_log(perfetto, wire_inside(&field), err);
    return status;
}
