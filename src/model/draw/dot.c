/* Drawing: the model as a graphviz graph in the notation of the interaction models paper (the
 * interaction-model paper, figure 3). Devices, applications, activities and state machines are
 * nested rounded boxes, states rounded rectangles, initials filled circles, connections small empty
 * circles with dashed arrows to what they call and where they return, finals circles with a cross.
 * An externally accessible application or activity shows a pair of initial and final; an external
 * state machine has a thick border. */
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/memory.h"
#include "base/process/graphviz.h"
#include "model/tools.h"
#include <errno.h>

struct drawing {
    const tac_model *model;
    const tac_model_marks *marks; /* NULL: everything is drawn alike */
    FILE *out;
    tac_str label;
};

/* Text inside a DOT string. */
static void add_quoted(tac_str *label, const char *text)
{
    tac_quote_dot(label, text);
}

static void print_quoted(struct drawing *drawing, const char *text)
{
    tac_str_clear(&drawing->label);
    add_quoted(&drawing->label, text);
    fprintf(drawing->out, "\"%s\"", tac_str_text(&drawing->label));
}

static void indent(struct drawing *drawing, int depth)
{
    fprintf(drawing->out, "%*s", depth * 2, "");
}

static void open_cluster(struct drawing *drawing, int depth, const char *id, const char *label)
{
    indent(drawing, depth);
    fprintf(drawing->out, "subgraph cluster_%s {\n", id);
    indent(drawing, depth + 1);
    fputs("label=", drawing->out);
    print_quoted(drawing, label);
    fputs(";\n", drawing->out);
}

static void close_cluster(struct drawing *drawing, int depth)
{
    indent(drawing, depth);
    fputs("}\n", drawing->out);
}

/* The pair of initial and final that marks external accessibility. */
static void draw_access(struct drawing *drawing, int depth, const char *id)
{
    indent(drawing, depth);
    fprintf(drawing->out, "%s_in [shape=point, width=0.15, label=\"\"];\n", id);
    indent(drawing, depth);
    fprintf(drawing->out,
            "%s_out [shape=circle, style=solid, label=\"\u00d7\", width=0.2, fixedsize=true];\n",
            id);
}

/* What was visited is drawn strong, the rest pale. */
static const char *ink(const struct drawing *drawing, bool visited)
{
    if (!drawing->marks)
        return "";
    return visited ? "penwidth=2, " : "color=\"#b5b5b5\", fontcolor=\"#8c8c8c\", ";
}

static void draw_node(struct drawing *drawing, uint32_t n)
{
    const tac_model_node *node = &drawing->model->nodes[n];
    indent(drawing, 5);
    fprintf(drawing->out, "n%u [", n);
    if (node->kind == TAC_NODE_STATE)
        fputs(ink(drawing, drawing->marks && drawing->marks->nodes[n]), drawing->out);
    if (node->kind == TAC_NODE_CONNECTION) {
        fputs("shape=circle, style=solid, width=0.2, fixedsize=true, label=\"\", tooltip=",
              drawing->out);
        print_quoted(drawing, node->name);
    } else if (node->kind == TAC_NODE_FINAL) {
        fputs("shape=circle, style=solid, width=0.2, fixedsize=true, label=\"\u00d7\", tooltip=",
              drawing->out);
        print_quoted(drawing, node->name);
    } else {
        fputs("label=", drawing->out);
        print_quoted(drawing, node->name);
    }
    fputs("];\n", drawing->out);
}

static void add_event(struct drawing *drawing, const tac_model_transition *transition)
{
    const tac_model *model = drawing->model;
    char number[40];
    if (drawing->label.length)
        tac_str_add(&drawing->label, "\\n");
    add_quoted(&drawing->label, model->events[transition->event]);
    if (transition->sends != TAC_MODEL_NONE) {
        tac_str_add(&drawing->label, " !");
        add_quoted(&drawing->label, model->channels[transition->sends]);
    }
    if (transition->receives != TAC_MODEL_NONE) {
        tac_str_add(&drawing->label, " ?");
        add_quoted(&drawing->label, model->channels[transition->receives]);
    }
    if (transition->time >= 0)
        tac_str_addf(&drawing->label, " {time=%s}",
                     tac_double_text(transition->time, number, sizeof number));
}

/* Transitions between the same two nodes share one arrow. `drawn` marks those already shown; only
 * the first LOOKAHEAD later ones are compared, so that a state with very many transitions does not
 * take quadratic time. */
static void draw_transitions(struct drawing *drawing, const tac_model_node *node)
{
    enum { LOOKAHEAD = 256 };
    const tac_model *model = drawing->model;
    bool *drawn = tac_calloc((size_t)node->out_count + 1, sizeof *drawn);
    for (uint32_t i = 0; i < node->out_count; i++) {
        const tac_model_transition *first = &model->transitions[node->first_out + i];
        if (drawn[i])
            continue;
        tac_str_clear(&drawing->label);
        bool taken = false;
        for (uint32_t k = i; k < node->out_count && k < i + LOOKAHEAD; k++)
            if (!drawn[k] && model->transitions[node->first_out + k].to == first->to) {
                add_event(drawing, &model->transitions[node->first_out + k]);
                taken |= drawing->marks && drawing->marks->transitions[node->first_out + k];
                drawn[k] = true;
            }
        indent(drawing, 1);
        fprintf(drawing->out, "n%u -> n%u [%slabel=\"%s\"];\n", first->from, first->to,
                ink(drawing, taken), tac_str_text(&drawing->label));
    }
    free(drawn);
}

static void draw_call(struct drawing *drawing, uint32_t n)
{
    const tac_model *model = drawing->model;
    const tac_model_call *call = &model->calls[model->nodes[n].call];
    uint32_t machine = call->machine;
    if (call->enters != TAC_MODEL_NONE) {
        indent(drawing, 1);
        fprintf(drawing->out, "n%u -> n%u [style=dashed];\n", n, call->enters);
        return;
    }
    if (machine == TAC_MODEL_NONE) {
        const tac_model_activity *activity = &model->activities[call->activity];
        machine = activity->first_machine;
        while (!model->machines[machine].external)
            machine++;
    }
    indent(drawing, 1);
    fprintf(drawing->out, "n%u -> m%u_in [style=dashed, label=\"%s\"", n, machine,
            call->reuse ? "reuse" : "");
    if (call->machine == TAC_MODEL_NONE)
        fprintf(drawing->out, ", lhead=cluster_v%u", call->activity);
    fputs("];\n", drawing->out);
    indent(drawing, 1);
    fprintf(drawing->out, "n%u -> n%u [style=dashed, arrowhead=open, label=\"%s\"];\n", n,
            call->returns, call->auto_return ? "" : "no return");
}

static void draw_machine(struct drawing *drawing, uint32_t m)
{
    const tac_model_machine *machine = &drawing->model->machines[m];
    char id[24];
    snprintf(id, sizeof id, "m%u", m);
    open_cluster(drawing, 4, id, machine->name);
    if (machine->external) {
        indent(drawing, 5);
        fputs("penwidth=2;\n", drawing->out);
    }
    indent(drawing, 5);
    fprintf(drawing->out, "m%u_in [shape=point, width=0.15, label=\"\"];\n", m);
    for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++)
        draw_node(drawing, n);
    close_cluster(drawing, 4);
}

static void draw_activity(struct drawing *drawing, uint32_t v)
{
    const tac_model_activity *activity = &drawing->model->activities[v];
    char id[24];
    snprintf(id, sizeof id, "v%u", v);
    open_cluster(drawing, 3, id, activity->name);
    if (activity->external)
        draw_access(drawing, 4, id);
    for (uint32_t m = 0; m < activity->machine_count; m++)
        draw_machine(drawing, activity->first_machine + m);
    close_cluster(drawing, 3);
}

static void draw_device(struct drawing *drawing, uint32_t d)
{
    const tac_model_device *device = &drawing->model->devices[d];
    char id[24];
    snprintf(id, sizeof id, "d%u", d);
    open_cluster(drawing, 1, id, device->name);
    for (uint32_t i = 0; i < device->application_count; i++) {
        uint32_t a = device->first_application + i;
        const tac_model_application *application = &drawing->model->applications[a];
        snprintf(id, sizeof id, "a%u", a);
        open_cluster(drawing, 2, id, application->name);
        if (application->external)
            draw_access(drawing, 3, id);
        for (uint32_t v = 0; v < application->activity_count; v++)
            draw_activity(drawing, application->first_activity + v);
        close_cluster(drawing, 2);
    }
    close_cluster(drawing, 1);
}

static tac_status write_dot(const tac_model *model, const tac_model_marks *marks, FILE *out,
                            tac_error *err)
{
    struct drawing drawing = {.model = model, .marks = marks, .out = out};
    fputs("digraph ", out);
    print_quoted(&drawing, *model->name ? model->name : "model");
    fputs(" {\n  compound=true;\n  style=rounded;\n  fontname=\"Helvetica\";\n"
          "  node [shape=box, style=rounded, fontname=\"Helvetica\", fontsize=11];\n"
          "  edge [fontname=\"Helvetica\", fontsize=9];\n",
          out);
    for (uint32_t d = 0; d < model->device_count; d++)
        draw_device(&drawing, d);
    for (uint32_t m = 0; m < model->machine_count; m++)
        fprintf(out, "  m%u_in -> n%u;\n", m, model->machines[m].initial);
    for (uint32_t n = 0; n < model->node_count; n++) {
        draw_transitions(&drawing, &model->nodes[n]);
        if (model->nodes[n].kind == TAC_NODE_CONNECTION)
            draw_call(&drawing, n);
    }
    fputs("}\n", out);
    tac_str_free(&drawing.label);
    return ferror(out) ? tac_fail_errno(err, errno, "", "cannot write the drawing") : TAC_OK;
}

tac_status tac_model_write_dot(const tac_model *model, FILE *out, tac_error *err)
{
    return write_dot(model, NULL, out, err);
}

tac_status tac_model_write_svg(const tac_model *model, FILE *out, tac_error *err)
{
    return tac_model_draw_coverage(model, NULL, out, err);
}

tac_status tac_model_draw_coverage(const tac_model *model, const tac_model_marks *marks, FILE *out,
                                   tac_error *err)
{
    char *dot = NULL, *svg = NULL;
    size_t dot_size = 0, svg_size = 0;
    FILE *memory = tac_memory_open(&dot, &dot_size);
    tac_status status = write_dot(model, marks, memory, err);
    tac_memory_close(memory);
    if (status == TAC_OK)
        status = tac_graphviz_svg(dot, dot_size, &svg, &svg_size, err);
    if (status == TAC_OK && fwrite(svg, 1, svg_size, out) != svg_size)
        status = tac_fail_errno(err, errno, "", "cannot write the drawing");
    free(dot);
    free(svg);
    return status;
}
