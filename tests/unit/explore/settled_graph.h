/* The graph of settled screens of a model: which state follows which by which event, over all back
 * stacks. A slow interpreter of the rules R1 to R5, independent of the flow engine: every
 * configuration is a text, searched breadth first. */
#ifndef SETTLED_GRAPH_H
#define SETTLED_GRAPH_H

#include "base/data/map.h"
#include "base/data/vec.h"
#include "tactus/model.h"
#include "tactus_test.h"

typedef struct edge {
    uint32_t from, event, to;
} edge;

typedef struct graph {
    tac_names nodes;      /* "Activity/State", or "EXIT" */
    tac_names activities; /* names */
    tac_names events;
    TAC_VEC(uint32_t) activity; /* per node */
    TAC_VEC(bool) start;
    TAC_VEC(edge) edges; /* no two equal */
} graph;

/* A configuration: the current node and the connections that are waiting, bottom first. */
typedef struct config {
    uint32_t node;
    uint32_t stack[24];
    uint32_t height;
} config;

static uint32_t graph_node(graph *g, const tac_model *m, uint32_t node, bool exited)
{
    const char *activity =
        exited ? "EXIT" : m->activities[m->machines[m->nodes[node].machine].activity].name;
    char name[512];
    snprintf(name, sizeof name, "%s/%s", activity, exited ? "" : m->nodes[node].name);
    size_t before = g->nodes.count;
    uint32_t id = tac_names_intern(&g->nodes, name);
    if (id == before) {
        tac_vec_push(&g->activity, tac_names_intern(&g->activities, activity));
        tac_vec_push(&g->start, false);
    }
    return id;
}

static void graph_edge(graph *g, edge e)
{
    for (size_t i = 0; i < g->edges.count; i++)
        if (!memcmp(&g->edges.at[i], &e, sizeof e))
            return;
    tac_vec_push(&g->edges, e);
}

typedef TAC_VEC(config) config_list;

/* All the silent moves from c: the configurations in which the model settles (a state, or node
 * TAC_MODEL_NONE for an exit). */
static void settle_all(const tac_model *m, config c, config_list *out)
{
    const tac_model_node *n = &m->nodes[c.node];
    if (n->kind == TAC_NODE_STATE) {
        tac_vec_push(out, c);
        return;
    }
    if (n->kind == TAC_NODE_FINAL) {
        if (c.height == 0) {
            c.node = TAC_MODEL_NONE;
            tac_vec_push(out, c);
            return;
        }
        const tac_model_call *call = &m->calls[m->nodes[c.stack[--c.height]].call];
        if (call->auto_return) {
            c.node = call->returns;
            settle_all(m, c, out);
        }
        return;
    }
    const tac_model_call *call = &m->calls[n->call];
    for (uint32_t k = 0; k < m->machine_count; k++) {
        bool wanted = call->machine == k ||
                      (call->machine == TAC_MODEL_NONE &&
                       m->machines[k].activity == call->activity && m->machines[k].external);
        if (!wanted)
            continue;
        config next = c;
        uint32_t f = next.height;
        while (call->reuse && f > 0 && m->nodes[next.stack[f - 1]].machine != k)
            f--;
        if (call->reuse && f > 0) {
            next.height = f - 1;
            next.node = m->calls[m->nodes[next.stack[f - 1]].call].returns;
        } else {
            if (next.height == 24)
                continue;
            next.stack[next.height++] = c.node;
            next.node = m->machines[k].initial;
        }
        settle_all(m, next, out);
    }
}

static void graph_of(const tac_model *m, graph *g)
{
    tac_names seen = {0};
    config_list todo = {0}, next = {0};
    *g = (graph){0};
    for (uint32_t k = 0; k < m->machine_count; k++) {
        const tac_model_activity *a = &m->activities[m->machines[k].activity];
        if (m->machines[k].external && a->external && m->applications[a->application].external)
            settle_all(m, (config){.node = m->machines[k].initial}, &todo);
    }
    for (size_t i = 0; i < todo.count; i++) {
        uint32_t first = graph_node(g, m, todo.at[i].node, false);
        g->start.at[first] = true;
    }
    for (size_t i = 0; i < todo.count && i < 200000; i++) {
        config c = todo.at[i];
        uint32_t from = graph_node(g, m, c.node, false);
        const tac_model_node *n = &m->nodes[c.node];
        for (uint32_t t = n->first_out; t < n->first_out + n->out_count; t++) {
            uint32_t event = tac_names_intern(&g->events, m->events[m->transitions[t].event]);
            config step = c;
            step.node = m->transitions[t].to;
            next.count = 0;
            settle_all(m, step, &next);
            for (size_t k = 0; k < next.count; k++) {
                config *d = &next.at[k];
                bool exited = d->node == TAC_MODEL_NONE;
                graph_edge(g, (edge){from, event, graph_node(g, m, d->node, exited)});
                memset(d->stack + d->height, 0, (24 - d->height) * sizeof *d->stack);
                size_t known = seen.count;
                if (!exited && tac_names_intern_bytes(&seen, d, sizeof *d) == known)
                    tac_vec_push(&todo, *d);
            }
        }
    }
    tac_names_free(&seen);
    tac_vec_free(&todo);
    tac_vec_free(&next);
}

static void graph_free(graph *g)
{
    tac_names_free(&g->nodes);
    tac_names_free(&g->activities);
    tac_names_free(&g->events);
    tac_vec_free(&g->activity);
    tac_vec_free(&g->start);
    tac_vec_free(&g->edges);
}

static const char *event_name(const graph *g, uint32_t event)
{
    return g->events.text[event];
}

static uint64_t text_hash(const char *text)
{
    return tac_hash_bytes(text, strlen(text), 0);
}

/* Colours: activity and start, then again and again the colours of the neighbours. Sums make them
 * independent of the order. */
static uint64_t *colours_of(const graph *g)
{
    size_t n = g->nodes.count;
    uint64_t *now = tac_calloc(n + 1, 8), *next = tac_calloc(n + 1, 8);
    for (size_t i = 0; i < n; i++)
        now[i] = text_hash(g->activities.text[g->activity.at[i]]) + g->start.at[i];
    for (size_t round = 0; round < n; round++) {
        for (size_t i = 0; i < n; i++)
            next[i] = tac_hash_u64(now[i]);
        for (size_t e = 0; e < g->edges.count; e++) {
            edge x = g->edges.at[e];
            uint64_t event = text_hash(event_name(g, x.event));
            next[x.from] += tac_hash_u64(event ^ tac_hash_u64(now[x.to] + 1));
            next[x.to] += tac_hash_u64(event ^ tac_hash_u64(now[x.from] + 2));
        }
        memcpy(now, next, n * 8);
    }
    free(next);
    return now;
}

/* Maps the nodes of a to nodes of b by their colours; false when some node has no or no unique
 * partner. */
static bool match_by_colour(const graph *a, const graph *b, uint32_t *to)
{
    uint64_t *ca = colours_of(a), *cb = colours_of(b);
    bool good = a->nodes.count == b->nodes.count;
    for (size_t i = 0; i < a->nodes.count && good; i++) {
        size_t found = 0;
        for (size_t k = 0; k < b->nodes.count; k++)
            if (ca[i] == cb[k]) {
                to[i] = (uint32_t)k;
                found++;
            }
        good = found == 1;
        if (!good)
            test_fail(__FILE__, __LINE__, "%s has %zu partners", a->nodes.text[i], found);
    }
    free(ca);
    free(cb);
    return good;
}

static bool has_edge(const graph *g, uint32_t from, const char *event, uint32_t to)
{
    for (size_t i = 0; i < g->edges.count; i++)
        if (g->edges.at[i].from == from && g->edges.at[i].to == to &&
            !strcmp(event_name(g, g->edges.at[i].event), event))
            return true;
    return false;
}

/* Every edge of a, mapped, is an edge of b. */
static bool edges_are_in(const graph *a, const graph *b, const uint32_t *to)
{
    bool all = true;
    for (size_t i = 0; i < a->edges.count; i++) {
        edge e = a->edges.at[i];
        if (to[e.from] == TAC_NONE || to[e.to] == TAC_NONE ||
            !has_edge(b, to[e.from], event_name(a, e.event), to[e.to])) {
            test_fail(__FILE__, __LINE__, "only in one: %s --%s--> %s", a->nodes.text[e.from],
                      event_name(a, e.event), a->nodes.text[e.to]);
            all = false;
        }
    }
    return all;
}

__attribute__((unused)) static bool graphs_are_isomorphic(const graph *a, const graph *b)
{
    uint32_t *to = tac_calloc(a->nodes.count + 1, sizeof *to);
    bool same =
        match_by_colour(a, b, to) && edges_are_in(a, b, to) && a->edges.count == b->edges.count;
    free(to);
    return same;
}

/* --- a part of a graph --- */

static bool same_events(const graph *a, uint32_t x, const graph *b, uint32_t y)
{
    for (size_t i = 0; i < a->edges.count; i++) {
        bool found = a->edges.at[i].from != x;
        for (size_t k = 0; k < b->edges.count && !found; k++)
            found = b->edges.at[k].from == y && !strcmp(event_name(a, a->edges.at[i].event),
                                                        event_name(b, b->edges.at[k].event));
        if (!found)
            return false;
    }
    return true;
}

/* Maps the nodes of a part to those of the whole, from the start on along equal events; where the
 * whole has several targets, by activity and accepted events. TAC_NONE: no partner. */
__attribute__((unused)) static void match_part(const graph *part, const graph *whole, uint32_t *to)
{
    for (size_t i = 0; i < part->nodes.count; i++)
        to[i] = TAC_NONE;
    for (size_t i = 0; i < part->nodes.count; i++)
        for (size_t k = 0; k < whole->nodes.count; k++)
            if (part->start.at[i] && whole->start.at[k])
                to[i] = (uint32_t)k;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < part->edges.count; i++) {
            edge e = part->edges.at[i];
            if (to[e.from] == TAC_NONE || to[e.to] != TAC_NONE)
                continue;
            uint32_t found = TAC_NONE, count = 0;
            for (size_t k = 0; k < whole->edges.count; k++) {
                edge w = whole->edges.at[k];
                if (w.from != to[e.from] ||
                    strcmp(event_name(part, e.event), event_name(whole, w.event)) ||
                    strcmp(part->activities.text[part->activity.at[e.to]],
                           whole->activities.text[whole->activity.at[w.to]]) ||
                    !same_events(part, e.to, whole, w.to) || !same_events(whole, w.to, part, e.to))
                    continue;
                found = w.to;
                count++;
            }
            if (count == 1) {
                to[e.to] = found;
                changed = true;
            }
        }
    }
}

#endif
