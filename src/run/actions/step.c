/* Reading one step of an action: what is done, on which element, with which value. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "device/keys.h"
#include "run/actions/reader.h"
#include <string.h>

static const char *const words[DEED_KINDS] = {
    "click", "doubleclick", "longpress", "hover", "type",   "clear",  "key",
    "drag",  "swipe",       "scroll",    "back",  "rotate", "reload", "wait"};

const char *deed_word(enum deed_kind kind)
{
    assert(kind < DEED_KINDS);
    return words[kind];
}

static bool colon_behind(const struct action_reader *reader, const char *word)
{
    size_t length = strlen(word);
    return reader_is_word(reader, word) && reader->at + length < reader->end &&
           reader->at[length] == ':';
}

/* SEL, any SEL, it; false and nothing read when none stands here. */
static bool take_target(struct action_reader *reader, struct action_target *out)
{
    *out = (struct action_target){0};
    if (reader_accept(reader, "it")) {
        out->it = true;
        return true;
    }
    struct action_reader before = *reader;
    out->any = reader_accept(reader, "any");
    reader_skip(reader);
    bool css = colon_behind(reader, "css"), xpath = colon_behind(reader, "xpath");
    if (css || xpath) {
        reader->at += strlen(css ? "css:" : "xpath:");
        *(css ? &out->css : &out->xpath) =
            css ? reader_take_text(reader) : reader_take_quoted_xpath(reader);
        if (out->css && !*out->css)
            reader_wrong(reader, "the css selector before this is empty");
        return true;
    }
    if (reader->at < reader->end && reader_starts_bare(reader)) {
        out->xpath = reader_take_xpath(reader);
        return true;
    }
    if (out->any && reader->at < reader->end && *reader->at == '"') {
        out->xpath = reader_take_quoted_xpath(reader);
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
    reader_skip(reader);
    if (reader->status == TAC_OK && reader->at < reader->end && *reader->at == '"')
        *out = (struct action_target){.xpath = reader_take_quoted_xpath(reader)};
    else if (!take_target(reader, out))
        reader_expected(reader, "an element: css:\"...\", an XPath, any before either, or it");
}

static void any_of(struct action_reader *reader, struct action_step *step)
{
    TAC_VEC(const char *) texts = {0};
    if (!reader_accept_mark(reader, '['))
        reader_expected(reader, "'[' and texts");
    do {
        const char *text = reader_take_text(reader);
        if (reader->status == TAC_OK)
            tac_vec_push(&texts, text);
    } while (reader->status == TAC_OK && reader_accept_mark(reader, ','));
    if (!reader_accept_mark(reader, ']'))
        reader_expected(reader, "',' or ']'");
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
    if (reader_accept(reader, "any")) {
        if (!reader_accept(reader, "of"))
            reader_expected(reader, "'of' and texts in brackets");
        any_of(reader, step);
    } else if (reader_accept(reader, "random")) {
        if (reader_accept(reader, "number"))
            step->source = TEXT_RANDOM_NUMBER;
        else if (reader_accept(reader, "text"))
            step->source = TEXT_RANDOM;
        else
            reader_expected(reader, "'text' or 'number' after 'random'");
    } else {
        step->text = reader_take_text(reader);
    }
}

static void take_direction(struct action_reader *reader, struct action_step *step)
{
    static const char *const ways[] = {"up", "down", "left", "right"};
    for (size_t i = 0; i < 4; i++)
        if (!step->text && reader_accept(reader, ways[i]))
            step->text = ways[i];
    if (!step->text)
        reader_expected(reader, "up, down, left or right");
    take_target(reader, &step->target);
}

/* A name that no device has is a mistake, whatever the file is for; `before` stands in front of it.
 */
static void check_key(struct action_reader *reader, struct action_reader *before, const char *name)
{
    char closest[80];
    if (reader->status != TAC_OK || device_key_exists(name))
        return;
    char *shown = tac_visible(name);
    if (*device_key_closest(name, closest, sizeof closest))
        reader_wrong(before, "there is no key '%.60s'; did you mean '%s'?", shown, closest);
    else
        reader_wrong(before,
                     "there is no key '%.60s'; keys are single characters, Enter, Tab, Escape, "
                     "Backspace, Delete, Insert, Home, End, PageUp, ArrowLeft, Space, F1 and their "
                     "like, on pages with Shift+, Control+, Alt+ or Meta+ before them, on phones "
                     "also Android's names and numbers",
                     shown);
    reader->status = before->status;
    free(shown);
}

/* Enter, Control+a, Shift+ArrowLeft */
static void take_key(struct action_reader *reader, struct action_step *step)
{
    reader_skip(reader);
    struct action_reader before = *reader;
    if (reader->at < reader->end && *reader->at == '"') {
        step->text = reader_take_text(reader);
        check_key(reader, &before, step->text);
        return;
    }
    const char *start = reader->at;
    while (reader->at < reader->end && (reader_word_char(*reader->at) || *reader->at == '+'))
        reader->at++;
    if (reader->at == start)
        reader_expected(reader, "the name of a key, such as Enter or Control+a");
    step->text = tac_arena_strndup(&reader->out->arena, start, (size_t)(reader->at - start));
    check_key(reader, &before, step->text);
}

static void take_seconds(struct action_reader *reader, struct action_step *step)
{
    reader_skip(reader);
    const char *start = reader->at;
    double seconds = 0;
    while (reader->at < reader->end &&
           ((*reader->at >= '0' && *reader->at <= '9') || *reader->at == '.'))
        reader->at++;
    step->text = tac_arena_strndup(&reader->out->arena, start, (size_t)(reader->at - start));
    if (!tac_parse_double(step->text, &seconds) || seconds > 3600) {
        reader->at = start;
        reader_expected(reader, "seconds, at most 3600");
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
        if (!reader_accept(reader, "to"))
            reader_expected(reader, "'to' and the element to drag to");
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

void action_step_read(struct action_reader *reader, struct action_step *step)
{
    reader_skip(reader);
    const char *start = reader->at;
    *step = (struct action_step){.kind = DEED_KINDS,
                                 .line = reader->line,
                                 .column = (uint32_t)(start - reader->line_start) + 1};
    for (int i = 0; i < DEED_KINDS; i++)
        if (step->kind == DEED_KINDS && reader_accept(reader, words[i]))
            step->kind = (enum deed_kind)i;
    if (step->kind == DEED_KINDS) {
        char *word = tac_strndup(reader->at, reader_word_length(reader));
        const char *close = *word ? tac_closest(word, words, DEED_KINDS) : NULL;
        if (close)
            reader_wrong(reader, "no step starts with '%s'; did you mean '%s'?", word, close);
        else
            reader_expected(reader,
                            "a step: click, doubleclick, longpress, hover, type, clear, key, drag, "
                            "swipe, scroll, back, rotate, reload or wait");
        free(word);
        return;
    }
    take_parts(reader, step);
    if (reader->status == TAC_OK)
        step->written = tac_arena_strndup(&reader->out->arena, start, (size_t)(reader->at - start));
}
