/* Two automations with one id, and entities that nobody knows. */
#include "automation/faults/check.h"
#include "base/data/map.h"
#include "base/data/text.h"
#include <string.h>

void find_duplicates(struct checker *checker)
{
    tac_names ids = {0};
    TAC_VEC(uint32_t) first = {0};
    for (uint32_t i = 0; i < checker->model->automations.count; i++) {
        const struct automation *a = &checker->model->automations.at[i];
        if (!a->id || !*a->id)
            continue;
        uint32_t number = tac_names_intern(&ids, a->id);
        if (number == first.count) {
            tac_vec_push(&first, i);
            continue;
        }
        const struct automation *earlier = &checker->model->automations.at[first.at[number]];
        if (earlier->place.file == a->place.file && earlier->place.line == a->place.line)
            continue; /* one file included twice */
        tac_automation_finding *f =
            report(checker, TAC_DUPLICATE_ID, true,
                   "'%s' has the id '%s' of '%s': the second one is ignored", automation_name(a),
                   a->id, automation_name(earlier));
        report_place(checker, f, i, a->place);
        report_place(checker, f, first.at[number], earlier->place);
        checker->silent[i] = true;
    }
    tac_names_free(&ids);
    tac_vec_free(&first);
}

/* Helpers are in the registry or in the files, nowhere else; other entities may come from an
 * integration that is set up in the files and names them itself. */
static bool is_helper(const char *entity)
{
    return TAC_BEGINS_WITH_ONE_OF(entity, "input_", "timer.", "counter.", "schedule.");
}

static bool is_known(const tac_automation_model *model, const char *entity)
{
    const char *dot = strchr(entity, '.');
    return tac_names_find(&model->known_entities, entity) != TAC_NONE ||
           !strcmp(entity, "sun.sun") || !strcmp(entity, "zone.home") ||
           (dot && tac_names_find(&model->defined, dot + 1) != TAC_NONE);
}

/* Only where the registry of the user interface is at hand: otherwise it would be noise. */
void find_unknown(struct checker *checker)
{
    const tac_automation_model *model = checker->model;
    if (!model->knows_entities)
        return;
    for (uint32_t i = 0; i < model->automations.count; i++) {
        const struct automation *a = &model->automations.at[i];
        for (size_t t = 0; t < a->trigger_count; t++) {
            uint32_t entity = a->triggers[t].entity;
            const char *name = entity == TAC_NONE ? "" : model->entities.at[entity].name;
            if (entity == TAC_NONE || a->triggers[t].owner || is_known(model, name))
                continue;
            tac_automation_finding *f =
                report(checker, TAC_UNKNOWN_ENTITY, model->whole && is_helper(name),
                       "'%s' listens to %s, which is neither registered nor defined in the files",
                       automation_name(a), name);
            report_place(checker, f, i, a->place);
            report_place(checker, f, i, a->triggers[t].place);
            report_entity(checker, f, entity);
        }
    }
}
