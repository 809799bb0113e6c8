/* libcurl, opened late: libcurl.easy_init is curl_easy_init, and so on. */
#pragma once

#include "base/late/late.h"
#include <curl/curl.h>

#define LIBCURL_CALLS(CALL)                                                                        \
    CALL(curl_, easy_cleanup)                                                                      \
    CALL(curl_, easy_init)                                                                         \
    CALL(curl_, easy_perform)                                                                      \
    CALL(curl_, easy_setopt)                                                                       \
    CALL(curl_, easy_strerror)                                                                     \
    CALL(curl_, slist_append)                                                                      \
    CALL(curl_, slist_free_all)

struct libcurl {
    LIBCURL_CALLS(LATE_MEMBER)
};
/* Only after libcurl_open. */
extern struct libcurl libcurl;

tac_status libcurl_open(tac_error *err);
