/* Dates and times as text, to and from nanoseconds since 1970-01-01 00:00 UTC. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Days since 1970-01-01 of a date of the proleptic Gregorian calendar. */
int64_t clock_days(int64_t year, unsigned month, unsigned day);
unsigned clock_month_length(int64_t year, unsigned month);

/* YYYY-MM-DD, then optionally [T or blank]HH:MM[:SS[.fraction]] and optionally Z or +HH:MM. Without
 * a zone the time is taken as UTC. Returns the place behind it, or NULL. */
const char *clock_scan_date(const char *text, int64_t *out);
/* The same where a blank may stand before the zone ("+0200", "+02:00", "UTC", "GMT"), as Swift,
 * Ruby and Go print it: only where nothing but the date can stand there. */
const char *clock_scan_date_and_zone(const char *text, int64_t *out);
/* The dates of mail and HTTP (RFC 822, 1123, 2822): [Www, ]D[D] Mon YY[YY] HH:MM[:SS[.fraction]]
 * and a zone as +HHMM or by its letters; without one UTC. */
const char *clock_scan_mail_date(const char *text, int64_t *out);
/* HH:MM:SS[.fraction] as nanoseconds since midnight. */
const char *clock_scan_time_of_day(const char *text, int64_t *out);

/* Seconds as a double: whole and fractional part are rounded apart, so that 1430498394.75 s is
 * that number and not its neighbour. */
static inline double clock_seconds(int64_t nanoseconds)
{
    return (double)(nanoseconds / 1000000000) + (double)(nanoseconds % 1000000000) / 1e9;
}

/* Seconds with as many decimals as needed, at most nine: exact. buffer of 32 bytes or more. */
const char *clock_seconds_text(int64_t nanoseconds, char *buffer, size_t size);
