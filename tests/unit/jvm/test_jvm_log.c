/* The agent's log, read while it is written: order over threads, gaps, damage. */
#include "jvm/jvm.h"
#include "tactus_test.h"
#include <sys/mman.h>
#include <unistd.h>

struct written_log {
    int file;
    char *map;
};

static struct written_log make_log(uint32_t chunks)
{
    size_t size = RAW_HEADER + (size_t)chunks * RAW_CHUNK;
    struct written_log log = {.file = memfd_create("log", MFD_CLOEXEC)};
    if (ftruncate(log.file, (off_t)size))
        abort();
    log.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, log.file, 0);
    struct raw_header *header = (struct raw_header *)(void *)log.map;
    memcpy(header->magic, RAW_MAGIC, 8);
    header->chunks = chunks;
    return log;
}

static void append(struct written_log *log, uint32_t chunk, uint64_t sequence)
{
    struct raw_chunk *c =
        (struct raw_chunk *)(void *)(log->map + RAW_HEADER + (size_t)chunk * RAW_CHUNK);
    struct raw_record *r = (struct raw_record *)(void *)(c->bytes + c->used);
    *r = (struct raw_record){.size = sizeof *r, .kind = RAW_ENTER, .sequence = sequence};
    c->used += (uint32_t)sizeof *r;
}

struct seen {
    uint64_t at[16];
    size_t count;
};

static void see(void *context, const struct raw_record *record)
{
    struct seen *seen = context;
    if (seen->count < 16)
        seen->at[seen->count++] = record->sequence;
}

TEST(records_of_two_threads_come_in_order)
{
    struct written_log log = make_log(2);
    struct raw_reader reader = {.file = log.file};
    struct seen seen = {0};
    append(&log, 0, 1);
    append(&log, 1, 0);
    append(&log, 0, 2);
    raw_reader_take(&reader, false, see, &seen);
    CHECK_EQ(seen.count, 3);
    for (size_t i = 0; i < seen.count; i++)
        CHECK_EQ(seen.at[i], i);
    append(&log, 1, 3);
    raw_reader_take(&reader, false, see, &seen);
    CHECK_EQ(seen.count, 4);
    raw_reader_close(&reader);
}

TEST(what_follows_an_unfinished_record_waits)
{
    struct written_log log = make_log(2);
    struct raw_reader reader = {.file = log.file};
    struct seen seen = {0};
    append(&log, 0, 0);
    append(&log, 0, 2);
    raw_reader_take(&reader, false, see, &seen);
    CHECK_EQ(seen.count, 1);
    append(&log, 1, 1);
    raw_reader_take(&reader, false, see, &seen);
    CHECK_EQ(seen.count, 3);
    append(&log, 1, 5); /* 3 and 4 will never come: the process was killed */
    raw_reader_take(&reader, false, see, &seen);
    CHECK_EQ(seen.count, 3);
    raw_reader_take(&reader, true, see, &seen);
    CHECK_EQ(seen.count, 4);
    CHECK_EQ(seen.at[3], 5);
    raw_reader_close(&reader);
}

TEST(damage_is_counted_and_does_no_harm)
{
    struct written_log log = make_log(1);
    struct raw_reader reader = {.file = log.file};
    struct seen seen = {0};
    append(&log, 0, 0);
    append(&log, 0, 1);
    struct raw_chunk *c = (struct raw_chunk *)(void *)(log.map + RAW_HEADER);
    ((struct raw_record *)(void *)(c->bytes + sizeof(struct raw_record)))->size = 1u << 30;
    raw_reader_take(&reader, true, see, &seen);
    CHECK_EQ(seen.count, 1);
    CHECK_EQ(reader.damaged, 1);
    raw_reader_close(&reader);
}

TEST(a_plan_has_descriptors)
{
    tac_str text = {0};
    struct jvm_method in = {"java.util.Timer", "schedule", "java.util.TimerTask,long"};
    struct jvm_method array = {"a.B", "c", "java.lang.Object[], int[][]"};
    struct jvm_order order = {.border = true,
                              .callins = &in,
                              .callin_count = 1,
                              .callbacks = &array,
                              .callback_count = 1};
    jvm_plan_write(&order, "/log", NULL, &text);
    CHECK(!strcmp(tac_str_text(&text), "log\t/log\nborder\n"
                                       "callback\ta.B\tc\t([Ljava/lang/Object;[[I)\n"
                                       "callin\tjava.util.Timer\tschedule\t(Ljava/util/TimerTask;J)"
                                       "\n"));
    tac_str_free(&text);
}
