/* Formulas of a catalogue as properties of one app: $EVENT becomes the app's event between
 * backquotes, so that any name is one name. */
#include "base/data/str.h"
#include "kpi/catalogue.h"
#include <ctype.h>
#include <string.h>

const char *kpi_event_of(const tac_kpi_app *app, const kpi_indices *features, const char *event)
{
    for (size_t i = 0; i < features->count; i++) {
        const struct kpi_feature *feature = &app->catalogue->features.at[features->at[i]];
        const kpi_texts *own = &app->of[features->at[i]];
        for (size_t e = 0; e < feature->events.count && e < own->count; e++)
            if (!strcmp(feature->events.at[e], event))
                return own->at[e];
    }
    return NULL;
}

static tac_status substitute(const tac_kpi_app *app, const struct kpi *kpi, tac_str *out,
                             tac_error *err)
{
    const char *at = kpi->formula;
    while (*at) {
        char name[128];
        size_t length = 0;
        if (*at != '$') {
            tac_str_add_char(out, *at++);
            continue;
        }
        for (at++; isalnum((unsigned char)*at) || *at == '_'; at++)
            if (length + 1 < sizeof name)
                name[length++] = *at;
        name[length] = '\0';
        const char *event = kpi_event_of(app, &kpi->features, name);
        if (!event)
            return tac_fail(err, TAC_E_INPUT, "'$%s' is not an event of a feature that '%s' needs",
                            name, kpi->name);
        tac_str_addf(out, "`%s`", event);
    }
    return TAC_OK;
}

tac_status kpi_property(const tac_kpi_app *app, const struct kpi *kpi, tac_properties **out,
                        tac_error *err)
{
    tac_str text = {0};
    tac_diagnostics problems = {0};
    tac_str_add(&text, app->catalogue->declarations);
    tac_str_addf(&text, "\nproperty %s: ", kpi->name);
    tac_status status = substitute(app, kpi, &text, err);
    if (status == TAC_OK)
        status =
            tac_property_parse(kpi->name, tac_str_text(&text), text.length, &problems, out, err);
    for (size_t i = 0; status != TAC_OK && i < problems.count; i++)
        if (problems.at[i].severity == TAC_ERROR) {
            tac_fail(err, TAC_E_INPUT, "'%s': %s", kpi->name, problems.at[i].message);
            break;
        }
    tac_diagnostics_free(&problems);
    tac_str_free(&text);
    return status;
}
