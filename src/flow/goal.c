/* Goals as text: our own names, and GraphWalker's generators with their stop conditions.
 *
 * GraphWalker writes GENERATOR(STOP), where STOP may be several conditions joined by "and" or "&&":
 * here a length and one thing to cover; two things to cover are refused.
 * Its vertices are our states, its edges our transitions. Every generator that walks until
 * something is covered asks the same of us; how it walks is ours. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/syntax/syntax.h"
#include "tactus/flow.h"
#include <string.h>
#include <strings.h>

#define BLANKS " \t\r\n\v\f"

static const struct {
    const char *name;
    tac_cover_goal goal;
    uint32_t tuple;
} own_goals[] = {
    {"states", TAC_COVER_STATES, 1},
    {"transitions", TAC_COVER_TRANSITIONS, 1},
    {"pairs", TAC_COVER_TUPLES, 2},
    {"edges", TAC_COVER_EDGES, 1},
    {"requirements", TAC_COVER_REQUIREMENTS, 1},
};

static const char *const generators[] = {
    "random", "quick_random",      "quickrandom",   "weighted_random",         "a_star",
    "astar",  "new_shortest_path", "shortest_path", "directed_chinese_postman"};

/* A condition's argument is a share of what `goal` names, one of them, or a number of events. */
enum stop_kind { STOP_SHARE, STOP_ONE, STOP_LENGTH };
static const char *const stop_names[] = {"edge_coverage",        "vertex_coverage",
                                         "requirement_coverage", "reached_vertex",
                                         "reached_edge",         "length"};
static const struct {
    enum stop_kind kind;
    tac_cover_goal goal;
} stops[] = {{STOP_SHARE, TAC_COVER_TRANSITIONS},  {STOP_SHARE, TAC_COVER_STATES},
             {STOP_SHARE, TAC_COVER_REQUIREMENTS}, {STOP_ONE, TAC_COVER_STATES},
             {STOP_ONE, TAC_COVER_TRANSITIONS},    {STOP_LENGTH, TAC_COVER_STATES}};
enum { GENERATORS = sizeof generators / sizeof *generators, STOPS = sizeof stops / sizeof *stops };
static_assert(sizeof stop_names / sizeof *stop_names == STOPS, "a stop condition has no name");

static bool parse_own(const char *text, tac_flow_goal *out)
{
    uint64_t tuple;
    for (size_t i = 0; i < sizeof own_goals / sizeof *own_goals; i++)
        if (!strcmp(text, own_goals[i].name)) {
            out->cover.goal = own_goals[i].goal;
            out->cover.tuple = own_goals[i].tuple;
            return true;
        }
    if (strncmp(text, "tuples:", 7) != 0 || !tac_parse_u64(text + 7, &tuple) || tuple < 1 ||
        tuple > 16)
        return false;
    out->cover.goal = TAC_COVER_TUPLES;
    out->cover.tuple = (uint32_t)tuple;
    return true;
}

static tac_status unknown_goal(const char *text, tac_error *err)
{
    const char *names[] = {"states", "transitions", "pairs", "edges", "requirements", "tuples:2"};
    tac_meaning meant = tac_meant(text, names, sizeof names / sizeof *names);
    if (*meant.text)
        return tac_fail(err, TAC_E_USAGE, "unknown goal '%s'%s", text, meant.text);
    return tac_fail(err, TAC_E_USAGE,
                    "unknown goal '%s': states, transitions, pairs, edges, tuples:K, requirements, "
                    "or a GraphWalker string such as random(edge_coverage(100))",
                    text);
}

/* Takes the one of these words that stands here, whatever its case; or fails. */
static size_t take_name(struct syntax *s, const char *what, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count && s->token.kind == SYNTAX_WORD; i++)
        if (strlen(words[i]) == s->token.length &&
            !strncasecmp(s->token.text, words[i], s->token.length)) {
            syntax_advance(s);
            return i;
        }
    syntax_expected_one_of(s, what, words, count);
    return 0;
}

/* "(ARGUMENT)", where the argument is all up to the bracket; it may be empty. */
static void take_argument(struct syntax *s, char *argument, size_t size)
{
    struct syntax_token first = s->ahead;
    syntax_need(s, "(", NULL);
    const char *from = s->last_end + strspn(s->last_end, BLANKS), *close = strchr(from, ')');
    size_t length = close ? (size_t)(close - from) : 0;
    while (length && strchr(BLANKS, from[length - 1]))
        length--;
    if (!s->failed && !close)
        syntax_fail(s, &first, "expected ')' after the argument");
    if (length >= size)
        syntax_fail(s, &first, "an argument has at most %zu bytes", size - 1);
    if (s->failed)
        return;
    memcpy(argument, from, length);
    argument[length] = '\0';
    syntax_go_on(s, &s->token, close + 1);
}

static void set_stop(struct syntax *s, size_t number, const struct syntax_token *at,
                     const char *argument)
{
    tac_flow_goal *out = s->context;
    uint64_t length;
    bool of_length = stops[number].kind == STOP_LENGTH;
    if (of_length ? out->length > 0 : out->covers) {
        syntax_fail(s, at, "'%s' is the second condition about %s; only one is understood",
                    stop_names[number], of_length ? "length" : "coverage");
        return;
    }
    out->covers = out->covers || !of_length;
    if (!of_length)
        out->cover = (tac_cover_options){.goal = stops[number].goal, .tuple = 1};
    switch (stops[number].kind) {
    case STOP_SHARE:
        if (out->postman && out->cover.goal == TAC_COVER_TRANSITIONS)
            out->cover.goal = TAC_COVER_EDGES;
        if (!tac_parse_double(argument, &out->cover.percent) ||
            !(out->cover.percent > 0 && out->cover.percent <= 100))
            syntax_fail(s, at, "expected a percentage above 0 and at most 100, found '%s'",
                        argument);
        break;
    case STOP_ONE:
        snprintf(out->only, sizeof out->only, "%s", argument);
        out->cover.only = out->only;
        if (!*argument)
            syntax_fail(s, at, "expected the name of what is to be reached, found nothing");
        break;
    case STOP_LENGTH:
        if (!tac_parse_u64(argument, &length) || length < 1 || length > 1000000)
            syntax_fail(s, at, "expected a length from 1 to 1000000, found '%s'", argument);
        else
            out->length = (uint32_t)length;
        break;
    }
}

static void report(struct syntax *s, uint32_t line, uint32_t column, const char *message)
{
    s->status = tac_fail(s->err, TAC_E_USAGE, "'%s', character %zu: %s", s->file,
                         syntax_character(s->file, line, column), message);
}

static tac_status parse_generator(const char *text, tac_flow_goal *out, tac_error *err)
{
    static const struct syntax_language language = {
        .blanks = BLANKS, .marks = "( ) &&", .end = "the end of the goal", .report = report};
    struct syntax s = {.context = out, .file = text, .err = err};
    char argument[sizeof out->only];
    syntax_open(&s, &language, text, strlen(text), 1, 1);
    size_t generator = take_name(&s, "a generator such as random, weighted_random or a_star",
                                 generators, GENERATORS);
    out->weighted = !strcmp(generators[generator], "weighted_random");
    out->postman = !strcmp(generators[generator], "directed_chinese_postman");
    syntax_need(&s, "(", NULL);
    do {
        struct syntax_token at = s.token;
        size_t stop = take_name(&s,
                                "edge_coverage(N), vertex_coverage(N), requirement_coverage(N), "
                                "reached_vertex(NAME), reached_edge(NAME) or length(N)",
                                stop_names, STOPS);
        take_argument(&s, argument, sizeof argument);
        if (!s.failed)
            set_stop(&s, stop, &at, argument);
    } while (syntax_accept(&s, "and") || syntax_accept(&s, "&&"));
    syntax_need(&s, ")", "'and' or ')'");
    if (!syntax_at_end(&s))
        syntax_expected(&s, "the end of the goal");
    assert(s.status != TAC_OK || out->covers || out->length);
    return s.status;
}

tac_status tac_flow_goal_parse(const char *text, tac_flow_goal *out, tac_error *err)
{
    *out = (tac_flow_goal){0};
    if (strchr(text, '('))
        return parse_generator(text, out, err);
    out->covers = parse_own(text, out);
    return out->covers ? TAC_OK : unknown_goal(text, err);
}
