/* The independent checker of certificates.
 *
 * Of a certificate it believes nothing. It checks that (1) each machine is the automaton of one of
 * its own ground rules for each effect it claims, and every own rule about a tracked message has
 * its machine (machines.c); (2) the states hold the start and every event leads from a state to a
 * state, or stops; (3) no event calls a target while it is prohibited (states.c); (4) every call
 * that some rule prohibits and some event makes is a target of some cone, unless the question was
 * about others. The question is the caller's: rules, recording, reading and target come from there,
 * and the hashes in the certificate must be theirs. Untracked messages never block here and rules
 * about them never conflict, which only adds runs, so what passes is safe (docs/protocol.md has the
 * argument). */
#include "protocol/check/check_certificate.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "base/verdict.h"
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
            !check_own_automaton(c, k)->fires_ever)
            continue;
        if (c->target && !strstr(r->names.text[r->calls.at[letter->call].signature], c->target))
            continue;
        if (c->claimed[rule->target]) {
            if (!check_listed(&c->proved, rule->target))
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
        check_cone_read(c, json, &cone);
        if (!c->rejected)
            check_effects(c, &cone);
        if (!c->rejected)
            check_complete(c, &cone);
        if (!c->rejected && c->status == TAC_OK)
            check_states(c, &cone, json_object_get(json, "states"), watch);
        for (size_t l = 0; !c->rejected && l < c->recording->letters.count; l++)
            c->claimed[l] |= cone.target[l];
        check_cone_free(&cone);
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
    size_t raised = r->raised_events, recorded = r->events.count - r->assumed_events - raised;
    tac_str calls = {0}, rest = {0};
    for (size_t i = 0; i < c->proved.count && i < 3; i++)
        tac_str_addf(&calls, "%s%s", i ? "; " : ": ", c->texts.text[c->proved.at[i]]);
    if (c->proved.count > 3)
        tac_str_addf(&calls, "; and %zu more", c->proved.count - 3);
    if (raised)
        tac_str_addf(&rest, "; says nothing of %zu callback%s that ended in an exception", raised,
                     raised == 1 ? "" : "s");
    if (!c->proved.count)
        tac_verdict_explain(
            verdict, "accepted: these rules disallow no call%s%s that an event of %s makes%s",
            c->target ? " of " : "", c->target ? c->target : "", r->name, tac_str_text(&rest));
    else
        tac_verdict_explain(
            verdict,
            "accepted: it proves that no order of the %zu recorded%s%s of %s makes %zu call%s "
            "where these rules disallow %s%s (%zu cone%s, %zu states)%s",
            recorded, r->assumed_events ? " and the assumed" : "",
            recorded == 1 ? " callback" : " callbacks", r->name, c->proved.count,
            c->proved.count == 1 ? "" : "s", c->proved.count == 1 ? "it" : "them",
            tac_str_text(&calls), c->cones, c->cones == 1 ? "" : "s", c->states,
            tac_str_text(&rest));
    tac_str_free(&calls);
    tac_str_free(&rest);
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
        .events = r->events.count - r->assumed_events - r->raised_events,
        .raised_callbacks = r->raised_events,
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
    if (c->specs->left_out)
        check_reject(c, "what may be a rule was left out: %s", c->specs->left_out);
    else
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
