/* Causes of crashes, one finding each, as the page shows them: the typical stack, what the runs
 * share, examples that can be opened. grouping.c finds them, history.c compares them with earlier
 * campaigns. */
#include "report/cause/causes.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include "report/cause/history.h"
#include "report/cause/stack.h"
#include <string.h>

enum { PATTERNS = 5, EXAMPLES = 5 };

/* --- one cause --- */

static json_int_t number_of(const struct cause_list *list, size_t run)
{
    return (json_int_t)list->campaign->first_run + list->campaign->runs.at[run].row.id;
}

/* The stack that most of the runs have. */
static const struct report_run *typical_run(const struct cause_list *list,
                                            const struct crash_cause *cause)
{
    tac_names stacks = {0};
    TAC_VEC(size_t) count = {0};
    size_t best = 0, most = 0;
    for (size_t i = 0; i < cause->runs.count; i++) {
        uint32_t id = tac_names_intern(&stacks, list->campaign->runs.at[cause->runs.at[i]].stack);
        if (id == count.count)
            tac_vec_push(&count, (size_t)0);
        if (++count.at[id] > most) {
            most = count.at[id];
            best = cause->runs.at[i];
        }
    }
    tac_names_free(&stacks);
    tac_vec_free(&count);
    return &list->campaign->runs.at[best];
}

static json_t *runs_json(const struct cause_list *list, const struct crash_cause *cause,
                         size_t most)
{
    json_t *numbers = json_array();
    for (size_t i = 0; i < cause->runs.count && i < most; i++)
        json_array_append_new(numbers, json_integer(number_of(list, cause->runs.at[i])));
    return numbers;
}

static void cite(struct cause_list *list, size_t run)
{
    list->campaign->runs.at[run].cited = true;
}

/* Runs that this pattern explains; all that are named can be opened. */
static json_t *evidence_of(struct cause_list *list, const tac_cluster_result *mined,
                           uint32_t pattern)
{
    json_t *examples = json_array();
    for (uint32_t r = 0; r < mined->runs && json_array_size(examples) < EXAMPLES; r++) {
        if (!mined->attribution || mined->attribution[r] != pattern ||
            mined->run_ids[r] >= list->added.count)
            continue;
        size_t run = list->added.at[mined->run_ids[r]];
        cite(list, run);
        json_array_append_new(examples, json_integer(number_of(list, run)));
    }
    return examples;
}

static json_t *patterns_json(struct cause_list *list, const tac_cluster_result *mined)
{
    json_t *patterns = json_array();
    for (uint32_t i = 0; mined && i < mined->pattern_count && i < PATTERNS; i++) {
        const tac_mined_pattern *pattern = &mined->patterns[i];
        char *sentence = tac_pattern_sentence(list->runs, pattern, mined->runs, mined->passing);
        char *formula = tac_pattern_formula(list->runs, pattern);
        json_t *object = json_object();
        json_object_set_new(object, "sentence", tac_json_string(sentence));
        json_object_set_new(object, "formula", tac_json_string(formula));
        json_object_set_new(object, "p", tac_json_number(pattern->p));
        json_object_set_new(object, "cause", json_boolean(pattern->cause));
        json_object_set_new(object, "failing", json_integer(pattern->fail.runs));
        json_object_set_new(object, "failing_of", json_integer(mined->runs));
        json_object_set_new(object, "passing", json_integer(pattern->pass.runs));
        json_object_set_new(object, "passing_of", json_integer(mined->passing));
        json_object_set_new(object, "examples", evidence_of(list, mined, i));
        json_array_append_new(patterns, object);
        free(sentence);
        free(formula);
    }
    return patterns;
}

static json_t *ending_json(const struct cause_list *list, const tac_cluster_result *mined)
{
    json_t *events = json_array();
    for (size_t i = 0; mined && i < mined->ending_count; i++)
        json_array_append_new(events,
                              tac_json_string(tac_token_text(list->runs, mined->ending[i])));
    return json_pack("{s:o,s:I,s:I}", "events", events, "runs",
                     (json_int_t)(mined ? mined->ending_runs : 0), "passing",
                     (json_int_t)(mined ? mined->ending_pass : 0));
}

static json_t *cause_json(struct cause_list *list, const struct crash_cause *cause,
                          struct shown_stack *stack, const struct report_run *typical)
{
    json_t *object = json_object();
    char *link = cause_link(list, cause->name);
    size_t exception = strcspn(cause->name, " ");
    json_object_set_new(object, "id", tac_json_string(link + 1));
    json_object_set_new(object, "cluster", tac_json_string(cause->name));
    json_object_set_new(object, "finding", tac_json_string(typical->finding));
    json_object_set_new(object, "campaign", tac_json_string(list->campaign->label));
    json_object_set_new(object, "exception", tac_json_string_n(cause->name, exception));
    json_object_set_new(object, "message", tac_json_string(typical->row.message));
    json_object_set_new(object, "frame", tac_json_string(stack->frame));
    json_object_set_new(object, "runs", json_integer((json_int_t)cause->runs.count));
    json_object_set_new(object, "of", json_integer((json_int_t)list->campaign->runs.count));
    json_object_set(object, "stack", stack->lines);
    json_object_set(object, "chain", stack->chain);
    json_object_set_new(object, "why", tac_json_string(cause->mined ? cause->mined->why : ""));
    json_object_set_new(object, "ending", ending_json(list, cause->mined));
    json_object_set_new(object, "patterns", patterns_json(list, cause->mined));
    json_object_set_new(object, "unexplained",
                        json_integer(cause->mined ? cause->mined->unexplained : 0));
    json_object_set_new(object, "examples", runs_json(list, cause, EXAMPLES));
    json_object_set_new(object, "all_runs", runs_json(list, cause, SIZE_MAX));
    for (size_t i = 0; i < cause->runs.count && i < EXAMPLES; i++)
        cite(list, cause->runs.at[i]);
    script_file_describe(list->reproduction, list->report->project.options, list->campaign, "crash",
                         cause->name, object);
    free(link);
    return object;
}

static void add_finding(struct cause_list *list, const struct crash_cause *cause,
                        const struct shown_stack *stack, const char *id, bool is_new)
{
    const char *label = list->campaign->label;
    char digits[2][32];
    char *link = cause_link(list, cause->name);
    tac_str detail = {0};
    if (*stack->file)
        tac_str_addf(&detail, "%s:%zu", stack->file, stack->line);
    if (cause->mined && cause->mined->pattern_count) {
        char *sentence = tac_pattern_sentence(list->runs, &cause->mined->patterns[0],
                                              cause->mined->runs, cause->mined->passing);
        tac_str_addf(&detail, "%s%s", detail.length ? " — " : "", sentence);
        free(sentence);
    }
    char *command =
        reproduction_advice(list->report->project.options, list->campaign, "crash", cause->name);
    struct finding_parts parts = {.rank = RANK_CRASH,
                                  .command = command,
                                  .campaign = label,
                                  .id = id,
                                  .weight = (double)cause->runs.count,
                                  .detail = tac_str_text(&detail),
                                  .link = link,
                                  .subject = cause->name,
                                  .file = stack->file,
                                  .line = stack->line,
                                  .is_new = is_new};
    finding_add(&list->report->project.findings, &parts, "%s crashes %s of %s run%s%s%s.",
                cause->name, tac_thousands(cause->runs.count, digits[0], sizeof digits[0]),
                tac_thousands(list->campaign->runs.count, digits[1], sizeof digits[1]),
                list->campaign->runs.count == 1 ? "" : "s", *label ? " of " : "", label);
    tac_str_free(&detail);
    free(command);
    free(link);
}

/* --- all --- */

static void add_causes(struct cause_list *list, const struct crash_history *history, json_t *causes,
                       json_t *trends)
{
    for (size_t i = 0; i < list->at.count; i++) {
        const struct crash_cause *cause = &list->at.at[i];
        const struct report_run *typical = typical_run(list, cause);
        struct shown_stack stack;
        stack_show(typical->stack, typical->row.message, cause->name, &stack);
        json_array_append_new(causes, cause_json(list, cause, &stack, typical));
        add_finding(list, cause, &stack, typical->finding, crash_history_is_new(history, cause));
        crash_trend_add(list, history, cause, trends);
        stack_free(&stack);
    }
    if (history->at.count && tac_vec_last(&history->at).campaign)
        crash_history_name_gone(list, history, trends);
}

static tac_status add_campaign(struct tac_report *report, size_t index, json_t *causes,
                               tac_error *err)
{
    struct report_campaign *campaign = &report->project.campaigns.at[index];
    struct cause_list list = {.report = report, .campaign = campaign};
    struct crash_history history = {0};
    bool crashed = false;
    for (size_t i = 0; i < campaign->runs.count; i++)
        crashed = crashed || is_crash_run(&campaign->runs.at[i]);
    if (!crashed && !report->baselines.count)
        return TAC_OK;
    list.reproduction = script_file_load(campaign);
    tac_status status = cause_list_read(&list, crashed, err);
    if (status == TAC_OK && crashed)
        status = cause_list_mine(&list, err);
    if (status == TAC_OK)
        status = crash_history_read(report, index, &history, err);
    if (status == TAC_OK) {
        cause_list_group(&list);
        add_causes(&list, &history, causes, report->trends);
    }
    crash_history_free(&history);
    cause_list_free(&list);
    return status;
}

tac_status report_add_causes(struct tac_report *report, tac_error *err)
{
    json_t *causes = json_array();
    tac_status status = TAC_OK;
    for (size_t i = 0; i < report->project.campaigns.count && status == TAC_OK; i++)
        status = add_campaign(report, i, causes, err);
    json_object_set_new(report->document, "causes", causes);
    return status;
}
