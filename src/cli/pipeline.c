/* The files of --junit, --sarif and --summary, each whole or not at all. */
#include "cli/pipeline.h"
#include "base/check.h"
#include "base/data/visible.h"
#include "base/io/json.h"
#include "base/io/output.h"
#include "cli/frame.h"
#include "cli/options.h"
#include "cli/piped.h"
#include "findings/identity.h"
#include <string.h>

static const char *const file_options[] = {"junit", "sarif", "summary"};

bool pipeline_wanted(const struct invocation *in)
{
    for (size_t i = 0; i < 3; i++)
        if (option_text(in, file_options[i]))
            return true;
    return option_flag(in, "annotations");
}

static const char *keep(struct pipeline *p, const char *text)
{
    return tac_arena_strdup(&p->arena, text ? text : "");
}

void pipeline_rule(struct pipeline *p, const char *id, const char *text)
{
    for (size_t i = 0; i < p->rules.count; i++)
        if (!strcmp(p->rules.at[i].id, id))
            return;
    struct finding_rule rule = {keep(p, id), keep(p, text)};
    tac_vec_push(&p->rules, rule);
}

void pipeline_add(struct pipeline *p, enum finding_level level, const char *rule, const char *name,
                  const char *text, const char *detail, const char *fingerprint)
{
    struct finding_entry entry = {.level = level,
                                  .rule = keep(p, rule),
                                  .name = keep(p, name),
                                  .text = keep(p, text),
                                  .detail = keep(p, detail),
                                  .fingerprint = keep(p, fingerprint)};
    tac_vec_push(&p->entries, entry);
}

void pipeline_identify(struct pipeline *p, const char *id)
{
    assert(p->entries.count > 0);
    tac_vec_last(&p->entries).id = keep(p, id);
}

void pipeline_identify_property(struct pipeline *p, const char *property)
{
    char id[FINDING_ID];
    finding_identity(property, "", id);
    pipeline_identify(p, id);
}

void pipeline_place(struct pipeline *p, const char *file, size_t line)
{
    assert(p->entries.count > 0);
    struct finding_place place = {keep(p, piped_name(p->piped, file)), line};
    tac_vec_push(&p->places, place);
    p->entries.at[p->entries.count - 1].place_count++;
}

void pipeline_time(struct pipeline *p, double seconds)
{
    assert(p->entries.count > 0);
    tac_vec_last(&p->entries).seconds = seconds;
}

void pipeline_attach(struct pipeline *p, const char *path)
{
    assert(p->entries.count > 0);
    const char **all = &tac_vec_last(&p->entries).attachments;
    *all = pipeline_text(p, "%s%s%s", *all ? *all : "", *all ? "\n" : "", path);
}

static tac_status write_list(const struct finding_list *list, const char *form, FILE *out,
                             tac_error *err)
{
    if (!strcmp(form, "junit"))
        return findings_junit(list, out, err);
    if (!strcmp(form, "summary"))
        return findings_markdown(list, out, err);
    json_t *document = findings_sarif(list);
    tac_status status = tac_json_write(document, out, err);
    json_decref(document);
    return status;
}

/* Commands of a build server that are ours. */
static void print_annotations(const struct finding_list *list)
{
    FILE *out = tac_visible_stream(terminal_stream(), false, false);
    findings_annotations(list, out);
    fclose(out);
}

tac_status pipeline_write(const struct invocation *in, const struct finding_list *list,
                          tac_error *err)
{
    tac_status status = TAC_OK;
    for (size_t i = 0; i < 3 && status == TAC_OK; i++) {
        tac_output output;
        const char *path = option_text(in, file_options[i]);
        if (!path)
            continue;
        status = tac_output_open(&output, path, err);
        if (status == TAC_OK)
            status =
                tac_output_close(&output, write_list(list, file_options[i], output.file, err), err);
    }
    if (status == TAC_OK && option_flag(in, "annotations"))
        print_annotations(list);
    return status;
}

tac_status pipeline_open(const struct invocation *in, struct pipeline *p, bool *needed,
                         tac_error *err)
{
    tac_status status = has_option(in, "intended") ? known_load(&p->known, err) : TAC_OK;
    *needed = pipeline_wanted(in) || p->known.at.count;
    return status;
}

int pipeline_exit_code(const struct pipeline *p, int code, bool unclear)
{
    bool excused = code == tac_exit_code(TAC_OK, TAC_VIOLATED) && p->excused && !p->bad;
    return excused ? tac_exit_code(TAC_OK, unclear ? TAC_INCONCLUSIVE : TAC_HOLDS) : code;
}

/* What is known is no failure and is told apart; what is intended goes, unless it is asked for. */
static void excuse_known(const struct invocation *in, struct pipeline *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->entries.count; i++) {
        struct finding_entry *entry = &p->entries.at[i];
        char id[FINDING_ID];
        finding_entry_id(entry, id);
        bool wrong = entry->level <= FINDING_MILD;
        const struct known_finding *known = wrong ? known_find(&p->known, id) : NULL;
        p->bad += wrong && !known;
        p->excused += known != NULL;
        if (known && known->intended && !option_flag(in, "intended"))
            continue;
        if (known) {
            entry->level = FINDING_KNOWN;
            entry->known = keep(p, known_text(&p->known, known));
            fprintf(stderr, "tactus: known: %s: %s (%s)\n", id, entry->text, entry->known);
        }
        p->entries.at[kept++] = *entry;
    }
    p->entries.count = kept;
    for (size_t i = 0; i < p->known.at.count; i++)
        if (!p->known.at.at[i].matched)
            fprintf(stderr, "%s:%zu: warning: nothing with the identity %s was found\n",
                    p->known.path, p->known.at.at[i].line, p->known.at.at[i].id);
        else if (p->known.at.at[i].expired)
            fprintf(stderr, "%s:%zu: warning: %s was known until %s\n", p->known.path,
                    p->known.at.at[i].line, p->known.at.at[i].id, p->known.at.at[i].until);
}

void pipeline_write_failure(const struct invocation *in, const char *what)
{
    char name[80];
    tac_error ignored; /* the command has failed already, and says why */
    if (!has_option(in, "annotations") || !pipeline_wanted(in))
        return;
    struct finding_list list = {.title = command_name(in->command, name, sizeof name),
                                .undone = what};
    pipeline_write(in, &list, &ignored);
}

tac_status pipeline_finish(const struct invocation *in, struct pipeline *p, const char *title,
                           tac_error *err)
{
    size_t next = 0;
    for (size_t i = 0; i < p->entries.count; i++) {
        p->entries.at[i].places = p->places.at ? p->places.at + next : NULL;
        next += p->entries.at[i].place_count;
    }
    assert(next == p->places.count);
    excuse_known(in, p);
    struct finding_list list = {.title = title,
                                .rules = p->rules.at,
                                .rule_count = p->rules.count,
                                .at = p->entries.at,
                                .count = p->entries.count,
                                .undone = p->undone};
    tac_status status = pipeline_write(in, &list, err);
    pipeline_free(p);
    return status;
}

void pipeline_free(struct pipeline *p)
{
    tac_vec_free(&p->rules);
    tac_vec_free(&p->entries);
    tac_vec_free(&p->places);
    known_free(&p->known);
    tac_arena_free(&p->arena);
}
