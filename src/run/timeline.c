/* Merging a device's states with samples. See timeline.h. */
#include "run/timeline.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <math.h>

void timeline_start(struct timeline *self, const struct probe_set *probes, size_t place_count)
{
    *self = (struct timeline){.probes = probes,
                              .time = INT64_MIN,
                              .event = TAC_TRACE_NO_SYMBOL,
                              .place_count = place_count};
    self->cursors = tac_calloc(probes->instruments.count, sizeof *self->cursors);
    self->places = tac_calloc(place_count, sizeof *self->places);
    self->numbers = tac_calloc(probes->columns.count, sizeof *self->numbers);
    for (size_t i = 0; i < place_count; i++)
        self->places[i] = TAC_TRACE_NO_SYMBOL;
    for (size_t i = 0; i < probes->columns.count; i++)
        self->numbers[i] = NAN;
}

void timeline_free(struct timeline *self)
{
    free(self->cursors);
    free(self->places);
    free(self->numbers);
}

static double watts(const struct power_sample *sample)
{
    return sample->current * sample->voltage;
}

static int64_t sample_time(const struct probe_instrument *source, size_t index)
{
    return run_clock_correct(&source->clock, source->samples.at[index].time);
}

/* Energy from the sample before the cursor to the moment, which is not after the cursor's. */
static double energy_at(const struct probe_instrument *source, const struct timeline_cursor *cursor,
                        int64_t time)
{
    if (!cursor->next)
        return 0;
    assert(cursor->next <= source->samples.count);
    size_t last = cursor->next - 1;
    int64_t from = sample_time(source, last);
    double begin = watts(&source->samples.at[last]), end = begin;
    double seconds = time > from ? (double)(time - from) * 1e-9 : 0;
    if (cursor->next < source->samples.count) {
        int64_t span = sample_time(source, cursor->next) - from;
        double part = span > 0 ? fmin(seconds * 1e9 / (double)span, 1) : 1;
        end = begin + part * (watts(&source->samples.at[cursor->next]) - begin);
    } else {
        seconds = 0; /* nothing is known after the last sample */
    }
    return cursor->energy + (begin + end) / 2 * seconds;
}

static void show_energies(struct timeline *self)
{
    for (size_t i = 0; i < self->probes->instruments.count; i++) {
        const struct probe_instrument *source = &self->probes->instruments.at[i];
        self->numbers[source->column[PROBE_ENERGY]] =
            energy_at(source, &self->cursors[i], self->time);
    }
}

static void show_record(struct timeline *self, struct record_list list)
{
    assert(self->next < list.count);
    const double *numbers = list.numbers + self->next * self->probes->columns.count;
    for (size_t i = 0; i < self->probes->columns.count; i++)
        if (!self->probes->columns.at[i].sampled)
            self->numbers[i] = numbers[i];
    for (size_t i = 0; i < self->place_count; i++)
        self->places[i] = list.places[self->next * self->place_count + i];
    self->event = list.records[self->next].event;
    self->next++;
}

static void show_sample(struct timeline *self, size_t index)
{
    const struct probe_instrument *source = &self->probes->instruments.at[index];
    struct timeline_cursor *cursor = &self->cursors[index];
    assert(cursor->next < source->samples.count);
    const struct power_sample *sample = &source->samples.at[cursor->next];
    cursor->energy = energy_at(source, cursor, self->time);
    cursor->next++;
    self->numbers[source->column[PROBE_POWER]] = watts(sample);
    self->numbers[source->column[PROBE_CURRENT]] = sample->current;
    self->numbers[source->column[PROBE_VOLTAGE]] = sample->voltage;
    self->event = TAC_TRACE_NO_SYMBOL;
}

/* When record number `next` was, or INT64_MAX when there is none. */
static int64_t record_time(const struct timeline *self, struct record_list list)
{
    if (self->next >= list.count)
        return INT64_MAX;
    struct run_moment moment = list.records[self->next].moment;
    return run_clock_correct(&self->probes->sources.at[moment.source].clock, moment.time);
}

bool timeline_next(struct timeline *self, struct record_list list, int64_t covered)
{
    size_t chosen = SIZE_MAX; /* an instrument, or none for a record */
    int64_t first = record_time(self, list);
    bool any = self->next < list.count;
    for (size_t i = 0; i < self->probes->instruments.count; i++) {
        const struct probe_instrument *source = &self->probes->instruments.at[i];
        if (self->cursors[i].next == source->samples.count)
            continue;
        int64_t time = sample_time(source, self->cursors[i].next);
        if (!any || time <= first) {
            any = true;
            first = time;
            chosen = i;
        }
    }
    if (!any || first > covered)
        return false;
    self->time = first > self->time ? first : self->time;
    if (chosen == SIZE_MAX)
        show_record(self, list);
    else
        show_sample(self, chosen);
    show_energies(self);
    return true;
}
