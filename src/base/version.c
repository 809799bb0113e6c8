/* The version of the library. See tactus/version.h. */
#include "tactus/version.h"

const char *tac_version(void)
{
    return TACTUS_VERSION;
}
