/* The sources of a run's measurements. See probe_set.h. */
#include "run/probe_set.h"
#include "base/data/alloc.h"
#include <math.h>

static bool chosen(struct probe_choice choice, const char *name)
{
    bool all = true;
    for (size_t i = 0; i < choice.count; i++) {
        if (!strcmp(choice.names[i], name))
            return true;
        all &= instrument_is_uri(choice.names[i]);
    }
    return all;
}

static uint32_t find_column(const struct probe_set *set, const char *name)
{
    for (size_t i = 0; i < set->columns.count; i++)
        if (!strcmp(set->columns.at[i].name, name))
            return (uint32_t)i;
    return TAC_NONE;
}

static uint32_t add_column(struct probe_set *set, const char *prefix, const tac_probe *probe)
{
    char *name = tac_format("%s%s", prefix, probe->name);
    uint32_t place = TAC_NONE;
    if (find_column(set, name) == TAC_NONE) {
        place = (uint32_t)set->columns.count;
        uint32_t id = tac_names_intern(&set->names, name);
        struct probe_column column = {.name = set->names.text[id],
                                      .unit = probe->unit ? probe->unit : "",
                                      .monotone = probe->monotone,
                                      .first = NAN};
        tac_vec_push(&set->columns, column);
    }
    free(name);
    return place;
}

tac_status probe_set_check_choice(tac_device *device, struct probe_choice choice, tac_error *err)
{
    size_t count;
    const tac_probe *probes = tac_device_probes(device, &count);
    for (size_t i = 0; i < choice.count; i++) {
        bool known = instrument_is_uri(choice.names[i]);
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
        return tac_fail(err, TAC_E_USAGE, "%s has no probe '%s'; it has %s", tac_device_uri(device),
                        choice.names[i], list);
    }
    return TAC_OK;
}

tac_status probe_set_add_device(struct probe_set *set, tac_device *device, const char *prefix,
                                struct probe_choice choice, tac_error *err)
{
    tac_status status = probe_set_check_choice(device, choice, err);
    if (status != TAC_OK)
        return status;
    struct probe_source source = {.device = device};
    const tac_probe *probes = tac_device_probes(device, &source.probe_count);
    source.column = tac_calloc(source.probe_count, sizeof *source.column);
    source.reading = tac_calloc(source.probe_count, sizeof *source.reading);
    for (size_t i = 0; i < source.probe_count; i++)
        source.column[i] =
            chosen(choice, probes[i].name) ? add_column(set, prefix, &probes[i]) : TAC_NONE;
    tac_vec_push(&set->sources, source);
    return TAC_OK;
}

/* From now on no device fills the column. */
static void take_column(struct probe_set *set, uint32_t column)
{
    for (size_t s = 0; s < set->sources.count; s++)
        for (size_t i = 0; i < set->sources.at[s].probe_count; i++)
            if (set->sources.at[s].column[i] == column)
                set->sources.at[s].column[i] = TAC_NONE;
}

void probe_set_add_instrument(struct probe_set *set, struct instrument *meter)
{
    static const tac_probe sampled[PROBE_SAMPLED] = {[PROBE_POWER] = {"power", "W", false},
                                                     [PROBE_CURRENT] = {"current", "A", false},
                                                     [PROBE_VOLTAGE] = {"voltage", "V", false},
                                                     [PROBE_ENERGY] = {"energy", "J", true}};
    struct probe_instrument added = {.instrument = meter};
    for (size_t i = 0; i < PROBE_SAMPLED; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s", sampled[i].name);
        if (set->instruments.count)
            snprintf(name, sizeof name, "%s%zu", sampled[i].name, set->instruments.count + 1);
        tac_probe probe = {name, sampled[i].unit, sampled[i].monotone};
        added.column[i] = find_column(set, name);
        if (added.column[i] == TAC_NONE)
            added.column[i] = add_column(set, "", &probe);
        else
            take_column(set, added.column[i]);
        set->columns.at[added.column[i]].unit = sampled[i].unit;
        set->columns.at[added.column[i]].sampled = true;
    }
    tac_vec_push(&set->instruments, added);
}

static tac_status collect(struct probe_set *set, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < set->instruments.count && status == TAC_OK; i++)
        status = instrument_collect(set->instruments.at[i].instrument,
                                    &set->instruments.at[i].samples, err);
    return status;
}

/* To a billionth of the unit, finer than anything measures: differences of readings otherwise end
 * in digits that mean nothing. */
static double rounded(double value)
{
    return fabs(value) < 1e6 ? round(value * 1e9) / 1e9 : value;
}

/* A counter of the trace never falls. One of the device that does has begun anew: near zero what it
 * shows has come since, otherwise nothing is known to have come. */
static double count_on(struct probe_set *set, struct probe_column *column, double value,
                       int64_t time)
{
    if (isnan(value))
        return NAN;
    if (isnan(column->first)) {
        column->first = value;
    } else if (value < column->last) {
        tac_vec_push(&set->resets, (struct probe_reset){column->name, time, column->last, value});
        double came = column->last - column->first;
        column->first = value < column->last / 10 ? -came : value - came;
    }
    column->last = value;
    return value - column->first;
}

json_t *probe_set_resets_json(const struct probe_set *set)
{
    json_t *list = json_array();
    int64_t start = set->sources.count ? probe_set_clock(set)->start : 0;
    for (size_t i = 0; i < set->resets.count; i++) {
        const struct probe_reset *reset = &set->resets.at[i];
        json_array_append_new(list, json_pack("{s:s,s:f,s:f,s:f}", "probe", reset->name, "time",
                                              (double)(reset->time - start) * 1e-9, "from",
                                              reset->from, "to", reset->to));
    }
    return list;
}

tac_status probe_set_measure(struct probe_set *set, double *values, int64_t *time, tac_error *err)
{
    for (size_t s = 0; s < set->sources.count; s++) {
        struct probe_source *source = &set->sources.at[s];
        int64_t read_at;
        tac_status status = tac_device_measure(source->device, 0, source->reading, &read_at, err);
        if (status != TAC_OK)
            return status;
        if (s == 0)
            *time = read_at;
        for (size_t i = 0; i < source->probe_count; i++) {
            if (source->column[i] == TAC_NONE)
                continue;
            struct probe_column *column = &set->columns.at[source->column[i]];
            double value = source->reading[i];
            values[source->column[i]] =
                rounded(column->monotone ? count_on(set, column, value, read_at) : value);
        }
    }
    return collect(set, err);
}

static tac_status read_clocks(struct probe_set *set, int which, tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t s = 0; s < set->sources.count && status == TAC_OK; s++)
        status = run_clock_read(&set->sources.at[s].clock, set->sources.at[s].device, which, err);
    return status;
}

/* The instrument's clock, with the run's start as 0. */
static void take_clock(struct probe_set *set, struct probe_instrument *source)
{
    source->clock = instrument_clock(source->instrument);
    source->clock.start = probe_set_clock(set)->start;
}

tac_status probe_set_start(struct probe_set *set, tac_error *err)
{
    tac_status status = read_clocks(set, 0, err);
    for (size_t i = 0; i < set->instruments.count && status == TAC_OK; i++) {
        status = instrument_start(set->instruments.at[i].instrument, err);
        if (status == TAC_OK)
            take_clock(set, &set->instruments.at[i]);
    }
    return status;
}

tac_status probe_set_finish(struct probe_set *set, tac_error *err)
{
    tac_status status = read_clocks(set, 1, err);
    for (size_t i = 0; i < set->instruments.count && status == TAC_OK; i++) {
        struct probe_instrument *source = &set->instruments.at[i];
        status = instrument_finish(source->instrument, &source->samples, err);
        if (status == TAC_OK)
            take_clock(set, source);
    }
    return status;
}

int64_t probe_set_covered(const struct probe_set *set)
{
    int64_t covered = INT64_MAX;
    for (size_t i = 0; i < set->instruments.count; i++) {
        const struct probe_instrument *source = &set->instruments.at[i];
        int64_t last = source->samples.count
                           ? run_clock_correct(&source->clock, tac_vec_last(&source->samples).time)
                           : -1;
        covered = last < covered ? last : covered;
    }
    return covered;
}

json_t *probe_set_instruments_json(const struct probe_set *set)
{
    json_t *list = json_array();
    for (size_t i = 0; i < set->instruments.count; i++)
        json_array_append_new(list, instrument_json(set->instruments.at[i].instrument));
    return list;
}

const struct run_clock *probe_set_clock(const struct probe_set *set)
{
    return &set->sources.at[0].clock;
}

void probe_set_free(struct probe_set *set)
{
    tac_vec_free(&set->resets);
    for (size_t i = 0; i < set->sources.count; i++) {
        free(set->sources.at[i].column);
        free(set->sources.at[i].reading);
    }
    for (size_t i = 0; i < set->instruments.count; i++) {
        instrument_stop(set->instruments.at[i].instrument);
        tac_vec_free(&set->instruments.at[i].samples);
    }
    tac_vec_free(&set->sources);
    tac_vec_free(&set->instruments);
    tac_vec_free(&set->columns);
    tac_names_free(&set->names);
}
