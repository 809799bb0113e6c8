/* The model of each campaign, activity by activity, with what its runs covered, and the flows.
 *
 * Nothing about a model is fatal: what cannot be read or drawn is said, and the report goes on. */
#include "report/model/models.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "report/model/coverage.h"
#include "report/model/drawing.h"
#include "report/model/screens.h"
#include <string.h>

/* Seconds of dot for one activity, and for all models of a report. */
static const double most_each = 2, most_all = 4;

struct model_view {
    const struct coverage *coverage;
    const struct screen_list *screens;
    double *seconds_left;
    uint32_t *place; /* by node: index in the drawing of its activity */
};

/* Two or three controls tell screens apart better than a number does. */
static char *controls_of(const tac_model *model, uint32_t n)
{
    enum { SHOWN = 3 };
    const tac_model_node *node = &model->nodes[n];
    tac_str text = {0};
    unsigned shown = 0;
    for (uint32_t t = node->first_out; t < node->first_out + node->out_count && shown < SHOWN;
         t++) {
        const char *event = model->events[model->transitions[t].event];
        if (!strcmp(event, "back") || !strcmp(event, "home"))
            continue;
        tac_str_addf(&text, "%s%s", shown ? " · " : "", event);
        shown++;
    }
    return text.length ? tac_str_take(&text) : tac_strdup("");
}

static const struct known_screen *screen_of(const struct model_view *view, uint32_t n)
{
    const struct coverage *coverage = view->coverage;
    for (size_t i = 0; i < coverage->screen_node.count; i++)
        if (coverage->screen_node.at[i] == n) {
            const struct known_screen *screen =
                screens_find(view->screens, coverage->screens.text[i]);
            if (screen)
                return screen;
        }
    const tac_model_node *node = &coverage->model->nodes[n];
    char *place = tac_format("%s/%s", coverage->model->machines[node->machine].name, node->name);
    const struct known_screen *screen = screens_find(view->screens, place);
    free(place);
    return screen ? screen : screens_find(view->screens, node->name);
}

static const char *called_name(const tac_model *model, const tac_model_call *call)
{
    uint32_t activity =
        call->machine != TAC_MODEL_NONE ? model->machines[call->machine].activity : call->activity;
    return model->activities[activity].name;
}

static void add_node(const struct model_view *view, uint32_t n, struct model_drawing *drawing)
{
    const tac_model *model = view->coverage->model;
    const tac_model_node *node = &model->nodes[n];
    struct drawn_node drawn = {.name = node->name, .covered = view->coverage->nodes_covered[n]};
    if (node->kind == TAC_NODE_STATE) {
        const struct known_screen *screen = screen_of(view, n);
        drawn.kind = "state";
        drawn.label = tac_strdup(screen && *screen->title ? screen->title : node->name);
        drawn.hint = screen && *screen->title ? tac_strdup(node->name) : controls_of(model, n);
        drawn.screen = screen ? screen->name : NULL;
        drawn.start = model->machines[node->machine].initial == n;
    } else if (node->kind == TAC_NODE_CONNECTION) {
        drawn.kind = "call";
        drawn.label = tac_format("→ %s", called_name(model, &model->calls[node->call]));
        drawn.hint = tac_strdup("");
    } else {
        drawn.kind = "end";
        drawn.label = tac_strdup("×");
        drawn.hint = tac_strdup("");
    }
    view->place[n] = (uint32_t)drawing->nodes.count;
    tac_vec_push(&drawing->nodes, drawn);
}

/* Transitions between the same two nodes share one arrow. */
static void add_edges(const struct model_view *view, uint32_t n, struct model_drawing *drawing)
{
    const tac_model *model = view->coverage->model;
    const tac_model_node *node = &model->nodes[n];
    size_t first = drawing->edges.count;
    for (uint32_t t = node->first_out; t < node->first_out + node->out_count; t++) {
        uint32_t to = view->place[model->transitions[t].to];
        struct drawn_edge *edge = NULL;
        for (size_t i = first; i < drawing->edges.count && !edge; i++)
            if (drawing->edges.at[i].to == to)
                edge = &drawing->edges.at[i];
        if (!edge) {
            tac_vec_push(&drawing->edges, (struct drawn_edge){.from = view->place[n], .to = to});
            edge = &tac_vec_last(&drawing->edges);
        }
        tac_vec_push(&edge->events, model->events[model->transitions[t].event]);
        edge->taken = edge->taken || view->coverage->taken[t];
    }
    if (node->kind == TAC_NODE_CONNECTION && model->calls[node->call].enters == TAC_MODEL_NONE)
        tac_vec_push(&drawing->edges,
                     (struct drawn_edge){.from = view->place[n],
                                         .to = view->place[model->calls[node->call].returns],
                                         .silent = true});
}

static void lay_out(const struct model_view *view, struct model_drawing *drawing)
{
    double most = *view->seconds_left < most_each ? *view->seconds_left : most_each;
    drawing_lay_out(drawing, most);
    *view->seconds_left -= drawing->seconds;
}

struct shown_activity {
    const char *name, *application, *device;
    size_t states, visited;
    struct model_drawing drawing;
};
static const struct field model_activity_fields[] = {
    FIELDS(struct shown_activity, name, application, device, states),
    FIELD(struct shown_activity, visited, .key = "states_covered"),
    FIELD_STRUCT(struct shown_activity, drawing, model_drawing_described)};
static DESCRIBE(model_activity, struct shown_activity);

static void show_activity(const struct model_view *view, uint32_t a, struct shown_activity *out)
{
    const tac_model *model = view->coverage->model;
    const tac_model_activity *activity = &model->activities[a];
    const tac_model_application *app = &model->applications[activity->application];
    *out = (struct shown_activity){.name = activity->name,
                                   .application = app->name,
                                   .device = model->devices[app->device].name};
    for (uint32_t m = activity->first_machine;
         m < activity->first_machine + activity->machine_count; m++) {
        const tac_model_machine *machine = &model->machines[m];
        for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
            bool state = model->nodes[n].kind == TAC_NODE_STATE;
            add_node(view, n, &out->drawing);
            out->states += state;
            out->visited += state && view->coverage->nodes_covered[n];
        }
        for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++)
            add_edges(view, n, &out->drawing);
    }
    lay_out(view, &out->drawing);
}

static struct drawn_edge *call_edge(struct model_drawing *drawing, uint32_t from, uint32_t to)
{
    for (size_t i = 0; i < drawing->edges.count; i++)
        if (drawing->edges.at[i].from == from && drawing->edges.at[i].to == to)
            return &drawing->edges.at[i];
    tac_vec_push(&drawing->edges, (struct drawn_edge){.from = from, .to = to});
    return &tac_vec_last(&drawing->edges);
}

/* Activities, and which calls which by what. */
static struct model_drawing overview_of(const struct model_view *view,
                                        const struct shown_activity *figures)
{
    const tac_model *model = view->coverage->model;
    struct model_drawing drawing = {0};
    for (uint32_t a = 0; a < model->activity_count; a++) {
        tac_vec_push(&drawing.nodes,
                     (struct drawn_node){.kind = "activity",
                                         .name = model->activities[a].name,
                                         .label = tac_strdup(model->activities[a].name),
                                         .hint = tac_format("%zu of %zu states", figures[a].visited,
                                                            figures[a].states),
                                         .covered = figures[a].visited > 0,
                                         .start = model->activities[a].external});
    }
    for (uint32_t t = 0; t < model->transition_count; t++) {
        const tac_model_transition *transition = &model->transitions[t];
        const tac_model_node *to = &model->nodes[transition->to];
        if (to->kind != TAC_NODE_CONNECTION)
            continue;
        const tac_model_call *call = &model->calls[to->call];
        uint32_t target = call->machine != TAC_MODEL_NONE ? model->machines[call->machine].activity
                                                          : call->activity;
        struct drawn_edge *edge =
            call_edge(&drawing, model->machines[to->machine].activity, target);
        tac_vec_push(&edge->events, model->events[transition->event]);
        edge->taken = edge->taken || view->coverage->taken[t];
    }
    lay_out(view, &drawing);
    return drawing;
}

static struct model_figures figures_of(const struct coverage *coverage)
{
    const tac_model *model = coverage->model;
    struct model_figures figures = {.name = model->name, .transitions = model->transition_count};
    for (uint32_t i = 0; i < model->node_count; i++) {
        figures.states += model->nodes[i].kind == TAC_NODE_STATE;
        figures.visited += model->nodes[i].kind == TAC_NODE_STATE && coverage->nodes_covered[i];
    }
    for (uint32_t i = 0; i < model->transition_count; i++)
        figures.taken += coverage->taken[i];
    assert(figures.visited <= figures.states && figures.taken <= figures.transitions);
    return figures;
}

struct shown_model {
    struct model_figures figures;
    const char *campaign;
    const struct coverage *coverage;
    struct model_drawing overview;
    struct shown_activity *activities;
    size_t activity_count;
};
static const struct field model_walk_fields[] = {
    FIELD(struct coverage, steps, .key = "random_steps"),
    FIELD(struct coverage, placed, .key = "random_placed")};
static DESCRIBE(model_walk, struct coverage);
static const struct field model_fields[] = {
    FIELDS(struct shown_model, figures.name, campaign, figures.states),
    FIELD(struct shown_model, figures.visited, .key = "states_covered"),
    FIELD(struct shown_model, figures.transitions),
    FIELD(struct shown_model, figures.taken, .key = "transitions_covered"),
    FIELD_POINTER(struct shown_model, coverage, model_walk_described, .splice = true),
    FIELD_STRUCT(struct shown_model, overview, model_drawing_described),
    FIELD_LIST(struct shown_model, activities, activity_count, model_activity_described)};
static DESCRIBE(model, struct shown_model);

static json_t *model_json(const struct model_view *view, const struct report_campaign *campaign,
                          const struct model_figures *figures)
{
    struct shown_model shown = {.figures = *figures,
                                .campaign = campaign->label,
                                .coverage = view->coverage,
                                .activity_count = view->coverage->model->activity_count};
    shown.activities = tac_calloc(shown.activity_count + 1, sizeof *shown.activities);
    for (uint32_t a = 0; a < shown.activity_count; a++)
        show_activity(view, a, &shown.activities[a]);
    shown.overview = overview_of(view, shown.activities);
    json_t *object = describe_json(&model_described, &shown);
    for (size_t a = 0; a < shown.activity_count; a++)
        drawing_free(&shown.activities[a].drawing);
    drawing_free(&shown.overview);
    free(shown.activities);
    return object;
}

/* Where nothing was executed the lack of runs is what there is to say. */
static void add_finding(struct finding_set *findings, const struct model_figures *figures,
                        size_t runs)
{
    const char *name = figures->name;
    const char *who = runs == 1 ? "The run" : "The runs";
    struct finding_parts parts = {.link = "#model", .subject = name};
    if (!runs)
        return;
    if (figures->taken == figures->transitions) {
        parts.rank = RANK_FINE;
        finding_add(findings, &parts, "%s took all %zu transitions of %s.", who,
                    figures->transitions, name);
    } else {
        parts.rank = RANK_UNCLEAR;
        parts.detail = "What was not executed was not checked; 'tactus flow cover' lists flows "
                       "that reach the rest.";
        finding_add(findings, &parts, "%s took %zu of the %zu transitions of %s.", who,
                    figures->taken, figures->transitions, name);
    }
}

static void say_problem(struct finding_set *findings, const char *what, const char *why)
{
    struct finding_parts parts = {.rank = RANK_UNCLEAR, .link = "#model", .detail = why};
    finding_add(findings, &parts, "%s cannot be read; the report goes without.", what);
}

static tac_status add_campaign(struct tac_report *report, struct report_campaign *campaign,
                               double *seconds_left, json_t *models, json_t *flows)
{
    struct finding_set *findings = &report->project.findings;
    struct coverage *coverage = campaign->coverage;
    if (!coverage)
        return TAC_OK;
    if (!coverage->model) {
        say_problem(findings, "The campaign's model", coverage->problem);
        return TAC_OK;
    }
    tac_error err;
    if (coverage_read_flows(coverage, campaign, flows, &err) != TAC_OK) {
        char text[sizeof err.file + sizeof err.message];
        say_problem(findings, "The campaign's flows", tac_error_text(&err, text, sizeof text));
    }
    struct screen_list *screens = screens_load(campaign);
    struct model_view view = {
        coverage, screens, seconds_left,
        tac_calloc((size_t)coverage->model->node_count + 1, sizeof *view.place)};
    struct model_figures figures = figures_of(coverage);
    json_array_append_new(models, model_json(&view, campaign, &figures));
    add_finding(findings, &figures, campaign->runs.count);
    tac_vec_push(&report->models, figures);
    free(view.place);
    screens_free(screens);
    return TAC_OK;
}

tac_status report_add_models(struct tac_report *report, tac_error *err)
{
    json_t *models = json_array(), *flows = json_array();
    double seconds_left = most_all;
    tac_status status = TAC_OK;
    (void)err;
    for (size_t i = 0; i < report->project.campaigns.count && status == TAC_OK; i++)
        status =
            add_campaign(report, &report->project.campaigns.at[i], &seconds_left, models, flows);
    json_object_set_new(report->document, "models", models);
    json_object_set_new(report->document, "flows", flows);
    return status;
}
