/* The document of `tactus mine --json`, and the verdicts of a result. Token names are shared
 * between the patterns of a document, so that long lists stay small. */
#include "base/check.h"
#include "base/io/json.h"
#include "mining/runs/runs.h"

struct texts {
    const tac_runs *runs;
    json_t **token;
};

static json_t *token_json(struct texts *texts, uint32_t token)
{
    if (!texts->token[token])
        texts->token[token] = tac_json_string(tac_token_text(texts->runs, token));
    return json_incref(texts->token[token]);
}

static void set(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *share(uint64_t part, uint64_t whole)
{
    return whole ? json_real((double)part / (double)whole) : json_null();
}

/* The confidence on the passing runs: 0 where the prefix never occurs there. */
static json_t *pass_confidence(const tac_mined_pattern *p, const tac_cluster_result *cluster)
{
    if (cluster->passing == 0)
        return json_null();
    return p->pass.prefix_occurrences ? share(p->pass.occurrences, p->pass.prefix_occurrences)
                                      : json_real(0);
}

static json_t *blocks_json(struct texts *texts, const tac_mined_pattern *p)
{
    json_t *blocks = json_array();
    for (uint32_t i = 0; i < p->block_count; i++) {
        const struct block *block = &texts->runs->blocks.at[p->blocks[i]];
        json_t *pair = json_array();
        json_array_append_new(pair, token_json(texts, block->state));
        json_array_append_new(pair, token_json(texts, block->input));
        json_array_append_new(blocks, pair);
    }
    return blocks;
}

/* Lists of every pattern do without sentences. */
static json_t *pattern_json(struct texts *texts, const tac_mined_pattern *p,
                            const tac_cluster_result *cluster, bool all)
{
    bool by_support = p->form == TAC_G1 || p->form == TAC_G4 || p->form == TAC_G1E;
    json_t *object = json_object();
    char *formula = tac_pattern_formula(texts->runs, p);
    set(object, "template", tac_json_string(tac_template_name(p->form)));
    set(object, "blocks", blocks_json(texts, p));
    set(object, "tail", token_json(texts, p->tail));
    set(object, "formula", tac_json_string(formula));
    set(object, "support", share(p->fail.runs, cluster->runs));
    if (!by_support)
        set(object, "confidence", share(p->fail.occurrences, p->fail.prefix_occurrences));
    set(object, "occurrences", json_integer(p->fail.occurrences));
    set(object, "prefix_occurrences", json_integer(p->fail.prefix_occurrences));
    set(object, "runs", json_integer(p->fail.runs));
    set(object, "pass",
        by_support ? share(p->pass.runs, cluster->passing) : pass_confidence(p, cluster));
    set(object, "pass_support", share(p->pass.runs, cluster->passing));
    set(object, "pass_occurrences", json_integer(p->pass.occurrences));
    set(object, "pass_prefix_occurrences", json_integer(p->pass.prefix_occurrences));
    set(object, "score", tac_json_number(p->score));
    set(object, "completion", tac_json_number(p->completion));
    set(object, "folded", json_integer(p->folded));
    set(object, "p", tac_json_number(p->p));
    set(object, "lift", tac_json_number(p->lift));
    set(object, "lift_low", tac_json_number(p->lift_low));
    set(object, "lift_high", tac_json_number(p->lift_high));
    set(object, "equally_supported", json_integer(p->equally_supported));
    set(object, "attributed", json_integer(p->attributed));
    set(object, "cause", json_boolean(p->cause));
    if (!all) {
        char *sentence = tac_pattern_sentence(texts->runs, p, cluster->runs, cluster->passing);
        set(object, "sentence", tac_json_string(sentence));
        free(sentence);
    }
    free(formula);
    return object;
}

static json_t *per_template(const uint64_t *counts)
{
    json_t *object = json_object();
    for (int t = 0; t < TAC_TEMPLATES; t++)
        set(object, tac_template_name((tac_template)t), json_integer((json_int_t)counts[t]));
    return object;
}

static json_t *ending_json(struct texts *texts, const tac_cluster_result *cluster)
{
    json_t *object = json_object(), *events = json_array();
    for (size_t i = 0; i < cluster->ending_count; i++)
        json_array_append_new(events, token_json(texts, cluster->ending[i]));
    set(object, "events", events);
    set(object, "runs", json_integer(cluster->ending_runs));
    set(object, "share", share(cluster->ending_runs, cluster->runs));
    set(object, "pass", share(cluster->ending_pass, cluster->passing));
    return object;
}

/* Which pattern explains each run: its place in `patterns` from 1, or null. */
static json_t *attribution_json(struct texts *texts, const tac_cluster_result *cluster)
{
    json_t *list = json_array();
    for (uint32_t r = 0; r < cluster->runs; r++) {
        char *name = tac_runs_name(texts->runs, cluster->run_ids[r]);
        uint32_t pattern = cluster->attribution[r];
        json_t *object = json_object();
        assert(pattern == TAC_NONE || pattern < cluster->pattern_count);
        set(object, "name", tac_json_string(name));
        set(object, "pattern",
            pattern == TAC_NONE ? json_null() : json_integer((json_int_t)pattern + 1));
        json_array_append_new(list, object);
        free(name);
    }
    return list;
}

static json_t *cluster_json(struct texts *texts, const tac_mine_result *result,
                            const tac_cluster_result *cluster, size_t limit)
{
    json_t *object = json_object(), *patterns = json_array();
    uint64_t examined[TAC_TEMPLATES];
    for (int t = 0; t < TAC_TEMPLATES; t++)
        examined[t] = cluster->examined[t];
    size_t count = cluster->pattern_count;
    if (limit && count > limit)
        count = limit;
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            patterns, pattern_json(texts, &cluster->patterns[i], cluster, result->options.all));
    set(object, "name", tac_json_string(cluster->name));
    set(object, "why", tac_json_string(cluster->why));
    set(object, "runs", json_integer(cluster->runs));
    set(object, "passing", json_integer(cluster->passing));
    set(object, "counts", per_template(cluster->counts));
    set(object, "exact", json_boolean(result->options.all));
    set(object, "examined", per_template(examined));
    set(object, "ending", ending_json(texts, cluster));
    set(object, "least_p", tac_json_number(cluster->least_p));
    if (!result->options.all && cluster->cluster != TAC_RUN_PASSED) {
        set(object, "unexplained", json_integer(cluster->unexplained));
        set(object, "attribution", attribution_json(texts, cluster));
    }
    set(object, "patterns", patterns);
    return object;
}

static json_t *options_json(const tac_runs *runs, const tac_mine_options *options)
{
    static const char *const screens[] = {[TAC_SCREEN_SCORE] = "score",
                                          [TAC_SCREEN_THRESHOLD] = "threshold",
                                          [TAC_SCREEN_NONE] = "none"};
    TABLE_COVERS(screens, TAC_SCREEN_NONE);
    json_t *object = json_object(), *rules = json_array();
    set(object, "support", tac_json_number(options->support >= 0 ? options->support : 0.6));
    set(object, "confidence",
        tac_json_number(options->confidence >= 0 ? options->confidence : 0.9));
    set(object, "scaled",
        json_boolean(options->support < 0 || options->confidence < 0 || !options->min_occurrences));
    set(object, "min_occurrences", json_integer((json_int_t)options->min_occurrences));
    set(object, "depth", json_integer(options->depth));
    set(object, "min_rest", json_integer((json_int_t)options->min_rest));
    set(object, "screen", tac_json_string(options->all ? "none" : screens[options->screen]));
    set(object, "states", tac_json_string(runs->states_text));
    for (size_t i = 0; i < runs->rules.at.count; i++)
        json_array_append_new(rules, tac_json_string(runs->rules.at.at[i].text));
    set(object, "identifier_rules", rules);
    return object;
}

json_t *tac_mine_json(const tac_runs *runs, const tac_mine_result *result, size_t limit)
{
    struct texts texts = {runs, tac_calloc(runs->tokens.count + 1, sizeof(json_t *))};
    json_t *document = json_object(), *clusters = json_array(), *list = json_array();
    for (size_t i = 0; i < result->cluster_count; i++)
        json_array_append_new(clusters, cluster_json(&texts, result, &result->clusters[i], limit));
    size_t count;
    tac_verdict *verdicts = tac_mine_verdicts(runs, result, &count);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(list, tac_verdict_json(&verdicts[i]));
    tac_mine_verdicts_free(verdicts, count);
    set(document, "passing", json_integer(result->passing));
    set(document, "failing", json_integer(result->failing));
    set(document, "clusters", clusters);
    set(document, "options", options_json(runs, &result->options));
    set(document, "verdicts", list);
    for (size_t t = 0; t < runs->tokens.count; t++)
        json_decref(texts.token[t]);
    free(texts.token);
    return document;
}

/* --- Verdicts --------------------------------------------------------------------------------- */

static void one_class(const tac_mine_result *result, tac_verdict *verdict)
{
    tac_verdict_init(verdict, "mining", "all runs", TAC_INCONCLUSIVE);
    if (result->failing == 0 && result->passing == 0) {
        tac_verdict_explain(verdict, "there are no runs: there is nothing to compare");
        tac_verdict_advise(verdict, "record runs first: passing ones and failing ones");
        return;
    }
    bool no_failures = result->failing == 0;
    tac_verdict_explain(
        verdict, "every run %s (%u): without runs of both verdicts there is nothing to compare",
        no_failures ? "passes" : "fails", no_failures ? result->passing : result->failing);
    tac_verdict_advise(verdict, "add runs that %s", no_failures ? "fail" : "pass");
}

static void cluster_verdict(const tac_runs *runs, const tac_mine_result *result,
                            const tac_cluster_result *cluster, tac_verdict *verdict)
{
    bool found = cluster->pattern_count > 0;
    tac_verdict_init(verdict, "mining", cluster->name,
                     found || result->options.all ? TAC_HOLDS : TAC_INCONCLUSIVE);
    if (found) {
        const tac_mined_pattern *p = &cluster->patterns[0];
        char *sentence = tac_pattern_sentence(runs, p, cluster->runs, cluster->passing);
        char *formula = tac_pattern_formula(runs, p);
        tac_verdict_explain(verdict, "%s", sentence);
        if (cluster->cluster != TAC_RUN_PASSED)
            tac_verdict_advise(verdict, "replay the steps of the first pattern; a pattern shows "
                                        "what failing runs share, not that it is the cause");
        verdict->witness = json_object();
        set(verdict->witness, "formula", tac_json_string(formula));
        free(formula);
        free(sentence);
    } else {
        tac_verdict_explain(verdict,
                            "no pattern tells the %u run%s of cluster '%s' from the passing ones "
                            "beyond chance",
                            cluster->runs, cluster->runs == 1 ? "" : "s", cluster->name);
        tac_verdict_advise(verdict, "collect more runs of this cluster");
    }
    verdict->statistics = json_object();
    set(verdict->statistics, "runs", json_integer(cluster->runs));
    set(verdict->statistics, "patterns", json_integer((json_int_t)cluster->pattern_count));
}

tac_verdict *tac_mine_verdicts(const tac_runs *runs, const tac_mine_result *result, size_t *count)
{
    tac_verdict *verdicts = tac_calloc(result->cluster_count + 1, sizeof *verdicts);
    *count = 0;
    bool of_passing = result->cluster_count == 1 && result->clusters[0].cluster == TAC_RUN_PASSED;
    if (!of_passing && (result->passing == 0 || result->failing == 0)) {
        one_class(result, &verdicts[(*count)++]);
        return verdicts;
    }
    for (size_t i = 0; i < result->cluster_count; i++)
        cluster_verdict(runs, result, &result->clusters[i], &verdicts[(*count)++]);
    return verdicts;
}

void tac_mine_verdicts_free(tac_verdict *verdicts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        tac_verdict_free(&verdicts[i]);
    free(verdicts);
}
