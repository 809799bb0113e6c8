/* What is said to a power analyser or source-measure unit (the 2015 paper's section 4.3: a DC power
 * analyser stands in the place of the phone's battery and is read 1,000 times per second).
 *
 * Two ways to read samples, tried in this order:
 *   log     SENSe:ELOG, INITiate:ELOG, FETCh:ELOG?: the instrument keeps every sample until it is
 *           fetched, so none is lost between two fetches (N6700, N6705, N7900);
 *   sweeps  SENSe:SWEep, MEASure:ARRay:CURRent?, FETCh:ARRay:VOLTage?: arrays of samples, with a
 *           short gap between two arrays (663xx, other modules).
 * Each is tried with a channel list and without one. Settings of the output are never touched and
 * *RST is never sent: it would switch the phone off. */
#pragma once

#include "instrument/run_clock.h"
#include "instrument/scpi_answer.h"
#include "instrument/scpi_link.h"
#include <jansson.h>

struct power_sample {
    int64_t time; /* nanoseconds: the host's clock at the start, counted on by the instrument's */
    double current, voltage;
};

typedef TAC_VEC(struct power_sample) power_samples;

enum scpi_mode { SCPI_LOG, SCPI_SWEEPS };

struct scpi_meter {
    char *uri;
    struct scpi_address address;
    struct scpi_link link;
    char identity[160];
    enum scpi_mode mode;
    char channels[16];  /* "(@1)", or "" for an instrument without channel lists */
    double period;      /* seconds between samples, as the instrument says */
    bool both;          /* voltage is sampled with the current, not read once per fetch */
    double voltage;     /* the last reading when not */
    double wall_offset; /* its date and time minus the host's, seconds; NaN when it has none */
    double gap;         /* seconds between sweeps */
    struct scpi_format format;
    uint64_t count;         /* samples since the start */
    struct run_clock clock; /* device[] is on the time scale of power_sample.time */
    tac_str answer;
    scpi_numbers currents, voltages;
};

/* Connects, identifies, sets up 1,000 samples per second. deadline is that of each answer. */
tac_status scpi_meter_open(struct scpi_meter *meter, const char *uri, double deadline,
                           tac_error *err);
void scpi_meter_close(struct scpi_meter *meter);

/* Starts sampling; *clock's first reading is taken. */
tac_status scpi_meter_begin(struct scpi_meter *meter, tac_error *err);
/* Appends the samples since the last fetch, perhaps none (log), or the next array (sweeps), and
 * takes the clock's second reading. */
tac_status scpi_meter_fetch(struct scpi_meter *meter, power_samples *out, tac_error *err);
/* Stops sampling; what stands in the instrument's error queue is TAC_E_DEVICE. */
tac_status scpi_meter_end(struct scpi_meter *meter, tac_error *err);
/* {"uri","identity","mode","period","samples","gap","clock"[,"wall_offset"]}; the caller's. */
json_t *scpi_meter_json(const struct scpi_meter *meter);
