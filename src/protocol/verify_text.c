/* A verify document for the person who has to act: the verdict, the events in order, why each was
 * possible, which call is illegal and what made it so. */
#include "base/data/text.h"
#include "tactus/protocol.h"
#include <string.h>

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
        fprintf(out, "  %3zu. %s\n", i + 1, text_of(step, "event"));
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

static void print_targets(const json_t *document, bool verbose, FILE *out)
{
    const json_t *targets = json_object_get(document, "targets");
    size_t i, unsafe = 0;
    json_t *target;
    json_array_foreach((json_t *)targets, i, target) unsafe +=
        !strcmp(text_of(target, "verdict"), "UNSAFE");
    if (unsafe > 1 || (unsafe && json_array_size(targets) > unsafe))
        fprintf(out, "  %zu of %zu prohibitable calls can be reached%s\n", unsafe,
                json_array_size(targets), verbose ? ":" : " (--verbose lists them)");
    if (!json_array_size(targets))
        fprintf(out, "  note: the rules prohibit no call that this recording makes\n");
    if (!verbose)
        return;
    json_array_foreach((json_t *)targets, i, target)
        fprintf(out, "    %-7s %s\n", text_of(target, "verdict"), text_of(target, "message"));
}

void tac_protocol_verify_text(const json_t *document, const char *trace, bool verbose, FILE *out)
{
    const char *verdict = text_of(document, "verdict");
    char states[32];
    tac_thousands((uint64_t)number_of(document, "states"), states, sizeof states);
    if (!strcmp(verdict, "UNSAFE")) {
        long long events = number_of(document, "witness_events");
        fprintf(out, "%s: UNSAFE, %lld event%s lead%s to a call that the rules disallow\n", trace,
                events, events == 1 ? "" : "s", events == 1 ? "s" : "");
        print_witness(document, verbose, out);
    } else if (!strcmp(verdict, "SAFE")) {
        fprintf(out,
                "%s: SAFE, no order of the %lld recorded callbacks makes a call that the rules "
                "disallow\n",
                trace, number_of(document, "toplevel_callbacks"));
    } else {
        fprintf(out, "%s: UNKNOWN, the search passed its memory limit; try --target METHOD\n",
                trace);
    }
    print_targets(document, verbose, out);
    fprintf(out, "  %s states, %lld ground rules, %lld distinct events, engine %s\n", states,
            number_of(document, "ground_rules"), number_of(document, "events"),
            text_of(document, "engine"));
    if (number_of(document, "raised_callbacks"))
        fprintf(out, "  %lld callbacks of the recording ended in an exception and were left out\n",
                number_of(document, "raised_callbacks"));
    if (*text_of(document, "certificate"))
        fprintf(out, "  certificate: %s\n", text_of(document, "certificate"));
}
