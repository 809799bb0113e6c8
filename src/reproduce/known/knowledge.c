/* The trie of results. See knowledge.h. A candidate of n steps is added and looked up in O(n). */
#include "reproduce/known/knowledge.h"
#include "base/check.h"
#include "base/data/alloc.h"

static uint32_t new_root(struct knowledge *known)
{
    tac_vec_push(&known->nodes, (struct known_node){.parent = TAC_NONE, .step = TAC_NONE});
    return (uint32_t)known->nodes.count - 1;
}

static uint32_t new_node(struct knowledge *known, uint32_t parent, uint32_t step)
{
    struct known_node node = {
        .parent = parent, .step = step, .depth = known->nodes.at[parent].depth + 1};
    tac_vec_push(&known->nodes, node);
    return (uint32_t)known->nodes.count - 1;
}

static uint32_t root_of(struct knowledge *known, const char *scenario)
{
    uint32_t id = tac_names_intern(&known->scenarios, scenario);
    if (id == known->roots.count)
        tac_vec_push(&known->roots, new_root(known));
    assert(id < known->roots.count);
    return known->roots.at[id];
}

static uint32_t child_of(struct knowledge *known, uint32_t node, uint32_t step)
{
    bool is_new;
    uint64_t *place = tac_u64map_at(&known->children, (uint64_t)node << 32 | step, 0, &is_new);
    if (is_new)
        *place = new_node(known, node, step);
    return (uint32_t)*place;
}

#define count_failure(list, id, by)                                                                \
    do {                                                                                           \
        size_t at_ = 0;                                                                            \
        while (at_ < (list)->count && (list)->at[at_].failure != (id))                             \
            at_++;                                                                                 \
        if (at_ == (list)->count)                                                                  \
            tac_vec_push((list), (struct failure_count){(id), 0, (by)});                           \
        (list)->at[at_].count++;                                                                   \
    } while (0)

static uint32_t count_of(const struct failure_count *list, size_t count, uint32_t failure)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].failure == failure)
            return list[i].count;
    return 0;
}

uint32_t knowledge_failure(struct knowledge *known, const char *failure)
{
    uint32_t id = tac_names_intern(&known->failures, failure);
    if (id == known->details.count)
        tac_vec_push(&known->details, "");
    return id;
}

static void count_own(struct knowledge *known, uint32_t node, const struct trial *trial,
                      uint32_t failure, uint32_t cause)
{
    struct known_node *leaf = &known->nodes.at[node];
    leaf->own++;
    leaf->passed += trial->end == RUN_PASS;
    leaf->replays += trial->replay;
    if (failure != TAC_NONE) {
        count_failure(&leaf->own_failed, failure, cause);
        if (trial->replay)
            count_failure(&leaf->replay_failed, failure, cause);
    }
    for (size_t i = 0; i < trial->violated_count; i++) {
        char *name = tac_format("property %s", trial->violated[i]);
        uint32_t id = knowledge_failure(known, name);
        count_failure(&leaf->own_failed, id, cause);
        if (trial->replay)
            count_failure(&leaf->replay_failed, id, cause);
        free(name);
    }
}

static uint32_t cause_of(struct knowledge *known, const char *name)
{
    uint32_t cause = tac_names_intern(&known->causes, name);
    if (cause == known->executions.count) {
        tac_vec_push(&known->executions, 0);
        tac_vec_push(&known->searching, 0);
    }
    return cause;
}

void knowledge_add(struct knowledge *known, const struct trial *trial)
{
    uint32_t cause = cause_of(known, trial->cause);
    uint32_t failure = *trial->failure ? knowledge_failure(known, trial->failure) : TAC_NONE;
    if (failure != TAC_NONE && !*known->details.at[failure])
        known->details.at[failure] = tac_arena_strdup(&known->arena, trial->detail);
    /* the shortest beginning that shows the failure */
    size_t shows = trial->done + (trial->end == RUN_FAIL);
    uint32_t node = root_of(known, trial->scenario);
    for (size_t i = 0;; i++) {
        struct known_node *at = &known->nodes.at[node];
        at->tried++;
        if (failure != TAC_NONE && (i >= shows || i == trial->script.count))
            count_failure(&at->failed, failure, cause);
        if (trial->end == RUN_FAIL && i == shows)
            at->blocked++;
        if (i == trial->script.count)
            break;
        node = child_of(known, node, trial->script.at[i]);
    }
    count_own(known, node, trial, failure, cause);
    known->left = trial->replay ? 0 : trial->left; /* replays are counted for themselves */
    known->left_at = node;
    assert(known->nodes.at[node].tried >= known->nodes.at[node].own);
    known->executions.at[cause]++;
    known->searching.at[cause] += !trial->replay && !trial->experiment;
    known->total++;
    tac_u64map_at(&known->seeds, trial->seed, 1, NULL);
    if (trial->wait > known->longest_wait)
        known->longest_wait = trial->wait;
}

struct known knowledge_of(struct knowledge *known, const struct script *script,
                          const char *scenario, uint32_t failure)
{
    struct known out = {0};
    uint32_t node = root_of(known, scenario);
    for (size_t i = 0; i < script->count; i++) {
        const uint64_t *next =
            tac_u64map_find(&known->children, (uint64_t)node << 32 | script->at[i]);
        if (!next)
            return out;
        node = (uint32_t)*next;
        /* a candidate that is meant to fail at its last step is not blocked by it */
        if (i + 1 < script->count && known->nodes.at[node].blocked > out.blocked)
            out.blocked = known->nodes.at[node].blocked;
    }
    const struct known_node *at = &known->nodes.at[node];
    out.left = known->left_at == node ? known->left : 0;
    out.tried = at->tried;
    out.failed = count_of(at->failed.at, at->failed.count, failure);
    out.own = at->own;
    out.passed = at->passed;
    out.own_failed = count_of(at->own_failed.at, at->own_failed.count, failure);
    out.replays = at->replays;
    out.replays_failed = count_of(at->replay_failed.at, at->replay_failed.count, failure);
    assert(out.failed <= out.tried && out.own_failed <= out.own && out.own <= out.tried);
    return out;
}

/* Before the search for cause number `before` the failure was seen here. */
static bool seen_earlier(const struct failure_count *list, size_t count, uint32_t failure,
                         uint32_t before)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].failure == failure)
            return list[i].cause < before;
    return false;
}

static bool is_below(const struct knowledge *known, uint32_t node, uint32_t root)
{
    while (known->nodes.at[node].parent != TAC_NONE)
        node = known->nodes.at[node].parent;
    return node == root;
}

bool knowledge_shortest(const struct knowledge *known, const char *scenario, uint32_t failure,
                        bool at_the_end, const char *cause, struct script *out)
{
    uint32_t before = tac_names_find(&known->causes, cause); /* TAC_NONE: after all of them */
    uint32_t id = tac_names_find(&known->scenarios, scenario), best = TAC_NONE;
    for (uint32_t i = 0; i < known->nodes.count && id != TAC_NONE; i++) {
        const struct known_node *at = &known->nodes.at[i];
        bool seen = at_the_end
                        ? seen_earlier(at->own_failed.at, at->own_failed.count, failure, before)
                        : seen_earlier(at->failed.at, at->failed.count, failure, before);
        if (seen && (best == TAC_NONE || at->depth < known->nodes.at[best].depth) &&
            is_below(known, i, known->roots.at[id]))
            best = i;
    }
    *out = (struct script){0};
    if (best == TAC_NONE)
        return false;
    out->count = out->capacity = known->nodes.at[best].depth;
    out->at = tac_calloc(out->count, sizeof *out->at);
    for (uint32_t node = best; known->nodes.at[node].parent != TAC_NONE;
         node = known->nodes.at[node].parent)
        out->at[known->nodes.at[node].depth - 1] = known->nodes.at[node].step;
    return true;
}

uint64_t knowledge_executions(const struct knowledge *known, const char *cause)
{
    uint32_t id = tac_names_find(&known->causes, cause);
    return id == TAC_NONE ? 0 : known->executions.at[id];
}

uint64_t knowledge_searching(const struct knowledge *known, const char *cause)
{
    uint32_t id = tac_names_find(&known->causes, cause);
    return id == TAC_NONE ? 0 : known->searching.at[id];
}

void knowledge_free(struct knowledge *known)
{
    for (size_t i = 0; i < known->nodes.count; i++) {
        tac_vec_free(&known->nodes.at[i].failed);
        tac_vec_free(&known->nodes.at[i].own_failed);
        tac_vec_free(&known->nodes.at[i].replay_failed);
    }
    tac_vec_free(&known->nodes);
    tac_vec_free(&known->details);
    tac_vec_free(&known->roots);
    tac_vec_free(&known->executions);
    tac_vec_free(&known->searching);
    tac_names_free(&known->failures);
    tac_names_free(&known->scenarios);
    tac_names_free(&known->causes);
    tac_u64map_free(&known->children);
    tac_u64map_free(&known->seeds);
    tac_arena_free(&known->arena);
    steps_free(&known->steps);
}
