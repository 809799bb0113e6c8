/* Rules and recordings behind the public header, and what every answer needs: the system and places
 * of rules. */
#include "protocol/problem/problem.h"
#include "base/check.h"
#include "protocol/flowdroid/flowdroid.h"
#include "protocol/spec/spelling.h"
#include "protocol/system/lifecycle.h"
#include <string.h>

static void move_diagnostics(struct spec_set *set, tac_diagnostics *to)
{
    for (size_t i = 0; to && i < set->diagnostics.count; i++) {
        const tac_diagnostic *d = &set->diagnostics.at[i];
        tac_diagnostics_add(to, d->severity, d->file, d->line, d->column, "%s", d->message);
    }
}

static tac_status finish_rules(struct tac_protocol_rules *rules, tac_status status,
                               tac_protocol_rules **out, tac_diagnostics *diagnostics,
                               tac_error *err)
{
    if (status == TAC_OK)
        status = spec_finish(&rules->set, err);
    move_diagnostics(&rules->set, diagnostics);
    if (status == TAC_OK)
        *out = rules;
    else
        tac_protocol_rules_free(rules);
    return status;
}

tac_status tac_protocol_rules_read(const char *const *files, size_t count, tac_protocol_rules **out,
                                   tac_diagnostics *diagnostics, tac_error *err)
{
    struct tac_protocol_rules *rules = tac_calloc(1, sizeof *rules);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++)
        status = spec_add_file(&rules->set, files[i], err);
    return finish_rules(rules, status, out, diagnostics, err);
}

tac_status tac_protocol_rules_read_list(const char *list, const char *root,
                                        tac_protocol_rules **out, tac_diagnostics *diagnostics,
                                        tac_error *err)
{
    struct tac_protocol_rules *rules = tac_calloc(1, sizeof *rules);
    tac_status status = spec_add_list(&rules->set, list, root, err);
    return finish_rules(rules, status, out, diagnostics, err);
}

void tac_protocol_rules_free(tac_protocol_rules *rules)
{
    if (!rules)
        return;
    spec_free(&rules->set);
    free(rules);
}

bool tac_protocol_rules_leave_out(tac_protocol_rules *rules, const char *place)
{
    struct spec_set *set = &rules->set;
    size_t kept = 0;
    for (size_t i = 0; i < set->rules.count; i++) {
        const struct spec_rule *rule = &set->rules.at[i];
        char *name = tac_format("%s:%u", set->files.at[rule->file], rule->line);
        if (strcmp(name, place) != 0)
            set->rules.at[kept++] = *rule;
        free(name);
    }
    bool found = kept < set->rules.count;
    set->rules.count = kept;
    return found;
}

/* Spelling: against the recording, or of aliases alone. */
static void lint_spelling(struct spec_set *set, const tac_recording *recording)
{
    near_misses misses = {0};
    spelling_check(set, recording ? recording_read_as(recording, false) : NULL, &misses);
    for (size_t i = 0; i < misses.count; i++) {
        tac_str text = {0};
        near_miss_text(&misses.at[i], &text);
        tac_diagnostics_add(&set->diagnostics, TAC_WARNING, set->files.at[misses.at[i].file],
                            misses.at[i].line, misses.at[i].column, "%s", tac_str_text(&text));
        tac_str_free(&text);
    }
    near_misses_free(&misses);
}

tac_status tac_protocol_lint_against(const char *const *files, size_t count,
                                     const tac_recording *recording, tac_diagnostics *findings,
                                     tac_error *err)
{
    struct spec_set set = {0};
    tac_status status = TAC_OK;
    for (size_t i = 0; i < count && status == TAC_OK; i++)
        status = spec_add_file(&set, files[i], err);
    if (status == TAC_OK) {
        tac_error first;
        tac_status finished = spec_finish(&set, &first);
        if (finished == TAC_OK) {
            lint_spelling(&set, recording);
            spec_lint(&set);
        } else if (finished == TAC_E_LIMIT) {
            status = finished;
            *err = first;
        } else if (!set.diagnostics.errors && !set.named.count) {
            tac_diagnostics_add(&set.diagnostics, TAC_WARNING, first.file, 0, 0, "%s",
                                first.message);
        }
        move_diagnostics(&set, findings);
    }
    spec_free(&set);
    return status;
}

static tac_status wrap_recording(tac_status status, struct recording *events, struct recording *all,
                                 tac_recording **out)
{
    if (status != TAC_OK)
        return status;
    assert(events && events->events.count);
    *out = tac_calloc(1, sizeof **out);
    **out = (struct tac_recording){.events = events, .all = all};
    return TAC_OK;
}

tac_status tac_recording_read(const char *path, tac_recording **out, tac_error *err)
{
    struct recording *events = NULL, *all = NULL;
    tac_status status = recording_load(path, &events, &all, err);
    return wrap_recording(status, events, all, out);
}

void tac_recording_free(tac_recording *recording)
{
    if (!recording)
        return;
    recording_free(recording->events);
    recording_free(recording->all);
    free(recording);
}

tac_recording_facts tac_recording_look(const tac_recording *recording)
{
    const struct recording *r = recording->events;
    return (tac_recording_facts){.messages = r->ui_messages,
                                 .toplevel_callbacks = r->events.count,
                                 .raised_callbacks = r->raised_events,
                                 .dropped_messages = r->dropped,
                                 .other_messages =
                                     recording->all ? recording->all->others.messages : 0,
                                 .truncated = r->truncated};
}

static tac_status build(const tac_protocol_rules *rules, const tac_recording *recording,
                        bool with_tail, bool search, const tac_protocol_options *options,
                        struct problem *out, tac_error *err)
{
    assert(options && rules && recording);
    *out = (struct problem){.specs = &rules->set,
                            .recording = recording_read_as(recording, options->as_recorded),
                            .warnings = &recording->events->warnings};
    if (!options->as_recorded)
        out->completed = lifecycle_complete(out->specs, out->recording);
    if (out->completed)
        out->recording = out->completed;
    tac_status status = grounding_build(out->specs, out->recording, with_tail, options->watch,
                                        &out->grounding, err);
    if (status == TAC_OK && options->model != TAC_MODEL_LIFESTATE)
        model_apply(out->recording, &out->grounding, options->model, search);
    if (status == TAC_OK)
        status = system_build(out->specs, out->recording, &out->grounding, options->paper_conflicts,
                              &out->system, err);
    if (status == TAC_OK && out->completed && lifecycle_place(&out->system, out->completed))
        system_collect_events(&out->system);
    if (status != TAC_OK) {
        grounding_free(&out->grounding);
        recording_free(out->completed);
    }
    return status;
}

tac_status problem_build(const tac_protocol_rules *rules, const tac_recording *recording,
                         const tac_protocol_options *options, struct problem *out, tac_error *err)
{
    return build(rules, recording, false, false, options, out, err);
}

tac_status problem_build_to_search(const tac_protocol_rules *rules, const tac_recording *recording,
                                   const tac_protocol_options *options, struct problem *out,
                                   tac_error *err)
{
    return build(rules, recording, false, true, options, out, err);
}

tac_status problem_build_with_tail(const tac_protocol_rules *rules, const tac_recording *recording,
                                   const tac_protocol_options *options, struct problem *out,
                                   tac_error *err)
{
    return build(rules, recording, true, false, options, out, err);
}

tac_status problem_read(const tac_protocol_rules *rules, const tac_recording *recording,
                        const tac_protocol_options *options, struct recording **out, tac_error *err)
{
    *out = NULL;
    if (options->as_recorded || !rules->set.lifecycles.count)
        return TAC_OK;
    struct problem problem;
    tac_status status = build(rules, recording, false, false, options, &problem, err);
    if (status != TAC_OK)
        return status;
    *out = problem.completed;
    problem.completed = NULL;
    problem_free(&problem);
    return TAC_OK;
}

void problem_free(struct problem *problem)
{
    system_free(&problem->system);
    grounding_free(&problem->grounding);
    recording_free(problem->completed);
}

void problem_rule_place(const struct problem *p, uint32_t ground_rule, tac_str *out)
{
    uint32_t source = p->grounding.rules.at[ground_rule].source;
    assert(ground_rule < p->grounding.rules.count);
    if (source == TAC_NONE) {
        tac_str_addf(out, "lifecycle++: %s",
                     model_cause_name(p->grounding.rules.at[ground_rule].cause));
        return;
    }
    const struct spec_rule *rule = &p->specs->rules.at[source];
    tac_str_addf(out, "%s:%u", p->specs->files.at[rule->file], rule->line);
}

const char *problem_call_line(const struct problem *p, uint32_t call)
{
    uint32_t line = p->recording->calls.at[call].caller_line;
    assert(call < p->recording->calls.count);
    return line == TAC_NONE ? NULL : p->recording->names.text[line];
}
