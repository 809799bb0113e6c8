/* What a rule's file says about it beside the rule: see witness.h. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "replay/witness.h"
#include <string.h>

enum { MOST_RULES = 16 << 20 };

struct marks {
    bool silent;
    char severity[40];
};

static void read_mark(const char *line, struct marks *marks)
{
    static const char word[] = "severity:";
    const char *text = line + strlen("//!");
    text += strspn(text, " \t");
    if (!strncmp(text, "silent", 6))
        marks->silent = true;
    const char *severity = strstr(text, word);
    if (severity) {
        severity += strlen(word);
        severity += strspn(severity, " \t");
        snprintf(marks->severity, sizeof marks->severity, "%.*s",
                 (int)strcspn(severity, " \t,;\r\n"), severity);
    }
}

void rule_marks(const char *place, bool *silent, char **severity)
{
    const char *colon = place ? strrchr(place, ':') : NULL;
    int64_t wanted = 0;
    struct marks whole = {.severity = "error"}, here = whole;
    bool rules = false;
    char *text = NULL;
    size_t size;
    tac_error ignored;
    char *path = colon ? tac_strndup(place, (size_t)(colon - place)) : NULL;
    if (path && tac_parse_i64(colon + 1, &wanted) &&
        tac_input_slurp(path, MOST_RULES, &text, &size, &ignored) != TAC_OK)
        text = NULL;
    int64_t number = 1;
    for (const char *line = text; line && *line && number <= wanted; number++) {
        const char *at = line + strspn(line, " \t");
        if (!strncmp(at, "//!", 3)) {
            read_mark(at, &here);
            if (!rules)
                whole = here;
        } else if (number < wanted && (!strncmp(at, "SPEC", 4) || !strncmp(at, "REGEXP", 6))) {
            rules = true;
            here = whole;
        }
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    *silent = here.silent;
    *severity = tac_strdup(here.severity);
    free(text);
    free(path);
}
