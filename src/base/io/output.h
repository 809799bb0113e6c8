/* Writing files so that nothing is ever half-written: data goes to a file without a name, which
 * gets the target's name by commit. NULL or "-" is standard output.
 *
 * The target is treated as a shell's redirection would: a symbolic link is followed, a file that is
 * there keeps its mode, and one that may not be written is an error. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stdio.h>

typedef struct tac_output {
    FILE *file;      /* write here */
    char *path;      /* NULL for standard output */
    char *temporary; /* where the file system knows no files without a name */
    bool pending;    /* commit has to put it in place */
    bool own;        /* file is closed by commit, although there is no path */
    bool durable;    /* commit returns when the disk has it; set after opening */
} tac_output;

tac_status tac_output_open(tac_output *output, const char *path, tac_error *err);
/* The same for bytes that are not text: standard output is then the descriptor itself, past
 * whatever a program has put in front of it. */
tac_status tac_output_open_binary(tac_output *output, const char *path, tac_error *err);
/* Whether it could be opened, without a trace: for commands that work long before they write. */
tac_status tac_output_try(const char *path, tac_error *err);
/* Flushes, checks every write since open (a full disk is found here) and puts the file in place. */
tac_status tac_output_commit(tac_output *output, tac_error *err);
/* Removes what was written; harmless after commit. */
void tac_output_abort(tac_output *output);
/* What follows a writer: commits when it succeeded, else aborts and returns its status. */
tac_status tac_output_close(tac_output *output, tac_status written, tac_error *err);
/* Unlinks the temporary file of every output of this process that is still open: for the moment
 * before _exit and for signal handlers, which it is safe in. The outputs are not to be used after.
 */
void tac_output_remove_temporaries(void);
/* The common case in one call. */
tac_status tac_output_write_file(const char *path, const char *data, size_t size, tac_error *err);
