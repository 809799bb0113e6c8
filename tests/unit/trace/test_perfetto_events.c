/* Events of the kernel in the layout that recorders write are read by a short way; everything else
 * by the general one. Both must say the same of any bytes. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "tactus_test.h"
#include "trace/perfetto/bundle.h"

struct bytes {
    uint8_t at[4096];
    size_t size;
};

static void put(struct bytes *bytes, uint64_t byte)
{
    REQUIRE(bytes->size < sizeof bytes->at);
    bytes->at[bytes->size++] = (uint8_t)byte;
}

/* With `width` bytes or as few as it needs. */
static void put_varint(struct bytes *bytes, uint64_t value, unsigned width)
{
    for (unsigned i = 1; value >= 0x80 || i < width; i++, value >>= 7)
        put(bytes, (value & 0x7f) | 0x80);
    put(bytes, value);
}

static unsigned any_width(tac_random *random)
{
    return tac_random_below(random, 3) ? 4 : 1;
}

static void put_message(struct bytes *bytes, uint64_t number, const struct bytes *inside,
                        unsigned width)
{
    put_varint(bytes, number << 3 | WIRE_BYTES, 1);
    put_varint(bytes, inside->size, width);
    for (size_t i = 0; i < inside->size; i++)
        put(bytes, inside->at[i]);
}

static void put_event(struct bytes *bundle, tac_random *random)
{
    struct bytes event = {0}, payload = {0};
    for (size_t i = tac_random_below(random, 40); i; i--)
        put(&payload, tac_random_below(random, 256));
    if (tac_random_below(random, 8)) {
        put(&event, 0x08);
        put_varint(&event, tac_random_next(random) >> tac_random_below(random, 64), 1);
    }
    if (tac_random_below(random, 8)) {
        put(&event, 0x10);
        put_varint(&event, tac_random_below(random, 100000), 1);
    }
    if (tac_random_below(random, 8))
        put_message(&event, 1 + tac_random_below(random, 400), &payload, any_width(random));
    if (!tac_random_below(random, 8))
        put_message(&event, 3 + tac_random_below(random, 4), &payload, any_width(random));
    put_message(bundle, tac_random_below(random, 16) ? 2 : 4, &event, any_width(random));
}

TEST(the_short_way_and_the_general_one_read_the_same_events)
{
    tac_random random;
    size_t usual = 0;
    tac_random_seed(&random, 23);
    for (size_t round = 0; round < test_scale(4000); round++) {
        struct bytes bundle = {0};
        for (size_t i = tac_random_below(&random, 12); i; i--)
            put_event(&bundle, &random);
        if (bundle.size && !tac_random_below(&random, 4))
            bundle.at[tac_random_below(&random, bundle.size)] ^= (uint8_t)tac_random_next(&random);
        size_t size =
            tac_random_below(&random, 4) ? bundle.size : tac_random_below(&random, bundle.size + 1);
        /* In a block of its own, so that a sanitizer sees what is read behind it. */
        uint8_t *copy = tac_alloc(size + 1);
        memcpy(copy, bundle.at, size);
        struct bundle quick = {.events = wire_over(copy, size), .to_boot = 5}, slow = quick;
        struct bundle_event a = {0}, b = {0};
        for (bool more = true; more;) {
            bool short_way = bundle_next_usual(&quick, &a);
            more = bundle_next(&slow, &b);
            if (short_way || (more && bundle_next(&quick, &a))) {
                REQUIRE(more);
                CHECK_EQ(a.time, b.time);
                CHECK_EQ(a.tid, b.tid);
                CHECK_EQ(a.kind, b.kind);
                CHECK(!a.kind ||
                      (a.payload.data == b.payload.data && a.payload.size == b.payload.size));
                usual += short_way;
            }
            CHECK(quick.events.at == slow.events.at || !more);
        }
        free(copy);
    }
    CHECK(usual > test_scale(4000) / 10);
}
