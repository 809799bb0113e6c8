/* The interval beside F2. */
#pragma once

#include "mining/mining.h"

/* Distinct runs with what was said about them by somebody who had not seen them. */
struct judged_rows {
    const double *pass, *fail; /* runs of the row that passed, that failed */
    const uint8_t *fails;      /* said to fail */
    uint32_t count;
};

/* figures: with the F2 of the same rows; f2_low and f2_high are set. */
void f2_interval(const struct judged_rows *rows, tac_predict_figures *figures);
