/* A verify document for the person who has to act: the verdict, the events in order, why each was
 * possible, which call is illegal and what made it so. */
#include "base/data/text.h"
#include "protocol/show/text.h"
#include "tactus/protocol.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static long long number_of(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static void print_reason(const json_t *reason, const char *effect, FILE *out)
{
    if (!json_is_object(reason)) {
        fprintf(out, "no rule constrains it\n");
        return;
    }
    fprintf(out, "%s %s it", text_of(reason, "rule"), effect);
    if (json_object_get(reason, "in"))
        fprintf(out, ": %s in event %lld%s%s\n", text_of(reason, "words"), number_of(reason, "in"),
                *text_of(reason, "line") ? ", at " : "", text_of(reason, "line"));
    else
        fprintf(out, " from the start\n");
}

static void print_witness(const json_t *document, bool verbose, FILE *out)
{
    const json_t *witness = json_object_get(document, "witness");
    const json_t *violation = json_object_get(document, "violation");
    size_t i;
    json_t *step;
    json_array_foreach((json_t *)witness, i, step)
    {
        fprintf(out, "  %3zu. %s%s%s\n", i + 1, text_of(step, "event"),
                json_is_true(json_object_get(step, "assumed")) ? "   (not recorded, assumed)" : "",
                json_is_true(json_object_get(step, "other_thread")) ? "   (on another thread)"
                                                                    : "");
        if (verbose) {
            fprintf(out, "       possible: ");
            print_reason(json_object_get(step, "enabled_by"), "enables", out);
        }
    }
    const json_t *by = json_object_get(violation, "prohibited_by");
    fprintf(out, "  In event %lld the app makes %s", number_of(violation, "in"),
            text_of(violation, "words"));
    if (*text_of(violation, "line"))
        fprintf(out, " at %s", text_of(violation, "line"));
    fprintf(out, ",\n  which is not allowed then: ");
    print_reason(by, "disallows", out);
    fprintf(out, "  rule: %s\n", text_of(by, "text"));
}

static void print_targets(const tac_protocol_result *result, const json_t *document, bool verbose,
                          FILE *out)
{
    const json_t *targets = json_object_get(document, "targets");
    size_t i, unsafe = tac_protocol_result_count(result, TAC_UNSAFE);
    json_t *target;
    if (unsafe > 1 || (unsafe && result->call_count > unsafe))
        fprintf(out, "  %zu of %zu prohibitable calls can be reached%s\n", unsafe,
                result->call_count, verbose ? ":" : "");
    if (!result->call_count)
        fprintf(out, "  note: the rules prohibit no call that this recording makes\n");
    if (!verbose)
        return;
    json_array_foreach((json_t *)targets, i, target)
        fprintf(out, "    %-7s %s\n", text_of(target, "verdict"), text_of(target, "message"));
}

static void print_inadmissible(const json_t *document, const char *trace, FILE *out)
{
    const json_t *because = json_object_get(document, "because");
    const json_t *refused = json_object_get(document, "refused");
    fprintf(out, "%s: INADMISSIBLE, the rules do not admit the recording: a proof proves nothing\n",
            trace);
    if (json_is_object(refused))
        fprintf(out, "  refused   %s\n            message %lld, in event %lld, %s\n",
                text_of(refused, "words"), number_of(refused, "index"),
                number_of(refused, "event_index"), text_of(refused, "event"));
    fprintf(out, "  because   %s %s it\n  rule      %s\n", text_of(because, "rule"),
            text_of(because, "effect"), text_of(because, "text"));
    protocol_print_reading(document, out);
}

/* "1 callback", "2 callbacks" */
static void print_count(long long count, const char *what, FILE *out)
{
    char number[32];
    tac_thousands((uint64_t)count, number, sizeof number);
    fprintf(out, "%s %s%s", number, what, count == 1 ? "" : "s");
}

void protocol_print_reading(const json_t *document, FILE *out)
{
    const json_t *others = json_object_get(document, "other_threads");
    size_t i, assumed = json_array_size(json_object_get(document, "assumed_callbacks"));
    json_t *item;
    if (number_of(others, "messages")) {
        fprintf(out, "  note      ");
        print_count(number_of(others, "messages"), "message", out);
        fprintf(out, " of ");
        print_count(number_of(others, "threads"), "other thread", out);
        fprintf(out, ", in recorded order: ");
        print_count(number_of(others, "callbacks"), "callback", out);
        fprintf(out, " as events of their own, ");
        print_count(number_of(others, "calls"), "call", out);
        fprintf(out, " within the events they were made in\n");
    }
    if (assumed) {
        fprintf(out, "  note      ");
        print_count((long long)assumed, "callback", out);
        fprintf(out, " not recorded, assumed: the rules say that the framework makes %s\n",
                assumed == 1 ? "it" : "them");
    }
    if (number_of(document, "not_assumed")) {
        fprintf(out, "  note      ");
        print_count(number_of(document, "not_assumed"), "callback", out);
        fprintf(out,
                " not recorded and not assumed: the app does something there in other objects\n"
                "            of the class; record a run that leaves the screen\n");
    }
    if (json_is_true(json_object_get(document, "truncated"))) {
        fprintf(out, "  note      the recording is cut: ");
        if (number_of(document, "dropped_messages")) {
            fprintf(out, "its last ");
            print_count(number_of(document, "dropped_messages"), "message", out);
            fprintf(out, ", of a callback that never ended, decide%s nothing\n",
                    number_of(document, "dropped_messages") == 1 ? "s" : "");
        } else {
            fprintf(out, "its last message is incomplete and left out\n");
        }
    }
    json_array_foreach(json_object_get(document, "warnings"), i, item) fprintf(
        out, "  warning   line %lld: %s\n", number_of(item, "line"), text_of(item, "message"));
}

static void print_safety(const tac_protocol_result *result, const json_t *document,
                         const char *trace, bool verbose, FILE *out)
{
    size_t events = result->witness_events;
    switch (result->safety) {
    case TAC_UNSAFE:
        fprintf(out, "%s: UNSAFE, %zu event%s lead%s to a call that the rules disallow\n", trace,
                events, events == 1 ? "" : "s", events == 1 ? "s" : "");
        print_witness(document, verbose, out);
        break;
    case TAC_SAFE:
        fprintf(out,
                "%s: SAFE, no order of the %lld recorded callbacks makes a call that the rules "
                "disallow\n",
                trace, number_of(document, "toplevel_callbacks"));
        break;
    case TAC_INADMISSIBLE:
        print_inadmissible(document, trace, out);
        break;
    case TAC_SAFETY_UNKNOWN:
        fprintf(out, "%s: UNKNOWN, the search passed its memory limit\n", trace);
        break;
    }
}

void tac_protocol_verify_text(const tac_protocol_result *result, const json_t *document,
                              const char *trace, bool verbose, FILE *out)
{
    char states[32];
    tac_thousands((uint64_t)number_of(document, "states"), states, sizeof states);
    print_safety(result, document, trace, verbose, out);
    if (result->safety == TAC_INADMISSIBLE)
        return;
    print_targets(result, document, verbose, out);
    fprintf(out, "  %s states, %lld ground rules, %lld distinct events, engine %s\n", states,
            number_of(document, "ground_rules"), number_of(document, "events"),
            text_of(document, "engine"));
    long long raised = number_of(document, "raised_callbacks");
    if (raised)
        fprintf(out, "  %lld callback%s of the recording ended in an exception and %s left out\n",
                raised, raised == 1 ? "" : "s", raised == 1 ? "was" : "were");
    if (result->admission == TAC_ADMISSION_STUCK || result->admission == TAC_ADMISSION_CONFLICT)
        fprintf(out, "  note: the rules do not admit the recording (%s); this says little\n",
                result->refusing_rule);
    protocol_print_reading(document, out);
    if (*text_of(document, "certificate"))
        fprintf(out, "  certificate: %s\n", text_of(document, "certificate"));
}
