/* One UDP packet under every link layer, in both byte orders and resolutions, whole and cut. */
#include "figures/figures.h"
#include "tactus_test.h"

static const unsigned char ipv4_packet[] = {0x45, 0,  0, 33, 0, 1,  0,   0,   64,  17,   0,
                                            0,    10, 0, 0,  2, 93, 184, 216, 34,  0x03, 0xe7,
                                            0,    53, 0, 13, 0, 0,  'h', 'e', 'l', 'l',  'o'};

static const struct {
    const char *name;
    unsigned link;
    const char *head; /* in hexadecimal, before the packet */
} layers[] = {
    {"ethernet", 1, "020000000001 020000000002 0800"},
    {"vlan", 1, "020000000001 020000000002 8100 0005 0800"},
    {"two tags", 1, "020000000001 020000000002 88a8 0005 8100 0006 0800"},
    {"pppoe", 1, "020000000001 020000000002 8864 1100 0001 0023 0021"},
    {"mpls", 1, "020000000001 020000000002 8847 00010140"},
    {"snap", 1, "020000000001 020000000002 0029 aaaa03 000000 0800"},
    {"loopback, little", 0, "02000000"},
    {"loopback, big", 0, "00000002"},
    {"ppp", 9, "ff03 0021"},
    {"ppp, short", 9, "21"},
    {"raw", 101, ""},
    {"raw, old", 12, ""},
    {"raw IPv4", 228, ""},
    {"cooked", 113, "0004 0207 0000 0000000000000000 0800"},
    {"cooked 2", 276, "0800 0000 00000003 0207 04 00 0000000000000000"},
    {"wireless", 105,
     "8801 0000 020202020202 040404040404 060606060606 0000 0000 aaaa03000000 0800"},
    {"radiotap", 127,
     "0000 0800 00000000 0802 0000 020202020202 040404040404 060606060606 0000 "
     "aaaa03000000 0800"},
    {"nflog", 239, "02 00 0000 0800 0100 00000000 2500 0900"},
    {"pktap", 258, "10000000 00000000 65000000 00000000"},
};

static size_t from_hex(const char *hex, unsigned char *out)
{
    size_t count = 0;
    for (; *hex; hex++) {
        unsigned byte;
        if (*hex == ' ')
            continue;
        sscanf(hex++, "%2x", &byte);
        out[count++] = (unsigned char)byte;
    }
    return count;
}

static void put_word(FILE *file, uint32_t word, bool big)
{
    word = big ? __builtin_bswap32(word) : word;
    fwrite(&word, 4, 1, file);
}

static int64_t number_of(const struct figures *facts, const char *name)
{
    size_t count;
    const struct figure *at = figures_at(facts, &count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(at[i].name, name))
            return at[i].number;
    return -1;
}

static struct figures *figures_of(size_t layer, bool big, bool nano, size_t kept)
{
    unsigned char frame[200];
    size_t head = from_hex(layers[layer].head, frame), length = head + sizeof ipv4_packet;
    const char *path = test_temporary("capture");
    FILE *file = fopen(path, "w");
    struct figures *facts = NULL;
    uint32_t start[] = {
        nano ? 0xa1b23c4d : 0xa1b2c3d4, 0, 0, 0, 65535, layers[layer].link, 1600000000,
        nano ? 123456000 : 123456};
    REQUIRE(file != NULL);
    memcpy(frame + head, ipv4_packet, sizeof ipv4_packet);
    for (size_t i = 0; i < 8; i++)
        put_word(file, start[i], big);
    put_word(file, (uint32_t)(kept < length ? kept : length), big);
    put_word(file, (uint32_t)length, big);
    fwrite(frame, 1, kept < length ? kept : length, file);
    REQUIRE(!fclose(file));
    if (figures_read(path, NULL, NULL, &facts, NULL))
        test_fail(__FILE__, __LINE__, "%s cannot be read", layers[layer].name);
    return facts;
}

TEST(every_link_layer_has_its_packet)
{
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++)
        for (int way = 0; way < 4; way++) {
            struct figures *facts = figures_of(i, way & 1, way & 2, 1000);
            if (number_of(facts, "ipv4") != 1 || number_of(facts, "udp") != 1 ||
                number_of(facts, "udp_payload") != 5 || number_of(facts, "endpoints") != 2)
                test_fail(__FILE__, __LINE__, "%s: not the packet", layers[i].name);
            figures_free(facts);
        }
}

/* What was not kept is not invented: the addresses need 20 bytes of the packet, its size 26. */
TEST(cut_packets_say_what_was_kept)
{
    unsigned char frame[200];
    for (size_t i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        size_t head = from_hex(layers[i].head, frame);
        for (size_t kept = head + 1; kept <= head + sizeof ipv4_packet; kept++) {
            struct figures *facts = figures_of(i, false, false, kept);
            size_t inside = kept - head;
            CHECK_EQ(number_of(facts, "ipv4"), 1);
            CHECK_EQ(number_of(facts, "endpoints"), (inside >= 16) + (inside >= 20));
            CHECK_EQ(number_of(facts, "udp"), inside >= 20);
            CHECK_EQ(number_of(facts, "udp_payload"), inside >= 26 ? 5 : 0);
            figures_free(facts);
        }
    }
}

/* A pcapng file whose second packet names an interface that there is not. */
TEST(packets_that_cannot_be_read_are_said)
{
    static const uint32_t words[] = {0x0a0d0d0a, 28, 0x1a2b3c4d, 1,  ~0u, ~0u, 28, 1, 20,   101,
                                     0,          20, 6,          36, 0,   0,   1,  4, 4,    0x45,
                                     36,         6,  36,         5,  0,   1,   4,  4, 0x45, 36};
    const char *path = test_temporary("packets.pcapng");
    FILE *file = fopen(path, "w");
    REQUIRE(file && fwrite(words, sizeof words, 1, file) == 1 && !fclose(file));
    struct figures *facts = NULL;
    size_t count;
    REQUIRE(!figures_read(path, NULL, NULL, &facts, NULL));
    CHECK_EQ(number_of(facts, "packets"), 1);
    const char *const *warnings = figures_warnings(facts, &count);
    REQUIRE(count == 1);
    CHECK_CONTAINS(warnings[0], "1 packets are of an interface that the capture does not describe");
    figures_free(facts);
}

/* An interface that counts picoseconds: times are cut to nanoseconds, not rounded on the way. */
TEST(times_of_any_resolution_are_exact)
{
    static const uint32_t words[] = {0x0a0d0d0a, 28,  0x1a2b3c4d, 1,           ~0u, ~0u, 28,   1,
                                     32,         101, 0,          0x00010009,  12,  0,   32,   6,
                                     36,         0,   232830u,    2764487320u, 4,   4,   0x45, 36};
    const char *path = test_temporary("picoseconds.pcapng");
    FILE *file = fopen(path, "w");
    REQUIRE(file && fwrite(words, sizeof words, 1, file) == 1 && !fclose(file));
    struct figures *facts = NULL;
    size_t count;
    REQUIRE(!figures_read(path, NULL, NULL, &facts, NULL));
    const struct figure *at = figures_at(facts, &count);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(at[i].name, "first_epoch"))
            CHECK_STR(at[i].text, "1000.000000015");
    CHECK_EQ(number_of(facts, "packets"), 1);
    figures_free(facts);
}
