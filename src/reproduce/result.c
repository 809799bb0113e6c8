/* The result as text, and its end. */
#include "base/print/print.h"
#include "reproduce/cause.h"

tac_answer tac_reproduce_answer(const tac_reproduce_result *result)
{
    for (size_t i = 0; i < result->cause_count; i++)
        if (result->causes[i].reproduced)
            return TAC_VIOLATED;
    return TAC_INCONCLUSIVE;
}

/* --- the text --- */

static void say_experiment(const tac_counterfactual *one, FILE *out)
{
    tac_print(out, "  %s: %s", tac_experiment_name(one->verdict), one->claim);
    if (one->tried)
        tac_print(out, " (with %s %u of %u failed", one->inserted, one->failed, one->tried);
    if (one->control_tried)
        tac_print(out, ", the same way without it %u of %u", one->control_failed,
                  one->control_tried);
    tac_print(out, "%s\n", one->tried ? ")" : " (there was no way to put it in)");
}

static void say_cause(const tac_reproduction *cause, FILE *out)
{
    tac_print(out, "%s %s: %llu %s\n", tac_failure_kind_name(cause->kind), cause->name,
              (unsigned long long)cause->runs, cause->runs == 1 ? "run" : "runs");
    if (!cause->reproduced) {
        tac_print(out, "  not reproduced: %s\n", cause->message);
        return;
    }
    tac_print(out, "  %s\n", cause->text);
    tac_print(
        out, "  %llu of %llu events of run %lld; failed in %u of %u replays; %s; %llu executions\n",
        (unsigned long long)cause->steps_after, (unsigned long long)cause->steps_before,
        (long long)cause->from_run, cause->replays_failed, cause->replays,
        cause->one_minimal ? "no event can be left out" : "not known to be minimal",
        (unsigned long long)cause->executions);
    for (size_t i = 0; i < cause->counterfactual_count; i++)
        say_experiment(&cause->counterfactuals[i], out);
    tac_print(out, "  %s\n", cause->replay);
}

void tac_reproduce_text(const tac_reproduce_result *result, FILE *out)
{
    for (size_t i = 0; i < result->cause_count; i++) {
        if (i)
            fputc('\n', out);
        say_cause(&result->causes[i], out);
    }
    if (!result->cause_count)
        tac_print(out, "no run of %s failed: there is nothing to reproduce\n", result->campaign);
    for (size_t i = 0; i < result->lost_count; i++)
        tac_print(out, "%s went away: %s\n", result->lost[i].device, result->lost[i].message);
    if (!result->complete)
        tac_print(out, "stopped after %llu executions; the same command continues\n",
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
