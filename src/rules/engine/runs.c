/* The enumerative engine's runs: Algorithm 4 over every (state, input).
 *
 * First each pair learns whether some run from it ends and whether some run never ends, by sweeps
 * to the fixpoint; then every run is followed once more to collect the distinct paths with their
 * inputs, one bit each. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "rules/engine/enumerate.h"

enum { ENDS = 1, LOOPS = 2 };

#define STEPS_FOR_WORK 25 /* steps of runs that cost as much as making one diagram node */
#define MAX_PATH_BYTES ((size_t)512 << 20)

struct step {
    uint32_t state, edge; /* edge taken from here */
    uint64_t pair;
};

struct found_path {
    uint64_t *inputs; /* one bit each */
};

struct runs {
    struct enumeration *x;
    uint8_t *ways; /* by pair: ENDS, LOOPS */
    TAC_VEC(struct step) path;
    uint64_t first_input, steps, most;
    tac_names keys; /* paths as bytes: cycle, loop, then state, edge, ..., state */
    TAC_VEC(struct found_path) found;
    TAC_VEC(uint32_t) key;
    bool stopped;
};

static bool sweep_pair(struct runs *r, uint64_t pair)
{
    size_t count;
    const uint32_t *edges = rules_fired_edges(r->x, pair, &count);
    if (count == 0)
        return false;
    uint8_t after = 0, before = r->ways[pair];
    for (size_t i = 0; i < count; i++)
        after |= r->ways[rules_matrix_after(&r->x->m, pair, edges[i])];
    r->ways[pair] = (uint8_t)((before & ENDS) | (after & ENDS) | (before & after & LOOPS));
    return r->ways[pair] != before;
}

static void sweep(struct runs *r)
{
    uint64_t pairs = r->x->run->rules->state_count * r->x->m.inputs;
    for (uint64_t pair = 0; pair < pairs; pair++) {
        size_t count;
        rules_fired_edges(r->x, pair, &count);
        r->ways[pair] = count ? LOOPS : ENDS;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint64_t pair = pairs; pair-- > 0;)
            changed = sweep_pair(r, pair) || changed;
    }
}

/* Some run of two transitions or more ends; *one tells that every run is one transition. */
static bool races(const struct runs *r, uint64_t pair, bool *one)
{
    const struct matrix *m = &r->x->m;
    size_t count, next_count;
    bool race = false;
    const uint32_t *edges = rules_fired_edges(r->x, pair, &count);
    *one = count > 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t next = rules_matrix_after(m, pair, edges[i]);
        const uint32_t *again = rules_fired_edges(r->x, next, &next_count);
        *one = *one && next_count == 0;
        for (size_t k = 0; k < next_count; k++)
            race = race || (r->ways[rules_matrix_after(m, next, again[k])] & ENDS);
    }
    return race;
}

static void count_state(struct runs *r, uint32_t s)
{
    uint64_t stable = 0, one = 0, race = 0, cycle = 0;
    for (uint64_t input = 0; input < r->x->m.inputs; input++) {
        size_t count;
        bool is_one;
        if (!tac_bits_get(r->x->m.valid, input))
            continue;
        uint64_t pair = s * r->x->m.inputs + input;
        rules_fired_edges(r->x, pair, &count);
        stable += count == 0;
        race += races(r, pair, &is_one);
        one += is_one;
        cycle += (r->ways[pair] & LOOPS) != 0;
    }
    tac_rules_state_findings *found = &r->x->run->out->states[s];
    rules_count_set_u64(&found->stable, stable);
    rules_count_set_u64(&found->one, one);
    rules_count_set_u64(&found->race, race);
    rules_count_set_u64(&found->cycle, cycle);
}

/* --- Paths ------------------------------------------------------------------------------------ */

static void record(struct runs *r, uint32_t last, bool cycle, size_t loop)
{
    assert(!cycle || loop < r->path.count);
    r->key.count = 0;
    tac_vec_push(&r->key, cycle);
    tac_vec_push(&r->key, (uint32_t)loop);
    for (size_t i = 0; i < r->path.count; i++) {
        tac_vec_push(&r->key, r->path.at[i].state);
        tac_vec_push(&r->key, r->path.at[i].edge);
    }
    tac_vec_push(&r->key, last);
    uint32_t id = tac_names_intern_bytes(&r->keys, r->key.at, r->key.count * sizeof *r->key.at);
    if (id == r->found.count) {
        if (id >= r->most || (id + 1) * r->x->m.words * 8 > MAX_PATH_BYTES) {
            r->stopped = true;
            return;
        }
        tac_vec_push(&r->found, (struct found_path){tac_bits_new(r->x->m.words * 64)});
    }
    if (id < r->found.count)
        tac_bits_set(r->found.at[id].inputs, r->first_input);
}

static void follow(struct runs *r, uint64_t pair)
{
    uint32_t state = (uint32_t)(pair / r->x->m.inputs);
    size_t count;
    if (r->stopped || r->steps++ / STEPS_FOR_WORK > r->x->run->work ||
        r->path.count > MAX_DEPTH_OF_PATHS) {
        r->stopped = true;
        return;
    }
    for (size_t i = 0; i < r->path.count; i++)
        if (r->path.at[i].pair == pair) {
            record(r, state, true, i);
            return;
        }
    const uint32_t *edges = rules_fired_edges(r->x, pair, &count);
    if (count == 0 && r->path.count >= 2)
        record(r, state, false, 0);
    for (size_t i = 0; i < count; i++) {
        tac_vec_push(&r->path, (struct step){state, edges[i], pair});
        follow(r, rules_matrix_after(&r->x->m, pair, edges[i]));
        r->path.count--;
    }
}

static tac_rules_path path_of_key(const struct runs *r, uint32_t id)
{
    assert(id < r->keys.count);
    const uint32_t *key = (const uint32_t *)(const void *)r->keys.text[id];
    size_t words = r->keys.length[id] / sizeof *key;
    tac_rules_path path = {.cycle = key[0], .loop = key[1], .length = (words - 3) / 2};
    path.states = tac_calloc(path.length + 1, sizeof *path.states);
    path.rules = tac_calloc(path.length + 1, sizeof *path.rules);
    for (size_t i = 0; i <= path.length; i++)
        path.states[i] = key[2 + 2 * i];
    for (size_t i = 0; i < path.length; i++)
        path.rules[i] = r->x->run->rules->edges[key[3 + 2 * i]].rule;
    return path;
}

struct cycle_sets {
    tac_names names;
    TAC_VEC(uint64_t *) inputs;
};

/* See keep_cycle in paths.c for the name of a cycle and its inputs. */
static void collect_cycle(struct runs *r, struct cycle_sets *cycles, const tac_rules_path *path,
                          const uint64_t *inputs)
{
    assert(path->cycle && path->states[path->loop] == path->states[path->length]);
    size_t length = path->length - path->loop, first;
    uint32_t *turned = rules_turned(r->x->run->rules, path->states + path->loop, length, &first);
    uint32_t id = tac_names_intern_bytes(&cycles->names, turned, length * sizeof *turned);
    if (id == cycles->inputs.count) {
        tac_vec_push(&cycles->inputs, tac_bits_new(r->x->m.words * 64));
        tac_rules_cycle cycle = {.states = turned, .length = length};
        FINDINGS_PUSH(r->x->run->out, cycles, cycle_count, cycle);
    } else {
        free(turned);
    }
    for (size_t w = 0; path->loop == 0 && first == 0 && w < r->x->m.words; w++)
        cycles->inputs.at[id][w] |= inputs[w];
}

static void judge_persistence(struct runs *r, const uint64_t *set, tac_rules_cycle *cycle)
{
    const tac_rules *rules = r->x->run->rules;
    cycle->persists = true;
    for (uint32_t v = 0; v < rules->variable_count; v++) {
        if (!rules->variables[v].monotone)
            continue;
        cycle->monotone_relevant = true;
        bool rising = rules->variables[v].monotone == TAC_MONOTONE_RISING;
        for (uint64_t input = 0; input < r->x->m.inputs; input++) {
            uint64_t moved = input ^ (uint64_t)1 << v;
            if (tac_bits_get(set, input) && (input >> v & 1) != rising &&
                tac_bits_get(r->x->m.valid, moved) && !tac_bits_get(set, moved))
                cycle->persists = false;
        }
    }
}

static void report_paths(struct runs *r)
{
    tac_rules_findings *out = r->x->run->out;
    struct cycle_sets cycles = {0};
    for (uint32_t id = 0; id < r->found.count; id++) {
        tac_rules_path path = path_of_key(r, id);
        size_t scope = tac_bdd_scope();
        rules_window_inputs(&r->x->window, rules_matrix_diagram(&r->x->m, r->found.at[id].inputs),
                            r->x->run->options->paths ? 64 : 0, &path.inputs);
        tac_bdd_leave(scope);
        *(path.cycle ? &out->cycle_paths : &out->race_paths) += 1;
        if (path.cycle)
            collect_cycle(r, &cycles, &path, r->found.at[id].inputs);
        FINDINGS_PUSH(out, paths, path_count, path);
    }
    for (size_t i = 0; i < cycles.inputs.count; i++) {
        size_t scope = tac_bdd_scope();
        rules_window_inputs(&r->x->window, rules_matrix_diagram(&r->x->m, cycles.inputs.at[i]), 0,
                            &out->cycles[i].inputs);
        tac_bdd_leave(scope);
        judge_persistence(r, cycles.inputs.at[i], &out->cycles[i]);
        free(cycles.inputs.at[i]);
    }
    tac_vec_free(&cycles.inputs);
    tac_names_free(&cycles.names);
}

static void find_paths(struct runs *r)
{
    uint32_t limit = r->x->run->options->max_paths;
    r->most = limit ? limit : DEFAULT_PATHS;
    for (uint32_t s = 0; s < r->x->run->rules->state_count && !r->stopped; s++)
        for (uint64_t input = 0; input < r->x->m.inputs && !r->stopped; input++)
            if (tac_bits_get(r->x->m.valid, input)) {
                r->first_input = input;
                follow(r, s * r->x->m.inputs + input);
                r->path.count = 0;
            }
    if (r->stopped) {
        r->x->run->out->paths_known = r->x->run->out->cycles_known = false;
        r->x->run->out->truncated = true;
    } else {
        report_paths(r);
    }
}

tac_status rules_enumerate_runs(struct enumeration *x, tac_error *err)
{
    struct runs r = {.x = x};
    r.ways = tac_calloc((size_t)x->run->rules->state_count * x->m.inputs + 1, 1);
    sweep(&r);
    for (uint32_t s = 0; s < x->run->rules->state_count; s++)
        count_state(&r, s);
    if (!x->run->sets_only)
        find_paths(&r);
    for (size_t i = 0; i < r.found.count; i++)
        free(r.found.at[i].inputs);
    tac_vec_free(&r.found);
    tac_vec_free(&r.path);
    tac_vec_free(&r.key);
    tac_names_free(&r.keys);
    free(r.ways);
    return tac_bdd_check("describing the paths", err);
}
