/* The independent checker of certificates.
 *
 * Of a certificate it believes nothing. It checks that (1) each machine is the automaton of one of
 * its own ground rules for each effect it claims, and every own rule about a tracked message has
 * its machine; (2) the states hold the start and every event leads from a state to a state, or
 * stops; (3) no event calls a target while it is prohibited; (4) every call that some rule
 * prohibits and some event makes is a target of some cone, unless the question was about others.
 * The question is the caller's: rules, recording, reading and target come from there, and the
 * hashes in the certificate must be theirs. Untracked messages never block here and rules about
 * them never conflict, which only adds runs, so what passes is safe (docs/protocol.md has the
 * argument). */
#include "protocol/check/check_certificate.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "protocol/check/certificate.h"
#include "protocol/evidence/evidence.h"
#include <string.h>

#define MAX_CERTIFICATE ((size_t)1 << 30)

void check_reject(struct checker *c, const char *format, ...)
{
    va_list args;
    if (c->rejected)
        return;
    c->rejected = true;
    va_start(args, format);
    tac_str_addv(&c->reason, format, args);
    va_end(args);
}

/* The letter that a text names, or TAC_NONE after rejecting. */
static uint32_t letter_named(struct checker *c, const json_t *text)
{
    const char *name = json_string_value(text);
    uint32_t number = name ? tac_names_find(&c->texts, name) : TAC_NONE;
    if (number == TAC_NONE) {
        check_reject(c, "the recording has no message %s", name ? name : "(not a text)");
        return TAC_NONE;
    }
    assert(number < c->recording->letters.count);
    return number;
}

static bool small_integer(const json_t *value, json_int_t below, uint32_t *out)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0 ||
        json_integer_value(value) >= below)
        return false;
    *out = (uint32_t)json_integer_value(value);
    return true;
}

static bool read_table(const json_t *json, struct check_machine *m)
{
    const json_t *next = json_object_get(json, "next"), *fires = json_object_get(json, "fires");
    if (!small_integer(json_object_get(json, "states"), 100000, &m->states) || !m->states ||
        !small_integer(json_object_get(json, "classes"), 100000, &m->classes) || !m->classes ||
        !small_integer(json_object_get(json, "initial"), m->states, &m->initial))
        return false;
    size_t cells = (size_t)m->states * m->classes;
    if (json_array_size(next) != cells || json_array_size(fires) != cells)
        return false;
    m->next = tac_calloc(cells + 1, sizeof *m->next);
    m->fires = tac_calloc(cells + 1, sizeof *m->fires);
    m->fires_at_start = json_is_true(json_object_get(json, "fires_at_start"));
    for (size_t i = 0; i < cells; i++)
        if (!small_integer(json_array_get(next, i), m->states, &m->next[i]) ||
            !small_integer(json_array_get(fires, i), 2, &m->fires[i]))
            return false;
    return true;
}

static bool listed(const check_vec *letters, uint32_t letter)
{
    for (size_t i = 0; i < letters->count; i++)
        if (letters->at[i] == letter)
            return true;
    return false;
}

static void read_machine(struct checker *c, const json_t *json, struct check_machine *m)
{
    assert(json && !m->next && !m->fires);
    size_t i;
    json_t *item;
    if (!read_table(json, m)) {
        check_reject(c, "a machine's table is malformed");
        return;
    }
    json_array_foreach(json_object_get(json, "effects"), i, item)
    {
        uint32_t letter = letter_named(c, json_object_get(item, "message"));
        const json_t *permits = json_object_get(item, "permits");
        if (letter == TAC_NONE || !json_is_boolean(permits)) {
            check_reject(c, "a machine's effect is malformed");
            return;
        }
        tac_vec_push(&m->effects, (struct check_effect){letter, json_is_true(permits)});
    }
    json_array_foreach(json_object_get(json, "letters"), i, item)
    {
        uint32_t letter = letter_named(c, json_array_get(item, 0)), class = 0;
        if (letter == TAC_NONE || !small_integer(json_array_get(item, 1), m->classes, &class) ||
            listed(&m->letters, letter)) {
            check_reject(c, "a machine's letter has no class, or two");
            return;
        }
        tac_vec_push(&m->letters, letter);
        tac_vec_push(&m->letter_class, class);
    }
    for (uint32_t s = 0; s < m->states; s++)
        m->restless = m->restless || m->next[s * m->classes] != s || m->fires[s * m->classes];
}

uint32_t check_machine_class(const struct check_machine *m, uint32_t letter)
{
    for (size_t i = 0; i < m->letters.count; i++)
        if (m->letters.at[i] == letter)
            return m->letter_class.at[i];
    return 0;
}

/* The automaton of an own rule, made on first use. */
static const struct own_automaton *own_automaton(struct checker *c, uint32_t rule)
{
    assert(rule < c->rules.rules.count);
    struct own_automaton *own = &c->own[rule];
    if (own->made || c->status != TAC_OK)
        return own;
    own->made = true;
    check_tree_letters(c->rules.rules.at[rule].body, &own->letters);
    c->status = check_dfa_build(c->rules.rules.at[rule].body, own->letters.at, own->letters.count,
                                &own->dfa, c->err);
    if (c->status != TAC_OK)
        return own;
    /* Does it accept anything at all? */
    uint8_t *seen = tac_calloc(own->dfa.states + 1, 1);
    check_vec work = {0};
    tac_vec_push(&work, own->dfa.start);
    seen[own->dfa.start] = 1;
    while (work.count) {
        uint32_t s = tac_vec_pop(&work);
        own->fires_ever = own->fires_ever || own->dfa.accepts[s];
        for (uint32_t k = 0; k < own->dfa.symbols; k++) {
            uint32_t to = own->dfa.next[s * own->dfa.symbols + k];
            if (!seen[to])
                tac_vec_push(&work, to);
            seen[to] = 1;
        }
    }
    free(seen);
    tac_vec_free(&work);
    return own;
}

static uint32_t own_symbol(const struct own_automaton *own, uint32_t letter)
{
    for (size_t i = 0; i < own->letters.count; i++)
        if (own->letters.at[i] == letter)
            return (uint32_t)i;
    return (uint32_t)own->letters.count;
}

/* Do machine and automaton fire on the same histories? Walks all pairs of states reached together.
 * Letters: those of either side, and one that neither mentions. */
static bool same_language(const struct check_machine *m, const struct own_automaton *own)
{
    check_vec letters = {0}, work = {0};
    tac_names seen = {0};
    tac_vec_append(&letters, m->letters.at, m->letters.count);
    tac_vec_append(&letters, own->letters.at, own->letters.count);
    tac_vec_push(&letters, TAC_NONE);
    bool same = m->fires_at_start == (own->dfa.accepts[own->dfa.start] != 0);
    uint32_t pair[2] = {m->initial, own->dfa.start};
    tac_names_intern_bytes(&seen, pair, sizeof pair);
    assert(own->made && own->dfa.states > own->dfa.start);
    for (uint32_t at = 0; at < seen.count && same; at++)
        for (size_t i = 0; i < letters.count && same; i++) {
            memcpy(pair, seen.text[at], sizeof pair);
            uint32_t edge = pair[0] * m->classes + check_machine_class(m, letters.at[i]);
            uint32_t to =
                own->dfa.next[pair[1] * own->dfa.symbols + own_symbol(own, letters.at[i])];
            same = (m->fires[edge] != 0) == (own->dfa.accepts[to] != 0);
            pair[0] = m->next[edge];
            pair[1] = to;
            tac_names_intern_bytes(&seen, pair, sizeof pair);
        }
    tac_names_free(&seen);
    tac_vec_free(&letters);
    tac_vec_free(&work);
    return same;
}

/* (1a) Every effect of every machine is an own rule with that very language. */
static void check_effects(struct checker *c, const struct check_cone *cone)
{
    assert(!c->rejected && cone->with_memory <= cone->machines.count);
    for (size_t m = 0; m < cone->machines.count; m++)
        for (size_t e = 0; e < cone->machines.at[m].effects.count && !c->rejected; e++) {
            const struct check_effect *effect = &cone->machines.at[m].effects.at[e];
            bool found = false;
            for (uint32_t r = 0; r < c->rules.rules.count && !found && c->status == TAC_OK; r++) {
                const struct check_rule *rule = &c->rules.rules.at[r];
                found = rule->target == effect->letter && rule->permits == effect->permits &&
                        own_automaton(c, r)->made && c->status == TAC_OK &&
                        same_language(&cone->machines.at[m], &c->own[r]);
            }
            if (!found && c->status == TAC_OK)
                check_reject(c, "machine %zu claims an effect that no rule has", m);
        }
}

/* (1b) Every own rule about a tracked message has its machine. */
static void check_complete(struct checker *c, const struct check_cone *cone)
{
    assert(!c->rejected && cone->tracked);
    for (uint32_t r = 0; r < c->rules.rules.count && !c->rejected && c->status == TAC_OK; r++) {
        const struct check_rule *rule = &c->rules.rules.at[r];
        if (!cone->tracked[rule->target] || !own_automaton(c, r)->fires_ever || c->status != TAC_OK)
            continue;
        bool found = false;
        for (size_t m = 0; m < cone->machines.count && !found; m++) {
            const struct check_machine *machine = &cone->machines.at[m];
            for (size_t e = 0; e < machine->effects.count && !found; e++)
                found = machine->effects.at[e].letter == rule->target &&
                        machine->effects.at[e].permits == rule->permits &&
                        same_language(machine, &c->own[r]);
        }
        if (!found) {
            const struct spec_rule *source = &c->specs->rules.at[rule->source];
            check_reject(c, "no machine for an instance of the rule %s:%u",
                         c->specs->files.at[source->file], source->line);
        }
    }
}

static void read_cone(struct checker *c, const json_t *json, struct check_cone *cone)
{
    size_t i, letters = c->recording->letters.count;
    json_t *item;
    const json_t *machines = json_object_get(json, "machines");
    cone->tracked = tac_calloc(letters + 1, sizeof *cone->tracked);
    cone->target = tac_calloc(letters + 1, 1);
    json_array_foreach(json_object_get(json, "messages"), i, item)
    {
        uint32_t letter = letter_named(c, item);
        if (letter == TAC_NONE || cone->tracked[letter]) {
            check_reject(c, "a message is tracked twice");
            return;
        }
        cone->tracked[letter] = (uint32_t)i + 1;
        cone->message_count++;
    }
    json_array_foreach(json_object_get(json, "targets"), i, item)
    {
        uint32_t letter = letter_named(c, item);
        if (letter == TAC_NONE)
            return;
        if (!cone->tracked[letter] || is_back(c->recording->letters.at[letter].direction))
            check_reject(c, "a target is not tracked, or not a call");
        cone->target[letter] = 1;
    }
    json_array_foreach((json_t *)machines, i, item)
    {
        struct check_machine machine = {0};
        read_machine(c, item, &machine);
        tac_vec_push(&cone->machines, machine);
    }
    if (!small_integer(json_object_get(json, "with_memory"), (json_int_t)cone->machines.count + 1,
                       &cone->with_memory))
        check_reject(c, "\"with_memory\" is not a number of machines");
    for (size_t m = cone->with_memory; m < cone->machines.count; m++)
        if (cone->machines.at[m].states != 1)
            check_reject(c, "a machine with memory is not part of the states");
}

static void cone_release(struct check_cone *cone)
{
    for (size_t i = 0; i < cone->machines.count; i++) {
        struct check_machine *m = &cone->machines.at[i];
        free(m->next);
        free(m->fires);
        tac_vec_free(&m->effects);
        tac_vec_free(&m->letters);
        tac_vec_free(&m->letter_class);
    }
    tac_vec_free(&cone->machines);
    free(cone->tracked);
    free(cone->target);
}

/* (4) Nothing that could be prohibited was left out. */
static void check_claims(struct checker *c)
{
    const struct recording *r = c->recording;
    uint8_t *sent = tac_calloc(r->letters.count + 1, 1);
    assert(c->claimed && c->texts.count == c->recording->letters.count);
    for (size_t e = 0; e < r->events.count; e++)
        for (uint32_t i = r->events.at[e].first; !r->events.at[e].raised && i < r->events.at[e].end;
             i++)
            sent[r->messages.at[i].letter] = 1;
    for (uint32_t k = 0; k < c->rules.rules.count && !c->rejected && c->status == TAC_OK; k++) {
        const struct check_rule *rule = &c->rules.rules.at[k];
        const struct letter *letter = &r->letters.at[rule->target];
        if (rule->permits || is_back(letter->direction) || !sent[rule->target] ||
            !own_automaton(c, k)->fires_ever)
            continue;
        if (c->target && !strstr(r->names.text[r->calls.at[letter->call].signature], c->target))
            continue;
        if (c->claimed[rule->target]) {
            if (!listed(&c->proved, rule->target))
                tac_vec_push(&c->proved, rule->target);
            continue;
        }
        tac_str text = {0};
        recording_letter_text(r, rule->target, &text);
        check_reject(c, "nothing is claimed about %s", tac_str_text(&text));
        tac_str_free(&text);
    }
    free(sent);
}

static void checker_start(struct checker *c)
{
    const struct recording *r = c->recording;
    recording_letter_texts(r, &c->texts);
    c->claimed = tac_calloc(r->letters.count + 1, 1);
    c->own = tac_calloc(c->rules.rules.count + 1, sizeof *c->own);
}

void checker_close(struct checker *c)
{
    for (size_t i = 0; i < c->rules.rules.count && c->own; i++) {
        check_dfa_free(&c->own[i].dfa);
        tac_vec_free(&c->own[i].letters);
    }
    free(c->own);
    free(c->claimed);
    check_rules_free(&c->rules);
    tac_names_free(&c->texts);
    tac_vec_free(&c->proved);
    tac_str_free(&c->reason);
    recording_free(c->completed);
}

static void check_hash(struct checker *c, const json_t *document, const char *key,
                       const char *wanted, const char *what)
{
    const char *hash = json_string_value(json_object_get(document, key));
    if (!hash || strcmp(hash, wanted))
        check_reject(c, "the certificate is for other %s (\"%s\" is not %.16s...)", what, key,
                     wanted);
}

/* The certificate must be about these rules, this recording and this reading of it. */
static void check_binding(struct checker *c, const json_t *document)
{
    const json_t *reading = json_object_get(document, "as_recorded");
    check_hash(c, document, "rules_sha256", c->specs->hash, "rules");
    check_hash(c, document, "recording_sha256", c->recording->hash, "recordings");
    if (!json_is_boolean(reading) || json_is_true(reading) != c->as_recorded)
        check_reject(c, "the certificate reads the recording %s, the question %s",
                     json_is_true(reading) ? "as recorded" : "with all threads and life cycles",
                     c->as_recorded ? "as recorded" : "with all threads and life cycles");
}

static void check_document(struct checker *c, const json_t *document, tac_watch *watch)
{
    size_t i;
    json_t *json;
    const char *format = json_string_value(json_object_get(document, "format"));
    if (!format || strcmp(format, CERTIFICATE_FORMAT))
        check_reject(c, "this is not a certificate of the form \"%s\"", CERTIFICATE_FORMAT);
    check_binding(c, document);
    if (c->rejected)
        return;
    json_array_foreach(json_object_get(document, "cones"), i, json)
    {
        struct check_cone cone = {0};
        read_cone(c, json, &cone);
        if (!c->rejected)
            check_effects(c, &cone);
        if (!c->rejected)
            check_complete(c, &cone);
        if (!c->rejected && c->status == TAC_OK)
            check_states(c, &cone, json_object_get(json, "states"), watch);
        for (size_t l = 0; !c->rejected && l < c->recording->letters.count; l++)
            c->claimed[l] |= cone.target[l];
        cone_release(&cone);
        c->cones++;
        if (c->rejected || c->status != TAC_OK)
            return;
    }
    if (!c->rejected)
        check_claims(c);
}

/* Exactly what an accepted certificate proves. */
static void explain(const struct checker *c, tac_verdict *verdict)
{
    const struct recording *r = c->recording;
    size_t recorded = r->events.count - r->assumed_events;
    tac_str calls = {0};
    for (size_t i = 0; i < c->proved.count && i < 3; i++)
        tac_str_addf(&calls, "%s%s", i ? "; " : ": ", c->texts.text[c->proved.at[i]]);
    if (c->proved.count > 3)
        tac_str_addf(&calls, "; and %zu more", c->proved.count - 3);
    if (!c->proved.count)
        tac_verdict_explain(verdict,
                            "accepted: these rules disallow no call%s%s that an event of %s makes",
                            c->target ? " of " : "", c->target ? c->target : "", r->name);
    else
        tac_verdict_explain(
            verdict,
            "accepted: it proves that no order of the %zu recorded%s%s of %s makes %zu call%s "
            "where these rules disallow %s%s (%zu cone%s, %zu states)",
            recorded, r->assumed_events ? " and the assumed" : "",
            recorded == 1 ? " callback" : " callbacks", r->name, c->proved.count,
            c->proved.count == 1 ? "" : "s", c->proved.count == 1 ? "it" : "them",
            tac_str_text(&calls), c->cones, c->cones == 1 ? "" : "s", c->states);
    tac_str_free(&calls);
}

static void list_proved(const struct checker *c, tac_protocol_check *out)
{
    size_t count = c->rejected ? 0 : c->proved.count;
    const char **list = tac_arena_calloc(out->memory, count + 1, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = evidence_text(out->memory, c->texts.text[c->proved.at[i]]);
    out->proved = list;
    out->proved_count = count;
}

static void set_result(const struct checker *c, const char *path, tac_protocol_check *out)
{
    const struct recording *r = c->recording;
    tac_arena *memory = evidence_memory();
    assert(r->assumed_events <= r->events.count);
    *out = (tac_protocol_check){
        .reason = c->rejected ? evidence_text(memory, tac_str_text(&c->reason)) : NULL,
        .cones = c->cones,
        .states = c->states,
        .ground_rules = c->rules.rules.count,
        .target = evidence_text_or_null(memory, c->target),
        .as_recorded = c->as_recorded,
        .rules_hash = evidence_text(memory, c->specs->hash),
        .recording_hash = evidence_text(memory, r->hash),
        .events = r->events.count - r->assumed_events,
        .assumed_callbacks = r->assumed_events,
        .memory = memory,
    };
    list_proved(c, out);
    tac_verdict_init(&out->verdict, "protocol", path, c->rejected ? TAC_VIOLATED : TAC_HOLDS);
    if (c->rejected)
        tac_verdict_explain(&out->verdict, "rejected: %s", tac_str_text(&c->reason));
    else
        explain(c, &out->verdict);
}

tac_status checker_open(const tac_protocol_rules *rules, const tac_recording *recording,
                        const tac_protocol_options *options, struct checker *out, tac_error *err)
{
    struct recording *completed = NULL;
    tac_status status = problem_read(rules, recording, options, &completed, err);
    if (status != TAC_OK)
        return status;
    *out = (struct checker){
        .specs = &rules->set,
        .recording = completed ? completed : recording_read_as(recording, options->as_recorded),
        .completed = completed,
        .target = options->target,
        .as_recorded = options->as_recorded,
        .err = err,
        .status = TAC_OK};
    status = check_ground(out->specs, out->recording, options->watch, &out->rules, err);
    if (status != TAC_OK) {
        recording_free(completed);
        return status;
    }
    checker_start(out);
    return TAC_OK;
}

tac_status checker_judge(struct checker *c, const json_t *document, tac_watch *watch)
{
    assert(c->claimed && c->own);
    memset(c->claimed, 0, c->recording->letters.count + 1);
    c->proved.count = c->cones = c->states = 0;
    c->rejected = false;
    tac_str_clear(&c->reason);
    check_document(c, document, watch);
    assert(c->rejected || c->status != TAC_OK || c->proved.count <= c->recording->letters.count);
    return c->status;
}

tac_status tac_protocol_check_certificate(const tac_protocol_rules *rules,
                                          const tac_recording *recording, const char *path,
                                          const tac_protocol_options *options,
                                          tac_protocol_check *out, tac_error *err)
{
    tac_json json;
    tac_status status = tac_json_load(path, MAX_CERTIFICATE, &json, err);
    if (status != TAC_OK)
        return status;
    struct checker c;
    status = checker_open(rules, recording, options, &c, err);
    if (status != TAC_OK) {
        tac_json_free(&json);
        return status;
    }
    status = checker_judge(&c, json.root, options->watch);
    if (status == TAC_OK && out)
        set_result(&c, path, out);
    checker_close(&c);
    tac_json_free(&json);
    return status;
}
