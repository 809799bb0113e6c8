/* The document of `tactus mine --json`, and the verdicts of a result. */
#include "base/check.h"
#include "base/io/json.h"
#include "mining/runs/described.h"
#include "mining/search/candidates.h"
#include <math.h>

/* The document; what is inside a cluster has the cluster as its context. */
struct mined {
    const tac_runs *runs;
    const tac_mine_result *result;
    size_t limit;
    tac_verdict *verdicts;
    size_t verdict_count;
};

struct mined_cluster {
    const struct mined *document;
    const tac_cluster_result *of;
};
#define INSIDE(out) ((const struct mined_cluster *)(out)->context)
#define IS_ALL(out) (INSIDE(out)->document->result->options.all)

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

static const char *token_text(uint64_t token, struct field_value *with)
{
    return tac_token_text(INSIDE(with)->document->runs, (uint32_t)token);
}

static char *kept(struct field_value *out, char *text)
{
    char *copy = tac_arena_strdup(out->arena, text);
    free(text);
    return copy;
}

/* --- patterns --- */

static const void *block_at(uint64_t index, const struct field_value *with)
{
    return &INSIDE(with)->document->runs->blocks.at[index];
}

static const struct field mine_block_fields[] = {FIELD_NAME(struct block, state, token_text),
                                                 FIELD_NAME(struct block, input, token_text)};
static DESCRIBE(mine_block, struct block, .form = DESCRIBE_TUPLE);

static bool goes_by_support(const tac_mined_pattern *p)
{
    return p->form == TAC_G1 || p->form == TAC_G4 || p->form == TAC_G1E;
}

/* The confidence on the passing runs is 0 where the prefix never occurs there. */
static double pass_figure(const tac_mined_pattern *p, const tac_cluster_result *cluster)
{
    if (goes_by_support(p) || !cluster->passing)
        return share(p->pass.runs, cluster->passing);
    return p->pass.prefix_occurrences ? share(p->pass.occurrences, p->pass.prefix_occurrences) : 0;
}

FIELD_GETTER(get_formula, tac_mined_pattern,
             out->text = kept(out, tac_pattern_formula(INSIDE(out)->document->runs, it)))
FIELD_GETTER(get_support, tac_mined_pattern,
             out->number = share(it->fail.runs, INSIDE(out)->of->runs))
FIELD_GETTER(get_confidence, tac_mined_pattern, out->absent = goes_by_support(it);
             out->number = share(it->fail.occurrences, it->fail.prefix_occurrences))
FIELD_GETTER(get_pass, tac_mined_pattern, out->number = pass_figure(it, INSIDE(out)->of))
FIELD_GETTER(get_pass_support, tac_mined_pattern,
             out->number = share(it->pass.runs, INSIDE(out)->of->passing))

/* Lists of every pattern do without. */
static void get_sentence(const void *value, struct field_value *out)
{
    const struct mined_cluster *cluster = INSIDE(out);
    out->absent = IS_ALL(out);
    out->text = out->absent
                    ? NULL
                    : kept(out, tac_pattern_sentence(cluster->document->runs, value,
                                                     cluster->of->runs, cluster->of->passing));
}

static const struct field mine_pattern_fields[] = {
    FIELD_ENUM(tac_mined_pattern, form, mine_template_words, .key = "template"),
    FIELD_PICKS(tac_mined_pattern, blocks, block_count, block_at, mine_block_described),
    FIELD_NAME(tac_mined_pattern, tail, token_text),
    FIELD_GET_TEXT("formula", get_formula),
    FIELD_GET_NUMBER("support", get_support),
    FIELD_GET_NUMBER("confidence", get_confidence, .omit = true),
    FIELDS(tac_mined_pattern, fail.occurrences, fail.prefix_occurrences, fail.runs),
    FIELD_GET_NUMBER("pass", get_pass),
    FIELD_GET_NUMBER("pass_support", get_pass_support),
    FIELD(tac_mined_pattern, pass.occurrences, .key = "pass_occurrences"),
    FIELD(tac_mined_pattern, pass.prefix_occurrences, .key = "pass_prefix_occurrences"),
    FIELDS(tac_mined_pattern, score, completion, folded, p, lift, lift_low, lift_high,
           equally_supported, attributed, cause),
    FIELD_GET_TEXT("sentence", get_sentence, .omit = true)};
static DESCRIBE(mine_pattern, tac_mined_pattern);

/* --- clusters --- */

#define BY_TEMPLATE(list)                                                                          \
    FIELD(tac_cluster_result, list[TAC_G1], .key = "g1"),                                          \
        FIELD(tac_cluster_result, list[TAC_G2], .key = "g2"),                                      \
        FIELD(tac_cluster_result, list[TAC_G2E], .key = "g2e"),                                    \
        FIELD(tac_cluster_result, list[TAC_G3], .key = "g3"),                                      \
        FIELD(tac_cluster_result, list[TAC_G4], .key = "g4"),                                      \
        FIELD(tac_cluster_result, list[TAC_G5], .key = "g5"),                                      \
        FIELD(tac_cluster_result, list[TAC_G1E], .key = "g1e")
static const struct field mine_counts_fields[] = {BY_TEMPLATE(counts)};
static_assert(sizeof mine_counts_fields / sizeof *mine_counts_fields == TAC_TEMPLATES,
              "one is missing");
static DESCRIBE(mine_counts, tac_cluster_result);
static const struct field mine_examined_fields[] = {BY_TEMPLATE(examined)};
static DESCRIBE(mine_examined, tac_cluster_result);

FIELD_GETTER(get_share, tac_cluster_result, out->number = share(it->ending_runs, it->runs))
FIELD_GETTER(get_ending_pass, tac_cluster_result, out->number = share(it->ending_pass, it->passing))
static const struct field mine_ending_fields[] = {
    FIELD_NAMES(tac_cluster_result, ending, ending_count, token_text, .key = "events"),
    FIELD(tac_cluster_result, ending_runs, .key = "runs"), FIELD_GET_NUMBER("share", get_share),
    FIELD_GET_NUMBER("pass", get_ending_pass)};
static DESCRIBE(mine_ending, tac_cluster_result);

/* Which pattern explains a run: its place in `patterns` from 1, or null. */
struct attributed {
    const char *name;
    size_t pattern;
};
static const struct field mine_attributed_fields[] = {
    FIELD(struct attributed, name),
    FIELD(struct attributed, pattern, .known = IF(struct attributed, pattern))};
static DESCRIBE(mine_attributed, struct attributed);

static void get_attribution(const void *value, struct field_value *out)
{
    const tac_cluster_result *cluster = value;
    struct attributed *list = tac_arena_alloc(out->arena, (cluster->runs + 1) * sizeof *list);
    out->absent = IS_ALL(out);
    out->at = list;
    for (; out->count < cluster->runs && !out->absent; out->count++) {
        uint32_t pattern = cluster->attribution[out->count];
        assert(pattern == TAC_NONE || pattern < cluster->pattern_count);
        list[out->count] = (struct attributed){
            kept(out, tac_runs_name(INSIDE(out)->document->runs, cluster->run_ids[out->count])),
            pattern == TAC_NONE ? 0 : pattern + 1};
    }
}

FIELD_GETTER(is_exact, tac_cluster_result, out->yes = IS_ALL(out))
FIELD_GETTER(get_unexplained, tac_cluster_result, out->absent = IS_ALL(out);
             out->integer = it->unexplained)
FIELD_GETTER(get_patterns, tac_cluster_result, size_t limit = INSIDE(out)->document->limit;
             out->at = it->patterns;
             out->count = limit && it->pattern_count > limit ? limit : it->pattern_count)

#define OF_FAILING .only = IF_OTHER(tac_cluster_result, cluster, TAC_RUN_PASSED), .omit = true
static const struct field mine_result_fields[] = {
    FIELDS(tac_cluster_result, name, why, runs, passing),
    FIELD_GROUP(tac_cluster_result, "counts", mine_counts_described),
    FIELD_GET_BOOL("exact", is_exact),
    FIELD_GROUP(tac_cluster_result, "examined", mine_examined_described),
    FIELD_GROUP(tac_cluster_result, "ending", mine_ending_described),
    FIELD(tac_cluster_result, least_p),
    FIELD_GET_INTEGER("unexplained", get_unexplained, OF_FAILING),
    FIELD_GET_LIST("attribution", get_attribution, mine_attributed_described, OF_FAILING),
    FIELD_GET_LIST("patterns", get_patterns, mine_pattern_described)};
static DESCRIBE(mine_result, tac_cluster_result);
static const struct field mine_cluster_fields[] = {
    FIELD_POINTER(struct mined_cluster, of, mine_result_described, .splice = true, .inside = true)};
static DESCRIBE(mine_cluster, struct mined_cluster);

/* --- the document --- */

static const char *const screens[] = {
    [TAC_SCREEN_SCORE] = "score", [TAC_SCREEN_THRESHOLD] = "threshold", [TAC_SCREEN_NONE] = "none"};
TABLE_COVERS(screens, TAC_SCREEN_NONE);

#define RUNS(out) (((const struct mined *)(out)->context)->runs)
FIELD_GETTER(get_least_support, tac_mine_options,
             out->number = it->support >= 0 ? it->support : 0.6)
FIELD_GETTER(get_least_confidence, tac_mine_options,
             out->number = it->confidence >= 0 ? it->confidence : 0.9)
FIELD_GETTER(is_scaled, tac_mine_options,
             out->yes = it->support < 0 || it->confidence < 0 || !it->min_occurrences)
FIELD_GETTER(get_states, tac_mine_options, out->text = RUNS(out)->states_text)
FIELD_GETTER(get_rules, tac_mine_options, out->at = RUNS(out)->rules.at.at;
             out->count = RUNS(out)->rules.at.count)

static const struct field mine_rule_fields[] = {FIELD(struct identifier_rule, text)};
static DESCRIBE(mine_rule, struct identifier_rule, .form = DESCRIBE_VALUE);
static const struct field mine_options_fields[] = {
    FIELD_GET_NUMBER("support", get_least_support),
    FIELD_GET_NUMBER("confidence", get_least_confidence),
    FIELD_GET_BOOL("scaled", is_scaled),
    FIELDS(tac_mine_options, min_occurrences, depth, min_rest),
    FIELD_ENUM(tac_mine_options, screen, screens, .only = IF_NOT(tac_mine_options, all)),
    FIELD_WORD("screen", "none", .only = IF(tac_mine_options, all)),
    FIELD_GET_TEXT("states", get_states),
    FIELD_GET_LIST("identifier_rules", get_rules, mine_rule_described)};
static DESCRIBE(mine_options, tac_mine_options);

static void get_clusters(const void *value, struct field_value *out)
{
    const struct mined *mined = value;
    const tac_mine_result *result = mined->result;
    struct mined_cluster *list =
        tac_arena_alloc(out->arena, (result->cluster_count + 1) * sizeof *list);
    for (out->at = list; out->count < result->cluster_count; out->count++)
        list[out->count] = (struct mined_cluster){mined, &result->clusters[out->count]};
}

FIELD_GETTER(get_exchanged, struct mined, out->yes = runs_look_exchanged(it->runs))
FIELD_GETTER(get_passing, struct mined, out->integer = it->result->passing)
FIELD_GETTER(get_failing, struct mined, out->integer = it->result->failing)
FIELD_GETTER(get_options, struct mined, out->at = &it->result->options)
static const struct field mined_fields[] = {
    FIELD_GET_INTEGER("passing", get_passing),
    FIELD_GET_INTEGER("failing", get_failing),
    FIELD_GET_BOOL("exchanged", get_exchanged, .omit = true,
                   .about = "most passing runs tell of an exception"),
    FIELD_GET_LIST("clusters", get_clusters, mine_cluster_described),
    FIELD_GET_POINTER("options", get_options, mine_options_described, .inside = true),
    FIELD_LIST(struct mined, verdicts, verdict_count, analysis_verdict_described)};
DESCRIBE(mined, struct mined);

json_t *tac_mine_json(const tac_runs *runs, const tac_mine_result *result, size_t limit)
{
    struct mined mined = {.runs = runs, .result = result, .limit = limit};
    mined.verdicts = tac_mine_verdicts(runs, result, &mined.verdict_count);
    json_t *document = describe_json(&mined_described, &mined);
    tac_mine_verdicts_free(mined.verdicts, mined.verdict_count);
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
        verdict->witness = json_pack("{s:o}", "formula", tac_json_string(formula));
        free(formula);
        free(sentence);
    } else {
        tac_verdict_explain(verdict,
                            "no pattern tells the %u run%s of cluster '%s' from the passing ones "
                            "beyond chance",
                            cluster->runs, cluster->runs == 1 ? "" : "s", cluster->name);
        tac_verdict_advise(verdict, "collect more runs of this cluster");
    }
    verdict->statistics = json_pack("{s:I,s:I}", "runs", (json_int_t)cluster->runs, "patterns",
                                    (json_int_t)cluster->pattern_count);
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
