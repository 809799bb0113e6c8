/* A process per item, at most `jobs` at once, results handed over in item order. See pool.h.
 *
 * A child writes its result to a pipe and exits; the parent reads all pipes in one poll loop. A
 * result that arrives before its turn waits in `waiting`. Children die with their parent. */
#include "base/process/pool.h"
#include "base/check.h"
#include "base/data/text.h"
#include "base/data/vec.h"
#include "base/process/child.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MEMORY_EXHAUSTED = 99 };

struct child {
    pid_t pid;
    int pipe;
    size_t item;
    double started;
    bool timed_out;
    tac_str data;
};

struct pool {
    const tac_pool_job *job;
    TAC_VEC(struct child) running;
    tac_pool_result *waiting; /* by item; data owned here until handed over */
    bool *ready;
    size_t next_item, next_result;
};

static void exit_for_memory(size_t wanted)
{
    (void)wanted;
    _exit(MEMORY_EXHAUSTED);
}

static bool write_all(int descriptor, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t put = write(descriptor, data, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        data += put;
        size -= (size_t)put;
    }
    return true;
}

static void limit_memory(uint64_t bytes)
{
    /* AddressSanitizer reserves terabytes of address space, so the limit cannot apply there. */
#ifndef __SANITIZE_ADDRESS__
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = bytes};
    if (bytes)
        setrlimit(RLIMIT_AS, &limit);
#else
    (void)bytes;
#endif
}

_Noreturn static void be_child(const tac_pool_job *job, size_t item, int pipe)
{
    limit_memory(job->memory_limit);
    tac_set_oom_handler(exit_for_memory);
    tac_str out = {0};
    job->work(job->context, item, &out);
    tac_child_exit(write_all(pipe, tac_str_text(&out), out.length) ? 0 : 1);
}

static tac_status start_child(struct pool *pool, tac_error *err)
{
    assert(pool->next_item < pool->job->items);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return tac_fail_errno(err, errno, NULL, "cannot open a pipe for a worker");
    pid_t pid;
    tac_status status = tac_child_fork(ends, &pid, err);
    if (status != TAC_OK)
        return status;
    if (pid == 0)
        be_child(pool->job, pool->next_item, ends[1]);
    tac_vec_push(&pool->running,
                 (struct child){
                     .pid = pid, .pipe = ends[0], .item = pool->next_item++, .started = tac_now()});
    return TAC_OK;
}

/* The child's pipe has closed: collect its end and store the result. */
static void finish_child(struct pool *pool, size_t index)
{
    struct child *child = &pool->running.at[index];
    int state = 0;
    struct rusage usage = {0};
    close(child->pipe);
    while (wait4(child->pid, &state, 0, &usage) < 0 && errno == EINTR)
        ;
    assert(child->item < pool->next_item && !pool->ready[child->item]);
    tac_pool_result result = {.item = child->item,
                              .seconds = tac_now() - child->started,
                              .peak_bytes = (uint64_t)usage.ru_maxrss * 1024,
                              .size = child->data.length};
    if (child->timed_out) {
        result.end = TAC_POOL_TIMEOUT;
    } else if (WIFEXITED(state) && WEXITSTATUS(state) == MEMORY_EXHAUSTED) {
        result.end = TAC_POOL_MEMORY;
    } else if (!WIFEXITED(state) || WEXITSTATUS(state)) {
        result.end = TAC_POOL_DIED;
        result.detail = WIFSIGNALED(state) ? WTERMSIG(state) : WEXITSTATUS(state);
    }
    result.data = tac_str_take(&child->data);
    pool->waiting[child->item] = result;
    pool->ready[child->item] = true;
    pool->running.at[index] = tac_vec_pop(&pool->running);
}

static void read_child(struct pool *pool, size_t index)
{
    char buffer[65536];
    struct child *child = &pool->running.at[index];
    ssize_t got = read(child->pipe, buffer, sizeof buffer);
    if (got > 0)
        tac_str_add_bytes(&child->data, buffer, (size_t)got);
    else if (got == 0 || errno != EINTR)
        finish_child(pool, index);
}

/* Kills what is over its time; returns the milliseconds until the next deadline, or -1. */
static int enforce_deadlines(struct pool *pool)
{
    double limit = pool->job->time_limit, now = tac_now(), nearest = -1;
    if (limit <= 0)
        return pool->job->watch ? 200 : -1;
    for (size_t i = 0; i < pool->running.count; i++) {
        struct child *child = &pool->running.at[i];
        double left = child->started + limit - now;
        if (left <= 0 && !child->timed_out) {
            child->timed_out = true;
            kill(child->pid, SIGKILL);
        }
        if (left > 0 && (nearest < 0 || left < nearest))
            nearest = left;
    }
    return nearest < 0 || nearest > 0.2 ? 200 : (int)(nearest * 1000) + 1;
}

static void wait_for_children(struct pool *pool)
{
    int timeout = enforce_deadlines(pool);
    size_t count = pool->running.count;
    struct pollfd *watched = tac_calloc(count, sizeof *watched);
    for (size_t i = 0; i < count; i++)
        watched[i] = (struct pollfd){.fd = pool->running.at[i].pipe, .events = POLLIN};
    if (poll(watched, count, timeout) > 0)
        for (size_t i = count; i-- > 0;) /* backwards: finishing moves the last one down */
            if (watched[i].revents)
                read_child(pool, i);
    free(watched);
}

static bool hand_over(struct pool *pool)
{
    const tac_pool_job *job = pool->job;
    while (pool->next_result < pool->next_item && pool->ready[pool->next_result]) {
        tac_pool_result *result = &pool->waiting[pool->next_result++];
        bool go_on = job->result(job->context, result);
        free((char *)(uintptr_t)result->data);
        result->data = NULL;
        if (!go_on)
            return false;
    }
    return true;
}

static void end_all(struct pool *pool)
{
    for (size_t i = 0; i < pool->running.count; i++)
        kill(pool->running.at[i].pid, SIGKILL);
    while (pool->running.count)
        finish_child(pool, 0);
    for (size_t i = pool->next_result; i < pool->next_item; i++)
        if (pool->ready[i])
            free((char *)(uintptr_t)pool->waiting[i].data);
    tac_vec_free(&pool->running);
    free(pool->waiting);
    free(pool->ready);
}

tac_status tac_pool_run(const tac_pool_job *job, tac_error *err)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = job->jobs ? job->jobs : processors > 0 ? (size_t)processors : 1;
    struct pool pool = {.job = job,
                        .waiting = tac_calloc(job->items, sizeof *pool.waiting),
                        .ready = tac_calloc(job->items, sizeof *pool.ready)};
    tac_status status = TAC_OK;
    bool go_on = true;
    while (go_on && status == TAC_OK && pool.next_result < job->items) {
        while (status == TAC_OK && pool.running.count < jobs && pool.next_item < job->items)
            status = start_child(&pool, err);
        if (status == TAC_OK) {
            wait_for_children(&pool);
            go_on = hand_over(&pool);
        }
        if (go_on && !tac_watch_tick(job->watch, job->what, pool.next_result, job->items))
            status = tac_fail(err, TAC_E_INTERRUPTED, "stopped after %zu of %zu", pool.next_result,
                              job->items);
    }
    assert(pool.next_result <= pool.next_item && pool.next_item <= job->items);
    end_all(&pool);
    return status;
}
