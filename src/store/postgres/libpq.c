#include "store/postgres/libpq.h"
#include "base/late_libraries.h"

struct libpq libpq;

tac_status libpq_open(tac_error *err)
{
    static const char *const names[] = {LIBPQ_CALLS(LATE_NAME) NULL};
    static struct tac_late late = {.file = SONAME_PQ,
                                   .package = PACKAGE_PQ,
                                   .names = names,
                                   .calls = &libpq,
                                   .lock = PTHREAD_MUTEX_INITIALIZER};
    _Static_assert(sizeof names == sizeof libpq + sizeof *names, "a name per pointer");
    return tac_late_open(&late, err);
}
