/* Laying out a graph with dot. See drawing.h. */
#include "report/model/drawing.h"
#include "base/check.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/process/graphviz.h"
#include <math.h>
#include <string.h>

enum { PIXELS = 72, LABEL_MOST = 26, EVENTS_MOST = 24, LARGE = 80, PATH_POINTS = 4000 };

/* Characters of a text, at most so many. */
static size_t width_of(const char *text, size_t most)
{
    size_t count = 0;
    for (; *text && count < most; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static void size_node(struct drawn_node *node)
{
    size_t label = width_of(node->label, LABEL_MOST), hint = width_of(node->hint, LABEL_MOST + 6);
    double wide = fmax((double)label * 7.4, (double)hint * 5.9) + 22;
    node->w = !strcmp(node->kind, "end") ? 26 : fmax(wide, 60);
    node->h = !strcmp(node->kind, "end") ? 26 : *node->hint ? 44 : 30;
}

/* As long as the label that the page writes: the first events. */
static size_t label_length(const struct drawn_edge *edge)
{
    size_t more = edge->events.count > 1 ? 4 : 0;
    return edge->events.count ? width_of(edge->events.at[0], EVENTS_MOST) + more : 0;
}

static void write_dot(const struct model_drawing *drawing, tac_str *dot)
{
    bool large = drawing->nodes.count > LARGE;
    tac_str_addf(dot,
                 "digraph g {\n nodesep=0.3; ranksep=0.45; %s\n node [shape=box, fixedsize=true, "
                 "label=\"\"];\n edge [dir=none, fontsize=10, fontname=\"Helvetica\"];\n",
                 large ? "nslimit=1; nslimit1=1; mclimit=0.3; splines=line;" : "");
    for (size_t i = 0; i < drawing->nodes.count; i++)
        tac_str_addf(dot, " n%zu [width=%.3f, height=%.3f];\n", i, drawing->nodes.at[i].w / PIXELS,
                     drawing->nodes.at[i].h / PIXELS);
    for (size_t i = 0; i < drawing->edges.count; i++) {
        const struct drawn_edge *edge = &drawing->edges.at[i];
        tac_str_addf(dot, " n%u -> n%u [id=%zu", edge->from, edge->to, i);
        size_t length = large ? 0 : label_length(edge);
        if (length)
            tac_str_addf(dot, ", label=\"%.*s\"", (int)length,
                         "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        tac_str_add(dot, "];\n");
    }
    tac_str_add(dot, "}\n");
}

/* --- the plain format: "node NAME X Y W H ...", "edge TAIL HEAD N X1 Y1 ... [LABEL X Y] ..." ---
 */

static bool next_number(char **at, double *out)
{
    char *end;
    *out = strtod(*at, &end);
    bool read = end != *at && isfinite(*out);
    *at = end;
    return read;
}

static bool next_node(char **at, size_t count, size_t *out)
{
    *at += strspn(*at, " ");
    if (**at != 'n')
        return false;
    *out = strtoul(*at + 1, at, 10);
    return *out < count;
}

static bool read_node(struct model_drawing *drawing, char *at)
{
    size_t index;
    double x, y, w, h;
    if (!next_node(&at, drawing->nodes.count, &index) || !next_number(&at, &x) ||
        !next_number(&at, &y) || !next_number(&at, &w) || !next_number(&at, &h))
        return false;
    drawing->nodes.at[index].x = x * PIXELS;
    drawing->nodes.at[index].y = drawing->height - y * PIXELS;
    return true;
}

/* The arrows of one pair come in the order in which they were written; *next is where to look. */
static struct drawn_edge *find_edge(struct model_drawing *drawing, size_t from, size_t to)
{
    for (size_t i = 0; i < drawing->edges.count; i++)
        if (drawing->edges.at[i].from == from && drawing->edges.at[i].to == to &&
            !drawing->edges.at[i].path)
            return &drawing->edges.at[i];
    return NULL;
}

static bool read_edge(struct model_drawing *drawing, char *at)
{
    size_t from, to;
    double points, x, y;
    if (!next_node(&at, drawing->nodes.count, &from) ||
        !next_node(&at, drawing->nodes.count, &to) || !next_number(&at, &points) || points < 1 ||
        points > PATH_POINTS)
        return false;
    struct drawn_edge *edge = find_edge(drawing, from, to);
    if (!edge)
        return false;
    tac_str path = {0};
    for (size_t i = 0; i < (size_t)points; i++) {
        if (!next_number(&at, &x) || !next_number(&at, &y)) {
            tac_str_free(&path);
            return false;
        }
        edge->x = x * PIXELS;
        edge->y = drawing->height - y * PIXELS;
        tac_str_addf(&path, "%s%.0f %.0f", i == 0 ? "M" : i == 1 ? "C" : " ", edge->x, edge->y);
    }
    edge->path = tac_str_take(&path);
    at += strspn(at, " ");
    if (*at == 'x') { /* the label, and its place */
        at += strcspn(at, " ");
        if (next_number(&at, &x) && next_number(&at, &y)) {
            edge->x = x * PIXELS;
            edge->y = drawing->height - y * PIXELS;
        }
    }
    return true;
}

static bool read_plain(struct model_drawing *drawing, char *plain)
{
    double scale, width, height;
    bool good = true;
    for (char *line = strtok(plain, "\n"); line && good; line = strtok(NULL, "\n")) {
        char *at = line + strcspn(line, " ");
        if (!strncmp(line, "graph ", 6)) {
            good =
                next_number(&at, &scale) && next_number(&at, &width) && next_number(&at, &height);
            drawing->width = good ? width * PIXELS : 0;
            drawing->height = good ? height * PIXELS : 0;
        } else if (!strncmp(line, "node ", 5))
            good = read_node(drawing, at);
        else if (!strncmp(line, "edge ", 5))
            good = read_edge(drawing, at);
    }
    return good;
}

static void say_why(struct model_drawing *drawing, tac_status status, double seconds,
                    const tac_error *err)
{
    char *problem = drawing->problem;
    size_t size = sizeof drawing->problem;
    if (status == TAC_E_LIMIT && seconds > 0)
        snprintf(problem, size, "dot did not finish within %.2g seconds", seconds);
    else if (status == TAC_E_LIMIT)
        snprintf(problem, size, "the time for the drawings of this report is used up");
    else if (status == TAC_E_MISSING)
        snprintf(problem, size, "dot, of Debian's package 'graphviz', cannot be started");
    else
        snprintf(problem, size, "%.150s", err->message);
    problem[strcspn(problem, "\r\n")] = '\0';
}

/* To whole pixels; without a layout nothing has a place. */
static void round_places(struct model_drawing *drawing)
{
    bool placed = drawing->width > 0;
    drawing->width = round(drawing->width);
    drawing->height = round(drawing->height);
    for (size_t i = 0; i < drawing->nodes.count; i++) {
        struct drawn_node *node = &drawing->nodes.at[i];
        double *const places[] = {&node->x, &node->y, &node->w, &node->h};
        for (size_t k = 0; k < 4; k++)
            *places[k] = round(*places[k]);
        node->placed = placed;
    }
    for (size_t i = 0; i < drawing->edges.count; i++) {
        struct drawn_edge *edge = &drawing->edges.at[i];
        assert(edge->from < drawing->nodes.count && edge->to < drawing->nodes.count);
        edge->x = round(edge->x);
        edge->y = round(edge->y);
        if (!placed && edge->path)
            *edge->path = '\0';
    }
}

void drawing_lay_out(struct model_drawing *drawing, double seconds)
{
    tac_str dot = {0};
    tac_error err; /* the page lays it out itself then, and says why */
    char *plain = NULL;
    for (size_t i = 0; i < drawing->nodes.count; i++)
        size_node(&drawing->nodes.at[i]);
    double start = tac_now();
    write_dot(drawing, &dot);
    tac_status status = TAC_E_LIMIT;
    if (seconds > 0)
        status = tac_graphviz_places(tac_str_text(&dot), dot.length, seconds, &plain, &err);
    if (status == TAC_OK && !read_plain(drawing, plain))
        status = tac_fail(&err, TAC_E_INPUT, "what dot answered has no places");
    if (status != TAC_OK) {
        drawing->width = drawing->height = 0;
        say_why(drawing, status, seconds, &err);
    }
    drawing->seconds = tac_now() - start;
    round_places(drawing);
    free(plain);
    tac_str_free(&dot);
}

/* --- the document --- */

static const struct field node_fields[] = {
    FIELDS(struct drawn_node, kind, name, label, hint),
    FIELD(struct drawn_node, screen, .omit = true), FIELDS(struct drawn_node, covered, start, w, h),
    FIELD(struct drawn_node, x, .known = IF(struct drawn_node, placed), .unit = "px"),
    FIELD(struct drawn_node, y, .known = IF(struct drawn_node, placed), .unit = "px")};
static DESCRIBE(node, struct drawn_node);
static const struct field edge_fields[] = {
    FIELDS(struct drawn_edge, from, to),
    FIELD_TEXTS(struct drawn_edge, events.at, events.count, .key = "events"),
    FIELDS(struct drawn_edge, taken, silent, path, x, y)};
static DESCRIBE(edge, struct drawn_edge);
static const struct field model_drawing_fields[] = {
    FIELDS(struct model_drawing, width, height),
    FIELD_LIST(struct model_drawing, nodes.at, nodes.count, node_described, .key = "nodes"),
    FIELD_LIST(struct model_drawing, edges.at, edges.count, edge_described, .key = "edges"),
    FIELD(struct model_drawing, problem, .omit = true)};
DESCRIBE(model_drawing, struct model_drawing);

void drawing_free(struct model_drawing *drawing)
{
    for (size_t i = 0; i < drawing->nodes.count; i++) {
        free(drawing->nodes.at[i].label);
        free(drawing->nodes.at[i].hint);
    }
    for (size_t i = 0; i < drawing->edges.count; i++) {
        tac_vec_free(&drawing->edges.at[i].events);
        free(drawing->edges.at[i].path);
    }
    tac_vec_free(&drawing->nodes);
    tac_vec_free(&drawing->edges);
}
