/* Records into the shared file. Each thread appends to a chunk of its own; a chunk is prepared on
 * the disk before it is used, so that a full disk is a lost record and not a crash. */
#include "jvm/agent/agent.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* innermost: nothing is taken in it */
static struct raw_chunk *spares[1024];                   /* of threads that ended; under `lock` */
static uint32_t spare_count;

static uint64_t clock_now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool log_open(const char *path)
{
    agent.log_file = open(path, O_RDWR | O_CLOEXEC);
    if (agent.log_file < 0 || posix_fallocate(agent.log_file, 0, RAW_HEADER))
        return false;
    void *page = mmap(NULL, RAW_HEADER, PROT_READ | PROT_WRITE, MAP_SHARED, agent.log_file, 0);
    if (page == MAP_FAILED)
        return false;
    agent.header = page;
    agent.header->monotonic_time = clock_now(CLOCK_MONOTONIC);
    agent.header->real_time = clock_now(CLOCK_REALTIME);
    memcpy(agent.header->magic, RAW_MAGIC, sizeof agent.header->magic);
    return true;
}

static struct raw_chunk *new_chunk(void)
{
    uint32_t number = atomic_fetch_add(&agent.header->chunks, 1);
    off_t at = RAW_HEADER + (off_t)number * RAW_CHUNK;
    if (number >= RAW_MAX_CHUNKS || posix_fallocate(agent.log_file, at, RAW_CHUNK))
        return NULL;
    void *chunk = mmap(NULL, RAW_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                       agent.log_file, at);
    return chunk == MAP_FAILED ? NULL : chunk;
}

static struct raw_chunk *take_chunk(void)
{
    pthread_mutex_lock(&lock);
    struct raw_chunk *chunk = spare_count ? spares[--spare_count] : NULL;
    pthread_mutex_unlock(&lock);
    return chunk ? chunk : new_chunk();
}

/* What the thread did not fill another one goes on with. */
void log_thread_ends(void)
{
    struct thread_state *t = thread_state();
    if (!t || !t->chunk)
        return;
    pthread_mutex_lock(&lock);
    if (spare_count < sizeof spares / sizeof *spares)
        spares[spare_count++] = t->chunk;
    pthread_mutex_unlock(&lock);
    t->chunk = NULL;
}

/* Makes sure that the thread's chunk has room; how much of it is used, UINT32_MAX = there is none.
 */
static uint32_t make_room(struct thread_state *t, uint32_t whole)
{
    uint32_t used = t->chunk ? atomic_load_explicit(&t->chunk->used, memory_order_relaxed) : 0;
    if (t->chunk && used + whole <= sizeof t->chunk->bytes)
        return used;
    if (t->chunk)
        munmap(t->chunk, RAW_CHUNK);
    do
        t->chunk = take_chunk();
    while (t->chunk && atomic_load(&t->chunk->used) + whole > sizeof t->chunk->bytes &&
           !munmap(t->chunk, RAW_CHUNK));
    return t->chunk ? atomic_load(&t->chunk->used) : UINT32_MAX;
}

static bool is_timed(enum raw_kind kind)
{
    return kind == RAW_ENTER || kind == RAW_LEAVE;
}

void log_add_parts(enum raw_kind kind, uint32_t probe, const void *first, size_t first_size,
                   const char *text, size_t size)
{
    struct thread_state *t = thread_state();
    if (size > RAW_MAX_TEXT - first_size)
        size = RAW_MAX_TEXT - first_size;
    uint32_t whole = (uint32_t)((sizeof(struct raw_record) + first_size + size + 7) & ~(size_t)7);
    uint32_t used = t ? make_room(t, whole) : UINT32_MAX;
    if (used == UINT32_MAX) {
        atomic_fetch_add(&agent.header->lost, 1);
        return;
    }
    struct raw_record *record = (struct raw_record *)(void *)(t->chunk->bytes + used);
    *record = (struct raw_record){
        .size = whole,
        .kind = (uint16_t)kind,
        .ui = t->ui,
        .sequence = atomic_fetch_add_explicit(&agent.header->sequence, 1, memory_order_relaxed),
        .time = is_timed(kind) ? clock_now(CLOCK_MONOTONIC) : 0,
        .thread = t->number,
        .probe = probe,
        .text_size = (uint32_t)(first_size + size)};
    if (first_size)
        memcpy(record->text, first, first_size);
    if (size)
        memcpy(record->text + first_size, text, size);
    atomic_store_explicit(&t->chunk->used, used + whole, memory_order_release);
}

void log_add(enum raw_kind kind, uint32_t probe, const char *text, size_t size)
{
    log_add_parts(kind, probe, NULL, 0, text, size);
}

void log_textf(enum raw_kind kind, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n > 0)
        log_add(kind, 0, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}
