/* Runs the analyses and puts their findings in order. */
#include "automation/faults/check.h"
#include "automation/faults/repair.h"
#include "base/check.h"
#include "base/data/str.h"
#include <stdarg.h>
#include <string.h>

tac_automation_finding *report(struct checker *checker, tac_automation_class which, bool exact,
                               const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    tac_vec_push(
        &checker->found,
        (tac_automation_finding){.which = which, .exact = exact, .message = tac_str_take(&text)});
    return &tac_vec_last(&checker->found);
}

void report_place(struct checker *checker, tac_automation_finding *finding, uint32_t automation,
                  struct place place)
{
    const tac_automation_model *model = checker->model;
    finding->places =
        tac_realloc(finding->places, finding->place_count + 1, sizeof *finding->places);
    tac_automation_place *out = &finding->places[finding->place_count++];
    *out =
        (tac_automation_place){.file = model->library.files[place.file].path, .line = place.line};
    if (automation != TAC_NONE) {
        out->id = model->automations.at[automation].id;
        out->alias = model->automations.at[automation].alias;
    }
}

void report_entity(struct checker *checker, tac_automation_finding *finding, uint32_t entity)
{
    for (size_t i = 0; i < finding->entity_count; i++)
        if (!strcmp(finding->entities[i], checker->model->entities.at[entity].name))
            return;
    finding->entities =
        tac_realloc(finding->entities, finding->entity_count + 1, sizeof *finding->entities);
    finding->entities[finding->entity_count++] = checker->model->entities.at[entity].name;
}

bool checker_tick(struct checker *checker, const char *what, size_t done)
{
    if (!checker->stopped &&
        !tac_watch_tick(checker->watch, what, done, checker->model->automations.count))
        checker->stopped = true;
    return !checker->stopped;
}

size_t path_demands(const struct path *path, size_t write, const struct trigger *trigger,
                    const struct event *event, struct demand *out, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < path->demands.count && count < most; i++) {
        const struct path_demand *d = &path->demands.at[i];
        if (!d->late && d->writes <= write)
            out[count++] = (struct demand){.cond = d->cond,
                                           .want = d->want,
                                           .trigger = trigger,
                                           .event = event,
                                           .path = path,
                                           .writes = d->writes};
    }
    return count;
}

static int by_place(const void *a, const void *b)
{
    const tac_automation_finding *x = a, *y = b;
    if (x->exact != y->exact)
        return y->exact - x->exact;
    if (!x->place_count || !y->place_count)
        return (int)(y->place_count > 0) - (int)(x->place_count > 0);
    int file = strcmp(x->places[0].file, y->places[0].file);
    if (file)
        return file;
    if (x->places[0].line != y->places[0].line)
        return x->places[0].line < y->places[0].line ? -1 : 1;
    return (int)x->which - (int)y->which;
}

static void free_finding(tac_automation_finding *f)
{
    tac_automation_moments_free(f->story, f->moment_count);
    for (size_t i = 0; i < f->repair_count; i++) {
        free(f->repairs[i].description);
        free(f->repairs[i].patch);
        free(f->repairs[i].fixed);
    }
    free(f->repairs);
    free(f->message);
    free(f->places);
    free(f->entities);
}

void tac_automation_findings_free(tac_automation_findings *findings)
{
    for (size_t i = 0; findings && i < findings->count; i++)
        free_finding(&findings->at[i]);
    if (findings)
        free(findings->at);
    free(findings);
}

static void count_readings(const tac_automation_model *model, tac_automation_findings *out)
{
    out->automations = model->automations.count;
    for (size_t i = 0; i < model->automations.count; i++) {
        const struct automation *a = &model->automations.at[i];
        out->exact += a->reading == TAC_READ_EXACT;
        out->abstracted += a->reading == TAC_READ_ABSTRACTED;
        out->unreadable += a->reading == TAC_READ_NOT;
        out->disabled += a->disabled;
    }
    assert(out->exact + out->abstracted + out->unreadable == out->automations);
}

/* Only wanted classes, and possible findings only when asked for. */
static void keep_wanted(struct checker *checker, const tac_automation_options *options)
{
    size_t kept = 0;
    for (size_t i = 0; i < checker->found.count; i++) {
        tac_automation_finding *f = &checker->found.at[i];
        bool wanted = !options->classes || (options->classes >> f->which & 1);
        if (wanted && (f->exact || options->possible))
            checker->found.at[kept++] = *f;
        else
            free_finding(f);
    }
    checker->found.count = kept;
}

static void analyse(struct checker *checker)
{
    static void (*const analyses[])(struct checker *) = {find_duplicates,
                                                         find_unreachable,
                                                         find_impossible,
                                                         find_dead_branches,
                                                         find_dead_alternatives,
                                                         find_opposite,
                                                         find_ignored,
                                                         find_no_hysteresis,
                                                         find_loops,
                                                         find_redundant,
                                                         find_unknown};
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses && !checker->stopped; i++)
        analyses[i](checker);
}

tac_status tac_automation_check(const tac_automation_model *model,
                                const tac_automation_options *options,
                                tac_automation_findings **out, tac_error *err)
{
    static const tac_automation_options none = {0};
    options = options ? options : &none;
    struct checker checker = {
        .model = model, .possible = options->possible, .watch = options->watch};
    size_t count = model->automations.count;
    tac_automation_findings *findings = tac_calloc(1, sizeof *findings);
    solver_open(&checker.solver, model);
    checker.paths = tac_calloc(count + 1, sizeof *checker.paths);
    checker.silent = tac_calloc(count + 1, sizeof *checker.silent);
    for (size_t i = 0; i < count && checker_tick(&checker, "automations unfolded", i); i++) {
        paths_of(&model->automations.at[i], &checker.paths[i]);
        checker.silent[i] = model->automations.at[i].disabled;
    }
    if (!checker.stopped)
        analyse(&checker);
    keep_wanted(&checker, options);
    if (options->repairs && !checker.stopped)
        repair_all(model, checker.found.at, checker.found.count, options->watch);
    if (checker.found.count)
        qsort(checker.found.at, checker.found.count, sizeof *checker.found.at, by_place);
    count_readings(model, findings);
    findings->at = checker.found.at;
    findings->count = checker.found.count;
    findings->incomplete = checker.solver.gave_up;
    for (size_t i = 0; i < model->entities.count; i++)
        findings->incomplete += model->entities.at[i].more_values;
    for (size_t i = 0; i < count; i++) {
        findings->incomplete += checker.paths[i].cut && !model->automations.at[i].disabled;
        paths_free(&checker.paths[i]);
    }
    free(checker.paths);
    free(checker.silent);
    solver_close(&checker.solver);
    if (checker.stopped) {
        tac_automation_findings_free(findings);
        return tac_fail(err, TAC_E_INTERRUPTED, "stopped before the check was complete");
    }
    *out = findings;
    return TAC_OK;
}
