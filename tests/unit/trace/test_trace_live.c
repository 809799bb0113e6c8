/* Traces that grow while they are read: files that are appended to, pipes, interruption. */
#include "tactus_test.h"
#include "trace_support.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

struct slow_writer {
    const char *path;
    const char *const *pieces; /* ends with NULL */
    bool fifo;
};

static void *write_slowly(void *context)
{
    const struct slow_writer *writer = context;
    int file = open(writer->path, O_WRONLY | (writer->fifo ? 0 : O_APPEND));
    for (size_t i = 0; writer->pieces[i]; i++) {
        usleep(60000);
        if (write(file, writer->pieces[i], strlen(writer->pieces[i])) < 0)
            abort();
    }
    close(file);
    return NULL;
}

/* Sizes of the blocks as they came. */
static size_t read_blocks(const char *path, const tac_trace_options *options, size_t *sizes,
                          size_t most, tac_error *err)
{
    tac_trace_source *source;
    const tac_trace_block *block;
    size_t count = 0;
    *err = (tac_error){0};
    if (tac_trace_open(path, options, &source, err))
        return 0;
    while (!tac_trace_next(source, &block, err) && block && count < most)
        sizes[count++] = block->count;
    tac_trace_close(source);
    return count;
}

/* A line that arrives in two pieces is one line; each block has what was there. */
TEST(a_growing_file_is_followed_until_its_end_line)
{
    static const char *const pieces[] = {"{\"t\":1,\"x\":1}\n{\"t\":2,", "\"x\":2}\n",
                                         "{\"t\":3,\"x\":3}\n{\"t\":4}\n",
                                         "{\"end\":{\"states\":4}}\n", NULL};
    const char *path =
        test_write("live.jsonl", "{\"tactus\":\"trace\",\"version\":1,\"ends\":true}\n");
    struct slow_writer writer = {path, pieces, false};
    pthread_t thread;
    pthread_create(&thread, NULL, write_slowly, &writer);
    size_t sizes[8] = {0};
    tac_error err;
    tac_trace_options options = {.follow = true};
    size_t blocks = read_blocks(path, &options, sizes, 8, &err);
    pthread_join(thread, NULL);
    CHECK_EQ(err.status, TAC_OK);
    CHECK_EQ(blocks, 3);
    CHECK_EQ(sizes[0], 1);
    CHECK_EQ(sizes[1], 1);
    CHECK_EQ(sizes[2], 2);
}

TEST(an_empty_file_is_waited_for)
{
    static const char *const pieces[] = {"{\"t\":1}\n", "{\"end\":{\"states\":1}}\n", NULL};
    const char *path = test_write("later.jsonl", "");
    struct slow_writer writer = {path, pieces, false};
    pthread_t thread;
    pthread_create(&thread, NULL, write_slowly, &writer);
    size_t sizes[8];
    tac_error err;
    tac_trace_options options = {.follow = true};
    CHECK_EQ(read_blocks(path, &options, sizes, 8, &err), 1);
    CHECK_EQ(err.status, TAC_OK);
    pthread_join(thread, NULL);
}

/* A pipe ends when its writer closes it; until then states come as they are written. */
TEST(a_pipe_gives_states_as_they_come)
{
    static const char *const pieces[] = {"t,event,x\n1,a,", "2\n2,b,3\n", "3,c,4\n4,d,", "5\n",
                                         NULL};
    const char *path = test_temporary("pipe");
    REQUIRE(!mkfifo(path, 0600));
    struct slow_writer writer = {path, pieces, true};
    pthread_t thread;
    pthread_create(&thread, NULL, write_slowly, &writer);
    size_t sizes[8] = {0};
    tac_error err;
    size_t blocks = read_blocks(path, NULL, sizes, 8, &err);
    pthread_join(thread, NULL);
    CHECK_EQ(err.status, TAC_OK);
    CHECK_EQ(blocks, 3);
    CHECK_EQ(sizes[0] + sizes[1] + sizes[2], 4);
}

TEST(a_followed_binary_trace_is_read_in_whole_chunks)
{
    random_trace *trace = make_random_trace(21, 6000, true);
    const char *whole = test_temporary("whole.tacb"), *path = test_temporary("live.tacb");
    write_random_trace(trace, whole, "binary");
    static char bytes[1 << 20];
    FILE *file = fopen(whole, "r");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    file = fopen(path, "w");
    fwrite(bytes, 1, size / 2, file);
    fflush(file);
    tac_trace_source *source;
    tac_trace_options options = {.follow = true};
    REQUIRE(!tac_trace_open(path, &options, &source, NULL));
    fwrite(bytes + size / 2, 1, size - size / 2, file);
    fclose(file);
    const tac_trace_block *block;
    uint64_t states = 0;
    while (!tac_trace_next(source, &block, NULL) && block)
        states += block->count;
    CHECK_EQ(states, trace->states);
    tac_trace_close(source);
    free(trace);
}

struct impatient {
    tac_watch watch;
    int asked;
};

static bool stop_soon(tac_watch *watch, const char *what, uint64_t done, uint64_t total)
{
    (void)what, (void)done, (void)total;
    return ++((struct impatient *)watch)->asked < 3;
}

TEST(waiting_can_be_interrupted)
{
    struct impatient impatient = {.watch = {stop_soon}};
    tac_trace_options options = {.follow = true, .watch = &impatient.watch};
    size_t sizes[8];
    tac_error err;
    const char *path = test_write("stuck.csv", "t,x\n1,2\n");
    CHECK_EQ(read_blocks(path, &options, sizes, 8, &err), 1);
    CHECK_EQ(err.status, TAC_E_INTERRUPTED);
    CHECK_EQ(impatient.asked, 3);
    const char *pipe_path = test_temporary("stuck.pipe");
    REQUIRE(!mkfifo(pipe_path, 0600));
    int keep = open(pipe_path, O_RDWR);
    REQUIRE(write(keep, "t,x\n1,2\n", 8) == 8);
    impatient.asked = 0;
    CHECK_EQ(read_blocks(pipe_path, &options, sizes, 8, &err), 1);
    CHECK_EQ(err.status, TAC_E_INTERRUPTED);
    close(keep);
}
