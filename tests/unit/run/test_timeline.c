/* Merging states and samples: against a slow definition on random clocks, and by queue. */
#include "base/data/random.h"
#include "run/timeline.h"
#include "tactus_test.h"
#include <math.h>

enum { RECORDS = 40, SAMPLES = 300, COLUMNS = 5 };

struct bench {
    struct probe_set set;
    struct record records[RECORDS];
    double numbers[RECORDS * COLUMNS];
};

/* A device with one probe of its own (column 0) and an instrument with the other four. */
static void set_up(struct bench *bench, struct run_clock device, struct run_clock meter)
{
    *bench = (struct bench){0};
    struct probe_source source = {.clock = device};
    tac_vec_push(&bench->set.sources, source);
    struct probe_instrument added = {.column = {1, 2, 3, 4}, .clock = meter};
    tac_vec_push(&bench->set.instruments, added);
    static const char *const names[COLUMNS] = {"heap", "power", "current", "voltage", "energy"};
    for (size_t i = 0; i < COLUMNS; i++) {
        struct probe_column column = {.name = names[i], .unit = "", .sampled = i > 0};
        tac_vec_push(&bench->set.columns, column);
    }
}

static void add_sample(struct bench *bench, int64_t time, double current)
{
    struct power_sample sample = {.time = time, .current = current, .voltage = 2};
    tac_vec_push(&bench->set.instruments.at[0].samples, sample);
}

/* The definition: the integral of straight pieces up to a moment. */
static double energy_by_definition(const struct probe_instrument *source, int64_t until)
{
    double energy = 0;
    for (size_t i = 0; i + 1 < source->samples.count; i++) {
        const struct power_sample *a = &source->samples.at[i], *b = a + 1;
        double from = (double)run_clock_correct(&source->clock, a->time);
        double to = (double)run_clock_correct(&source->clock, b->time);
        double end = fmin(to, (double)until);
        if (end <= from || to <= from)
            continue;
        double p = 2 * a->current, q = 2 * b->current;
        double at_end = p + (q - p) * (end - from) / (to - from);
        energy += (p + at_end) / 2 * (end - from) * 1e-9;
    }
    return energy;
}

TEST(states_and_samples_are_merged_by_the_host_s_time)
{
    for (size_t round = 0; round < test_scale(200); round++) {
        tac_random random;
        tac_random_seed(&random, (uint64_t)round + 1);
        int64_t drift = (int64_t)tac_random_below(&random, 20000000);
        struct run_clock device = {.device = {5000000000, 6000000000},
                                   .offset = {4000000000, 4000000000 + drift},
                                   .start = 1000000000};
        struct run_clock meter = {
            .device = {1000000000, 2000000000}, .offset = {0, -drift / 2}, .start = 1000000000};
        struct bench bench;
        set_up(&bench, device, meter);
        int64_t time = device.device[0];
        for (size_t i = 0; i < RECORDS; i++) {
            time += (int64_t)tac_random_below(&random, 50000000);
            bench.records[i] = (struct record){.moment = {time, 0}, .event = (uint32_t)i};
            for (size_t c = 0; c < COLUMNS; c++)
                bench.numbers[i * COLUMNS + c] = c ? NAN : (double)i;
        }
        time = meter.device[0];
        for (size_t i = 0; i < SAMPLES; i++) {
            time += (int64_t)tac_random_below(&random, 7000000);
            add_sample(&bench, time, (double)tac_random_below(&random, 1000) * 1e-3);
        }
        struct timeline all;
        struct record_list list = {bench.records, NULL, bench.numbers, RECORDS};
        timeline_start(&all, &bench.set, 0);
        size_t events = 0, states = 0;
        int64_t before = INT64_MIN;
        int64_t last = run_clock_correct(&bench.set.instruments.at[0].clock,
                                         tac_vec_last(&bench.set.instruments.at[0].samples).time);
        while (timeline_next(&all, list, INT64_MAX)) {
            states++;
            CHECK(all.time >= before);
            before = all.time;
            int64_t until = all.time < last ? all.time : last;
            CHECK_NEAR(all.numbers[4], energy_by_definition(&bench.set.instruments.at[0], until),
                       1e-9);
            if (all.event != TAC_TRACE_NO_SYMBOL) {
                CHECK_EQ(all.event, events);
                CHECK_NEAR(all.numbers[0], (double)events, 0);
                CHECK_EQ(all.time, run_clock_correct(&device, bench.records[events].moment.time));
                events++;
            }
        }
        CHECK_EQ(events, RECORDS);
        CHECK_EQ(states, RECORDS + SAMPLES);
        timeline_free(&all);
        probe_set_free(&bench.set);
    }
}

TEST(nothing_is_shown_before_the_instrument_has_covered_it)
{
    struct run_clock same = {0};
    struct bench bench;
    set_up(&bench, same, same);
    bench.records[0] = (struct record){.moment = {1500, 0}, .event = 7};
    struct timeline shown;
    struct record_list list = {bench.records, NULL, bench.numbers, 1};
    timeline_start(&shown, &bench.set, 0);
    CHECK(!timeline_next(&shown, list, probe_set_covered(&bench.set)));
    add_sample(&bench, 1000, 1);
    CHECK(timeline_next(&shown, list, probe_set_covered(&bench.set)));
    CHECK_EQ(shown.event, TAC_TRACE_NO_SYMBOL);
    CHECK(!timeline_next(&shown, list, probe_set_covered(&bench.set)));
    add_sample(&bench, 2000, 3);
    CHECK(timeline_next(&shown, list, probe_set_covered(&bench.set)));
    CHECK_EQ(shown.event, 7);
    CHECK_NEAR(shown.numbers[1], 2, 0);          /* the last sample's power */
    CHECK_NEAR(shown.numbers[4], 1.5e-6, 1e-12); /* 2 W to 6 W, half of 1 us */
    CHECK(timeline_next(&shown, list, probe_set_covered(&bench.set)));
    CHECK_NEAR(shown.numbers[4], 4e-6, 1e-12);
    timeline_free(&shown);
    probe_set_free(&bench.set);
}
