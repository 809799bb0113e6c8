/* A mapping as one line of text, by which two that say the same are found equal.
 *
 * Keys stand in the order of the alphabet and in their present spelling, an offset as seconds (none
 * when it moves nothing). What only names or describes the mapping itself is left out; the same
 * keys deeper inside are data: the id of a button tells it from the next one. */
#include "automation/home/home.h"
#include "base/data/str.h"
#include "base/data/text.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_CANONICAL = 1 << 16, MOST_DEPTH = 64 };

static const char *present_spelling(const char *key)
{
    static const char *const spellings[][2] = {{"platform", "trigger"},
                                               {"service", "action"},
                                               {"service_template", "action"},
                                               {"data_template", "data"}};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (!strcmp(key, spellings[i][0]))
            return spellings[i][1];
    return key;
}

static bool is_about_itself(const char *key)
{
    return TAC_IS_ONE_OF(key, "id", "alias", "enabled", "metadata", "variables");
}

bool home_offset(struct home *home, const struct tree_node *node, double *seconds)
{
    const char *text = tree_text(node);
    struct tree_node unsigned_part;
    *seconds = 0;
    if (!text || (*text != '-' && *text != '+')) {
        *seconds = home_duration(home, node);
        return *seconds >= 0;
    }
    unsigned_part = *node;
    unsigned_part.text = text + 1;
    double length = home_duration(home, &unsigned_part);
    *seconds = *text == '-' ? -length : length;
    return length >= 0;
}

struct pair {
    const char *key;
    struct tree_node *value;
};

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct pair *)a)->key, ((const struct pair *)b)->key);
}

static void add(struct home *home, struct tree_node *node, unsigned depth, tac_str *out);

static void add_pair(struct home *home, const struct pair *pair, unsigned depth, tac_str *out)
{
    double seconds;
    bool offset = !strcmp(pair->key, "offset") &&
                  home_offset(home, tree_resolve(home->library, pair->value), &seconds);
    if ((!depth && is_about_itself(pair->key)) || (offset && seconds == 0))
        return;
    tac_str_addf(out, "%s: ", pair->key);
    if (offset)
        tac_str_addf(out, "%g s", seconds);
    else
        add(home, pair->value, depth + 1, out);
    tac_str_add(out, "; ");
}

static void add_map(struct home *home, const struct tree_node *node, unsigned depth, tac_str *out)
{
    struct pair *pairs = tac_calloc(node->count + 1, sizeof *pairs);
    for (size_t i = 0; i < node->count; i++)
        pairs[i] = (struct pair){present_spelling(node->keys[i]), node->at[i]};
    qsort(pairs, node->count, sizeof *pairs, by_key);
    for (size_t i = 0; i < node->count; i++)
        add_pair(home, &pairs[i], depth, out);
    free(pairs);
}

static void add(struct home *home, struct tree_node *node, unsigned depth, tac_str *out)
{
    node = tree_resolve(home->library, node);
    if (depth > MOST_DEPTH || out->length > MOST_CANONICAL || !tree_step(home->library, node))
        return;
    if (node->kind == TREE_SCALAR) {
        tac_str_addf(out, "%s%s%s", node->tag ? node->tag : "", node->tag ? " " : "",
                     tree_text(node));
        return;
    }
    tac_str_add_char(out, node->kind == TREE_MAP ? '{' : '[');
    if (node->kind == TREE_MAP)
        add_map(home, node, depth, out);
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++) {
        add(home, node->at[i], depth + 1, out);
        tac_str_add(out, "; ");
    }
    tac_str_add_char(out, node->kind == TREE_MAP ? '}' : ']');
}

static const char *line_of(struct home *home, struct tree_node *node, unsigned depth)
{
    tac_str text = {0};
    add(home, node, depth, &text);
    const char *kept = tac_arena_strdup(&home->model->arena, tac_str_text(&text));
    tac_str_free(&text);
    return kept;
}

const char *home_canonical(struct home *home, struct tree_node *node)
{
    return line_of(home, node, 0);
}

const char *home_data(struct home *home, struct tree_node *node)
{
    return line_of(home, node, 1);
}
