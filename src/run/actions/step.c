/* Reading one step of an action: what is done, on which element, with which value. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/data/visible.h"
#include "base/io/xpath.h"
#include "device/keys.h"
#include "run/actions/reader.h"
#include <string.h>

static const char *const words[] = {[DEED_CLICK] = "click",
                                    [DEED_DOUBLE_CLICK] = "doubleclick",
                                    [DEED_LONG_PRESS] = "longpress",
                                    [DEED_HOVER] = "hover",
                                    [DEED_TYPE] = "type",
                                    [DEED_CLEAR] = "clear",
                                    [DEED_KEY] = "key",
                                    [DEED_DRAG] = "drag",
                                    [DEED_SWIPE] = "swipe",
                                    [DEED_SCROLL] = "scroll",
                                    [DEED_BACK] = "back",
                                    [DEED_ROTATE] = "rotate",
                                    [DEED_RELOAD] = "reload",
                                    [DEED_WAIT] = "wait"};
TABLE_COVERS(words, DEED_WAIT);
static_assert(sizeof words / sizeof *words == DEED_KINDS, "a step has no word");

/* "...", as the text that it means. */
static const char *take_text(struct syntax *s)
{
    struct action_file *file = s->context;
    struct syntax_token at = s->token;
    if (at.kind != SYNTAX_TEXT) {
        syntax_expected(s, "a text in quotes");
        return "";
    }
    if (memchr(at.text, '\0', at.length))
        syntax_fail(s, &at, "these quotes contain a NUL byte");
    const char *text = syntax_text(s, &at, &file->arena);
    if (!tac_utf8_valid(text, strlen(text)))
        syntax_fail(s, &at, "what is in these quotes is not UTF-8");
    syntax_advance(s);
    return text;
}

static const char *check_xpath(struct syntax *s, const struct syntax_token *at, const char *xpath,
                               size_t length)
{
    if (!s->failed &&
        (strlen(xpath) != length || !tac_utf8_valid(xpath, length) || !tac_xpath_selects(xpath)))
        syntax_fail(s, at,
                    "this is not an XPath that selects elements, such as "
                    "//node[@resource-id='com.example:id/play']");
    return xpath;
}

static const char *take_quoted_xpath(struct syntax *s)
{
    struct syntax_token at = s->token;
    const char *xpath = take_text(s);
    return check_xpath(s, &at, xpath, strlen(xpath));
}

static bool starts_xpath(const struct syntax *s)
{
    const char *at = s->token.text;
    while (!s->token.quote && at < s->end && *at == '(')
        at++;
    return !s->failed && !s->token.quote && at < s->end && *at == '/';
}

static const char *take_xpath(struct syntax *s)
{
    struct action_file *file = s->context;
    struct syntax_token at = s->token;
    const char *end = tac_xpath_end(at.text, s->end, " \t;\r");
    if (!end) {
        syntax_fail(s, &at, "the brackets and quotes of this XPath are not closed on its line");
        return "";
    }
    size_t length = (size_t)(end - at.text);
    syntax_go_on(s, &at, end);
    return check_xpath(s, &at, tac_arena_strndup(&file->arena, at.text, length), length);
}

/* css: or xpath:, in one piece. */
static bool take_label(struct syntax *s, const char *word)
{
    bool is = syntax_is(s, word) && syntax_token_is(&s->ahead, ":") && !s->ahead.spaced;
    if (is) {
        syntax_advance(s);
        syntax_advance(s);
    }
    return is;
}

/* SEL, any SEL, it; false and nothing read when none stands here. */
static bool take_target(struct syntax *s, struct action_target *out)
{
    struct syntax before = *s;
    *out = (struct action_target){.it = syntax_accept(s, "it")};
    if (out->it)
        return true;
    out->any = syntax_accept(s, "any");
    struct syntax_token at = s->token;
    if (take_label(s, "css")) {
        out->css = take_text(s);
        if (!*out->css)
            syntax_fail(s, &at, "this css selector is empty");
    } else if (take_label(s, "xpath") || (out->any && s->token.kind == SYNTAX_TEXT)) {
        out->xpath = take_quoted_xpath(s);
    } else if (starts_xpath(s)) {
        out->xpath = take_xpath(s);
    } else { /* "any of [...]" */
        *s = before;
        out->any = false;
        return false;
    }
    return true;
}

static void need_target(struct syntax *s, struct action_target *out)
{
    if (!s->failed && s->token.kind == SYNTAX_TEXT)
        *out = (struct action_target){.xpath = take_quoted_xpath(s)};
    else if (!take_target(s, out))
        syntax_expected(s, "an element: css:\"...\", an XPath, any before either, or it");
}

static void any_of(struct syntax *s, struct action_step *step)
{
    struct action_file *file = s->context;
    TAC_VEC(const char *) texts = {0};
    syntax_need(s, "of", "'of' and texts in brackets");
    syntax_need(s, "[", "'[' and texts");
    do {
        const char *text = take_text(s);
        if (!s->failed)
            tac_vec_push(&texts, text);
    } while (syntax_accept(s, ","));
    syntax_need(s, "]", "',' or ']'");
    step->source = TEXT_ANY_OF;
    step->text_count = texts.count;
    step->texts = tac_arena_keep(&file->arena, texts.at, texts.count, sizeof *step->texts);
    tac_vec_free(&texts);
}

static void take_source(struct syntax *s, struct action_step *step)
{
    if (syntax_accept(s, "any")) {
        any_of(s, step);
    } else if (syntax_accept(s, "random")) {
        step->source = syntax_accept(s, "number") ? TEXT_RANDOM_NUMBER : TEXT_RANDOM;
        if (step->source == TEXT_RANDOM)
            syntax_need(s, "text", "'text' or 'number' after 'random'");
    } else {
        step->text = take_text(s);
    }
}

static void take_direction(struct syntax *s, struct action_step *step)
{
    static const char *const ways[] = {"up", "down", "left", "right"};
    for (size_t i = 0; i < 4; i++)
        if (!step->text && syntax_accept(s, ways[i]))
            step->text = ways[i];
    if (!step->text)
        syntax_expected_one_of(s, "up, down, left or right", ways, 4);
    take_target(s, &step->target);
}

/* A name that no device has is a mistake, whatever the file is for. */
static void check_key(struct syntax *s, const struct syntax_token *at, const char *name)
{
    char closest[80];
    if (s->failed || device_key_exists(name))
        return;
    char *shown = tac_visible(name);
    if (*device_key_closest(name, closest, sizeof closest))
        syntax_fail(s, at, "there is no key '%.60s'; did you mean '%s'?", shown, closest);
    else
        syntax_fail(s, at,
                    "there is no key '%.60s'; keys are single characters, Enter, Tab, Escape, "
                    "Backspace, Delete, Insert, Home, End, PageUp, ArrowLeft, Space, F1 and their "
                    "like, on pages with Shift+, Control+, Alt+ or Meta+ before them, on phones "
                    "also Android's names and numbers",
                    shown);
    free(shown);
}

/* Enter, Control+a, Shift+ArrowLeft */
static void take_key(struct syntax *s, struct action_step *step)
{
    struct action_file *file = s->context;
    struct syntax_token at = s->token;
    const char *end = at.text;
    while (!at.quote && end < s->end && (action_word_byte(*end) || *end == '+'))
        end++;
    if (at.kind == SYNTAX_TEXT)
        step->text = take_text(s);
    else if (end == at.text)
        syntax_expected(s, "the name of a key, such as Enter or Control+a");
    else
        step->text = tac_arena_strndup(&file->arena, at.text, (size_t)(end - at.text));
    check_key(s, &at, step->text);
    if (!s->failed && at.kind != SYNTAX_TEXT)
        syntax_go_on(s, &at, end);
}

static void take_seconds(struct syntax *s, struct action_step *step)
{
    struct action_file *file = s->context;
    const char *start = s->token.text;
    action_number(s, false, 3600, "seconds, at most 3600");
    if (!s->failed)
        step->text = tac_arena_strndup(&file->arena, start, (size_t)(s->last_end - start));
}

static void take_parts(struct syntax *s, struct action_step *step)
{
    switch (step->kind) {
    case DEED_CLICK:
    case DEED_DOUBLE_CLICK:
    case DEED_LONG_PRESS:
    case DEED_HOVER:
        need_target(s, &step->target);
        break;
    case DEED_TYPE:
        take_target(s, &step->target);
        take_source(s, step);
        break;
    case DEED_CLEAR:
        take_target(s, &step->target);
        break;
    case DEED_KEY:
        take_key(s, step);
        break;
    case DEED_DRAG:
        need_target(s, &step->target);
        syntax_need(s, "to", "'to' and the element to drag to");
        need_target(s, &step->to);
        break;
    case DEED_SWIPE:
    case DEED_SCROLL:
        take_direction(s, step);
        break;
    case DEED_WAIT:
        take_seconds(s, step);
        break;
    case DEED_BACK:
    case DEED_ROTATE:
    case DEED_RELOAD:
    case DEED_KINDS:
        break;
    }
}

void action_step_read(struct syntax *s, struct action_step *step)
{
    struct action_file *file = s->context;
    struct syntax_token start = s->token;
    *step = (struct action_step){.kind = DEED_KINDS, .line = start.line, .column = start.column};
    for (int i = 0; i < DEED_KINDS; i++)
        if (step->kind == DEED_KINDS && syntax_accept(s, words[i]))
            step->kind = (enum deed_kind)i;
    if (step->kind == DEED_KINDS)
        syntax_expected_one_of(s,
                               "a step: click, doubleclick, longpress, hover, type, clear, key, "
                               "drag, swipe, scroll, back, rotate, reload or wait",
                               words, DEED_KINDS);
    take_parts(s, step);
    if (!s->failed)
        step->written =
            tac_arena_strndup(&file->arena, start.text, (size_t)(s->last_end - start.text));
}
