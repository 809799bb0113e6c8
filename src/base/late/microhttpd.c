#include "base/late/microhttpd.h"
#include "base/late_libraries.h"

struct microhttpd mhd;
LATE_OPEN(tac_microhttpd_open, mhd, MICROHTTPD_CALLS, MICROHTTPD)
