/* Writing certificates. Messages are named in full, machines are given as tables, states as one
 * text each: a digit per tracked message (1 = blocked), then the machines' states. Only what
 * concerns the tracked messages is written: their rules' machines, and of these the effects on
 * them. */
#include "protocol/check/certificate.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "base/io/json.h"

#define PROOF_STATE_BUDGET ((size_t)1 << 17)

static json_t *letter_json(const tac_names *texts, uint32_t letter)
{
    assert(letter < texts->count);
    return tac_json_string_n(texts->text[letter], texts->length[letter]);
}

/* A machine with the effects that concern the cone's messages. */
static json_t *machine_json(const struct problem *p, const tac_names *texts,
                            const struct cone *cone, const struct machine *m)
{
    const struct automaton *a = &m->automaton;
    const struct system *s = &p->system;
    json_t *json = json_object(), *effects = json_array(), *letters = json_array();
    json_t *next = json_array(), *fires = json_array();
    for (uint32_t i = 0; i < m->effect_count; i++) {
        const struct effect *e = &s->effects.at[m->first_effect + i];
        if (cone_bit(cone, e->bit) == TAC_NONE)
            continue;
        tac_str place = {0};
        problem_rule_place(p, e->rule, &place);
        json_t *effect = json_object();
        json_object_set_new(effect, "message", letter_json(texts, s->bit_letters.at[e->bit]));
        json_object_set_new(effect, "permits", json_boolean(e->permits));
        json_object_set_new(effect, "rule", tac_json_string(tac_str_text(&place)));
        json_array_append_new(effects, effect);
        tac_str_free(&place);
    }
    for (uint32_t i = 0; i < a->letter_count; i++) {
        json_t *letter = json_array();
        json_array_append_new(letter, letter_json(texts, a->letters[i]));
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

static bool concerns(const struct problem *p, const struct cone *cone, const struct machine *m)
{
    for (uint32_t i = 0; i < m->effect_count; i++)
        if (cone_bit(cone, p->system.effects.at[m->first_effect + i].bit) != TAC_NONE)
            return true;
    return false;
}

/* Those with memory first: their states are part of a state. */
static json_t *machines_json(const struct problem *p, const tac_names *texts,
                             const struct cone *cone)
{
    json_t *list = json_array();
    for (size_t i = 0; i < cone->machines.count; i++)
        json_array_append_new(
            list,
            machine_json(p, texts, cone, &p->system.machines.at[cone->machines.at[i].machine]));
    for (size_t m = 0; m < p->system.machines.count; m++) {
        const struct machine *machine = &p->system.machines.at[m];
        if (machine->automaton.states == 1 && concerns(p, cone, machine))
            json_array_append_new(list, machine_json(p, texts, cone, machine));
    }
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

static json_t *cone_json(const struct problem *p, const tac_names *texts, const struct cone *cone,
                         const struct state_set *states)
{
    json_t *json = json_object(), *targets = json_array(), *messages = json_array();
    for (size_t i = 0; i < cone->targets.count; i++)
        json_array_append_new(targets,
                              letter_json(texts, p->system.bit_letters.at[cone->targets.at[i]]));
    for (size_t i = 0; i < cone->bits.count; i++)
        json_array_append_new(messages,
                              letter_json(texts, p->system.bit_letters.at[cone->bits.at[i]]));
    json_object_set_new(json, "targets", targets);
    json_object_set_new(json, "messages", messages);
    json_object_set_new(json, "with_memory", json_integer((json_int_t)cone->machines.count));
    json_object_set_new(json, "machines", machines_json(p, texts, cone));
    json_object_set_new(json, "states", states_json(cone, states));
    return json;
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
                          "time",
                          PROOF_STATE_BUDGET);
    return status;
}

json_t *certificate_document(const struct problem *p, const tac_protocol_options *options,
                             json_t *cones)
{
    json_t *document = json_object();
    json_object_set_new(document, "format", json_string(CERTIFICATE_FORMAT));
    json_object_set_new(document, "trace", tac_json_string(p->recording->name));
    json_object_set_new(document, "rules_sha256", json_string(p->specs->hash));
    json_object_set_new(document, "recording_sha256", json_string(p->recording->hash));
    json_object_set_new(document, "as_recorded", json_boolean(options->as_recorded));
    json_object_set_new(document, "target",
                        options->target ? tac_json_string(options->target) : json_null());
    json_object_set_new(document, "cones", cones);
    return document;
}

json_t *certificate_cone(const struct problem *p, const struct cone *cone,
                         const struct state_set *states)
{
    tac_names texts = {0};
    recording_letter_texts(p->recording, &texts);
    json_t *json = cone_json(p, &texts, cone, states);
    tac_names_free(&texts);
    return json;
}

tac_status certificate_write(struct problem *p, const tac_protocol_options *options, tac_error *err)
{
    if (options->paper_conflicts || options->model != TAC_MODEL_LIFESTATE)
        return tac_fail(err, TAC_E_USAGE,
                        "a certificate is about all rules, and about conflicts that block");
    size_t count;
    struct target_group *groups = search_groups(&p->system, options->target, &count);
    json_t *cones = json_array();
    tac_names texts = {0};
    recording_letter_texts(p->recording, &texts);
    tac_status status = TAC_OK;
    for (size_t g = 0; g < count && status == TAC_OK; g++) {
        struct cone cone;
        struct state_set states = {0};
        status = prove(p, &groups[g], options->watch, &cone, &states, err);
        if (status != TAC_OK)
            break;
        json_array_append_new(cones, cone_json(p, &texts, &cone, &states));
        cone_free(&cone);
        free(states.words);
    }
    tac_names_free(&texts);
    search_groups_free(groups, count);
    json_t *document = certificate_document(p, options, cones);
    if (status == TAC_OK)
        status = tac_json_save(document, options->certificate, err);
    json_decref(document);
    return status;
}
