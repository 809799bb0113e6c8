/* Matching entries with exits, thread by thread.
 *
 * The roots of the event thread's forest are the events. A callback of another thread is an event
 * of its own. A call that another thread makes outside any callback takes effect where it was
 * recorded: in the event that was open then, else at the end of the one before; before the first
 * event it is one of its own. So `messages` lists the events one after the other, each with all
 * that belongs to it, and `order` remembers how the messages of all threads followed each other.
 *
 * An exception ends whatever call is open: the instrumentation records exceptions under either
 * kind. On the event thread an exit without an entry is an error; elsewhere it is left out and
 * counted, for other threads often start before the recording does. */
#include "base/check.h"
#include "protocol/recording/builder.h"
#include <stdio.h>
#include <string.h>

struct thread_stack {
    TAC_VEC(uint32_t) calls;
    uint32_t slot; /* the event that the open callback makes, or TAC_NONE */
};

struct event_slot {
    uint32_t thread;
    bool raised, ended;
    uint32_t count;
};

struct matching {
    const struct recording_builder *builder;
    struct recording *recording;
    struct thread_stack *threads;
    TAC_VEC(struct event_slot) slots;
    TAC_VEC(struct message) messages; /* in recorded order */
    TAC_VEC(uint32_t) owners;         /* per message: its slot */
    uint32_t last_slot;               /* of the event thread, open or ended; TAC_NONE at first */
};

static tac_status check_exit(const struct recording_builder *b, const struct record *record,
                             const struct call *call, tac_error *err)
{
    const struct recording *r = b->recording;
    enum call_kind kind = record->type == RAW_CALLIN_EXIT ? CALLIN : CALLBACK;
    bool other_method =
        kind == CALLIN && record->method != TAC_NONE && record->method != call->signature;
    if (call->kind == kind && !other_method)
        return TAC_OK;
    char text[640];
    snprintf(text, sizeof text, "exit of the %s %.200s, but the open call is the %s %.200s",
             kind == CALLIN ? "call-in" : "callback",
             record->method != TAC_NONE ? r->names.text[record->method] : "(unnamed)",
             call->kind == CALLIN ? "call-in" : "callback", r->names.text[call->signature]);
    return builder_fail_place(b, record->place, err, text);
}

static uint32_t new_slot(struct matching *m, uint32_t thread)
{
    tac_vec_push(&m->slots, (struct event_slot){.thread = thread});
    return (uint32_t)m->slots.count - 1;
}

static void add_message(struct matching *m, uint32_t slot, uint32_t call, bool is_exit)
{
    assert(slot < m->slots.count && call < m->recording->calls.count);
    m->slots.at[slot].count++;
    tac_vec_push(&m->messages, (struct message){.call = call, .is_exit = is_exit});
    tac_vec_push(&m->owners, slot);
}

/* Where a message of a thread belongs that no callback of its own thread holds. */
static uint32_t slot_of_loose_call(struct matching *m)
{
    if (m->last_slot != TAC_NONE)
        return m->last_slot;
    if (!m->slots.count || m->slots.at[m->slots.count - 1].thread == EVENT_THREAD ||
        !m->slots.at[m->slots.count - 1].ended) {
        uint32_t slot = new_slot(m, UINT32_MAX);
        m->slots.at[slot].ended = true;
        return slot;
    }
    return (uint32_t)m->slots.count - 1;
}

static tac_status take_entry(struct matching *m, const struct record *record, tac_error *err)
{
    struct thread_stack *stack = &m->threads[record->thread];
    struct call *call = &m->recording->calls.at[record->call];
    bool root = !stack->calls.count;
    assert(record->call < m->recording->calls.count);
    if (root && call->kind == CALLIN && record->thread == EVENT_THREAD)
        return builder_fail_place(m->builder, record->place, err,
                                  "a call-in outside any callback: the recording must start "
                                  "with a callback of the framework");
    call->parent = root ? TAC_NONE : tac_vec_last(&stack->calls);
    if (root)
        stack->slot = call->kind == CALLBACK ? new_slot(m, record->thread) : TAC_NONE;
    if (root && record->thread == EVENT_THREAD)
        m->last_slot = stack->slot;
    if (root && record->thread != EVENT_THREAD)
        (*(call->kind == CALLBACK ? &m->recording->others.callbacks
                                  : &m->recording->others.calls))++;
    tac_vec_push(&stack->calls, record->call);
    add_message(m, stack->slot != TAC_NONE ? stack->slot : slot_of_loose_call(m), record->call,
                false);
    return TAC_OK;
}

static tac_status take_exit(struct matching *m, const struct record *record, tac_error *err)
{
    assert(record->call == TAC_NONE);
    struct thread_stack *stack = &m->threads[record->thread];
    bool strict = record->thread == EVENT_THREAD;
    if (!stack->calls.count && !strict) {
        m->recording->others.unmatched++;
        return TAC_OK;
    }
    if (!stack->calls.count)
        return builder_fail_place(m->builder, record->place, err,
                                  "an exit without an entry: the recording starts in the middle of "
                                  "a callback, or messages are missing");
    struct call *call = &m->recording->calls.at[tac_vec_last(&stack->calls)];
    if (record->exception == TAC_NONE) {
        tac_status status = check_exit(m->builder, record, call, strict ? err : NULL);
        if (status != TAC_OK && !strict) {
            m->recording->others.unmatched++;
            return TAC_OK;
        }
        if (status != TAC_OK)
            return status;
        builder_set_result(m->recording, call, record);
    } else {
        call->raised = true;
        call->exception = record->exception;
    }
    call->exit_id = record->id;
    call->complete = true;
    uint32_t slot = stack->slot != TAC_NONE ? stack->slot : slot_of_loose_call(m);
    add_message(m, slot, tac_vec_pop(&stack->calls), true);
    if (!stack->calls.count && stack->slot != TAC_NONE) {
        m->slots.at[slot].ended = true;
        m->slots.at[slot].raised = call->raised;
        m->recording->raised_events += call->raised;
    }
    return TAC_OK;
}

/* Lays the events out one after the other. What belongs to a callback of the event thread that
 * never ended is the tail; a callback of another thread may still be running. */
static void lay_out(struct matching *m)
{
    struct recording *r = m->recording;
    uint32_t *next = tac_calloc(m->slots.count + 1, sizeof *next);
    uint32_t total = 0;
    bool moved = false;
    assert(m->owners.count == m->messages.count);
    for (size_t i = 0; i < m->slots.count; i++) {
        const struct event_slot *slot = &m->slots.at[i];
        next[i] = total;
        if (slot->thread == EVENT_THREAD && !slot->ended)
            continue;
        struct top_level event = {.first = total,
                                  .end = total + slot->count,
                                  .raised = slot->raised,
                                  .thread = slot->thread};
        tac_vec_push(&r->events, event);
        total += slot->count;
    }
    tac_vec_reserve(&r->messages, total + 1);
    r->messages.count = total;
    for (size_t i = 0; i < m->messages.count; i++) {
        const struct event_slot *slot = &m->slots.at[m->owners.at[i]];
        if (slot->thread == EVENT_THREAD && !slot->ended) {
            tac_vec_push(&r->tail, m->messages.at[i]);
            continue;
        }
        uint32_t place = next[m->owners.at[i]]++;
        moved = moved || place != r->order.count;
        r->messages.at[place] = m->messages.at[i];
        tac_vec_push(&r->order, place);
    }
    assert(r->order.count == r->messages.count);
    if (!moved)
        tac_vec_free(&r->order);
    r->dropped = r->tail.count;
    free(next);
}

tac_status builder_match(const struct recording_builder *b, struct recording *r, bool all_threads,
                         tac_error *err)
{
    struct matching m = {.builder = b, .recording = r, .last_slot = TAC_NONE};
    size_t threads = b->threads.count + 1;
    m.threads = tac_calloc(threads, sizeof *m.threads);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < b->records.count && status == TAC_OK; i++) {
        const struct record *record = &b->records.at[i];
        assert(record->thread < threads);
        if (record->thread != EVENT_THREAD && !all_threads)
            continue;
        r->others.messages += record->thread != EVENT_THREAD;
        status =
            record->call != TAC_NONE ? take_entry(&m, record, err) : take_exit(&m, record, err);
    }
    r->others.threads = all_threads ? b->threads.count : 0;
    if (status == TAC_OK)
        lay_out(&m);
    for (size_t i = 0; i < threads; i++)
        tac_vec_free(&m.threads[i].calls);
    free(m.threads);
    tac_vec_free(&m.slots);
    tac_vec_free(&m.messages);
    tac_vec_free(&m.owners);
    return status;
}

uint32_t recording_letter(struct recording *r, tac_str *key, uint32_t index, bool is_exit)
{
    const struct call *c = &r->calls.at[index];
    enum direction direction = direction_of(c->kind, is_exit);
    uint32_t head[3] = {direction, c->signature,
                        !is_exit        ? TAC_NONE
                        : c->has_result ? c->result.identity
                                        : TAC_NONE - 1};
    tac_str_clear(key);
    tac_str_add_bytes(key, (const char *)head, sizeof head);
    assert(index < r->calls.count && r->letters.count == r->letter_names.count);
    for (uint32_t i = 0; i < c->value_count; i++)
        tac_str_add_bytes(key, (const char *)&r->values.at[c->first_value + i].identity,
                          sizeof(uint32_t));
    uint32_t letter = tac_names_intern_bytes(&r->letter_names, tac_str_text(key), key->length);
    if (letter == r->letters.count)
        tac_vec_push(&r->letters, (struct letter){.direction = direction, .call = index});
    return letter;
}

static void copy_names(tac_names *to, const tac_names *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        tac_names_intern_bytes(to, from->text[i], from->length[i]);
    assert(to->count == from->count);
}

struct recording *recording_copy(const struct recording *from)
{
    struct recording *to = tac_calloc(1, sizeof *to);
    to->name = tac_strdup(from->name);
    copy_names(&to->names, &from->names);
    copy_names(&to->letter_names, &from->letter_names);
    tac_vec_append(&to->calls, from->calls.at, from->calls.count);
    tac_vec_append(&to->values, from->values.at, from->values.count);
    tac_vec_append(&to->overrides, from->overrides.at, from->overrides.count);
    tac_vec_append(&to->messages, from->messages.at, from->messages.count);
    tac_vec_append(&to->order, from->order.at, from->order.count);
    tac_vec_append(&to->tail, from->tail.at, from->tail.count);
    tac_vec_append(&to->events, from->events.at, from->events.count);
    tac_vec_append(&to->letters, from->letters.at, from->letters.count);
    to->ui_messages = from->ui_messages;
    to->raised_events = from->raised_events;
    to->dropped = from->dropped;
    to->truncated = from->truncated;
    to->assumed_events = from->assumed_events;
    to->others = from->others;
    memcpy(to->hash, from->hash, sizeof to->hash);
    return to;
}
