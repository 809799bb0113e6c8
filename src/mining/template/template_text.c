/* What a template told, for people and as a document. */
#include "base/io/json.h"
#include "mining/runs/runs.h"
#include "tactus/mining_template.h"

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
    fprintf(out, "  %zu. %s: holds in %zu of %zu failing runs, %zu of %zu passing  [p %.2g", i + 1,
            one->formula, one->failing, cluster->failing, one->passing, cluster->passing, one->p);
    if (one->equal)
        fprintf(out, ", %zu other%s as well supported", one->equal, one->equal == 1 ? "" : "s");
    fprintf(out, "%s]\n", one->p > CHANCE ? ", not beyond chance" : "");
}

void tac_template_text(const tac_runs *runs, const tac_template_result *result, size_t limit,
                       bool all, FILE *out)
{
    for (size_t c = 0; c < result->count; c++) {
        const tac_template_cluster *cluster = &result->clusters[c];
        size_t shown = 0;
        fprintf(out, "template %s, %s: %zu %s of names tried\n", result->text,
                name_of(runs, cluster), cluster->tried,
                cluster->tried == 1 ? "assignment" : "assignments");
        for (size_t i = 0; i < cluster->count && listed(cluster, i, limit, all); i++, shown++)
            write_instance(cluster, i, out);
        if (!shown)
            fputs("  none tells failing from passing runs beyond chance\n", out);
        fputs("\n", out);
    }
}

static json_t *instance_json(const tac_template_instance *one)
{
    json_t *object = json_object();
    json_object_set_new(object, "formula", tac_json_string(one->formula));
    json_object_set_new(object, "failing", json_integer((json_int_t)one->failing));
    json_object_set_new(object, "passing", json_integer((json_int_t)one->passing));
    json_object_set_new(object, "p", json_real(one->p));
    json_object_set_new(object, "equally_supported", json_integer((json_int_t)one->equal));
    json_object_set_new(object, "cause", json_boolean(one->p <= CHANCE));
    return object;
}

json_t *tac_template_json(const tac_runs *runs, const tac_template_result *result, size_t limit,
                          bool all)
{
    json_t *clusters = json_array(), *document = json_object();
    for (size_t c = 0; c < result->count; c++) {
        const tac_template_cluster *cluster = &result->clusters[c];
        json_t *object = json_object(), *instances = json_array();
        for (size_t i = 0; i < cluster->count && listed(cluster, i, limit, all); i++)
            json_array_append_new(instances, instance_json(&cluster->instances[i]));
        json_object_set_new(object, "cluster", tac_json_string(name_of(runs, cluster)));
        json_object_set_new(object, "failing", json_integer((json_int_t)cluster->failing));
        json_object_set_new(object, "passing", json_integer((json_int_t)cluster->passing));
        json_object_set_new(object, "tried", json_integer((json_int_t)cluster->tried));
        json_object_set_new(object, "instances", instances);
        json_array_append_new(clusters, object);
    }
    json_object_set_new(document, "template", tac_json_string(result->text));
    json_object_set_new(document, "clusters", clusters);
    return document;
}
