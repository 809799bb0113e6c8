/* The agent's log, read while it is written: order over threads, gaps, damage. */
#include "jvm/host/jvm.h"
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

/* A record that stands alone. */
struct one_record {
    _Alignas(struct raw_record) char bytes[sizeof(struct raw_record) + 256];
};

static const struct raw_record *record_of(struct one_record *one, enum raw_kind kind,
                                          uint32_t probe, const void *bytes, size_t size)
{
    struct raw_record *record = (struct raw_record *)(void *)one->bytes;
    *one = (struct one_record){0};
    record->kind = (uint16_t)kind;
    record->thread = 2;
    record->probe = probe;
    record->text_size = (uint32_t)size;
    memcpy(record->text, bytes, size);
    return record;
}

static void define_text(struct jvm_messages *m, enum raw_kind kind, uint32_t number,
                        const char *text)
{
    struct one_record one;
    CHECK(jvm_messages_define(m, record_of(&one, kind, number, text, strlen(text))));
}

TEST(a_call_in_is_a_line_of_a_recording)
{
    struct jvm_messages m = {0};
    struct one_record one;
    tac_str text = {0};
    struct {
        struct raw_callin head;
        struct raw_value_head object, integer, string;
        char quoted[8];
        struct raw_value_head real, null;
    } call = {.head = {4, 5},
              .object = {.kind = RAW_OBJECT, .more = 1, .integer = 17},
              .integer = {.kind = RAW_INTEGER, .integer = -5},
              .string = {.kind = RAW_TEXT, .more = 4},
              .quoted = "\"ab\"",
              .real = {.kind = RAW_REAL, .real = 0.5},
              .null = {.kind = RAW_NULL}};
    CHECK(!jvm_message_text(&m, record_of(&one, RAW_CALLIN, 3, &call, sizeof call), true, &text));
    define_text(&m, RAW_HEAD, 4, "\"class\":\"a.B\"");
    define_text(&m, RAW_TYPE, 1, "\"type\":\"a.C\"");
    define_text(&m, RAW_PLACE, 3, "\"caller\":\"B.java\"");
    tac_str_clear(&text);
    CHECK(jvm_message_text(&m, record_of(&one, RAW_CALLIN, 3, &call, sizeof call), true, &text));
    CHECK(!strcmp(tac_str_text(&text),
                  "{\"type\":\"callin_entry\",\"class\":\"a.B\",\"params\":[{\"object\":\"17\","
                  "\"type\":\"a.C\"},-5,\"ab\",0.5,null],\"caller\":\"B.java\",\"ui\":true,"
                  "\"thread\":2}"));
    tac_str_clear(&text);
    CHECK(jvm_message_text(&m, record_of(&one, RAW_RETURN, 3, "", 0), false, &text));
    CHECK(!strcmp(tac_str_text(&text), "{\"type\":\"callin_exit\",\"ui\":false,\"thread\":2}"));
    for (size_t size = 0; size < sizeof call; size++) /* cut anywhere, it is refused */
        CHECK(!jvm_message_text(&m, record_of(&one, RAW_CALLIN, 3, &call, size), true, &text));
    jvm_messages_free(&m);
    tac_str_free(&text);
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
