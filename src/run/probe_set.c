/* The sources of a run's measurements. See probe_set.h. */
#include "run/probe_set.h"
#include "base/alloc.h"
#include "base/text.h"
#include <math.h>

static bool chosen(probe_choice choice, const char *name)
{
    for (size_t i = 0; i < choice.count; i++)
        if (!strcmp(choice.names[i], name))
            return true;
    return !choice.count;
}

static bool has_column(const probe_set *set, const char *name)
{
    for (size_t i = 0; i < set->columns.count; i++)
        if (!strcmp(set->columns.at[i].name, name))
            return true;
    return false;
}

static uint32_t add_column(probe_set *set, const char *prefix, const tac_probe *probe)
{
    char *name = tac_format("%s%s", prefix, probe->name);
    uint32_t place = TAC_NONE;
    if (!has_column(set, name)) {
        place = (uint32_t)set->columns.count;
        uint32_t id = tac_names_intern(&set->names, name);
        probe_column column = {.name = set->names.text[id],
                               .unit = probe->unit ? probe->unit : "",
                               .monotone = probe->monotone,
                               .first = NAN};
        tac_vec_push(&set->columns, column);
    }
    free(name);
    return place;
}

tac_status probe_set_check_choice(tac_device *device, probe_choice choice, tac_error *err)
{
    size_t count;
    const tac_probe *probes = tac_device_probes(device, &count);
    for (size_t i = 0; i < choice.count; i++) {
        bool known = false;
        for (size_t p = 0; p < count; p++)
            known |= !strcmp(probes[p].name, choice.names[i]);
        if (known)
            continue;
        char list[512] = "";
        size_t used = 0;
        for (size_t p = 0; p < count && used + 1 < sizeof list; p++)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", p ? ", " : "",
                                     probes[p].name);
        if (!count)
            snprintf(list, sizeof list, "none");
        return tac_fail(err, TAC_E_USAGE, "%s has no probe \"%s\"; it has %s",
                        tac_device_uri(device), choice.names[i], list);
    }
    return TAC_OK;
}

tac_status probe_set_add_device(probe_set *set, tac_device *device, const char *prefix,
                                probe_choice choice, tac_error *err)
{
    tac_status status = probe_set_check_choice(device, choice, err);
    if (status != TAC_OK)
        return status;
    probe_source source = {.device = device};
    const tac_probe *probes = tac_device_probes(device, &source.probe_count);
    source.column = tac_calloc(source.probe_count, sizeof *source.column);
    source.reading = tac_calloc(source.probe_count, sizeof *source.reading);
    for (size_t i = 0; i < source.probe_count; i++)
        source.column[i] =
            chosen(choice, probes[i].name) ? add_column(set, prefix, &probes[i]) : TAC_NONE;
    tac_vec_push(&set->sources, source);
    return TAC_OK;
}

tac_status probe_set_measure(probe_set *set, double *values, int64_t *time, tac_error *err)
{
    for (size_t s = 0; s < set->sources.count; s++) {
        probe_source *source = &set->sources.at[s];
        int64_t read_at;
        tac_status status = tac_device_measure(source->device, 0, source->reading, &read_at, err);
        if (status != TAC_OK)
            return status;
        if (s == 0)
            *time = read_at;
        for (size_t i = 0; i < source->probe_count; i++) {
            if (source->column[i] == TAC_NONE)
                continue;
            probe_column *column = &set->columns.at[source->column[i]];
            double value = source->reading[i];
            if (column->monotone && isnan(column->first))
                column->first = value;
            values[source->column[i]] = column->monotone ? value - column->first : value;
        }
    }
    return TAC_OK;
}

tac_status probe_set_read_clocks(probe_set *set, int which, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t s = 0; s < set->sources.count && status == TAC_OK; s++)
        status = run_clock_read(&set->sources.at[s].clock, set->sources.at[s].device, which, err);
    return status;
}

const run_clock *probe_set_clock(const probe_set *set)
{
    return &set->sources.at[0].clock;
}

void probe_set_free(probe_set *set)
{
    for (size_t i = 0; i < set->sources.count; i++) {
        free(set->sources.at[i].column);
        free(set->sources.at[i].reading);
    }
    tac_vec_free(&set->sources);
    tac_vec_free(&set->columns);
    tac_names_free(&set->names);
}
