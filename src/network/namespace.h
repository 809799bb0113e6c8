/* Network namespaces with a TUN device, for root and for users who may make user namespaces.
 *
 * A short-lived process makes each namespace and hands over what keeps it: descriptors. So a
 * namespace lives exactly as long as somebody holds them or runs in it, and nothing has to be
 * removed after a kill. */
#pragma once

#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct name_space {
    int tun;        /* packets without headers of the device */
    int net, user;  /* the namespaces; user -1: this process's own */
    pid_t keeper;   /* opens listening sockets; 0 = none */
    int keeper_end; /* of the conversation with it */
};

/* address: of the device, in host order, in a network of four; peer: the other end. A gateway takes
 * packets for every address and keeps a process that listens where it is asked to. */
tac_status name_space_make(uint32_t address, uint32_t peer, bool gateway, struct name_space *out,
                           tac_error *err);
void name_space_free(struct name_space *space); /* ends the keeper; closes what is open */
bool name_space_enter(const struct name_space *space);
/* A socket inside, -1 and errno on failure. */
int name_space_socket(const struct name_space *space);
/* Kills every process that lives in a network namespace, given by its number. */
void name_space_clear(uint64_t number);
/* A descriptor that listens on a port of the gateway; -1 on failure. `end` is a keeper's. */
int name_space_listen(int end, uint16_t port);
