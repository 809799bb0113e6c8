/* Jobs: long work that outlives the server. */
#ifndef TAC_SERVE_JOBS_H
#define TAC_SERVE_JOBS_H

#include "serve/http/request.h"

/* The id of the running job that writes this campaign, or NULL; the caller's. */
char *job_that_writes(tac_portal *portal, const char *path);

#endif
