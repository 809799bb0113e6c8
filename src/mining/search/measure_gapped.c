/* Gapped patterns (G1, G3) on one run: a trie of block sequences, searched depth first with the
 * entries (end, starts) of gapped.c. Blocks that the trie knows are numbered 0, 1, ...; their
 * positions in the run are listed once. */
#include "base/check.h"
#include "mining/search/measure.h"

struct tail_pattern {
    uint32_t state, pattern;
};

struct gap_node {
    uint32_t block; /* local number */
    uint32_t runs, occurrences;
    TAC_VEC(uint32_t) children;
    TAC_VEC(struct tail_pattern) tails;
    TAC_VEC(uint32_t) alone; /* G1E patterns */
};

struct gap_entry {
    uint32_t end, starts;
};

struct gapped_trie {
    struct ledger *ledger;
    TAC_VEC(struct gap_node) nodes;
    tac_u64map ids;  /* node << 32 | block to node */
    uint32_t *local; /* per block: local number, TAC_NONE = not in the trie */
    uint32_t blocks;
    TAC_VEC(uint32_t) pattern_node; /* TAC_NONE for other templates */
    /* of the current run */
    uint32_t *first, *count, *stamp; /* per local block: its positions */
    TAC_VEC(uint32_t) positions;
    struct gap_entry *entries; /* depth rows of `width` */
    size_t width;
    unsigned depth;
};

static uint32_t gap_child(struct gapped_trie *t, uint32_t node, uint32_t block)
{
    bool is_new;
    uint64_t *id = tac_u64map_at(&t->ids, (uint64_t)node << 32 | block, t->nodes.count, &is_new);
    uint32_t child = (uint32_t)*id;
    if (is_new) {
        if (t->local[block] == TAC_NONE)
            t->local[block] = t->blocks++;
        tac_vec_push(&t->nodes, (struct gap_node){.block = t->local[block]});
        tac_vec_push(&t->nodes.at[node].children, child);
    }
    return child;
}

struct gapped_trie *gapped_trie_new(struct ledger *ledger)
{
    struct gapped_trie *t = tac_calloc(1, sizeof *t);
    size_t blocks = ledger->runs->blocks.count + 1;
    t->ledger = ledger;
    t->local = tac_alloc(blocks * sizeof *t->local);
    memset(t->local, 0xff, blocks * sizeof *t->local);
    tac_vec_push(&t->nodes, (struct gap_node){0});
    for (uint32_t i = 0; i < ledger->patterns->at.count; i++) {
        const struct candidate *c = &ledger->patterns->at.at[i];
        uint32_t node = TAC_NONE;
        if (c->template == TAC_G1 || c->template == TAC_G3 || c->template == TAC_G1E) {
            assert(c->block_count >= 1);
            node = 0;
            for (uint32_t k = 0; k < c->block_count; k++)
                node = gap_child(t, node, blocks_of(ledger->patterns, c)[k]);
            if (c->template == TAC_G1E)
                tac_vec_push(&t->nodes.at[node].alone, i);
            else
                tac_vec_push(&t->nodes.at[node].tails, (struct tail_pattern){c->tail, i});
            if (c->block_count > t->depth)
                t->depth = c->block_count;
        }
        tac_vec_push(&t->pattern_node, node);
    }
    t->first = tac_calloc(t->blocks + 1, sizeof *t->first);
    t->count = tac_calloc(t->blocks + 1, sizeof *t->count);
    t->stamp = tac_calloc(t->blocks + 1, sizeof *t->stamp);
    return t;
}

/* Lists the positions of the trie's blocks in the run: a counting sort. */
static void list_positions(struct gapped_trie *t, const struct run_view *view)
{
    uint32_t stamp = t->ledger->run + 1, total = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t local = t->local[view->blocks[i]];
        if (local == TAC_NONE)
            continue;
        if (t->stamp[local] != stamp) {
            t->stamp[local] = stamp;
            t->count[local] = 0;
        }
        t->count[local]++;
        total++;
    }
    tac_vec_reserve(&t->positions, total + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t local = t->local[view->blocks[i]];
        if (local == TAC_NONE || t->count[local] == 0)
            continue;
        t->first[local] = at;
        at += t->count[local];
        t->count[local] = 0; /* filled again below */
    }
    for (uint32_t i = 0; i < view->count; i++) {
        uint32_t local = t->local[view->blocks[i]];
        if (local != TAC_NONE)
            t->positions.at[t->first[local] + t->count[local]++] = i;
    }
}

/* The first occurrence of the state after block `end`: only for patterns that fire. */
static uint32_t events_until(const struct gapped_trie *t, const struct run_view *view,
                             uint32_t state, uint32_t end)
{
    uint32_t i = end;
    while (state_after(t->ledger->runs, view, i) != state)
        i++;
    return 2 * (i + 1) + 1;
}

static void visit_tails(struct gapped_trie *t, const struct gap_node *node,
                        const struct gap_entry *entries, size_t count, const struct run_view *view,
                        const struct positions *p)
{
    for (size_t k = 0; k < node->tails.count; k++) {
        uint32_t state = node->tails.at[k].state, pattern = node->tails.at[k].pattern;
        if (p->stamp[state] != p->current)
            continue;
        uint32_t last = p->last[state], starts = 0;
        for (size_t i = 0; i < count && last > 2 * entries[i].end; i++)
            starts += entries[i].starts;
        if (starts == 0)
            continue;
        t->ledger->figures[pattern].occurrences += starts;
        uint32_t events = t->ledger->completion ? events_until(t, view, state, entries[0].end) : 0;
        ledger_fire(t->ledger, pattern, events);
    }
}

static size_t extend(const struct gapped_trie *t, uint32_t block, const struct gap_entry *in,
                     size_t count, struct gap_entry *out)
{
    const uint32_t *at = t->positions.at + t->first[block], *stop = at + t->count[block];
    size_t made = 0;
    for (size_t i = 0; i < count; i++) {
        while (at < stop && *at <= in[i].end)
            at++;
        if (at == stop)
            break;
        if (made && out[made - 1].end == *at)
            out[made - 1].starts += in[i].starts;
        else
            out[made++] = (struct gap_entry){*at, in[i].starts};
    }
    return made;
}

static void visit(struct gapped_trie *t, uint32_t id, unsigned depth, size_t count,
                  const struct run_view *view, const struct positions *p)
{
    struct gap_node *node = &t->nodes.at[id];
    const struct gap_entry *entries = t->entries + (size_t)depth * t->width;
    if (depth > 0) {
        node->runs++;
        for (size_t i = 0; i < count; i++)
            node->occurrences += entries[i].starts;
        assert(count > 0);
        for (size_t k = 0; k < node->alone.count; k++)
            ledger_fire(t->ledger, node->alone.at[k], 2 * (entries[0].end + 1));
        visit_tails(t, node, entries, count, view, p);
    }
    struct gap_entry *next = t->entries + (size_t)(depth + 1) * t->width;
    for (size_t k = 0; k < node->children.count; k++) {
        uint32_t child = node->children.at[k], block = t->nodes.at[child].block;
        if (t->stamp[block] != t->ledger->run + 1)
            continue;
        size_t made = 0;
        if (depth == 0)
            for (; made < t->count[block]; made++)
                next[made] = (struct gap_entry){t->positions.at[t->first[block] + made], 1};
        else
            made = extend(t, block, entries, count, next);
        if (made)
            visit(t, child, depth + 1, made, view, p);
    }
}

void gapped_trie_run(struct gapped_trie *t, const struct run_view *view,
                     const struct positions *positions)
{
    if (t->nodes.count == 1)
        return;
    if (view->count > t->width) {
        t->width = 2 * (size_t)view->count;
        t->entries = tac_realloc(t->entries, (t->depth + 1) * t->width, sizeof *t->entries);
    }
    if (view->count == 0)
        return;
    list_positions(t, view);
    visit(t, 0, 0, 0, view, positions);
}

void gapped_trie_finish(struct gapped_trie *t)
{
    for (size_t i = 0; i < t->pattern_node.count; i++)
        if (t->pattern_node.at[i] != TAC_NONE) {
            const struct gap_node *node = &t->nodes.at[t->pattern_node.at[i]];
            tac_figures *f = &t->ledger->figures[i];
            f->prefix_runs = node->runs;
            f->prefix_occurrences = node->occurrences;
            if (t->ledger->patterns->at.at[i].template == TAC_G1E)
                f->occurrences = node->occurrences;
            assert(f->runs <= f->prefix_runs && f->occurrences <= f->prefix_occurrences);
        }
    for (size_t i = 0; i < t->nodes.count; i++) {
        tac_vec_free(&t->nodes.at[i].children);
        tac_vec_free(&t->nodes.at[i].tails);
        tac_vec_free(&t->nodes.at[i].alone);
    }
    tac_vec_free(&t->nodes);
    tac_u64map_free(&t->ids);
    tac_vec_free(&t->pattern_node);
    tac_vec_free(&t->positions);
    free(t->local);
    free(t->first);
    free(t->count);
    free(t->stamp);
    free(t->entries);
    free(t);
}
