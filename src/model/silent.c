/* Silent cycles: calls and returns that never reach a state.
 *
 * A call enters the initial of a machine; a return lands where the connection says. As long as both
 * are states or finals every chain of silent moves ends, because returns only shorten the stack. A
 * cycle therefore needs an initial or a returns that is a connection (reported on its own in
 * names.c); this file says which connections then turn in a circle for ever.
 *
 * The graph: connection -> called machine or activity; activity -> its external machines; machine
 * -> its initial if that is a connection; connection -> its returns if that is a connection and the
 * called machine may end without reaching a state. A cycle is a strongly connected component of
 * more than one vertex, or a connection that returns to itself. Tarjan's algorithm with its own
 * stack: linear time, no recursion. */
#include "base/data/bits.h"
#include "base/data/str.h"
#include "model/builder.h"

struct silent_graph {
    const tac_model *model;
    uint32_t nodes, machines, vertices;
    uint64_t *passable; /* per activity: an external machine of it may end at once */
};

struct visit {
    uint32_t vertex, next; /* next: the successor to look at */
};

struct tarjan {
    uint32_t *index, *low;
    uint64_t *on_stack;
    TAC_VEC(struct visit) visits;
    TAC_VEC(uint32_t) stack;
    uint32_t next_index;
};

/* True when the machine may be left without its initial being a state. */
static bool machine_is_passable(const tac_model *model, uint32_t m)
{
    uint32_t initial = model->machines[m].initial;
    return initial != TAC_MODEL_NONE && model->nodes[initial].kind != TAC_NODE_STATE;
}

static bool is_connection(const tac_model *model, uint32_t node)
{
    return node != TAC_MODEL_NONE && model->nodes[node].kind == TAC_NODE_CONNECTION;
}

static uint32_t connection_successor(const struct silent_graph *graph, uint32_t node, uint32_t k)
{
    const tac_model *model = graph->model;
    if (model->nodes[node].call == TAC_MODEL_NONE)
        return TAC_NONE;
    const tac_model_call *call = &model->calls[model->nodes[node].call];
    if (call->enters != TAC_MODEL_NONE)
        return TAC_NONE; /* a jump lands on a state or a final */
    if (k == 0 && call->machine != TAC_MODEL_NONE)
        return graph->nodes + call->machine;
    if (k == 0 && call->activity != TAC_MODEL_NONE)
        return graph->nodes + graph->machines + call->activity;
    bool passable =
        (call->machine != TAC_MODEL_NONE && machine_is_passable(model, call->machine)) ||
        (call->activity != TAC_MODEL_NONE && tac_bits_get(graph->passable, call->activity));
    return k == 1 && passable && is_connection(model, call->returns) ? call->returns : TAC_NONE;
}

/* The successor number k of a vertex: TAC_NONE for a gap; *end when there are no more. */
static uint32_t successor(const struct silent_graph *graph, uint32_t vertex, uint32_t k, bool *end)
{
    const tac_model *model = graph->model;
    if (vertex < graph->nodes) {
        *end = k > 1 || model->nodes[vertex].kind != TAC_NODE_CONNECTION;
        return *end ? TAC_NONE : connection_successor(graph, vertex, k);
    }
    if (vertex < graph->nodes + graph->machines) {
        uint32_t initial = model->machines[vertex - graph->nodes].initial;
        *end = k > 0;
        return !*end && is_connection(model, initial) ? initial : TAC_NONE;
    }
    const tac_model_activity *activity =
        &model->activities[vertex - graph->nodes - graph->machines];
    *end = k >= activity->machine_count;
    if (*end || !model->machines[activity->first_machine + k].external)
        return TAC_NONE;
    return graph->nodes + activity->first_machine + k;
}

static bool returns_to_itself(const struct silent_graph *graph, uint32_t vertex)
{
    return vertex < graph->nodes && connection_successor(graph, vertex, 1) == vertex;
}

/* Does the component turn because a call returns to a connection, and not by entering alone? */
static bool turns_by_returning(const struct silent_graph *graph, const uint32_t *component,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t next =
            component[i] < graph->nodes ? connection_successor(graph, component[i], 1) : TAC_NONE;
        for (size_t k = 0; k < count && next != TAC_NONE; k++)
            if (component[k] == next)
                return true;
    }
    return false;
}

/* The component on the stack from `start`: its connections, at most a few by name. */
static void report_cycle(struct finishing *work, const struct silent_graph *graph,
                         const uint32_t *component, size_t count)
{
    tac_str names = {0};
    uint32_t shown = 0, connections = 0, where = TAC_NONE;
    for (size_t i = 0; i < count; i++) {
        if (component[i] >= graph->nodes)
            continue;
        const tac_model_node *node = &graph->model->nodes[component[i]];
        connections++;
        if (where == TAC_NONE || component[i] < where)
            where = component[i];
        if (shown < 5) {
            tac_str_addf(&names, "%s'%s' of '%s'", shown ? ", " : "", node->name,
                         graph->model->machines[node->machine].name);
            shown++;
        }
    }
    if (connections > shown)
        tac_str_addf(&names, " and %u more", connections - shown);
    const tac_model_node *node = &graph->model->nodes[where];
    const char *how = turns_by_returning(graph, component, count)
                          ? "returns to a connection, which calls again,"
                          : "enters one machine after the other";
    tac_model_report(work, TAC_ERROR, tac_model_application_of(work, node->machine), node->line,
                     "silent cycle: calling %s %s and never reaches a state", tac_str_text(&names),
                     how);
    tac_str_free(&names);
}

static void close_component(struct finishing *work, const struct silent_graph *graph,
                            struct tarjan *search, uint32_t vertex)
{
    size_t start = search->stack.count;
    do
        tac_bits_clear(search->on_stack, search->stack.at[--start]);
    while (search->stack.at[start] != vertex);
    size_t count = search->stack.count - start;
    if (count > 1 || returns_to_itself(graph, vertex))
        report_cycle(work, graph, search->stack.at + start, count);
    search->stack.count = start;
}

static void open_vertex(struct tarjan *search, uint32_t vertex)
{
    search->index[vertex] = search->low[vertex] = ++search->next_index;
    tac_vec_push(&search->stack, vertex);
    tac_bits_set(search->on_stack, vertex);
    tac_vec_push(&search->visits, (struct visit){vertex, 0});
}

static void search_from(struct finishing *work, const struct silent_graph *graph,
                        struct tarjan *search, uint32_t root)
{
    open_vertex(search, root);
    while (search->visits.count) {
        struct visit *visit = &tac_vec_last(&search->visits);
        uint32_t vertex = visit->vertex;
        bool end;
        uint32_t next = successor(graph, vertex, visit->next++, &end);
        if (end) {
            if (search->low[vertex] == search->index[vertex])
                close_component(work, graph, search, vertex);
            search->visits.count--;
            if (search->visits.count) {
                uint32_t parent = tac_vec_last(&search->visits).vertex;
                if (search->low[vertex] < search->low[parent])
                    search->low[parent] = search->low[vertex];
            }
        } else if (next != TAC_NONE && !search->index[next]) {
            open_vertex(search, next);
        } else if (next != TAC_NONE && tac_bits_get(search->on_stack, next) &&
                   search->index[next] < search->low[vertex]) {
            search->low[vertex] = search->index[next];
        }
    }
}

/* Without an initial or a returns that is a connection there is no edge into a connection. */
static bool cycle_is_possible(const tac_model *model)
{
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (is_connection(model, model->machines[m].initial))
            return true;
    for (uint32_t c = 0; c < model->call_count; c++)
        if (is_connection(model, model->calls[c].returns))
            return true;
    return false;
}

void tac_model_find_silent_cycles(struct finishing *work)
{
    const tac_model *model = work->model;
    if (!cycle_is_possible(model))
        return;
    struct silent_graph graph = {.model = model,
                                 .nodes = model->node_count,
                                 .machines = model->machine_count,
                                 .vertices = model->node_count + model->machine_count +
                                             model->activity_count,
                                 .passable = tac_bits_new(model->activity_count)};
    for (uint32_t m = 0; m < model->machine_count; m++)
        if (model->machines[m].external && machine_is_passable(model, m))
            tac_bits_set(graph.passable, model->machines[m].activity);
    struct tarjan search = {.index = tac_calloc((size_t)graph.vertices + 1, sizeof(uint32_t)),
                            .low = tac_calloc((size_t)graph.vertices + 1, sizeof(uint32_t)),
                            .on_stack = tac_bits_new(graph.vertices)};
    for (uint32_t v = 0; v < graph.nodes; v++)
        if (!search.index[v] && model->nodes[v].kind == TAC_NODE_CONNECTION)
            search_from(work, &graph, &search, v);
    free(graph.passable);
    free(search.index);
    free(search.low);
    free(search.on_stack);
    tac_vec_free(&search.visits);
    tac_vec_free(&search.stack);
}
