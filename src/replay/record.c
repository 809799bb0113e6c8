/* From a running app to a recording: a first line that says what recorded it, then every message.
 *
 * {"type": "app", "recorder": {"name", "version", "subject", "rules", "seed", "unseen", ...}} is
 * written first, with room that is filled in at the end. Failures stand between the messages as
 * {"type": "app", "failure": {...}}: readers skip them, replay takes them as what also happens in
 * the recorded order. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "replay/subject.h"
#include "tactus/flow_file.h"
#include "tactus/version.h"
#include <string.h>

#define MOST_BYTES ((size_t)2 << 30) /* of a recording; what is beyond is counted */

/* What a thread is in the middle of. */
struct open_calls {
    TAC_VEC(char) kinds; /* 'b' callback, 'i' call-in; the outermost first */
    bool ui;
};

struct recording_writer {
    FILE *file;
    tac_record_facts *facts;
    size_t bytes;
    TAC_VEC(struct open_calls) threads;
    size_t open;        /* of all threads */
    bool ends_anywhere; /* else a recording ends after whole callbacks */
    bool has_machine;
    struct subject_machine machine;
};

enum { MOST_THREADS = 100000 }; /* beyond, threads count as one */

static struct open_calls *calls_of(struct recording_writer *w, json_int_t thread)
{
    size_t at = thread > 0 && thread < MOST_THREADS ? (size_t)thread : 0;
    while (w->threads.count <= at)
        tac_vec_push(&w->threads, (struct open_calls){0});
    return &w->threads.at[at];
}

static void write_text(struct recording_writer *w, const char *text, size_t length)
{
    fwrite(text, 1, length, w->file);
    fputc('\n', w->file);
    w->bytes += length + 1;
}

static void write_line(struct recording_writer *w, const json_t *line)
{
    char *text = tac_json_text(line, JSON_COMPACT);
    write_text(w, text, strlen(text));
    free(text);
}

/* Counts a message; false when it is beyond the limit. */
static bool is_kept(struct recording_writer *w, json_int_t thread, bool entry, bool callback,
                    bool ui)
{
    struct open_calls *calls = calls_of(w, thread);
    if (w->bytes > MOST_BYTES && (w->open == 0 || w->ends_anywhere)) {
        w->facts->dropped++;
        return false;
    }
    w->facts->messages++;
    w->facts->callbacks += entry && callback && calls->kinds.count == 0;
    calls->ui = ui;
    if (entry) {
        tac_vec_push(&calls->kinds, callback ? 'b' : 'i');
        w->open++;
    } else if (calls->kinds.count) {
        calls->kinds.count--;
        w->open--;
    }
    return true;
}

static void take_message(void *context, const json_t *message)
{
    struct recording_writer *w = context;
    const char *type = json_string_value(json_object_get(message, "type"));
    if (!type)
        return;
    bool entry = tac_ends_with(type, "_entry"), top = !strncmp(type, "callback", 8);
    if (is_kept(w, json_integer_value(json_object_get(message, "thread")), entry, top,
                !json_is_false(json_object_get(message, "ui"))))
        write_line(w, message);
}

static void take_text(void *context, const struct subject_text *message)
{
    struct recording_writer *w = context;
    if (is_kept(w, message->thread, message->entry, false, message->ui))
        write_text(w, message->line, message->length);
}

static void take_failure(void *context, const struct subject_failure *failure)
{
    static const char *const kinds[] = {[FAILURE_UNCAUGHT] = "uncaught",
                                        [FAILURE_REJECTION] = "rejection",
                                        [FAILURE_REPORTED] = "reported"};
    TABLE_COVERS(kinds, FAILURE_REPORTED);
    struct recording_writer *w = context;
    w->facts->failures++;
    json_t *line = json_pack("{s:s,s:{s:s,s:o,s:o}}", "type", "app", "failure", "kind",
                             kinds[failure->kind], "type", tac_json_string(failure->type),
                             "message", tac_json_string(failure->message));
    write_line(w, line);
    json_decref(line);
}

static void take_unseen(void *context, const char *what)
{
    tac_record_facts *facts = ((struct recording_writer *)context)->facts;
    for (size_t i = 0; i < facts->unseen_count; i++)
        if (!strcmp(facts->unseen[i], what))
            return;
    facts->unseen = tac_realloc(facts->unseen, facts->unseen_count + 1, sizeof *facts->unseen);
    facts->unseen[facts->unseen_count++] = tac_strdup(what);
}

static void take_dropped(void *context, size_t messages)
{
    ((struct recording_writer *)context)->facts->dropped += messages;
}

static void take_note(void *context, const char *text)
{
    tac_record_facts *facts = ((struct recording_writer *)context)->facts;
    if (!facts->note)
        facts->note = tac_strdup(text);
}

static void take_step(void *context)
{
    ((struct recording_writer *)context)->facts->steps++;
}

static void take_machine(void *context, const struct subject_machine *machine)
{
    struct recording_writer *w = context;
    w->machine = *machine;
    w->has_machine = true;
}

/* Calls in the middle of which the program ended: they end, in nothing that the program did. */
static void end_open_calls(struct recording_writer *w)
{
    size_t ended = w->open;
    for (size_t i = 0; i < w->threads.count; i++)
        for (struct open_calls *calls = &w->threads.at[i]; calls->kinds.count;) {
            bool callback = calls->kinds.at[--calls->kinds.count] == 'b';
            json_t *line = json_pack(
                "{s:s,s:s,s:b,s:I}", "type", callback ? "callback_exception" : "callin_exception",
                "exception", "tactus.ProgramEnded", "ui", calls->ui, "thread", (json_int_t)i);
            w->facts->messages++;
            write_line(w, line);
            json_decref(line);
        }
    if (ended) {
        char *text = tac_format("the ends of %zu call%s that the program was in when it ended",
                                ended, ended == 1 ? "" : "s");
        take_unseen(w, text);
        free(text);
    }
}

static void writer_free(struct recording_writer *w)
{
    for (size_t i = 0; i < w->threads.count; i++)
        tac_vec_free(&w->threads.at[i].kinds);
    tac_vec_free(&w->threads);
}

/* A last line with what only the end knows; readers skip it like the first. */
static void write_end(struct recording_writer *w)
{
    json_t *unseen = json_array();
    for (size_t i = 0; i < w->facts->unseen_count; i++)
        json_array_append_new(unseen, tac_json_string(w->facts->unseen[i]));
    json_t *line = json_pack("{s:s,s:{s:o,s:I,s:o}}", "type", "app", "recorder", "unseen", unseen,
                             "dropped", (json_int_t)w->facts->dropped, "note",
                             w->facts->note ? tac_json_string(w->facts->note) : json_null());
    const struct subject_machine *m = &w->machine;
    if (w->has_machine)
        json_object_set_new(json_object_get(line, "recorder"), "machine",
                            json_pack("{s:i,s:i,s:i,s:i,s:i}", "classes", (int)m->classes,
                                      "rewritten", (int)m->rewritten, "methods", (int)m->methods,
                                      "calls", (int)m->calls, "left_alone", (int)m->left_alone));
    write_line(w, line);
    json_decref(line);
}

static void write_start(struct recording_writer *w, const tac_subject *subject,
                        const char *rules_name)
{
    json_t *line = json_pack("{s:s,s:{s:s,s:s,s:o,s:o,s:I}}", "type", "app", "recorder", "name",
                             subject->driver->recorder, "version", TACTUS_VERSION, "subject",
                             tac_json_string(subject->name), "rules",
                             rules_name ? tac_json_string(rules_name) : json_null(), "seed",
                             (json_int_t)w->facts->seed);
    if (subject->mode)
        json_object_set_new(json_object_get(line, "recorder"), "mode", json_string(subject->mode));
    write_line(w, line);
    json_decref(line);
}

static tac_status record_run(tac_subject *subject, const tac_driving *driving, uint64_t number,
                             const char *rules_name, tac_record_facts *facts, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, facts->file, err);
    if (status != TAC_OK)
        return status;
    struct recording_writer writer = {
        .file = output.file, .facts = facts, .ends_anywhere = subject->driver->ends_anywhere};
    struct subject_log log = {.context = &writer,
                              .message = take_message,
                              .text = take_text,
                              .failure = take_failure,
                              .unseen = take_unseen,
                              .dropped = take_dropped,
                              .note = take_note,
                              .step = take_step,
                              .machine = take_machine};
    tac_error ignored;
    write_start(&writer, subject, rules_name);
    status = subject->driver->start(subject->state, SUBJECT_OBSERVE, facts->seed, &log, err);
    bool started = status == TAC_OK;
    if (status == TAC_OK)
        status = subject->driver->drive(subject->state, driving,
                                        driving->flows ? number : facts->seed, err);
    if (started && status == TAC_E_DEVICE) { /* it stopped answering: what it told is kept */
        take_note(&writer, err ? err->message : "the app stopped answering");
        status = TAC_OK;
    }
    tac_status stopped = subject->driver->stop(subject->state, status == TAC_OK ? err : &ignored);
    if (status == TAC_OK)
        status = stopped;
    if (status == TAC_OK && subject->driver->ends_anywhere)
        end_open_calls(&writer);
    if (status == TAC_OK)
        write_end(&writer);
    writer_free(&writer);
    return tac_output_close(&output, status, err);
}

/* "dir/rec-2.jsonl" of "dir/rec.jsonl". */
static char *name_of(const char *path, size_t number)
{
    const char *base = tac_base_name(path), *dot = strrchr(base, '.');
    if (number == 1)
        return tac_strdup(path);
    size_t stem = dot && dot > base ? (size_t)(dot - path) : strlen(path);
    return tac_format("%.*s-%zu%s", (int)stem, path, number, path + stem);
}

static tac_status count_flows(const char *path, size_t *count, tac_error *err)
{
    tac_flow_file *file = NULL;
    const tac_flow *flow = NULL;
    tac_status status = tac_flow_file_open(path, &file, err);
    *count = 0;
    while (status == TAC_OK) {
        status = tac_flow_file_next(file, &flow, err);
        if (status != TAC_OK || !flow)
            break;
        ++*count;
    }
    tac_flow_file_close(file);
    if (status == TAC_OK && !*count)
        status = tac_fail(err, TAC_E_INPUT, "%s has no flow", path);
    return status;
}

tac_status tac_replay_record(tac_subject *subject, const tac_driving *driving, const char *path,
                             const char *rules_name, tac_record_facts **facts, size_t *count,
                             tac_error *err)
{
    size_t runs = driving->runs ? driving->runs : 1;
    tac_status status = driving->flows ? count_flows(driving->flows, &runs, err) : TAC_OK;
    tac_record_facts *list = tac_calloc(runs + 1, sizeof *list);
    size_t made = 0;
    for (size_t i = 0; i < runs && status == TAC_OK; i++) {
        if (!tac_watch_tick(driving->watch, "recording", i, runs)) {
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
            break;
        }
        list[i].file = name_of(path, i + 1);
        list[i].seed = driving->seed + i;
        made = i + 1;
        status = record_run(subject, driving, i, rules_name, &list[i], err);
    }
    if (status != TAC_OK) {
        tac_record_facts_free(list, made);
        return status;
    }
    *facts = list;
    *count = made;
    return TAC_OK;
}

void tac_record_facts_free(tac_record_facts *facts, size_t count)
{
    for (size_t i = 0; facts && i < count; i++) {
        free(facts[i].file);
        free(facts[i].note);
        for (size_t j = 0; j < facts[i].unseen_count; j++)
            free(facts[i].unseen[j]);
        free(facts[i].unseen);
    }
    free(facts);
}
