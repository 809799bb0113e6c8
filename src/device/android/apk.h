/* What an app package (.apk) says about itself: its name and the activity that the launcher starts,
 * from the binary AndroidManifest.xml inside. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stddef.h>

enum { APK_NAME = 256 };

struct apk_manifest {
    char package[APK_NAME];
    char activity[APK_NAME]; /* whole class name; "": the package has nothing for the launcher */
};

/* TAC_E_INPUT: the file is not an app package, or its manifest cannot be read. */
tac_status apk_read(const char *path, struct apk_manifest *out, tac_error *err);

/* The manifest's bytes; name is for messages. */
tac_status apk_read_manifest(const char *name, const unsigned char *bytes, size_t size,
                             struct apk_manifest *out, tac_error *err);
