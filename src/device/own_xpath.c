/* XPaths of the usual forms, answered on the tree without libxml2; among them all that Tactus
 * itself writes (locator.c):
 *
 *     steps   ("/" | "//") node [condition] [condition] [3]
 *     whole   /hierarchy steps, steps, or (steps)[3]
 *
 * Conditions are those of own_test.c. One pass over the nodes per step, O(nodes x steps x
 * conditions). Anything else is left to libxml2, which gives the same nodes for these. */
#include "base/data/alloc.h"
#include "device/hierarchy.h"
#include "device/own_test.h"
#include <string.h>

enum { MAX_TESTS = 6 };

struct step {
    bool deep; /* "//" */
    struct own_test tests[MAX_TESTS];
    size_t count;
    unsigned long position; /* among the siblings that pass the tests, from 1; 0 = any */
};

static bool take(const char **at, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(*at, word, n) != 0)
        return false;
    *at += n;
    return true;
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
    out->count = out->position = 0;
    out->deep = take(at, "//");
    if ((!out->deep && !take(at, "/")) || !take(at, "node"))
        return false;
    while (take(at, "[")) {
        if (read_position(at, &out->position))
            break;
        if (out->count == MAX_TESTS || !own_test_read(at, &out->tests[out->count++]))
            return false;
    }
    return !**at || **at == '/' || **at == ')';
}

/* --- answering --- */

static bool passes(const tac_ui *ui, uint32_t node, const struct step *step)
{
    for (size_t i = 0; i < step->count; i++)
        if (!own_test_holds(&step->tests[i], ui, node))
            return false;
    return true;
}

/* Working memory per node. */
struct walk {
    bool *inside;     /* a candidate of the step */
    uint32_t *places; /* children that passed so far, by parent; the last one is of the top */
};

/* marks: the nodes before the step, first: the step starts at the top. Afterwards: those behind it.
 * Nodes stand in document order, so that a parent's mark is read before it is replaced. */
static void walk(const tac_ui *ui, const struct step *step, bool first, bool *marks,
                 const struct walk *memory)
{
    for (uint32_t i = 0; i < ui->count; i++) {
        uint32_t parent = ui->nodes[i].parent;
        bool child = parent == TAC_UI_NONE ? first : marks[parent];
        memory->inside[i] =
            child || (step->deep && parent != TAC_UI_NONE && memory->inside[parent]);
    }
    memset(memory->places, 0, ((size_t)ui->count + 1) * sizeof *memory->places);
    for (uint32_t i = 0; i < ui->count; i++) {
        uint32_t parent = ui->nodes[i].parent;
        uint32_t *place = &memory->places[parent == TAC_UI_NONE ? ui->count : parent];
        marks[i] = memory->inside[i] && passes(ui, i, step);
        *place += marks[i];
        if (step->position && *place != step->position)
            marks[i] = false;
    }
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
    struct walk memory = {tac_calloc((size_t)ui->count + 1, sizeof *memory.inside),
                          tac_calloc((size_t)ui->count + 1, sizeof *memory.places)};
    if (!group && !strncmp(at, "/hierarchy/", strlen("/hierarchy/")))
        at += strlen("/hierarchy");
    else
        known = !strncmp(at, "//", 2);
    while (known && *at == '/') {
        known = read_step(&at, &step);
        if (known)
            walk(ui, &step, first, marks, &memory);
        first = false;
    }
    if (known && group) {
        known = take(&at, ")[") && read_position(&at, &position);
        keep_only(ui, marks, position);
    }
    free(memory.inside);
    free(memory.places);
    return known && !*at && !first;
}
