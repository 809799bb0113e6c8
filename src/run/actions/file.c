/* Reading action files, by hand: the conditions are of the property language, the rest is words,
 * selectors and texts. See file.h; docs/functional.md is the reference. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "run/actions/reader.h"
#include <string.h>

#define ACTION_FILE_MAX ((size_t)4 << 20)

/* The first word of a line is `action`: the next one starts, whatever is missing before. */
static bool starts_action(const struct action_reader *reader)
{
    const char *at = reader->at;
    while (at > reader->line_start && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == reader->line_start && reader_is_word(reader, "action");
}

/* The condition goes on to the word `do` that stands outside quotes and brackets. */
static const char *guard_end(const struct action_reader *reader)
{
    struct action_reader at = *reader;
    int depth = 0;
    while (at.at < at.end) {
        if (*at.at == '#' && depth == 0) {
            reader_skip(&at);
            continue;
        }
        if (*at.at == '"' || *at.at == '\'') {
            char quote = *at.at;
            for (at.at++; at.at < at.end && *at.at != quote && *at.at != '\n'; at.at++)
                if (*at.at == '\\' && quote == '"' && at.at + 1 < at.end)
                    at.at++;
        } else if (*at.at == '(' || *at.at == '[') {
            depth++;
        } else if (*at.at == ')' || *at.at == ']') {
            depth--;
        } else if (reader_word_char(*at.at)) {
            if (depth <= 0 && reader_is_word(&at, "do"))
                return at.at;
            if (starts_action(&at))
                return NULL;
            at.at += reader_word_length(&at) - 1;
        }
        if (at.at < at.end)
            reader_step_on(&at);
    }
    return NULL;
}

static void take_guard(struct action_reader *reader, struct guarded_action *action)
{
    reader_skip(reader);
    const char *end = guard_end(reader);
    if (!end) {
        reader_wrong(reader, "the condition of '%s' is not followed by 'do' and its steps",
                     action->name);
        return;
    }
    tac_status status = tac_condition_parse(
        reader->file, reader->at, (size_t)(end - reader->at), reader->line,
        (size_t)(reader->at - reader->line_start) + 1, &action->guard, reader->err);
    if (status != TAC_OK) {
        reader->status = status;
        return;
    }
    while (reader->at < end)
        reader_step_on(reader);
    action->first_observable = reader->out->observables.count;
    for (size_t i = 0; i < tac_condition_observables(action->guard); i++)
        tac_vec_push(&reader->out->observables, *tac_condition_observable(action->guard, i));
}

static void take_weight(struct action_reader *reader, struct guarded_action *action)
{
    action->weight = 1;
    if (!reader_accept_mark(reader, '('))
        return;
    reader_skip(reader);
    const char *start = reader->at;
    while (reader->at < reader->end &&
           ((*reader->at >= '0' && *reader->at <= '9') || *reader->at == '.'))
        reader->at++;
    char *text = tac_strndup(start, (size_t)(reader->at - start));
    if (!tac_parse_double(text, &action->weight) || !(action->weight > 0) || action->weight > 1e6) {
        reader->at = start;
        reader_expected(reader, "a weight above 0 and at most 1000000");
    }
    free(text);
    if (!reader_accept_mark(reader, ')'))
        reader_expected(reader, "')' behind the weight");
}

static void check_it(struct action_reader *reader, const struct guarded_action *action)
{
    bool chosen = false;
    for (size_t i = 0; i < action->step_count && reader->status == TAC_OK; i++) {
        const struct action_step *step = &action->steps[i];
        if ((step->target.it || step->to.it) && !chosen) {
            reader->status =
                tac_fail_at(reader->err, TAC_E_INPUT, reader->file, step->line, step->column,
                            "'it' is the element of an earlier step of '%s', and none "
                            "names one",
                            action->name);
        }
        chosen = chosen || step->target.css || step->target.xpath;
    }
}

/* In the trace and in properties it is an event among the names of what runs record. `at` stands in
 * front of it. */
static void check_name(struct action_reader *reader, struct action_reader *at, const char *name)
{
    static const char *const recorded[] = {"event", "t",      "activity", "screen",
                                           "state", "target", "typed",    "abandoned"};
    if (reader->status != TAC_OK)
        return;
    if (strlen(name) > ACTION_NAME_MAX)
        reader_wrong(at, "the name of an action has at most %d bytes", ACTION_NAME_MAX);
    if (!strcmp(name, "launch"))
        reader_wrong(at, "'launch' is the event of an app that is brought back; give the action "
                         "another name");
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
        if (!strcmp(name, recorded[i]))
            reader_wrong(at, "'%s' is what every run records; give the action another name", name);
    for (size_t i = 0; i < reader->out->actions.count; i++)
        if (!strcmp(reader->out->actions.at[i].name, name))
            reader_wrong(at, "the action '%s' is already defined in line %u", name,
                         reader->out->actions.at[i].line);
    reader->status = at->status;
}

static void take_action(struct action_reader *reader)
{
    struct guarded_action action = {.line = reader->line};
    struct action_step steps[ACTION_STEPS_MAX];
    reader_skip(reader);
    struct action_reader before = *reader;
    action.name = reader_take_word(reader, "the action's name");
    check_name(reader, &before, action.name);
    take_weight(reader, &action);
    if (!reader_accept_mark(reader, ':'))
        reader_expected(reader, "':' behind the action's name");
    if (reader_accept(reader, "when"))
        take_guard(reader, &action);
    if (!reader_accept(reader, "do"))
        reader_expected(reader, "'when' and a condition, or 'do' and steps");
    bool more = reader->status == TAC_OK;
    while (more) {
        if (action.step_count == ACTION_STEPS_MAX) {
            reader_wrong(reader, "more than %d steps in one action", ACTION_STEPS_MAX);
            break;
        }
        action_step_read(reader, &steps[action.step_count++]);
        more = reader_accept_mark(reader, ';');
        reader_skip(reader);
        bool over = reader->at >= reader->end || reader_is_word(reader, "action");
        if (!more && !over)
            reader_expected(reader, "';' and the next step, or 'action NAME:'");
        more = more && !over; /* a ';' may stand behind the last step */
    }
    struct action_step *kept =
        tac_arena_calloc(&reader->out->arena, action.step_count + 1, sizeof *kept);
    if (action.step_count)
        memcpy(kept, steps, action.step_count * sizeof *kept);
    action.steps = kept;
    check_it(reader, &action);
    tac_vec_push(&reader->out->actions, action); /* also after an error: its guard is freed there */
}

tac_status actions_parse(const char *name, const char *text, size_t size, struct action_file **out,
                         tac_error *err)
{
    if (size > ACTION_FILE_MAX)
        return tac_fail_at(err, TAC_E_LIMIT, name, 0, 0, "an action file has at most 4 MiB");
    struct action_file *file = tac_calloc(1, sizeof *file);
    file->name = tac_arena_strdup(&file->arena, name);
    struct action_reader reader = {.file = name,
                                   .at = text,
                                   .end = text + size,
                                   .line_start = text,
                                   .line = 1,
                                   .out = file,
                                   .err = err};
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        reader.at += 3;
    for (reader_skip(&reader); reader.status == TAC_OK && reader.at < reader.end;
         reader_skip(&reader)) {
        if (!reader_accept(&reader, "action"))
            reader_expected(&reader, "'action NAME:'");
        else if (file->actions.count == ACTIONS_MAX)
            reader_wrong(&reader, "more than %d actions in one file", ACTIONS_MAX);
        else
            take_action(&reader);
    }
    if (reader.status == TAC_OK && !file->actions.count)
        reader_wrong(&reader,
                     "the file has no action; write one: action NAME: do click css:\"button\"");
    if (reader.status == TAC_OK)
        *out = file;
    else
        actions_free(file);
    return reader.status;
}

tac_status actions_load(const char *path, struct action_file **out, tac_error *err)
{
    char *text;
    size_t size;
    tac_status status = tac_input_slurp(path, ACTION_FILE_MAX, &text, &size, err);
    if (status != TAC_OK)
        return status;
    status = actions_parse(path, text, size, out, err);
    free(text);
    return status;
}

void actions_free(struct action_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->actions.count; i++)
        tac_condition_free(file->actions.at[i].guard);
    tac_vec_free(&file->actions);
    tac_vec_free(&file->observables);
    tac_arena_free(&file->arena);
    free(file);
}
