/* From a folder to the model: packages, helpers, scripts, scenes, then the automations.
 *
 * A file is read as the configuration would include it: a list of automations, one automation, or a
 * package. A folder is read from its configuration.yaml; without one every file that holds
 * automations counts (folder.c). */
#include "automation/home/domain.h"
#include "automation/home/home.h"
#include "base/data/text.h"
#include "base/io/json.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool is_section(const char *key, const char *name)
{
    size_t length = strlen(name);
    return !strncmp(key, name, length) && (!key[length] || key[length] == ' ');
}

static void read_select(struct home *home, const char *name, struct tree_node *node)
{
    struct tree_node *options = home_get(home, node, "options");
    uint32_t number =
        model_entity(home->model, tac_arena_format(&home->model->arena, "input_select.%s", name));
    struct entity *e = &home->model->entities.at[number];
    if (!options || options->kind != TREE_LIST || !options->count)
        return;
    /* defined twice: which definition counts is not known, so the options of both are possible */
    size_t known = e->state_count;
    const char **states =
        tac_arena_calloc(&home->model->arena, known + options->count, sizeof *states);
    for (size_t i = 0; i < known; i++)
        states[i] = e->states[i];
    for (size_t i = 0; i < options->count; i++) {
        const struct tree_node *option = tree_resolve(home->library, options->at[i]);
        if (!tree_text(option) || option->tag)
            return;
        states[known + i] = tree_text(option);
    }
    e->states = states;
    e->state_count = known + options->count;
    e->domain = DOMAIN_CLOSED;
    e->domain_source =
        tac_arena_format(&home->model->arena, "the options of input_select.%s", name);
}

static void read_helpers(struct home *home, const char *kind, struct tree_node *node)
{
    for (size_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
        struct tree_node *one = tree_resolve(home->library, node->at[i]);
        if (!strcmp(kind, "input_select"))
            read_select(home, node->keys[i], one);
        else if (!strcmp(kind, "group")) {
            char *name = tac_format("group.%s", node->keys[i]);
            uint32_t number = tac_names_intern(&home->group_names, name);
            struct tree_node *members =
                one->kind == TREE_LIST ? one : home_get(home, one, "entities");
            if (number == home->group_nodes.count)
                tac_vec_push(&home->group_nodes, members);
            free(name);
        }
    }
}

static void read_scripts(struct home *home, struct tree_node *node)
{
    for (size_t i = 0; node->kind == TREE_MAP && i < node->count; i++) {
        struct tree_node *script = tree_resolve(home->library, node->at[i]);
        uint32_t number = tac_names_intern(&home->script_names, node->keys[i]);
        if (number == home->script_nodes.count)
            tac_vec_push(&home->script_nodes, script);
    }
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++)
        read_scripts(home, tree_resolve(home->library, node->at[i]));
}

static void read_scenes(struct home *home, struct tree_node *node)
{
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++)
        read_scenes(home, tree_resolve(home->library, node->at[i]));
    const char *name = home_text(home, node, "name");
    if (node->kind != TREE_MAP || !name)
        return;
    uint32_t number = tac_names_intern(&home->scene_names, home_slug(home, name));
    if (number == home->scene_nodes.count)
        tac_vec_push(&home->scene_nodes, home_get(home, node, "entities"));
}

static enum run_mode mode_of(const char *text)
{
    static const char *const modes[] = {"single", "restart", "queued", "parallel"};
    for (int mode = 0; text && mode < 4; mode++)
        if (!strcmp(text, modes[mode]))
            return (enum run_mode)mode;
    return MODE_SINGLE;
}

static void read_automation(struct home *home, struct tree_node *node)
{
    struct automation a = {.place = home_place(node), .most_runs = 10};
    struct tree_node *use = home_get(home, node, "use_blueprint"), *body = node;
    struct tree_node *id = home_get(home, node, "id");
    struct tree_node *mode = home_get(home, node, "mode");
    const struct tree_node *max = home_get(home, node, "max");
    double most;
    home->reading = TAC_READ_EXACT;
    home->reasons = (struct text_set){0};
    home->scopes = 0;
    home->scope = tac_arena_format(
        &home->model->arena, "%s%zu",
        tree_get2(home->library, node, "variables", "trigger_variables") ? "!" : "",
        home->model->automations.count);
    if (use) {
        body = home_blueprint(home, "automation", use);
        home->scope = tac_arena_format(&home->model->arena, "!%zu", home->model->automations.count);
    }
    a.id = tree_text(id);
    a.alias = home_text(home, node, "alias");
    a.disabled = tree_boolean(home_get(home, node, "initial_state")) == 0;
    if (body && !mode)
        mode = home_get(home, body, "mode");
    if (body && !max)
        max = home_get(home, body, "max");
    a.mode = mode_of(tree_text(mode));
    if (mode)
        a.mode_place = home_place(mode);
    if (home_number(max, &most) && most >= 1 && most < 1000000)
        a.most_runs = (uint32_t)most;
    if (body) {
        struct tree_node *conditions = tree_get2(home->library, body, "condition", "conditions");
        home_triggers(home, tree_get2(home->library, body, "trigger", "triggers"), &a.triggers,
                      &a.trigger_count);
        a.cond = conditions ? home_condition(home, conditions) : NULL;
        home_steps(home, tree_get2(home->library, body, "action", "actions"), &a.steps);
    }
    if (!a.cond)
        a.cond = cond_new(home->model, COND_TRUE, a.place);
    a.cond = trigger_guards(home->model, &a);
    a.reading = home->reading;
    a.reasons = home->reasons;
    tac_vec_push(&home->model->automations, a);
}

/* Nodes of Node-RED have an id and an action, too, but they are wired, which no automation is. */
static bool is_node_of_flow(struct home *home, const struct tree_node *node)
{
    return node->kind == TREE_MAP && home_get(home, node, "wires") && home_get(home, node, "type");
}

static bool is_flow(struct home *home, const struct tree_node *list)
{
    for (size_t i = 0; list->kind == TREE_LIST && i < list->count; i++)
        if (is_node_of_flow(home, list->at[i]))
            return true;
    return false;
}

static bool looks_like_automation(struct home *home, const struct tree_node *node)
{
    return node->kind == TREE_MAP &&
           (tree_get2(home->library, node, "trigger", "triggers") ||
            home_get(home, node, "use_blueprint") ||
            (tree_get2(home->library, node, "action", "actions") &&
             tree_get2(home->library, node, "alias", "id") && !is_node_of_flow(home, node)));
}

static void read_automations(struct home *home, struct tree_node *node, unsigned depth)
{
    node = tree_resolve(home->library, node);
    if (depth > 8 || !tree_step(home->library, node))
        return;
    if (looks_like_automation(home, node))
        read_automation(home, node);
    else if (is_flow(home, node))
        tree_warn(home->library, node, "is a flow of Node-RED, which is not read; left out");
    else if (node->kind == TREE_LIST)
        for (size_t i = 0; i < node->count; i++)
            read_automations(home, node->at[i], depth + 1);
    else if (node->kind == TREE_MAP && node->count)
        tree_warn(home->library, node, "is not an automation: it has no trigger; left out");
}

static void each_section(struct home *home, struct tree_node *config, bool automations)
{
    static const char *const helpers[] = {"input_select", "group"};
    for (size_t i = 0; config && config->kind == TREE_MAP && i < config->count; i++) {
        const char *key = config->keys[i];
        if (automations && is_section(key, "automation"))
            read_automations(home, config->at[i], 0);
        if (automations)
            continue;
        if (is_section(key, "script"))
            read_scripts(home, tree_resolve(home->library, config->at[i]));
        if (is_section(key, "scene"))
            read_scenes(home, tree_resolve(home->library, config->at[i]));
        for (size_t h = 0; h < sizeof helpers / sizeof *helpers; h++)
            if (is_section(key, helpers[h]))
                read_helpers(home, helpers[h], tree_resolve(home->library, config->at[i]));
    }
}

static void each_package(struct home *home, struct tree_node *config, bool automations)
{
    struct tree_node *own = home_get(home, config, "homeassistant");
    struct tree_node *packages = home_get(home, own, "packages");
    for (size_t i = 0; packages && i < packages->count; i++) {
        struct tree_node *package = tree_resolve(home->library, packages->at[i]);
        if (package->kind == TREE_MAP)
            each_section(home, package, automations);
    }
}

static void read_configuration(struct home *home, struct tree_node *config)
{
    each_section(home, config, false);
    each_package(home, config, false);
    each_section(home, config, true);
    each_package(home, config, true);
}

static void read_root(struct home *home, struct tree_node *root)
{
    if (home_get(home, root, "blueprint")) {
        tree_warn(home->library, root,
                  "is a blueprint: read the folder whose automations are made from it");
        return;
    }
    if (root->kind == TREE_MAP && !looks_like_automation(home, root)) {
        for (size_t i = 0; i < root->count; i++)
            if (is_section(root->keys[i], "automation") ||
                is_section(root->keys[i], "homeassistant")) {
                read_configuration(home, root);
                return;
            }
        each_section(home, root, false);
        return;
    }
    read_automations(home, root, 0);
}

static bool exists(struct home *home, const char *path)
{
    struct stat status;
    char *full = tac_format("%s/%s", home->library->folder, path);
    bool found = !stat(full, &status) && S_ISREG(status.st_mode);
    free(full);
    return found;
}

static bool has_automations(const struct tree_node *root)
{
    for (size_t i = 0; root->kind == TREE_MAP && i < root->count; i++)
        if (is_section(root->keys[i], "automation"))
            return true;
    return false;
}

/* Files with an automation section first: what they include is not read again by itself. */
static void read_loose_files(struct home *home, const char *const *paths, size_t count)
{
    for (int lists = 0; lists < 2; lists++)
        for (size_t i = 0; i < count; i++) {
            struct tree_node *root = tree_load(home->library, paths[i]);
            if (!root || home_get(home, root, "blueprint"))
                continue;
            bool list = looks_like_automation(home, root) ||
                        (root->kind == TREE_LIST && root->count &&
                         looks_like_automation(home, tree_resolve(home->library, root->at[0])));
            if (lists ? list && !home_is_included(home->library, root)
                      : !list && has_automations(root))
                read_root(home, root);
        }
}

static tac_status read_folder(struct home *home, tac_error *err)
{
    const char **paths, *configuration;
    size_t count = 0;
    if (!tree_list_folder(home->library, ".", &paths, &count))
        return TAC_OK;
    tac_status status = home_locate(home, paths, count, &configuration, err);
    if (status == TAC_OK && configuration) {
        struct tree_node *root = tree_load(home->library, configuration);
        home->configuration = root;
        if (root)
            read_configuration(home, root);
    }
    if (status == TAC_OK && !home->model->automations.count) {
        if (configuration)
            tac_diagnostics_add(home->library->diagnostics, TAC_WARNING, configuration, 0, 0,
                                "names no automations that can be read; every file that holds "
                                "automations was read instead");
        read_loose_files(home, paths, count);
    }
    return status;
}

/* Entities that the user interface knows: only with it an unknown name says something. */
static void read_storage(struct home *home)
{
    tac_json json = {0};
    size_t index;
    json_t *one;
    char *name = tac_format("%s.storage/core.entity_registry", home->base ? home->base : "");
    char *path = tac_format("%s/%s", home->library->folder, name);
    if (exists(home, name) && tac_json_load(path, 64 << 20, &json, NULL) == TAC_OK) {
        json_array_foreach(json_object_get(json_object_get(json.root, "data"), "entities"), index,
                           one)
        {
            const char *entity = json_string_value(json_object_get(one, "entity_id"));
            if (entity)
                tac_names_intern(&home->model->known_entities, entity);
        }
        home->model->knows_entities = home->model->known_entities.count > 0;
        tac_json_free(&json);
    }
    free(path);
    free(name);
}

/* Which automations automation.trigger runs: they are named by their alias. */
static void mark_called(struct home *home)
{
    for (size_t i = 0; home->called.count && i < home->model->automations.count; i++) {
        struct automation *a = &home->model->automations.at[i];
        char *name = a->alias ? tac_format("automation.%s", home_slug(home, a->alias)) : NULL;
        a->called = name && tac_names_find(&home->called, name) != TAC_NONE;
        free(name);
    }
}

tac_status home_read(tac_automation_model *model, const char *path, tac_error *err)
{
    struct home home = {.model = model, .library = &model->library};
    struct stat status;
    if (stat(path, &status))
        return tac_fail_errno(err, errno, path, "cannot be opened");
    char *folder = tac_strdup(path), *slash = strrchr(folder, '/');
    bool is_folder = S_ISDIR(status.st_mode);
    if (!is_folder && slash)
        slash[slash == folder] = '\0';
    tac_status code = tree_library_open(&model->library,
                                        is_folder ? path
                                        : slash   ? folder
                                                  : ".",
                                        model->diagnostics, err);
    if (code == TAC_OK && model->overlay_path) {
        model->library.overlay_path = model->overlay_path;
        model->library.overlay_text = model->overlay_text;
    }
    if (code == TAC_OK && is_folder) {
        code = read_folder(&home, err);
        read_storage(&home);
        if (model->knows_entities && home.configuration)
            home_defined(&home, home.configuration);
        model->knows_entities &= home.configuration != NULL;
        model->whole = !model->library.diagnostics || !model->library.diagnostics->count;
    } else if (code == TAC_OK) {
        struct tree_node *root = tree_load(&model->library, tac_base_name(path));
        if (root)
            read_root(&home, root);
    }
    mark_called(&home);
    home_plain_numbers(model);
    model_mention_aspects(model);
    domain_assign(model);
    tac_names_free(&home.script_names);
    tac_names_free(&home.scene_names);
    tac_names_free(&home.group_names);
    tac_names_free(&home.called);
    tac_vec_free(&home.script_nodes);
    tac_vec_free(&home.scene_nodes);
    tac_vec_free(&home.group_nodes);
    free(folder);
    return code;
}
