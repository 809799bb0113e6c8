/* Saving a file so that a kill at any moment leaves the old or the new one, and nobody's work is
 * overwritten: what is replaced has to be what the writer has seen. */
#pragma once

#include "base/data/digest.h"
#include <stdbool.h>

enum save_result { SAVED, SAVED_NEW, SAVE_CONFLICT, SAVE_FAILED };

/* seen: the digest of the content that is replaced; NULL: there is to be no such file.
 * SAVE_CONFLICT: the file is another (read it to see); SAVE_FAILED: err tells. One at a time. */
enum save_result save_beneath(int root, const char *path, const char *data, size_t size,
                              const char *seen, tac_error *err);
