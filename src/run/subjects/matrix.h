/* The rows of a campaign over subjects, inside the module. */
#pragma once

#include "base/data/arena.h"
#include "run/run.h"

struct subject_matrix {
    tac_run_matrix shown; /* first: freed by its address */
    tac_arena arena;
};

/* Why a row is not complete when nothing else is known. */
extern const char subject_unbegun[];

/* The row of a campaign that ended with `status`, and with `err` unless that is TAC_OK; -1 are
 * missing where there is no summary. What it points to is the arguments'. */
tac_run_subject_row subject_row(const char *subject, const tac_run_summary *summary,
                                tac_status status, const tac_error *err, tac_arena *arena);
/* Takes a copy of the row; the name of the subject stays, and what is missing where it is -1. */
void subject_row_take(struct subject_matrix *matrix, size_t index, const tac_run_subject_row *row);
/* A row that is not complete gets the figures of what its folder keeps. */
void subject_row_recount(struct subject_matrix *matrix, size_t index);
tac_status subject_matrix_write(const tac_run_matrix *matrix, const char *folder, tac_error *err);
