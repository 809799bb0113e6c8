/* The thread that reads an instrument. See instrument.h. */
#include "instrument/instrument.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

/* A log is fetched this often; sweeps take their own time. */
static const double fetch_every = 0.02;

struct instrument {
    struct scpi_meter meter; /* the thread's between start and join */
    double deadline;
    bool running; /* the thread exists */
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    bool stop;
    power_samples fresh; /* not yet collected */
    struct run_clock clock;
    tac_error failure; /* status TAC_OK while all is well */
};

/* uri: scpi://HOST[:PORT][/CHANNEL]; deadline in seconds for connecting and for each answer. */
static tac_status instrument_open(const char *uri, double deadline, struct instrument **out,
                                  tac_error *err)
{
    struct instrument *self = tac_calloc(1, sizeof *self);
    tac_status status = scpi_meter_open(&self->meter, uri, deadline, err);
    if (status != TAC_OK) {
        free(self);
        return status;
    }
    self->deadline = deadline;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    *out = self;
    return TAC_OK;
}

/* Waits for a change, at most so many seconds. The lock is held. */
static void wait_change(struct instrument *self, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t at = (int64_t)until.tv_nsec + (int64_t)(seconds * 1e9);
    until.tv_sec += (time_t)(at / 1000000000);
    until.tv_nsec = (long)(at % 1000000000);
    pthread_cond_timedwait(&self->changed, &self->lock, &until);
}

static void *read_samples(void *data)
{
    struct instrument *self = data;
    power_samples batch = {0};
    double last_came = tac_now();
    for (;;) {
        tac_error err;
        batch.count = 0;
        tac_status status = scpi_meter_fetch(&self->meter, &batch, &err);
        if (batch.count)
            last_came = tac_now();
        if (status == TAC_OK && tac_now() - last_came > self->deadline)
            status = tac_fail(&err, TAC_E_DEVICE,
                              "%s: the instrument answers but has taken no sample for %g s",
                              self->meter.uri, self->deadline);
        pthread_mutex_lock(&self->lock);
        tac_vec_append(&self->fresh, batch.at, batch.count);
        self->clock = self->meter.clock;
        if (status != TAC_OK)
            self->failure = err;
        pthread_cond_broadcast(&self->changed);
        if (status == TAC_OK && !self->stop && self->meter.mode == SCPI_LOG)
            wait_change(self, fetch_every);
        bool end = status != TAC_OK || self->stop;
        pthread_mutex_unlock(&self->lock);
        if (end)
            break;
    }
    tac_vec_free(&batch);
    return NULL;
}

tac_status instrument_start(struct instrument *self, tac_error *err)
{
    tac_status status = scpi_meter_begin(&self->meter, err);
    if (status != TAC_OK)
        return status;
    self->fresh.count = 0;
    self->stop = false;
    self->failure.status = TAC_OK;
    self->clock = self->meter.clock;
    int code = pthread_create(&self->thread, NULL, read_samples, self);
    if (code)
        return tac_fail_errno(err, code, NULL, "cannot start a thread for %s", self->meter.uri);
    self->running = true;
    return TAC_OK;
}

/* The lock is held. */
static tac_status take_fresh(struct instrument *self, power_samples *out, tac_error *err)
{
    tac_vec_append(out, self->fresh.at, self->fresh.count);
    self->fresh.count = 0;
    if (self->failure.status != TAC_OK)
        *err = self->failure;
    return self->failure.status;
}

tac_status instrument_collect(struct instrument *self, power_samples *out, tac_error *err)
{
    pthread_mutex_lock(&self->lock);
    tac_status status = take_fresh(self, out, err);
    pthread_mutex_unlock(&self->lock);
    return status;
}

static void join(struct instrument *self)
{
    if (!self->running)
        return;
    pthread_mutex_lock(&self->lock);
    self->stop = true;
    pthread_cond_broadcast(&self->changed);
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->thread, NULL);
    self->running = false;
}

tac_status instrument_finish(struct instrument *self, power_samples *out, tac_error *err)
{
    int64_t end = tac_clock(CLOCK_REALTIME);
    double limit = tac_now() + self->meter.link.deadline;
    pthread_mutex_lock(&self->lock);
    while (self->failure.status == TAC_OK && tac_now() < limit &&
           self->clock.device[1] - self->clock.offset[1] < end)
        wait_change(self, 0.1);
    pthread_mutex_unlock(&self->lock);
    join(self);
    tac_status status = take_fresh(self, out, err);
    return status == TAC_OK ? scpi_meter_end(&self->meter, err) : status;
}

void instrument_stop(struct instrument *self)
{
    tac_error ignored;
    if (!self)
        return;
    bool sampling = self->running;
    join(self);
    if (sampling && self->failure.status == TAC_OK)
        scpi_meter_end(&self->meter, &ignored);
}

struct run_clock instrument_clock(struct instrument *self)
{
    pthread_mutex_lock(&self->lock);
    struct run_clock clock = self->clock;
    pthread_mutex_unlock(&self->lock);
    return clock;
}

json_t *instrument_json(const struct instrument *self)
{
    return scpi_meter_json(&self->meter);
}

/* stops it; NULL is fine */
static void instrument_free(struct instrument *self)
{
    if (!self)
        return;
    instrument_stop(self);
    scpi_meter_close(&self->meter);
    tac_vec_free(&self->fresh);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

bool instrument_is_uri(const char *probe)
{
    return strstr(probe, "://") != NULL;
}

tac_status instrument_set_open(struct instrument_set *instruments, const char *const *uris,
                               size_t count, double deadline, tac_error *err)
{
    tac_status status = TAC_OK;
    if (instruments->at)
        return TAC_OK;
    instruments->at = tac_calloc(count ? count : 1, sizeof *instruments->at);
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        if (!instrument_is_uri(uris[i]))
            continue;
        status = instrument_open(uris[i], deadline, &instruments->at[instruments->count], err);
        instruments->count += status == TAC_OK;
    }
    if (status != TAC_OK)
        instrument_set_close(instruments);
    return status;
}

void instrument_set_close(struct instrument_set *instruments)
{
    for (size_t i = 0; i < instruments->count; i++)
        instrument_free(instruments->at[i]);
    free(instruments->at);
    *instruments = (struct instrument_set){0};
}
