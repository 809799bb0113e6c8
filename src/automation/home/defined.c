/* What the files define, and the registry does not know because it has no unique_id.
 *
 * An entity's name follows from a key (`timer: laundry:`), from a name (`- name: Grid price`), or
 * from a word that an integration is asked for (`display_options: [time]`). Which domain it gets is
 * the integration's affair, so only what follows the point is kept: an entity of that name may be
 * there. Cost: the tree, once. */
#include "automation/home/home.h"
#include "base/data/text.h"
#include <string.h>

enum { MOST_DEPTH = 24 };

static void define(struct home *home, const char *name)
{
    const char *dot = home_is_entity(name) ? strchr(name, '.') : NULL;
    tac_names_intern(&home->model->defined, dot ? dot + 1 : home_slug(home, name));
}

static bool names_it(const char *key)
{
    return TAC_IS_ONE_OF(key, "name", "object_id", "default_entity_id", "alias", "friendly_name");
}

static void collect(struct home *home, struct tree_node *node, unsigned depth)
{
    node = tree_resolve(home->library, node);
    if (depth > MOST_DEPTH || !tree_step(home->library, node))
        return;
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++) {
        const char *word = tree_text(tree_resolve(home->library, node->at[i]));
        if (word && !home_is_entity(word)) /* an entity that is listed is defined elsewhere */
            define(home, word);
        else if (!word)
            collect(home, node->at[i], depth + 1);
    }
    for (size_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
        const struct tree_node *value = tree_resolve(home->library, node->at[i]);
        if (value->kind == TREE_SCALAR && names_it(node->keys[i]) && tree_text(value))
            define(home, tree_text(value));
        if (value->kind != TREE_SCALAR)
            define(home, node->keys[i]);
        collect(home, node->at[i], depth + 1);
    }
}

/* Of automations only what they are called: their entities are what is asked about. */
static void collect_aliases(struct home *home, struct tree_node *node, unsigned depth)
{
    node = tree_resolve(home->library, node);
    const char *alias = home_text(home, node, "alias");
    if (alias)
        define(home, alias);
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count && depth < 4; i++)
        collect_aliases(home, node->at[i], depth + 1);
}

static void collect_sections(struct home *home, struct tree_node *config)
{
    for (size_t i = 0; config->kind == TREE_MAP && i < config->count; i++) {
        const char *key = config->keys[i];
        if (!strncmp(key, "automation", 10))
            collect_aliases(home, config->at[i], 0);
        else if (strcmp(key, "homeassistant") != 0)
            collect(home, config->at[i], 0);
    }
}

void home_defined(struct home *home, struct tree_node *configuration)
{
    struct tree_node *own = home_get(home, configuration, "homeassistant");
    struct tree_node *packages = home_get(home, own, "packages");
    collect_sections(home, configuration);
    for (size_t i = 0; packages && packages->kind == TREE_MAP && i < packages->count; i++)
        collect_sections(home, tree_resolve(home->library, packages->at[i]));
}
