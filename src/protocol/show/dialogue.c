/* The dialogue of figure 4 of the paper as lines: who calls whom, in order, and, when rules are
 * given, what each message enables and disallows. With rules, messages that they do not mention are
 * folded into one line. */
#include "protocol/show/dialogue.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

struct teller {
    const struct recording *recording;
    const tac_recording_view *view;
    struct problem *problem; /* NULL without rules */
    struct full_state state;
    bool stopped; /* the rules do not admit what follows */
    struct dialogue *out;
    size_t skipped;
    uint32_t depth;
};

static void add_line(struct teller *t, struct dialogue_line line)
{
    tac_vec_push(&t->out->lines, line);
}

static void flush_skipped(struct teller *t)
{
    if (t->skipped)
        add_line(t, (struct dialogue_line){
                        .kind = DIALOGUE_SKIP, .count = t->skipped, .depth = t->depth});
    t->skipped = 0;
}

static char *words(const struct recording *r, uint32_t letter)
{
    tac_str text = {0};
    recording_letter_words(r, letter, &text);
    const char *all = tac_str_text(&text), *name = strchr(all, '(') ? all : "";
    /* "the call (t:Task).execute()" -> "(t:Task).execute()": the arrow says the rest */
    static const char *const heads[] = {"the callback ", "the return of the callback ", "the call ",
                                        "the return of the call "};
    for (int i = 0; i < 4; i++)
        if (!strncmp(all, heads[i], strlen(heads[i])))
            name = all + strlen(heads[i]);
    char *copy = tac_strdup(name);
    tac_str_free(&text);
    return copy;
}

/* What the step changed, one line per message concerned. */
static void add_effects(struct teller *t, const uint8_t *before)
{
    const struct system *s = &t->problem->system;
    for (uint32_t b = 0; b < s->bit_count; b++) {
        if (before[b] == t->state.blocked[b])
            continue;
        uint32_t letter = s->bit_letters.at[b];
        bool back = is_back(t->recording->letters.at[letter].direction);
        char *name = words(t->recording, letter);
        const char *verb = before[b] ? back ? "enables" : "allows"
                           : back    ? "disables"
                                     : "disallows";
        add_line(t, (struct dialogue_line){.kind = DIALOGUE_EFFECT,
                                           .depth = t->depth,
                                           .text = tac_format("%s %s", verb, name)});
        free(name);
    }
}

static void step_rules(struct teller *t, uint32_t letter, uint32_t message)
{
    static const char *const ends[] = {[STEP_OK] = "",
                                       [STEP_STUCK] = "the rules do not admit this: it is disabled",
                                       [STEP_VIOLATION] =
                                           "a violation: this call is disallowed here",
                                       [STEP_CONFLICT] = "rules conflict here"};
    TABLE_COVERS(ends, STEP_CONFLICT);
    const struct system *s = &t->problem->system;
    uint8_t *before = tac_alloc(s->bit_count + 1);
    struct conflict conflict;
    memcpy(before, t->state.blocked, s->bit_count);
    enum step_result result = full_state_step(s, &t->state, letter, message, &conflict);
    if (result == STEP_OK) {
        add_effects(t, before);
    } else {
        add_line(t, (struct dialogue_line){.kind = DIALOGUE_EFFECT,
                                           .depth = t->depth,
                                           .text = tac_strdup(ends[result])});
        t->stopped = true;
    }
    free(before);
}

static void tell_message(struct teller *t, uint32_t index, bool shown)
{
    const struct recording *r = t->recording;
    const struct message *m = &r->messages.at[index];
    const struct call *call = &r->calls.at[m->call];
    assert(index < t->recording->messages.count);
    if (m->is_exit && t->depth)
        t->depth--;
    bool mentioned = !t->problem || t->problem->system.letters[m->letter].mentioned;
    bool hidden = m->is_exit && !t->view->returns && !call->raised && !(t->problem && mentioned);
    if (shown && !mentioned && !m->is_exit) {
        t->skipped++;
    } else if (shown && mentioned && !hidden) {
        flush_skipped(t);
        bool right = is_back(direction_of(call->kind, m->is_exit));
        const char *place =
            call->caller_line != TAC_NONE && !m->is_exit ? r->names.text[call->caller_line] : NULL;
        add_line(t, (struct dialogue_line){.kind = right ? DIALOGUE_RIGHT : DIALOGUE_LEFT,
                                           .is_return = m->is_exit,
                                           .raised = call->raised && m->is_exit,
                                           .depth = t->depth,
                                           .text = words(r, m->letter),
                                           .place = place ? tac_strdup(place) : NULL});
    }
    if (t->problem && !t->stopped) {
        size_t lines = t->out->lines.count;
        step_rules(t, m->letter, index);
        if (!shown) /* effects of events that are not shown */
            while (t->out->lines.count > lines)
                free(tac_vec_pop(&t->out->lines).text);
    }
    if (!m->is_exit)
        t->depth++;
}

static void tell_events(struct teller *t)
{
    const struct recording *r = t->recording;
    size_t end = t->view->max_events ? t->view->first_event + t->view->max_events : SIZE_MAX;
    for (uint32_t e = 0; e < r->events.count && e < end; e++) {
        bool shown = e >= t->view->first_event;
        t->depth = 0;
        if (shown) {
            tac_str name = {0};
            recording_event_name(r, e, &name);
            add_line(t, (struct dialogue_line){.kind = DIALOGUE_EVENT,
                                               .count = e + 1,
                                               .raised = r->events.at[e].raised,
                                               .text = tac_str_take(&name)});
            t->out->events_shown++;
        }
        for (uint32_t i = r->events.at[e].first; i < r->events.at[e].end; i++)
            tell_message(t, i, shown);
        flush_skipped(t);
    }
}

tac_status dialogue_build(const tac_recording *recording, const tac_recording_view *view,
                          struct dialogue *out, tac_error *err)
{
    *out = (struct dialogue){.events_total = recording->events->events.count};
    struct problem problem;
    struct teller t = {.recording = recording->events, .view = view, .out = out};
    if (view->rules) {
        tac_protocol_options options = {.as_recorded = true};
        struct conflict conflict;
        tac_status status = problem_build(view->rules, recording, &options, &problem, err);
        if (status != TAC_OK)
            return status;
        t.problem = &problem;
        t.stopped = full_state_start(&problem.system, &t.state, &conflict) != STEP_OK;
    }
    tell_events(&t);
    if (t.problem) {
        full_state_free(&t.state);
        problem_free(&problem);
    }
    return TAC_OK;
}

void dialogue_free(struct dialogue *d)
{
    for (size_t i = 0; i < d->lines.count; i++) {
        free(d->lines.at[i].text);
        free(d->lines.at[i].place);
    }
    tac_vec_free(&d->lines);
}
