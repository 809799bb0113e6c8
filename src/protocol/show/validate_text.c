/* A validate document for the person who has to act: what was refused, by which rule, and why that
 * rule spoke; then what the rules foresaw, and names that they have almost right. */
#include "base/data/text.h"
#include "protocol/show/text.h"
#include "tactus/protocol.h"
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void print_reason(const json_t *reason, FILE *out)
{
    fprintf(out, "  because   %s %s it", text_of(reason, "rule"), text_of(reason, "effect"));
    const json_t *at = json_object_get(reason, "fired_at");
    if (at)
        fprintf(out, " when %s happened\n            in event %lld, %s", text_of(at, "words"),
                (long long)json_integer_value(json_object_get(at, "event_index")),
                text_of(at, "event"));
    else
        fprintf(out, " from the start");
    fprintf(out, "\n  rule      %s\n", text_of(reason, "text"));
}

static void print_raised(const json_t *list, const char *what, FILE *out)
{
    size_t i;
    json_t *item;
    json_array_foreach((json_t *)list, i, item)
    {
        if (i == 10) {
            fprintf(out, "  ... and %zu more\n", json_array_size(list) - i);
            break;
        }
        fprintf(out, "  %s  %s raised %s%s%s\n", what, text_of(item, "words"),
                text_of(item, "exception"), *text_of(item, "line") ? " at " : "",
                text_of(item, "line"));
    }
}

/* Near misses first; then the rules without an instance, a line per file. */
static void print_misses(const json_t *document, FILE *out)
{
    size_t i;
    json_t *item;
    const char *file = "";
    const json_t *unmatched = json_object_get(document, "rules_without_instance");
    json_array_foreach(json_object_get(document, "near_misses"), i, item) fprintf(
        out, "  near miss %s:%lld: %s\n", text_of(item, "file"),
        (long long)json_integer_value(json_object_get(item, "line")), text_of(item, "message"));
    if (json_array_size(unmatched))
        fprintf(out, "  note      %zu rule%s without an instance in the recording:",
                json_array_size(unmatched), json_array_size(unmatched) == 1 ? "" : "s");
    json_array_foreach((json_t *)unmatched, i, item)
    {
        if (strcmp(file, text_of(item, "file")))
            fprintf(out, "\n            %s:", text_of(item, "file"));
        file = text_of(item, "file");
        fprintf(out, " %lld", (long long)json_integer_value(json_object_get(item, "line")));
    }
    if (json_array_size(unmatched))
        fprintf(out, "\n");
}

void tac_protocol_validate_text(const tac_protocol_result *result, const json_t *document,
                                const char *trace, FILE *out)
{
    static const char *const ends[] = {
        [TAC_ADMITTED] = "OK, the rules admit the recording",
        [TAC_ADMISSION_STUCK] = "STUCK, the rules do not admit the recording",
        [TAC_ADMISSION_VIOLATION] =
            "VIOLATION, the recording itself makes a call that the rules prohibit",
        [TAC_ADMISSION_CONFLICT] = "CONFLICT, two rules disagree",
    };
    char steps[32], messages[32];
    const json_t *refused = json_object_get(document, "refused");
    const json_t *reason = json_object_get(document, "because");
    tac_thousands(result->steps, steps, sizeof steps);
    tac_thousands((uint64_t)json_integer_value(json_object_get(document, "messages")), messages,
                  sizeof messages);
    fprintf(out, "%s: %s\n", trace, ends[result->admission]);
    if (json_is_object(refused)) {
        fprintf(out, "  refused   %s\n            message %lld, in event %lld, %s\n",
                text_of(refused, "words"),
                (long long)json_integer_value(json_object_get(refused, "index")),
                (long long)json_integer_value(json_object_get(refused, "event_index")),
                text_of(refused, "event"));
        if (*text_of(refused, "line"))
            fprintf(out, "            called at %s\n", text_of(refused, "line"));
    }
    if (json_is_object(reason))
        print_reason(reason, out);
    const json_t *against = json_object_get(reason, "against");
    if (against)
        fprintf(out, "  against   %s %s it\n  rule      %s\n", text_of(against, "rule"),
                text_of(against, "effect"), text_of(against, "text"));
    fprintf(out, "  %s of the %s messages concern the rules%s; %lld ground rules\n", steps,
            messages, result->admission == TAC_ADMITTED ? "" : " up to here",
            (long long)json_integer_value(json_object_get(document, "ground_rules")));
    print_raised(json_object_get(document, "foreseen"), "foreseen  ", out);
    print_raised(json_object_get(document, "unforeseen"), "unforeseen", out);
    protocol_print_reading(document, out);
    print_misses(document, out);
}
