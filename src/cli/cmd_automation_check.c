/* tactus automation check: what is wrong with the automations of a home or a phone. */
#include "automation/automation.h"
#include "automation/show/described.h"
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "base/io/output.h"
#include "base/print/print.h"
#include "cli/pipeline.h"
#include <string.h>
#include <sys/stat.h>

static const struct option check_options[] = {
    TEXT("only", "CLASS,...",
         "report these classes only: impossible-value, never-fires, dead-trigger, dead-branch, "
         "duplicate-id, opposite-writes, retrigger-ignored, no-hysteresis, loop, redundant, "
         "unknown-entity"),
    FLAG("possible", "also report what depends on something that was not understood"),
    PIPELINE_OPTIONS,
    PATH("fix", "FILE",
         "apply the first proposed repair of a finding in this file of the configuration"),
    {.name = NULL}};

struct home {
    const char *path;
    tac_automation_model *model;
    tac_automation_findings *findings;
    size_t left_out; /* files that could not be read */
};

struct checked {
    struct home *homes;
    size_t count;
    bool verbose;
};

static void print_story(const tac_automation_finding *f, FILE *out)
{
    for (size_t i = 0; i < f->moment_count; i++) {
        const tac_automation_moment *m = &f->story[i];
        tac_print(out, "      %6.6g s  %s\n", m->t, m->event);
        for (size_t k = 0; k < m->fire_count; k++)
            tac_print(out, "                -> %s\n", m->fires[k]);
        for (size_t k = 0; k < m->write_count; k++)
            tac_print(out, "                   %s\n", m->writes[k]);
    }
}

static void print_finding(const tac_automation_finding *f, bool verbose, FILE *out)
{
    tac_print(out, "%s%s: %s\n", tac_automation_class_name(f->which), f->exact ? "" : " (possible)",
              f->message);
    for (size_t i = 0; i < f->place_count; i++)
        tac_print(out, "    %s:%zu\n", f->places[i].file, f->places[i].line);
    if (verbose)
        print_story(f, out);
    for (size_t i = 0; i < f->repair_count; i++) {
        tac_print(out, "    repair: %s\n", f->repairs[i].description);
        fputs(verbose ? f->repairs[i].patch : "", out);
    }
}

static void print_home(const struct home *home, const struct checked *checked, FILE *out)
{
    const tac_automation_findings *f = home->findings;
    if (checked->count > 1)
        tac_print(out, "== %s\n", home->path);
    for (size_t i = 0; i < f->count; i++)
        print_finding(&f->at[i], checked->verbose, out);
    if (f->count)
        fputc('\n', out);
    tac_print(out,
              "%zu finding%s in %zu automation%s (%zu exact, %zu abstracted, %zu not readable%s)\n",
              f->count, f->count == 1 ? "" : "s", f->automations, f->automations == 1 ? "" : "s",
              f->exact, f->abstracted, f->unreadable, f->disabled ? ", some disabled" : "");
    if (home->left_out)
        tac_print(out, "%zu file%s not read; there may be more findings\n", home->left_out,
                  home->left_out == 1 ? " was" : "s were");
    if (f->incomplete)
        tac_print(out, "%zu question%s too large and given up; there may be more findings\n",
                  f->incomplete, f->incomplete == 1 ? " was" : "s were");
    if (checked->verbose && f->exact < f->automations) {
        tac_print(out, "not exact, because of:\n");
        tac_automation_show_reading(home->model, out);
    }
    if (f->count && !checked->verbose)
        tac_print(out, "next: --verbose plays each finding step by step and prints the repairs as "
                       "patches; --fix FILE applies one\n");
}

static void print_all(FILE *out, void *context)
{
    const struct checked *checked = context;
    for (size_t i = 0; i < checked->count; i++)
        print_home(&checked->homes[i], checked, out);
}

static json_t *document(const struct checked *checked, const tac_diagnostics *diagnostics)
{
    struct automation_home *homes = tac_calloc(checked->count + 1, sizeof *homes);
    for (size_t i = 0; i < checked->count; i++)
        homes[i] = (struct automation_home){checked->homes[i].path, checked->homes[i].findings};
    json_t *all =
        describe_json(&automation_homes_described,
                      &(struct automation_homes){homes, checked->count, *diagnostics, true});
    free(homes);
    return all;
}

static bool read_classes(const char *list, unsigned *out, char *bad, size_t size)
{
    while (list && *list) {
        size_t length = strcspn(list, ",");
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        tac_automation_class which = tac_automation_class_of(name);
        if (which == TAC_AUTOMATION_CLASSES) {
            snprintf(bad, size, "%s", name);
            return false;
        }
        *out |= 1U << which;
        list += length + (list[length] == ',');
    }
    return true;
}

static enum finding_level level_of(const tac_automation_finding *f)
{
    if (!f->exact)
        return FINDING_NOTE;
    return f->which == TAC_NO_HYSTERESIS || f->which == TAC_REDUNDANT ? FINDING_MILD
                                                                      : FINDING_ERROR;
}

/* A file of the home as the caller sees it: code hosts look from where the command runs. */
static char *path_of(const struct home *home, const char *file)
{
    struct stat status;
    const char *slash = strrchr(home->path, '/');
    if (!stat(home->path, &status) && S_ISDIR(status.st_mode)) {
        size_t length = strlen(home->path);
        while (length > 1 && home->path[length - 1] == '/')
            length--;
        return tac_format("%.*s/%s", (int)length, home->path, file);
    }
    return slash ? tac_format("%.*s/%s", (int)(slash - home->path), home->path, file)
                 : tac_strdup(file);
}

static void add_case(struct pipeline *cases, const struct home *home,
                     const tac_automation_finding *f)
{
    tac_str detail = {0};
    for (size_t i = 0; i < f->moment_count; i++) {
        const tac_automation_moment *m = &f->story[i];
        tac_str_addf(&detail, "%.6g s  %s\n", m->t, m->event);
        for (size_t k = 0; k < m->fire_count; k++)
            tac_str_addf(&detail, "  -> %s\n", m->fires[k]);
        for (size_t k = 0; k < m->write_count; k++)
            tac_str_addf(&detail, "     %s\n", m->writes[k]);
    }
    tac_str_add(&detail, "tactus automation check --verbose ");
    tac_quote_shell(&detail, home->path);
    pipeline_add(cases, level_of(f), tac_automation_class_name(f->which),
                 f->place_count && f->places[0].alias ? f->places[0].alias : f->message, f->message,
                 tac_str_text(&detail), f->message);
    for (size_t i = 0; i < f->place_count; i++) {
        char *file = path_of(home, f->places[i].file);
        pipeline_place(cases, file, f->places[i].line ? f->places[i].line : 1);
        free(file);
    }
    tac_str_free(&detail);
}

/* A case per finding; a home without any is one that passes. */
static tac_status write_cases(const struct invocation *in, const struct checked *checked,
                              tac_error *err)
{
    struct pipeline cases = {0};
    for (size_t h = 0; h < checked->count && pipeline_wanted(in); h++) {
        const struct home *home = &checked->homes[h];
        for (size_t i = 0; i < home->findings->count; i++)
            add_case(&cases, home, &home->findings->at[i]);
        if (!home->findings->count && !home->left_out && !home->findings->incomplete)
            pipeline_add(&cases, FINDING_PASS, "automations", home->path, "nothing wrong was found",
                         "", home->path);
        else if (!home->findings->count)
            pipeline_add(&cases, FINDING_UNCLEAR, "automations", home->path,
                         "nothing wrong was found in what could be read", "", home->path);
    }
    for (unsigned which = 0; which < TAC_AUTOMATION_CLASSES && pipeline_wanted(in); which++)
        pipeline_rule(&cases, tac_automation_class_name((tac_automation_class)which),
                      tac_automation_class_text((tac_automation_class)which));
    return pipeline_finish(in, &cases, "tactus automation check", err);
}

static bool same_file(const char *a, const char *b)
{
    struct stat first, second;
    return !stat(a, &first) && !stat(b, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Writes the first repair of the first finding in the named file; the others need another check. */
static tac_status apply_fix(const struct invocation *in, const struct checked *checked,
                            tac_error *err)
{
    const char *wanted = option_text(in, "fix");
    for (size_t h = 0; wanted && h < checked->count; h++)
        for (size_t i = 0; i < checked->homes[h].findings->count; i++) {
            const tac_automation_finding *f = &checked->homes[h].findings->at[i];
            for (size_t r = 0; r < f->repair_count; r++) {
                char *path = path_of(&checked->homes[h], f->repairs[r].file);
                tac_status status = TAC_OK;
                bool named = !strcmp(wanted, f->repairs[r].file) || same_file(wanted, path);
                if (named) {
                    complain("%s: %s", path, f->repairs[r].description);
                    status = tac_output_write_file(path, f->repairs[r].fixed,
                                                   strlen(f->repairs[r].fixed), err);
                }
                free(path);
                if (named)
                    return status;
            }
        }
    return wanted ? tac_fail(err, TAC_E_INPUT, "no repair is known for a finding in '%s'", wanted)
                  : TAC_OK;
}

static int check_run(struct invocation *in)
{
    struct checked checked = {.count = in->arg_count, .verbose = in->verbose};
    tac_automation_options options = {
        .possible = option_flag(in, "possible"), .repairs = true, .watch = in->watch};
    tac_diagnostics diagnostics = {0};
    tac_error err = {0};
    char bad[64];
    size_t found = 0, left_out = 0, given_up = 0;
    if (!read_classes(option_text(in, "only"), &options.classes, bad, sizeof bad))
        return fail_usage(in, "--only: '%s' is not a class of findings", bad);
    checked.homes = tac_calloc(in->arg_count, sizeof *checked.homes);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < in->arg_count && status == TAC_OK; i++) {
        checked.homes[i].path = in->args[i];
        status = tac_automation_load(in->args[i], &diagnostics, &checked.homes[i].model, &err);
        if (status == TAC_OK)
            status = tac_automation_check(checked.homes[i].model, &options,
                                          &checked.homes[i].findings, &err);
        found += status == TAC_OK ? checked.homes[i].findings->count : 0;
        given_up += status == TAC_OK ? checked.homes[i].findings->incomplete : 0;
        checked.homes[i].left_out = diagnostics.errors - left_out;
        left_out = diagnostics.errors;
    }
    print_diagnostics(&diagnostics);
    if (status == TAC_OK)
        status = write_cases(in, &checked, &err);
    if (status == TAC_OK)
        status = apply_fix(in, &checked, &err);
    tac_answer answer = found ? TAC_VIOLATED : left_out || given_up ? TAC_INCONCLUSIVE : TAC_HOLDS;
    int code = tac_exit_code(status, answer);
    if (status != TAC_OK) {
        code = fail(in, &err);
    } else if (in->json) {
        code = finish_json(in, document(&checked, &diagnostics), code);
    } else {
        code = finish_text(in, print_all, &checked, code);
    }
    for (size_t i = 0; i < in->arg_count; i++) {
        tac_automation_findings_free(checked.homes[i].findings);
        tac_automation_free(checked.homes[i].model);
    }
    free(checked.homes);
    tac_diagnostics_free(&diagnostics);
    return code;
}

const struct command cmd_automation_check = {
    .noun = "automation",
    .verb = "check",
    .group = GROUP_AUTOMATIONS,
    .first = true,
    .args = "PATH...",
    .summary = "find what is wrong with automations (Home Assistant, Tasker)",
    .description =
        "Reads a Home Assistant configuration folder, a file of automations, a Tasker export or "
        "our own text form, and reports states that an entity can never have, automations, "
        "triggers and branches that are dead, ids given twice, automations that set one thing to "
        "different values on one event, starts that mode single drops, switching without "
        "hysteresis, loops and redundant automations.\n\n"
        "A finding is exact when nothing on its way was abstracted: it is proved, or shown by a "
        "story that a separate simulator has played (--verbose prints it). Findings that depend on "
        "something not understood, such as a template, are reported with --possible only. Nothing "
        "is executed, nothing outside the folder is read, and no file is changed without --fix.\n\n"
        "Exit 1 when there are findings, 0 when there are none, 3 when there are none in what "
        "could be read and tried, and some file could not be read or some question was too large.",
    .example = "tactus automation check examples/home\n"
               "tactus automation check --json --only impossible-value,loop examples/home",
    .options = check_options,
    .documents = DOCUMENTS(&automation_homes_described),
    .common = HAS_JSON | HAS_OUTPUT | HAS_VERBOSE,
    .run = check_run,
};
