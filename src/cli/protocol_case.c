/* See protocol_case.h. */
#include "cli/protocol_case.h"
#include "base/data/quote.h"
#include "base/data/text.h"
#include <stdlib.h>
#include <string.h>

const char *case_method(struct pipeline *to, const char *message)
{
    size_t end = strcspn(message, "("), start = end;
    while (start && message[start - 1] != ' ')
        start--;
    return tac_arena_strndup(&to->arena, message + start, end - start);
}

void case_place_rule(struct pipeline *to, const char *rule)
{
    const char *colon = strrchr(rule, ':');
    size_t line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    const char *file =
        tac_arena_strndup(&to->arena, rule, colon ? (size_t)(colon - rule) : strlen(rule));
    if (*file)
        pipeline_place(to, file, line);
}

const char *case_rule_file(struct pipeline *to, const char *rule)
{
    const char *base = tac_base_name(rule);
    return tac_arena_strndup(&to->arena, base, strcspn(base, ":"));
}

void case_add_step(tac_str *out, size_t number, const char *event)
{
    tac_str_addf(out, "%zu. %s\n", number, event);
}

const char *case_rule(const tac_protocol_witness *witness)
{
    const tac_protocol_reason *by = witness->violation.prohibited_by;
    return by ? by->rule : "";
}

void case_add_word(tac_str *out, const char *option, const char *value)
{
    if (!value)
        return;
    tac_str_addf(out, " %s%s", option, *option ? " " : "");
    tac_quote_shell(out, value);
}

void case_declare(struct pipeline *to, const char *id, const char *method)
{
    pipeline_rule(to, id, pipeline_text(to, "a call of %s where the rules disallow it", method));
}
