/* The sorter of events against a stable sort in memory, with so little memory that it spills; the
 * pairing of slices against stacks; decimals of the binary format against the numbers themselves.
 */
#include "base/data/random.h"
#include "tactus_test.h"
#include "trace/timeline/slices.h"
#include "trace/timeline/sorter.h"

/* Insertion sort: obviously stable and right. */
static void sort_slowly(struct timeline_event *events, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k && events[k - 1].time > events[k].time; k--) {
            struct timeline_event moved = events[k];
            events[k] = events[k - 1];
            events[k - 1] = moved;
        }
}

TEST(events_come_out_sorted_and_stable)
{
    tac_random random;
    tac_random_seed(&random, 7);
    for (size_t round = 0; round < test_scale(200); round++) {
        static struct timeline_event wanted[600];
        size_t count = tac_random_below(&random, 600);
        struct sorter sorter = {.memory = 1 + tac_random_below(&random, 80)};
        uint64_t range = 1 + tac_random_below(&random, 1000);
        /* Every seventh round over centuries, where a key has no room for both time and place. */
        int64_t apart = round % 7 ? 1 : INT64_MAX / 1700;
        for (size_t i = 0; i < count; i++) {
            /* Mostly ascending, as buffers of several CPUs are. */
            int64_t time = ((int64_t)(i + tac_random_below(&random, range)) - 800) * apart;
            wanted[i] = (struct timeline_event){.time = time, .name = (uint32_t)i};
            REQUIRE(!sorter_add(&sorter, &wanted[i], NULL));
        }
        sort_slowly(wanted, count);
        REQUIRE(!sorter_finish(&sorter, NULL));
        const struct timeline_event *event = NULL;
        for (size_t i = 0; i < count; i++) {
            REQUIRE(!sorter_next(&sorter, &event, NULL) && event);
            CHECK_EQ(event->time, wanted[i].time);
            CHECK_EQ(event->name, wanted[i].name);
        }
        REQUIRE(!sorter_next(&sorter, &event, NULL));
        CHECK(event == NULL);
        sorter_free(&sorter);
    }
}

TEST(slices_pair_last_in_first_out_per_track)
{
    enum { TRACKS = 5, DEPTH = 2000 };
    static uint32_t stack[TRACKS][DEPTH];
    size_t depth[TRACKS] = {0}, closed = 0, without = 0, open = 0;
    struct slices slices = {0};
    tac_random random;
    tac_random_seed(&random, 11);
    for (uint32_t i = 0; i < DEPTH; i++) {
        size_t track = tac_random_below(&random, TRACKS);
        struct open_slice slice;
        if (tac_random_below(&random, 2)) {
            slices_begin(&slices, track, i, i, -(int64_t)i);
            stack[track][depth[track]++] = i;
        } else if (slices_end(&slices, track, &slice)) {
            REQUIRE(depth[track] > 0);
            CHECK_EQ(slice.name, stack[track][--depth[track]]);
            CHECK_EQ(slice.payload, -(int64_t)slice.name);
            closed++;
        } else {
            CHECK_EQ(depth[track], 0);
            without++;
        }
    }
    for (size_t i = 0; i < TRACKS; i++)
        open += depth[i];
    CHECK_EQ(slices.closed, closed);
    CHECK_EQ(slices.ends_without_begin, without);
    CHECK_EQ(slices.now_open, open);
    slices_free(&slices);
}
