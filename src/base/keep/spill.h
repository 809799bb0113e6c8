/* An array of 32-bit numbers that may be larger than memory: on the heap up to a limit, beyond it
 * in a temporary file that is mapped. The kernel then keeps what is used and writes out the rest,
 * so a pass in order runs at the speed of the disk. The file has no name: it is gone with the
 * process.
 *
 * A zeroed struct is empty. Grows at its end only. */
#pragma once

#include "tactus/error.h"
#include <stddef.h>
#include <stdint.h>

typedef struct tac_spill {
    uint32_t *at;
    size_t count, capacity;
    size_t heap_limit; /* numbers kept on the heap; 0 = TAC_SPILL_HEAP */
    int file;          /* 0 while on the heap */
} tac_spill;

#define TAC_SPILL_HEAP ((size_t)1 << 28) /* 1 GiB */

/* Appends n numbers. TAC_E_IO when the disk is full; the array is as before then. */
tac_status tac_spill_append(tac_spill *spill, const uint32_t *values, size_t n, tac_error *err);
void tac_spill_free(tac_spill *spill);
