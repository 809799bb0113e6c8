/* `slice NAME`: what the monitor says of overlapping slices against a search over all states. */
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "property_support.h"
#include "tactus_test.h"
#include <math.h>

enum { TRACES = 300, STATES = 4096 };

static uint64_t seed = 7;

static unsigned pick(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

/* Complete, nested and asynchronous slices on a few threads, and a counter. */
static void make_recording(tac_str *out)
{
    unsigned events = 1 + pick(80);
    tac_str_add(out, "[");
    for (unsigned i = 0; i < events; i++) {
        unsigned time = pick(400), thread = pick(3), name = pick(2);
        tac_str_add(out, i ? ",\n" : "");
        switch (pick(4)) {
        case 0:
            tac_str_addf(out,
                         "{\"ph\":\"C\",\"ts\":%u,\"pid\":1,\"name\":\"n\",\"args\":{\"v\":%u}}",
                         time, pick(50));
            break;
        case 1:
            tac_str_addf(out,
                         "{\"ph\":\"b\",\"ts\":%u,\"pid\":1,\"tid\":1,\"id\":%u,\"cat\":\"c\","
                         "\"name\":\"%c\"},\n{\"ph\":\"e\",\"ts\":%u,\"pid\":1,\"tid\":1,\"id\":%u,"
                         "\"cat\":\"c\",\"name\":\"%c\"}",
                         time, i, "ab"[name], time + 1 + pick(60), i, "ab"[name]);
            break;
        default:
            tac_str_addf(out,
                         "{\"ph\":\"X\",\"ts\":%u,\"dur\":%u,\"pid\":1,\"tid\":%u,\"name\":\"%c\"}",
                         time, 1 + pick(60), thread, "ab"[name]);
        }
    }
    tac_str_add(out, "]\n");
}

/* All states of a trace, as the reader gives them. */
struct all_states {
    size_t count;
    int64_t time[STATES];
    char event[STATES][16];
    double length[STATES], counter[STATES];
};

static void read_states(const char *path, struct all_states *all)
{
    tac_trace_source *source;
    const tac_trace_block *block;
    tac_error err;
    all->count = 0;
    REQUIRE(!tac_trace_open(path, NULL, &source, &err));
    while (!tac_trace_next(source, &block, &err) && block) {
        size_t variables, symbols;
        const tac_trace_variable *at = tac_trace_variables(source, &variables);
        const char *const *names = tac_trace_symbols(source, &symbols);
        for (size_t i = 0; i < block->count; i++) {
            size_t s = all->count++;
            REQUIRE(s < STATES);
            all->time[s] = block->time[i];
            all->counter[s] = all->length[s] = (double)NAN;
            *all->event[s] = '\0';
            for (size_t v = 0; v < variables; v++) {
                if (!strcmp(at[v].name, "event") && block->symbols[v][i] != TAC_TRACE_NO_SYMBOL)
                    snprintf(all->event[s], sizeof all->event[s], "%s",
                             names[block->symbols[v][i]]);
                if (!strcmp(at[v].name, "dur"))
                    all->length[s] = block->numbers[v][i];
                if (!strcmp(at[v].name, "n.v"))
                    all->counter[s] = block->numbers[v][i];
            }
        }
    }
    tac_trace_close(source);
}

struct told {
    size_t count;
    tac_interval at[STATES];
    bool holds[STATES];
};

static void on_interval(void *context, size_t index, const tac_witness *witness)
{
    struct told *told = context;
    if (index)
        return;
    told->at[told->count] = witness->interval;
    told->holds[told->count++] = witness->holds;
}

/* Every end:a, its length, and the greatest counter on the way. */
static void compare(const struct all_states *all, const struct told *told)
{
    size_t found = 0;
    for (size_t s = 0; s < all->count; s++) {
        if (strcmp(all->event[s], "end:a"))
            continue;
        double most = -1;
        bool missing = false;
        size_t from = told->at[found].from;
        REQUIRE(found < told->count);
        CHECK_EQ(told->at[found].to, s);
        CHECK_EQ(all->time[s] - told->at[found].t_from, llround(all->length[s] * 1e6));
        CHECK_STR(all->event[from], "begin:a");
        for (size_t i = from; i <= s; i++) {
            missing |= isnan(all->counter[i]);
            most = fmax(most, all->counter[i]);
        }
        CHECK_EQ(told->holds[found], all->length[s] < 0.03 && !missing && most < 40);
        found++;
    }
    CHECK_EQ(found, told->count);
}

TEST(overlapping_slices_are_judged_one_by_one)
{
    static struct all_states all;
    static struct told told;
    size_t slices = 0, overlapping = 0;
    tac_properties *properties =
        properties_of("property p: forall [slice a] duration < 30 us and max(`n.v`) < 40\n"
                      "property q: share [slice `a`] (duration < 30 us) >= 0 %\n");
    for (int t = 0; t < TRACES; t++) {
        tac_str text = {0};
        tac_trace_source *source;
        const tac_trace_block *block;
        tac_monitor *monitor;
        tac_property_result result;
        tac_error err;
        make_recording(&text);
        const char *path = test_write("recording.json", tac_str_text(&text));
        read_states(path, &all);
        told.count = 0;
        tac_monitor_options options = {
            .on_interval = on_interval, .context = &told, .allow_missing = true};
        REQUIRE(!tac_monitor_new(properties, &options, &monitor, &err));
        REQUIRE(!tac_trace_open(path, NULL, &source, &err));
        while (!tac_trace_next(source, &block, &err) && block) {
            tac_monitor_schema schema = {0};
            schema.variables = tac_trace_variables(source, &schema.variable_count);
            schema.symbols = tac_trace_symbols(source, &schema.symbol_count);
            REQUIRE(!tac_monitor_feed(monitor, &schema, block, &err));
        }
        REQUIRE(!tac_monitor_finish(monitor, NULL, &err));
        compare(&all, &told);
        tac_monitor_result(monitor, 1, true, &result);
        CHECK_EQ(result.intervals, told.count);
        for (size_t i = 1; i < told.count; i++)
            overlapping += told.at[i].from < told.at[i - 1].to;
        slices += told.count;
        tac_monitor_free(monitor);
        tac_trace_close(source);
        tac_str_free(&text);
    }
    printf("  %zu slices, %zu of them overlapping\n", slices, overlapping);
    CHECK(overlapping > 1000);
    tac_property_free(properties);
}

TEST(the_word_slice_stays_a_name)
{
    static const char *const fine[] = {
        "property p: forall [slice, done] duration < 1 s\n",
        "property p: always (slice -> eventually done)\n",
        "property p: always (slice until done)\n",
        "property p: forall [slice \"a b\" and x > 1] duration < 1 s\n",
        "property p: forall [begin, slice Sync] duration < 1 s\n",
        "property p: always (slice Sync -> x < 1)\n",
        "let slice = event == tap\nproperty p: always (slice and x < 1)\n"};
    for (size_t i = 0; i < sizeof fine / sizeof fine[0]; i++) {
        char *errors = errors_of(fine[i]);
        CHECK_STR(errors, "");
        free(errors);
    }
}
