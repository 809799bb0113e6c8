/* Programs as subjects: Java programs with the agent in their virtual machine (src/jvm).
 *
 * What is watched comes from the rules: the callbacks and call-ins that they name. Held, the
 * program's top-level callbacks wait at their entry; a step lets the one with its label go. The
 * user's events are given to AWT by the agent. A callback that the program waits for, although no
 * step names it, is let go after a while and told. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "jvm/jvm.h"
#include "protocol/system/problem.h"
#include "replay/subject.h"
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define STALL 1.0       /* seconds without any news: it waits for something */
#define START_TIME 20.0 /* seconds for a virtual machine to reach its first callback */

struct java_program {
    char **words;
    size_t word_count;
    struct jvm_process process;
    bool running;
    const struct subject_log *log;
    TAC_VEC(char *) held;     /* labels that wait, the oldest first */
    TAC_VEC(char *) done;     /* labels that ended since they were last asked for */
    TAC_VEC(char *) released; /* labels that were let go */
    TAC_VEC(struct jvm_method) callbacks, callins;
    tac_names texts;       /* owns the names of the methods */
    size_t news;           /* records and lines so far */
    uint32_t event_thread; /* counts as the event thread; 0 = not known yet */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void tell_failure(struct java_program *p, const json_t *body)
{
    tac_str stack = {0};
    size_t i;
    json_t *frame;
    json_array_foreach(json_object_get(body, "stack"), i, frame)
    {
        tac_str_addf(&stack, "%s%s", i ? "\n" : "", json_string_value(frame));
    }
    const char *type = json_string_value(json_object_get(body, "exception"));
    const char *message = json_string_value(json_object_get(body, "message"));
    struct subject_failure failure = {.kind = FAILURE_UNCAUGHT,
                                      .type = type ? type : "",
                                      .message = message ? message : "",
                                      .stack = tac_str_text(&stack)};
    p->log->failure(p->log->context, &failure);
    tac_str_free(&stack);
}

static void tell_record(void *context, const struct raw_record *record)
{
    struct java_program *p = context;
    p->news++;
    if (record->kind == RAW_UNSEEN) {
        char *text = tac_strndup(record->text, record->text_size);
        p->log->unseen(p->log->context, text);
        free(text);
        return;
    }
    if (record->kind != RAW_MESSAGE && record->kind != RAW_FAILURE)
        return;
    json_t *body = json_loadb(record->text, record->text_size, 0, NULL);
    if (!json_is_object(body)) {
        p->log->dropped(p->log->context, 1);
    } else if (record->kind == RAW_FAILURE) {
        tell_failure(p, body);
    } else {
        if (!p->event_thread)
            p->event_thread = record->thread;
        bool main = !atomic_load(&raw_reader_header(&p->process.reader)->awt) &&
                    record->thread == p->event_thread;
        json_object_set_new(body, "ui", json_boolean(record->ui || main));
        json_object_set_new(body, "thread", json_integer(record->thread));
        p->log->message(p->log->context, body);
    }
    json_decref(body);
}

static void pump(struct java_program *p)
{
    raw_reader_take(&p->process.reader, p->process.ended, tell_record, p);
}

static void forget(char **list, size_t *count, size_t at)
{
    free(list[at]);
    memmove(list + at, list + at + 1, (--*count - at) * sizeof *list);
}

/* One line of the agent, if one comes within this time. */
static bool listen_once(struct java_program *p, double seconds)
{
    char *line = jvm_hear(&p->process, seconds);
    if (!line)
        return false;
    p->news++;
    if (!strncmp(line, "held ", 5))
        tac_vec_push(&p->held, tac_strdup(line + 5));
    else if (!strncmp(line, "done ", 5))
        tac_vec_push(&p->done, tac_strdup(line + 5));
    free(line);
    return true;
}

static tac_status program_stop(void *state, tac_error *err)
{
    (void)err;
    struct java_program *p = state;
    if (!p->running)
        return TAC_OK;
    pump(p);
    jvm_stop(&p->process);
    p->running = false;
    while (p->held.count)
        forget(p->held.at, &p->held.count, 0);
    while (p->done.count)
        forget(p->done.at, &p->done.count, 0);
    while (p->released.count)
        forget(p->released.at, &p->released.count, 0);
    return TAC_OK;
}

static tac_status program_start(void *state, enum subject_mode mode, uint64_t seed,
                                const struct subject_log *log, tac_error *err)
{
    (void)seed;
    struct java_program *p = state;
    program_stop(p, err);
    struct jvm_order order = {.words = (const char *const *)p->words,
                              .word_count = p->word_count,
                              .callbacks = p->callbacks.at,
                              .callback_count = p->callbacks.count,
                              .callins = p->callins.at,
                              .callin_count = p->callins.count,
                              .border = true,
                              .link = true,
                              .hold = mode == SUBJECT_HELD};
    p->log = log;
    p->event_thread = 0;
    tac_status status = jvm_start(&order, true, &p->process, err);
    if (status != TAC_OK)
        return status;
    p->running = true;
    double end = now() + START_TIME;
    while (mode == SUBJECT_HELD && !p->held.count && now() < end && !jvm_wait(&p->process, 0))
        listen_once(p, 0.05);
    pump(p);
    if (mode == SUBJECT_HELD && !p->held.count)
        status = jvm_check_attached(&p->process, p->words[0], err);
    return status;
}

static void note_end(struct java_program *p)
{
    int status = p->process.exit_status;
    char text[120];
    if (WIFSIGNALED(status))
        snprintf(text, sizeof text, "the program was ended by signal %d", WTERMSIG(status));
    else
        snprintf(text, sizeof text, "the program ended with exit code %d", WEXITSTATUS(status));
    if (WIFSIGNALED(status) || WEXITSTATUS(status))
        p->log->note(p->log->context, text);
}

static void click_something(struct java_program *p, uint64_t seed)
{
    char line[40];
    snprintf(line, sizeof line, "random %llu", (unsigned long long)(seed & INT64_MAX));
    if (jvm_say(&p->process, line))
        p->log->step(p->log->context);
}

static tac_status program_drive(void *state, const tac_driving *how, uint64_t seed, tac_error *err)
{
    struct java_program *p = state;
    double end = now() + (how->budget > 0 ? how->budget : 20), click = now() + 1;
    uint32_t clicks = 0;
    while (!jvm_wait(&p->process, 0.01) && now() < end) {
        if (!tac_watch_tick(how->watch, "recording", clicks, how->steps))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
        listen_once(p, 0.01);
        if (how->steps && clicks < how->steps && now() > click) {
            click_something(p, seed * 1000003 + clicks++);
            click = now() + 0.2;
        }
    }
    pump(p); /* not before: only now it is known whether AWT has an event thread */
    if (p->process.ended)
        note_end(p);
    else
        p->log->note(p->log->context, "the time was over before the program ended");
    return jvm_check_attached(&p->process, p->words[0], err);
}

/* "run Main.java:12" of "run Main.java:12 #2". */
static size_t base_length(const char *label)
{
    const char *hash = strrchr(label, '#');
    return hash && hash > label ? (size_t)(hash - label) : strlen(label);
}

/* Which of those that wait the step means. The user's events, and what a step before has had
 * already, come with other ordinals. */
static size_t find_held(const struct java_program *p, const struct subject_step *step, bool user)
{
    for (size_t i = 0; i < p->released.count; i++)
        user = user || !strcmp(p->released.at[i], step->label);
    for (size_t i = 0; i < p->held.count; i++)
        if (!strcmp(p->held.at[i], step->label) ||
            (user && base_length(p->held.at[i]) == base_length(step->label) &&
             !strncmp(p->held.at[i], step->label, base_length(step->label))))
            return i;
    return SIZE_MAX;
}

/* Lets the callback go, and waits until it ended or waits for something itself. */
static void release(struct java_program *p, size_t at, double deadline)
{
    char *label = p->held.at[at];
    char *line = tac_format("release %s", label);
    p->held.at[at] = NULL;
    forget(p->held.at, &p->held.count, at);
    jvm_say(&p->process, line);
    free(line);
    size_t seen = p->news;
    double quiet = now() + STALL, end = now() + deadline;
    bool done = false;
    while (!done && now() < quiet && now() < end && !jvm_wait(&p->process, 0)) {
        listen_once(p, 0.02);
        pump(p);
        for (size_t i = 0; i < p->done.count && !done; i++)
            if (!strcmp(p->done.at[i], label)) {
                forget(p->done.at, &p->done.count, i);
                done = true;
            }
        if (p->news != seen)
            quiet = now() + STALL;
        seen = p->news;
    }
    pump(p);
    tac_vec_push(&p->released, label);
}

static char *why_absent(const struct java_program *p)
{
    tac_str text = {0};
    tac_str_add(&text,
                p->process.ended ? "the program ended before" : "the program did not ask for it");
    for (size_t i = 0; i < p->held.count; i++)
        tac_str_addf(&text, "%s%s", i ? ", " : "; waiting: ", p->held.at[i]);
    return tac_str_take(&text);
}

static tac_status program_perform(void *state, const struct subject_step *step,
                                  struct step_outcome *out, tac_error *err)
{
    (void)err;
    struct java_program *p = state;
    *out = (struct step_outcome){.end = STEP_ABSENT, .callback = SIZE_MAX};
    const char *click =
        json_string_value(json_object_get(json_object_get(step->entry, "by"), "click"));
    double end = now() + step->deadline, quiet = now() + STALL;
    tac_str besides = {0};
    bool posted = false;
    while (now() < end) {
        size_t at = find_held(p, step, click != NULL);
        if (at != SIZE_MAX) {
            release(p, at, step->deadline);
            out->end = STEP_DONE;
            break;
        }
        if (click && !posted) {
            char *line = tac_format("post %s", click);
            posted = jvm_say(&p->process, line);
            free(line);
        }
        if (listen_once(p, 0.02))
            quiet = now() + STALL;
        pump(p);
        if (jvm_wait(&p->process, 0))
            break;
        if (now() > quiet && p->held.count) { /* it cannot go on without the oldest */
            tac_str_addf(&besides, "%s\n", p->held.at[0]);
            release(p, 0, STALL);
            quiet = now() + STALL;
        }
    }
    if (out->end != STEP_DONE)
        out->why = why_absent(p);
    out->besides = besides.length ? tac_str_take(&besides) : NULL;
    tac_str_free(&besides);
    return TAC_OK;
}

static tac_status program_let_go(void *state, double seconds, tac_error *err)
{
    (void)err;
    struct java_program *p = state;
    jvm_say(&p->process, "free");
    for (double end = now() + seconds; now() < end && !jvm_wait(&p->process, 0.02);) {
        listen_once(p, 0.01);
        pump(p);
    }
    pump(p);
    return TAC_OK;
}

static void program_free(void *state)
{
    struct java_program *p = state;
    if (p->running)
        jvm_stop(&p->process);
    for (size_t i = 0; i < p->word_count; i++)
        free(p->words[i]);
    free(p->words);
    while (p->held.count)
        forget(p->held.at, &p->held.count, 0);
    while (p->done.count)
        forget(p->done.at, &p->done.count, 0);
    while (p->released.count)
        forget(p->released.at, &p->released.count, 0);
    tac_vec_free(&p->released);
    tac_vec_free(&p->held);
    tac_vec_free(&p->done);
    tac_vec_free(&p->callbacks);
    tac_vec_free(&p->callins);
    tac_names_free(&p->texts);
    free(p);
}

static const struct subject_driver program_driver = {.kind = "jdk",
                                                     .recorder = "tactus-jvm",
                                                     .start = program_start,
                                                     .drive = program_drive,
                                                     .perform = program_perform,
                                                     .let_go = program_let_go,
                                                     .stop = program_stop,
                                                     .free = program_free};

tac_status tac_subject_open_command(const char *const *words, size_t count, tac_subject **out,
                                    tac_error *err)
{
    if (!count)
        return tac_fail(err, TAC_E_USAGE, "a program without a name");
    struct java_program *p = tac_calloc(1, sizeof *p);
    tac_str name = {0};
    p->words = tac_calloc(count + 1, sizeof *p->words);
    for (size_t i = 0; i < count; i++) {
        p->words[p->word_count++] = tac_strdup(words[i]);
        tac_str_addf(&name, "%s%s", i ? " " : "", words[i]);
    }
    tac_subject *subject = tac_calloc(1, sizeof *subject);
    *subject = (tac_subject){&program_driver, p, tac_str_take(&name)};
    *out = subject;
    return TAC_OK;
}

/* The name of a method out of "java.util.Timer.schedule". */
static void add_atom(struct java_program *p, const struct spec_set *set,
                     const struct spec_atom *atom)
{
    const char *method = set->names.text[atom->method], *dot = strrchr(method, '.');
    if (!dot)
        return;
    char *class_name = tac_strndup(method, (size_t)(dot - method));
    uint32_t ids[3] = {tac_names_intern(&p->texts, class_name),
                       tac_names_intern(&p->texts, dot + 1),
                       tac_names_intern(&p->texts, set->names.text[atom->types])};
    struct jvm_method m = {p->texts.text[ids[0]], p->texts.text[ids[1]], p->texts.text[ids[2]]};
    if (atom->direction == CI_ENTRY || atom->direction == CI_EXIT)
        tac_vec_push(&p->callins, m);
    else
        tac_vec_push(&p->callbacks, m);
    free(class_name);
}

void tac_subject_watch(tac_subject *subject, const tac_protocol_rules *rules)
{
    if (subject->driver != &program_driver)
        return;
    struct java_program *p = subject->state;
    for (size_t i = 0; i < rules->set.atoms.count; i++)
        add_atom(p, &rules->set, &rules->set.atoms.at[i]);
}
