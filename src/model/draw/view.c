/* Drawings of large models: a part of the states one by one, everything else as one box per state
 * machine, with one arrow between two boxes however many transitions it stands for. Names are cut,
 * whole ones are tooltips; an arrow has three events at most and says how many more there are. As
 * SVG the number of states is reduced until the picture is a page wide. */
#include "base/data/map.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/vec.h"
#include "base/data/visible.h"
#include "base/io/memory.h"
#include "base/process/graphviz.h"
#include "model/draw/part.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG_NAME = 22,   /* characters of a name that are shown */
    FEW_EVENTS = 3,   /* of an arrow */
    PAGE_WIDTH = 900, /* points: at 8 points a letter, still read on a page */
    LEAST_STATES = 1
};

struct arrow {
    uint32_t from, to; /* nodes, or node_count + machine for a box */
    uint32_t count;
    uint32_t events[FEW_EVENTS];
    bool call, back;
};

struct view {
    const tac_model *model;
    const struct model_part *part;
    FILE *out;
    tac_str text;
    TAC_VEC(struct arrow) arrows;
    tac_u64map by_ends;
};

static void print_cut(struct view *view, const char *text)
{
    size_t left = strlen(text), shown = 0;
    tac_str kept = {0};
    while (left && shown < LONG_NAME) {
        tac_glyph glyph = tac_glyph_at(text, left);
        tac_str_add_bytes(&kept, text, glyph.length);
        text += glyph.length;
        left -= glyph.length;
        shown++;
    }
    tac_str_add(&kept, left ? "\u2026" : "");
    tac_str_clear(&view->text);
    tac_quote_dot(&view->text, tac_str_text(&kept));
    fputs(tac_str_text(&view->text), view->out);
    tac_str_free(&kept);
}

static void print_whole(struct view *view, const char *text)
{
    tac_str_clear(&view->text);
    tac_quote_dot(&view->text, text);
    fprintf(view->out, "\"%s\"", tac_str_text(&view->text));
}

static uint32_t box_of(const struct view *view, uint32_t node)
{
    return view->part->shown[node] ? node
                                   : view->model->node_count + view->model->nodes[node].machine;
}

static void add_arrow(struct view *view, uint32_t from, uint32_t to, uint32_t event, bool call,
                      bool back)
{
    uint64_t key = (uint64_t)from << 32 | to;
    bool fresh = false;
    uint64_t *at = tac_u64map_at(&view->by_ends, key, view->arrows.count, &fresh);
    if (fresh)
        tac_vec_push(&view->arrows,
                     (struct arrow){.from = from, .to = to, .call = call, .back = back});
    struct arrow *arrow = &view->arrows.at[*at];
    if (event == TAC_MODEL_NONE)
        return;
    for (uint32_t i = 0; i < arrow->count && i < FEW_EVENTS; i++)
        if (arrow->events[i] == event)
            return;
    if (arrow->count < FEW_EVENTS)
        arrow->events[arrow->count] = event;
    arrow->count++;
}

/* Inside a box nothing is drawn. */
static void collect_arrows(struct view *view)
{
    const tac_model *model = view->model;
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        uint32_t end = model_part_end(model, transition);
        uint32_t from = box_of(view, transition->from), to = box_of(view, end);
        const tac_model_node *ends = &model->nodes[end];
        if (from != to || from < model->node_count)
            add_arrow(view, from, to, transition->event, transition->to != end, false);
        if (ends->kind != TAC_NODE_CONNECTION)
            continue;
        const tac_model_call *call = &model->calls[ends->call];
        uint32_t machine = call->machine;
        for (uint32_t m = 0; machine == TAC_MODEL_NONE; m++)
            if (model->machines[model->activities[call->activity].first_machine + m].external)
                machine = model->activities[call->activity].first_machine + m;
        uint32_t called = box_of(view, model->machines[machine].initial);
        uint32_t returns = box_of(view, call->returns);
        if (to != called) /* a call inside a box is named by the event that leads to it */
            add_arrow(view, to, called, view->part->shown[end] ? TAC_MODEL_NONE : transition->event,
                      true, false);
        if (to != returns)
            add_arrow(view, to, returns, TAC_MODEL_NONE, true, true);
    }
}

static void draw_shown(struct view *view, uint32_t n)
{
    const tac_model_node *node = &view->model->nodes[n];
    fprintf(view->out, "    n%u [", n);
    if (node->kind == TAC_NODE_STATE) {
        fputs("label=\"", view->out);
        print_cut(view, node->name);
        fputs("\", ", view->out);
        if (n == view->part->focus)
            fputs("penwidth=2.5, ", view->out);
    } else {
        fprintf(view->out, "shape=circle, style=solid, width=0.2, fixedsize=true, label=\"%s\", ",
                node->kind == TAC_NODE_FINAL ? "\u00d7" : "");
    }
    fputs("tooltip=", view->out);
    print_whole(view, node->name);
    fputs("];\n", view->out);
}

/* One machine: its drawn states in a frame, what is not drawn as one box. */
static void draw_machine(struct view *view, uint32_t m)
{
    const tac_model *model = view->model;
    const tac_model_machine *machine = &model->machines[m];
    uint32_t hidden = 0, drawn = 0;
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
        drawn += view->part->shown[n];
        hidden += model->nodes[n].kind == TAC_NODE_STATE && !view->part->shown[n];
    }
    fprintf(view->out, "  subgraph cluster_m%u {\n    label=\"", m);
    if (drawn)
        print_cut(view, machine->name);
    fprintf(view->out, "\";\n    %s;\n", drawn ? "color=gray50" : "peripheries=0");
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++)
        if (view->part->shown[n])
            draw_shown(view, n);
    if (hidden || !drawn) {
        fprintf(view->out, "    r%u [shape=box3d, style=\"filled%s\", fillcolor=gray95, label=\"",
                m, drawn ? "" : ",bold");
        if (!drawn)
            print_cut(view, machine->name);
        fprintf(view->out, "%s%u %sstate%s\"", drawn ? "" : "\\n", hidden, drawn ? "more " : "",
                hidden == 1 ? "" : "s");
        fputs(", tooltip=", view->out);
        print_whole(view, machine->name);
        fputs("];\n", view->out);
    }
    fputs("  }\n", view->out);
}

static void print_end(const struct view *view, uint32_t end)
{
    bool box = end >= view->model->node_count;
    fprintf(view->out, "%c%u", box ? 'r' : 'n', box ? end - view->model->node_count : end);
}

static void draw_arrow(struct view *view, const struct arrow *arrow)
{
    fputs("  ", view->out);
    print_end(view, arrow->from);
    fputs(" -> ", view->out);
    print_end(view, arrow->to);
    fputs(" [label=\"", view->out);
    bool boxes = arrow->from >= view->model->node_count || arrow->to >= view->model->node_count;
    uint32_t named = boxes && arrow->count > 1 ? 0 : FEW_EVENTS;
    if (!named)
        fprintf(view->out, "%u events", arrow->count);
    for (uint32_t i = 0; i < arrow->count && i < named; i++) {
        fputs(i ? "\\n" : "", view->out);
        print_cut(view, view->model->events[arrow->events[i]]);
    }
    if (named && arrow->count > FEW_EVENTS)
        fprintf(view->out, "\\nand %u more", arrow->count - FEW_EVENTS);
    fprintf(view->out, "\"%s%s];\n", arrow->call ? ", style=dashed" : "",
            arrow->back ? ", arrowhead=open, constraint=false" : "");
}

static tac_status write_part(const tac_model *model, const tac_model_view *options, bool sideways,
                             FILE *out, uint32_t *states, tac_error *err)
{
    struct model_part part;
    tac_status status = model_part_choose(model, options, &part, err);
    if (status != TAC_OK)
        return status;
    struct view view = {.model = model, .part = &part, .out = out};
    fputs("digraph ", out);
    print_whole(&view, *model->name ? model->name : "model");
    fprintf(out,
            " {\n  rankdir=%s;\n  nodesep=0.15;\n  ranksep=0.3;\n  fontname=\"Helvetica\";\n"
            "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=10, height=0.3, "
            "margin=\"0.06,0.03\"];\n"
            "  edge [fontname=\"Helvetica\", fontsize=8, arrowsize=0.7];\n",
            sideways ? "LR" : "TB");
    for (uint32_t m = 0; m < model->machine_count; m++)
        draw_machine(&view, m);
    collect_arrows(&view);
    for (size_t i = 0; i < view.arrows.count; i++)
        draw_arrow(&view, &view.arrows.at[i]);
    for (uint32_t m = 0; m < model->machine_count; m++) {
        uint32_t box = box_of(&view, model->machines[m].initial);
        if (!model->machines[m].external)
            continue;
        fprintf(out, "  s%u [shape=point, width=0.12, label=\"\"];\n  s%u -> ", m, m);
        print_end(&view, box);
        fputs(";\n", out);
    }
    fputs("}\n", out);
    *states = part.states;
    tac_vec_free(&view.arrows);
    tac_u64map_free(&view.by_ends);
    tac_str_free(&view.text);
    model_part_free(&part);
    return ferror(out) ? tac_fail_errno(err, errno, "", "cannot write the drawing") : TAC_OK;
}

tac_status tac_model_write_view_dot(const tac_model *model, const tac_model_view *view, FILE *out,
                                    tac_error *err)
{
    uint32_t states;
    return write_part(model, view, true, out, &states, err);
}

/* width="123pt" of an SVG; 0 when it has none. */
static double width_of(const char *svg)
{
    const char *at = strstr(svg, "width=\"");
    return at ? strtod(at + strlen("width=\""), NULL) : 0;
}

static tac_status draw(const tac_model *model, const tac_model_view *view, bool sideways,
                       char **svg, size_t *size, uint32_t *states, tac_error *err)
{
    char *dot = NULL;
    size_t dot_size = 0;
    FILE *memory = tac_memory_open(&dot, &dot_size);
    tac_status status = write_part(model, view, sideways, memory, states, err);
    tac_memory_close(memory);
    if (status == TAC_OK)
        status = tac_graphviz_layout(view->engine, dot, dot_size, svg, size, err);
    free(dot);
    return status;
}

tac_status tac_model_write_view_svg(const tac_model *model, const tac_model_view *view, FILE *out,
                                    tac_error *err)
{
    tac_model_view now = *view;
    char *best = NULL;
    size_t best_size = 0;
    double best_width = 0;
    uint32_t states = 0;
    tac_status status = TAC_OK;
    do {
        for (int sideways = 0; sideways < 2 && status == TAC_OK; sideways++) {
            char *svg = NULL;
            size_t size = 0;
            status = draw(model, &now, sideways, &svg, &size, &states, err);
            double width = status == TAC_OK ? width_of(svg) : 0;
            if (status == TAC_OK && (!best || width < best_width)) {
                free(best);
                best = svg;
                best_size = size;
                best_width = width;
            } else if (status == TAC_OK) {
                free(svg);
            }
        }
        now.most_states = states * 2 / 3;
    } while (status == TAC_OK && view->most_states && best_width > PAGE_WIDTH &&
             now.most_states >= LEAST_STATES);
    if (status == TAC_OK && fwrite(best, 1, best_size, out) != best_size)
        status = tac_fail_errno(err, errno, "", "cannot write the drawing");
    free(best);
    return status;
}
