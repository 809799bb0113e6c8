/* The pool: order, dead children, time and memory limits, stopping. */
#include "base/data/alloc.h"
#include "base/process/pool.h"
#include "tactus_test.h"
#include <signal.h>

struct seen {
    size_t count, stop_after;
    tac_pool_end ends[64];
    int details[64];
    char texts[64][32];
};

static void work(void *context, size_t item, tac_str *out)
{
    (void)context;
    if (item % 7 == 3)
        raise(SIGKILL);
    usleep((useconds_t)((7 - item % 7) * 1000));
    tac_str_addf(out, "item %zu", item);
}

static bool keep(void *context, const tac_pool_result *result)
{
    struct seen *seen = context;
    CHECK_EQ(result->item, seen->count);
    seen->ends[seen->count] = result->end;
    seen->details[seen->count] = result->detail;
    snprintf(seen->texts[seen->count], 32, "%.*s", (int)result->size, result->data);
    seen->count++;
    return !seen->stop_after || seen->count < seen->stop_after;
}

TEST(results_come_in_order_and_the_dead_are_named)
{
    struct seen seen = {0};
    tac_pool_job job = {.items = 20, .jobs = 4, .work = work, .result = keep, .context = &seen};
    tac_error err;
    CHECK_EQ(tac_pool_run(&job, &err), TAC_OK);
    REQUIRE(seen.count == 20);
    CHECK_EQ(seen.ends[3], TAC_POOL_DIED);
    CHECK_EQ(seen.details[3], SIGKILL);
    CHECK_EQ(seen.ends[4], TAC_POOL_DONE);
    CHECK_STR(seen.texts[19], "item 19");
}

TEST(the_receiver_can_stop)
{
    struct seen seen = {.stop_after = 2};
    tac_pool_job job = {.items = 20, .jobs = 3, .work = work, .result = keep, .context = &seen};
    tac_error err;
    CHECK_EQ(tac_pool_run(&job, &err), TAC_OK);
    CHECK_EQ(seen.count, 2);
}

static void hang_first(void *context, size_t item, tac_str *out)
{
    (void)context;
    if (item == 0)
        pause();
    tac_str_add(out, "fine");
}

static void eat_first(void *context, size_t item, tac_str *out)
{
    (void)context;
    if (item == 0)
        for (;;)
            *(volatile char *)tac_alloc(16 << 20) = 1;
    tac_str_add(out, "fine");
}

/* The first item meets the limit, the second is well. */
static void check_limited(tac_pool_job job, tac_pool_end first)
{
    struct seen seen = {0};
    tac_error err;
    job.items = job.jobs = 2;
    job.result = keep;
    job.context = &seen;
    CHECK_EQ(tac_pool_run(&job, &err), TAC_OK);
    REQUIRE(seen.count == 2);
    CHECK_EQ(seen.ends[0], first);
    CHECK_EQ(seen.ends[1], TAC_POOL_DONE);
    CHECK_STR(seen.texts[1], "fine");
}

TEST(time_is_limited)
{
    check_limited((tac_pool_job){.time_limit = 0.5, .work = hang_first}, TAC_POOL_TIMEOUT);
}

TEST(memory_is_limited)
{
#if defined(__SANITIZE_ADDRESS__)
    SKIP("address space cannot be limited under AddressSanitizer");
#endif
    check_limited((tac_pool_job){.memory_limit = (uint64_t)256 << 20, .work = eat_first},
                  TAC_POOL_MEMORY);
}

static bool refuse(tac_watch *self, const char *what, uint64_t done, uint64_t total)
{
    (void)self;
    (void)what;
    (void)total;
    return done < 5;
}

TEST(a_watch_interrupts)
{
    struct seen seen = {0};
    tac_watch watch = {refuse};
    tac_pool_job job = {.items = 20,
                        .jobs = 2,
                        .work = work,
                        .result = keep,
                        .context = &seen,
                        .watch = &watch,
                        .what = "items"};
    tac_error err;
    CHECK_EQ(tac_pool_run(&job, &err), TAC_E_INTERRUPTED);
    CHECK(seen.count >= 5 && seen.count < 20);
}
