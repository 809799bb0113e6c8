/* Kernel traces on a timeline: marks of apps, threads and processes with names that come late.
 * Shared by the protobuf and the text form. */
#pragma once

#include "trace/timeline/timeline.h"

enum { CPUS_MAX = 1024 };

struct kernel {
    struct timeline *timeline;
    tac_u64map tgids;                       /* thread -> process */
    tac_u64map thread_names, process_names; /* id -> name id */
    tac_u64map writers;                     /* threads that have a track */
    uint32_t tasks[CPUS_MAX], frequencies[CPUS_MAX], idles[CPUS_MAX]; /* series + 1; 0 = none */
    uint64_t lost;
};

/* Keys of tracks: they never meet. */
static inline uint64_t thread_track(uint32_t tid)
{
    return (uint64_t)1 << 60 | tid;
}
static inline uint64_t hashed_track(unsigned space, uint64_t key)
{
    return (uint64_t)space << 60 | tac_hash_u64(key) >> 4;
}

void kernel_open(struct kernel *kernel, struct timeline *timeline);
/* A mark that a thread wrote. */
tac_status kernel_mark(struct kernel *kernel, int64_t time, uint32_t tid, const char *text,
                       size_t length, tac_error *err);
/* What runs on a CPU from now on. */
tac_status kernel_switch(struct kernel *kernel, int64_t time, unsigned cpu, uint32_t tid,
                         const char *name, size_t length, tac_error *err);
tac_status kernel_frequency(struct kernel *kernel, int64_t time, unsigned cpu, double kilohertz,
                            tac_error *err);
tac_status kernel_idle(struct kernel *kernel, int64_t time, unsigned cpu, double state,
                       tac_error *err);
void kernel_thread_name(struct kernel *kernel, uint32_t tid, const char *name, size_t length);
void kernel_process_name(struct kernel *kernel, uint32_t pid, const char *name, size_t length);
void kernel_thread_of(struct kernel *kernel, uint32_t tid, uint32_t tgid);
/* A counter of a process. */
tac_status kernel_counter(struct kernel *kernel, int64_t time, uint32_t pid, const char *name,
                          size_t length, const char *unit, double value, tac_error *err);
/* After the last event, before timeline_finish: gives names to places and owners. */
void kernel_finish(struct kernel *kernel);
void kernel_close(struct kernel *kernel);
/* The name id of a process: its name, else its number. */
uint32_t kernel_process(struct kernel *kernel, uint32_t pid);
