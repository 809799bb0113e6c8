/* Packets that the gateway reads and makes. */
#include "base/data/random.h"
#include "network/packet.h"
#include "tactus_test.h"

/* All sixteen-bit words with the carry put back give 0xffff when the checksum is right. */
static uint32_t folded(const uint8_t *at, size_t size, uint32_t sum)
{
    for (size_t i = 0; i < size; i++)
        sum += (uint32_t)at[i] << (i % 2 ? 0 : 8);
    while (sum > 0xffff)
        sum = (sum & 0xffff) + (sum >> 16);
    return sum;
}

static bool sums_are_right(const uint8_t *packet, uint32_t size)
{
    return folded(packet, 20, 0) == 0xffff &&
           folded(packet + 20, size - 20, folded(packet + 12, 8, 0) + packet[9] + size - 20) ==
               0xffff;
}

TEST(a_datagram_reads_back)
{
    uint8_t text[700], packet[800];
    tac_random random;
    tac_random_seed(&random, 3);
    for (uint32_t size = 0; size < sizeof text; size += 1 + size / 7) {
        struct packet_about about = {.from = 0xc6124d01,
                                     .to = 0xc6124d02,
                                     .from_port = (uint16_t)(size * 97),
                                     .to_port = 53,
                                     .payload = text,
                                     .payload_size = size};
        struct packet_about back;
        for (uint32_t i = 0; i < size; i++)
            text[i] = (uint8_t)tac_random_next(&random);
        uint32_t whole = packet_datagram(&about, packet);
        CHECK_EQ(whole, size + 28);
        CHECK(sums_are_right(packet, whole));
        REQUIRE(packet_read(packet, whole, &back));
        CHECK(back.protocol == PACKET_UDP && back.from == about.from && back.to == about.to &&
              back.from_port == about.from_port && back.to_port == 53);
        CHECK(back.payload_size == size && !memcmp(back.payload, text, size));
    }
}

TEST(a_refusal_answers_the_question)
{
    struct packet_about syn = {.from = 0xc6124d02,
                               .to = 0x01020304,
                               .from_port = 40000,
                               .to_port = 81,
                               .sequence = 0xfffffffe},
                        back;
    uint8_t packet[64];
    uint32_t size = packet_refuse(&syn, packet);
    CHECK(sums_are_right(packet, size));
    REQUIRE(packet_read(packet, size, &back));
    CHECK(back.flags == (PACKET_RST | PACKET_ACK) && back.from == syn.to && back.to == syn.from &&
          back.from_port == 81 && back.to_port == 40000);
    CHECK(packet[28] == 0xff && packet[31] == 0xff); /* acknowledges the SYN */
}

TEST(what_is_cut_or_of_another_kind_is_not_read)
{
    struct packet_about about = {
        .from = 1, .to = 2, .payload = (const uint8_t *)"abcd", .payload_size = 4};
    struct packet_about back;
    uint8_t packet[64];
    uint32_t size = packet_datagram(&about, packet);
    for (uint32_t cut = 0; cut < size; cut++)
        CHECK(!packet_read(packet, cut, &back));
    uint8_t other[64];
    memcpy(other, packet, sizeof other);
    other[0] = 0x65;
    CHECK(!packet_read(other, size, &back)); /* IPv6 */
    memcpy(other, packet, sizeof other);
    other[6] = 0x20;
    CHECK(!packet_read(other, size, &back)); /* a fragment */
    memcpy(other, packet, sizeof other);
    other[9] = 1;
    CHECK(!packet_read(other, size, &back)); /* ICMP */
}
