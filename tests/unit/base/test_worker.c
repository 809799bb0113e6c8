/* Worker processes: a conversation, a worker that dies, one that does not want to end. */
#include "base/process/worker.h"
#include "tactus_test.h"
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* Answers each number with its double; 0 dies, 1 sleeps. */
static void doubler(void *context, size_t index, int fd)
{
    (void)context;
    int64_t number;
    while (tac_worker_receive(fd, &number, sizeof number)) {
        char line[64];
        if (number == 0)
            raise(SIGKILL);
        if (number == 1)
            sleep(60);
        int n = snprintf(line, sizeof line, "%zu: %lld\n", index, 2 * (long long)number);
        tac_worker_send(fd, line, (size_t)n);
    }
}

static const char *answer_of(tac_worker *worker)
{
    const char *line;
    while (!(line = tac_worker_line(worker))) {
        struct pollfd ready = {.fd = worker->fd, .events = POLLIN};
        if (poll(&ready, 1, 5000) <= 0 || !tac_worker_read(worker))
            return NULL;
    }
    return line;
}

static tac_worker started(size_t index)
{
    tac_worker worker = {0};
    tac_error err;
    if (tac_worker_start(&worker, doubler, NULL, index, &err))
        test_fail(__FILE__, __LINE__, "%s", err.message);
    return worker;
}

TEST(a_worker_answers_in_order)
{
    tac_worker worker = started(7);
    for (int64_t i = 2; i < 500; i++)
        tac_worker_send(worker.fd, &i, sizeof i);
    for (int i = 2; i < 500; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "7: %d", 2 * i);
        const char *line = answer_of(&worker);
        REQUIRE(line);
        CHECK_STR(line, expected);
    }
    CHECK(!tac_worker_line(&worker));
    tac_worker_end(&worker, 5);
    CHECK_EQ(worker.pid, 0);
}

TEST(a_worker_that_died_is_noticed)
{
    tac_worker worker = started(0);
    int64_t numbers[] = {5, 0};
    tac_worker_send(worker.fd, numbers, sizeof numbers);
    const char *line = answer_of(&worker);
    REQUIRE(line);
    CHECK_STR(line, "0: 10");
    CHECK(!answer_of(&worker));
    tac_worker_end(&worker, 1);
}

TEST(a_worker_that_does_not_end_is_killed)
{
    tac_worker worker = started(0);
    int64_t one = 1;
    tac_worker_send(worker.fd, &one, sizeof one);
    pid_t pid = worker.pid;
    tac_worker_end(&worker, 0.1);
    CHECK(kill(pid, 0) != 0);
}

TEST(ending_none_is_fine)
{
    tac_worker worker = {0};
    tac_worker_end(&worker, 0);
    CHECK_EQ(worker.pid, 0);
}
