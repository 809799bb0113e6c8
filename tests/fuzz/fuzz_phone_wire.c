/* The adb daemon's packets. An input that begins with 'R' is raw bytes in pieces; any other is a
 * list of packets in short form (command and a flaw, two arguments, length, data) that is written
 * out, so that most of the time is spent behind the checks of the heads. */
#include "device/android/wire/wire.h"
#include "fuzz_phone.h"
#include "fuzz_target.h"

static void add_packet(tac_str *out, unsigned kind, uint32_t a, uint32_t b, const uint8_t *data,
                       uint32_t size)
{
    static const char *const names[] = {"CNXN", "OPEN", "OKAY", "WRTE", "CLSE", "AUTH", "STLS"};
    unsigned char head[24];
    uint32_t sum = 0, flaw = kind >> 3;
    for (uint32_t i = 0; i < size; i++)
        sum += data[i];
    memcpy(head, names[(kind & 7) % 7], 4);
    adb_put_u32(head + 4, a);
    adb_put_u32(head + 8, b);
    adb_put_u32(head + 12, flaw == 1 ? size + 1 : flaw == 2 ? 0xfffffff0u : size);
    adb_put_u32(head + 16, flaw == 3 ? sum + 1 : sum);
    adb_put_u32(head + 20, adb_get_u32(head) ^ (flaw == 4 ? 1 : 0xffffffffu));
    tac_str_add_bytes(out, (const char *)head, sizeof head);
    if (size)
        tac_str_add_bytes(out, (const char *)data, size);
}

static void assemble(const uint8_t *data, size_t size, tac_str *out)
{
    while (size >= 4) {
        uint32_t a = data[1], b = data[2], length = data[3];
        if ((data[0] & 7) == 0)
            a = 0x01000000 + (a & 1); /* a version */
        size_t have = size - 4 < length ? size - 4 : length;
        add_packet(out, data[0], a, b, data + 4, (uint32_t)have);
        data += 4 + have;
        size -= 4 + have;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size)
        return 0;
    fuzz_phone f;
    fuzz_phone_open(&f);
    struct phone_wire *wire = phone_wire_new(&f.phone, false, false);
    tac_str bytes = {0}, out = {0};
    tac_error err;
    if (data[0] == 'R')
        tac_str_add_bytes(&bytes, (const char *)data + 1, size - 1);
    else
        assemble(data, size, &bytes);
    size_t piece = data[0] % 61u + 1;
    for (size_t at = 0; at < bytes.length; at += piece) {
        size_t n = bytes.length - at < piece ? bytes.length - at : piece;
        if (phone_wire_feed(wire, bytes.text + at, n, &out, &err))
            break;
    }
    tac_str_free(&bytes);
    tac_str_free(&out);
    phone_wire_free(wire);
    fuzz_phone_close(&f);
    return 0;
}
