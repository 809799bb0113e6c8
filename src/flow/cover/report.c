/* Suites for machines and for people. */
#include "flow/cover/described.h"
#include "flow/flow.h"

static void events_of(const void *value, struct field_value *out)
{
    const tac_flow_path *path = &((const tac_cover_flow *)value)->path;
    const char **events = tac_arena_calloc(out->arena, path->length, sizeof *events);
    for (uint32_t k = 0; k < path->length; k++)
        events[k] = tac_flow_path_event(out->context, path, k);
    out->at = events;
    out->count = path->length;
}

static const struct field flow_fields[] = {FIELD_GET_TEXTS("events", events_of)};
static DESCRIBE(flow, tac_cover_flow, .form = DESCRIBE_VALUE);

static const struct field figures_fields[] = {FIELDS(tac_cover_suite, covered, total),
                                              FIELD(tac_cover_suite, flow_count, .key = "flows"),
                                              FIELD(tac_cover_suite, events)};
static DESCRIBE(figures, tac_cover_suite);

static const struct field cover_fields[] = {
    FIELDS(tac_cover_suite, covered, total),
    FIELD_LIST(tac_cover_suite, flows, flow_count, flow_described,
               .with = IF(tac_cover_suite, engine)),
    FIELDS(tac_cover_suite, events, seconds),
    FIELD_TEXTS(tac_cover_suite, infeasible, infeasible_count),
    FIELD(tac_cover_suite, cost),
    FIELD(tac_cover_suite, lower_bound, .known = IF(tac_cover_suite, lower_bound)),
    FIELDS(tac_cover_suite, optimal, method),
    FIELD(tac_cover_suite, cut, .omit = true),
    FIELD_TEXTS(tac_cover_suite, not_found, not_found_count, .only = IF(tac_cover_suite, cut))};
static DESCRIBE(cover, tac_cover_suite);
static const struct field flow_suite_fields[] = {
    FIELD(struct flow_suite, goal),
    FIELD_POINTER(struct flow_suite, suite, cover_described, .splice = true)};
DESCRIBE(flow_suite, struct flow_suite);

json_t *tac_cover_suite_json(const tac_cover_suite *suite, const char *goal)
{
    return describe_json(&flow_suite_described, &(struct flow_suite){goal, suite});
}

void tac_cover_suite_verdict(const tac_cover_suite *suite, const char *goal, const char *subject,
                             tac_verdict *verdict)
{
    bool complete = suite->covered == suite->total && !suite->cut;
    char bound[160] = "";
    if (suite->optimal)
        snprintf(bound, sizeof bound, "; no suite needs fewer");
    else if (suite->lower_bound && suite->flow_count > 1)
        snprintf(bound, sizeof bound,
                 "; with restarts it costs %llu events, at least %llu are needed",
                 (unsigned long long)suite->cost, (unsigned long long)suite->lower_bound);
    else if (suite->lower_bound)
        snprintf(bound, sizeof bound, "; at least %llu are needed",
                 (unsigned long long)suite->lower_bound);
    tac_verdict_init(verdict, "flows", subject, complete ? TAC_HOLDS : TAC_INCONCLUSIVE);
    tac_verdict_explain(verdict, "%s: %zu of %zu %s covered by %zu flow%s with %zu event%s%s", goal,
                        suite->covered, suite->total, suite->cut ? "found" : "feasible",
                        suite->flow_count, suite->flow_count == 1 ? "" : "s", suite->events,
                        suite->events == 1 ? "" : "s", bound);
    if (suite->infeasible_count)
        tac_verdict_advise(verdict,
                           "%zu cannot be covered within this length; allow longer flows, or "
                           "check whether the model lacks a way to them",
                           suite->infeasible_count);
    if (suite->cut)
        tac_verdict_advise(verdict,
                           "the search was cut: variables count on, and steps farther away were "
                           "not looked at; bound the length to learn what is feasible within it");
    verdict->statistics = describe_json(&figures_described, suite);
}
