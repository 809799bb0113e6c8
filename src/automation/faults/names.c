/* Two automations with one id, and entities that nobody knows. */
#include "automation/faults/check.h"
#include "base/data/map.h"
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
            if (entity == TAC_NONE || a->triggers[t].attribute ||
                model->entities.at[entity].domain_source ||
                tac_names_find(&model->known_entities, model->entities.at[entity].name) != TAC_NONE)
                continue;
            tac_automation_finding *f = report(checker, TAC_UNKNOWN_ENTITY, true,
                                               "'%s' listens to %s, which is not registered",
                                               automation_name(a), model->entities.at[entity].name);
            report_place(checker, f, i, a->place);
            report_place(checker, f, i, a->triggers[t].place);
            report_entity(checker, f, entity);
        }
    }
}
