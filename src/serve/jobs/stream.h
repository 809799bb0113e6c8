/* What happens in a job, as it happens, to whoever looks. */
#ifndef TAC_SERVE_STREAM_H
#define TAC_SERVE_STREAM_H

#include "serve/http/request.h"

/* Ends every stream; their threads end soon. */
void streams_close_all(tac_portal *portal);

#endif
