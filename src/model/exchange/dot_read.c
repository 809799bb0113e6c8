/* Graphviz text as GraphWalker reads it: the nodes are vertices, the edges edges, a label is what
 * GraphML's labels are (name [guard] / actions). Attributes other than label, subgraphs' own and
 * everything that only draws are passed over. A vertex called Start is where the model starts.
 * Linear in the text. */
#include "base/data/map.h"
#include "base/syntax/syntax.h"
#include "model/exchange/import.h"
#include "model/exchange/walker_graph.h"
#include <ctype.h>
#include <strings.h>

struct dot_reader {
    struct syntax s;
    struct walker_graph *graph;
    tac_names ids;
    uint32_t model, first_vertex;
};

/* Names and numbers, which need no quotes. */
static size_t bare_word(const struct syntax *s, struct syntax_token *token, const char *at,
                        const char *end)
{
    const char *stop = at;
    (void)s;
    while (stop < end && (isalnum((unsigned char)*stop) || *stop == '_' || *stop == '.' ||
                          (unsigned char)*stop >= 128))
        stop++;
    token->kind = SYNTAX_WORD;
    return (size_t)(stop - at);
}

static const struct syntax_escapes escapes = {.letters = "n", .meant = "\n"};
static const struct syntax_language dot_language = {.blanks = " \t\r\n\v\f",
                                                    .comment = "# //",
                                                    .block_comments = true,
                                                    .quotes = "\"",
                                                    .long_texts = true,
                                                    .hidden_texts = true,
                                                    .hidden_names = true,
                                                    .escapes = &escapes,
                                                    .marks = "-> = , ; { } [ ]",
                                                    .byte_order_mark = true,
                                                    .odd = bare_word};

/* A name, a number or a quoted text, the arena's; NULL where there is none, and where `what` is
 * expected, it is reported. */
static const char *take_word(struct dot_reader *r, const char *what)
{
    struct syntax_token token = r->s.token;
    if (r->s.failed || (token.kind != SYNTAX_WORD && token.kind != SYNTAX_TEXT)) {
        if (what)
            syntax_expected(&r->s, what);
        return NULL;
    }
    syntax_advance(&r->s);
    return syntax_text(&r->s, &token, &r->graph->arena);
}

static uint32_t vertex_of(struct dot_reader *r, const char *id, uint32_t line)
{
    size_t known = r->ids.count;
    uint32_t index = tac_names_intern(&r->ids, id);
    if (index == known) {
        struct walker_vertex vertex = {.id = id, .name = id, .model = r->model, .line = line};
        tac_vec_push(&r->graph->vertices, vertex);
    }
    return r->first_vertex + index;
}

/* [name=value, ...]: the label, the arena's, or NULL. */
static const char *take_attributes(struct dot_reader *r)
{
    const char *label = NULL;
    while (syntax_accept(&r->s, "["))
        while (!r->s.failed && !syntax_accept(&r->s, "]")) {
            const char *name = take_word(r, "an attribute or ']'"), *value = name;
            if (syntax_accept(&r->s, "="))
                value = take_word(r, "a value");
            if (value && !strcasecmp(name, "label"))
                label = value;
            if (!syntax_accept(&r->s, ","))
                syntax_accept(&r->s, ";");
        }
    return label;
}

static void add_edge(struct dot_reader *r, uint32_t from, uint32_t to, const char *label,
                     uint32_t line)
{
    struct walker_edge edge = {
        .source = from, .target = to, .model = r->model, .line = line, .dependency = -1};
    if (label)
        tac_walker_edge_label(r->graph, &edge, tac_arena_strdup(&r->graph->arena, label));
    if (!edge.name)
        edge.id = tac_arena_format(&r->graph->arena, "%s_to_%s", r->graph->vertices.at[from].id,
                                   r->graph->vertices.at[to].id);
    tac_vec_push(&r->graph->edges, edge);
}

/* a -> b -> c [label="x"] or a [label="y"] */
static void read_chain(struct dot_reader *r, const char *first, uint32_t line)
{
    uint32_t chain[256];
    size_t count = 0;
    chain[count++] = vertex_of(r, first, line);
    while (syntax_accept(&r->s, "->")) {
        line = r->s.token.line;
        const char *next = take_word(r, "a node");
        if (next && count < 256)
            chain[count++] = vertex_of(r, next, line);
    }
    const char *label = take_attributes(r);
    if (count == 1 && label)
        r->graph->vertices.at[chain[0]].name = label;
    for (size_t i = 1; i < count && !r->s.failed; i++)
        add_edge(r, chain[i - 1], chain[i], label, line);
}

static void read_statement(struct dot_reader *r)
{
    struct syntax *s = &r->s;
    uint32_t line = s->token.line;
    if (syntax_accept(s, ";") || syntax_accept(s, "{") || syntax_accept(s, "}"))
        return;
    const char *word = take_word(r, "a node, an edge or '}'");
    if (!word)
        return;
    if (!strcasecmp(word, "subgraph"))
        take_word(r, NULL);
    else if (!strcasecmp(word, "graph") || !strcasecmp(word, "node") || !strcasecmp(word, "edge"))
        take_attributes(r);
    else if (syntax_accept(s, "="))
        take_word(r, "a value");
    else
        read_chain(r, word, line);
}

/* A comment that is not closed ends the file. */
static bool opens_comment(const struct syntax_token *token)
{
    return token->flaw && !token->quote && *token->text == '/';
}

tac_status tac_read_dot(const char *path, const char *text, size_t size, struct walker_graph *graph,
                        tac_error *err)
{
    struct dot_reader r = {.s = {.file = strcmp(path, "-") ? path : "<stdin>", .err = err},
                           .graph = graph,
                           .model = (uint32_t)graph->models.count,
                           .first_vertex = (uint32_t)graph->vertices.count};
    syntax_open(&r.s, &dot_language, text, size, 1, 1);
    struct syntax_token start = r.s.token;
    const char *word = take_word(&r, "'digraph', with which a Graphviz graph starts");
    if (word && !strcasecmp(word, "strict")) {
        start = r.s.token;
        word = take_word(&r, "'digraph'");
    }
    if (word && strcasecmp(word, "digraph") != 0)
        syntax_fail(&r.s, &start, "a Graphviz graph starts with 'digraph', not '%.40s'", word);
    char *stem = tac_import_file_stem(&graph->arena, path);
    const char *name = take_word(&r, NULL);
    struct walker_model model = {
        .name = tac_import_clean_name(&graph->arena, name ? name : stem, "Model"),
        .start_vertex = TAC_NONE,
        .start_edge = TAC_NONE};
    if (!graph->name)
        graph->name = model.name;
    tac_vec_push(&graph->models, model);
    syntax_need(&r.s, "{", NULL);
    while (r.s.token.kind != SYNTAX_END && !opens_comment(&r.s.token) && !r.s.failed)
        read_statement(&r);
    for (uint32_t v = r.first_vertex; v < graph->vertices.count; v++)
        if (!strcasecmp(graph->vertices.at[v].name, "start") &&
            graph->models.at[r.model].start_vertex == TAC_NONE)
            graph->models.at[r.model].start_vertex = v;
    tac_names_free(&r.ids);
    return r.s.status;
}
