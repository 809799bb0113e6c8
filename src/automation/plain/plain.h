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
#pragma once

#include "automation/model/model.h"
#include "base/syntax/syntax.h"

struct plain {
    struct syntax syntax;
    tac_automation_model *model;
    size_t depth; /* of blocks */
    TAC_VEC(const struct step *) writes;
};

/* read.c */
tac_status plain_read(tac_automation_model *model, const char *path, tac_error *err);

/* condition.c: the language, and a condition up to the end of the line. The context of its
 * `struct syntax` is a struct plain. */
extern const struct syntax_language plain_language;
struct cond *plain_condition(struct syntax *s);

/* words.c: the small parts of statements. After a mistake they give what is harmless. */
struct place plain_place(const struct syntax *s);
const char *plain_text(struct syntax *s, const char *what);
uint32_t plain_entity(struct syntax *s);
double plain_number(struct syntax *s);
double plain_duration(struct syntax *s); /* seconds */
double plain_clock(struct syntax *s);    /* second of the day */
/* "a" or "a or b": the next word after an `or` decides whether a further value or a condition
 * follows; a value is a word that no `is`, `above`, ... comes after. */
void plain_values(struct syntax *s, struct text_set *out);
/* The same, each of them a value that the entity is compared with. */
void plain_states(struct syntax *s, uint32_t entity, struct text_set *out);
/* "above 3", "below 5", "between 3 and 5", for which the entity's numbers are told apart. */
void plain_range(struct syntax *s, uint32_t entity, double *above, double *below);
bool plain_end(struct syntax *s); /* nothing more on this line; goes to the next with a word */
