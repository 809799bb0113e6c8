/* Units of measure: a product of base units with a rational factor.
 *
 * Values stay in the unit they were written in; conversions multiply by an integer and divide by an
 * integer, so that 200 ms and 200,000,000 ns / 1e9 are the same double. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum unit_base {
    UNIT_SECOND,
    UNIT_BYTE,
    UNIT_KILOGRAM,
    UNIT_METRE,
    UNIT_AMPERE,
    UNIT_CELSIUS,
    UNIT_DBM, /* logarithmic: only compared with itself */
    UNIT_PIXEL,
    UNIT_BASES
};

struct unit {
    signed char power[UNIT_BASES];
    double num, den; /* one of this unit is num/den of the base units */
};

struct unit unit_none(void); /* dimensionless, factor 1 */
bool unit_same_dimension(const struct unit *a, const struct unit *b);
bool unit_equal(const struct unit *a, const struct unit *b);
bool unit_dimensionless(const struct unit *unit);
struct unit unit_multiply(const struct unit *a, const struct unit *b);
struct unit unit_divide(const struct unit *a, const struct unit *b);
/* A value in `from` expressed in `to`; the dimensions are the same. */
double unit_convert(double value, const struct unit *from, const struct unit *to);

/* "kB", "mA*V", "MB/s", "m/s^2", "%". On failure *bad and *bad_length say which part. */
bool unit_parse(const char *text, size_t length, struct unit *out, const char **bad,
                size_t *bad_length);
/* The known unit closest to a misspelt one, or NULL. */
const char *unit_closest(const char *word);
/* A name for a derived unit ("mW", "kB/s"); "" when dimensionless with factor 1. Writes at most
 * size bytes, returns buffer. */
const char *unit_text(const struct unit *unit, char *buffer, size_t size);
