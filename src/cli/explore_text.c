/* See explore_text.h. */
#include "cli/explore_text.h"
#include "base/print/print.h"

/* What to do next, with the option that does it. */
static void print_advice(const tac_verdict *verdict, bool complete, bool saved, FILE *out)
{
    const char *option =
        verdict->answer == TAC_VIOLATED ? ""
        : verdict->answer == TAC_INCONCLUSIVE
            ? (saved ? " (--resume MODEL.checkpoint)" : " (give -o MODEL to have one)")
        : !complete ? " (--depth N)"
                    : " (--seed N)";
    if (verdict->advice[0])
        tac_print(out, "  -> %s%s\n", verdict->advice, option);
}

static void tell_nondeterministic(void *out, const char *event, const char *state)
{
    tac_print(out, "the event %s in %s leads to different screens\n", event, state);
}

static void tell_external(void *out, const char *package, const char *where)
{
    (void)where;
    tac_print(out, "another application was opened: %s\n", package);
}

static void tell_field(void *out, const char *field, const char *where)
{
    (void)where;
    tac_print(out, "nothing was entered (give it a --text XPATH=VALUE): %s\n", field);
}

static void tell_ignore(void *out, const char *xpath, const char *where)
{
    (void)where;
    tac_print(out, "never matched: elements to ignore: %s\n", xpath);
}

static void tell_text(void *out, const char *text, const char *where)
{
    (void)where;
    tac_print(out, "never matched: text to enter: %s\n", text);
}

void print_exploration(const tac_exploration *found, const char *model_path, FILE *out)
{
    static const char *const ends[] = {
        [TAC_HOLDS] = "explored", [TAC_VIOLATED] = "CRASHES", [TAC_INCONCLUSIVE] = "stopped early"};
    tac_verdict verdict;
    tac_exploration_figures n = tac_exploration_look(found);
    tac_exploration_verdict(found, &verdict);
    tac_print(out, "%s: %s\n  %s\n", verdict.subject, ends[verdict.answer], verdict.explanation);
    print_advice(&verdict, n.complete, model_path != NULL, out);
    tac_print(out, "%llu events performed, %llu launches, %.0f s on the device\n",
              (unsigned long long)n.events_performed, (unsigned long long)n.launches,
              n.virtual_seconds);
    tac_exploration_each(found, TAC_NOTE_NONDETERMINISTIC, tell_nondeterministic, out);
    tac_exploration_each(found, TAC_NOTE_EXTERNAL_APP, tell_external, out);
    tac_exploration_each(found, TAC_NOTE_FIELD_WITHOUT_TEXT, tell_field, out);
    tac_exploration_each(found, TAC_NOTE_UNUSED_IGNORE, tell_ignore, out);
    tac_exploration_each(found, TAC_NOTE_UNUSED_TEXT, tell_text, out);
    if (model_path)
        tac_print(out, "model: %s\n", model_path);
    tac_verdict_free(&verdict);
}
