/* What the readers of action files share. The context of their `struct syntax` is the file. */
#pragma once

#include "base/syntax/syntax.h"
#include "run/actions/file.h"

/* Whether a word may hold this byte. */
bool action_word_byte(char c);
/* A number at the present token; or an error that `what` is expected. */
double action_number(struct syntax *s, bool positive, double most, const char *what);
/* step.c: from the present token to the end of the step. */
void action_step_read(struct syntax *s, struct action_step *step);
