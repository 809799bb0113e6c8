/* Held programs: a step lets the callback with its label go, and waits until it has ended.
 *
 * AWT's event thread is one stack. A callback that waits on it is passed by others when they are
 * wanted before it ("pump"); one that has others above itself can go only after them, so these are
 * let go first and told. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "replay/command.h"
#include <string.h>

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
    size_t base = base_length(step->label);
    for (size_t i = 0; i < p->held.count; i++) {
        const char *label = p->held.at[i].label;
        if (!strcmp(label, step->label) ||
            (user && base_length(label) == base && !strncmp(label, step->label, base)))
            return i;
    }
    return SIZE_MAX;
}

static bool has_ended(struct java_program *p, const char *label)
{
    for (size_t i = 0; i < p->done.count; i++)
        if (!strcmp(p->done.at[i], label)) {
            free(labels_take(p->done.at, &p->done.count, i));
            return true;
        }
    return false;
}

/* Lets the callback go, and waits until it ended or waits for something itself. */
static void release(struct java_program *p, size_t at, double deadline)
{
    assert(at < p->held.count);
    char *label = p->held.at[at].label;
    char *line = tac_format("release %s", label);
    memmove(p->held.at + at, p->held.at + at + 1, (--p->held.count - at) * sizeof *p->held.at);
    jvm_say(&p->process, line);
    free(line);
    size_t seen = p->news;
    double quiet = tac_now() + STALL, end = tac_now() + deadline;
    while (!has_ended(p, label) && tac_now() < quiet && tac_now() < end &&
           !jvm_wait(&p->process, 0)) {
        program_listen(p, 0.02);
        program_pump(p);
        if (p->news != seen)
            quiet = tac_now() + STALL;
        seen = p->news;
    }
    program_pump(p);
    tac_vec_push(&p->released, label);
}

/* The last one above this on the event thread; itself when there is none. */
static size_t above(const struct java_program *p, size_t at)
{
    size_t last = at;
    for (size_t i = at + 1; p->held.at[at].ui && i < p->held.count; i++)
        if (p->held.at[i].ui)
            last = i;
    return last;
}

/* A callback that nobody named, because something cannot go on without it. */
static void release_besides(struct java_program *p, size_t at, tac_str *besides)
{
    tac_str_addf(besides, "%s\n", p->held.at[at].label);
    release(p, at, STALL);
}

static char *why_absent(const struct java_program *p)
{
    tac_str text = {0};
    tac_str_add(&text,
                p->process.ended ? "the program ended before" : "the program did not ask for it");
    for (size_t i = 0; i < p->held.count; i++)
        tac_str_addf(&text, "%s%s", i ? ", " : "; waiting: ", p->held.at[i].label);
    return tac_str_take(&text);
}

/* What a step does while its callback is not there yet. */
struct held_wait {
    const char *click; /* the component that the user touches, or NULL */
    bool ui;
    size_t posts; /* sent so far, from `answers` and `clicks` of before */
    size_t answers, clicks;
    double next_post, next_pump, quiet;
};

static void bring_about(struct java_program *p, struct held_wait *w)
{
    double time = tac_now();
    bool answered = p->answers - w->answers == w->posts;
    if (w->click && answered && p->clicks == w->clicks && time >= w->next_post) {
        char *line = tac_format("post %s", w->click);
        w->posts += jvm_say(&p->process, line);
        w->next_post = time + 0.2;
        free(line);
    }
    if (w->ui && time >= w->next_pump) { /* what waits there is passed by others */
        jvm_say(&p->process, "pump");
        w->next_pump = time + 0.05;
    }
    size_t before = p->answers;
    if (program_listen(p, 0.02) && p->answers == before)
        w->quiet = tac_now() + STALL;
    program_pump(p);
}

tac_status program_perform(void *state, const struct subject_step *step, struct step_outcome *out,
                           tac_error *err)
{
    (void)err;
    struct java_program *p = state;
    *out = (struct step_outcome){.end = STEP_ABSENT, .callback = SIZE_MAX};
    double start = tac_now(), end = start + step->deadline;
    struct held_wait w = {
        .click = json_string_value(json_object_get(json_object_get(step->entry, "by"), "click")),
        .ui = json_is_true(json_object_get(step->entry, "ui")),
        .answers = p->answers,
        .clicks = p->clicks,
        .quiet = start + STALL};
    tac_str besides = {0};
    while (tac_now() < end && out->end != STEP_DONE) {
        size_t at = find_held(p, step, w.click != NULL);
        if (at != SIZE_MAX && above(p, at) == at) {
            release(p, at, step->deadline);
            out->end = STEP_DONE;
        } else if (at != SIZE_MAX) {
            release_besides(p, above(p, at), &besides);
        } else if (jvm_wait(&p->process, 0)) {
            break;
        } else if (tac_now() > w.quiet && p->held.count) {
            release_besides(p, above(p, 0), &besides); /* it cannot go on without the oldest */
            w.quiet = tac_now() + STALL;
        } else {
            bring_about(p, &w);
        }
    }
    if (out->end != STEP_DONE)
        out->why = why_absent(p);
    out->besides = besides.length ? tac_str_take(&besides) : NULL;
    tac_str_free(&besides);
    return TAC_OK;
}

tac_status program_let_go(void *state, double seconds, tac_error *err)
{
    (void)err;
    struct java_program *p = state;
    jvm_say(&p->process, "free");
    for (double end = tac_now() + seconds; tac_now() < end && !jvm_wait(&p->process, 0.02);) {
        program_listen(p, 0.01);
        program_pump(p);
    }
    program_pump(p);
    return TAC_OK;
}
