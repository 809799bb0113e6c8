/* Predictive verification: search, replay the shortest witness, and say why each event was possible
 * and which call made the last one illegal.
 *
 * Nothing is reported that the simulator (simulator.h) does not reproduce message by message. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "protocol/check/certificate.h"
#include "protocol/check/simulator.h"
#include "protocol/validate/validation.h"
#include <string.h>

static const char *const safety_names[] = {
    [TAC_SAFETY_UNKNOWN] = "UNKNOWN",
    [TAC_SAFE] = "SAFE",
    [TAC_UNSAFE] = "UNSAFE",
    [TAC_INADMISSIBLE] = "INADMISSIBLE",
};

/* What verify found out. */
struct verification {
    struct problem *problem;
    const struct validation *validation; /* NULL: the rules are taken on trust, as recorded */
    bool admitted, inadmissible;         /* inadmissible: nothing was searched */
    struct search_result found;
    enum search_verdict verdict;
    const char *certificate; /* where the proof was written, or NULL */
    json_t *witnesses;       /* one per reachable call, where all are wanted; or NULL */
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

/* One message of a replay: which event of the witness and which message of the recording. */
struct replayed {
    uint32_t step, message;
};

struct replay {
    struct problem *problem;
    const struct target_result *target;
    struct simulator simulator;
    TAC_VEC(struct replayed) messages;
    json_t *steps;
    json_t *violation;
    uint32_t illegal, rule; /* the letter of the illegal call; the ground rule that disallows it */
};

/* {"rule", "fired_by", "in": number of the witness's event, ...} or null when nothing ever spoke
 * of the letter. */
static json_t *reason_json(const struct replay *y, struct reason reason)
{
    const struct problem *p = y->problem;
    if (reason.rule == TAC_NONE)
        return json_null();
    if (reason.message == TAC_NONE)
        return problem_reason_json(p, reason.rule, "the start");
    const struct replayed *at = &y->messages.at[reason.message];
    uint32_t call = p->recording->messages.at[at->message].call;
    uint32_t letter = p->recording->messages.at[at->message].letter;
    tac_str text = {0};
    recording_letter_text(p->recording, letter, &text);
    json_t *json = problem_reason_json(p, reason.rule, tac_str_text(&text));
    tac_str_free(&text);
    json_object_set_new(json, "words", problem_words_json(p, letter));
    json_object_set_new(json, "in", json_integer(at->step + 1));
    if (problem_call_line(p, call))
        json_object_set_new(json, "line", tac_json_string(problem_call_line(p, call)));
    return json;
}

static void add_step(struct replay *y, uint32_t event)
{
    const struct recording *r = y->problem->recording;
    uint32_t recorded = y->problem->system.events.at[event].recorded;
    uint32_t first = r->events.at[recorded].first;
    uint32_t letter = r->messages.at[first].letter;
    tac_str name = {0};
    assert(event < y->problem->system.events.count);
    recording_event_name(r, recorded, &name);
    json_t *step = json_object();
    json_object_set_new(step, "event", tac_json_string(tac_str_text(&name)));
    json_object_set_new(step, "callback", problem_letter_json(y->problem, letter));
    json_object_set_new(step, "assumed", json_boolean(r->events.at[recorded].assumed));
    if (r->events.at[recorded].assumed) {
        json_object_set_new(step, "recorded_as", json_null());
    } else {
        uint64_t id = r->calls.at[r->messages.at[first].call].entry_id;
        json_object_set_new(step, "recorded_as", json_integer(recorded + 1));
        json_object_set_new(step, "message_id", json_integer((json_int_t)id));
    }
    if (r->events.at[recorded].thread)
        json_object_set_new(step, "other_thread", json_true());
    json_object_set_new(step, "enabled_by", reason_json(y, y->simulator.reason[letter]));
    json_array_append_new(y->steps, step);
    tac_str_free(&name);
}

static void add_violation(struct replay *y, uint32_t step, uint32_t message)
{
    const struct problem *p = y->problem;
    const struct message *m = &p->recording->messages.at[message];
    assert(message < y->problem->recording->messages.count && !y->violation);
    y->illegal = m->letter;
    y->rule = y->simulator.doomed ? y->simulator.conflict.prohibiting
                                  : y->simulator.reason[m->letter].rule;
    y->violation = json_object();
    json_object_set_new(y->violation, "message", problem_letter_json(p, m->letter));
    json_object_set_new(y->violation, "words", problem_words_json(p, m->letter));
    json_object_set_new(y->violation, "in", json_integer(step + 1));
    if (problem_call_line(p, m->call))
        json_object_set_new(y->violation, "line", tac_json_string(problem_call_line(p, m->call)));
    if (y->simulator.doomed) {
        json_t *reason =
            problem_reason_json(p, y->simulator.conflict.prohibiting, "a conflict of rules");
        json_object_set_new(
            reason, "against",
            problem_reason_json(p, y->simulator.conflict.permitting, "a conflict of rules"));
        json_object_set_new(y->violation, "prohibited_by", reason);
    } else {
        json_object_set_new(y->violation, "prohibited_by",
                            reason_json(y, y->simulator.reason[m->letter]));
    }
}

/* Plays the witness on the simulator. True when it ends in a violation of the claimed message. */
static bool replay_witness(struct replay *y)
{
    struct problem *p = y->problem;
    const struct recording *r = p->recording;
    const struct target_result *t = y->target;
    assert(y->target && y->target->events.count);
    y->steps = json_array();
    if (simulator_start(&y->simulator, r, &p->grounding, p->system.paper) != STEP_OK)
        return false;
    for (uint32_t step = 0; step < t->events.count; step++) {
        const struct event *event = &p->system.events.at[t->events.at[step]];
        const struct top_level *top = &r->events.at[event->recorded];
        bool last = step + 1 == t->events.count;
        uint32_t wanted =
            last ? p->system.event_messages.at[event->first_letter + t->position] : TAC_NONE;
        add_step(y, t->events.at[step]);
        for (uint32_t i = top->first; i < top->end; i++) {
            uint32_t number = (uint32_t)y->messages.count;
            tac_vec_push(&y->messages, (struct replayed){step, i});
            enum step_result result =
                simulator_step(&y->simulator, r->messages.at[i].letter, number);
            if (result == STEP_VIOLATION && i == wanted) {
                add_violation(y, step, i);
                return true;
            }
            if (result != STEP_OK)
                return false;
        }
    }
    return false;
}

static void replay_free(struct replay *y)
{
    simulator_free(&y->simulator);
    tac_vec_free(&y->messages);
    json_decref(y->steps);
    json_decref(y->violation);
}

/* "pkg.Cls.method" of a letter: what tables group by. */
static char *method_name(const struct problem *p, uint32_t letter)
{
    const struct recording *r = p->recording;
    const char *text = r->names.text[r->calls.at[r->letters.at[letter].call].signature];
    const char *open = strchr(text, '(');
    size_t length = open ? (size_t)(open - text) : strlen(text);
    const char *space = memchr(text, ' ', length);
    const char *start = space ? space + 1 : text;
    assert(letter < p->recording->letters.count);
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

static tac_status not_reproduced(const struct verification *v, tac_error *err)
{
    return tac_fail(err, TAC_E_INTERNAL,
                    "the simulator does not reproduce the witness that the search found for %s: a "
                    "defect of Tactus, please report it",
                    v->problem->recording->name);
}

/* A witness of its own for every call that can be reached. */
static tac_status every_witness(struct verification *v, tac_error *err)
{
    tac_status status = TAC_OK;
    v->witnesses = json_array();
    for (size_t i = 0; i < v->found.targets.count && status == TAC_OK; i++) {
        const struct target_result *t = &v->found.targets.at[i];
        if (t->verdict != SEARCH_UNSAFE)
            continue;
        struct replay replay = {.problem = v->problem, .target = t};
        if (replay_witness(&replay))
            json_array_append_new(v->witnesses,
                                  json_pack("{s:I,s:O,s:O}", "witness_events",
                                            (json_int_t)t->events.count, "witness", replay.steps,
                                            "violation", replay.violation));
        else
            status = not_reproduced(v, err);
        replay_free(&replay);
    }
    return status;
}

static json_t *document_of(const struct verification *v, const struct replay *replay)
{
    const struct problem *p = v->problem;
    const struct search_result *result = &v->found;
    const struct recording *r = p->recording;
    json_t *json = json_object();
    json_object_set_new(json, "verdict", json_string(safety_names[safety_of(v, v->verdict)]));
    if (v->validation)
        json_object_set_new(json, "admitted", json_boolean(v->admitted));
    if (v->validation && !v->admitted) {
        json_t *refused = validation_refused(v->validation);
        json_object_set_new(json, "because", validation_because(v->validation));
        json_object_set_new(json, "refused", refused ? refused : json_null());
    }
    json_object_set_new(json, "witness_events",
                        replay ? json_integer((json_int_t)replay->target->events.count)
                               : json_null());
    json_object_set_new(json, "witness", replay ? json_incref(replay->steps) : json_array());
    json_object_set_new(json, "violation", replay ? json_incref(replay->violation) : json_null());
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
}

/* replay: of the witness, where there is one. */
static void set_result(const struct verification *v, const struct replay *replay,
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

static tac_status answer(struct verification *v, json_t **document, tac_protocol_result *result,
                         tac_error *err)
{
    assert(!v->inadmissible || v->validation);
    size_t shortest = SIZE_MAX;
    struct replay replay = {.problem = v->problem};
    tac_status status = TAC_OK;
    if (!v->inadmissible)
        v->verdict = search_overall(&v->found, &shortest);
    if (v->verdict != SEARCH_SAFE || v->inadmissible)
        v->certificate = NULL;
    if (shortest != SIZE_MAX) {
        replay.target = &v->found.targets.at[shortest];
        if (!replay_witness(&replay))
            status = not_reproduced(v, err);
    }
    if (status == TAC_OK && document)
        *document = document_of(v, replay.target ? &replay : NULL);
    if (status == TAC_OK && result)
        set_result(v, &replay, result);
    replay_free(&replay);
    return status;
}

/* A call that the rules disallow where it was recorded is the app's doing: the rules admit the run
 * up to there. What stops a callback, or makes two rules disagree, is theirs. */
static bool admits(enum step_result result)
{
    return result == STEP_OK || result == STEP_VIOLATION;
}

/* The calls that would have been looked at. */
static void list_targets(struct verification *v, const char *target)
{
    size_t count;
    struct target_group *groups = search_groups(&v->problem->system, target, &count);
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < groups[g].bits.count; i++)
            tac_vec_push(&v->found.targets, (struct target_result){.bit = groups[g].bits.at[i]});
    search_groups_free(groups, count);
}

static tac_status search_and_prove(struct verification *v, const tac_protocol_options *options,
                                   tac_error *err)
{
    struct search_options search = {
        .engine = (enum engine)options->engine, .target = options->target, .watch = options->watch};
    size_t shortest;
    tac_status status = search_all(&v->problem->system, &search, &v->found, err);
    if (status == TAC_OK && options->certificate &&
        search_overall(&v->found, &shortest) == SEARCH_SAFE)
        status = certificate_write(v->problem, options, err);
    return status;
}

tac_status tac_protocol_verify(const tac_protocol_rules *rules, const tac_recording *recording,
                               const tac_protocol_options *options, json_t **document,
                               tac_protocol_result *result, tac_error *err)
{
    struct problem problem, validated;
    bool compares = options->model != TAC_MODEL_LIFESTATE;
    tac_status status = problem_build_to_search(rules, recording, options, &problem, err);
    if (status != TAC_OK)
        return status;
    struct validation walk = {.problem = &problem};
    struct verification v = {.problem = &problem, .certificate = options->certificate};
    /* A model that is compared may be searched in without being admitted: its share is a figure. */
    if (compares) {
        status = problem_build(rules, recording, options, &validated, err);
        if (status != TAC_OK) {
            problem_free(&problem);
            return status;
        }
        walk.problem = &validated;
    }
    if (!options->as_recorded || compares) {
        status = validation_walk(&walk, options->watch, err);
        v.validation = &walk;
        v.admitted = admits(walk.result);
        v.inadmissible = !v.admitted && !options->trust_rules && !compares;
    }
    if (status == TAC_OK && v.inadmissible)
        list_targets(&v, options->target);
    else if (status == TAC_OK)
        status = search_and_prove(&v, options, err);
    if (status == TAC_OK && options->every_witness)
        status = every_witness(&v, err);
    if (status == TAC_OK)
        status = answer(&v, document, result, err);
    json_decref(v.witnesses);
    search_result_free(&v.found);
    validation_free(&walk);
    if (compares)
        problem_free(&validated);
    problem_free(&problem);
    return status;
}
