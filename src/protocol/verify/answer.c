/* The answer of verify as a document and as a typed result: the verdict per call, the witness and
 * what to do about it. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "protocol/verify/verification.h"
#include <string.h>

static const char *const safety_names[] = {
    [TAC_SAFETY_UNKNOWN] = "UNKNOWN",
    [TAC_SAFE] = "SAFE",
    [TAC_UNSAFE] = "UNSAFE",
    [TAC_INADMISSIBLE] = "INADMISSIBLE",
};

static tac_safety safety_of(const struct verification *v, enum search_verdict verdict)
{
    static const tac_safety safeties[] = {
        [SEARCH_UNKNOWN] = TAC_SAFETY_UNKNOWN,
        [SEARCH_SAFE] = TAC_SAFE,
        [SEARCH_UNSAFE] = TAC_UNSAFE,
    };
    return v->inadmissible ? TAC_INADMISSIBLE : safeties[verdict];
}

/* "pkg.Cls.method" of a letter: what tables group by. */
static char *method_name(const struct problem *p, uint32_t letter)
{
    const struct recording *r = p->recording;
    assert(letter < r->letters.count);
    const char *text = r->names.text[r->calls.at[r->letters.at[letter].call].signature];
    const char *open = strchr(text, '(');
    size_t length = open ? (size_t)(open - text) : strlen(text);
    const char *space = memchr(text, ' ', length);
    const char *start = space ? space + 1 : text;
    assert(start <= text + length);
    return tac_strndup(start, length - (size_t)(start - text));
}

/* A conflict of rules is listed where it matters only. */
static bool is_listed(const struct target_result *t)
{
    return t->bit != TAC_NONE || t->verdict != SEARCH_SAFE;
}

static json_t *targets_json(const struct verification *v)
{
    const struct problem *p = v->problem;
    const struct search_result *result = &v->found;
    json_t *list = json_array();
    for (size_t i = 0; i < result->targets.count; i++) {
        const struct target_result *t = &result->targets.at[i];
        assert(t->bit == TAC_NONE || t->bit < p->system.bit_letters.count);
        if (!is_listed(t))
            continue;
        json_t *target = json_object();
        json_object_set_new(target, "message",
                            t->bit == TAC_NONE
                                ? json_string("any call after a conflict of rules")
                                : problem_letter_json(p, p->system.bit_letters.at[t->bit]));
        if (t->bit != TAC_NONE) {
            char *method = method_name(p, p->system.bit_letters.at[t->bit]);
            json_object_set_new(target, "method", tac_json_string(method));
            free(method);
        }
        json_object_set_new(target, "verdict", json_string(safety_names[safety_of(v, t->verdict)]));
        if (t->verdict == SEARCH_UNSAFE)
            json_object_set_new(target, "witness_events",
                                json_integer((json_int_t)t->events.count));
        json_array_append_new(list, target);
    }
    return list;
}

json_t *verification_document(const struct verification *v, const struct replay *replay)
{
    const struct problem *p = v->problem;
    const struct search_result *result = &v->found;
    const struct recording *r = p->recording;
    json_t *json = json_object();
    assert(!replay->target || replay->steps);
    json_object_set_new(json, "verdict", json_string(safety_names[safety_of(v, v->verdict)]));
    if (v->validation)
        json_object_set_new(json, "admitted", json_boolean(v->admitted));
    if (v->validation && !v->admitted) {
        json_t *refused = validation_refused(v->validation);
        json_object_set_new(json, "because", validation_because(v->validation));
        json_object_set_new(json, "refused", refused ? refused : json_null());
    }
    json_object_set_new(json, "witness_events",
                        replay->target ? json_integer((json_int_t)replay->target->events.count)
                                       : json_null());
    json_object_set_new(json, "witness",
                        replay->target ? json_incref(replay->steps) : json_array());
    json_object_set_new(json, "violation",
                        replay->target ? json_incref(replay->violation) : json_null());
    json_object_set_new(json, "targets", targets_json(v));
    if (v->witnesses)
        json_object_set(json, "witnesses", v->witnesses);
    json_object_set_new(json, "engine", json_string(result->used_bdd ? "bdd" : "bfs"));
    json_object_set_new(json, "states", json_integer((json_int_t)result->states));
    json_object_set_new(json, "ground_rules", json_integer((json_int_t)p->grounding.rules.count));
    json_object_set_new(json, "messages", json_integer((json_int_t)r->ui_messages));
    json_object_set_new(json, "toplevel_callbacks",
                        json_integer((json_int_t)(r->events.count - r->assumed_events)));
    json_object_set_new(json, "events", json_integer((json_int_t)p->system.events.count));
    json_object_set_new(json, "raised_callbacks", json_integer((json_int_t)r->raised_events));
    problem_add_reading(p, json);
    json_object_set_new(json, "certificate",
                        v->certificate ? tac_json_string(v->certificate) : json_null());
    return json;
}

static void explain_violation(const struct problem *p, const struct replay *replay,
                              const char *words, tac_verdict *verdict)
{
    size_t events = replay->target->events.count;
    tac_str rule = {0};
    if (replay->rule == TAC_NONE)
        tac_str_add(&rule, "no rule");
    else
        problem_rule_place(p, replay->rule, &rule);
    tac_verdict_explain(verdict, "%zu event%s lead%s to %s, which %s %s", events,
                        events == 1 ? "" : "s", events == 1 ? "s" : "", words, tac_str_text(&rule),
                        replay->rule == TAC_NONE ? "allows" : "disallows");
    tac_verdict_advise(verdict, "guard the call, or make the last event impossible after the "
                                "one that made it illegal");
    verdict->witness = json_incref(replay->steps);
    tac_str_free(&rule);
}

static void list_calls(const struct verification *v, tac_protocol_result *out)
{
    const struct problem *p = v->problem;
    out->calls = tac_calloc(v->found.targets.count + 1, sizeof *out->calls);
    for (size_t i = 0; i < v->found.targets.count; i++) {
        const struct target_result *t = &v->found.targets.at[i];
        if (is_listed(t))
            out->calls[out->call_count++] = (tac_protocol_call){
                .method =
                    t->bit == TAC_NONE ? NULL : method_name(p, p->system.bit_letters.at[t->bit]),
                .safety = safety_of(v, t->verdict)};
    }
    assert(out->call_count <= v->found.targets.count);
}

void verification_result(const struct verification *v, const struct replay *replay,
                         tac_protocol_result *out)
{
    *out = (tac_protocol_result){.safety = safety_of(v, v->verdict)};
    tac_verdict *verdict = &out->verdict;
    if (v->validation)
        validation_result(v->validation, out);
    list_calls(v, out);
    if (replay->target) {
        tac_str words = {0};
        recording_letter_words(v->problem->recording, replay->illegal, &words);
        out->predicted = tac_str_take(&words);
        out->witness_events = replay->target->events.count;
    }
    static const tac_answer answers[] = {TAC_INCONCLUSIVE, TAC_HOLDS, TAC_VIOLATED};
    const struct problem *p = v->problem;
    const struct search_result *result = &v->found;
    tac_verdict_init(verdict, "protocol", p->recording->name,
                     v->inadmissible ? TAC_INCONCLUSIVE : answers[v->verdict]);
    if (v->inadmissible) {
        tac_verdict_explain(verdict, "the rules do not admit the recording: rule %s",
                            out->refusing_rule);
        tac_verdict_advise(verdict, "correct the rule: a proof by rules that do not hold for the "
                                    "recorded run proves nothing");
    } else if (v->verdict == SEARCH_UNSAFE) {
        explain_violation(p, replay, out->predicted, verdict);
    } else if (v->verdict == SEARCH_SAFE) {
        tac_verdict_explain(verdict,
                            "no order of the recorded events makes a prohibited call "
                            "(%zu calls looked at, %llu states)",
                            result->targets.count, (unsigned long long)result->states);
    } else {
        tac_verdict_explain(verdict, "not decided within the memory limit");
        tac_verdict_advise(verdict, "look at one call at a time, or use decision diagrams");
    }
    verdict->statistics = json_pack("{s:I,s:I,s:I}", "states", (json_int_t)result->states,
                                    "ground_rules", (json_int_t)p->grounding.rules.count, "targets",
                                    (json_int_t)result->targets.count);
}
