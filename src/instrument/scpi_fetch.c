/* Sampling: start, fetch again and again, stop.
 *
 * A log counts its samples by the instrument's own oscillator: sample k is the mean over period k
 * since the start. The clock's first reading is the start; its second is the newest sample, which
 * was complete when the answer came and not yet when the sample before it was fetched. Sweeps are
 * placed one by one, because each is started from here. */
#include "base/data/text.h"
#include "base/io/json.h"
#include "instrument/scpi_dialogue.h"
#include <math.h>
#include <time.h>

static int64_t nanoseconds(double seconds)
{
    return (int64_t)llround(seconds * 1e9);
}

/* A reading of the instrument's clock: it showed `device` between the two moments of the host. */
static void read_clock(struct run_clock *clock, int which, int64_t device, int64_t before,
                       int64_t after)
{
    for (int i = which; i < 2; i++) {
        clock->device[i] = device;
        clock->offset[i] = device - (before + (after - before) / 2);
        clock->uncertainty[i] = (after - before) / 2;
    }
}

static tac_status failed_with(const struct scpi_meter *meter, const char *what, const char *queued,
                              tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE, "%s: %s: the instrument reports %s", meter->uri, what,
                    queued);
}

/* Asks for an array; the numbers replace those in out. */
static tac_status ask_numbers(struct scpi_meter *meter, const char *pattern, scpi_numbers *out,
                              tac_error *err)
{
    char query[96];
    tac_error why;
    scpi_expand(meter, pattern, query, sizeof query);
    tac_status status = scpi_ask(&meter->link, query, &meter->answer, err);
    if (status != TAC_OK)
        return status;
    out->count = 0;
    status = scpi_answer_numbers(tac_str_text(&meter->answer), meter->answer.length, meter->format,
                                 out, &why);
    return status == TAC_OK ? TAC_OK
                            : tac_fail(err, status, "%s: %s: %s", meter->uri, query, why.message);
}

/* The supply's voltage, where it cannot be sampled beside the current. */
static tac_status ask_voltage(struct scpi_meter *meter, tac_error *err)
{
    tac_status status = ask_numbers(meter, "MEAS:VOLT? @", &meter->voltages, err);
    if (status == TAC_OK && meter->voltages.count != 1)
        return tac_fail(err, TAC_E_DEVICE, "%s: MEAS:VOLT? was answered with %zu numbers, not 1",
                        meter->uri, meter->voltages.count);
    if (status == TAC_OK)
        meter->voltage = meter->voltages.at[0];
    return status;
}

tac_status scpi_meter_begin(struct scpi_meter *meter, tac_error *err)
{
    char queued[160];
    tac_status status = TAC_OK;
    meter->count = 0;
    meter->gap = 0;
    if (meter->mode == SCPI_LOG && !meter->both)
        status = ask_voltage(meter, err);
    int64_t before = tac_clock(CLOCK_REALTIME);
    if (status == TAC_OK && meter->mode == SCPI_LOG)
        status = scpi_tell(meter, "INIT:ELOG @", err);
    if (status == TAC_OK)
        status = scpi_errors(meter, queued, sizeof queued, err);
    int64_t after = tac_clock(CLOCK_REALTIME);
    if (status == TAC_OK && queued[0])
        return failed_with(meter, "INIT:ELOG", queued, err);
    meter->clock = (struct run_clock){0};
    read_clock(&meter->clock, 0, before + (after - before) / 2, before, after);
    return status;
}

/* Fewer or more samples than time has passed means that some were lost. The count was taken at some
 * moment between the two; sampling began at some moment of the first reading of the clock. */
static tac_status check_count(const struct scpi_meter *meter, int64_t before, int64_t after,
                              tac_error *err)
{
    double begun = (double)meter->clock.uncertainty[0] * 1e-9;
    double least = (double)(before - meter->clock.device[0]) * 1e-9 - begun;
    double most = (double)(after - meter->clock.device[0]) * 1e-9 + begun;
    double sampled = (double)meter->count * meter->period, slack = 0.1 + 0.01 * most;
    if (sampled >= least - slack && sampled <= most + slack)
        return TAC_OK;
    return tac_fail(err, TAC_E_DEVICE,
                    "%s: %llu samples of %g s came in %.3f s, so %s; the energy would be wrong",
                    meter->uri, (unsigned long long)meter->count, meter->period, most,
                    sampled < most ? "some were lost"
                                   : "the instrument samples faster than it says");
}

static tac_status fetch_log(struct scpi_meter *meter, power_samples *out, tac_error *err)
{
    size_t each = meter->both ? 2 : 1, records;
    int64_t before, after;
    char pattern[48];
    snprintf(pattern, sizeof pattern, "FETC:ELOG? %d,@", SCPI_LOG_RECORDS);
    do {
        before = tac_clock(CLOCK_REALTIME);
        tac_status status = ask_numbers(meter, pattern, &meter->currents, err);
        if (status != TAC_OK)
            return status;
        after = tac_clock(CLOCK_REALTIME);
        if (meter->currents.count % each)
            return tac_fail(err, TAC_E_DEVICE,
                            "%s: FETC:ELOG? was answered with %zu numbers; expected current and "
                            "voltage in turn",
                            meter->uri, meter->currents.count);
        records = meter->currents.count / each;
        for (size_t i = 0; i < records; i++) {
            double since = ((double)meter->count++ + 0.5) * meter->period;
            struct power_sample sample = {.time = meter->clock.device[0] + nanoseconds(since),
                                          .current = meter->currents.at[i * each],
                                          .voltage = meter->both ? meter->currents.at[i * each + 1]
                                                                 : meter->voltage};
            tac_vec_push(out, sample);
        }
    } while (records >= SCPI_LOG_RECORDS);
    double sampled = (double)meter->count * meter->period;
    read_clock(&meter->clock, 1, meter->clock.device[0] + nanoseconds(sampled),
               before - nanoseconds(meter->period), after);
    return check_count(meter, before, after, err);
}

/* Whether the voltage of the same sweep can be had shows with the first one. */
static tac_status fetch_voltages(struct scpi_meter *meter, tac_error *err)
{
    if (meter->both && meter->count == 0) {
        tac_status status = scpi_ask_if_known(meter, "FETC:ARR:VOLT? @", &meter->both, err);
        if (status != TAC_OK)
            return status;
    }
    return meter->both ? ask_numbers(meter, "FETC:ARR:VOLT? @", &meter->voltages, err)
                       : ask_voltage(meter, err);
}

static tac_status fetch_sweep(struct scpi_meter *meter, power_samples *out, tac_error *err)
{
    int64_t before = tac_clock(CLOCK_REALTIME);
    tac_status status = ask_numbers(meter, "MEAS:ARR:CURR? @", &meter->currents, err);
    int64_t after = tac_clock(CLOCK_REALTIME);
    if (status == TAC_OK)
        status = fetch_voltages(meter, err);
    if (status != TAC_OK)
        return status;
    size_t count = meter->currents.count;
    if (!count || (meter->both && meter->voltages.count != count))
        return tac_fail(err, TAC_E_DEVICE, "%s: an array of %zu currents and %zu voltages",
                        meter->uri, count, meter->voltages.count);
    int64_t lasted = nanoseconds((double)count * meter->period), slack = after - before - lasted;
    /* It starts when the command arrives; most of what is left over is the way back of the array.
     */
    int64_t way = meter->clock.uncertainty[0] < slack ? meter->clock.uncertainty[0] : slack;
    int64_t start = before + (way > 0 ? way : 0);
    if (meter->count && start < meter->clock.device[1])
        start = meter->clock.device[1];
    if (meter->count)
        meter->gap += (double)(start - meter->clock.device[1]) * 1e-9;
    for (size_t i = 0; i < count; i++) {
        double since = ((double)i + 0.5) * meter->period;
        struct power_sample sample = {.time = start + nanoseconds(since),
                                      .current = meter->currents.at[i],
                                      .voltage =
                                          meter->both ? meter->voltages.at[i] : meter->voltage};
        tac_vec_push(out, sample);
    }
    meter->count += count;
    int64_t worst = meter->clock.uncertainty[1];
    read_clock(&meter->clock, 1, start + lasted, start + lasted, start + lasted);
    meter->clock.uncertainty[1] = slack / 2 > worst ? slack / 2 : worst;
    return TAC_OK;
}

tac_status scpi_meter_fetch(struct scpi_meter *meter, power_samples *out, tac_error *err)
{
    return meter->mode == SCPI_LOG ? fetch_log(meter, out, err) : fetch_sweep(meter, out, err);
}

tac_status scpi_meter_end(struct scpi_meter *meter, tac_error *err)
{
    char queued[160];
    tac_status status = TAC_OK;
    if (meter->mode == SCPI_LOG)
        status = scpi_tell(meter, "ABOR:ELOG @", err);
    if (status == TAC_OK)
        status = scpi_errors(meter, queued, sizeof queued, err);
    if (status == TAC_OK && queued[0])
        return failed_with(meter, "after the run", queued, err);
    return status;
}

json_t *scpi_meter_json(const struct scpi_meter *meter)
{
    json_t *object = json_object();
    json_object_set_new(object, "uri", tac_json_string(meter->uri));
    json_object_set_new(object, "identity", tac_json_string(meter->identity));
    json_object_set_new(object, "mode", json_string(meter->mode == SCPI_LOG ? "log" : "sweeps"));
    json_object_set_new(object, "period", tac_json_number(meter->period));
    json_object_set_new(object, "samples", json_integer((json_int_t)meter->count));
    json_object_set_new(object, "gap", tac_json_number(meter->gap));
    json_object_set_new(object, "clock", run_clock_json(&meter->clock));
    if (!isnan(meter->wall_offset))
        json_object_set_new(object, "wall_offset",
                            tac_json_number(round(meter->wall_offset * 10) / 10));
    return object;
}
