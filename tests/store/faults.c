/* A library to be loaded before the others (LD_PRELOAD): the N-th call of one kind fails, or the
 * process is killed at it.
 *
 *   TACTUS_FAULT=KIND:N:fail|kill    KIND is write, rename, exchange, unlink, fsync, malloc or
 *                                    commit
 *   TACTUS_FAULT_COUNT=FILE          the number of calls of KIND is written there at the end
 *
 * Calls are counted over the process and the children that it forks, in one shared page: a campaign
 * with one worker makes the same calls in the same order each time. Writes are counted where they
 * reach the library: write and pwrite (SQLite, sockets, pipes) and fflush (what stdio has kept).
 * After the fault everything works again, so that cleaning up is tried too. */
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

static struct shared {
    atomic_ullong calls;
} * shared;
static char kind[16];
static unsigned long long at;
static bool kills;
static const char *count_file;
static pid_t first;

__attribute__((constructor)) static void read_settings(void)
{
    const char *text = getenv("TACTUS_FAULT");
    char how[8] = "";
    if (!text || sscanf(text, "%15[a-z]:%llu:%7s", kind, &at, how) < 2)
        return;
    kills = !strcmp(how, "kill");
    count_file = getenv("TACTUS_FAULT_COUNT");
    first = getpid();
    shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        shared = NULL;
}

__attribute__((destructor)) static void tell_count(void)
{
    if (!shared || !count_file || getpid() != first)
        return;
    char text[32];
    FILE *file = fopen(count_file, "w");
    snprintf(text, sizeof text, "%llu\n", atomic_load(&shared->calls));
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

/* Whether this call is the one that fails. */
static bool strikes(const char *of)
{
    if (!shared || strcmp(kind, of))
        return false;
    bool now = atomic_fetch_add(&shared->calls, 1) + 1 == at;
    if (now && kills)
        kill(getpid(), SIGKILL);
    return now;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int fd, const void *data, size_t size)
{
    if (strikes("write")) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(write)(fd, data, size);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t place)
{
    if (strikes("write")) {
        errno = ENOSPC;
        return -1;
    }
    return REAL(pwrite64)(fd, data, size, place);
}

int fflush(FILE *file)
{
    if (file && strikes("write")) {
        errno = ENOSPC;
        return EOF;
    }
    return REAL(fflush)(file);
}

int rename(const char *old, const char *new)
{
    if (strikes("rename")) {
        errno = EIO;
        return -1;
    }
    return REAL(rename)(old, new);
}

int linkat(int from, const char *old, int to, const char *new, int flags)
{
    if (strikes("rename")) {
        errno = EIO;
        return -1;
    }
    return REAL(linkat)(from, old, to, new, flags);
}

int renameat2(int from, const char *old, int to, const char *new, unsigned flags)
{
    if (strikes("exchange")) {
        errno = EIO;
        return -1;
    }
    return REAL(renameat2)(from, old, to, new, flags);
}

int unlinkat(int folder, const char *name, int flags)
{
    if (strikes("unlink")) {
        errno = EIO;
        return -1;
    }
    return REAL(unlinkat)(folder, name, flags);
}

int fsync(int fd)
{
    if (strikes("fsync")) {
        errno = EIO;
        return -1;
    }
    return REAL(fsync)(fd);
}

int fdatasync(int fd)
{
    if (strikes("fsync")) {
        errno = EIO;
        return -1;
    }
    return REAL(fdatasync)(fd);
}

void *malloc(size_t size)
{
    if (shared && strikes("malloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (shared && strikes("malloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    if (shared && strikes("malloc")) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(old, size);
}

struct sqlite3;
int sqlite3_exec(struct sqlite3 *index, const char *sql, int (*row)(void *, int, char **, char **),
                 void *context, char **error);
int sqlite3_exec(struct sqlite3 *index, const char *sql, int (*row)(void *, int, char **, char **),
                 void *context, char **error)
{
    enum { IOERR = 10 };
    if (sql && !strncmp(sql, "COMMIT", 6) && strikes("commit"))
        return IOERR;
    return REAL(sqlite3_exec)(index, sql, row, context, error);
}
