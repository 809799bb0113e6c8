/* Programs as subjects: Java programs with the agent in their virtual machine (src/jvm).
 *
 * What is watched comes from the rules: the callbacks and call-ins that they name. Held, the
 * program's top-level callbacks wait at their entry; a step lets the one with its label go. The
 * user's events are given to AWT by the agent. A callback that the program waits for, although no
 * step names it, is let go after a while and told. */
#include "replay/command.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "protocol/problem/problem.h"
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define START_TIME 60.0  /* seconds for a virtual machine to reach its first callback */
#define CLICK_QUIET 0.6  /* seconds without any news before a click: the program is idle */
#define CLICK_LATEST 3.0 /* seconds after the click before, however busy the program is */

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

/* AWT's event thread, or, without one, that of the first message. */
static bool is_ui(struct java_program *p, const struct raw_record *record)
{
    if (!p->event_thread)
        p->event_thread = record->thread;
    return record->ui || (!atomic_load(&raw_reader_header(&p->process.reader)->awt) &&
                          record->thread == p->event_thread);
}

static void tell_callin(struct java_program *p, const struct raw_record *record)
{
    tac_str_clear(&p->text);
    struct subject_text text = {.entry = record->kind == RAW_CALLIN, .thread = record->thread};
    text.ui = is_ui(p, record);
    bool good = jvm_message_text(&p->messages, record, text.ui, &p->text);
    text.line = tac_str_text(&p->text);
    text.length = p->text.length;
    json_t *body = good && !p->log->text ? json_loadb(text.line, text.length, 0, NULL) : NULL;
    if (good && p->log->text)
        p->log->text(p->log->context, &text);
    else if (json_is_object(body))
        p->log->message(p->log->context, body);
    else
        p->log->dropped(p->log->context, 1);
    json_decref(body);
}

static void tell_record(void *context, const struct raw_record *record)
{
    struct java_program *p = context;
    p->news++;
    if (jvm_messages_define(&p->messages, record))
        return;
    if (record->kind == RAW_CALLIN || record->kind == RAW_RETURN) {
        tell_callin(p, record);
        return;
    }
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
        json_object_set_new(body, "ui", json_boolean(is_ui(p, record)));
        json_object_set_new(body, "thread", json_integer(record->thread));
        p->log->message(p->log->context, body);
    }
    json_decref(body);
}

void program_pump(struct java_program *p)
{
    raw_reader_take(&p->process.reader, p->process.ended, tell_record, p);
}

char *labels_take(char **list, size_t *count, size_t at)
{
    char *label = list[at];
    memmove(list + at, list + at + 1, (--*count - at) * sizeof *list);
    return label;
}

static void labels_clear(char **list, size_t *count)
{
    while (*count)
        free(list[--*count]);
}

static void hear(struct java_program *p, const char *line)
{
    if (!strncmp(line, "held ", 5)) {
        tac_vec_push(&p->held, (struct held_label){tac_strdup(line + 5), false});
    } else if (!strncmp(line, "heldui ", 7)) {
        tac_vec_push(&p->held, (struct held_label){tac_strdup(line + 7), true});
    } else if (!strncmp(line, "done ", 5)) {
        tac_vec_push(&p->done, tac_strdup(line + 5));
    } else if (!strncmp(line, "posted ", 7)) {
        p->answers++;
        p->clicks += strtoul(line + 7, NULL, 10) > 0;
    }
}

bool program_listen(struct java_program *p, double seconds)
{
    char *line = jvm_hear(&p->process, seconds);
    if (!line)
        return false;
    p->news++;
    hear(p, line);
    free(line);
    return true;
}

static void forget_labels(struct java_program *p)
{
    for (size_t i = 0; i < p->held.count; i++)
        free(p->held.at[i].label);
    p->held.count = 0;
    labels_clear(p->done.at, &p->done.count);
    labels_clear(p->released.at, &p->released.count);
}

static tac_status program_stop(void *state, tac_error *err)
{
    (void)err;
    struct java_program *p = state;
    if (!p->running)
        return TAC_OK;
    program_pump(p);
    jvm_stop(&p->process);
    p->running = false;
    forget_labels(p);
    jvm_messages_free(&p->messages);
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
                              .breakpoints = p->breakpoints,
                              .link = true,
                              .hold = mode == SUBJECT_HELD};
    p->log = log;
    p->event_thread = 0;
    p->answers = p->clicks = 0;
    tac_status status = jvm_start(&order, true, &p->process, err);
    if (status != TAC_OK)
        return status;
    p->running = true;
    double end = tac_now() + START_TIME;
    while (mode == SUBJECT_HELD && !p->held.count && tac_now() < end && !jvm_wait(&p->process, 0))
        program_listen(p, 0.05);
    program_pump(p);
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

/* Random clicks, one at a time: the next when the one before was answered and has had its effect.
 */
struct click_driving {
    uint32_t sent;
    size_t before; /* clicks that were counted */
    uint64_t sequence;
    double latest, quiet_since;
};

static void notice_news(struct java_program *p, struct click_driving *c)
{
    uint64_t sequence = raw_reader_sequence(&p->process.reader);
    if (sequence != c->sequence)
        c->quiet_since = tac_now();
    c->sequence = sequence;
}

static void click_something(struct java_program *p, const tac_driving *how, uint64_t seed,
                            struct click_driving *c)
{
    char line[40];
    for (; c->before < p->clicks; c->before++)
        p->log->step(p->log->context);
    double time = tac_now();
    if ((time < c->quiet_since + CLICK_QUIET && time < c->latest) || p->answers < c->sent ||
        (how->steps && p->clicks >= how->steps))
        return;
    snprintf(line, sizeof line, "random %llu",
             (unsigned long long)((seed * 1000003 + p->clicks) & INT64_MAX));
    if (jvm_say(&p->process, line))
        c->sent++;
    c->latest = time + CLICK_LATEST;
    c->quiet_since = time;
}

/* Every click was given, and nothing has happened for a while: what was sent to AWT has run. */
static bool is_over(const struct java_program *p, const tac_driving *how,
                    const struct click_driving *c)
{
    return how->steps && p->clicks >= how->steps && tac_now() > c->quiet_since + STALL;
}

/* What the agent counted, and what did not get through. */
static void tell_counts(struct java_program *p)
{
    const struct raw_header *h = raw_reader_header(&p->process.reader);
    if (!h)
        return;
    struct subject_machine machine = {atomic_load(&h->classes), atomic_load(&h->rewritten),
                                      atomic_load(&h->methods), atomic_load(&h->calls),
                                      atomic_load(&h->left_alone)};
    if (p->log->machine)
        p->log->machine(p->log->context, &machine);
    if (atomic_load(&h->lost))
        p->log->dropped(p->log->context, (size_t)atomic_load(&h->lost));
    if (p->process.reader.damaged)
        p->log->unseen(p->log->context, "a part of the agent's log that is damaged");
}

static tac_status program_drive(void *state, const tac_driving *how, uint64_t seed, tac_error *err)
{
    struct java_program *p = state;
    double start = tac_now(), end = start + (how->budget > 0 ? how->budget : 20);
    struct click_driving clicks = {.quiet_since = start, .latest = end};
    while (!jvm_wait(&p->process, 0.01) && tac_now() < end && !is_over(p, how, &clicks)) {
        if (!tac_watch_tick(how->watch, "recording", p->clicks, how->steps))
            return tac_fail(err, TAC_E_INTERRUPTED, "interrupted");
        program_listen(p, 0.01);
        notice_news(p, &clicks);
        click_something(p, how, seed, &clicks);
    }
    for (; clicks.before < p->clicks; clicks.before++)
        p->log->step(p->log->context);
    program_pump(p); /* not before: only now it is known whether AWT has an event thread */
    tell_counts(p);
    if (p->process.ended)
        note_end(p);
    else if (tac_now() >= end)
        p->log->note(p->log->context, "the time was over before the program ended");
    return jvm_check_attached(&p->process, p->words[0], err);
}

static void program_free(void *state)
{
    struct java_program *p = state;
    if (p->running)
        jvm_stop(&p->process);
    for (size_t i = 0; i < p->word_count; i++)
        free(p->words[i]);
    free(p->words);
    forget_labels(p);
    jvm_messages_free(&p->messages);
    tac_str_free(&p->text);
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
                                                     .ends_anywhere = true,
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
    *subject = (tac_subject){&program_driver, p, tac_str_take(&name), "rewrite"};
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

void tac_subject_use_breakpoints(tac_subject *subject)
{
    if (subject->driver != &program_driver)
        return;
    ((struct java_program *)subject->state)->breakpoints = true;
    subject->mode = "breakpoint";
}
