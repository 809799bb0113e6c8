/* A connection to an SCPI instrument over TCP ("raw socket", port 5025 unless said otherwise).
 *
 * Every call ends within the link's deadline; a dead or silent instrument is TAC_E_DEVICE with a
 * message that names the instrument and the command. A link belongs to one thread at a time. */
#pragma once

#include "base/data/str.h"
#include "tactus/error.h"

struct scpi_link {
    int fd;
    double deadline; /* seconds, of each call */
    const char *uri; /* for messages; outlives the link */
    tac_str pending; /* bytes received behind the last answer */
};

/* The parts of scpi://HOST[:PORT][/CHANNEL]; an IPv6 address stands in brackets. TAC_E_USAGE with
 * the right form when the URI is wrong. */
struct scpi_address {
    char host[256], port[8];
    unsigned channel; /* 0 when not given */
};
tac_status scpi_address_parse(const char *uri, struct scpi_address *out, tac_error *err);

tac_status scpi_link_open(struct scpi_link *link, const char *uri,
                          const struct scpi_address *address, double deadline, tac_error *err);
void scpi_link_close(struct scpi_link *link);

/* Sends one command and a newline. */
tac_status scpi_send(struct scpi_link *link, const char *command, tac_error *err);
/* Reads one whole answer (replaces what is in it), its newline removed; `command` is for the
 * message. */
tac_status scpi_receive(struct scpi_link *link, const char *command, tac_str *answer,
                        tac_error *err);
/* Both. */
tac_status scpi_ask(struct scpi_link *link, const char *command, tac_str *answer, tac_error *err);
