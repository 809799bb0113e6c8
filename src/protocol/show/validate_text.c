/* What validate found for the person who has to act: what was refused, by which rule, and why that
 * rule spoke; then what the rules foresaw, and names that they have almost right. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/print/print.h"
#include "protocol/show/text.h"
#include <string.h>

enum { MOST_RAISED_SHOWN = 10 };

static void print_refused(const tac_protocol_message *refused, FILE *out)
{
    tac_print(out, "  refused   %s\n            message %zu, in event %zu, %s\n", refused->words,
              refused->index, refused->event_index, refused->event);
    if (refused->line && *refused->line)
        tac_print(out, "            called at %s\n", refused->line);
}

static void print_reason(const tac_protocol_reason *reason, FILE *out)
{
    const tac_protocol_message *at = reason->fired_at;
    tac_print(out, "  because   %s %s it", reason->rule, tac_rule_effect_name(reason->effect));
    if (at)
        tac_print(out, " when %s happened\n            in event %zu, %s", at->words,
                  at->event_index, at->event);
    else
        tac_print(out, " from the start");
    tac_print(out, "\n  rule      %s\n", reason->text);
    if (reason->against)
        tac_print(out, "  against   %s %s it\n  rule      %s\n", reason->against->rule,
                  tac_rule_effect_name(reason->against->effect), reason->against->text);
}

static void print_raised(const tac_protocol_message *list, size_t count, const char *what,
                         FILE *out)
{
    for (size_t i = 0; i < count; i++) {
        const tac_protocol_message *m = &list[i];
        bool placed = m->line && *m->line;
        if (i == MOST_RAISED_SHOWN) {
            tac_print(out, "  ... and %zu more\n", count - i);
            break;
        }
        tac_print(out, "  %s  %s raised %s%s%s\n", what, m->words, m->exception ? m->exception : "",
                  placed ? " at " : "", placed ? m->line : "");
    }
}

/* Near misses first; then the rules without an instance, a line per file. */
static void print_misses(const tac_protocol_result *result, FILE *out)
{
    const char *file = "";
    size_t count = result->without_instance_count;
    for (size_t i = 0; i < result->near_miss_count; i++)
        tac_print(out, "  near miss %s:%zu: %s\n", result->near_misses[i].file,
                  result->near_misses[i].line, result->near_misses[i].message);
    if (!count)
        return;
    tac_print(out, "  note      %zu rule%s without an instance in the recording:", count,
              count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const tac_protocol_place *place = &result->without_instance[i];
        if (strcmp(file, place->file))
            tac_print(out, "\n            %s:", place->file);
        file = place->file;
        tac_print(out, " %zu", place->line);
    }
    tac_print(out, "\n");
}

void tac_protocol_validate_text(const tac_protocol_result *result, const char *trace, FILE *out)
{
    static const char *const ends[] = {
        [TAC_ADMITTED] = "OK, the rules admit the recording",
        [TAC_ADMISSION_STUCK] = "STUCK, the rules do not admit the recording",
        [TAC_ADMISSION_VIOLATION] =
            "VIOLATION, the recording itself makes a call that the rules prohibit",
        [TAC_ADMISSION_CONFLICT] = "CONFLICT, two rules disagree",
    };
    TABLE_COVERS(ends, TAC_ADMISSION_CONFLICT);
    char steps[32], messages[32];
    assert((result->admission == TAC_ADMITTED) == !result->because);
    tac_thousands(result->steps, steps, sizeof steps);
    tac_thousands(result->reading.messages, messages, sizeof messages);
    if (result->admission == TAC_ADMITTED && result->left_out)
        tac_print(out,
                  "%s: UNKNOWN, the rules that were read admit the recording, but one may be left "
                  "out:\n  %s\n",
                  trace, result->left_out);
    else
        tac_print(out, "%s: %s\n", trace, ends[result->admission]);
    if (result->refused)
        print_refused(result->refused, out);
    if (result->because)
        print_reason(result->because, out);
    tac_print(out, "  %s of the %s messages concern the rules%s; %zu ground rules\n", steps,
              messages, result->admission == TAC_ADMITTED ? "" : " up to here",
              result->ground_rules);
    print_raised(result->foreseen, result->foreseen_count, "foreseen  ", out);
    print_raised(result->unforeseen, result->unforeseen_count, "unforeseen", out);
    protocol_print_reading(&result->reading, out);
    print_misses(result, out);
}
