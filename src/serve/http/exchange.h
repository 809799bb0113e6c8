/* From a request's first line to its answer: who asks, for what, the body with its cap, and the
 * thread that works the answer out. */
#pragma once

#include "serve/http/request.h"

/* Callbacks of libmicrohttpd. */
void *exchange_look_at_address(void *context, const char *uri, struct MHD_Connection *connection);
enum MHD_Result exchange_handle(void *context, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **state);
void exchange_completed(void *context, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode code);
/* From now on no thread of a request begins. */
void exchange_refuse_work(tac_portal *portal);
/* Waits until no thread of a request is left. */
void exchange_await_work(tac_portal *portal);
/* Counts a thread that the portal has to wait for at its end; false when it ends already, or works
 * on as much as it can. */
bool exchange_begin_work(tac_portal *portal);
void exchange_end_work(tac_portal *portal);
