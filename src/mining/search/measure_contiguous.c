/* Contiguous patterns on one run: a trie of block sequences, walked from every position.
 *
 * A node is a sequence of blocks, an edge a (sequence, following state). G2 = its edge over its
 * node, G2E = its node over the edge before it, G5 = the counting occurrences of its node without
 * x. */
#include "base/check.h"
#include "mining/search/measure.h"

struct node {
    uint32_t occurrences, runs, seen;                /* seen: 1 + last run */
    uint32_t counting, counting_runs, counting_seen; /* with a rest of min_rest events */
    uint32_t g2e;                                    /* pattern, or TAC_NONE */
    bool has_edges;
    TAC_VEC(uint32_t) g5; /* patterns */
};

struct edge {
    uint32_t occurrences, runs, seen, g2;
};

struct contiguous_trie {
    struct ledger *ledger;
    TAC_VEC(struct node) nodes;
    TAC_VEC(struct edge) edges;
    tac_u64map children, edge_ids;                /* node << 32 | block, or state */
    uint32_t *root_child;                         /* per block, TAC_NONE = none */
    TAC_VEC(uint32_t) pattern_node, pattern_edge; /* per pattern */
};

static uint32_t add_node(struct contiguous_trie *t)
{
    tac_vec_push(&t->nodes, (struct node){.g2e = TAC_NONE});
    return (uint32_t)(t->nodes.count - 1);
}

static uint32_t child_of(struct contiguous_trie *t, uint32_t node, uint32_t block)
{
    assert(node < t->nodes.count);
    bool is_new;
    uint64_t *child =
        tac_u64map_at(&t->children, (uint64_t)node << 32 | block, t->nodes.count, &is_new);
    uint32_t id = (uint32_t)*child;
    if (is_new)
        add_node(t);
    assert(id < t->nodes.count);
    if (node == 0)
        t->root_child[block] = id;
    return id;
}

static uint32_t edge_of(struct contiguous_trie *t, uint32_t node, uint32_t state)
{
    assert(node < t->nodes.count);
    bool is_new;
    uint64_t *edge =
        tac_u64map_at(&t->edge_ids, (uint64_t)node << 32 | state, t->edges.count, &is_new);
    uint32_t id = (uint32_t)*edge;
    if (is_new)
        tac_vec_push(&t->edges, (struct edge){.g2 = TAC_NONE});
    t->nodes.at[node].has_edges = true;
    return id;
}

static void add_pattern(struct contiguous_trie *t, uint32_t index)
{
    const struct candidates *patterns = t->ledger->patterns;
    const struct candidate *c = &patterns->at.at[index];
    const uint32_t *blocks = blocks_of(patterns, c);
    assert(index < patterns->at.count);
    uint32_t node = 0, parent = 0, edge = TAC_NONE;
    if (c->template == TAC_G2 || c->template == TAC_G2E || c->template == TAC_G5)
        for (uint32_t i = 0; i < c->block_count; i++) {
            parent = node;
            node = child_of(t, node, blocks[i]);
        }
    if (c->template == TAC_G2) {
        edge = edge_of(t, node, c->tail);
        t->edges.at[edge].g2 = index;
    } else if (c->template == TAC_G2E) {
        t->nodes.at[node].g2e = index;
        edge = edge_of(t, parent, t->ledger->runs->blocks.at[blocks[c->block_count - 1]].state);
    } else if (c->template == TAC_G5)
        tac_vec_push(&t->nodes.at[node].g5, index);
    tac_vec_push(&t->pattern_node, node);
    tac_vec_push(&t->pattern_edge, edge);
    assert(t->pattern_node.count == index + 1 && t->pattern_edge.count == index + 1);
}

struct contiguous_trie *contiguous_trie_new(struct ledger *ledger)
{
    struct contiguous_trie *t = tac_calloc(1, sizeof *t);
    size_t blocks = ledger->runs->blocks.count + 1;
    t->ledger = ledger;
    t->root_child = tac_alloc(blocks * sizeof *t->root_child);
    memset(t->root_child, 0xff, blocks * sizeof *t->root_child);
    add_node(t);
    for (uint32_t i = 0; i < ledger->patterns->at.count; i++)
        add_pattern(t, i);
    return t;
}

static void visit_edge(struct contiguous_trie *t, uint32_t node, uint32_t state, uint32_t events)
{
    const uint64_t *id = tac_u64map_find(&t->edge_ids, (uint64_t)node << 32 | state);
    if (!id)
        return;
    struct edge *edge = &t->edges.at[*id];
    edge->occurrences++;
    if (edge->seen != t->ledger->run + 1) {
        edge->seen = t->ledger->run + 1;
        edge->runs++;
        if (edge->g2 != TAC_NONE)
            ledger_fire(t->ledger, edge->g2, events);
    }
}

static void visit_starvation(struct contiguous_trie *t, struct node *node, uint32_t from,
                             uint32_t length, const struct positions *p)
{
    if (length < from || length - from < t->ledger->min_rest)
        return;
    node->counting++;
    if (node->counting_seen != t->ledger->run + 1) {
        node->counting_seen = t->ledger->run + 1;
        node->counting_runs++;
    }
    for (size_t k = 0; k < node->g5.count; k++) {
        uint32_t pattern = node->g5.at[k];
        uint32_t x = t->ledger->patterns->at.at[pattern].tail;
        if (p->stamp[x] == p->current && p->last[x] >= from)
            continue;
        t->ledger->figures[pattern].occurrences++;
        ledger_fire(t->ledger, pattern, from);
    }
}

static void visit_node(struct contiguous_trie *t, uint32_t id, const struct run_view *view,
                       uint32_t end, const struct positions *positions)
{
    struct node *node = &t->nodes.at[id];
    node->occurrences++;
    if (node->seen != t->ledger->run + 1) {
        node->seen = t->ledger->run + 1;
        node->runs++;
        if (node->g2e != TAC_NONE)
            ledger_fire(t->ledger, node->g2e, 2 * (end + 1));
    }
    if (node->g5.count)
        visit_starvation(t, node, 2 * (end + 1), view_length(view), positions);
    if (node->has_edges) {
        uint32_t state = state_after(t->ledger->runs, view, end);
        if (state != TAC_NONE)
            visit_edge(t, id, state, 2 * (end + 1) + 1);
    }
}

void contiguous_trie_run(struct contiguous_trie *t, const struct run_view *view,
                         const struct positions *positions)
{
    bool root_edges = t->nodes.at[0].has_edges;
    if (t->nodes.count == 1 && !root_edges)
        return;
    for (uint32_t i = 0; i <= view->count; i++) {
        if (root_edges) {
            uint32_t state = state_after(t->ledger->runs, view, i - 1);
            if (state != TAC_NONE)
                visit_edge(t, 0, state, 2 * i + 1);
        }
        if (i == view->count)
            break;
        uint32_t node = t->root_child[view->blocks[i]];
        for (uint32_t j = i; node != TAC_NONE;) {
            visit_node(t, node, view, j, positions);
            if (++j >= view->count)
                break;
            const uint64_t *next =
                tac_u64map_find(&t->children, (uint64_t)node << 32 | view->blocks[j]);
            node = next ? (uint32_t)*next : TAC_NONE;
        }
    }
}

void contiguous_trie_finish(struct contiguous_trie *t)
{
    const struct candidates *patterns = t->ledger->patterns;
    for (uint32_t i = 0; i < patterns->at.count; i++) {
        const struct node *node = &t->nodes.at[t->pattern_node.at[i]];
        uint32_t e = t->pattern_edge.at[i];
        const struct edge *edge = e == TAC_NONE ? NULL : &t->edges.at[e];
        tac_figures *f = &t->ledger->figures[i];
        assert(edge ||
               (patterns->at.at[i].template != TAC_G2 && patterns->at.at[i].template != TAC_G2E));
        if (patterns->at.at[i].template == TAC_G2)
            *f = (tac_figures){edge->runs, node->runs, edge->occurrences, node->occurrences};
        else if (patterns->at.at[i].template == TAC_G2E)
            *f = (tac_figures){node->runs, edge->runs, node->occurrences, edge->occurrences};
        else if (patterns->at.at[i].template == TAC_G5) {
            f->prefix_runs = node->counting_runs;
            f->prefix_occurrences = node->counting;
        }
    }
    for (uint32_t i = 0; i < patterns->at.count; i++)
        assert_costly(!t->pattern_node.at[i] || /* not contiguous */
                      t->ledger->figures[i].runs <= t->ledger->figures[i].occurrences);
    for (size_t i = 0; i < t->nodes.count; i++)
        tac_vec_free(&t->nodes.at[i].g5);
    tac_vec_free(&t->nodes);
    tac_vec_free(&t->edges);
    tac_u64map_free(&t->children);
    tac_u64map_free(&t->edge_ids);
    tac_vec_free(&t->pattern_node);
    tac_vec_free(&t->pattern_edge);
    free(t->root_child);
    free(t);
}
