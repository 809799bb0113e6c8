/* Blueprints: an automation or a script made from a file with !input marks and the values given
 * for them. */
#include "automation/home/home.h"
#include <string.h>

enum { MOST_DEPTH = 60 };

struct inputs {
    struct tree_node *given, *declared; /* declared: {name: {default: ...}} */
    bool missing;
};

static struct tree_node *input_value(struct home *home, struct inputs *inputs, const char *name)
{
    struct tree_node *value = home_get(home, inputs->given, name);
    if (value)
        return value;
    struct tree_node *declared = home_get(home, inputs->declared, name);
    for (size_t i = 0; !declared && inputs->declared && inputs->declared->kind == TREE_MAP &&
                       i < inputs->declared->count;
         i++) { /* sections: {section: {input: {name: ...}}} */
        struct tree_node *section =
            home_get(home, tree_resolve(home->library, inputs->declared->at[i]), "input");
        declared = home_get(home, section, name);
    }
    value = home_get(home, declared, "default");
    inputs->missing |= !value;
    return value;
}

static struct tree_node *instance(struct home *home, struct inputs *inputs, struct tree_node *node,
                                  unsigned depth)
{
    node = tree_resolve(home->library, node);
    if (depth > MOST_DEPTH || !tree_step(home->library, node))
        return node;
    if (node->tag && node->text && !strcmp(node->tag, "!input")) {
        struct tree_node *value = input_value(home, inputs, node->text);
        return value ? value : node;
    }
    if (node->kind != TREE_LIST && node->kind != TREE_MAP)
        return node;
    struct tree_node *copy = tac_arena_calloc(&home->library->arena, 1, sizeof *copy);
    *copy = *node;
    copy->at = tac_arena_calloc(&home->library->arena, node->count + 1, sizeof *copy->at);
    for (size_t i = 0; i < node->count; i++)
        copy->at[i] = instance(home, inputs, node->at[i], depth + 1);
    return copy;
}

struct tree_node *home_blueprint(struct home *home, const char *kind, struct tree_node *use)
{
    const char *path = home_text(home, use, "path");
    struct tree_node *root = NULL;
    if (path && !strstr(path, "..")) {
        const char **paths;
        size_t count;
        char *folder = tac_format("%sblueprints/%s", home->base ? home->base : "", kind);
        char *file = tac_format("%s/%s", folder, path);
        if (tree_list_folder(home->library, folder, &paths, &count))
            for (size_t p = 0; p < count && !root; p++)
                if (!strcmp(paths[p], file))
                    root = tree_load(home->library, file);
        free(file);
        free(folder);
    }
    if (!root || root->kind != TREE_MAP) {
        home_abstract(home, TAC_READ_NOT, "blueprint that is not in the files");
        return NULL;
    }
    struct inputs inputs = {.given = home_get(home, use, "input"),
                            .declared = home_get(home, home_get(home, root, "blueprint"), "input")};
    struct tree_node *made = instance(home, &inputs, root, 0);
    if (inputs.missing)
        home_abstract(home, TAC_READ_ABSTRACTED, "blueprint input without a value");
    return made;
}
