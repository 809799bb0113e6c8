/* Writing certificates. Messages are named in full, machines are given as tables, states as one
 * text each: a digit per tracked message (1 = blocked), then the machines' states. */
#include "protocol/check/certificate.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include <string.h>

#define PROOF_STATE_BUDGET ((size_t)1 << 17)

static json_t *machine_json(const struct problem *p, const struct machine *m)
{
    const struct automaton *a = &m->automaton;
    const struct system *s = &p->system;
    json_t *json = json_object(), *effects = json_array(), *letters = json_array();
    json_t *next = json_array(), *fires = json_array();
    for (uint32_t i = 0; i < m->effect_count; i++) {
        const struct effect *e = &s->effects.at[m->first_effect + i];
        tac_str place = {0};
        problem_rule_place(p, e->rule, &place);
        json_t *effect = json_object();
        json_object_set_new(effect, "message", problem_letter_json(p, s->bit_letters.at[e->bit]));
        json_object_set_new(effect, "permits", json_boolean(e->permits));
        json_object_set_new(effect, "rule", tac_json_string(tac_str_text(&place)));
        json_array_append_new(effects, effect);
        tac_str_free(&place);
    }
    for (uint32_t i = 0; i < a->letter_count; i++) {
        json_t *letter = json_array();
        json_array_append_new(letter, problem_letter_json(p, a->letters[i]));
        json_array_append_new(letter, json_integer(a->letter_class[i]));
        json_array_append_new(letters, letter);
    }
    for (uint32_t i = 0; i < a->states * a->classes; i++) {
        json_array_append_new(next, json_integer(a->next[i]));
        json_array_append_new(fires, json_integer(a->fires[i]));
    }
    json_object_set_new(json, "effects", effects);
    json_object_set_new(json, "states", json_integer(a->states));
    json_object_set_new(json, "classes", json_integer(a->classes));
    json_object_set_new(json, "initial", json_integer(a->initial));
    json_object_set_new(json, "fires_at_start", json_boolean(a->fires_at_start));
    json_object_set_new(json, "letters", letters);
    json_object_set_new(json, "next", next);
    json_object_set_new(json, "fires", fires);
    return json;
}

/* Machines without memory are all listed: they take part in conflicts anywhere. */
static json_t *machines_json(const struct problem *p, const struct cone *cone)
{
    json_t *list = json_array();
    for (size_t i = 0; i < cone->machines.count; i++)
        json_array_append_new(
            list, machine_json(p, &p->system.machines.at[cone->machines.at[i].machine]));
    for (size_t m = 0; m < p->system.machines.count; m++)
        if (p->system.machines.at[m].automaton.states == 1)
            json_array_append_new(list, machine_json(p, &p->system.machines.at[m]));
    return list;
}

static json_t *states_json(const struct cone *cone, const struct state_set *states)
{
    json_t *list = json_array();
    tac_str text = {0};
    for (size_t i = 0; i < states->count; i++) {
        const uint64_t *state = states->words + i * cone->words;
        tac_str_clear(&text);
        for (size_t b = 0; b < cone->bits.count; b++)
            tac_str_add_char(&text, tac_bits_get(state, b) ? '1' : '0');
        for (size_t m = 0; m < cone->machines.count; m++)
            tac_str_addf(&text, "%c%u", m ? ',' : ' ', cone_field(&cone->machines.at[m], state));
        json_array_append_new(list, json_string(tac_str_text(&text)));
    }
    tac_str_free(&text);
    return list;
}

static json_t *cone_json(const struct problem *p, const struct cone *cone,
                         const struct state_set *states)
{
    json_t *json = json_object(), *targets = json_array(), *messages = json_array();
    for (size_t i = 0; i < cone->targets.count; i++)
        json_array_append_new(
            targets, problem_letter_json(p, p->system.bit_letters.at[cone->targets.at[i]]));
    for (size_t i = 0; i < cone->bits.count; i++)
        json_array_append_new(messages,
                              problem_letter_json(p, p->system.bit_letters.at[cone->bits.at[i]]));
    json_object_set_new(json, "targets", targets);
    json_object_set_new(json, "messages", messages);
    json_object_set_new(json, "with_memory", json_integer((json_int_t)cone->machines.count));
    json_object_set_new(json, "machines", machines_json(p, cone));
    json_object_set_new(json, "states", states_json(cone, states));
    return json;
}

static tac_status write_document(const json_t *document, const char *path, tac_error *err)
{
    tac_output output;
    tac_status status = tac_output_open(&output, path, err);
    if (status != TAC_OK)
        return status;
    status = tac_json_write(document, output.file, err);
    return tac_output_close(&output, status, err);
}

/* A small abstraction in which all targets of the group are safe, and its states. */
static tac_status prove(const struct problem *p, const struct target_group *group, tac_watch *watch,
                        struct cone *cone, struct state_set *states, tac_error *err)
{
    struct target_result *targets = tac_calloc(group->bits.count + 1, sizeof *targets);
    bool complete = false;
    uint64_t reached = 0;
    for (size_t i = 0; i < group->bits.count; i++)
        targets[i].bit = group->bits.at[i];
    tac_status status = search_refine(&p->system, group, PROOF_STATE_BUDGET, watch, targets,
                                      &complete, &reached, cone, states, err);
    for (size_t i = 0; i < group->bits.count; i++) {
        if (status == TAC_OK && complete && targets[i].verdict != SEARCH_SAFE)
            status = tac_fail(err, TAC_E_INTERNAL, "a proof of safety meets a counterexample");
        tac_vec_free(&targets[i].events);
    }
    free(targets);
    if (status == TAC_OK && !complete)
        status = tac_fail(err, TAC_E_LIMIT,
                          "no proof with fewer than %zu states was found: ask for one call at a "
                          "time with --target",
                          PROOF_STATE_BUDGET);
    return status;
}

tac_status certificate_write(struct problem *p, const tac_protocol_options *options, tac_error *err)
{
    if (options->paper_conflicts || options->model != TAC_MODEL_LIFESTATE)
        return tac_fail(err, TAC_E_USAGE,
                        "a certificate is about all rules and blocked conflicts: leave out "
                        "--model and --conflict");
    size_t count;
    struct target_group *groups = search_groups(&p->system, options->target, &count);
    json_t *cones = json_array();
    tac_status status = TAC_OK;
    for (size_t g = 0; g < count && status == TAC_OK; g++) {
        struct cone cone;
        struct state_set states = {0};
        status = prove(p, &groups[g], options->watch, &cone, &states, err);
        if (status != TAC_OK)
            break;
        json_array_append_new(cones, cone_json(p, &cone, &states));
        cone_free(&cone);
        free(states.words);
    }
    search_groups_free(groups, count);
    json_t *document = json_object();
    json_object_set_new(document, "format", json_string(CERTIFICATE_FORMAT));
    json_object_set_new(document, "trace", tac_json_string(p->recording->name));
    json_object_set_new(document, "target",
                        options->target ? tac_json_string(options->target) : json_null());
    json_object_set_new(document, "cones", cones);
    if (status == TAC_OK)
        status = write_document(document, options->certificate, err);
    json_decref(document);
    return status;
}
