#include "store/postgres/libpq.h"
#include "base/late_libraries.h"

struct libpq libpq;
LATE_OPEN(libpq_open, libpq, LIBPQ_CALLS, PQ)
