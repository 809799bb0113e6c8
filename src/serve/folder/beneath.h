/* Files of the served folder by their path in it. A path is parts separated by '/', none of them
 * empty or beginning with a dot, so that neither ".." nor anything hidden can be named. It is
 * walked part by part with the kernel's promise not to follow symbolic links, so that what is
 * exchanged meanwhile cannot lead out either. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>

enum { MOST_FILE = 64 << 20 }; /* bytes of a file that is read whole */

bool path_is_fine(const char *path);
/* The folder that the path's last part is in; -1 with errno. make: those that are not there. */
int open_parent(int root, const char *path, bool make, const char **last);
/* A file for reading, never a device, pipe or link; -1 with errno. */
int open_beneath(int root, const char *path);
/* Is there a file or folder that can be named so? */
bool exists_beneath(int root, const char *path);
bool is_folder_beneath(int root, const char *path);
/* May a program write there by that name? Neither the path nor what it ends at is a link; folders
 * on the way need not be there. */
bool is_place_beneath(int root, const char *path);
/* The bytes, terminated; the caller's. TAC_E_INPUT: it is not there; TAC_E_LIMIT: too large. */
tac_status read_beneath(int root, const char *path, char **data, size_t *size, tac_error *err);
tac_status read_descriptor(int file, const char *path, char **data, size_t *size, tac_error *err);
