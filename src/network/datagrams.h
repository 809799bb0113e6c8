/* UDP over the gateway: one socket of the host's network per pair of ports and address. Questions
 * for names that go to the gateway's own address are passed to the host's name server. */
#pragma once

#include "network/loop.h"
#include "network/packet.h"

struct datagrams;
struct datagrams *datagrams_new(const struct gateway_options *options, uint32_t own);
void datagrams_take(struct datagrams *datagrams, const struct packet_about *about);
void datagrams_event(struct datagrams *datagrams, uint32_t index); /* an answer has come */
