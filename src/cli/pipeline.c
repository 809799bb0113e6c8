/* The files of --junit, --sarif and --summary, each whole or not at all. */
#include "cli/pipeline.h"
#include "base/check.h"
#include "base/io/json.h"
#include "base/io/output.h"
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
        findings_annotations(list, stderr);
    return status;
}

tac_status pipeline_finish(const struct invocation *in, struct pipeline *p, const char *title,
                           tac_error *err)
{
    struct finding_list list = {title, p->rules.at, p->rules.count, p->entries.at,
                                p->entries.count};
    size_t next = 0;
    for (size_t i = 0; i < p->entries.count; i++) {
        p->entries.at[i].places = p->places.at ? p->places.at + next : NULL;
        next += p->entries.at[i].place_count;
    }
    assert(next == p->places.count);
    tac_status status = pipeline_write(in, &list, err);
    pipeline_free(p);
    return status;
}

void pipeline_free(struct pipeline *p)
{
    tac_vec_free(&p->rules);
    tac_vec_free(&p->entries);
    tac_vec_free(&p->places);
    tac_arena_free(&p->arena);
}
