/* See kpi_io.h. */
#include "cli/kpi_io.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "store/store.h"
#include <string.h>

/* The '=' between an app's file and a campaign: behind ".json", so that folders may have one. */
static const char *divider(const char *word)
{
    const char *at = strstr(word, ".json=");
    return at ? at + 5 : NULL;
}

tac_status kpi_subjects_open(const tac_kpi_catalogue *catalogue, const char *const *words,
                             size_t count, struct kpi_subjects *out, tac_error *err)
{
    tac_status status = TAC_OK;
    *out = (struct kpi_subjects){.at = tac_calloc(count + 1, sizeof *out->at),
                                 .apps = tac_calloc(count + 1, sizeof *out->apps),
                                 .campaigns = tac_calloc(count + 1, sizeof *out->campaigns)};
    for (size_t i = 0; i < count && status == TAC_OK; i++) {
        const char *equals = divider(words[i]);
        out->campaigns[i] = tac_strdup(equals ? equals + 1 : words[i]);
        out->count = i + 1;
        if (equals) {
            char *file = tac_strndup(words[i], (size_t)(equals - words[i]));
            status = tac_kpi_app_load(file, catalogue, &out->apps[i], err);
            free(file);
        } else {
            out->apps[i] = tac_kpi_app_with_all(tac_base_name(words[i]), catalogue);
        }
        out->at[i] = (tac_kpi_subject){.campaign = out->campaigns[i], .app = out->apps[i]};
    }
    return status;
}

void kpi_subjects_free(struct kpi_subjects *subjects)
{
    for (size_t i = 0; i < subjects->count; i++) {
        tac_kpi_app_free(subjects->apps[i]);
        free(subjects->campaigns[i]);
    }
    free(subjects->at);
    free(subjects->apps);
    free(subjects->campaigns);
}
