/* mutate LIST RECORDING COUNT SEED [--print]: certificates that must not be accepted.
 *
 * For a recording that is unsafe under the rules (the paper's reading) the best forgery there is
 * gets written: for each group of targets an abstraction with all its reachable states, where only
 * the violation itself gives it away. Then COUNT structured changes are made to copies of it:
 * states, tables, classes, effects, initial states, tracked messages, targets, cones, hashes. Each
 * is judged by the checker; the exit code is 1 when one was accepted. --print writes each as a line
 * of JSON with the checker's answer in front ("+" or "-"), for another checker to judge. */
#include "base/data/alloc.h"
#include "base/data/random.h"
#include "protocol/check/certificate.h"
#include "protocol/check/check_certificate.h"
#include <stdio.h>
#include <string.h>

#define MAX_STATES 400

struct forge {
    struct problem problem;
    tac_random random;
    TAC_VEC(json_t *) cones;
};

static uint32_t below(struct forge *f, size_t limit)
{
    return limit ? (uint32_t)tac_random_below(&f->random, limit) : 0;
}

/* Every state that the events reach in the abstraction, violations left aside. */
static void explore(const struct cone *cone, struct state_set *out)
{
    tac_names seen = {0};
    size_t bytes = cone->words * sizeof(uint64_t);
    uint64_t *state = tac_calloc(cone->words + 1, sizeof *state);
    uint32_t *scratch = system_borrow(cone->system);
    if (!cone->blocked_at_start)
        tac_names_intern_bytes(&seen, cone->initial, bytes);
    for (uint32_t i = 0; i < seen.count && seen.count < MAX_STATES; i++)
        for (size_t p = 0; p < cone->programs.count; p++) {
            memcpy(state, seen.text[i], bytes);
            if (cone_run(cone, &cone->programs.at[p], state, scratch).result == STEP_OK)
                tac_names_intern_bytes(&seen, state, bytes);
        }
    out->count = seen.count;
    out->words = tac_calloc(seen.count * cone->words + 1, sizeof *out->words);
    for (uint32_t i = 0; i < seen.count; i++)
        memcpy(out->words + i * cone->words, seen.text[i], bytes);
    tac_names_free(&seen);
    free(state);
    system_return(cone->system, scratch);
}

static void track(const struct system *s, uint32_t bit, struct member_set *chosen)
{
    member_set_add(chosen, bit);
    for (uint32_t i = s->bit_first[bit]; i < s->bit_first[bit + 1]; i++)
        if (s->machines.at[s->bit_machines.at[i]].automaton.states > 1)
            member_set_add(chosen, machine_member(s, s->bit_machines.at[i]));
}

/* One cone: the targets of a group and some of the messages that matter to them. */
static json_t *forge_cone(struct forge *f, const struct target_group *group, bool more)
{
    const struct system *s = &f->problem.system;
    struct member_set chosen;
    struct cone cone;
    struct state_set states;
    member_set_open(s, &chosen);
    for (uint32_t e = 0; e < s->events.count; e++)
        member_set_add(&chosen, event_member(s, e));
    for (size_t i = 0; i < group->bits.count; i++)
        track(s, group->bits.at[i], &chosen);
    for (size_t i = 0, taken = 0; more && i < group->closure.count && taken < 4; i++)
        if (group->closure.at[i] < s->bit_count && below(f, 3) == 0) {
            track(s, group->closure.at[i], &chosen);
            taken++;
        }
    member_set_sort(&chosen);
    cone_build(s, &chosen.members, true, &cone);
    for (size_t i = 0; i < group->bits.count; i++)
        tac_vec_push(&cone.targets, group->bits.at[i]);
    explore(&cone, &states);
    json_t *json = certificate_cone(&f->problem, &cone, &states);
    free(states.words);
    cone_free(&cone);
    member_set_close(s, &chosen);
    return json;
}

static json_t *pick(struct forge *f, json_t *list)
{
    return json_array_get(list, below(f, json_array_size(list)));
}

static void set_number(json_t *list, size_t i, json_int_t value)
{
    if (i < json_array_size(list))
        json_array_set_new(list, i, json_integer(value));
}

/* A state with one character changed, put in, put in place, or taken away. */
static void change_states(struct forge *f, json_t *cone)
{
    json_t *states = json_object_get(cone, "states");
    size_t count = json_array_size(states), i = below(f, count);
    if (!count)
        return;
    char *text = tac_strdup(json_string_value(json_array_get(states, i)));
    uint32_t at = below(f, strlen(text));
    switch (below(f, 4)) {
    case 0:
        json_array_remove(states, i);
        break;
    case 1:
        json_array_clear(states);
        break;
    default:
        if (text[at] == '0' || text[at] == '1')
            text[at] ^= 1;
        else if (text[at] >= '0' && text[at] <= '9')
            text[at] = (char)('0' + below(f, 10));
        if (below(f, 2))
            json_array_set_new(states, i, json_string(text));
        else
            json_array_append_new(states, json_string(text));
    }
    free(text);
}

static void change_table(struct forge *f, json_t *machine)
{
    json_t *next = json_object_get(machine, "next"), *fires = json_object_get(machine, "fires");
    json_int_t states = json_integer_value(json_object_get(machine, "states"));
    size_t i = below(f, json_array_size(fires));
    switch (below(f, 6)) {
    case 0:
        set_number(fires, i, !json_integer_value(json_array_get(fires, i)));
        break;
    case 1:
        for (size_t k = 0; k < json_array_size(fires); k++)
            set_number(fires, k, 0);
        break;
    case 2:
        set_number(next, i, below(f, (size_t)states));
        break;
    case 3:
        json_object_set_new(machine, "initial", json_integer(below(f, (size_t)states)));
        break;
    case 4:
        json_object_set_new(
            machine, "fires_at_start",
            json_boolean(!json_is_true(json_object_get(machine, "fires_at_start"))));
        break;
    default:
        json_object_set_new(machine, "classes", json_integer(1 + below(f, 4)));
    }
}

static void change_letters(struct forge *f, json_t *machine)
{
    json_t *letters = json_object_get(machine, "letters");
    size_t i = below(f, json_array_size(letters));
    json_int_t classes = json_integer_value(json_object_get(machine, "classes"));
    json_t *letter = json_array_get(letters, i);
    if (!letter)
        return;
    switch (below(f, 3)) {
    case 0:
        json_array_remove(letters, i);
        break;
    case 1:
        json_array_append_new(letters, json_deep_copy(letter));
        set_number(json_array_get(letters, json_array_size(letters) - 1), 1,
                   below(f, (size_t)classes));
        break;
    default:
        set_number(letter, 1, below(f, (size_t)classes));
    }
}

static void change_effects(struct forge *f, json_t *cone, json_t *machine)
{
    json_t *effects = json_object_get(machine, "effects"), *effect = pick(f, effects);
    if (!effect)
        return;
    switch (below(f, 4)) {
    case 0:
        json_array_remove(effects, below(f, json_array_size(effects)));
        break;
    case 1:
        json_object_set_new(effect, "permits",
                            json_boolean(!json_is_true(json_object_get(effect, "permits"))));
        break;
    case 2:
        json_object_set(effect, "message", pick(f, json_object_get(cone, "messages")));
        break;
    default:
        json_array_append_new(effects, json_deep_copy(effect));
        effect = json_array_get(effects, json_array_size(effects) - 1);
        json_object_set_new(effect, "permits",
                            json_boolean(!json_is_true(json_object_get(effect, "permits"))));
    }
}

static void change_machines(struct forge *f, json_t *cone)
{
    json_t *machines = json_object_get(cone, "machines"), *machine = pick(f, machines);
    size_t i = below(f, json_array_size(machines));
    if (!machine)
        return;
    switch (below(f, 6)) {
    case 0:
        json_array_remove(machines, i);
        break;
    case 1:
        json_array_append_new(machines, json_deep_copy(machine));
        break;
    case 2:
        change_letters(f, machine);
        break;
    case 3:
        change_effects(f, cone, machine);
        break;
    default:
        change_table(f, machine);
    }
}

/* A tracked message leaves, with its digit in every state. */
static void untrack(struct forge *f, json_t *cone)
{
    json_t *messages = json_object_get(cone, "messages"), *states = json_object_get(cone, "states");
    size_t i = below(f, json_array_size(messages));
    if (!json_array_size(messages))
        return;
    if (below(f, 2)) { /* as a target too */
        json_t *targets = json_object_get(cone, "targets");
        for (size_t t = json_array_size(targets); t-- > 0;)
            if (json_equal(json_array_get(targets, t), json_array_get(messages, i)))
                json_array_remove(targets, t);
    }
    json_array_remove(messages, i);
    for (size_t s = 0; s < json_array_size(states); s++) {
        char *text = tac_strdup(json_string_value(json_array_get(states, s)));
        if (i < strlen(text))
            memmove(text + i, text + i + 1, strlen(text + i));
        json_array_set_new(states, s, json_string(text));
        free(text);
    }
}

static void change_claims(struct forge *f, json_t *document, json_t *cones, json_t *cone)
{
    json_t *targets = json_object_get(cone, "targets");
    switch (below(f, 6)) {
    case 0:
        json_array_remove(targets, below(f, json_array_size(targets)));
        break;
    case 1:
        if (pick(f, json_object_get(cone, "messages")))
            json_array_append(targets, pick(f, json_object_get(cone, "messages")));
        break;
    case 2:
        json_array_remove(cones, below(f, json_array_size(cones)));
        break;
    case 3:
        json_object_set_new(document, "target", json_string("zzz"));
        json_array_clear(cones);
        break;
    case 4:
        json_object_set_new(cone, "with_memory", json_integer(below(f, 4)));
        break;
    default:
        json_array_append_new(cones, json_deep_copy(cone));
    }
}

static void change_head(struct forge *f, json_t *document)
{
    static const char *const keys[] = {"rules_sha256", "recording_sha256"};
    const char *key = keys[below(f, 2)];
    const char *present = json_string_value(json_object_get(document, key));
    char *hash = tac_strdup(present ? present : "0");
    size_t at = below(f, strlen(hash));
    switch (below(f, 4)) {
    case 0:
        json_object_del(document, key);
        break;
    case 1:
        json_object_set_new(document, "as_recorded", json_false());
        break;
    case 2:
        json_object_set_new(document, "format", json_string("tactus protocol certificate 1"));
        break;
    default:
        hash[at] = hash[at] == '0' ? '1' : '0';
        json_object_set_new(document, key, json_string(hash));
    }
    free(hash);
}

static void change(struct forge *f, json_t *document)
{
    json_t *cones = json_object_get(document, "cones"), *cone = pick(f, cones);
    uint32_t what = below(f, 20);
    if (what == 0)
        change_head(f, document);
    else if (!cone)
        return;
    else if (what < 7)
        change_states(f, cone);
    else if (what < 13)
        change_machines(f, cone);
    else if (what < 17)
        change_claims(f, document, cones, cone);
    else
        untrack(f, cone);
}

static json_t *base(struct forge *f, const tac_protocol_options *options, bool more)
{
    size_t count;
    struct target_group *groups = search_groups(&f->problem.system, NULL, &count);
    json_t *cones = json_array();
    for (size_t g = 0; g < count; g++)
        json_array_append_new(cones, forge_cone(f, &groups[g], more));
    search_groups_free(groups, count);
    return certificate_document(&f->problem, options, cones);
}

static size_t mutate(struct forge *f, struct checker *checker, const json_t *const *bases,
                     size_t wanted, bool print)
{
    size_t accepted = 0;
    for (size_t i = 0; i < wanted; i++) {
        json_t *document = json_deep_copy(bases[below(f, 3)]);
        for (uint32_t k = i ? 1 + below(f, 4) : 0; k > 0; k--) /* the first is the forgery itself */
            change(f, document);
        checker_judge(checker, document, NULL);
        accepted += !checker->rejected;
        if (print) {
            char *text = json_dumps(document, JSON_COMPACT);
            printf("%c%s\n", checker->rejected ? '-' : '+', text);
            free(text);
        }
        json_decref(document);
    }
    return accepted;
}

int main(int argc, char **argv)
{
    tac_protocol_options options = {.as_recorded = true};
    tac_protocol_rules *rules = NULL;
    tac_recording *recording = NULL;
    tac_error err;
    struct forge f = {0};
    struct checker checker;
    if (argc < 5) {
        fprintf(stderr, "usage: mutate LIST RECORDING COUNT SEED [--print]\n");
        return 2;
    }
    if (tac_protocol_rules_read_list(argv[1], NULL, &rules, NULL, &err) != TAC_OK ||
        tac_recording_read(argv[2], &recording, &err) != TAC_OK ||
        problem_build(rules, recording, &options, &f.problem, &err) != TAC_OK ||
        checker_open(rules, recording, &options, &checker, &err) != TAC_OK) {
        fprintf(stderr, "mutate: %s\n", err.message);
        return 4;
    }
    tac_random_seed(&f.random, strtoull(argv[4], NULL, 10));
    json_t *bases[3] = {base(&f, &options, false), base(&f, &options, true),
                        base(&f, &options, true)};
    size_t wanted = strtoull(argv[3], NULL, 10);
    size_t accepted = mutate(&f, &checker, (const json_t *const *)bases, wanted, argc > 5);
    fprintf(stderr, "%zu of %zu accepted\n", accepted, wanted);
    for (int i = 0; i < 3; i++)
        json_decref(bases[i]);
    checker_close(&checker);
    problem_free(&f.problem);
    tac_recording_free(recording);
    tac_protocol_rules_free(rules);
    return accepted ? 1 : 0;
}
