/* The protocol "shell v2": packets of one byte id (1 standard output, 2 standard error, 3 exit
 * code), four bytes of length and the data. The exit code's packet is the last. */
#include "device/android/wire/wire.h"
#include <string.h>

enum { OUT = 1, ERRORS = 2, EXIT = 3 };

uint32_t adb_get_u32(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

void adb_put_u32(unsigned char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (unsigned char)(value >> 8 * i);
}

static tac_status take_head(struct adb_packets *packets, const char *step, tac_error *err)
{
    packets->left = adb_get_u32(packets->head + 1);
    int id = packets->head[0];
    if (id < OUT || id > EXIT)
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: the device broke the shell protocol: a packet of kind %d", step, id);
    if (id == EXIT && packets->left != 1)
        return tac_fail(err, TAC_E_DEVICE,
                        "%s: the device broke the shell protocol: an exit code of %u bytes", step,
                        packets->left);
    return TAC_OK;
}

static tac_status take_data(struct adb_packets *packets, const char *step, const char *bytes,
                            size_t size, tac_error *err)
{
    if (packets->head[0] == EXIT) {
        packets->exit_code = (unsigned char)bytes[0];
        packets->exited = true;
        return TAC_OK;
    }
    if (!packets->output)
        return TAC_OK;
    if (packets->output->length + size > packets->most)
        return tac_fail(err, TAC_E_LIMIT, "%s: more than %zu MiB of output", step,
                        packets->most >> 20);
    tac_str_add_bytes(packets->output, bytes, size);
    return TAC_OK;
}

tac_status adb_packets_feed(struct adb_packets *packets, const char *step, const char *bytes,
                            size_t size, tac_error *err)
{
    while (size && !packets->exited) {
        bool in_head = packets->have < sizeof packets->head;
        size_t n = in_head ? sizeof packets->head - packets->have : packets->left;
        n = n < size ? n : size;
        tac_status st = TAC_OK;
        if (in_head) {
            memcpy(packets->head + packets->have, bytes, n);
            packets->have += n;
            if (packets->have == sizeof packets->head)
                st = take_head(packets, step, err);
        } else {
            st = take_data(packets, step, bytes, n, err);
            packets->left -= (uint32_t)n;
        }
        if (st)
            return st;
        if (packets->have == sizeof packets->head && !packets->left)
            packets->have = 0;
        bytes += n;
        size -= n;
    }
    return TAC_OK;
}
