/* Private: findings in words. */
#pragma once

#include "base/data/str.h"
#include "tactus/rules.h"

/* "GPS.location()=office, BT=home_pc and not BT=car_handsfree": the literals of a cube, or "any
 * input" when there are none. Thresholds are turned round: not speed > 5 is speed <= 5. */
void rules_words_of_cube(const tac_rules *rules, const char *cube, tac_str *out);
/* "A", "A and B", "A, B and C" */
void rules_words_of_rules(const tac_rules *rules, const uint32_t *names, size_t count,
                          const char *last, tac_str *out);
/* "Meeting, Office, Meeting": states of a path with commas */
void rules_words_of_states(const tac_rules *rules, const uint32_t *states, size_t count,
                           tac_str *out);
/* A paragraph, wrapped, each line with `indent` blanks in front. */
void rules_write_paragraph(FILE *out, int indent, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "1 rule", "2 rules" */
const char *rules_plural(size_t count, const char *one, const char *many);
