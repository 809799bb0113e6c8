/* The result as a document and as text. docs/reproduce.md has the document's keys. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "reproduce/cause.h"

const char *tac_failure_kind_name(tac_failure_kind kind)
{
    static const char *const names[] = {[TAC_FAILURE_CRASH] = "crash",
                                        [TAC_FAILURE_PROPERTY] = "property",
                                        [TAC_FAILURE_STEP] = "step"};
    TABLE_COVERS(names, TAC_FAILURE_STEP);
    return names[kind];
}

const char *tac_experiment_name(tac_experiment verdict)
{
    static const char *const names[] = {[TAC_EXPERIMENT_CONFIRMED] = "confirmed by experiment",
                                        [TAC_EXPERIMENT_REFUTED] = "refuted",
                                        [TAC_EXPERIMENT_OPEN] = "inconclusive"};
    TABLE_COVERS(names, TAC_EXPERIMENT_OPEN);
    return names[verdict];
}

tac_answer tac_reproduce_answer(const tac_reproduce_result *result)
{
    for (size_t i = 0; i < result->cause_count; i++)
        if (result->causes[i].reproduced)
            return TAC_VIOLATED;
    return TAC_INCONCLUSIVE;
}

/* --- the document --- */

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, tac_json_string(text));
}

static void set_number(json_t *object, const char *key, uint64_t number)
{
    json_object_set_new(object, key, json_integer((json_int_t)number));
}

static json_t *counterfactual_json(const tac_counterfactual *one)
{
    json_t *object = json_object();
    set_text(object, "pattern", one->pattern);
    set_text(object, "claim", one->claim);
    set_text(object, "inserted", one->inserted);
    json_object_set_new(object, "is_state", json_boolean(one->is_state));
    set_number(object, "tried", one->tried);
    set_number(object, "failed", one->failed);
    set_number(object, "control_tried", one->control_tried);
    set_number(object, "control_failed", one->control_failed);
    set_text(object, "verdict", tac_experiment_name(one->verdict));
    return object;
}

static void add_reproduced(json_t *object, const tac_reproduction *cause)
{
    json_t *steps = json_array(), *experiments = json_array();
    for (size_t i = 0; i < cause->step_count; i++)
        json_array_append_new(steps, json_pack("{s:o,s:o}", "event",
                                               tac_json_string(cause->steps[i].event), "text",
                                               tac_json_string(cause->steps[i].text)));
    for (size_t i = 0; i < cause->counterfactual_count; i++)
        json_array_append_new(experiments, counterfactual_json(&cause->counterfactuals[i]));
    set_text(object, "scenario", cause->scenario);
    set_number(object, "steps_after", cause->steps_after);
    set_number(object, "search_executions", cause->search_executions);
    json_object_set_new(
        object, "needed",
        json_pack("{s:i,s:i}", "failed", (int)cause->needed, "tried", (int)cause->tries));
    json_object_set_new(object, "flaky", json_boolean(cause->flaky));
    json_object_set_new(
        object, "replays",
        json_pack("{s:i,s:i}", "tried", (int)cause->replays, "failed", (int)cause->replays_failed));
    json_object_set_new(object, "one_minimal", json_boolean(cause->one_minimal));
    json_object_set_new(object, "counterfactuals", experiments);
    set_text(object, "failure", cause->failure);
    json_object_set_new(object, "steps", steps);
    set_text(object, "text", cause->text);
    set_text(object, "flow", cause->flow);
    json_object_set_new(object, "exports",
                        json_pack("{s:o,s:o,s:o,s:o}", "maestro", tac_json_string(cause->maestro),
                                  "webdriver", tac_json_string(cause->webdriver), "wdio",
                                  tac_json_string(cause->wdio), "uiautomator",
                                  tac_json_string(cause->uiautomator)));
    set_text(object, "properties", cause->properties);
    set_text(object, "replay", cause->replay);
}

/* Without a result: the keys that readers rely on are there, and say that there is none. */
static void add_unreproduced(json_t *object, const tac_reproduction *cause)
{
    json_object_set_new(object, "steps_after", json_null());
    json_object_set_new(object, "replays", json_pack("{s:i,s:i}", "tried", 0, "failed", 0));
    json_object_set_new(object, "one_minimal", json_false());
    json_object_set_new(object, "counterfactuals", json_array());
    set_text(object, "flow", "");
    set_text(object, "text", cause->message);
}

static json_t *cause_json(const tac_reproduction *cause)
{
    json_t *object = json_object();
    set_text(object, "kind", tac_failure_kind_name(cause->kind));
    set_text(object, cause->kind == TAC_FAILURE_PROPERTY ? "property" : "cluster", cause->name);
    json_object_set_new(object, "reproduced", json_boolean(cause->reproduced));
    json_object_set_new(object, "complete", json_boolean(cause->complete));
    if (!cause->reproduced)
        set_text(object, "message", cause->message);
    set_number(object, "runs", cause->runs);
    json_object_set_new(object, "from_run", json_integer(cause->from_run));
    set_number(object, "steps_before", cause->steps_before);
    set_number(object, "executions", cause->executions);
    if (cause->reproduced)
        add_reproduced(object, cause);
    else
        add_unreproduced(object, cause);
    return object;
}

json_t *tac_reproduce_json(const tac_reproduce_result *result)
{
    json_t *document = json_object(), *causes = json_array();
    json_object_set_new(document, "tactus-reproduce", json_integer(1));
    set_text(document, "campaign", result->campaign);
    set_text(document, "folder", result->folder);
    set_text(document, "command", result->command);
    json_object_set_new(document, "complete", json_boolean(result->complete));
    set_number(document, "executions", result->executions);
    for (size_t i = 0; i < result->cause_count; i++)
        json_array_append_new(causes, cause_json(&result->causes[i]));
    json_object_set_new(document, "causes", causes);
    json_t *lost = json_array();
    for (size_t i = 0; i < result->lost_count; i++)
        json_array_append_new(lost, json_pack("{s:o,s:I,s:o}", "device",
                                              tac_json_string(result->lost[i].device), "after",
                                              (json_int_t)result->lost[i].after, "message",
                                              tac_json_string(result->lost[i].message)));
    json_object_set_new(document, "lost_devices", lost);
    return document;
}

/* --- the text --- */

static void say_experiment(const tac_counterfactual *one, FILE *out)
{
    fprintf(out, "  %s: %s", tac_experiment_name(one->verdict), one->claim);
    if (one->tried)
        fprintf(out, " (with %s %u of %u failed", one->inserted, one->failed, one->tried);
    if (one->control_tried)
        fprintf(out, ", the same way without it %u of %u", one->control_failed, one->control_tried);
    fprintf(out, "%s\n", one->tried ? ")" : " (there was no way to put it in)");
}

static void say_cause(const tac_reproduction *cause, FILE *out)
{
    fprintf(out, "%s %s: %llu %s\n", tac_failure_kind_name(cause->kind), cause->name,
            (unsigned long long)cause->runs, cause->runs == 1 ? "run" : "runs");
    if (!cause->reproduced) {
        fprintf(out, "  not reproduced: %s\n", cause->message);
        return;
    }
    fprintf(out, "  %s\n", cause->text);
    fprintf(out,
            "  %llu of %llu events of run %lld; failed in %u of %u replays; %s; %llu executions\n",
            (unsigned long long)cause->steps_after, (unsigned long long)cause->steps_before,
            (long long)cause->from_run, cause->replays_failed, cause->replays,
            cause->one_minimal ? "no event can be left out" : "not known to be minimal",
            (unsigned long long)cause->executions);
    for (size_t i = 0; i < cause->counterfactual_count; i++)
        say_experiment(&cause->counterfactuals[i], out);
    fprintf(out, "  %s\n", cause->replay);
}

void tac_reproduce_text(const tac_reproduce_result *result, FILE *out)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        if (i)
            fputc('\n', out);
        say_cause(&result->causes[i], out);
    }
    if (!result->cause_count)
        fprintf(out, "no run of %s failed: there is nothing to reproduce\n", result->campaign);
    for (size_t i = 0; i < result->lost_count; i++)
        fprintf(out, "%s went away: %s\n", result->lost[i].device, result->lost[i].message);
    if (!result->complete)
        fprintf(out, "stopped after %llu executions; the same command continues\n",
                (unsigned long long)result->executions);
}

void reproduction_free(tac_reproduction *cause)
{
    char *const texts[] = {cause->name,   cause->message,    cause->scenario,    cause->failure,
                           cause->text,   cause->flow,       cause->maestro,     cause->webdriver,
                           cause->replay, cause->properties, cause->uiautomator, cause->wdio};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (size_t i = 0; i < cause->counterfactual_count; i++) {
        free(cause->counterfactuals[i].pattern);
        free(cause->counterfactuals[i].claim);
        free(cause->counterfactuals[i].inserted);
        free(cause->counterfactuals[i].device);
    }
    free(cause->counterfactuals);
    for (size_t i = 0; i < cause->step_count; i++) {
        free(cause->steps[i].event);
        free(cause->steps[i].text);
    }
    free(cause->steps);
}

void tac_reproduce_free(tac_reproduce_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < result->cause_count; i++)
        reproduction_free(&result->causes[i]);
    free(result->causes);
    free(result->campaign);
    free(result->folder);
    free(result->command);
    for (size_t i = 0; i < result->lost_count; i++) {
        free((char *)(uintptr_t)result->lost[i].device);
        free((char *)(uintptr_t)result->lost[i].message);
    }
    free(result->lost);
    free(result);
}
