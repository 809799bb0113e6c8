/* The fields of what a process of the pool sends to its parent: numbers are 8 bytes, texts a number
 * and their bytes. Both ends are one program on one machine, so no byte order matters. */
#ifndef TAC_PROPERTY_WIRE_FIELD_H
#define TAC_PROPERTY_WIRE_FIELD_H

#include "base/data/arena.h"
#include "base/data/str.h"
#include <stdint.h>

void wire_put_number(tac_str *out, uint64_t value);
void wire_put_real(tac_str *out, double value);
void wire_put_text(tac_str *out, const char *text);  /* NULL is sent as "" */
void wire_put_maybe(tac_str *out, const char *text); /* NULL is sent as NULL */

struct wire_reader {
    const char *at, *end;
    bool cut; /* more was asked for than came; what was asked for since is 0 or "" */
};

uint64_t wire_take_number(struct wire_reader *reader);
/* How many of something follow: 0 and cut where so many cannot. */
size_t wire_take_count(struct wire_reader *reader);
double wire_take_real(struct wire_reader *reader);
char *wire_take_text(struct wire_reader *reader); /* the caller's */
char *wire_take_maybe(struct wire_reader *reader);
/* As wire_take_maybe, in the arena. */
const char *wire_take_kept(struct wire_reader *reader, tac_arena *arena);

#endif
