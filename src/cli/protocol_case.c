/* See protocol_case.h. */
#include "cli/protocol_case.h"
#include "base/data/quote.h"
#include "base/data/text.h"
#include <stdlib.h>
#include <string.h>

const char *case_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

char *case_method(const char *message)
{
    size_t end = strcspn(message, "("), start = end;
    while (start && message[start - 1] != ' ')
        start--;
    return tac_strndup(message + start, end - start);
}

void case_place_rule(struct pipeline *to, const char *rule)
{
    const char *colon = strrchr(rule, ':');
    size_t line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    char *file = tac_strndup(rule, colon ? (size_t)(colon - rule) : strlen(rule));
    if (*file)
        pipeline_place(to, file, line);
    free(file);
}

char *case_rule_file(const char *rule)
{
    const char *base = tac_base_name(rule);
    return tac_strndup(base, strcspn(base, ":"));
}

void case_add_steps(tac_str *out, const json_t *steps)
{
    size_t i;
    const json_t *step;
    json_array_foreach((json_t *)steps, i, step)
        tac_str_addf(out, "%zu. %s\n", i + 1, case_text(step, "event"));
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
    char *what = tac_format("a call of %s where the rules disallow it", method);
    pipeline_rule(to, id, what);
    free(what);
}
