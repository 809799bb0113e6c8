/* The documents of "automation check" and "automation simulate"; see described.h. */
#include "automation/show/described.h"

static const struct field moment_fields[] = {
    FIELDS(tac_automation_moment, t, event), FIELD_TEXTS(tac_automation_moment, fires, fire_count),
    FIELD_TEXTS(tac_automation_moment, writes, write_count)};
static DESCRIBE(moment, tac_automation_moment);
static const struct field automation_play_fields[] = {
    FIELD_LIST(struct automation_play, moments, count, moment_described, .key = "steps")};
DESCRIBE(automation_play, struct automation_play);

static const struct field place_fields[] = {FIELDS(tac_automation_place, file, line),
                                            FIELD(tac_automation_place, id, .maybe = true),
                                            FIELD(tac_automation_place, alias, .maybe = true)};
static DESCRIBE(place, tac_automation_place);
static const struct field repair_fields[] = {
    FIELDS(tac_automation_repair, description, file, line, patch)};
static DESCRIBE(repair, tac_automation_repair);

FIELD_GETTER(class_of, tac_automation_finding, out->text = tac_automation_class_name(it->which))
static const char *const certainties[] = {[false] = "possible", [true] = "exact"};
static const struct field finding_fields[] = {
    FIELD_GET_TEXT("class", class_of),
    FIELD_ENUM(tac_automation_finding, exact, certainties, .key = "certainty"),
    FIELD(tac_automation_finding, message),
    FIELD_LIST(tac_automation_finding, places, place_count, place_described),
    FIELD_TEXTS(tac_automation_finding, entities, entity_count),
    FIELD_LIST(tac_automation_finding, story, moment_count, moment_described),
    FIELD_LIST(tac_automation_finding, repairs, repair_count, repair_described)};
static DESCRIBE(finding, tac_automation_finding);

/* A finding, with the home that it is of where there are several. */
struct found {
    const tac_automation_finding *finding;
    const char *path;
};
static const struct field found_fields[] = {
    FIELD_POINTER(struct found, finding, finding_described, .splice = true),
    FIELD(struct found, path, .only = IF(struct found, path))};
static DESCRIBE(found, struct found);

static void sums_of(const void *value, struct field_value *out)
{
    const struct automation_homes *homes = value;
    tac_automation_findings *sums = tac_arena_calloc(out->arena, 1, sizeof *sums);
    for (size_t i = 0; i < homes->count; i++) {
        const tac_automation_findings *one = homes->at[i].findings;
        sums->automations += one->automations;
        sums->exact += one->exact;
        sums->abstracted += one->abstracted;
        sums->unreadable += one->unreadable;
        sums->disabled += one->disabled;
        sums->incomplete += one->incomplete;
        sums->count += one->count;
    }
    out->at = sums;
}

static void findings_of(const void *value, struct field_value *out)
{
    const struct automation_homes *homes = value;
    sums_of(value, out);
    size_t count = ((const tac_automation_findings *)out->at)->count;
    struct found *list = tac_arena_calloc(out->arena, count, sizeof *list);
    for (size_t i = 0; i < homes->count; i++)
        for (size_t k = 0; k < homes->at[i].findings->count; k++)
            list[out->count++] = (struct found){&homes->at[i].findings->at[k],
                                                homes->count > 1 ? homes->at[i].path : NULL};
    out->at = list;
}

static const struct field sums_fields[] = {FIELDS(tac_automation_findings, automations, exact,
                                                  abstracted, unreadable, disabled, incomplete)};
static DESCRIBE(sums, tac_automation_findings);
static const struct field automation_homes_fields[] = {
    FIELD_GET_POINTER("", sums_of, sums_described, .splice = true),
    FIELD_GET_LIST("findings", findings_of, found_described),
    FIELD_LIST(struct automation_homes, diagnostics.at, diagnostics.count, diagnostic_described,
               .key = "warnings", .each = IF_IS(tac_diagnostic, severity, TAC_WARNING),
               .only = IF(struct automation_homes, diagnosed)),
    FIELD_LIST(struct automation_homes, diagnostics.at, diagnostics.count, diagnostic_described,
               .key = "errors", .each = IF_IS(tac_diagnostic, severity, TAC_ERROR),
               .only = IF(struct automation_homes, diagnosed))};
DESCRIBE(automation_homes, struct automation_homes);

json_t *tac_automation_findings_json(const tac_automation_findings *findings)
{
    const struct automation_home home = {"", findings};
    return describe_json(&automation_homes_described,
                         &(struct automation_homes){.at = &home, .count = 1});
}
