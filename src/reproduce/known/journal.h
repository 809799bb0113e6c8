/* The file of a search, DIR/journal.jsonl: JSON Lines, one per step and one per execution, written
 * as each execution ends. A search that was killed reads it and repeats nothing.
 *
 * {"tactus-reproduce-journal":1,"plan":{...}}   what is searched; another plan is refused
 * {"step":N,"flow":{...}}                       step N, as a flow of one step; N counts from 0
 * {"try":[N,...],"scenario","cause","end","done","failure","detail","violated":[..],"wait",
 *  "seed","device","for","left"}                one execution; "for": search, replay, experiment
 *
 * "left" is how many executions that were asked for together with it had not ended: what a batch
 * shows is judged when all of it is there, so a search that continues makes up for them first.
 * A last line without its end is of a kill while it was written, and is cut off. */
#pragma once

#include "reproduce/known/knowledge.h"

struct journal {
    int fd; /* -1: none */
    char *path;
    size_t steps; /* that are in the file */
};

/* What a text holds, added to `known`; *whole is the length up to the last line's end. plan may be
 * NULL: any will do. */
tac_status journal_parse(const char *name, const char *text, size_t size, const json_t *plan,
                         struct knowledge *known, size_t *whole, tac_error *err);
/* Opens DIR's journal, made when absent, and reads it. */
tac_status journal_open(struct journal *journal, const char *folder, const json_t *plan,
                        struct knowledge *known, tac_error *err);
/* Writes an execution, the steps that the file does not have yet first, and adds it to `known`. */
tac_status journal_add(struct journal *journal, struct knowledge *known, const struct trial *trial,
                       const char *device, tac_error *err);
void journal_close(struct journal *journal);
