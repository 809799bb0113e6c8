/* Reading action files: the conditions are of the property language, the rest is words, selectors
 * and texts (step.c). See file.h; docs/functional.md is the reference. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "run/actions/reader.h"
#include <string.h>

#define ACTION_FILE_MAX ((size_t)4 << 20)
#define WORD_START "-0123456789"

bool action_word_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (unsigned char)c >= 0x80 || (c && strchr(WORD_START, c));
}

static bool is_word(const char *word, const char *at, size_t length)
{
    return length == strlen(word) && !memcmp(at, word, length);
}

/* The condition goes on to the word `do` that stands outside quotes and brackets. NULL when there
 * is none before the end, or before a line that begins with `action`: the next one, whatever is
 * missing. */
static const char *guard_end(const struct syntax *s)
{
    const char *at = s->last_end;
    bool fresh = false; /* nothing of this line was read */
    for (int depth = 0; at < s->end; at++) {
        size_t left = (size_t)(s->end - at), length = 0;
        while (length < left && action_word_byte(at[length]))
            length++;
        if (length && depth <= 0 && is_word("do", at, length))
            return at;
        if (length && fresh && is_word("action", at, length))
            return NULL;
        fresh = *at == '\n' || (fresh && (*at == ' ' || *at == '\t'));
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
        if (*at == '"' || *at == '\'') {
            const char quote = *at;
            for (at++; at < s->end && *at != quote && *at != '\n'; at++)
                at += *at == '\\' && quote == '"' && at + 1 < s->end;
            at -= at < s->end && *at == '\n';
        } else if (*at == '#' && depth == 0) {
            while (at + 1 < s->end && at[1] != '\n')
                at++;
        } else if (length) {
            at += length - 1;
        }
    }
    return NULL;
}

static void take_guard(struct syntax *s, struct guarded_action *action)
{
    struct action_file *file = s->context;
    struct syntax_token start = s->token;
    const char *end = guard_end(s), *from = start.text - (start.quote != 0);
    if (!end) {
        syntax_fail(s, &start, "the condition of '%s' is not followed by 'do' and its steps",
                    action->name);
        return;
    }
    s->status = tac_condition_parse(s->file, from, (size_t)(end - from), start.line, start.column,
                                    &action->guard, s->err);
    s->failed = s->status != TAC_OK;
    if (s->failed)
        return;
    syntax_go_on(s, &start, end);
    action->first_observable = file->observables.count;
    for (size_t i = 0; i < tac_condition_observables(action->guard); i++)
        tac_vec_push(&file->observables, *tac_condition_observable(action->guard, i));
}

double action_number(struct syntax *s, bool positive, double most, const char *what)
{
    char digits[64] = "";
    size_t length = 0, left = (size_t)(s->end - s->token.text);
    double number = 0;
    while (!s->token.quote && length < left && length + 1 < sizeof digits &&
           s->token.text[length] && strchr("0123456789.", s->token.text[length]))
        length++;
    memcpy(digits, s->token.text, length);
    if (!length)
        syntax_expected(s, what);
    else if (!tac_parse_double(digits, &number) || number > most || (positive && !(number > 0)))
        syntax_fail(s, &s->token, "expected %s, found '%s'", what, digits);
    else
        syntax_go_on(s, &s->token, s->token.text + length);
    return number;
}

static void check_it(struct syntax *s, const struct guarded_action *action)
{
    bool chosen = false;
    for (size_t i = 0; i < action->step_count; i++) {
        const struct action_step *step = &action->steps[i];
        if ((step->target.it || step->to.it) && !chosen)
            syntax_fail_at(s, step->line, step->column,
                           "'it' is the element of an earlier step of '%s', and none names one",
                           action->name);
        chosen = chosen || step->target.css || step->target.xpath;
    }
}

/* In the trace and in properties it is an event among the names of what runs record. */
static const char *take_name(struct syntax *s)
{
    static const char *const recorded[] = {"event", "t",      "activity", "screen",
                                           "state", "target", "typed",    "abandoned"};
    struct action_file *file = s->context;
    struct syntax_token at = s->token;
    if (at.kind != SYNTAX_WORD)
        syntax_expected(s, "the action's name");
    const char *name = tac_arena_strndup(&file->arena, at.text, at.length);
    if (at.length > ACTION_NAME_MAX)
        syntax_fail(s, &at, "the name of an action has at most %d bytes", ACTION_NAME_MAX);
    if (!strcmp(name, "launch"))
        syntax_fail(
            s, &at,
            "'launch' is the event of an app that is brought back; give the action another name");
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
        if (!strcmp(name, recorded[i]))
            syntax_fail(s, &at, "'%s' is what every run records; give the action another name",
                        name);
    for (size_t i = 0; i < file->actions.count; i++)
        if (!strcmp(file->actions.at[i].name, name))
            syntax_fail(s, &at, "the action '%s' is already defined in line %u", name,
                        file->actions.at[i].line);
    if (!s->failed)
        syntax_advance(s);
    return name;
}

static void take_steps(struct syntax *s, struct guarded_action *action)
{
    struct action_file *file = s->context;
    struct action_step steps[ACTION_STEPS_MAX];
    bool more = !s->failed;
    while (more && action->step_count < ACTION_STEPS_MAX) {
        action_step_read(s, &steps[action->step_count++]);
        more = syntax_accept(s, ";");
        bool over = syntax_at_end(s) || syntax_is(s, "action");
        if (!more && !over)
            syntax_expected(s, "';' and the next step, or 'action NAME:'");
        more = more && !over; /* a ';' may stand after the last step */
    }
    if (more)
        syntax_fail(s, &s->token, "more than %d steps in one action", ACTION_STEPS_MAX);
    action->steps = tac_arena_keep(&file->arena, steps, action->step_count, sizeof *steps);
    check_it(s, action);
}

static void take_action(struct syntax *s, uint32_t line)
{
    struct action_file *file = s->context;
    struct guarded_action action = {.line = line, .name = take_name(s), .weight = 1};
    if (syntax_accept(s, "(")) {
        action.weight = action_number(s, true, 1e6, "a weight above 0 and at most 1000000");
        syntax_need(s, ")", "')' after the weight");
    }
    syntax_need(s, ":", "':' after the action's name");
    if (syntax_accept(s, "when"))
        take_guard(s, &action);
    static const char *const words[] = {"when", "do"};
    if (!syntax_accept(s, "do"))
        syntax_expected_one_of(s, "'when' and a condition, or 'do' and steps", words, 2);
    take_steps(s, &action);
    tac_vec_push(&file->actions, action); /* also after an error: its guard is freed there */
}

static const struct syntax_language language = {.comment = "#",
                                                .word_start = WORD_START,
                                                .foreign_letters = true,
                                                .quotes = "\"",
                                                .hidden_texts = true,
                                                .escapes = &syntax_numbered_escapes,
                                                .marks = "( ) [ ] : ; ,",
                                                .byte_order_mark = true};

tac_status actions_parse(const char *name, const char *text, size_t size, struct action_file **out,
                         tac_error *err)
{
    if (size > ACTION_FILE_MAX)
        return tac_fail_at(err, TAC_E_LIMIT, name, 0, 0, "an action file has at most 4 MiB");
    struct action_file *file = tac_calloc(1, sizeof *file);
    file->name = tac_arena_strdup(&file->arena, name);
    struct syntax s = {.context = file, .file = name, .err = err};
    syntax_open(&s, &language, text, size, 1, 1);
    while (!s.failed && s.token.kind != SYNTAX_END) {
        uint32_t line = s.token.line;
        if (file->actions.count == ACTIONS_MAX)
            syntax_fail(&s, &s.token, "more than %d actions in one file", ACTIONS_MAX);
        else if (syntax_need(&s, "action", "'action NAME:'"))
            take_action(&s, line);
    }
    if (!file->actions.count)
        syntax_fail(&s, &s.token,
                    "the file has no action; write one: action NAME: do click css:\"button\"");
    if (s.status == TAC_OK)
        *out = file;
    else
        actions_free(file);
    return s.status;
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
