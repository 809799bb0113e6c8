/* tac_model_builder_finish: from collected elements to a checked, read-only model. Every step adds
 * what it finds to the diagnostics; only the steps that need whole references wait for a model
 * without errors. */
#include "model/builder.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define SUGGESTION_BUDGET 2000000

void tac_model_report(struct finishing *work, tac_severity severity, uint32_t application,
                      uint32_t line, const char *format, ...)
{
    if (work->diagnostics->count >= work->room) { /* only counted from here on */
        if (severity == TAC_ERROR)
            work->diagnostics->errors++;
        else
            work->diagnostics->warnings++;
        return;
    }
    char message[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const tac_model_builder *builder = work->builder;
    uint32_t file = 0;
    if (application != TAC_NONE && builder->files.count > 1)
        for (size_t i = 0; i < builder->applications.count; i++)
            if (work->application_place[i] == application) {
                file = builder->applications.at[i].file;
                break;
            }
    tac_diagnostics_add(work->diagnostics, severity, builder->names.text[builder->files.at[file]],
                        line, 0, "%s", message);
}

uint32_t tac_model_application_of(const struct finishing *work, uint32_t machine)
{
    return work->activities[work->machines[machine].activity].application;
}

const char *tac_model_name_text(const struct finishing *work, uint32_t name)
{
    return work->builder->names.text[name];
}

tac_meaning tac_model_meant(struct finishing *work, const char *word, const char *const *candidates,
                            size_t count)
{
    if (count > work->suggestion_budget)
        return (tac_meaning){""};
    work->suggestion_budget -= count;
    return tac_meant(word, candidates, count);
}

/* Dense ids in order of first use for names that appear on transitions. */
struct dictionary {
    TAC_VEC(const char *) texts;
    TAC_VEC(uint32_t) used;
};

static uint32_t dictionary_id(struct finishing *work, struct dictionary *dictionary, uint32_t name)
{
    if (name == TAC_NONE)
        return TAC_MODEL_NONE;
    if (work->scratch[name] == TAC_NONE) {
        work->scratch[name] = (uint32_t)dictionary->texts.count;
        tac_vec_push(&dictionary->texts, tac_model_name_text(work, name));
        tac_vec_push(&dictionary->used, name);
    }
    return work->scratch[name];
}

/* Hands the texts to the model and leaves the scratch clean. */
static const char *const *dictionary_close(struct finishing *work, struct dictionary *dictionary,
                                           uint32_t *count)
{
    for (size_t i = 0; i < dictionary->used.count; i++)
        work->scratch[dictionary->used.at[i]] = TAC_NONE;
    tac_vec_free(&dictionary->used);
    *count = (uint32_t)dictionary->texts.count;
    return dictionary->texts.at;
}

static tac_event_kind kind_of(struct finishing *work, const struct build_transition *from,
                              const struct build_extra *extra)
{
    if (extra && extra->kind >= 0)
        return extra->kind == TAC_EVENT_SYSTEM ? TAC_EVENT_SYSTEM : TAC_EVENT_USER;
    return tac_ends_with(tac_model_name_text(work, from->event), "-") ? TAC_EVENT_SYSTEM
                                                                      : TAC_EVENT_USER;
}

static void check_numbers(struct finishing *work, const struct build_transition *from,
                          const struct build_extra *extra)
{
    uint32_t application = tac_model_application_of(work, work->machine_place[from->machine]);
    if (!isfinite(extra->time))
        tac_model_report(work, TAC_ERROR, application, from->line,
                         "the time of the transition '%s' is not a finite number of seconds",
                         tac_model_name_text(work, from->event));
    if (!isfinite(extra->weight) || extra->weight <= 0)
        tac_model_report(work, TAC_ERROR, application, from->line,
                         "the weight of the transition '%s' must be a number above 0",
                         tac_model_name_text(work, from->event));
}

static void fill_transition(struct finishing *work, const struct build_transition *from,
                            tac_model_transition *to)
{
    const struct build_extra *extra =
        from->extra == TAC_NONE ? NULL : &work->builder->extras.at[from->extra];
    if (extra)
        check_numbers(work, from, extra);
    *to = (tac_model_transition){.from = from->from,
                                 .to = from->to,
                                 .event = from->event,
                                 .sends = extra ? extra->sends : TAC_NONE,
                                 .receives = extra ? extra->receives : TAC_NONE,
                                 .note = extra ? extra->note : TAC_NONE,
                                 .guard = extra ? extra->guard : TAC_NONE,
                                 .update = extra ? extra->update : TAC_NONE,
                                 .labels = extra ? extra->labels : TAC_NONE,
                                 .expect = extra ? extra->expect : TAC_NONE,
                                 .dependency = extra ? extra->dependency : -1,
                                 .time = extra ? extra->time : -1,
                                 .weight = extra ? extra->weight : 1,
                                 .line = from->line,
                                 .kind = kind_of(work, from, extra)};
}

/* Names on transitions become ids in the order of the finished array, so that writing and reading
 * back gives the same ids. */
static void number_events(struct finishing *work)
{
    tac_model *model = work->model;
    struct dictionary events = {0}, channels = {0}, notes = {0};
    for (uint32_t t = 0; t < model->transition_count; t++)
        work->transitions[t].event = dictionary_id(work, &events, work->transitions[t].event);
    model->events = dictionary_close(work, &events, &model->event_count);
    for (uint32_t t = 0; t < model->transition_count; t++) {
        work->transitions[t].sends = dictionary_id(work, &channels, work->transitions[t].sends);
        work->transitions[t].receives =
            dictionary_id(work, &channels, work->transitions[t].receives);
    }
    model->channels = dictionary_close(work, &channels, &model->channel_count);
    for (uint32_t n = 0; n < model->node_count; n++) {
        const struct build_node *from = &work->builder->nodes.at[work->node_source[n]];
        work->nodes[n].labels = dictionary_id(work, &notes, from->labels);
        work->nodes[n].image = dictionary_id(work, &notes, from->image);
        work->nodes[n].expect = dictionary_id(work, &notes, from->expect);
        work->nodes[n].untried = dictionary_id(work, &notes, from->untried);
    }
    for (uint32_t t = 0; t < model->transition_count; t++) {
        tac_model_transition *at = &work->transitions[t];
        at->note = dictionary_id(work, &notes, at->note);
        at->guard = dictionary_id(work, &notes, at->guard);
        at->update = dictionary_id(work, &notes, at->update);
        at->labels = dictionary_id(work, &notes, at->labels);
        at->expect = dictionary_id(work, &notes, at->expect);
    }
    model->notes = dictionary_close(work, &notes, &model->note_count);
}

static const char *text_or_null(const struct finishing *work, uint32_t name)
{
    return name == TAC_NONE ? NULL : tac_model_name_text(work, name);
}

/* Actions of one transition become consecutive; those of dropped transitions are dropped. */
static void place_actions(struct finishing *work, const uint32_t *transition_place)
{
    tac_model_builder *builder = work->builder;
    uint32_t kept = work->model->transition_count, count = (uint32_t)builder->actions.count;
    work->model->actions = work->actions = tac_calloc((size_t)count + 1, sizeof *work->actions);
    if (!count)
        return;
    uint32_t *parent = tac_calloc((size_t)count + 1, sizeof *parent);
    uint32_t *first = tac_calloc((size_t)kept + 2, sizeof *first);
    uint32_t *counts = tac_calloc((size_t)kept + 2, sizeof *counts);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = transition_place[builder->actions.at[i].transition];
        parent[i] = place < kept ? place : kept;
    }
    uint32_t *place = tac_model_group(parent, count, kept + 1, first, counts);
    for (uint32_t i = 0; i < count; i++) {
        const struct build_action *from = &builder->actions.at[i];
        work->actions[place[i]] =
            (tac_model_action){.xpath = text_or_null(work, from->xpath),
                               .resource_id = text_or_null(work, from->resource_id),
                               .text = text_or_null(work, from->text),
                               .value = text_or_null(work, from->value),
                               .area = text_or_null(work, from->area),
                               .kind = from->kind,
                               .fragile = from->fragile};
    }
    for (uint32_t t = 0; t < kept; t++) {
        work->transitions[t].first_action = counts[t] ? first[t] : 0;
        work->transitions[t].action_count = counts[t];
    }
    work->model->action_count = first[kept];
    free(parent);
    free(first);
    free(counts);
    free(place);
}

/* Transitions whose ends were not found go to a last bucket and are left out. */
static void tac_model_place_transitions(struct finishing *work)
{
    tac_model_builder *builder = work->builder;
    tac_model *model = work->model;
    uint32_t count = (uint32_t)builder->transitions.count, nodes = model->node_count;
    uint32_t *parent = tac_calloc((size_t)count + 1, sizeof *parent);
    uint32_t *first = tac_calloc((size_t)nodes + 2, sizeof *first);
    uint32_t *counts = tac_calloc((size_t)nodes + 2, sizeof *counts);
    for (uint32_t i = 0; i < count; i++)
        parent[i] =
            builder->transitions.at[i].from == TAC_NONE ? nodes : builder->transitions.at[i].from;
    uint32_t *place = tac_model_group(parent, count, nodes + 1, first, counts);
    free(parent);
    model->transition_count = first[nodes];
    model->transitions = work->transitions =
        tac_calloc((size_t)model->transition_count + 1, sizeof *work->transitions);
    for (uint32_t i = 0; i < count; i++)
        if (place[i] < model->transition_count)
            fill_transition(work, &builder->transitions.at[i], &work->transitions[place[i]]);
    for (uint32_t m = 0; m < model->machine_count; m++) {
        tac_model_machine *machine = &work->machines[m];
        machine->first_transition = machine->node_count ? first[machine->first_node] : 0;
        for (uint32_t n = machine->first_node; n < machine->first_node + machine->node_count; n++) {
            work->nodes[n].out_count = counts[n];
            work->nodes[n].first_out = counts[n] ? first[n] : 0;
            machine->transition_count += counts[n];
        }
        if (!machine->transition_count)
            machine->first_transition = 0;
    }
    place_actions(work, place);
    free(place);
    free(first);
    free(counts);
    tac_vec_free(&builder->transitions);
    tac_vec_free(&builder->extras);
    number_events(work);
}

static void run_steps(struct finishing *work)
{
    tac_model_lay_out(work);
    tac_model_resolve_names(work);
    tac_model_resolve_calls(work);
    tac_model_place_transitions(work);
    work->room = TAC_DIAGNOSTICS_MAX;
    tac_model_find_silent_cycles(work);
    if (!work->builder->names_are_checked)
        tac_model_check_filled(work);
    tac_model_check_starts(work);
    tac_model_check_scripts(work);
    tac_model_check_actions(work);
    if (work->diagnostics->errors)
        return;
    tac_model_check_reachable(work);
    tac_model_check_channels(work);
    tac_model_check_repeats(work);
}

static bool fits(const tac_model_builder *builder)
{
    const size_t most = UINT32_MAX - 2;
    return builder->nodes.count + builder->machines.count + builder->activities.count < most &&
           builder->machines.count < most / 3 && builder->transitions.count < most &&
           builder->actions.count < most && builder->names.count < most;
}

static void free_work(struct finishing *work)
{
    free(work->application_place);
    free(work->activity_place);
    free(work->machine_place);
    free(work->node_place);
    free(work->machine_source);
    free(work->node_source);
    free(work->scratch);
}

/* The texts outlive the builder: the arena moves into the model. */
static void take_texts(tac_model *model, tac_model_builder *builder)
{
    model->name = builder->names.text[builder->name];
    model->setup = builder->names.text[builder->setup];
    model->storage = tac_calloc(1, sizeof *model->storage);
    tac_arena file_names = builder->names.arena;
    if (builder->files.count > 1) {
        size_t length = 1;
        for (size_t i = 0; i < builder->files.count; i++)
            length += strlen(builder->names.text[builder->files.at[i]]) + 3;
        char *joined = tac_arena_calloc(&file_names, length, 1);
        for (size_t i = 0; i < builder->files.count; i++) {
            strcat(joined, i ? " + " : "");
            strcat(joined, builder->names.text[builder->files.at[i]]);
        }
        model->file = joined;
    } else {
        model->file = builder->names.text[builder->files.at[0]];
    }
    model->storage->texts = file_names;
    builder->names.arena = (tac_arena){0};
}

tac_status tac_model_builder_finish(tac_model_builder *builder, tac_diagnostics *diagnostics,
                                    tac_model **out, tac_error *err)
{
    tac_status status = TAC_OK;
    if (builder->misuse)
        status = tac_fail(err, TAC_E_USAGE, "%s", builder->misuse);
    else if (!fits(builder))
        status = tac_fail(err, TAC_E_LIMIT, "the model has more than 4,000,000,000 elements");
    if (status != TAC_OK) {
        tac_model_builder_free(builder);
        return status;
    }
    struct finishing work = {.builder = builder,
                             .model = tac_calloc(1, sizeof *work.model),
                             .diagnostics = diagnostics,
                             .suggestion_budget = SUGGESTION_BUDGET,
                             .room = TAC_DIAGNOSTICS_MAX - 100};
    work.scratch = tac_alloc((builder->names.count + 1) * sizeof *work.scratch);
    memset(work.scratch, 0xff, (builder->names.count + 1) * sizeof *work.scratch);
    run_steps(&work);
    free_work(&work);
    take_texts(work.model, builder);
    tac_model_builder_free(builder);
    if (diagnostics->errors) {
        tac_model_free(work.model);
        return tac_diagnostics_fail(diagnostics, err);
    }
    *out = work.model;
    return TAC_OK;
}

void tac_model_free(tac_model *model)
{
    if (!model)
        return;
    free((void *)(uintptr_t)model->devices);
    free((void *)(uintptr_t)model->applications);
    free((void *)(uintptr_t)model->activities);
    free((void *)(uintptr_t)model->machines);
    free((void *)(uintptr_t)model->nodes);
    free((void *)(uintptr_t)model->transitions);
    free((void *)(uintptr_t)model->calls);
    free((void *)(uintptr_t)model->actions);
    free((void *)(uintptr_t)model->events);
    free((void *)(uintptr_t)model->channels);
    free((void *)(uintptr_t)model->notes);
    if (model->storage)
        tac_arena_free(&model->storage->texts);
    free(model->storage);
    free(model);
}
