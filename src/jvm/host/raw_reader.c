/* Records of all threads in their order, while they are written and after.
 *
 * Sequence numbers have no gaps but for a record that a thread is writing at this moment: what
 * comes after it waits. A process that was killed can leave such a gap for ever. The file is the
 * work of a process that may have gone wrong, so sizes are checked. */
#include "base/check.h"
#include "jvm/host/jvm.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool raw_reader_open(struct raw_reader *reader, const char *path)
{
    *reader = (struct raw_reader){.file = open(path, O_RDONLY | O_CLOEXEC)};
    return reader->file >= 0;
}

void raw_reader_close(struct raw_reader *reader)
{
    if (reader->map)
        munmap((void *)(uintptr_t)reader->map, reader->mapped);
    if (reader->file > 0)
        close(reader->file);
    tac_vec_free(&reader->read);
    tac_vec_free(&reader->waiting);
    *reader = (struct raw_reader){.file = -1};
}

void raw_reader_look(struct raw_reader *reader)
{
    struct stat info;
    if (fstat(reader->file, &info) || (size_t)info.st_size <= reader->mapped)
        return;
    if (reader->map)
        munmap((void *)(uintptr_t)reader->map, reader->mapped);
    void *map = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_SHARED, reader->file, 0);
    reader->map = map == MAP_FAILED ? NULL : map;
    reader->mapped = reader->map ? (size_t)info.st_size : 0;
}

const struct raw_header *raw_reader_header(const struct raw_reader *reader)
{
    const struct raw_header *header = (const struct raw_header *)(const void *)reader->map;
    return reader->mapped >= RAW_HEADER && !memcmp(header->magic, RAW_MAGIC, sizeof header->magic)
               ? header
               : NULL;
}

uint64_t raw_reader_sequence(struct raw_reader *reader)
{
    raw_reader_look(reader);
    const struct raw_header *header = raw_reader_header(reader);
    return header ? atomic_load_explicit(&header->sequence, memory_order_relaxed) : 0;
}

static const struct raw_record *record_at(const struct raw_reader *reader, uint32_t chunk,
                                          uint32_t at)
{
    const char *start = reader->map + RAW_HEADER + (size_t)chunk * RAW_CHUNK + 8;
    return (const struct raw_record *)(const void *)(start + at);
}

static void read_chunk(struct raw_reader *reader, uint32_t number)
{
    size_t start = RAW_HEADER + (size_t)number * RAW_CHUNK;
    if (start + RAW_CHUNK > reader->mapped)
        return;
    const struct raw_chunk *chunk = (const struct raw_chunk *)(const void *)(reader->map + start);
    uint32_t used = atomic_load_explicit(&chunk->used, memory_order_acquire);
    uint32_t *at = &reader->read.at[number];
    if (used > sizeof chunk->bytes) {
        reader->damaged++;
        return;
    }
    while (*at + sizeof(struct raw_record) <= used) {
        const struct raw_record *record = record_at(reader, number, *at);
        if (record->size < sizeof *record || record->size > used - *at || record->size % 8 ||
            record->text_size > record->size - sizeof *record) {
            reader->damaged++;
            *at = (uint32_t)sizeof chunk->bytes;
            return;
        }
        tac_vec_push(&reader->waiting, (struct raw_place){record->sequence, number, *at});
        *at += record->size;
    }
}

static int by_sequence(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void raw_reader_take(struct raw_reader *reader, bool all,
                     void (*take)(void *context, const struct raw_record *record), void *context)
{
    raw_reader_look(reader);
    const struct raw_header *header = raw_reader_header(reader);
    uint32_t chunks = header ? atomic_load(&header->chunks) : 0;
    if (chunks > RAW_MAX_CHUNKS)
        chunks = RAW_MAX_CHUNKS;
    size_t before = reader->waiting.count;
    for (uint32_t i = 0; i < chunks; i++) {
        if (i == reader->read.count)
            tac_vec_push(&reader->read, 0);
        read_chunk(reader, i);
    }
    if (reader->waiting.count > before)
        qsort(reader->waiting.at, reader->waiting.count, sizeof *reader->waiting.at, by_sequence);
    size_t taken = 0;
    while (taken < reader->waiting.count &&
           (all || reader->waiting.at[taken].sequence == reader->next)) {
        assert(reader->waiting.at[taken].chunk < reader->read.count);
        reader->next = reader->waiting.at[taken].sequence + 1;
        take(context,
             record_at(reader, reader->waiting.at[taken].chunk, reader->waiting.at[taken].at));
        taken++;
    }
    reader->waiting.count -= taken;
    if (taken)
        memmove(reader->waiting.at, reader->waiting.at + taken,
                reader->waiting.count * sizeof *reader->waiting.at);
}
