/* GraphML, as yEd writes it for GraphWalker and as other tools write it plainly.
 *
 * Each outer <graph> is a model. The text of a vertex or edge is its y:NodeLabel or y:EdgeLabel,
 * else the <data> whose key is called "label" or "name", else its id. GraphWalker's label language
 * is understood: in vertices the name, SHARED:state and BLOCKED; in edges name [guard] / actions,
 * weight=x, dependency=x and BLOCKED; in both REQTAG=tags. INIT: statements, in whichever vertex,
 * are the model's and run once, before the first step. A vertex called Start is where the model
 * starts. A node that holds a graph is a group drawn around its vertices, not a vertex. */
#include "base/data/map.h"
#include "base/data/text.h"
#include "base/io/xml.h"
#include "model/exchange/import.h"
#include "model/exchange/walker_graph.h"
#include <ctype.h>
#include <strings.h>

struct graphml_reader {
    struct walker_graph *graph;
    tac_diagnostics *diagnostics;
    tac_names label_keys; /* ids of <key>s that are called label or name */
    tac_names ids;        /* of all vertices; the index is the vertex */
    tac_names blocked_ids, group_ids;
    size_t problems, blocked, undirected;
    const char *file, *stem;
    uint32_t first_vertex; /* of this file in the graph */
};

static bool is_element(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static char *attribute(struct graphml_reader *reader, xmlNode *node, const char *name)
{
    xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
    char *kept = value && *value ? tac_arena_strdup(&reader->graph->arena, (char *)value) : NULL;
    xmlFree(value);
    return kept;
}

static uint32_t line_of(const xmlNode *node)
{
    long line = xmlGetLineNo(node);
    return line > 0 ? (uint32_t)line : 0;
}

static void report(struct graphml_reader *reader, const xmlNode *node, const char *what)
{
    reader->problems++;
    tac_diagnostics_add(reader->diagnostics, TAC_ERROR, reader->file, line_of(node), 0, "%s", what);
}

/* The next node in document order inside `top`, NULL at its end; without `enter`, the next that is
 * not inside `node`. */
static xmlNode *next_inside(xmlNode *node, const xmlNode *top, bool enter)
{
    if (enter && node->type == XML_ELEMENT_NODE && node->children)
        return node->children;
    while (node != top && !node->next)
        node = node->parent;
    return node == top ? NULL : node->next;
}

/* Without blanks at both ends; NULL when nothing is left. */
static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return length ? text : NULL;
}

static char *content_of(struct graphml_reader *reader, xmlNode *node)
{
    xmlChar *content = xmlNodeGetContent(node);
    char *text = content ? tac_arena_strdup(&reader->graph->arena, (char *)content) : NULL;
    xmlFree(content);
    return text ? trimmed(text) : NULL;
}

/* The label of a node or edge element, or NULL. */
static char *label_of(struct graphml_reader *reader, xmlNode *element, const char *label_element)
{
    char *plain = NULL;
    for (xmlNode *at = element->children; at;
         at = next_inside(at, element, !is_element(at, "graph"))) {
        if (is_element(at, label_element)) {
            char *text = content_of(reader, at);
            if (text)
                return text;
        }
        if (!is_element(at, "data") || plain)
            continue;
        char *key = attribute(reader, at, "key");
        if (key && tac_names_find(&reader->label_keys, key) != TAC_NONE)
            plain = content_of(reader, at);
    }
    return plain;
}

static void read_keys(struct graphml_reader *reader, xmlNode *root)
{
    for (xmlNode *at = root->children; at; at = at->next) {
        if (!is_element(at, "key"))
            continue;
        char *id = attribute(reader, at, "id"), *name = attribute(reader, at, "attr.name");
        if (id && name && (strcasecmp(name, "label") == 0 || strcasecmp(name, "name") == 0))
            tac_names_intern(&reader->label_keys, id);
    }
}

/* Cuts "KEYWORD:value" or "KEYWORD=value" out of a label; the value ends at a line end, ';' or the
 * label's end. NULL when the keyword is not there. */
static char *take_keyword(char *label, const char *keyword)
{
    char *at = strcasestr(label, keyword);
    if (!at || (at > label && isalnum((unsigned char)at[-1])))
        return NULL;
    char *value = at + strlen(keyword);
    size_t blank = strspn(value, " \t");
    if (value[blank] != ':' && value[blank] != '=')
        return NULL;
    value += blank + 1;
    value += strspn(value, " \t");
    size_t length = strcspn(value, "\n;");
    char *end = value + length;
    bool more = *end != '\0';
    *end = '\0';
    *at = '\0';
    char *kept = tac_strdup(value);
    if (more)
        memmove(at, end + 1, strlen(end + 1) + 1);
    return kept;
}

/* Comments become blanks: those in brackets, and from two slashes after a blank to the line's end.
 */
static void blank_comments(char *label)
{
    for (char *at = label; *at; at++) {
        const char *end = NULL;
        if (at[0] == '/' && at[1] == '*')
            end = strstr(at + 2, "*/");
        bool line = at[0] == '/' && at[1] == '/' && at > label && isspace((unsigned char)at[-1]);
        size_t length = line ? strcspn(at, "\n") : end ? (size_t)(end + 2 - at) : 0;
        memset(at, ' ', length);
    }
}

/* True, and the word is cut, when BLOCKED stands in the label. */
static bool take_blocked(char *label)
{
    char *at = strstr(label, "BLOCKED");
    if (!at)
        return false;
    memset(at, ' ', strlen("BLOCKED"));
    return true;
}

/* The first word; blanks around it go. */
static char *first_word(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    text[strcspn(text, " \t\r\n")] = '\0';
    return *text ? text : NULL;
}

/* INIT: statements of a vertex, up to the end of the line or label. */
static char *take_init(struct graphml_reader *reader, char *label)
{
    char *at = strstr(label, "INIT:");
    if (!at)
        return NULL;
    size_t length = strcspn(at, "\n");
    char *kept = tac_arena_strndup(&reader->graph->arena, at + 5, length - 5);
    memset(at, ' ', length);
    return trimmed(kept);
}

static void add_init(struct graphml_reader *reader, uint32_t model, const char *init)
{
    struct walker_model *of = &reader->graph->models.at[model];
    if (init)
        of->actions = of->actions
                          ? tac_arena_format(&reader->graph->arena, "%s; %s", of->actions, init)
                          : init;
}

static bool is_group(const xmlNode *element)
{
    for (const xmlNode *at = element->children; at; at = at->next)
        if (is_element(at, "graph"))
            return true;
    return false;
}

static void read_vertex(struct graphml_reader *reader, xmlNode *element, uint32_t model)
{
    struct walker_graph *graph = reader->graph;
    char *id = attribute(reader, element, "id");
    if (!id) {
        report(reader, element, "a node has no id");
        return;
    }
    if (tac_names_find(&reader->ids, id) != TAC_NONE) {
        report(reader, element, "two nodes have the same id");
        return;
    }
    if (is_group(element)) {
        tac_names_intern(&reader->group_ids, id);
        return;
    }
    char *label = label_of(reader, element, "NodeLabel");
    struct walker_vertex vertex = {.id = id, .model = model, .line = line_of(element)};
    if (label && take_blocked(label)) {
        reader->blocked++;
        tac_names_intern(&reader->blocked_ids, id);
        return;
    }
    if (label)
        blank_comments(label);
    add_init(reader, model, label ? take_init(reader, label) : NULL);
    char *tags = label ? take_keyword(label, "REQTAG") : NULL;
    if (tags) {
        vertex.requirements = tac_arena_strdup(&graph->arena, tags);
        free(tags);
    }
    char *shared = label ? take_keyword(label, "SHARED") : NULL;
    if (shared) {
        vertex.shared = tac_import_clean_name(&graph->arena, first_word(shared), "shared");
        free(shared);
    }
    vertex.name = label ? first_word(label) : NULL;
    if (vertex.name && strcasecmp(vertex.name, "start") == 0 &&
        graph->models.at[model].start_vertex == TAC_NONE)
        graph->models.at[model].start_vertex = (uint32_t)graph->vertices.count;
    tac_names_intern(&reader->ids, id);
    tac_vec_push(&graph->vertices, vertex);
}

/* name [guard] / actions */
void tac_walker_edge_label(struct walker_graph *graph, struct walker_edge *edge, char *label)
{
    blank_comments(label);
    char *weight = take_keyword(label, "weight");
    double value;
    if (weight && tac_parse_double(weight, &value) && value > 0)
        edge->weight = value;
    free(weight);
    char *dependency = take_keyword(label, "dependency");
    if (dependency && tac_parse_double(dependency, &value) && value >= 0 && value <= 100)
        edge->dependency = value;
    free(dependency);
    char *tags = take_keyword(label, "REQTAG");
    if (tags)
        edge->requirements = tac_arena_strdup(&graph->arena, tags);
    free(tags);
    char *open = strchr(label, '['), *slash = strchr(label, '/');
    if (open && (!slash || open < slash)) {
        char *close = strchr(open, ']');
        for (char *later = close; later && (later = strchr(later + 1, ']'));)
            if (!strchr(open, '/') || later < strchr(open, '/'))
                close = later;
        if (close) {
            *open = *close = '\0';
            edge->guard = trimmed(open + 1);
            slash = strchr(close + 1, '/');
        }
    }
    if (slash) {
        *slash = '\0';
        edge->actions = trimmed(slash + 1);
    }
    edge->name = first_word(label);
}

static uint32_t vertex_of(const struct graphml_reader *reader, const char *id)
{
    uint32_t vertex = id ? tac_names_find(&reader->ids, id) : TAC_NONE;
    return vertex == TAC_NONE ? TAC_NONE : reader->first_vertex + vertex;
}

static bool names(const tac_names *set, const char *source, const char *target)
{
    return (source && tac_names_find(set, source) != TAC_NONE) ||
           (target && tac_names_find(set, target) != TAC_NONE);
}

static void read_edge(struct graphml_reader *reader, xmlNode *element)
{
    struct walker_graph *graph = reader->graph;
    char *source = attribute(reader, element, "source"),
         *target = attribute(reader, element, "target");
    struct walker_edge edge = {.id = attribute(reader, element, "id"),
                               .line = line_of(element),
                               .dependency = -1,
                               .source = vertex_of(reader, source),
                               .target = vertex_of(reader, target)};
    char *label = label_of(reader, element, "EdgeLabel");
    if (label && take_blocked(label)) {
        reader->blocked++;
        return;
    }
    if (edge.source == TAC_NONE || edge.target == TAC_NONE) {
        if (!names(&reader->blocked_ids, source, target))
            report(reader, element,
                   names(&reader->group_ids, source, target)
                       ? "an edge joins a group: draw it to one of the group's vertices"
                       : "an edge's source or target is not a node of the file");
        return;
    }
    edge.model = graph->vertices.at[edge.source].model;
    if (graph->vertices.at[edge.target].model != edge.model) {
        report(reader, element, "an edge joins nodes of two graphs");
        return;
    }
    if (label)
        tac_walker_edge_label(graph, &edge, label);
    tac_vec_push(&graph->edges, edge);
}

static void read_graphs(struct graphml_reader *reader, xmlNode *root)
{
    struct walker_graph *graph = reader->graph;
    for (xmlNode *top = root->children; top; top = top->next) {
        if (!is_element(top, "graph"))
            continue;
        char *id = attribute(reader, top, "id"), *direction = attribute(reader, top, "edgedefault");
        bool plain_id = !id || strcmp(id, "G") == 0; /* yEd's own id says nothing */
        struct walker_model model = {
            .name = tac_import_clean_name(&graph->arena, plain_id ? reader->stem : id, "Model"),
            .start_vertex = TAC_NONE,
            .start_edge = TAC_NONE};
        reader->undirected += direction && strcmp(direction, "undirected") == 0;
        uint32_t index = (uint32_t)graph->models.count;
        tac_vec_push(&graph->models, model);
        for (xmlNode *at = top->children; at; at = next_inside(at, top, true))
            if (is_element(at, "node"))
                read_vertex(reader, at, index);
    }
    for (xmlNode *at = root->children; at; at = next_inside(at, root, true))
        if (is_element(at, "edge"))
            read_edge(reader, at);
}

static tac_status read_document(xmlDoc *document, const char *path, struct walker_graph *graph,
                                tac_diagnostics *diagnostics, tac_error *err)
{
    const char *file = strcmp(path, "-") ? path : "<stdin>";
    struct graphml_reader reader = {.graph = graph, .diagnostics = diagnostics, .file = file};
    reader.first_vertex = (uint32_t)graph->vertices.count;
    reader.stem = tac_import_file_stem(&graph->arena, path);
    if (!graph->name)
        graph->name = reader.stem;
    xmlNode *root = xmlDocGetRootElement(document);
    tac_status status = TAC_OK;
    if (!root || !is_element(root, "graphml")) {
        status = tac_fail_at(err, TAC_E_INPUT, file, root ? line_of(root) : 0, 0,
                             "not GraphML: the root element must be <graphml>");
    } else {
        read_keys(&reader, root);
        read_graphs(&reader, root);
        if (reader.blocked)
            tac_diagnostics_add(diagnostics, TAC_WARNING, file, 0, 0,
                                "%zu blocked element%s left out, with the edges that need them",
                                reader.blocked, reader.blocked == 1 ? " is" : "s are");
        if (reader.group_ids.count)
            tac_diagnostics_add(diagnostics, TAC_WARNING, file, 0, 0,
                                "%zu group%s left out: only what is inside counts",
                                (size_t)reader.group_ids.count,
                                reader.group_ids.count == 1 ? " is" : "s are");
        if (reader.undirected)
            tac_diagnostics_add(diagnostics, TAC_WARNING, file, 0, 0,
                                "the graph is undirected; every edge is taken from source to "
                                "target only");
        if (reader.problems)
            status = tac_diagnostics_fail(diagnostics, err);
    }
    tac_names_free(&reader.label_keys);
    tac_names_free(&reader.ids);
    tac_names_free(&reader.blocked_ids);
    tac_names_free(&reader.group_ids);
    return status;
}

tac_status tac_read_graphml(const char *path, const char *text, size_t size,
                            struct walker_graph *graph, tac_diagnostics *diagnostics,
                            tac_error *err)
{
    xmlDocPtr document;
    tac_status status =
        tac_xml_parse(strcmp(path, "-") ? path : "<stdin>", text, size, NULL, &document, err);
    if (status != TAC_OK)
        return status;
    status = read_document(document, path, graph, diagnostics, err);
    xmlFreeDoc(document);
    return status;
}
