/* Reads catalogues (docs/kpi.md). Every formula is parsed once with the catalogue's own event
 * names, so that a catalogue that loads works for every app. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "kpi/read.h"
#include "property/property.h"
#include <string.h>

const char *const kpi_domain_words[] = {[TAC_KPI_ENERGY] = "energy",
                                        [TAC_KPI_DATA] = "data",
                                        [TAC_KPI_PERFORMANCE] = "performance",
                                        [TAC_KPI_RELIABILITY] = "reliability"};
TABLE_COVERS(kpi_domain_words, TAC_KPI_RELIABILITY);

const char *tac_kpi_domain_name(tac_kpi_domain domain)
{
    return kpi_domain_words[domain];
}

const char *tac_kpi_catalogue_name(const tac_kpi_catalogue *catalogue)
{
    return catalogue->name;
}

size_t kpi_find_feature(const tac_kpi_catalogue *catalogue, const char *name)
{
    for (size_t i = 0; i < catalogue->features.count; i++)
        if (!strcmp(catalogue->features.at[i].name, name))
            return i;
    return SIZE_MAX;
}

static tac_status read_feature(const tac_json *file, const char *name, const json_t *json,
                               tac_arena *arena, struct kpi_feature *out, tac_error *err)
{
    struct kpi_object object;
    char at[96];
    snprintf(at, sizeof at, "/features/%.60s", name);
    tac_status status = kpi_object_open(file, json, at, "a feature", arena, &object, err);
    if (status == TAC_OK && !kpi_is_name(name))
        status = kpi_fail(&object, "", err,
                          "a feature's name has letters, digits and '_', and no digit first");
    out->name = tac_arena_strdup(arena, name);
    if (status == TAC_OK)
        status = kpi_refuse_unknown(&object, "about events", err);
    if (status == TAC_OK)
        status = kpi_read_text(&object, "about", false, &out->about, err);
    if (status == TAC_OK)
        status = kpi_read_texts(&object, "events", &out->events, err);
    for (size_t i = 0; i < out->events.count && status == TAC_OK; i++)
        if (!kpi_is_name(out->events.at[i]))
            status = kpi_fail(&object, "events", err,
                              "the name of an event has letters, digits and '_', and no digit "
                              "first; an app says what it is called there");
    return status;
}

static tac_status read_features(const tac_json *file, tac_kpi_catalogue *out, tac_error *err)
{
    const json_t *list = json_object_get(file->root, "features");
    const char *name;
    json_t *json;
    tac_status status = TAC_OK;
    if (!json_is_object(list) || json_object_size(list) > KPI_MAX_LIST)
        return tac_json_fail(file, list ? "/features" : "", err,
                             "\"features\" is needed: an object of at most %d features",
                             KPI_MAX_LIST);
    json_object_foreach((json_t *)list, name, json)
    {
        struct kpi_feature feature = {0};
        if (status == TAC_OK)
            status = read_feature(file, name, json, &out->texts, &feature, err);
        tac_vec_push(&out->features, feature);
    }
    return status;
}

static tac_status read_needs(const struct kpi_object *object, const tac_kpi_catalogue *catalogue,
                             kpi_indices *out, tac_error *err)
{
    kpi_texts names = {0};
    tac_status status = kpi_read_texts(object, "features", &names, err);
    for (size_t i = 0; i < names.count && status == TAC_OK; i++) {
        size_t feature = kpi_find_feature(catalogue, names.at[i]);
        if (feature == SIZE_MAX)
            status = kpi_fail(object, "features", err, "'%.60s' is not a feature of this catalogue",
                              names.at[i]);
        else
            tac_vec_push(out, feature);
    }
    tac_vec_free(&names);
    return status;
}

static tac_status read_domain(const struct kpi_object *object, struct kpi *out, tac_error *err)
{
    const char *word = json_string_value(json_object_get(object->json, "domain"));
    for (size_t i = 0; word && i < TAC_KPI_DOMAINS; i++)
        if (!strcmp(word, kpi_domain_words[i])) {
            out->domain = (tac_kpi_domain)i;
            return TAC_OK;
        }
    return kpi_fail(object, word ? "domain" : "", err,
                    "\"domain\" is needed: energy, data, performance or reliability");
}

/* ">= 95 %": at least that share of the runs. */
static tac_status read_share(const struct kpi_object *object, struct kpi *out, tac_error *err)
{
    double percent = 100;
    int end = 0;
    if (*out->requirement &&
        (sscanf(out->requirement, ">= %lf %%%n", &percent, &end) != 1 || end == 0 ||
         out->requirement[end] || !(percent > 0 && percent <= 100)))
        return kpi_fail(object, "requirement", err,
                        "the requirement on a share of runs is \">= N %%\", N up to 100");
    if (!*out->requirement)
        out->requirement = ">= 100 %";
    out->least_share = percent / 100;
    out->more_is_better = true;
    return TAC_OK;
}

/* How far figures may be apart and still count as equal, in percent of the bound. */
static tac_status read_tolerance(const struct kpi_object *object, struct kpi *out, tac_error *err)
{
    const json_t *value = json_object_get(object->json, "tolerance");
    double percent = value ? json_number_value(value) : 2;
    if (value && out->kind != KPI_FIGURE)
        return kpi_fail(object, "tolerance", err, "only a figure has a \"tolerance\"");
    if (value && (!json_is_number(value) || !(percent >= 0 && percent <= 100)))
        return kpi_fail(object, "tolerance", err,
                        "\"tolerance\" is a number from 0 to 100: percent of the bound");
    out->tolerance = percent / 100;
    return TAC_OK;
}

static tac_status read_figure(const struct kpi_object *object, struct kpi *out, tac_error *err)
{
    const char *figure = NULL, *interval = NULL;
    tac_status status = kpi_read_text(object, "figure", true, &figure, err);
    if (status == TAC_OK)
        status = kpi_read_text(object, "interval", true, &interval, err);
    if (status == TAC_OK && (strpbrk(figure, "<>=#") || interval[0] != '['))
        status = kpi_fail(object, strpbrk(figure, "<>=#") ? "figure" : "interval", err,
                          "a figure is an expression without a comparison, such as diff(rxData), "
                          "over an interval \"[FROM, TO]\"");
    if (status == TAC_OK && !strchr("<>", *out->requirement))
        status = kpi_fail(object, "requirement", err,
                          "the requirement on a figure is \"< N UNIT\", or with <=, > or >=");
    if (status == TAC_OK && !*out->requirement)
        status =
            kpi_fail(object, "", err, "a figure needs a \"requirement\" such as \"< 8000 kB\"");
    if (status == TAC_OK) {
        out->more_is_better = *out->requirement == '>';
        out->formula =
            tac_arena_format(object->arena, "forall %s %s %s", interval, figure, out->requirement);
    }
    return status;
}

static tac_status read_outcome(const struct kpi_object *object, struct kpi *out, tac_error *err)
{
    const char *word = json_string_value(json_object_get(object->json, "outcome"));
    if (!word || (strcmp(word, "pass") != 0 && strcmp(word, "no crash") != 0))
        return kpi_fail(object, "outcome", err, "an outcome is \"pass\" or \"no crash\"");
    out->kind = strcmp(word, "pass") ? KPI_SURVIVES : KPI_PASSES;
    return read_share(object, out, err);
}

/* Exactly one of property, figure and outcome says what is measured. */
static tac_status read_measure(const struct kpi_object *object, struct kpi *out, tac_error *err)
{
    bool property = json_object_get(object->json, "property") != NULL,
         figure = json_object_get(object->json, "figure") != NULL,
         outcome = json_object_get(object->json, "outcome") != NULL;
    if (property + figure + outcome != 1)
        return kpi_fail(object, "", err,
                        "a KPI has one of \"property\", \"figure\" and \"outcome\"");
    if (!figure && json_object_get(object->json, "interval"))
        return kpi_fail(object, "interval", err, "only a figure has an \"interval\"");
    if (outcome)
        return read_outcome(object, out, err);
    if (figure) {
        out->kind = KPI_FIGURE;
        return read_figure(object, out, err);
    }
    tac_status status = kpi_read_text(object, "property", true, &out->formula, err);
    return status == TAC_OK ? read_share(object, out, err) : status;
}

/* The formula parses when every event is called as in the catalogue. */
static tac_status check_formula(const struct kpi_object *object, const tac_kpi_catalogue *catalogue,
                                const struct kpi *kpi, tac_error *err)
{
    tac_error why;
    tac_properties *properties = NULL;
    tac_status status = kpi_property(catalogue->own, kpi, &properties, &why);
    size_t last = status == TAC_OK ? tac_property_count(properties) - 1 : 0;
    if (status != TAC_OK)
        status = kpi_fail(object, kpi->kind == KPI_FIGURE ? "figure" : "property", err, "%s",
                          why.message);
    else if (strcmp(tac_property_name(properties, last), kpi->name) != 0)
        status = kpi_fail(object, "", err, "'%s' is more than one formula", kpi->name);
    else if (kpi->kind == KPI_FIGURE &&
             tac_property_kind_of(properties, last) != TAC_PROPERTY_INTERVAL)
        status = kpi_fail(object, "figure", err, "'%s' is not a figure of an interval", kpi->name);
    tac_property_free(properties);
    return status;
}

static tac_status read_kpi(const tac_json *file, size_t index, const json_t *json,
                           tac_kpi_catalogue *catalogue, struct kpi *out, tac_error *err)
{
    struct kpi_object object;
    char at[96];
    snprintf(at, sizeof at, "/kpis/%zu", index);
    tac_status status = kpi_object_open(file, json, at, "a KPI", &catalogue->texts, &object, err);
    if (status == TAC_OK)
        status = kpi_refuse_unknown(
            &object,
            "name domain about features property figure interval outcome requirement tolerance",
            err);
    if (status == TAC_OK)
        status = kpi_read_name(&object, "name", &out->name, err);
    for (size_t i = 0; i < index && status == TAC_OK; i++)
        if (!strcmp(catalogue->kpis.at[i].name, out->name))
            status = kpi_fail(&object, "name", err, "there are two KPIs '%s'", out->name);
    if (status == TAC_OK)
        status = read_domain(&object, out, err);
    if (status == TAC_OK)
        status = kpi_read_text(&object, "about", false, &out->about, err);
    if (status == TAC_OK)
        status = kpi_read_text(&object, "requirement", false, &out->requirement, err);
    if (status == TAC_OK)
        status = read_needs(&object, catalogue, &out->features, err);
    if (status == TAC_OK)
        status = read_measure(&object, out, err);
    if (status == TAC_OK)
        status = read_tolerance(&object, out, err);
    if (status == TAC_OK && out->formula)
        status = check_formula(&object, catalogue, out, err);
    return status;
}

static tac_status read_case(const tac_json *file, size_t index, const json_t *json,
                            tac_kpi_catalogue *catalogue, struct kpi_case *out, tac_error *err)
{
    struct kpi_object object;
    char at[96];
    snprintf(at, sizeof at, "/cases/%zu", index);
    tac_status status =
        kpi_object_open(file, json, at, "a test case", &catalogue->texts, &object, err);
    if (status == TAC_OK)
        status = kpi_refuse_unknown(&object, "name about features steps", err);
    if (status == TAC_OK)
        status = kpi_read_text(&object, "name", true, &out->name, err);
    if (status == TAC_OK)
        status = kpi_read_text(&object, "about", false, &out->about, err);
    if (status == TAC_OK)
        status = read_needs(&object, catalogue, &out->features, err);
    if (status == TAC_OK)
        status = kpi_read_texts(&object, "steps", &out->steps, err);
    if (status == TAC_OK && !out->steps.count)
        status = kpi_fail(&object, "", err, "a test case has \"steps\": events of its features");
    for (size_t i = 0; i < out->steps.count && status == TAC_OK; i++)
        if (!kpi_event_of(catalogue->own, &out->features, out->steps.at[i]))
            status = kpi_fail(&object, "steps", err,
                              "'%.60s' is not an event of a feature that the case needs",
                              out->steps.at[i]);
    return status;
}

static tac_status read_lists(const tac_json *file, tac_kpi_catalogue *out, tac_error *err)
{
    const json_t *kpis = json_object_get(file->root, "kpis"),
                 *cases = json_object_get(file->root, "cases");
    tac_status status = TAC_OK;
    if (!json_is_array(kpis) || !json_array_size(kpis) || json_array_size(kpis) > KPI_MAX_LIST)
        return tac_json_fail(file, kpis ? "/kpis" : "", err,
                             "\"kpis\" is needed: a list of 1 to %d KPIs", KPI_MAX_LIST);
    if (cases && (!json_is_array(cases) || json_array_size(cases) > KPI_MAX_LIST))
        return tac_json_fail(file, "/cases", err, "\"cases\" is a list of at most %d test cases",
                             KPI_MAX_LIST);
    out->own = tac_kpi_app_with_all(out->name, out);
    for (size_t i = 0; i < json_array_size(kpis) && status == TAC_OK; i++) {
        struct kpi kpi = {0};
        status = read_kpi(file, i, json_array_get(kpis, i), out, &kpi, err);
        tac_vec_push(&out->kpis, kpi);
    }
    for (size_t i = 0; i < json_array_size(cases) && status == TAC_OK; i++) {
        struct kpi_case one = {0};
        status = read_case(file, i, json_array_get(cases, i), out, &one, err);
        tac_vec_push(&out->cases, one);
    }
    return status;
}

static tac_status read_declarations(const struct kpi_object *root, tac_kpi_catalogue *out,
                                    tac_error *err)
{
    kpi_texts lines = {0};
    tac_str text = {0};
    tac_properties *properties = NULL;
    tac_diagnostics problems = {0};
    tac_error why;
    tac_status status = kpi_read_texts(root, "declare", &lines, err);
    for (size_t i = 0; i < lines.count; i++)
        tac_str_addf(&text, "%s\n", lines.at[i]);
    out->declarations = tac_arena_strdup(&out->texts, tac_str_text(&text));
    tac_str_add(&text, "property tactus_declarations: always true\n");
    if (status == TAC_OK && tac_property_parse("declare", tac_str_text(&text), text.length,
                                               &problems, &properties, &why) != TAC_OK)
        status = kpi_fail(root, "declare", err, "\"declare\": %s", why.message);
    if (status == TAC_OK && tac_property_count(properties) != 1)
        status = kpi_fail(root, "declare", err,
                          "\"declare\" has unit, let, monotone and linear, not properties");
    tac_property_free(properties);
    tac_diagnostics_free(&problems);
    tac_str_free(&text);
    tac_vec_free(&lines);
    return status;
}

static tac_status read_catalogue(const tac_json *file, tac_kpi_catalogue *out, tac_error *err)
{
    struct kpi_object root;
    tac_status status =
        kpi_object_open(file, file->root, "", "a catalogue of KPIs", &out->texts, &root, err);
    if (status == TAC_OK && json_integer_value(json_object_get(file->root, "tactus-kpi")) != 1)
        status = tac_json_fail(file, "", err,
                               "this is not a catalogue of KPIs: \"tactus-kpi\": 1 is missing");
    if (status == TAC_OK)
        status =
            kpi_refuse_unknown(&root, "tactus-kpi name about declare features kpis cases", err);
    if (status == TAC_OK)
        status = kpi_read_text(&root, "name", true, &out->name, err);
    if (status == TAC_OK)
        status = read_declarations(&root, out, err);
    if (status == TAC_OK)
        status = read_features(file, out, err);
    return status == TAC_OK ? read_lists(file, out, err) : status;
}

tac_status tac_kpi_catalogue_load(const char *path, tac_kpi_catalogue **out, tac_error *err)
{
    tac_json file;
    tac_status status = tac_json_load(path, KPI_MAX_FILE, &file, err);
    if (status != TAC_OK)
        return status;
    tac_kpi_catalogue *catalogue = tac_calloc(1, sizeof *catalogue);
    status = read_catalogue(&file, catalogue, err);
    tac_json_free(&file);
    if (status == TAC_OK)
        *out = catalogue;
    else
        tac_kpi_catalogue_free(catalogue);
    return status;
}

void tac_kpi_catalogue_free(tac_kpi_catalogue *catalogue)
{
    if (!catalogue)
        return;
    tac_kpi_app_free(catalogue->own); /* counts by the features */
    for (size_t i = 0; i < catalogue->features.count; i++)
        tac_vec_free(&catalogue->features.at[i].events);
    for (size_t i = 0; i < catalogue->kpis.count; i++)
        tac_vec_free(&catalogue->kpis.at[i].features);
    for (size_t i = 0; i < catalogue->cases.count; i++) {
        tac_vec_free(&catalogue->cases.at[i].steps);
        tac_vec_free(&catalogue->cases.at[i].features);
    }
    tac_vec_free(&catalogue->features);
    tac_vec_free(&catalogue->kpis);
    tac_vec_free(&catalogue->cases);
    tac_arena_free(&catalogue->texts);
    free(catalogue);
}
