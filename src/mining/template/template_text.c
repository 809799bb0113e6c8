/* What a template told, for people and as a document. */
#include "base/print/print.h"
#include "mining/runs/described.h"
#include "mining/runs/runs.h"

static const double CHANCE = 0.05;

void tac_template_result_free(tac_template_result *result)
{
    for (size_t c = 0; c < result->count; c++) {
        for (size_t i = 0; i < result->clusters[c].count; i++)
            free(result->clusters[c].instances[i].formula);
        free(result->clusters[c].instances);
    }
    free(result->clusters);
    free(result->text);
    memset(result, 0, sizeof *result);
}

static const char *name_of(const tac_runs *runs, const tac_template_cluster *cluster)
{
    return cluster->cluster == TAC_RUN_UNLABELLED ? "all failing runs"
                                                  : tac_runs_cluster_name(runs, cluster->cluster);
}

static bool listed(const tac_template_cluster *cluster, size_t i, size_t limit, bool all)
{
    return (all || cluster->instances[i].p <= CHANCE) && (limit == 0 || i < limit);
}

static void write_instance(const tac_template_cluster *cluster, size_t i, FILE *out)
{
    const tac_template_instance *one = &cluster->instances[i];
    tac_print(out, "  %zu. %s: holds in %zu of %zu failing runs, %zu of %zu passing  [p %.2g",
              i + 1, one->formula, one->failing, cluster->failing, one->passing, cluster->passing,
              one->p);
    if (one->equal)
        tac_print(out, ", %zu other%s as well supported", one->equal, one->equal == 1 ? "" : "s");
    tac_print(out, "%s]\n", one->p > CHANCE ? ", not beyond chance" : "");
}

void tac_template_text(const tac_runs *runs, const tac_template_result *result, size_t limit,
                       bool all, FILE *out)
{
    for (size_t c = 0; c < result->count; c++) {
        const tac_template_cluster *cluster = &result->clusters[c];
        size_t shown = 0;
        tac_print(out, "template %s, %s: %zu %s of names tried\n", result->text,
                  name_of(runs, cluster), cluster->tried,
                  cluster->tried == 1 ? "assignment" : "assignments");
        for (size_t i = 0; i < cluster->count && listed(cluster, i, limit, all); i++, shown++)
            write_instance(cluster, i, out);
        if (!shown)
            fputs("  none tells failing from passing runs beyond chance\n", out);
        fputs("\n", out);
    }
}

/* --- the document --- */

FIELD_GETTER(is_cause, tac_template_instance, out->yes = it->p <= CHANCE)
static const struct field template_instance_fields[] = {
    FIELD(tac_template_instance, formula), FIELDS(tac_template_instance, failing, passing, p),
    FIELD(tac_template_instance, equal, .key = "equally_supported"),
    FIELD_GET_BOOL("cause", is_cause)};
static DESCRIBE(template_instance, tac_template_instance);

FIELD_GETTER(get_name, tac_template_cluster,
             out->text = name_of(((const struct mined_templates *)out->context)->runs, it))
FIELD_GETTER(get_instances, tac_template_cluster,
             const struct mined_templates *shown = out->context;
             out->at = it->instances;
             while (out->count < it->count && listed(it, out->count, shown->limit, shown->all))
                 out->count++)
static const struct field template_cluster_fields[] = {
    FIELD_GET_TEXT("cluster", get_name), FIELDS(tac_template_cluster, failing, passing, tried),
    FIELD_GET_LIST("instances", get_instances, template_instance_described)};
static DESCRIBE(template_cluster, tac_template_cluster);

static const struct field template_result_fields[] = {
    FIELD(tac_template_result, text, .key = "template"),
    FIELD_LIST(tac_template_result, clusters, count, template_cluster_described)};
static DESCRIBE(template_result, tac_template_result);

json_t *tac_template_json(const tac_runs *runs, const tac_template_result *result, size_t limit,
                          bool all)
{
    return describe_json_with(&template_result_described, result,
                              &(struct mined_templates){.runs = runs, .limit = limit, .all = all});
}

static const struct field mined_templates_fields[] = {
    FIELD_LIST(struct mined_templates, results, count, template_result_described,
               .key = "templates", .inside = true)};
DESCRIBE(mined_templates, struct mined_templates);
