/* The version of Tactus: of the headers as macros, of the library in use as a call. */
#ifndef TACTUS_VERSION_H
#define TACTUS_VERSION_H

#include "tactus/api.h"

#define TACTUS_VERSION_MAJOR 0
#define TACTUS_VERSION_MINOR 2
#define TACTUS_VERSION_PATCH 0
#define TACTUS_VERSION "0.2.0"
/* For comparisons in #if: TACTUS_VERSION_NUMBER >= TACTUS_VERSION_OF(0, 1, 0). */
#define TACTUS_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define TACTUS_VERSION_NUMBER                                                                      \
    TACTUS_VERSION_OF(TACTUS_VERSION_MAJOR, TACTUS_VERSION_MINOR, TACTUS_VERSION_PATCH)

TAC_BEGIN_DECLARATIONS

/* TACTUS_VERSION as the library was built with. */
const char *tac_version(void);

TAC_END_DECLARATIONS

#endif
