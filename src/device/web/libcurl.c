#include "device/web/libcurl.h"
#include "base/late_libraries.h"

struct libcurl libcurl;
LATE_OPEN(libcurl_open, libcurl, LIBCURL_CALLS, CURL)
