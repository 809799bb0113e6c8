/* How a recording was read, for people: what every answer about it rests on. */
#include "base/data/text.h"
#include "base/print/print.h"
#include "protocol/show/text.h"

/* "1 callback", "2 callbacks" */
static void print_count(size_t count, const char *what, FILE *out)
{
    char number[32];
    tac_thousands(count, number, sizeof number);
    tac_print(out, "%s %s%s", number, what, count == 1 ? "" : "s");
}

static void print_threads(const tac_protocol_reading *reading, FILE *out)
{
    tac_print(out, "  note      ");
    print_count(reading->other_threads.messages, "message", out);
    tac_print(out, " of ");
    print_count(reading->other_threads.threads, "other thread", out);
    tac_print(out, ", in recorded order: ");
    print_count(reading->other_threads.callbacks, "callback", out);
    tac_print(out, " as events of their own, ");
    print_count(reading->other_threads.calls, "call", out);
    tac_print(out, " within the events they were made in\n");
}

static void print_assumed(const tac_protocol_reading *reading, FILE *out)
{
    if (reading->assumed_count) {
        tac_print(out, "  note      ");
        print_count(reading->assumed_count, "callback", out);
        tac_print(out, " not recorded, assumed: the rules say that the framework makes %s\n",
                  reading->assumed_count == 1 ? "it" : "them");
    }
    if (reading->not_assumed) {
        tac_print(out, "  note      ");
        print_count(reading->not_assumed, "callback", out);
        tac_print(out,
                  " not recorded and not assumed: the app does something there in other objects\n"
                  "            of the class; record a run that leaves the screen\n");
    }
}

static void print_cut(const tac_protocol_reading *reading, FILE *out)
{
    tac_print(out, "  note      the recording is cut: ");
    if (reading->dropped_messages) {
        tac_print(out, "its last ");
        print_count(reading->dropped_messages, "message", out);
        tac_print(out, ", of a callback that never ended, decide%s nothing\n",
                  reading->dropped_messages == 1 ? "s" : "");
    } else {
        tac_print(out, "its last message is incomplete and left out\n");
    }
}

void protocol_print_reading(const tac_protocol_reading *reading, FILE *out)
{
    if (reading->other_threads.messages)
        print_threads(reading, out);
    print_assumed(reading, out);
    if (reading->truncated)
        print_cut(reading, out);
    for (size_t i = 0; i < reading->warning_count; i++)
        if (!reading->warnings[i].file) /* of rules: told when they were read */
            tac_print(out, "  warning   line %zu: %s\n", reading->warnings[i].line,
                      reading->warnings[i].message);
}
