/* See evidence.h. */
#include "protocol/evidence/evidence.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include <string.h>

tac_arena *evidence_memory(void)
{
    return tac_calloc(1, sizeof(tac_arena));
}

void evidence_memory_free(tac_arena *memory)
{
    if (!memory)
        return;
    tac_arena_free(memory);
    free(memory);
}

const char *evidence_text(tac_arena *memory, const char *text)
{
    size_t length = strlen(text);
    if (tac_utf8_valid(text, length))
        return tac_arena_strndup(memory, text, length);
    tac_str clean = {0};
    tac_utf8_clean(text, length, &clean);
    const char *kept = tac_arena_strdup(memory, tac_str_text(&clean));
    assert(tac_utf8_valid(kept, strlen(kept)));
    tac_str_free(&clean);
    return kept;
}

const char *evidence_text_or_null(tac_arena *memory, const char *text)
{
    return text ? evidence_text(memory, text) : NULL;
}

static const char *take(tac_arena *memory, tac_str *text)
{
    const char *kept = evidence_text(memory, tac_str_text(text));
    tac_str_free(text);
    return kept;
}

const char *evidence_letter(const struct problem *p, uint32_t letter, tac_arena *memory)
{
    assert(letter < p->recording->letters.count);
    tac_str text = {0};
    recording_letter_text(p->recording, letter, &text);
    return take(memory, &text);
}

const char *evidence_words(const struct problem *p, uint32_t letter, tac_arena *memory)
{
    assert(letter < p->recording->letters.count);
    tac_str text = {0};
    recording_letter_words(p->recording, letter, &text);
    return take(memory, &text);
}

const char *evidence_event(const struct recording *r, uint32_t event, tac_arena *memory)
{
    assert(event < r->events.count);
    tac_str text = {0};
    recording_event_name(r, event, &text);
    return take(memory, &text);
}

static tac_rule_effect effect_of(const struct recording *r, const struct ground_rule *rule)
{
    if (is_back(r->letters.at[rule->target].direction))
        return rule->permits ? TAC_RULE_ENABLES : TAC_RULE_DISABLES;
    return rule->permits ? TAC_RULE_ALLOWS : TAC_RULE_DISALLOWS;
}

tac_protocol_reason *evidence_reason(const struct problem *p, uint32_t ground_rule,
                                     const char *fired_by, tac_arena *memory)
{
    assert(ground_rule < p->grounding.rules.count && fired_by);
    const struct ground_rule *rule = &p->grounding.rules.at[ground_rule];
    tac_protocol_reason *reason = tac_arena_calloc(memory, 1, sizeof *reason);
    tac_str place = {0}, text = {0};
    problem_rule_place(p, ground_rule, &place);
    if (rule->source != TAC_NONE)
        spec_rule_text(p->specs, &p->specs->rules.at[rule->source], &text);
    reason->rule = take(memory, &place);
    reason->fired_by = evidence_text(memory, fired_by);
    reason->effect = effect_of(p->recording, rule);
    reason->text = take(memory, &text);
    return reason;
}

static void read_assumed(const struct problem *p, tac_protocol_reading *out, tac_arena *memory)
{
    const struct recording *r = p->recording;
    size_t count = 0;
    for (size_t i = 0; i < r->events.count; i++)
        count += r->events.at[i].assumed;
    const char **list = tac_arena_calloc(memory, count + 1, sizeof *list);
    for (size_t i = 0; i < r->events.count; i++)
        if (r->events.at[i].assumed)
            list[out->assumed_count++] =
                evidence_letter(p, r->messages.at[r->events.at[i].first].letter, memory);
    assert(out->assumed_count == count);
    out->assumed_callbacks = list;
}

static void read_warnings(const struct problem *p, tac_protocol_reading *out, tac_arena *memory)
{
    const tac_diagnostics *recording = p->warnings, *rules = &p->specs->diagnostics;
    size_t count = recording->count + rules->count;
    tac_protocol_warning *list = tac_arena_calloc(memory, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        bool of_rules = i >= recording->count;
        const tac_diagnostic *at = of_rules ? &rules->at[i - recording->count] : &recording->at[i];
        list[i] = (tac_protocol_warning){.line = at->line,
                                         .message = evidence_text(memory, at->message),
                                         .file = of_rules ? evidence_text(memory, at->file) : NULL};
    }
    out->warnings = list;
    out->warning_count = count;
}

tac_protocol_reading evidence_reading(const struct problem *p, tac_arena *memory)
{
    const struct recording *r = p->recording;
    assert(r->assumed_events <= r->events.count && p->warnings);
    tac_protocol_reading reading = {.messages = r->ui_messages,
                                    .toplevel_callbacks = r->events.count - r->assumed_events,
                                    .raised_callbacks = r->raised_events,
                                    .truncated = r->truncated || r->dropped,
                                    .dropped_messages = r->dropped,
                                    .not_assumed = r->not_assumed};
    reading.other_threads.threads = r->others.threads;
    reading.other_threads.messages = r->others.messages;
    reading.other_threads.callbacks = r->others.callbacks;
    reading.other_threads.calls = r->others.calls;
    reading.other_threads.unmatched = r->others.unmatched;
    read_assumed(p, &reading, memory);
    read_warnings(p, &reading, memory);
    return reading;
}
