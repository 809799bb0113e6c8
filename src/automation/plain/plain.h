/* Our own text form of automations, for tests, papers and homes without a system that we read.
 *
 *     tactus automations 1
 *     entity input_select.mode: Home, Away, Night
 *     entity sensor.lux: number
 *     automation hall light, mode restart
 *       when binary_sensor.hall changes from off to on for 5 s
 *       when sensor.lux below 10
 *       when time 22:30
 *       if input_select.mode is Home or Night and not light.hall is on
 *       then
 *         light.hall := on
 *         wait 300 s
 *         light.hall := off
 *
 * A line is a statement; deeper lines belong to the statement above them. Everything is exact:
 * there is nothing in the form that is not understood. */
#ifndef TAC_AUTOMATION_PLAIN_H
#define TAC_AUTOMATION_PLAIN_H

#include "automation/model/model.h"

struct plain_word {
    const char *text;
    size_t column; /* from 1 */
    bool quoted;
};

struct plain_line {
    uint32_t number;
    size_t indent;
    struct plain_word *words;
    size_t count, at; /* at: the next word to be read */
};

struct plain {
    tac_automation_model *model;
    const char *path;
    struct plain_line *lines;
    size_t count, at;
    size_t depth; /* of conditions and blocks */
    TAC_VEC(const struct step *) writes;
    tac_status status;
    tac_error *err;
};

/* words.c: the lines with something on them. */
void plain_split(struct plain *p, char *text, size_t size);
struct plain_line *plain_here(struct plain *p); /* NULL: behind the last */
/* The first failure counts; every later call returns at once. Always false. */
bool plain_fail(struct plain *p, const char *format, ...) TAC_PRINTF(2, 3);
bool plain_ok(const struct plain *p);
bool plain_next_is(struct plain *p, const char *word);
bool plain_take(struct plain *p, const char *word); /* read it if it is there */
bool plain_expect(struct plain *p, const char *word);
const char *plain_text(struct plain *p, const char *what); /* "" after a failure */
uint32_t plain_entity(struct plain *p);
double plain_number(struct plain *p);
double plain_duration(struct plain *p); /* seconds */
double plain_clock(struct plain *p);    /* second of the day */
/* "a" or "a or b": the next word after an `or` decides whether a further value or a condition
 * follows; a value is a word that no `is`, `above`, ... comes after. */
void plain_values(struct plain *p, struct text_set *out);
/* "above 3", "below 5", "between 3 and 5" */
void plain_range(struct plain *p, double *above, double *below);
bool plain_end(struct plain *p); /* nothing more on this line; goes to the next */

/* condition.c: the rest of the line */
struct cond *plain_condition(struct plain *p);
struct place plain_place(const struct plain *p);

/* Reads the file into the model. */
tac_status plain_read(tac_automation_model *model, const char *path, tac_error *err);

#endif
