/* A replay for people. */
#include "base/print/print.h"
#include "replay/replay.h"

static void print_step(const tac_replay_step *step, size_t number, FILE *out)
{
    tac_print(out, "  %s %2zu. %s", step->performed ? "+" : "-", number, step->event);
    if (step->gesture)
        tac_print(out, "   (%s %s%s%s)", step->action, step->xpath, *step->value ? " := " : "",
                  step->value);
    fputc('\n', out);
}

void tac_replay_text(const tac_replay *replay, FILE *out)
{
    tac_print(out, "%s: %s\n", tac_replay_result_name(replay->result), replay->call);
    for (size_t i = 0; i < replay->step_count; i++)
        print_step(&replay->steps[i], i + 1, out);
    if (replay->reason && *replay->reason)
        tac_print(out, "  %s\n", replay->reason);
    for (size_t i = 0; i < replay->released_count; i++)
        tac_print(out, "  let go although not named: %s\n", replay->released_besides[i]);
    if (replay->exception)
        tac_print(out, "  %s: %s\n", replay->exception, replay->message);
    for (size_t i = 0; replay->exception && i < replay->stack_count; i++)
        tac_print(out, "      %s\n", replay->stack[i]);
    tac_print(out, "  rule %s (%s%s); confirmed in %u of %u attempt%s\n", replay->rule,
              replay->severity, replay->silent ? ", silent" : "", replay->confirmed_attempts,
              replay->attempts, replay->attempts == 1 ? "" : "s");
}
