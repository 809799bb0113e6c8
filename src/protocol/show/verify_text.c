/* What verify found for the person who has to act: the verdict, the events in order, why each was
 * possible, which call is illegal and what made it so. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/print/print.h"
#include "protocol/show/text.h"

static void print_reason(const tac_protocol_reason *reason, const char *effect, FILE *out)
{
    if (!reason) {
        tac_print(out, "no rule constrains it\n");
        return;
    }
    bool placed = reason->line && *reason->line;
    tac_print(out, "%s %s it", reason->rule, effect);
    if (reason->in)
        tac_print(out, ": %s in event %zu%s%s\n", reason->words, reason->in, placed ? ", at " : "",
                  placed ? reason->line : "");
    else
        tac_print(out, " from the start\n");
}

static void print_witness(const tac_protocol_witness *witness, bool verbose, FILE *out)
{
    const tac_protocol_violation *violation = &witness->violation;
    const tac_protocol_reason *by = violation->prohibited_by;
    assert(witness->count);
    for (size_t i = 0; i < witness->count; i++) {
        const tac_protocol_step *step = &witness->steps[i];
        tac_print(out, "  %3zu. %s%s%s\n", i + 1, step->event,
                  step->assumed ? "   (not recorded, assumed)" : "",
                  step->other_thread ? "   (on another thread)" : "");
        if (verbose) {
            tac_print(out, "       possible: ");
            print_reason(step->enabled_by, "enables", out);
        }
    }
    tac_print(out, "  In event %zu the app makes %s", violation->in, violation->words);
    if (violation->line && *violation->line)
        tac_print(out, " at %s", violation->line);
    tac_print(out, ",\n  which is not allowed then: ");
    print_reason(by, "disallows", out);
    tac_print(out, "  rule: %s\n", by ? by->text : "");
}

static void print_calls(const tac_protocol_result *result, bool verbose, FILE *out)
{
    size_t unsafe = tac_protocol_result_count(result, TAC_UNSAFE);
    if (unsafe > 1 || (unsafe && result->call_count > unsafe))
        tac_print(out, "  %zu of %zu prohibitable calls can be reached%s\n", unsafe,
                  result->call_count, verbose ? ":" : "");
    if (!result->call_count)
        tac_print(out, "  note: the rules prohibit no call that this recording makes\n");
    for (size_t i = 0; verbose && i < result->call_count; i++)
        tac_print(out, "    %-7s %s\n", tac_safety_name(result->calls[i].safety),
                  result->calls[i].message);
}

static void print_inadmissible(const tac_protocol_result *result, const char *trace, FILE *out)
{
    const tac_protocol_reason *because = result->because;
    const tac_protocol_message *refused = result->refused;
    assert(because);
    tac_print(out,
              "%s: INADMISSIBLE, the rules do not admit the recording: a proof proves nothing\n",
              trace);
    if (refused)
        tac_print(out, "  refused   %s\n            message %zu, in event %zu, %s\n",
                  refused->words, refused->index, refused->event_index, refused->event);
    tac_print(out, "  because   %s %s it\n  rule      %s\n", because->rule,
              tac_rule_effect_name(because->effect), because->text);
    protocol_print_reading(&result->reading, out);
}

static void print_safety(const tac_protocol_result *result, const char *trace, bool verbose,
                         FILE *out)
{
    switch (result->safety) {
    case TAC_UNSAFE: {
        size_t events = result->witness->count;
        tac_print(out, "%s: UNSAFE, %zu event%s lead%s to a call that the rules disallow\n", trace,
                  events, events == 1 ? "" : "s", events == 1 ? "s" : "");
        print_witness(result->witness, verbose, out);
        break;
    }
    case TAC_SAFE: {
        size_t count = result->reading.toplevel_callbacks - result->reading.raised_callbacks;
        tac_print(out,
                  "%s: SAFE, no order of the %zu recorded callback%s makes a call that the rules "
                  "disallow\n",
                  trace, count, count == 1 ? "" : "s");
        break;
    }
    case TAC_INADMISSIBLE:
        print_inadmissible(result, trace, out);
        break;
    case TAC_SAFETY_UNKNOWN:
        if (result->left_out)
            tac_print(out,
                      "%s: UNKNOWN, a proof needs every rule, and one may be left out:\n  %s\n",
                      trace, result->left_out);
        else
            tac_print(out, "%s: UNKNOWN, the search passed its memory limit\n", trace);
        break;
    }
}

void tac_protocol_verify_text(const tac_protocol_result *result, const char *trace, bool verbose,
                              FILE *out)
{
    char states[32];
    size_t raised = result->reading.raised_callbacks;
    tac_thousands(result->states, states, sizeof states);
    print_safety(result, trace, verbose, out);
    if (result->safety == TAC_INADMISSIBLE)
        return;
    print_calls(result, verbose, out);
    tac_print(out, "  %s states, %zu ground rules, %zu distinct events, engine %s\n", states,
              result->ground_rules, result->events, result->by_diagrams ? "bdd" : "bfs");
    if (raised)
        tac_print(out, "  %zu callback%s of the recording ended in an exception and %s left out\n",
                  raised, raised == 1 ? "" : "s", raised == 1 ? "was" : "were");
    if (result->admission == TAC_ADMISSION_STUCK || result->admission == TAC_ADMISSION_CONFLICT)
        tac_print(out, "  note: the rules do not admit the recording (%s); this says little\n",
                  result->because->rule);
    protocol_print_reading(&result->reading, out);
    if (result->certificate && *result->certificate)
        tac_print(out, "  certificate: %s\n", result->certificate);
}
