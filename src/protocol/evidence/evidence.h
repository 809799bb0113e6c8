/* Evidence is copied out of a problem into the memory of a result, so that it outlives rules and
 * recording. Texts are UTF-8, whatever the recording has. */
#pragma once

#include "base/data/arena.h"
#include "protocol/problem/problem.h"

/* The memory of a result or of a comparison, empty; the caller's. */
tac_arena *evidence_memory(void);
/* NULL is fine. */
void evidence_memory_free(tac_arena *memory);

const char *evidence_text(tac_arena *memory, const char *text);
/* The same where there may be none: NULL for NULL. */
const char *evidence_text_or_null(tac_arena *memory, const char *text);
/* A message in the rules' notation, and for people. */
const char *evidence_letter(const struct problem *problem, uint32_t letter, tac_arena *memory);
const char *evidence_words(const struct problem *problem, uint32_t letter, tac_arena *memory);
const char *evidence_event(const struct recording *recording, uint32_t event, tac_arena *memory);
/* The rule behind a ground rule; fired_by is copied. The other members are the caller's to set. */
tac_protocol_reason *evidence_reason(const struct problem *problem, uint32_t ground_rule,
                                     const char *fired_by, tac_arena *memory);
/* How the recording was read, where the answer stands. */
tac_protocol_reading evidence_reading(const struct problem *problem, tac_arena *memory);
