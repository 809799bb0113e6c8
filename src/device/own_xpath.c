/* The XPaths that Tactus itself writes (locator.c), answered on the tree without libxml2:
 *
 *     steps   ("/" | "//") node [@name='value'] [node/node/@name='value'] [3]
 *     whole   /hierarchy steps, steps, or (steps)[3]
 *
 * One pass over the nodes per step, O(nodes x steps x tests). Anything else is left to libxml2,
 * which gives the same nodes for these. */
#include "base/data/alloc.h"
#include "device/hierarchy.h"
#include <string.h>

enum { MAX_TESTS = 6, MAX_LEVELS = 8 };

struct test {
    const char *name, *value;
    size_t name_length, value_length;
    unsigned levels; /* how far below the node the attribute stands */
};

struct step {
    bool deep; /* "//" */
    struct test tests[MAX_TESTS];
    size_t count;
    unsigned long position; /* among the siblings that pass the tests, from 1; 0 = any */
};

static const char *attribute_of(const tac_ui_node *node, const char *name, size_t length)
{
    static const struct {
        const char *name;
        uint32_t flag;
    } flags[] = {{"clickable", TAC_UI_CLICKABLE},   {"long-clickable", TAC_UI_LONG_CLICKABLE},
                 {"scrollable", TAC_UI_SCROLLABLE}, {"checkable", TAC_UI_CHECKABLE},
                 {"password", TAC_UI_PASSWORD},     {"enabled", TAC_UI_ENABLED}};
    const char *const names[] = {"resource-id", "text", "content-desc", "class", "package"};
    const char *const values[] = {node->resource_id, node->text, node->description,
                                  node->class_name, node->package};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !memcmp(name, names[i], length))
            return values[i];
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strlen(flags[i].name) == length && !memcmp(name, flags[i].name, length))
            return node->flags & flags[i].flag ? "true" : "false";
    return NULL;
}

static bool take(const char **at, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
}

/* "[@name='value']", also with "node/" before the "@"; the text behind "[" is at *at. */
static bool read_test(const char **at, struct test *out)
{
    static const tac_ui_node none = {
        .text = "", .resource_id = "", .class_name = "", .package = "", .description = ""};
    *out = (struct test){0};
    while (take(at, "node/"))
        if (++out->levels > MAX_LEVELS)
            return false;
    if (!take(at, "@"))
        return false;
    out->name = *at;
    out->name_length = strcspn(*at, "=]");
    *at += out->name_length;
    if (!take(at, "=") || (**at != '\'' && **at != '"'))
        return false;
    const char *end = strchr(*at + 1, **at);
    if (!end || end[1] != ']')
        return false;
    out->value = *at + 1;
    out->value_length = (size_t)(end - out->value);
    *at = end + 2;
    return attribute_of(&none, out->name, out->name_length) != NULL;
}

static bool read_position(const char **at, unsigned long *out)
{
    char *end = NULL;
    if (**at < '1' || **at > '9')
        return false;
    *out = strtoul(*at, &end, 10);
    *at = end;
    return take(at, "]");
}

static bool read_step(const char **at, struct step *out)
{
    *out = (struct step){0};
    out->deep = take(at, "//");
    if ((!out->deep && !take(at, "/")) || !take(at, "node"))
        return false;
    while (take(at, "[")) {
        if (read_position(at, &out->position))
            break;
        if (out->count == MAX_TESTS || !read_test(at, &out->tests[out->count++]))
            return false;
    }
    return !**at || **at == '/' || **at == ')';
}

/* --- answering --- */

static bool value_is(const tac_ui_node *node, const struct test *t)
{
    const char *value = attribute_of(node, t->name, t->name_length);
    return !strncmp(value, t->value, t->value_length) && !value[t->value_length];
}

/* Has it a descendant so many levels below with that value? Levels are few. */
static bool has_below(const tac_ui *ui, uint32_t node, const struct test *t, unsigned levels)
{
    if (!levels)
        return value_is(&ui->nodes[node], t);
    for (uint32_t c = ui->nodes[node].first_child; c != TAC_UI_NONE; c = ui->nodes[c].next_sibling)
        if (has_below(ui, c, t, levels - 1))
            return true;
    return false;
}

static bool passes(const tac_ui *ui, uint32_t node, const struct step *step)
{
    for (size_t i = 0; i < step->count; i++)
        if (!has_below(ui, node, &step->tests[i], step->tests[i].levels))
            return false;
    return true;
}

/* Which of its siblings that pass it is. */
static unsigned long place_of(const tac_ui *ui, uint32_t node, const struct step *step)
{
    uint32_t parent = ui->nodes[node].parent;
    unsigned long place = 0;
    for (uint32_t i = parent == TAC_UI_NONE ? 0 : ui->nodes[parent].first_child; i != TAC_UI_NONE;
         i = ui->nodes[i].next_sibling) {
        place += passes(ui, i, step);
        if (i == node)
            break;
    }
    return place;
}

/* marks: the nodes before the step, first: the step starts at the top. Afterwards: those behind it.
 * inside: room for one flag per node. */
static void walk(const tac_ui *ui, const struct step *step, bool first, bool *marks, bool *inside)
{
    for (uint32_t i = 0; i < ui->count; i++) {
        uint32_t parent = ui->nodes[i].parent;
        bool child = parent == TAC_UI_NONE ? first : marks[parent];
        inside[i] = child || (step->deep && parent != TAC_UI_NONE && inside[parent]);
    }
    for (uint32_t i = 0; i < ui->count; i++)
        marks[i] = inside[i] && passes(ui, i, step) &&
                   (!step->position || place_of(ui, i, step) == step->position);
}

static void keep_only(const tac_ui *ui, bool *marks, unsigned long position)
{
    unsigned long seen = 0;
    for (uint32_t i = 0; i < ui->count; i++)
        if (marks[i] && ++seen != position)
            marks[i] = false;
}

bool ui_own_xpath(const tac_ui *ui, const char *xpath, bool *marks)
{
    const char *at = xpath;
    struct step step;
    bool group = take(&at, "("), first = true, known = true;
    unsigned long position = 0;
    bool *inside = tac_calloc((size_t)ui->count + 1, sizeof *inside);
    if (!group && !strncmp(at, "/hierarchy/node", 15))
        at += strlen("/hierarchy");
    else
        known = !strncmp(at, "//", 2);
    while (known && *at == '/') {
        known = read_step(&at, &step);
        if (known)
            walk(ui, &step, first, marks, inside);
        first = false;
    }
    if (known && group) {
        known = take(&at, ")[") && read_position(&at, &position);
        keep_only(ui, marks, position);
    }
    free(inside);
    return known && !*at && !first;
}
