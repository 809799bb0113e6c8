/* From what a source says about a run's end to its label: the label file decides first, then a
 * given label, then verdict, exception and stack. */
#include "mining/runs/runs.h"
#include <strings.h>

enum verdict_word { WORD_NONE, WORD_PASS, WORD_FAIL, WORD_UNKNOWN };

static enum verdict_word read_word(const char *verdict)
{
    static const char *const pass[] = {"pass", "passed", "ok", "success", "true", "exit"};
    static const char *const fail[] = {"fail",  "failed",    "crash",   "crashed", "error",
                                       "false", "exception", "timeout", "anr",     "violated"};
    if (!verdict || !*verdict)
        return WORD_NONE;
    for (size_t i = 0; i < sizeof pass / sizeof *pass; i++)
        if (strcasecmp(verdict, pass[i]) == 0)
            return WORD_PASS;
    for (size_t i = 0; i < sizeof fail / sizeof *fail; i++)
        if (strcasecmp(verdict, fail[i]) == 0)
            return WORD_FAIL;
    return WORD_UNKNOWN;
}

/* By the run's name, else by its file's base name. */
static const char *label_of_file(const struct tac_runs *runs, const char *file, size_t line)
{
    char *name = line ? tac_format("%s:%zu", file, line) : tac_strdup(file);
    uint32_t id = tac_names_find(&runs->label_names, name);
    if (id == TAC_NONE) {
        const char *slash = strrchr(name, '/');
        if (slash)
            id = tac_names_find(&runs->label_names, slash + 1);
    }
    free(name);
    return id == TAC_NONE ? NULL : runs->label_texts.at[id];
}

static tac_status label_of(struct tac_runs *runs, const struct run_outcome *outcome,
                           const char *file, size_t line, char **label, tac_error *err)
{
    *label = NULL;
    if (runs->has_labels) {
        const char *given = label_of_file(runs, file, line);
        if (!given)
            return tac_fail_at(err, TAC_E_INPUT, file, line, 0,
                               "the label file has no line for this run; add one, or do without "
                               "a label file to use the run's own verdict");
        *label = tac_strdup(given);
        return TAC_OK;
    }
    if (outcome->label) {
        *label = tac_strdup(outcome->label);
        return TAC_OK;
    }
    bool has_stack =
        (outcome->stack && *outcome->stack) || (outcome->exception && *outcome->exception);
    enum verdict_word word = read_word(outcome->verdict);
    if (word == WORD_UNKNOWN)
        return tac_fail_at(err, TAC_E_INPUT, file, line, 0,
                           "verdict '%.60s': expected pass, fail or crash", outcome->verdict);
    runs->excepted += word == WORD_PASS && has_stack;
    if (word == WORD_PASS)
        *label = tac_strdup("0");
    else if (has_stack)
        runs->building.crash = crash_list_add(&runs->crashes, outcome, label);
    else if (word == WORD_FAIL)
        *label = tac_strdup("fail");
    return TAC_OK;
}

tac_status runs_end_with(struct tac_runs *runs, const struct run_outcome *outcome, const char *file,
                         size_t line, tac_error *err)
{
    char *label;
    tac_status status = label_of(runs, outcome, file, line, &label, err);
    if (status)
        return status;
    tac_runs_end(runs, label);
    free(label);
    return TAC_OK;
}

bool runs_look_exchanged(const struct tac_runs *runs)
{
    return runs->excepted >= 3 && 2 * runs->excepted > runs->cluster_size.at[TAC_RUN_PASSED];
}
