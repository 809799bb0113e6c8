/* Where the messages of built-in phones pass, inside the device module. */
#pragma once

#include "phone/world/phone.h"

/* A phone takes part from joining until it leaves. */
void sim_exchange_join(tac_exchange *exchange, struct sim *s);
void sim_exchange_leave(struct sim *s);
/* Hands a message to every other phone; what cannot be delivered is said in the sender's log. */
void sim_exchange_post(struct sim *s, const char *channel, const char *text);
/* Takes what other processes have sent since the last time. */
void sim_exchange_collect(tac_exchange *exchange);
