/* What happens in a job, as it happens: server-sent events. A thread per stream sleeps until the
 * kernel tells that a file of the job or of its campaign changed or that a process of it ended, and
 * writes what is new; the connection is suspended while there is nothing. */
#pragma once

#include "serve/http/request.h"

/* Answers with the events of the job that the request names. */
void stream_job(struct request *request);
/* Ends every stream; their threads end soon. */
void streams_close_all(tac_portal *portal);
