/* Names of addresses, from the DNS answers that a capture has. The name is the one that was asked
 * for, so an alias does not hide it. */
#pragma once

#include "base/data/map.h"
#include "base/data/vec.h"

struct dns_names {
    tac_names addresses, names;
    TAC_VEC(uint32_t) name_of; /* by address */
};

/* The payload of a UDP packet from port 53, as far as it was kept. */
void dns_answer(struct dns_names *names, const unsigned char *data, size_t size);
/* NULL when not known. */
const char *dns_name(const struct dns_names *names, const char *address);
void dns_free(struct dns_names *names);
