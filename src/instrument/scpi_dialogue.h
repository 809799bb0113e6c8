/* What the two halves of the dialogue with an instrument (scpi_setup.c, scpi_fetch.c) share.
 *
 * Commands are patterns: a '@' at the end stands for the channel list; for an instrument without
 * channel lists it is left out together with the comma or blank before it. */
#pragma once

#include "instrument/scpi_meter.h"

/* Samples per array in sweeps, asked-for seconds per sample, records per fetch of the log. */
enum { SCPI_SWEEP_POINTS = 500, SCPI_LOG_RECORDS = 1000 };
#define SCPI_PERIOD 0.001

void scpi_expand(const struct scpi_meter *meter, const char *pattern, char *out, size_t size);
/* A command without an answer. */
tac_status scpi_tell(struct scpi_meter *meter, const char *pattern, tac_error *err);
/* Empties the error queue; first is its first entry, "" when it was empty. */
tac_status scpi_errors(struct scpi_meter *meter, char *first, size_t size, tac_error *err);
/* A query that the instrument need not know; the answer is in meter->answer when *answered. */
tac_status scpi_ask_if_known(struct scpi_meter *meter, const char *pattern, bool *answered,
                             tac_error *err);
