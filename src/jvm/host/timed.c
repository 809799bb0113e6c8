/* Entries and exits of methods as a trace. The records of a thread are in order and times never
 * run backwards by more than the order of two threads: states are written in the order of their
 * sequence, each at the time of its record or of the one before it, whichever is later. */
#include "jvm/host/jvm.h"
#include "tactus/trace.h"
#include <string.h>
#include <sys/wait.h>

struct timed_job {
    tac_trace_writer *writer;
    size_t event, method, thread;
    TAC_VEC(char *) names; /* per probe: "com.x.Player.play(I)V", or NULL */
    uint64_t states, methods;
    int64_t last;
    uint64_t base_monotonic;
    tac_status status;
    tac_error *err;
    tac_str scratch;
};

static void add_name(struct timed_job *job, const struct raw_record *record)
{
    while (job->names.count <= record->probe && record->probe < 1u << 24)
        tac_vec_push(&job->names, NULL);
    if (record->probe >= job->names.count || job->names.at[record->probe])
        return;
    job->names.at[record->probe] = tac_strndup(record->text, record->text_size);
    job->methods++;
}

/* "Player.play" of "com.x.Player.play(I)V", also of a class Player inside another. */
static void short_name(const char *full, tac_str *out)
{
    size_t length = strcspn(full, "(");
    const char *start = full, *next = full;
    for (const char *p = full; p < full + length; p++)
        if (*p == '.') {
            start = next;
            next = p + 1;
        } else if (*p == '$' && ((p[1] | 32) >= 'a' && (p[1] | 32) <= 'z')) {
            next = p + 1;
        }
    tac_str_add_bytes(out, start, (size_t)(full + length - start));
}

static void take_record(void *context, const struct raw_record *record)
{
    struct timed_job *job = context;
    char thread[24];
    if (record->kind == RAW_METHOD) {
        add_name(job, record);
        return;
    }
    bool enter = record->kind == RAW_ENTER;
    if ((!enter && record->kind != RAW_LEAVE) || job->status != TAC_OK ||
        record->probe >= job->names.count || !job->names.at[record->probe])
        return;
    int64_t time = (int64_t)(record->time - job->base_monotonic);
    if (time < job->last)
        time = job->last;
    job->last = time;
    tac_str_clear(&job->scratch);
    tac_str_add(&job->scratch, enter ? "enter:" : "exit:");
    short_name(job->names.at[record->probe], &job->scratch);
    snprintf(thread, sizeof thread, "%u", record->thread);
    tac_trace_writer_begin(job->writer, time);
    tac_trace_writer_symbol(job->writer, job->event, tac_str_text(&job->scratch));
    tac_trace_writer_symbol(job->writer, job->method, job->names.at[record->probe]);
    tac_trace_writer_symbol(job->writer, job->thread, thread);
    job->status = tac_trace_writer_end(job->writer, job->err);
    job->states++;
}

static struct jvm_recorded describe(const struct timed_job *job, const struct jvm_process *p)
{
    const struct raw_header *h = raw_reader_header(&p->reader);
    int status = p->exit_status;
    return (struct jvm_recorded){.states = job->states,
                                 .methods = job->methods,
                                 .lost = atomic_load(&h->lost) + p->reader.damaged,
                                 .classes = atomic_load(&h->classes),
                                 .rewritten = atomic_load(&h->rewritten),
                                 .left_alone = atomic_load(&h->left_alone),
                                 .exit_code = WIFEXITED(status) ? WEXITSTATUS(status)
                                                                : 128 + WTERMSIG(status),
                                 .ended_in_order = atomic_load(&h->ended) != 0};
}

static const struct field jvm_recorded_fields[] = {FIELDS(struct jvm_recorded, states, methods,
                                                          lost, classes, rewritten, left_alone,
                                                          exit_code, ended_in_order)};
DESCRIBE(jvm_recorded, struct jvm_recorded);

static tac_status wait_for_end(struct jvm_process *p, tac_watch *watch, tac_error *err)
{
    while (!jvm_wait(p, 0.05))
        if (!tac_watch_tick(watch, "recording", 0, 0))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
    return TAC_OK;
}

static tac_status write_trace(struct timed_job *job, struct jvm_process *p, const char *format,
                              FILE *out, tac_error *err)
{
    static const tac_trace_variable event = {.name = "event", .kind = TAC_DISCRETE},
                                    method = {.name = "method", .kind = TAC_DISCRETE},
                                    thread = {.name = "thread", .kind = TAC_DISCRETE};
    tac_status status = tac_trace_writer_new(out, format, NULL, &job->writer, err);
    if (status != TAC_OK)
        return status;
    const struct raw_header *header = raw_reader_header(&p->reader);
    job->base_monotonic = header->monotonic_time;
    job->event = tac_trace_writer_variable(job->writer, &event);
    job->method = tac_trace_writer_variable(job->writer, &method);
    job->thread = tac_trace_writer_variable(job->writer, &thread);
    job->err = err;
    raw_reader_take(&p->reader, true, take_record, job);
    tac_error late;
    status = tac_trace_writer_finish(job->writer, NULL, job->status == TAC_OK ? err : &late);
    return job->status != TAC_OK ? job->status : status;
}

tac_status tac_jvm_record_methods(const struct jvm_order *order, const char *format, FILE *out,
                                  bool quiet_output, tac_watch *watch, struct jvm_recorded *result,
                                  tac_error *err)
{
    struct jvm_process process;
    struct timed_job job = {0};
    tac_status status = jvm_start(order, quiet_output, &process, err);
    if (status != TAC_OK)
        return status;
    status = wait_for_end(&process, watch, err);
    if (status == TAC_OK) {
        raw_reader_look(&process.reader);
        status = jvm_check_attached(&process, order->words[0], err);
    }
    if (status == TAC_OK)
        status = write_trace(&job, &process, format, out, err);
    if (status == TAC_OK)
        *result = describe(&job, &process);
    for (size_t i = 0; i < job.names.count; i++)
        free(job.names.at[i]);
    tac_vec_free(&job.names);
    tac_str_free(&job.scratch);
    jvm_stop(&process);
    return status;
}
