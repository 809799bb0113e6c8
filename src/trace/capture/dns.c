/* See dns.h. RFC 1035: a head of 12 bytes, questions, answers; names may point back. */
#include "trace/capture/dns.h"
#include "base/data/str.h"
#include <arpa/inet.h>

enum { TYPE_A = 1, TYPE_AAAA = 28, POINTERS_MAX = 32, ANSWERS_MAX = 64, NAMES_MAX = 1 << 16 };

/* The name at `at` in text (out may be NULL); returns the place behind it, 0 when damaged. */
static size_t read_name(const unsigned char *data, size_t size, size_t at, tac_str *out)
{
    size_t behind = 0;
    for (int pointers = 0; at < size && pointers < POINTERS_MAX;) {
        unsigned length = data[at];
        if (!length)
            return behind ? behind : at + 1;
        if (length >= 0xc0) {
            if (at + 2 > size)
                return 0;
            behind = behind ? behind : at + 2;
            at = (size_t)(length & 0x3f) << 8 | data[at + 1];
            pointers++;
            continue;
        }
        if (length > 63 || at + 1 + length > size)
            return 0;
        if (out) {
            if (out->length)
                tac_str_add_char(out, '.');
            for (unsigned i = 0; i < length; i++) {
                unsigned char c = data[at + 1 + i];
                tac_str_add_char(out, c > ' ' && c < 127 ? (char)c : '?');
            }
        }
        at += 1 + length;
    }
    return 0;
}

static unsigned big16(const unsigned char *at)
{
    return (unsigned)at[0] << 8 | at[1];
}

static void keep(struct dns_names *names, int family, const unsigned char *address,
                 const char *name)
{
    char text[64];
    if (!inet_ntop(family, address, text, sizeof text) || names->addresses.count >= NAMES_MAX)
        return;
    uint32_t id = tac_names_intern(&names->addresses, text);
    if (id == names->name_of.count)
        tac_vec_push(&names->name_of, tac_names_intern(&names->names, name));
}

void dns_answer(struct dns_names *names, const unsigned char *data, size_t size)
{
    if (size < 12 || !(data[2] & 0x80) || big16(data + 4) != 1)
        return;
    tac_str name = {.cap = 512};
    size_t at = read_name(data, size, 12, &name);
    unsigned answers = big16(data + 6);
    at = at ? at + 4 : 0;
    for (unsigned i = 0; i < answers && i < ANSWERS_MAX && at && name.length; i++) {
        at = read_name(data, size, at, NULL);
        if (!at || at + 10 > size)
            break;
        unsigned type = big16(data + at), length = big16(data + at + 8);
        at += 10;
        if (at + length > size)
            break;
        if (type == TYPE_A && length == 4)
            keep(names, AF_INET, data + at, tac_str_text(&name));
        else if (type == TYPE_AAAA && length == 16)
            keep(names, AF_INET6, data + at, tac_str_text(&name));
        at += length;
    }
    tac_str_free(&name);
}

const char *dns_name(const struct dns_names *names, const char *address)
{
    uint32_t id = tac_names_find(&names->addresses, address);
    return id == TAC_NONE ? NULL : names->names.text[names->name_of.at[id]];
}

void dns_free(struct dns_names *names)
{
    tac_names_free(&names->addresses);
    tac_names_free(&names->names);
    tac_vec_free(&names->name_of);
}
