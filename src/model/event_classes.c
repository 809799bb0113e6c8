/* Reading and applying classes of events. One class per line, "NAME: PATTERN PATTERN ..."; '#'
 * starts a comment; '*' in a pattern stands for any text. */
#include "model/event_classes.h"
#include "base/data/text.h"
#include "base/io/input.h"

/* True when text fits the pattern. The last '*' is the only one that needs to be retried. */
static bool fits(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            retry = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return !*pattern;
}

static tac_status read_line(struct event_classes *classes, char *line, size_t number,
                            tac_error *err)
{
    line[strcspn(line, "#")] = '\0';
    char *colon = strchr(line, ':');
    char *name = line + strspn(line, " \t");
    if (!*name)
        return TAC_OK;
    if (!colon)
        return tac_fail_at(err, TAC_E_INPUT, classes->file, number, 0,
                           "expected 'CLASS: EVENT EVENT ...', found no ':'");
    *colon = '\0';
    size_t length = strcspn(name, " \t");
    if (!length || name[length + strspn(name + length, " \t")])
        return tac_fail_at(err, TAC_E_INPUT, classes->file, number, 0,
                           "the name of a class is one word");
    const char *class_name = tac_arena_strndup(&classes->arena, name, length);
    size_t before = classes->patterns.count;
    for (char *at = colon + 1; *(at += strspn(at, " \t\r"));) {
        size_t size = strcspn(at, " \t\r");
        tac_vec_push(&classes->patterns,
                     (struct event_pattern){.pattern = tac_arena_strndup(&classes->arena, at, size),
                                            .class_name = class_name,
                                            .line = number});
        at += size;
    }
    if (classes->patterns.count == before)
        return tac_fail_at(err, TAC_E_INPUT, classes->file, number, 0,
                           "the class '%s' names no events", class_name);
    return TAC_OK;
}

tac_status tac_event_classes_load(const char *path, struct event_classes *out, tac_error *err)
{
    struct event_classes classes = {0};
    tac_input *input;
    tac_status status = tac_input_open(path, &input, err);
    if (status != TAC_OK)
        return status;
    classes.file = tac_arena_strdup(&classes.arena, tac_input_name(input));
    char *line;
    size_t length;
    while ((status = tac_input_line(input, 1 << 20, &line, &length, err)) == TAC_OK && line) {
        status = read_line(&classes, line, tac_input_line_number(input), err);
        if (status != TAC_OK)
            break;
    }
    tac_input_close(input);
    if (status == TAC_OK && !classes.patterns.count)
        status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                             "the file has no class; write lines such as 'digit: zero one two'");
    if (status != TAC_OK) {
        tac_event_classes_free(&classes);
        return status;
    }
    *out = classes;
    return TAC_OK;
}

tac_status tac_event_classes_apply(struct event_classes *classes, const tac_model *model,
                                   tac_diagnostics *diagnostics, const char **renamed,
                                   tac_error *err)
{
    for (uint32_t e = 0; e < model->event_count; e++) {
        const struct event_pattern *chosen = NULL;
        for (size_t i = 0; i < classes->patterns.count; i++) {
            struct event_pattern *pattern = &classes->patterns.at[i];
            if (!fits(pattern->pattern, model->events[e]))
                continue;
            pattern->used = true;
            if (chosen && strcmp(chosen->class_name, pattern->class_name) != 0)
                return tac_fail_at(err, TAC_E_INPUT, classes->file, pattern->line, 0,
                                   "the event '%s' is in the class '%s' and in the class "
                                   "'%s' of line %zu; keep it in one",
                                   model->events[e], pattern->class_name, chosen->class_name,
                                   chosen->line);
            chosen = pattern;
        }
        renamed[e] = chosen ? chosen->class_name : model->events[e];
    }
    for (size_t i = 0; i < classes->patterns.count; i++) {
        const struct event_pattern *pattern = &classes->patterns.at[i];
        if (pattern->used)
            continue;
        tac_diagnostics_add(diagnostics, TAC_WARNING, classes->file, pattern->line, 0,
                            "'%s' of the class '%s' fits no event of the model%s", pattern->pattern,
                            pattern->class_name,
                            tac_meant(pattern->pattern, model->events, model->event_count).text);
    }
    return TAC_OK;
}

void tac_event_classes_free(struct event_classes *classes)
{
    tac_vec_free(&classes->patterns);
    tac_arena_free(&classes->arena);
}
