/* libmicrohttpd, opened late: mhd.start_daemon is MHD_start_daemon, and so on. */
#pragma once

#include "base/late/late.h"
#include <microhttpd.h>

#define MICROHTTPD_CALLS(CALL)                                                                     \
    CALL(MHD_, add_response_header)                                                                \
    CALL(MHD_, create_response_from_buffer)                                                        \
    CALL(MHD_, create_response_from_callback)                                                      \
    CALL(MHD_, create_response_from_fd)                                                            \
    CALL(MHD_, destroy_response)                                                                   \
    CALL(MHD_, get_connection_info)                                                                \
    CALL(MHD_, get_connection_values)                                                              \
    CALL(MHD_, get_daemon_info)                                                                    \
    CALL(MHD_, lookup_connection_value)                                                            \
    CALL(MHD_, lookup_connection_value_n)                                                          \
    CALL(MHD_, queue_response)                                                                     \
    CALL(MHD_, quiesce_daemon)                                                                     \
    CALL(MHD_, resume_connection)                                                                  \
    CALL(MHD_, start_daemon)                                                                       \
    CALL(MHD_, stop_daemon)                                                                        \
    CALL(MHD_, suspend_connection)

struct microhttpd {
    MICROHTTPD_CALLS(LATE_MEMBER)
};
/* Only after tac_microhttpd_open. */
extern struct microhttpd mhd;

tac_status tac_microhttpd_open(tac_error *err);
