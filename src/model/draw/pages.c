/* Drawings of a large model as linked pages: index.svg has a box for each activity, with how much
 * is in it; each activity has a drawing of its own, in which the others it has to do with are boxes
 * that lead there. A state is a small table: its picture, its name, the events that stay in it.
 * Pictures are copied beside the drawings. Cost: graphviz' for each page; large ones are laid out
 * by sfdp. */
#include "base/data/map.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/io/input.h"
#include "base/io/output.h"
#include "base/process/graphviz.h"
#include "model/draw/part.h"
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY_STATES = 60, FEW_EVENTS = 3, MOST_LOOPS = 6, MOST_PICTURE = 16 << 20 };

struct pages {
    const tac_model *model;
    const char *folder;
    char **names; /* file of each activity, without the folder */
    tac_str out;
};

/* Ends of an arrow: a node, or node_count + an activity. */
struct page_arrow {
    uint32_t from, to, count;
    uint32_t events[FEW_EVENTS];
    bool call;
};

typedef TAC_VEC(struct page_arrow) arrow_list;

static uint32_t activity_of(const tac_model *model, uint32_t node)
{
    return model->machines[model->nodes[node].machine].activity;
}

static uint32_t activity_of_end(const tac_model *model, uint32_t end)
{
    return end >= model->node_count ? end - model->node_count : activity_of(model, end);
}

static void add_arrow(arrow_list *arrows, tac_u64map *known, struct page_arrow one)
{
    bool fresh;
    uint64_t *at = tac_u64map_at(known, (uint64_t)one.from << 32 | one.to, arrows->count, &fresh);
    if (fresh)
        tac_vec_push(arrows,
                     ((struct page_arrow){.from = one.from, .to = one.to, .call = one.call}));
    struct page_arrow *arrow = &arrows->at[*at];
    for (uint32_t i = 0; i < arrow->count && i < FEW_EVENTS; i++)
        if (arrow->events[i] == one.events[0])
            return;
    if (arrow->count < FEW_EVENTS)
        arrow->events[arrow->count] = one.events[0];
    arrow->count++;
}

/* Where a transition leads as a drawing shows it: a node, or of a call the called activity. */
static uint32_t end_of(const tac_model *model, const tac_model_transition *t, bool *call)
{
    const tac_model_node *to = &model->nodes[t->to];
    *call = to->kind == TAC_NODE_CONNECTION;
    if (!*call)
        return t->to;
    const tac_model_call *called = &model->calls[to->call];
    if (called->enters != TAC_MODEL_NONE)
        return called->enters;
    return called->machine != TAC_MODEL_NONE ? model->machines[called->machine].initial
                                             : model->node_count + called->activity;
}

static void add_text(tac_str *out, const char *text)
{
    tac_quote_html(out, text);
}

static void add_head(struct pages *pages, const char *name)
{
    tac_str_clear(&pages->out);
    tac_str_add(&pages->out, "digraph \"");
    tac_quote_dot(&pages->out, name);
    tac_str_add(&pages->out,
                "\" {\n  rankdir=LR;\n  overlap=prism;\n  nodesep=0.2;\n  fontname=\"Helvetica\";\n"
                "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10];\n"
                "  edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.7];\n");
}

/* Copies the picture of a state beside the drawings; its name there, NULL when there is none. */
static char *copy_picture(const struct pages *pages, uint32_t n)
{
    const tac_model *model = pages->model;
    const char *image =
        model->nodes[n].image == TAC_MODEL_NONE ? "" : model->notes[model->nodes[n].image];
    const char *slash = strrchr(model->file, '/'), *dot = strrchr(image, '.');
    char *bytes = NULL;
    size_t size = 0;
    tac_output output;
    tac_error ignored;
    if (!*image || !dot || (strcmp(dot, ".png") && strcmp(dot, ".jpg") && strcmp(dot, ".jpeg")))
        return NULL;
    char *from = *image == '/' || !slash
                     ? tac_strdup(image)
                     : tac_format("%.*s/%s", (int)(slash - model->file), model->file, image);
    char *name = tac_format("%s/state%u%s", pages->folder, n, dot);
    bool copied = !access(from, R_OK) &&
                  tac_input_slurp(from, MOST_PICTURE, &bytes, &size, &ignored) == TAC_OK &&
                  tac_output_open(&output, name, &ignored) == TAC_OK;
    if (copied) {
        bool written = fwrite(bytes, 1, size, output.file) == size;
        copied = tac_output_close(&output, written ? TAC_OK : TAC_E_LIMIT, &ignored) == TAC_OK;
    }
    free(bytes);
    free(from);
    if (copied)
        return name;
    free(name);
    return NULL;
}

/* Picture, name, and the events that stay. */
static void add_state(struct pages *pages, uint32_t n)
{
    const tac_model *model = pages->model;
    const tac_model_node *node = &model->nodes[n];
    char *picture = copy_picture(pages, n);
    uint32_t loops = 0;
    tac_str_addf(&pages->out, "    n%u [label=<<TABLE BORDER=\"0\" CELLSPACING=\"0\">", n);
    if (picture) {
        tac_str_add(&pages->out, "<TR><TD FIXEDSIZE=\"TRUE\" WIDTH=\"72\" HEIGHT=\"110\"><IMG "
                                 "SCALE=\"TRUE\" SRC=\"");
        add_text(&pages->out, picture);
        tac_str_add(&pages->out, "\"/></TD></TR>");
    }
    tac_str_add(&pages->out, "<TR><TD>");
    add_text(&pages->out, node->name);
    tac_str_add(&pages->out, "</TD></TR>");
    for (uint32_t i = 0; i < node->out_count; i++) {
        const tac_model_transition *t = &model->transitions[node->first_out + i];
        if (t->to != n || loops++ >= MOST_LOOPS)
            continue;
        tac_str_add(&pages->out, loops == 1 ? "<TR><TD><FONT POINT-SIZE=\"8\">\u21ba " : ", ");
        add_text(&pages->out, model->events[t->event]);
    }
    if (loops > MOST_LOOPS)
        tac_str_addf(&pages->out, " and %u more", loops - MOST_LOOPS);
    tac_str_addf(&pages->out, "%s</TABLE>>];\n", loops ? "</FONT></TD></TR>" : "");
    free(picture);
}

static void add_end(struct pages *pages, uint32_t end)
{
    bool box = end >= pages->model->node_count;
    tac_str_addf(&pages->out, "%c%u", box ? 'v' : 'n', box ? end - pages->model->node_count : end);
}

static void add_arrows(struct pages *pages, const arrow_list *arrows)
{
    for (size_t i = 0; i < arrows->count; i++) {
        const struct page_arrow *arrow = &arrows->at[i];
        tac_str_add(&pages->out, "  ");
        add_end(pages, arrow->from);
        tac_str_add(&pages->out, " -> ");
        add_end(pages, arrow->to);
        tac_str_addf(&pages->out, " [%slabel=\"", arrow->call ? "style=dashed, " : "");
        for (uint32_t k = 0; k < arrow->count && k < FEW_EVENTS; k++) {
            tac_str_add(&pages->out, k ? "\\n" : "");
            tac_quote_dot(&pages->out, pages->model->events[arrow->events[k]]);
        }
        if (arrow->count > FEW_EVENTS)
            tac_str_addf(&pages->out, "\\nand %u more", arrow->count - FEW_EVENTS);
        tac_str_add(&pages->out, "\"];\n");
    }
}

/* An activity as a box that leads to its page. */
static void add_activity_box(struct pages *pages, uint32_t v)
{
    const tac_model *model = pages->model;
    const tac_model_activity *activity = &model->activities[v];
    uint32_t states = 0, transitions = 0;
    for (uint32_t m = activity->first_machine;
         m < activity->first_machine + activity->machine_count; m++) {
        const tac_model_machine *machine = &model->machines[m];
        transitions += machine->transition_count;
        for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++)
            states += model->nodes[n].kind == TAC_NODE_STATE;
    }
    tac_str_addf(&pages->out, "  v%u [shape=box3d, style=\"filled%s\", fillcolor=gray95, label=\"",
                 v, activity->external ? ",bold" : "");
    tac_quote_dot(&pages->out, activity->name);
    tac_str_addf(&pages->out, "\\n%u state%s, %u transition%s\", URL=\"%s\"];\n", states,
                 states == 1 ? "" : "s", transitions, transitions == 1 ? "" : "s", pages->names[v]);
}

/* Lays the text out into a file of the folder; pictures are found from there. */
static tac_status finish_page(struct pages *pages, const char *name, const char *engine,
                              tac_error *err)
{
    char *svg = NULL, *path = tac_format("%s/%s", pages->folder, name),
         *before = tac_format("href=\"%s/", pages->folder);
    size_t size = 0;
    tac_output output;
    tac_str_add(&pages->out, "}\n");
    tac_status status =
        tac_graphviz_layout(engine, tac_str_text(&pages->out), pages->out.length, &svg, &size, err);
    if (status == TAC_OK)
        status = tac_output_open(&output, path, err);
    if (status == TAC_OK) {
        const char *at = svg;
        for (const char *found; (found = strstr(at, before)); at = found + strlen(before))
            fprintf(output.file, "%.*shref=\"", (int)(found - at), at);
        fputs(at, output.file);
        status = ferror(output.file) ? tac_fail_errno(err, errno, path, "cannot write the drawing")
                                     : TAC_OK;
        status = tac_output_close(&output, status, err);
    }
    free(before);
    free(path);
    free(svg);
    return status;
}

/* The frame of a machine with its states; how many it has. */
static uint32_t add_machine(struct pages *pages, uint32_t m)
{
    const tac_model *model = pages->model;
    const tac_model_machine *machine = &model->machines[m];
    uint32_t states = 0;
    tac_str_addf(&pages->out, "  subgraph cluster_m%u {\n    color=gray50;\n    label=\"", m);
    tac_quote_dot(&pages->out, machine->name);
    tac_str_add(&pages->out, "\";\n");
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
        states += model->nodes[n].kind == TAC_NODE_STATE;
        if (model->nodes[n].kind == TAC_NODE_STATE)
            add_state(pages, n);
        else if (model->nodes[n].kind == TAC_NODE_FINAL)
            tac_str_addf(&pages->out,
                         "    n%u [shape=circle, width=0.2, fixedsize=true, label=\"×\"];\n", n);
    }
    tac_str_addf(&pages->out, "  }\n  s%u [shape=point, width=0.12, label=\"\"];\n  s%u -> n%u;\n",
                 m, m, machine->initial);
    return states;
}

/* The arrows inside an activity and to and from others, which become boxes. */
static void collect(const tac_model *model, uint32_t v, arrow_list *arrows, bool *boxed)
{
    tac_u64map known = {0};
    for (uint32_t t = 0; t < model->transition_count; t++) {
        struct page_arrow one = {.from = model->transitions[t].from,
                                 .events = {model->transitions[t].event}};
        one.to = end_of(model, &model->transitions[t], &one.call);
        uint32_t from = activity_of(model, one.from);
        uint32_t to = activity_of_end(model, one.to);
        if ((from != v && to != v) || one.from == one.to)
            continue;
        boxed[from] = boxed[to] = true;
        one.from = from == v ? one.from : model->node_count + from;
        one.to = to == v && one.to < model->node_count ? one.to : model->node_count + to;
        add_arrow(arrows, &known, one);
    }
    tac_u64map_free(&known);
}

static tac_status draw_activity(struct pages *pages, uint32_t v, tac_error *err)
{
    const tac_model *model = pages->model;
    const tac_model_activity *activity = &model->activities[v];
    arrow_list arrows = {0};
    bool *boxed = tac_calloc((size_t)model->activity_count + 1, sizeof *boxed);
    uint32_t states = 0;
    add_head(pages, activity->name);
    for (uint32_t m = 0; m < activity->machine_count; m++)
        states += add_machine(pages, activity->first_machine + m);
    collect(model, v, &arrows, boxed);
    for (uint32_t other = 0; other < model->activity_count; other++)
        if (boxed[other] && other != v)
            add_activity_box(pages, other);
    add_arrows(pages, &arrows);
    tac_str_add(&pages->out, "  all [shape=plaintext, label=\"← all activities\", "
                             "URL=\"index.svg\"];\n");
    tac_vec_free(&arrows);
    free(boxed);
    return finish_page(pages, pages->names[v], states > MANY_STATES ? "sfdp" : NULL, err);
}

static tac_status draw_overview(struct pages *pages, tac_error *err)
{
    const tac_model *model = pages->model;
    tac_u64map counts = {0};
    add_head(pages, *model->name ? model->name : "model");
    for (uint32_t v = 0; v < model->activity_count; v++)
        add_activity_box(pages, v);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        bool call;
        uint32_t to = end_of(model, &model->transitions[t], &call);
        uint32_t from = activity_of(model, model->transitions[t].from);
        to = activity_of_end(model, to);
        if (from != to)
            ++*tac_u64map_at(&counts, (uint64_t)from << 32 | to, 0, NULL);
    }
    size_t at = 0;
    for (const tac_u64map_entry *one; (one = tac_u64map_next(&counts, &at));)
        tac_str_addf(&pages->out, "  v%u -> v%u [label=\"%u\"];\n", (uint32_t)(one->key >> 32),
                     (uint32_t)one->key, (uint32_t)one->value);
    tac_u64map_free(&counts);
    return finish_page(pages, "index.svg", model->activity_count > MANY_STATES ? "sfdp" : NULL,
                       err);
}

static char *page_name(const tac_model *model, uint32_t v)
{
    char *name = tac_format("%u_%s.svg", v, model->activities[v].name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("_.-", *c))
            *c = '_';
    return name;
}

tac_status tac_model_draw_pages(const tac_model *model, const char *folder, tac_error *err)
{
    struct pages pages = {.model = model, .folder = folder};
    if (mkdir(folder, 0777) && errno != EEXIST)
        return tac_fail_errno(err, errno, folder, "cannot make the folder");
    pages.names = tac_calloc((size_t)model->activity_count + 1, sizeof *pages.names);
    for (uint32_t v = 0; v < model->activity_count; v++)
        pages.names[v] = page_name(model, v);
    tac_status status = draw_overview(&pages, err);
    for (uint32_t v = 0; v < model->activity_count && status == TAC_OK; v++)
        status = draw_activity(&pages, v, err);
    for (uint32_t v = 0; v < model->activity_count; v++)
        free(pages.names[v]);
    free(pages.names);
    tac_str_free(&pages.out);
    return status;
}
