/* Listing: depth first, streaming, constant memory.
 *
 * One walk serves two consumers. It is written once as an inline function over a constant mode, so
 * that the compiler makes two tight loops of it. Levels of the walk keep the next edge to try;
 * the last level is a loop of its own, because most of the nodes of the tree of flows are its
 * leaves. In text mode the printed prefix grows and shrinks with the walk, and a flow is printed by
 * copying the prefix and one more event. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/bits.h"
#include "flow/loops.h"
#include <errno.h>
#include <string.h>

#define BUFFER_SIZE ((size_t)1 << 20)
#define ENOUGH_FOR_LOOPS ((size_t)64 << 20) /* bytes, before loops are counted along the walk */
#define STEPS_BETWEEN_TICKS 1000000
#define TICK_EVERY ((uint64_t)1 << 20)       /* flows, of which 10^7 a second are printed */
#define TICK_EVERY_VISIT ((uint64_t)1 << 14) /* a visitor may take its time */

enum mode { MODE_TEXT, MODE_VISIT };

struct level {
    uint32_t edge, end; /* next edge to try, end of the edges */
    size_t text;        /* length of the printed prefix at this level */
};

struct listing {
    struct tac_flow_engine *engine;
    struct graph *graph;
    uint32_t length, root;
    struct level *levels;
    bool streams;        /* nothing that is visited outlives the visit */
    struct loops *loops; /* counted along the walk; NULL when the graph knows them */
    uint64_t tried;      /* steps since the watch was asked, with loops */
    uint64_t listed, limit, next_tick, tick_every;
    bool stopped;     /* nothing more is listed: the limit, the visitor, the disk or the watch */
    bool interrupted; /* by the watch */
    tac_flow_visit visit;
    void *context;
    uint32_t *path; /* edges of the current prefix; visit only */
    FILE *out;
    char *line; /* printed prefix, each event followed by a blank */
    size_t line_capacity;
    char *buffer;
    size_t buffered;
    int write_errno;
};

/* Asks the watch, and when to ask again: after as many flows as there were, so that a short list
 * has its ticks too, and at the latest after tick_every. */
static void tick(struct listing *l)
{
    uint64_t wait = l->listed ? l->listed : 1;
    assert(l->tick_every > 0);
    l->next_tick = l->listed + (wait < l->tick_every ? wait : l->tick_every);
    if (!l->stopped && !tac_watch_tick(l->graph->watch, "listing flows", l->listed, l->limit))
        l->stopped = l->interrupted = true;
}

static void flush(struct listing *l)
{
    assert(l->buffered <= BUFFER_SIZE);
    if (l->buffered && fwrite(l->buffer, 1, l->buffered, l->out) != l->buffered) {
        l->write_errno = errno ? errno : EIO;
        l->stopped = true;
    }
    l->buffered = 0;
}

/* Prints the first `length` bytes of the line and one event. */
static inline void print_flow(struct listing *l, size_t length, const struct graph_label *last)
{
    size_t need = length + (last ? last->length : 0) + 2;
    if (l->buffered + need > BUFFER_SIZE) {
        flush(l);
        tick(l); /* flows may be long, and the file slow */
        if (need > BUFFER_SIZE) {
            fwrite(l->line, 1, last ? length : length - (length > 0), l->out);
            if (last)
                fwrite(last->text, 1, last->length, l->out);
            fputc('\n', l->out);
            return;
        }
    }
    char *to = l->buffer + l->buffered;
    memcpy(to, l->line, length);
    to += length;
    if (last) {
        memcpy(to, last->text, last->length);
        to += last->length;
    } else if (length) {
        to--; /* the blank behind the last event */
    }
    *to++ = '\n';
    l->buffered = (size_t)(to - l->buffer);
}

static tac_flow_kind first_kind(unsigned mask)
{
    return (tac_flow_kind)(mask & -mask);
}

/* One flow of `length` events; its last edge is `edge` unless it is a root alone. */
static inline void emit(struct listing *l, enum mode mode, unsigned mask, uint32_t length,
                        uint32_t edge)
{
    l->listed++;
    if (mode == MODE_TEXT) {
        print_flow(l, length ? l->levels[length - 1].text : 0,
                   length ? &l->graph->labels[l->graph->edges.at[edge].label] : NULL);
    } else if (mode == MODE_VISIT) {
        if (length)
            l->path[length - 1] = edge;
        tac_flow_path path = {first_kind(mask), l->root, length, l->path};
        if (!l->visit(l->context, &path))
            l->stopped = true;
    }
    if (l->listed == l->limit)
        l->stopped = true;
    if (l->listed >= l->next_tick)
        tick(l);
}

/* Appends the event of an edge behind level `depth` - 1 to the line. */
static void extend_line(struct listing *l, uint32_t depth, uint32_t edge)
{
    const struct graph_label *label = &l->graph->labels[l->graph->edges.at[edge].label];
    size_t at = l->levels[depth - 1].text, need = at + label->length + 1;
    assert(depth > 0 && depth <= l->length);
    if (need > l->line_capacity) {
        l->line_capacity = tac_vec_next_capacity(l->line_capacity, need);
        l->line = tac_realloc(l->line, l->line_capacity, 1);
    }
    memcpy(l->line + at, label->text, label->length);
    l->line[need - 1] = ' ';
    l->levels[depth].text = need;
}

static inline bool is_alive(const uint64_t *alive, uint32_t node)
{
    return !alive || tac_bits_get(alive, node);
}

/* Enters an edge under loops; the walk may be long between two flows. */
static bool enter(struct listing *l, uint32_t edge)
{
    if (++l->tried >= STEPS_BETWEEN_TICKS) {
        l->tried = 0;
        tick(l);
    }
    return loops_enter(l->loops, edge);
}

/* The leaves under loops. */
static void walk_counted_leaves(struct listing *l, enum mode mode, const uint64_t *alive,
                                struct level *level)
{
    for (; level->edge < level->end && !l->stopped; level->edge++) {
        uint32_t target = l->graph->edges.at[level->edge].target;
        const struct graph_node *at = &l->graph->nodes.at[target];
        if (!is_alive(alive, target) || !enter(l, level->edge))
            continue;
        if (loops_accept(l->loops))
            emit(l, mode, (at->ends | at->ends_at_bound) & l->engine->wanted, l->length,
                 level->edge);
        loops_leave(l->loops);
    }
}

/* All edges of the last level: their targets are at the bound. */
static inline void walk_leaves(struct listing *l, enum mode mode, const uint64_t *alive,
                               struct level *level)
{
    if (l->loops) {
        walk_counted_leaves(l, mode, alive, level);
        return;
    }
    const struct graph_edge *edges = l->graph->edges.at;
    const struct graph_node *nodes = l->graph->nodes.at;
    assert(level->edge <= level->end && level->end <= l->graph->edges.count);
    for (; level->edge < level->end && !l->stopped; level->edge++) {
        uint32_t target = edges[level->edge].target;
        if (is_alive(alive, target))
            emit(l, mode, (nodes[target].ends | nodes[target].ends_at_bound) & l->engine->wanted,
                 l->length, level->edge);
    }
}

/* Goes one event deeper from the node. */
static inline tac_status descend(struct listing *l, enum mode mode, uint32_t node, uint32_t depth,
                                 tac_error *err)
{
    tac_status status = graph_expand(l->graph, node, err);
    if (status != TAC_OK)
        return status;
    const struct graph_node *at = &l->graph->nodes.at[node];
    l->levels[depth].edge = at->first_edge;
    l->levels[depth].end = at->first_edge + at->edge_count;
    if (mode == MODE_TEXT && depth)
        extend_line(l, depth, l->levels[depth - 1].edge - 1);
    if (mode == MODE_VISIT && depth)
        l->path[depth - 1] = l->levels[depth - 1].edge - 1;
    return TAC_OK;
}

/* Tells the flow that ends here, if one does. */
static inline void tell(struct listing *l, enum mode mode, uint32_t node, uint32_t depth)
{
    const struct graph_node *at = &l->graph->nodes.at[node];
    unsigned mask = (at->ends | (depth == l->length ? at->ends_at_bound : 0)) & l->engine->wanted;
    if (mask && (!l->loops || loops_accept(l->loops)))
        emit(l, mode, mask, depth, depth ? l->levels[depth - 1].edge - 1 : 0);
}

static inline tac_status walk_root(struct listing *l, enum mode mode, uint32_t root, tac_error *err)
{
    uint64_t *const *alive = l->engine->alive;
    const uint32_t length = l->length;
    uint32_t node = root, depth = 0;
    assert(root < l->graph->nodes.count);
    for (;;) {
        tell(l, mode, node, depth);
        if (depth < length) {
            tac_status status = descend(l, mode, node, depth, err);
            if (status != TAC_OK)
                return status;
            depth++;
        }
        for (;;) {
            if (!depth || l->stopped)
                return TAC_OK;
            struct level *level = &l->levels[depth - 1];
            if (depth == length)
                walk_leaves(l, mode, alive ? alive[0] : NULL, level);
            while (level->edge < level->end && !is_alive(alive ? alive[length - depth] : NULL,
                                                         l->graph->edges.at[level->edge].target))
                level->edge++;
            if (level->edge < level->end && !l->stopped) {
                if (l->loops && !enter(l, level->edge)) {
                    level->edge++;
                    continue;
                }
                node = l->graph->edges.at[level->edge++].target;
                break;
            }
            if (--depth && l->loops)
                loops_leave(l->loops);
        }
    }
}

static inline tac_status walk(struct listing *l, enum mode mode, tac_error *err)
{
    for (l->root = 0; l->root < l->graph->roots.count && !l->stopped; l->root++) {
        uint32_t node = l->graph->roots.at[l->root];
        if (l->engine->alive && !tac_bits_get(l->engine->alive[l->length], node))
            continue;
        if (l->loops)
            loops_begin(l->loops, node);
        tac_status status = walk_root(l, mode, node, err);
        if (status != TAC_OK)
            return status;
    }
    return TAC_OK;
}

/* The pruning table. Loop bounds that take more than a little memory are counted along the walk
 * instead. */
static tac_status prepare(struct listing *l, tac_error *err)
{
    struct space *space = l->engine->space;
    size_t limit = space->memory_limit;
    bool loops = l->streams && loops_apply(l->engine);
    tac_error problem = {0};
    if (loops && l->engine->always_loops)
        return loops_open(l->engine, &l->loops, err);
    if (loops && limit > ENOUGH_FOR_LOOPS)
        space->memory_limit = ENOUGH_FOR_LOOPS;
    tac_status status = engine_prune(l->engine, &problem);
    space->memory_limit = limit;
    assert(status != TAC_OK || l->engine->alive || !engine_needs_pruning(l->engine));
    if (loops && status == TAC_E_LIMIT)
        return loops_open(l->engine, &l->loops, err);
    if (status != TAC_OK && err)
        *err = problem;
    return status;
}

static tac_status run(struct listing *l, enum mode mode, uint64_t *listed, tac_error *err)
{
    tac_status status = engine_begin(l->engine, "listing flows", err);
    if (status != TAC_OK) {
        if (listed)
            *listed = 0;
        free(l->line);
        free(l->buffer);
        return status;
    }
    l->graph = l->engine->graph;
    l->length = l->engine->options.length;
    l->tick_every = mode == MODE_VISIT ? TICK_EVERY_VISIT : TICK_EVERY;
    assert((mode == MODE_VISIT) == (l->visit != NULL) && (mode == MODE_TEXT) == (l->out != NULL));
    l->next_tick = 1;
    l->levels = tac_calloc((size_t)l->length + 1, sizeof *l->levels);
    l->path = tac_calloc((size_t)l->length + 1, sizeof *l->path);
    if (engine_needs_pruning(l->engine))
        status = prepare(l, err);
    l->graph = l->engine->graph;
    if (status == TAC_OK)
        status = mode == MODE_TEXT ? walk(l, MODE_TEXT, err) : walk(l, MODE_VISIT, err);
    if (mode == MODE_TEXT)
        flush(l);
    assert(l->stopped || (!l->interrupted && !l->write_errno));
    assert(!l->limit || l->listed <= l->limit);
    if (l->loops)
        loops_close(l->loops);
    free(l->levels);
    free(l->path);
    free(l->line);
    free(l->buffer);
    if (listed)
        *listed = l->listed;
    if (status == TAC_OK && l->write_errno)
        return tac_fail_errno(err, l->write_errno, "", "cannot write the flows");
    if (status == TAC_OK && l->interrupted)
        return tac_fail(err, TAC_E_INTERRUPTED, "stopped after %llu flows",
                        (unsigned long long)l->listed);
    return status;
}

tac_status tac_flow_list(tac_flow_engine *engine, uint64_t limit, tac_flow_visit visit,
                         void *context, uint64_t *listed, tac_error *err)
{
    struct listing l = {.engine = engine, .limit = limit, .visit = visit, .context = context};
    return run(&l, MODE_VISIT, listed, err);
}

tac_status flow_list_stream(struct tac_flow_engine *engine, uint64_t limit, tac_flow_visit visit,
                            void *context, uint64_t *listed, tac_error *err)
{
    struct listing l = {
        .engine = engine, .limit = limit, .visit = visit, .context = context, .streams = true};
    return run(&l, MODE_VISIT, listed, err);
}

tac_status tac_flow_list_text(tac_flow_engine *engine, uint64_t limit, FILE *out, uint64_t *listed,
                              tac_error *err)
{
    struct listing l = {.engine = engine, .limit = limit, .out = out, .streams = true};
    l.buffer = tac_alloc(BUFFER_SIZE);
    l.line_capacity = 4096;
    l.line = tac_alloc(l.line_capacity);
    return run(&l, MODE_TEXT, listed, err);
}
