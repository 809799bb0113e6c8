#include "device/web/libcurl.h"
#include "base/late_libraries.h"

struct libcurl libcurl;

tac_status libcurl_open(tac_error *err)
{
    static const char *const names[] = {LIBCURL_CALLS(LATE_NAME) NULL};
    static struct tac_late late = {.file = SONAME_CURL,
                                   .package = PACKAGE_CURL,
                                   .names = names,
                                   .calls = &libcurl,
                                   .lock = PTHREAD_MUTEX_INITIALIZER};
    _Static_assert(sizeof names == sizeof libcurl + sizeof *names, "a name per pointer");
    return tac_late_open(&late, err);
}
