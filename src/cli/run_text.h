/* A campaign for people; those with a summary are given to finish_text, with a tac_run_summary. */
#pragma once

#include "run/run.h"
#include <stdio.h>

void run_text_summary(FILE *out, void *summary);
/* Of runs that others will do. */
void run_text_planned(FILE *out, void *summary);
/* The actions that were never possible, or abandoned in more than half of their tries. */
void run_text_actions(FILE *out, const char *indent, const tac_run_action *rows, size_t count);
