/* Clock correction. offset(t) is linear between the two readings; a reading's uncertainty is half
 * the time it took. */
#include "instrument/run_clock.h"
#include "base/io/json.h"
#include <stdio.h>
#include <time.h>

tac_status run_clock_read(struct run_clock *clock, tac_device *device, int which, tac_error *err)
{
    tac_clock_reading reading;
    tac_status status = tac_device_clock(device, &reading, err);
    if (status != TAC_OK)
        return status;
    int64_t host = reading.host_before + (reading.host_after - reading.host_before) / 2;
    for (int i = which; i < 2; i++) {
        clock->device[i] = reading.device;
        clock->offset[i] = reading.device - host;
        clock->uncertainty[i] = (reading.host_after - reading.host_before) / 2;
    }
    if (which == 0)
        clock->start = host;
    return TAC_OK;
}

int64_t run_clock_correct(const struct run_clock *clock, int64_t device_time)
{
    int64_t span = clock->device[1] - clock->device[0];
    double part = span > 0 ? (double)(device_time - clock->device[0]) / (double)span : 0;
    double drift = (double)(clock->offset[1] - clock->offset[0]) * part;
    int64_t host = device_time - clock->offset[0] - (int64_t)drift;
    return host > clock->start ? host - clock->start : 0;
}

double run_clock_seconds(const struct run_clock *clock)
{
    int64_t span = clock->device[1] - clock->device[0];
    if (span < 0) /* the device's clock was set back: the host's tells how long it took */
        span -= clock->offset[1] - clock->offset[0];
    return span > 0 ? (double)span * 1e-9 : 0;
}

static json_t *iso_date(int64_t nanoseconds)
{
    time_t seconds = (time_t)(nanoseconds / 1000000000);
    struct tm utc;
    char date[32], text[48];
    gmtime_r(&seconds, &utc);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text, sizeof text, "%s.%09dZ", date, (int)(nanoseconds % 1000000000));
    return json_string(text);
}

json_t *run_clock_json(const struct run_clock *clock)
{
    int64_t worst = clock->uncertainty[0] > clock->uncertainty[1] ? clock->uncertainty[0]
                                                                  : clock->uncertainty[1];
    json_t *object = json_object();
    if (clock->start)
        json_object_set_new(object, "start", iso_date(clock->start));
    json_object_set_new(object, "offset", tac_json_number((double)clock->offset[0] * 1e-9));
    json_object_set_new(object, "offset_end", tac_json_number((double)clock->offset[1] * 1e-9));
    json_object_set_new(object, "uncertainty", tac_json_number((double)worst * 1e-9));
    return object;
}
