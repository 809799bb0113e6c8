/* A small file server on loopback, for driving web apps that are just files: tests, demos, builds.
 */
#pragma once

#include "tactus/error.h"
#include <stdint.h>

typedef struct tac_web_server tac_web_server;

/* Serves the files below folder on 127.0.0.1. port 0 = any free one. "/bytes/N" answers with N
 * bytes (at most 64 MiB) that do not compress, for apps that stream. Requests are handled in a
 * thread of the server's own. */
tac_status tac_web_server_start(const char *folder, uint16_t port, tac_web_server **out,
                                tac_error *err);
uint16_t tac_web_server_port(const tac_web_server *server);
/* Bytes of all bodies handed to the network so far, and the number of requests. */
uint64_t tac_web_server_sent(const tac_web_server *server);
uint64_t tac_web_server_requests(const tac_web_server *server);
void tac_web_server_stop(tac_web_server *server); /* NULL is fine */
