/* Goals as text: our own names, and GraphWalker's generators with their stop conditions.
 *
 * GraphWalker writes GENERATOR(STOP), where STOP may be several conditions joined by "and" or "&&":
 * here a length and one thing to cover; two things to cover are refused.
 * Its vertices are our states, its edges our transitions. Every generator that walks until
 * something is covered asks the same of us; how it walks is ours. */
#include "base/check.h"
#include "base/data/text.h"
#include "tactus/flow.h"
#include <ctype.h>
#include <string.h>

struct goal_name {
    const char *name;
    tac_cover_goal goal;
    uint32_t tuple;
};

static const struct goal_name goal_names[] = {
    {"states", TAC_COVER_STATES, 1},
    {"transitions", TAC_COVER_TRANSITIONS, 1},
    {"pairs", TAC_COVER_TUPLES, 2},
    {"edges", TAC_COVER_EDGES, 1},
    {"requirements", TAC_COVER_REQUIREMENTS, 1},
};

static const char *const generators[] = {
    "random", "quick_random",      "quickrandom",   "weighted_random",         "a_star",
    "astar",  "new_shortest_path", "shortest_path", "directed_chinese_postman"};

static tac_status misunderstood(const char *text, tac_error *err)
{
    const char *names[] = {"states", "transitions", "pairs", "edges", "requirements", "tuples:2"};
    const char *closest = tac_closest(text, names, sizeof names / sizeof *names);
    if (closest)
        return tac_fail(err, TAC_E_USAGE, "unknown goal '%s'; did you mean '%s'?", text, closest);
    return tac_fail(err, TAC_E_USAGE,
                    "unknown goal '%s': states, transitions, pairs, edges, tuples:K, requirements, "
                    "or a GraphWalker string such as random(edge_coverage(100))",
                    text);
}

static bool parse_own(const char *text, tac_flow_goal *out)
{
    uint64_t tuple;
    for (size_t i = 0; i < sizeof goal_names / sizeof *goal_names; i++)
        if (!strcmp(text, goal_names[i].name)) {
            out->cover.goal = goal_names[i].goal;
            out->cover.tuple = goal_names[i].tuple;
            return true;
        }
    if (!strncmp(text, "tuples:", 7) && tac_parse_u64(text + 7, &tuple) && tuple >= 1 &&
        tuple <= 16) {
        out->cover.goal = TAC_COVER_TUPLES;
        out->cover.tuple = (uint32_t)tuple;
        return true;
    }
    return false;
}

static const char *skip_blanks(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    return at;
}

/* A word of letters and underscores, lower-cased; false when there is none or it is too long. */
static bool read_word(const char **at, char *word, size_t size)
{
    size_t length = 0;
    *at = skip_blanks(*at);
    while (isalpha((unsigned char)(*at)[length]) || (*at)[length] == '_') {
        if (length + 1 >= size)
            return false;
        word[length] = (char)tolower((unsigned char)(*at)[length]);
        length++;
    }
    word[length] = '\0';
    *at += length;
    return length > 0;
}

/* "(ARGUMENT)"; the argument may be empty. */
static bool read_argument(const char **at, char *argument, size_t size)
{
    const char *open = skip_blanks(*at), *close = *open == '(' ? strchr(open, ')') : NULL;
    if (!close || (size_t)(close - open) > size)
        return false;
    const char *from = skip_blanks(open + 1);
    const char *to = close;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    assert(from <= to && (size_t)(to - from) < size);
    memcpy(argument, from, (size_t)(to - from));
    argument[to - from] = '\0';
    *at = close + 1;
    return true;
}

static bool set_coverage(tac_flow_goal *out, tac_cover_goal goal, const char *argument)
{
    double percent;
    if (!tac_parse_double(argument, &percent) || !(percent > 0 && percent <= 100))
        return false;
    out->covers = true;
    out->cover.goal = goal;
    out->cover.tuple = 1;
    out->cover.percent = percent;
    return true;
}

static bool set_only(tac_flow_goal *out, tac_cover_goal goal, const char *argument)
{
    if (!*argument)
        return false;
    out->covers = true;
    out->cover.goal = goal;
    out->cover.tuple = 1;
    snprintf(out->only, sizeof out->only, "%s", argument);
    out->cover.only = out->only;
    return true;
}

static bool set_stop(tac_flow_goal *out, const char *name, const char *argument)
{
    uint64_t length;
    if (!strcmp(name, "edge_coverage"))
        return set_coverage(out, out->postman ? TAC_COVER_EDGES : TAC_COVER_TRANSITIONS, argument);
    if (!strcmp(name, "vertex_coverage"))
        return set_coverage(out, TAC_COVER_STATES, argument);
    if (!strcmp(name, "requirement_coverage"))
        return set_coverage(out, TAC_COVER_REQUIREMENTS, argument);
    if (!strcmp(name, "reached_vertex"))
        return set_only(out, TAC_COVER_STATES, argument);
    if (!strcmp(name, "reached_edge"))
        return set_only(out, TAC_COVER_TRANSITIONS, argument);
    if (!strcmp(name, "length") && tac_parse_u64(argument, &length) && length >= 1 &&
        length <= 1000000) {
        out->length = (uint32_t)length;
        return true;
    }
    return false;
}

static tac_status parse_stops(const char *text, const char **at, tac_flow_goal *out, tac_error *err)
{
    char name[64], argument[256];
    unsigned lengths = 0, covers = 0;
    for (;;) {
        const char *before = skip_blanks(*at);
        if (!read_word(at, name, sizeof name) || !read_argument(at, argument, sizeof argument) ||
            !set_stop(out, name, argument))
            return tac_fail(err, TAC_E_USAGE,
                            "'%s': the stop condition at '%.40s' is not one of edge_coverage(N), "
                            "vertex_coverage(N), requirement_coverage(N), reached_vertex(NAME), "
                            "reached_edge(NAME), length(N)",
                            text, before);
        bool of_length = !strcmp(name, "length");
        if (of_length ? lengths++ : covers++)
            return tac_fail(err, TAC_E_USAGE,
                            "'%s': '%.*s' is the second condition about %s; only one is understood",
                            text, (int)(*at - before), before, of_length ? "length" : "coverage");
        *at = skip_blanks(*at);
        if (!strncmp(*at, "and ", 4))
            *at += 4;
        else if (!strncmp(*at, "&&", 2))
            *at += 2;
        else
            return TAC_OK;
    }
}

static tac_status parse_generator(const char *text, tac_flow_goal *out, tac_error *err)
{
    char name[64];
    const char *at = text;
    bool known = false;
    if (!read_word(&at, name, sizeof name))
        return misunderstood(text, err);
    for (size_t i = 0; i < sizeof generators / sizeof *generators; i++)
        known |= !strcmp(name, generators[i]);
    at = skip_blanks(at);
    if (!known || *at != '(')
        return misunderstood(text, err);
    at++;
    out->weighted = !strcmp(name, "weighted_random");
    out->postman = !strcmp(name, "directed_chinese_postman");
    tac_status status = parse_stops(text, &at, out, err);
    assert(status != TAC_OK || out->covers || out->length);
    if (status != TAC_OK)
        return status;
    if (*at != ')' || *skip_blanks(at + 1))
        return tac_fail(err, TAC_E_USAGE,
                        "'%s': expected one generator and its stop conditions joined by 'and', up "
                        "to '%.40s'",
                        text, at);
    return TAC_OK;
}

tac_status tac_flow_goal_parse(const char *text, tac_flow_goal *out, tac_error *err)
{
    *out = (tac_flow_goal){0};
    if (strchr(text, '('))
        return parse_generator(text, out, err);
    if (!parse_own(text, out))
        return misunderstood(text, err);
    out->covers = true;
    return TAC_OK;
}
