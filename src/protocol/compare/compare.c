/* Two rule sets on one recording: both systems on the same letters, the search, and the answer in
 * words. See compare.h. */
#include "protocol/compare/compare.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "protocol/system/lifecycle.h"
#include "protocol/system/problem.h"
#include <string.h>

static const char *const side_names[] = {"a", "b"};

/* The recording with the callbacks that either rule set's life cycles add. */
static struct recording *complete_for_both(const struct spec_set *a, const struct spec_set *b,
                                           const struct recording *r)
{
    struct recording *first = lifecycle_complete(a, r);
    struct recording *second = lifecycle_complete(b, first ? first : r);
    if (second && first)
        recording_free(first);
    return second ? second : first;
}

static tac_status build_side(const tac_protocol_rules *rules, const struct recording *recording,
                             const tac_protocol_options *options, struct problem *out,
                             tac_error *err)
{
    *out = (struct problem){.specs = &rules->set, .recording = recording};
    tac_status status =
        grounding_build(out->specs, recording, false, options->watch, &out->grounding, err);
    if (status != TAC_OK)
        return status;
    status = system_build(out->specs, recording, &out->grounding, false, &out->system, err);
    if (status != TAC_OK)
        grounding_free(&out->grounding);
    return status;
}

/* {"events": [...], "refused": message, "because": reason} of what one side alone admits. */
static json_t *difference_json(const struct problem *other, const u32_vec *events)
{
    assert(events->count);
    const struct recording *r = other->recording;
    json_t *json = json_object(), *list = json_array();
    for (size_t i = 0; i < events->count; i++) {
        tac_str name = {0};
        json_t *event = json_object();
        recording_event_name(r, events->at[i], &name);
        json_object_set_new(event, "event", tac_json_string(tac_str_text(&name)));
        json_object_set_new(event, "recorded_as", json_integer(events->at[i] + 1));
        json_object_set_new(event, "assumed", json_boolean(r->events.at[events->at[i]].assumed));
        json_array_append_new(list, event);
        tac_str_free(&name);
    }
    json_object_set_new(json, "events", list);
    struct refusal refusal = compare_follow(&other->system, events);
    assert(refusal.result != STEP_OK);
    bool at_start = refusal.message == TAC_NONE;
    bool conflict = refusal.result == STEP_CONFLICT;
    uint32_t rule = conflict ? refusal.conflict.prohibiting : refusal.reason.rule;
    json_object_set_new(
        json, "refused",
        at_start ? json_null() : problem_words_json(other, r->messages.at[refusal.message].letter));
    json_object_set_new(json, "result",
                        json_string(conflict                           ? "CONFLICT"
                                    : refusal.result == STEP_VIOLATION ? "VIOLATION"
                                                                       : "STUCK"));
    json_object_set_new(
        json, "because",
        problem_reason_json(other, rule, conflict ? "a conflict of rules" : "an earlier message"));
    return json;
}

static void set_inclusion(json_t *json, const char *key, const struct comparison *c,
                          const struct difference *against)
{
    json_object_set_new(json, key,
                        against->found ? json_false()
                        : c->complete  ? json_true()
                                       : json_null());
}

static json_t *document_of(const struct problem *sides, const struct comparison *c)
{
    json_t *json = json_object();
    set_inclusion(json, "a_admits_all_of_b", c, &c->only[SIDE_B]);
    set_inclusion(json, "b_admits_all_of_a", c, &c->only[SIDE_A]);
    for (int k = 0; k < 2; k++) {
        char key[16];
        snprintf(key, sizeof key, "only_%s", side_names[k]);
        json_object_set_new(json, key,
                            c->only[k].found ? difference_json(&sides[!k], &c->only[k].events)
                                             : json_null());
    }
    json_object_set_new(json, "states", json_integer((json_int_t)c->states));
    json_object_set_new(json, "assumed_callbacks",
                        json_integer((json_int_t)sides[0].recording->assumed_events));
    return json;
}

tac_status tac_protocol_compare(const tac_protocol_rules *a, const tac_protocol_rules *b,
                                const tac_recording *recording, const tac_protocol_options *options,
                                json_t **document, tac_answer *answer, tac_error *err)
{
    const struct recording *r = recording_read_as(recording, options->as_recorded);
    struct recording *completed =
        options->as_recorded ? NULL : complete_for_both(&a->set, &b->set, r);
    struct problem sides[2];
    struct comparison found = {0};
    r = completed ? completed : r;
    tac_status status = build_side(a, r, options, &sides[0], err);
    if (status == TAC_OK) {
        status = build_side(b, r, options, &sides[1], err);
        if (status != TAC_OK)
            problem_free(&sides[0]);
    }
    if (status != TAC_OK) {
        recording_free(completed);
        return status;
    }
    const struct compared_side compared[2] = {{&sides[0].system, &sides[0].grounding},
                                              {&sides[1].system, &sides[1].grounding}};
    status = compare_search(compared, COMPARE_STATE_BUDGET, options->watch, &found, err);
    if (status == TAC_OK) {
        *answer = found.only[SIDE_B].found ? TAC_VIOLATED
                  : found.complete         ? TAC_HOLDS
                                           : TAC_INCONCLUSIVE;
        *document = document_of(sides, &found);
        comparison_free(&found);
    }
    problem_free(&sides[0]);
    problem_free(&sides[1]);
    recording_free(completed);
    return status;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void print_difference(const json_t *difference, const char *who, const char *other,
                             FILE *out)
{
    size_t i;
    json_t *event;
    const json_t *because = json_object_get(difference, "because");
    size_t count = json_array_size(json_object_get(difference, "events"));
    fprintf(out, "  %s admits, and %s does not, %zu event%s:\n", who, other, count,
            count == 1 ? "" : "s");
    json_array_foreach(json_object_get(difference, "events"), i, event) fprintf(
        out, "  %3zu. %s%s\n", i + 1, text_of(event, "event"),
        json_is_true(json_object_get(event, "assumed")) ? "   (not recorded, assumed)" : "");
    fprintf(out, "  %s refuses %s: %s %s it\n  rule: %s\n", other,
            json_is_string(json_object_get(difference, "refused")) ? text_of(difference, "refused")
                                                                   : "everything",
            text_of(because, "rule"), text_of(because, "effect"), text_of(because, "text"));
}

void tac_protocol_compare_text(const json_t *document, const char *trace, FILE *out)
{
    const json_t *whole = json_object_get(document, "a_admits_all_of_b");
    const json_t *other = json_object_get(document, "b_admits_all_of_a");
    fprintf(out, "%s: %s\n", trace,
            json_is_true(whole)    ? json_is_true(other)
                                         ? "yes, A and B admit the same sequences of its events"
                                         : "yes, A admits every sequence of its events that B admits"
            : json_is_false(whole) ? "no, B admits a sequence of its events that A does not"
                                   : "not decided within the limit on states");
    if (json_is_object(json_object_get(document, "only_b")))
        print_difference(json_object_get(document, "only_b"), "B", "A", out);
    if (json_is_object(json_object_get(document, "only_a")))
        print_difference(json_object_get(document, "only_a"), "A", "B", out);
}
