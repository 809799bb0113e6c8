/* What an SCPI instrument answers (IEEE 488.2): numbers in ASCII or in definite-length blocks.
 *
 *     0.1512,0.1498,+1.5E-01\n         ASCII, separated by commas
 *     #42000<2000 bytes>\n             '#', the number of digits, the length, IEEE 754 numbers
 *
 * Nothing here touches a connection; answers come from outside and are never trusted. */
#pragma once

#include "base/data/vec.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>

/* An answer may have this many bytes; 1,000 records of two REAL,64 numbers have 16,000. */
#define SCPI_MOST_ANSWER ((size_t)4 << 20)

/* How blocks are encoded (FORMat:DATA, FORMat:BORDer). */
struct scpi_format {
    unsigned size; /* bytes per number: 4 or 8 */
    bool swapped;  /* least significant byte first */
};

typedef TAC_VEC(double) scpi_numbers;

/* How long the answer at the start of data is, its newline included: *length is 0 while more bytes
 * are needed. TAC_E_DEVICE for a block that cannot be (no length, too long, indefinite). */
tac_status scpi_answer_length(const char *data, size_t size, size_t *length, tac_error *err);
/* Appends the numbers of one whole answer; an empty answer or block has none. "Not a number"
 * (9.9E37 and above, NaN) and anything else that is no finite number is TAC_E_DEVICE. data is
 * followed by a NUL. */
tac_status scpi_answer_numbers(const char *data, size_t length, struct scpi_format format,
                               scpi_numbers *out, tac_error *err);
/* One entry of the error queue, `-113,"Undefined header"`: *code, 0 for none. False when the answer
 * is no such entry. */
bool scpi_answer_error(const char *answer, long *code);
/* FORMat? and FORMat:BORDer?: "REAL", "REAL,64", "ASC"; "NORM", "SWAP". False when unknown. */
bool scpi_answer_format(const char *data, const char *border, struct scpi_format *out);
