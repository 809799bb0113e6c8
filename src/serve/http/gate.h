/* Who may ask. Three secrets of one server: the start address holds `start`, which a browser
 * exchanges for the cookie `session`; every change also needs `change` in a header, which only a
 * page of this origin can have read. Host and Origin have to name this server, so that neither a
 * name that somebody points at loopback (DNS rebinding) nor another page gets in. */
#pragma once

#include "base/late/microhttpd.h"
#include "tactus/error.h"
#include <stdbool.h>
#include <stdint.h>

enum { SECRET_TEXT = 65 };

struct gate {
    char start[SECRET_TEXT], session[SECRET_TEXT], change[SECRET_TEXT];
    char cookie[32];    /* its name: cookies do not know ports, so the name does */
    const char *listen; /* a name or address besides loopback; borrowed, may be NULL */
    uint16_t port;
    bool tls;
};

tac_status gate_make(struct gate *gate, tac_error *err);
/* Is this text the secret? In a time that does not tell how much of it was right. */
bool gate_is_secret(const char *secret, const char *text);
bool gate_names_us(const struct gate *gate, struct MHD_Connection *connection);
/* False when the request was sent by a page of somebody else. */
bool gate_is_own_page(const struct gate *gate, struct MHD_Connection *connection);
bool gate_has_session(const struct gate *gate, struct MHD_Connection *connection);
bool gate_may_change(const struct gate *gate, struct MHD_Connection *connection);
/* The value of Set-Cookie; the caller's. */
char *gate_set_cookie(const struct gate *gate);
