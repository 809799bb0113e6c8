/* Reading action files, by hand: the conditions are of the property language, the rest is words,
 * selectors and texts. See file.h; docs/functional.md is the reference. */
#include "run/actions/file.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "base/io/input.h"
#include <string.h>

#define ACTION_FILE_MAX ((size_t)4 << 20)

struct action_reader {
    const char *file, *at, *end, *line_start;
    uint32_t line;
    struct action_file *out;
    tac_error *err;
    tac_status status;
};

static const char *const words[DEED_KINDS] = {
    "click", "doubleclick", "longpress", "hover", "type",   "clear",  "key",
    "drag",  "swipe",       "scroll",    "back",  "rotate", "reload", "wait"};

const char *deed_word(enum deed_kind kind)
{
    assert(kind < DEED_KINDS);
    return words[kind];
}

static void wrong(struct action_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void wrong(struct action_reader *reader, const char *format, ...)
{
    if (reader->status != TAC_OK)
        return;
    va_list args;
    va_start(args, format);
    reader->status = tac_fail_va(reader->err, TAC_E_INPUT, reader->file, reader->line,
                                 (size_t)(reader->at - reader->line_start) + 1, format, args);
    va_end(args);
}

static void step_on(struct action_reader *reader)
{
    if (*reader->at++ == '\n') {
        reader->line++;
        reader->line_start = reader->at;
    }
}

/* Blanks, line ends and comments. */
static void skip(struct action_reader *reader)
{
    bool comment = false;
    while (reader->at < reader->end) {
        char c = *reader->at;
        comment = c != '\n' && (comment || c == '#');
        if (!comment && c != ' ' && c != '\t' && c != '\r' && c != '\n')
            return;
        step_on(reader);
    }
}

static bool word_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || (unsigned char)c >= 0x80;
}

static size_t word_length(const struct action_reader *reader)
{
    const char *at = reader->at;
    while (at < reader->end && word_char(*at))
        at++;
    return (size_t)(at - reader->at);
}

static bool is_word(const struct action_reader *reader, const char *word)
{
    return word_length(reader) == strlen(word) && !memcmp(reader->at, word, strlen(word));
}

static bool accept(struct action_reader *reader, const char *word)
{
    skip(reader);
    if (reader->status != TAC_OK || !is_word(reader, word))
        return false;
    reader->at += strlen(word);
    return true;
}

static bool accept_mark(struct action_reader *reader, char mark)
{
    skip(reader);
    if (reader->status != TAC_OK || reader->at >= reader->end || *reader->at != mark)
        return false;
    reader->at++;
    return true;
}

static const char *found(const struct action_reader *reader, char buffer[48])
{
    size_t length = 0, left = (size_t)(reader->end - reader->at);
    while (length < left && length < 40 && reader->at[length] != '\n')
        length++;
    if (!length)
        return "the end of the file";
    char *raw = tac_strndup(reader->at, length), *shown = tac_visible(raw);
    snprintf(buffer, 48, "'%.40s'", shown);
    free(raw);
    free(shown);
    return buffer;
}

static void expected(struct action_reader *reader, const char *what)
{
    char buffer[48];
    wrong(reader, "expected %s, found %s", what, found(reader, buffer));
}

static const char *take_word(struct action_reader *reader, const char *what)
{
    skip(reader);
    size_t length = word_length(reader);
    if (!length)
        expected(reader, what);
    const char *word = tac_arena_strndup(&reader->out->arena, reader->at, length);
    reader->at += length;
    return word;
}

/* "..." with \" and \\; other escapes are \n and \t. */
static const char *take_text(struct action_reader *reader)
{
    skip(reader);
    tac_str text = {0};
    if (reader->at >= reader->end || *reader->at != '"') {
        expected(reader, "a text in quotes");
        return "";
    }
    const char *at = reader->at + 1;
    for (; at < reader->end && *at != '"' && *at != '\n'; at++) {
        bool escaped = *at == '\\' && at + 1 < reader->end && at[1] != '\n';
        at += escaped;
        tac_str_add_char(&text, escaped && *at == 'n' ? '\n' : escaped && *at == 't' ? '\t' : *at);
    }
    if (at >= reader->end || *at != '"')
        wrong(reader, "this quote is not closed on its line");
    else if (!tac_utf8_valid(tac_str_text(&text), text.length))
        wrong(reader, "this text is not UTF-8");
    else
        reader->at = at + 1;
    const char *out = tac_arena_strdup(&reader->out->arena, tac_str_text(&text));
    tac_str_free(&text);
    return out;
}

static bool starts_bare(const struct action_reader *reader)
{
    const char *at = reader->at;
    while (at < reader->end && *at == '(')
        at++;
    return at < reader->end && *at == '/';
}

/* A bare XPath ends at a blank or ';' outside its brackets and quotes. */
static const char *take_xpath(struct action_reader *reader)
{
    const char *at = reader->at;
    int depth = 0;
    for (; at < reader->end && *at != '\n'; at++) {
        if (*at == '"' || *at == '\'') {
            const char *close = memchr(at + 1, *at, (size_t)(reader->end - at - 1));
            if (!close)
                break;
            at = close;
        } else if (*at == '(' || *at == '[') {
            depth++;
        } else if (*at == ')' || *at == ']') {
            depth--;
        } else if (depth <= 0 && (*at == ' ' || *at == '\t' || *at == ';' || *at == '\r')) {
            break;
        }
    }
    if (depth != 0)
        wrong(reader, "the brackets and quotes of this XPath are not closed on its line");
    const char *xpath =
        tac_arena_strndup(&reader->out->arena, reader->at, (size_t)(at - reader->at));
    if (reader->status == TAC_OK)
        reader->at = at;
    return xpath;
}

static bool colon_behind(const struct action_reader *reader, const char *word)
{
    size_t length = strlen(word);
    return is_word(reader, word) && reader->at + length < reader->end && reader->at[length] == ':';
}

/* SEL, any SEL, it; false and nothing read when none stands here. */
static bool take_target(struct action_reader *reader, struct action_target *out)
{
    *out = (struct action_target){0};
    if (accept(reader, "it")) {
        out->it = true;
        return true;
    }
    struct action_reader before = *reader;
    out->any = accept(reader, "any");
    skip(reader);
    bool css = colon_behind(reader, "css"), xpath = colon_behind(reader, "xpath");
    if (css || xpath) {
        reader->at += strlen(css ? "css:" : "xpath:");
        *(css ? &out->css : &out->xpath) = take_text(reader);
        return true;
    }
    if (reader->at < reader->end && starts_bare(reader)) {
        out->xpath = take_xpath(reader);
        return true;
    }
    if (out->any && reader->at < reader->end && *reader->at == '"') {
        out->xpath = take_text(reader);
        return true;
    }
    tac_status status = reader->status;
    *reader = before; /* "any of [...]" */
    reader->status = status;
    out->any = false;
    return false;
}

static void need_target(struct action_reader *reader, struct action_target *out)
{
    skip(reader);
    if (reader->status == TAC_OK && reader->at < reader->end && *reader->at == '"')
        *out = (struct action_target){.xpath = take_text(reader)};
    else if (!take_target(reader, out))
        expected(reader, "an element: css:\"...\", an XPath, any before either, or it");
}

static void any_of(struct action_reader *reader, struct action_step *step)
{
    TAC_VEC(const char *) texts = {0};
    if (!accept_mark(reader, '['))
        expected(reader, "'[' and texts");
    do {
        const char *text = take_text(reader);
        if (reader->status == TAC_OK)
            tac_vec_push(&texts, text);
    } while (reader->status == TAC_OK && accept_mark(reader, ','));
    if (!accept_mark(reader, ']'))
        expected(reader, "',' or ']'");
    step->source = TEXT_ANY_OF;
    step->text_count = texts.count;
    const char **copy = tac_arena_calloc(&reader->out->arena, texts.count + 1, sizeof *step->texts);
    for (size_t i = 0; i < texts.count; i++)
        copy[i] = texts.at[i];
    step->texts = copy;
    tac_vec_free(&texts);
}

static void take_source(struct action_reader *reader, struct action_step *step)
{
    if (accept(reader, "any")) {
        if (!accept(reader, "of"))
            expected(reader, "'of' and texts in brackets");
        any_of(reader, step);
    } else if (accept(reader, "random")) {
        if (accept(reader, "number"))
            step->source = TEXT_RANDOM_NUMBER;
        else if (accept(reader, "text"))
            step->source = TEXT_RANDOM;
        else
            expected(reader, "'text' or 'number' after 'random'");
    } else {
        step->text = take_text(reader);
    }
}

static void take_direction(struct action_reader *reader, struct action_step *step)
{
    static const char *const ways[] = {"up", "down", "left", "right"};
    for (size_t i = 0; i < 4; i++)
        if (!step->text && accept(reader, ways[i]))
            step->text = ways[i];
    if (!step->text)
        expected(reader, "up, down, left or right");
    take_target(reader, &step->target);
}

/* Enter, Control+a, Shift+ArrowLeft */
static void take_key(struct action_reader *reader, struct action_step *step)
{
    skip(reader);
    if (reader->at < reader->end && *reader->at == '"') {
        step->text = take_text(reader);
        return;
    }
    const char *start = reader->at;
    while (reader->at < reader->end && (word_char(*reader->at) || *reader->at == '+'))
        reader->at++;
    if (reader->at == start)
        expected(reader, "the name of a key, such as Enter or Control+a");
    step->text = tac_arena_strndup(&reader->out->arena, start, (size_t)(reader->at - start));
}

static void take_seconds(struct action_reader *reader, struct action_step *step)
{
    skip(reader);
    const char *start = reader->at;
    double seconds = 0;
    while (reader->at < reader->end &&
           ((*reader->at >= '0' && *reader->at <= '9') || *reader->at == '.'))
        reader->at++;
    step->text = tac_arena_strndup(&reader->out->arena, start, (size_t)(reader->at - start));
    if (!tac_parse_double(step->text, &seconds) || seconds > 3600) {
        reader->at = start;
        expected(reader, "seconds, at most 3600");
    }
}

static void take_parts(struct action_reader *reader, struct action_step *step)
{
    switch (step->kind) {
    case DEED_CLICK:
    case DEED_DOUBLE_CLICK:
    case DEED_LONG_PRESS:
    case DEED_HOVER:
        need_target(reader, &step->target);
        break;
    case DEED_TYPE:
        take_target(reader, &step->target);
        take_source(reader, step);
        break;
    case DEED_CLEAR:
        take_target(reader, &step->target);
        break;
    case DEED_KEY:
        take_key(reader, step);
        break;
    case DEED_DRAG:
        need_target(reader, &step->target);
        if (!accept(reader, "to"))
            expected(reader, "'to' and the element to drag to");
        need_target(reader, &step->to);
        break;
    case DEED_SWIPE:
    case DEED_SCROLL:
        take_direction(reader, step);
        break;
    case DEED_WAIT:
        take_seconds(reader, step);
        break;
    default:
        break;
    }
}

static void take_step(struct action_reader *reader, struct action_step *step)
{
    skip(reader);
    const char *start = reader->at;
    *step = (struct action_step){.kind = DEED_KINDS, .line = reader->line};
    for (int i = 0; i < DEED_KINDS; i++)
        if (step->kind == DEED_KINDS && accept(reader, words[i]))
            step->kind = (enum deed_kind)i;
    if (step->kind == DEED_KINDS) {
        char *word = tac_strndup(reader->at, word_length(reader));
        const char *close = *word ? tac_closest(word, words, DEED_KINDS) : NULL;
        if (close)
            wrong(reader, "no step starts with '%s'; did you mean '%s'?", word, close);
        else
            expected(reader,
                     "a step: click, doubleclick, longpress, hover, type, clear, key, drag, "
                     "swipe, scroll, back, rotate, reload or wait");
        free(word);
        return;
    }
    take_parts(reader, step);
    if (reader->status == TAC_OK)
        step->written = tac_arena_strndup(&reader->out->arena, start, (size_t)(reader->at - start));
}

/* The condition goes on to the word `do` that stands outside quotes and brackets. */
static const char *guard_end(const struct action_reader *reader)
{
    struct action_reader at = *reader;
    int depth = 0;
    while (at.at < at.end) {
        if (*at.at == '#' && depth == 0) {
            skip(&at);
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
        } else if (word_char(*at.at)) {
            if (depth <= 0 && is_word(&at, "do"))
                return at.at;
            at.at += word_length(&at) - 1;
        }
        if (at.at < at.end)
            step_on(&at);
    }
    return NULL;
}

static void take_guard(struct action_reader *reader, struct guarded_action *action)
{
    skip(reader);
    const char *end = guard_end(reader);
    if (!end) {
        wrong(reader, "the condition of '%s' is not followed by 'do' and its steps", action->name);
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
        step_on(reader);
    action->first_observable = reader->out->observables.count;
    for (size_t i = 0; i < tac_condition_observables(action->guard); i++)
        tac_vec_push(&reader->out->observables, *tac_condition_observable(action->guard, i));
}

static void take_weight(struct action_reader *reader, struct guarded_action *action)
{
    action->weight = 1;
    if (!accept_mark(reader, '('))
        return;
    skip(reader);
    const char *start = reader->at;
    while (reader->at < reader->end &&
           ((*reader->at >= '0' && *reader->at <= '9') || *reader->at == '.'))
        reader->at++;
    char *text = tac_strndup(start, (size_t)(reader->at - start));
    if (!tac_parse_double(text, &action->weight) || !(action->weight > 0) || action->weight > 1e6) {
        reader->at = start;
        expected(reader, "a weight above 0 and at most 1000000");
    }
    free(text);
    if (!accept_mark(reader, ')'))
        expected(reader, "')' behind the weight");
}

static void check_it(struct action_reader *reader, const struct guarded_action *action)
{
    bool chosen = false;
    for (size_t i = 0; i < action->step_count && reader->status == TAC_OK; i++) {
        const struct action_step *step = &action->steps[i];
        if ((step->target.it || step->to.it) && !chosen) {
            reader->status = tac_fail_at(reader->err, TAC_E_INPUT, reader->file, step->line, 0,
                                         "'it' is the element of an earlier step of '%s', and none "
                                         "names one",
                                         action->name);
        }
        chosen = chosen || step->target.css || step->target.xpath;
    }
}

static void take_action(struct action_reader *reader)
{
    struct guarded_action action = {.line = reader->line};
    struct action_step steps[ACTION_STEPS_MAX];
    action.name = take_word(reader, "the action's name");
    for (size_t i = 0; i < reader->out->actions.count; i++)
        if (!strcmp(reader->out->actions.at[i].name, action.name))
            wrong(reader, "the action '%s' is already defined in line %u", action.name,
                  reader->out->actions.at[i].line);
    take_weight(reader, &action);
    if (!accept_mark(reader, ':'))
        expected(reader, "':' behind the action's name");
    if (accept(reader, "when"))
        take_guard(reader, &action);
    if (!accept(reader, "do"))
        expected(reader, "'when' and a condition, or 'do' and steps");
    bool more = reader->status == TAC_OK;
    while (more) {
        if (action.step_count == ACTION_STEPS_MAX) {
            wrong(reader, "more than %d steps in one action", ACTION_STEPS_MAX);
            break;
        }
        take_step(reader, &steps[action.step_count++]);
        more = accept_mark(reader, ';');
        skip(reader);
        if (more && (reader->at >= reader->end || is_word(reader, "action")))
            more = false; /* a ';' behind the last step */
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
    struct action_reader reader = {.file = name,
                                   .at = text,
                                   .end = text + size,
                                   .line_start = text,
                                   .line = 1,
                                   .out = file,
                                   .err = err};
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
        reader.at += 3;
    for (skip(&reader); reader.status == TAC_OK && reader.at < reader.end; skip(&reader)) {
        if (!accept(&reader, "action"))
            expected(&reader, "'action NAME:'");
        else if (file->actions.count == ACTIONS_MAX)
            wrong(&reader, "more than %d actions in one file", ACTIONS_MAX);
        else
            take_action(&reader);
    }
    if (reader.status == TAC_OK && !file->actions.count)
        wrong(&reader, "the file has no action; write one: action NAME: do click css:\"button\"");
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
