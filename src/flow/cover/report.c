/* Suites for machines and for people. */
#include "base/io/json.h"
#include "tactus/flow.h"

json_t *tac_cover_suite_json(const tac_cover_suite *suite, const char *goal)
{
    json_t *document = json_object(), *flows = json_array(), *infeasible = json_array();
    for (size_t i = 0; i < suite->flow_count; i++) {
        json_t *events = json_array();
        for (uint32_t k = 0; k < suite->flows[i].path.length; k++)
            json_array_append_new(events, tac_json_string(tac_flow_path_event(
                                              suite->engine, &suite->flows[i].path, k)));
        json_array_append_new(flows, events);
    }
    for (size_t i = 0; i < suite->infeasible_count; i++)
        json_array_append_new(infeasible, tac_json_string(suite->infeasible[i]));
    json_object_set_new(document, "goal", tac_json_string(goal));
    json_object_set_new(document, "covered", json_integer((json_int_t)suite->covered));
    json_object_set_new(document, "total", json_integer((json_int_t)suite->total));
    json_object_set_new(document, "flows", flows);
    json_object_set_new(document, "events", json_integer((json_int_t)suite->events));
    json_object_set_new(document, "seconds", tac_json_number(suite->seconds));
    json_object_set_new(document, "infeasible", infeasible);
    json_object_set_new(document, "cost", json_integer((json_int_t)suite->cost));
    json_object_set_new(document, "lower_bound",
                        suite->lower_bound ? json_integer((json_int_t)suite->lower_bound)
                                           : json_null());
    json_object_set_new(document, "optimal", json_boolean(suite->optimal));
    json_object_set_new(document, "method", tac_json_string(suite->method));
    if (suite->cut) {
        json_t *not_found = json_array();
        for (size_t i = 0; i < suite->not_found_count; i++)
            json_array_append_new(not_found, tac_json_string(suite->not_found[i]));
        json_object_set_new(document, "cut", json_true());
        json_object_set_new(document, "not_found", not_found);
    }
    return document;
}

static json_t *statistics(const tac_cover_suite *suite)
{
    json_t *object = json_object();
    json_object_set_new(object, "covered", json_integer((json_int_t)suite->covered));
    json_object_set_new(object, "total", json_integer((json_int_t)suite->total));
    json_object_set_new(object, "flows", json_integer((json_int_t)suite->flow_count));
    json_object_set_new(object, "events", json_integer((json_int_t)suite->events));
    return object;
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
    verdict->statistics = statistics(suite);
}
