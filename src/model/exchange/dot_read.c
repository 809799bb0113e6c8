/* Graphviz text as GraphWalker reads it: the nodes are vertices, the edges edges, a label is what
 * GraphML's labels are (name [guard] / actions). Attributes other than label, subgraphs' own and
 * everything that only draws are passed over. A vertex called Start is where the model starts.
 * Linear in the text. */
#include "base/data/map.h"
#include "base/data/str.h"
#include "model/exchange/import.h"
#include "model/exchange/walker_graph.h"
#include <ctype.h>
#include <strings.h>

struct dot_reader {
    const char *at, *end, *file;
    uint32_t line;
    struct walker_graph *graph;
    tac_names ids;
    uint32_t model, first_vertex;
    tac_str word; /* the last word read */
    tac_error *err;
    tac_status status;
};

static void skip(struct dot_reader *r)
{
    for (; r->at < r->end; r->at++) {
        if (*r->at == '\n')
            r->line++;
        if (*r->at == '#' || (*r->at == '/' && r->at + 1 < r->end && r->at[1] == '/')) {
            while (r->at + 1 < r->end && r->at[1] != '\n')
                r->at++;
        } else if (*r->at == '/' && r->at + 1 < r->end && r->at[1] == '*') {
            for (r->at += 2; r->at + 1 < r->end && (r->at[0] != '*' || r->at[1] != '/'); r->at++)
                r->line += *r->at == '\n';
            r->at++;
        } else if (!isspace((unsigned char)*r->at)) {
            return;
        }
    }
}

static bool take(struct dot_reader *r, const char *sign)
{
    skip(r);
    size_t length = strlen(sign);
    if ((size_t)(r->end - r->at) < length || strncmp(r->at, sign, length) != 0)
        return false;
    r->at += length;
    return true;
}

/* A name, a number or a quoted text into r->word. */
static bool take_word(struct dot_reader *r)
{
    skip(r);
    tac_str_clear(&r->word);
    if (r->at < r->end && *r->at == '"') {
        for (r->at++; r->at < r->end && *r->at != '"'; r->at++) {
            if (*r->at == '\\' && r->at + 1 < r->end) {
                r->at++;
                tac_str_add_char(&r->word, *r->at == 'n' ? '\n' : *r->at);
            } else {
                r->line += *r->at == '\n';
                tac_str_add_char(&r->word, *r->at);
            }
        }
        bool ended = r->at < r->end;
        r->at += ended;
        return ended;
    }
    while (r->at < r->end && (isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.' ||
                              (unsigned char)*r->at >= 128))
        tac_str_add_char(&r->word, *r->at++);
    return r->word.length > 0;
}

static tac_status fail(struct dot_reader *r, const char *expected)
{
    size_t left = (size_t)(r->end - r->at);
    return r->status = tac_fail_at(r->err, TAC_E_INPUT, r->file, r->line, 0,
                                   "not a Graphviz graph: expected %s at '%.*s'", expected,
                                   (int)(left < 20 ? left : 20), r->at);
}

static uint32_t vertex_of(struct dot_reader *r)
{
    const char *id = tac_str_text(&r->word);
    size_t known = r->ids.count;
    uint32_t index = tac_names_intern(&r->ids, id);
    if (index == known) {
        struct walker_vertex vertex = {
            .id = tac_arena_strdup(&r->graph->arena, id), .model = r->model, .line = r->line};
        vertex.name = vertex.id;
        tac_vec_push(&r->graph->vertices, vertex);
    }
    return r->first_vertex + index;
}

/* [name=value, ...]: the label, the arena's, or NULL. */
static char *take_attributes(struct dot_reader *r)
{
    char *label = NULL;
    while (take(r, "[")) {
        while (!take(r, "]")) {
            if (!take_word(r)) {
                fail(r, "an attribute");
                return NULL;
            }
            bool is_label = !strcasecmp(tac_str_text(&r->word), "label");
            if (take(r, "=") && !take_word(r)) {
                fail(r, "a value");
                return NULL;
            }
            if (is_label)
                label = tac_arena_strdup(&r->graph->arena, tac_str_text(&r->word));
            if (!take(r, ","))
                take(r, ";");
        }
    }
    return label;
}

static void add_edge(struct dot_reader *r, uint32_t from, uint32_t to, const char *label)
{
    struct walker_edge edge = {
        .source = from, .target = to, .model = r->model, .line = r->line, .dependency = -1};
    if (label)
        tac_walker_edge_label(r->graph, &edge, tac_arena_strdup(&r->graph->arena, label));
    if (!edge.name)
        edge.id = tac_arena_format(&r->graph->arena, "%s_to_%s", r->graph->vertices.at[from].id,
                                   r->graph->vertices.at[to].id);
    tac_vec_push(&r->graph->edges, edge);
}

/* a -> b -> c [label="x"] or a [label="y"] */
static void read_chain(struct dot_reader *r)
{
    uint32_t chain[256];
    size_t count = 0;
    chain[count++] = vertex_of(r);
    while (take(r, "->") && r->status == TAC_OK) {
        if (!take_word(r)) {
            fail(r, "a node");
            return;
        }
        if (count < 256)
            chain[count++] = vertex_of(r);
    }
    char *label = take_attributes(r);
    if (count == 1 && label)
        r->graph->vertices.at[chain[0]].name = label;
    for (size_t i = 1; i < count && r->status == TAC_OK; i++)
        add_edge(r, chain[i - 1], chain[i], label);
}

static void read_statement(struct dot_reader *r)
{
    if (take(r, ";") || take(r, "{") || take(r, "}"))
        return;
    if (!take_word(r)) {
        fail(r, "a node, an edge or '}'");
        return;
    }
    const char *word = tac_str_text(&r->word);
    bool setting =
        !strcasecmp(word, "graph") || !strcasecmp(word, "node") || !strcasecmp(word, "edge");
    if (!strcasecmp(word, "subgraph")) {
        take_word(r);
    } else if (setting) {
        take_attributes(r);
    } else if (take(r, "=")) {
        if (!take_word(r))
            fail(r, "a value");
    } else {
        read_chain(r);
    }
}

tac_status tac_read_dot(const char *path, const char *text, size_t size, struct walker_graph *graph,
                        tac_error *err)
{
    struct dot_reader r = {.at = text,
                           .end = text + size,
                           .file = strcmp(path, "-") ? path : "<stdin>",
                           .line = 1,
                           .graph = graph,
                           .model = (uint32_t)graph->models.count,
                           .first_vertex = (uint32_t)graph->vertices.count,
                           .err = err};
    take_word(&r);
    if (!strcasecmp(tac_str_text(&r.word), "strict"))
        take_word(&r);
    if (strcasecmp(tac_str_text(&r.word), "digraph") != 0)
        fail(&r, "'digraph'");
    char *stem = tac_import_file_stem(&graph->arena, path);
    bool named = r.status == TAC_OK && take_word(&r);
    struct walker_model model = {
        .name = tac_import_clean_name(&graph->arena, named ? tac_str_text(&r.word) : stem, "Model"),
        .start_vertex = TAC_NONE,
        .start_edge = TAC_NONE};
    if (!graph->name)
        graph->name = model.name;
    tac_vec_push(&graph->models, model);
    if (r.status == TAC_OK && !take(&r, "{"))
        fail(&r, "'{'");
    for (skip(&r); r.at < r.end && r.status == TAC_OK; skip(&r))
        read_statement(&r);
    for (uint32_t v = r.first_vertex; v < graph->vertices.count; v++)
        if (!strcasecmp(graph->vertices.at[v].name, "start") &&
            graph->models.at[r.model].start_vertex == TAC_NONE)
            graph->models.at[r.model].start_vertex = v;
    tac_names_free(&r.ids);
    tac_str_free(&r.word);
    return r.status;
}
