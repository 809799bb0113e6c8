#include "base/late/microhttpd.h"
#include "base/late_libraries.h"

struct microhttpd mhd;

tac_status tac_microhttpd_open(tac_error *err)
{
    static const char *const names[] = {MICROHTTPD_CALLS(LATE_NAME) NULL};
    static struct tac_late late = {.file = SONAME_MICROHTTPD,
                                   .package = PACKAGE_MICROHTTPD,
                                   .names = names,
                                   .calls = &mhd,
                                   .lock = PTHREAD_MUTEX_INITIALIZER};
    _Static_assert(sizeof names == sizeof mhd + sizeof *names, "a name per pointer");
    return tac_late_open(&late, err);
}
