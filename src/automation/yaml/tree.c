/* Reads YAML files with libyaml into trees. Aliases are shared, merge keys are merged, a ring of
 * anchors is refused. Cost: linear in the file. */
#include "automation/yaml/tree.h"
#include "base/check.h"
#include "base/data/vec.h"
#include "base/io/input.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <yaml.h>

enum {
    MOST_FILE_BYTES = 16 << 20,
    MOST_BYTES = 64 << 20,
    MOST_FILES = 20000,
    MOST_NODES = 2000000, /* of one file */
    MOST_DEPTH = 100,
    MOST_STEPS = 20000000 /* of all walks */
};

void tree_warn(struct tree_library *library, const struct tree_node *at, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tac_diagnostics_add(library->diagnostics, TAC_WARNING,
                        at ? library->files[at->file].path : library->folder, at ? at->line : 0, 0,
                        "%s", text);
}

bool tree_step(struct tree_library *library, const struct tree_node *at)
{
    if (library->steps < MOST_STEPS)
        return library->steps++, true;
    if (library->steps++ == MOST_STEPS)
        tree_warn(library, at,
                  "the aliases and includes expand to more than %d nodes; the rest is not read",
                  MOST_STEPS);
    return false;
}

tac_status tree_library_open(struct tree_library *library, const char *folder,
                             tac_diagnostics *diagnostics, tac_error *err)
{
    char real[PATH_MAX];
    memset(library, 0, sizeof *library);
    library->diagnostics = diagnostics;
    if (!realpath(folder, real))
        return tac_fail_errno(err, errno, folder, "cannot be opened");
    library->folder = tac_strdup(real);
    return TAC_OK;
}

void tree_library_close(struct tree_library *library)
{
    for (size_t i = 0; i < library->file_count; i++)
        free(library->files[i].includes);
    tac_arena_free(&library->arena);
    free(library->files);
    free(library->folder);
    memset(library, 0, sizeof *library);
}

/* One document being turned into a tree. */
struct composer {
    struct tree_library *library;
    yaml_document_t *document;
    struct tree_node **made; /* by libyaml's node number - 1; NULL: not yet */
    bool *open;              /* being made: an alias to it is a ring */
    uint32_t file;
    bool failed;
};

static void refuse(struct composer *c, size_t line, const char *message)
{
    if (!c->failed)
        tac_diagnostics_add(c->library->diagnostics, TAC_ERROR, c->library->files[c->file].path,
                            line, 0, "%s", message);
    c->failed = true;
}

static struct tree_node *compose(struct composer *c, int index, unsigned depth);

static void put(struct composer *c, struct tree_node *map, const char *key, uint32_t line,
                struct tree_node *value, bool keep)
{
    for (size_t i = 0; i < map->count; i++)
        if (!strcmp(map->keys[i], key)) {
            if (keep)
                return;
            tac_diagnostics_add(
                c->library->diagnostics, TAC_WARNING, c->library->files[c->file].path, line, 0,
                "'%s' stands at line %u already: only this one counts", key, map->key_lines[i]);
            map->at[i] = value, map->key_lines[i] = line;
            return;
        }
    map->keys[map->count] = key;
    map->key_lines[map->count] = line;
    map->at[map->count++] = value;
}

static size_t merged_pairs(const struct tree_node *node)
{
    size_t pairs = node->kind == TREE_MAP ? node->count : 0;
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++)
        pairs += node->at[i]->kind == TREE_MAP ? node->at[i]->count : 0;
    return pairs;
}

static void merge(struct composer *c, struct tree_node *map, const struct tree_node *from)
{
    for (size_t i = 0; i < from->count; i++)
        if (from->kind == TREE_MAP)
            put(c, map, from->keys[i], from->key_lines[i], from->at[i], true);
        else if (from->kind == TREE_LIST && from->at[i]->kind == TREE_MAP)
            merge(c, map, from->at[i]);
}

static void compose_map(struct composer *c, const yaml_node_t *source, struct tree_node *node,
                        unsigned depth)
{
    const yaml_node_pair_t *first = source->data.mapping.pairs.start;
    size_t pairs = (size_t)(source->data.mapping.pairs.top - first), room = pairs;
    struct tree_node **merged = tac_arena_calloc(&c->library->arena, pairs + 1, sizeof *merged);
    size_t merged_count = 0;
    for (size_t i = 0; i < pairs; i++) {
        const yaml_node_t *key = yaml_document_get_node(c->document, first[i].key);
        if (key->type == YAML_SCALAR_NODE && !strcmp((char *)key->data.scalar.value, "<<")) {
            merged[merged_count] = compose(c, first[i].value, depth + 1);
            room += merged_pairs(merged[merged_count++]);
        }
    }
    if (room > MOST_NODES) {
        refuse(c, node->line, "merge keys make a mapping of more than 2000000 pairs");
        return;
    }
    node->kind = TREE_MAP;
    node->keys = tac_arena_calloc(&c->library->arena, room + 1, sizeof *node->keys);
    node->key_lines = tac_arena_calloc(&c->library->arena, room + 1, sizeof *node->key_lines);
    node->at = tac_arena_calloc(&c->library->arena, room + 1, sizeof *node->at);
    for (size_t i = 0; i < pairs && !c->failed; i++) {
        const yaml_node_t *key = yaml_document_get_node(c->document, first[i].key);
        const char *name =
            key->type == YAML_SCALAR_NODE ? (const char *)key->data.scalar.value : "?";
        if (strcmp(name, "<<") != 0)
            put(c, node, tac_arena_strdup(&c->library->arena, name),
                (uint32_t)key->start_mark.line + 1, compose(c, first[i].value, depth + 1), false);
    }
    for (size_t i = 0; i < merged_count; i++)
        merge(c, node, merged[i]);
}

static void compose_list(struct composer *c, const yaml_node_t *source, struct tree_node *node,
                         unsigned depth)
{
    const yaml_node_item_t *first = source->data.sequence.items.start;
    size_t count = (size_t)(source->data.sequence.items.top - first);
    node->kind = TREE_LIST;
    node->at = tac_arena_calloc(&c->library->arena, count + 1, sizeof *node->at);
    for (size_t i = 0; i < count && !c->failed; i++)
        node->at[node->count++] = compose(c, first[i], depth + 1);
}

static bool is_null(const yaml_node_t *source)
{
    const char *text = (const char *)source->data.scalar.value;
    return source->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
           (!*text || !strcmp(text, "~") || !strcasecmp(text, "null"));
}

static struct tree_node *compose(struct composer *c, int index, unsigned depth)
{
    const yaml_node_t *source = yaml_document_get_node(c->document, index);
    struct tree_node **made = &c->made[index - 1];
    if (*made && c->open[index - 1])
        refuse(c, source->start_mark.line + 1, "an anchor contains an alias to itself");
    if (*made)
        return *made;
    struct tree_node *node = *made = tac_arena_calloc(&c->library->arena, 1, sizeof *node);
    node->file = c->file;
    node->line = (uint32_t)source->start_mark.line + 1;
    if (source->tag && source->tag[0] == '!' && source->tag[1])
        node->tag = tac_arena_strdup(&c->library->arena, (const char *)source->tag);
    if (depth > MOST_DEPTH) {
        refuse(c, node->line, "nested more than 100 levels deep");
        return node;
    }
    c->open[index - 1] = true;
    if (source->type == YAML_SCALAR_NODE) {
        node->kind = is_null(source) && !node->tag ? TREE_EMPTY : TREE_SCALAR;
        node->plain = source->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        node->text = tac_arena_strdup(&c->library->arena, (const char *)source->data.scalar.value);
    } else if (source->type == YAML_SEQUENCE_NODE) {
        compose_list(c, source, node, depth);
    } else if (source->type == YAML_MAPPING_NODE) {
        compose_map(c, source, node, depth);
    }
    c->open[index - 1] = false;
    return node;
}

/* A file that there was no memory for is not a file that is not YAML. */
static void check_memory(const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        tac_out_of_memory(0);
}

/* The same of a document that was not loaded: where there is no memory for a node's tag, libyaml
 * fails without saying why. */
static void check_load_memory(const yaml_parser_t *parser)
{
    check_memory(parser);
    if (parser->error == YAML_NO_ERROR)
        tac_out_of_memory(0);
}

/* The line at which the file is nested too deeply, 0 when it is not. libyaml's composing takes time
 * that grows with the square of the depth; its events do not. */
static size_t line_too_deep(const char *text, size_t size)
{
    yaml_parser_t parser;
    size_t line = 0;
    if (!yaml_parser_initialize(&parser))
        tac_out_of_memory(sizeof parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    yaml_event_t event;
    bool go_on = true;
    for (unsigned depth = 0; go_on && yaml_parser_parse(&parser, &event);) {
        bool opens =
            event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
        bool closes = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
        depth = depth + opens - closes;
        if (depth > MOST_DEPTH + 2) /* compose tells exactly */
            line = event.start_mark.line + 1;
        go_on = !line && event.type != YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    check_memory(&parser);
    yaml_parser_delete(&parser);
    return line;
}

/* A file is one document; what follows it is told. */
static void tell_more(struct tree_library *library, uint32_t file, yaml_parser_t *parser)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        check_load_memory(parser);
        return;
    }
    if (yaml_document_get_root_node(&next))
        tac_diagnostics_add(library->diagnostics, TAC_WARNING, library->files[file].path,
                            next.start_mark.line + 1, 0,
                            "a second document begins here: only the first is read");
    yaml_document_delete(&next);
}

static struct tree_node *parse(struct tree_library *library, uint32_t file, const char *text,
                               size_t size)
{
    struct tree_node *root = NULL;
    yaml_parser_t parser;
    yaml_document_t document;
    size_t too_deep = line_too_deep(text, size);
    if (too_deep) {
        tac_diagnostics_add(library->diagnostics, TAC_ERROR, library->files[file].path, too_deep, 0,
                            "nested more than %d levels deep", MOST_DEPTH);
        return NULL;
    }
    if (!yaml_parser_initialize(&parser))
        tac_out_of_memory(sizeof parser);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    if (!yaml_parser_load(&parser, &document)) {
        check_load_memory(&parser);
        tac_diagnostics_add(library->diagnostics, TAC_ERROR, library->files[file].path,
                            parser.problem_mark.line + 1, parser.problem_mark.column + 1,
                            "not YAML: %s; this file is left out",
                            parser.problem ? parser.problem : "cannot be read");
        yaml_parser_delete(&parser);
        return NULL;
    }
    size_t nodes = (size_t)(document.nodes.top - document.nodes.start);
    struct composer c = {.library = library, .document = &document, .file = file};
    if (nodes > MOST_NODES) {
        refuse(&c, 1, "more than 2000000 nodes; this file is left out");
    } else if (nodes) {
        c.made = tac_calloc(nodes, sizeof *c.made);
        c.open = tac_calloc(nodes, sizeof *c.open);
        root = compose(&c, 1, 0);
    } else {
        root = tac_arena_calloc(&library->arena, 1, sizeof *root);
        root->file = file, root->line = 1;
    }
    free(c.made);
    free(c.open);
    yaml_document_delete(&document);
    tell_more(library, file, &parser);
    yaml_parser_delete(&parser);
    return c.failed ? NULL : root;
}

bool tree_inside(const struct tree_library *library, const char *path, char real[PATH_MAX])
{
    char *joined = tac_format("%s/%s", library->folder, path);
    bool found = realpath(joined, real) != NULL;
    size_t length = strlen(library->folder);
    free(joined);
    assert(library->folder[0] == '/');
    return found && !strncmp(real, library->folder, length) &&
           (length == 1 || !real[length] || real[length] == '/');
}

static struct tree_node *read_file(struct tree_library *library, uint32_t file, const char *path)
{
    char real[PATH_MAX], *text = NULL;
    size_t size = 0;
    tac_error err = {0};
    struct stat status;
    if (library->overlay_path && !strcmp(path, library->overlay_path))
        return parse(library, file, library->overlay_text, strlen(library->overlay_text));
    if (!tree_inside(library, path, real) || stat(real, &status) || !S_ISREG(status.st_mode)) {
        tac_diagnostics_add(library->diagnostics, TAC_WARNING, path, 0, 0,
                            "is not a file of this folder; left out");
        return NULL;
    }
    if (tac_input_slurp(real, MOST_FILE_BYTES, &text, &size, &err)) {
        tac_diagnostics_add(library->diagnostics, TAC_ERROR, path, 0, 0, "%s", err.message);
        return NULL;
    }
    struct tree_node *root = NULL;
    library->bytes += size;
    if (library->bytes > MOST_BYTES)
        tac_diagnostics_add(library->diagnostics, TAC_ERROR, path, 0, 0,
                            "the configuration has more than 64 MB; this file is left out");
    else
        root = parse(library, file, text, size);
    free(text);
    return root;
}

static uint32_t file_of(struct tree_library *library, const char *path)
{
    while (!strncmp(path, "./", 2))
        path += 2;
    for (size_t i = 0; i < library->file_count; i++)
        if (!strcmp(library->files[i].path, path))
            return (uint32_t)i;
    if (library->file_count >= MOST_FILES)
        return TAC_NONE;
    if (library->file_count == library->file_capacity) {
        library->file_capacity =
            tac_vec_next_capacity(library->file_capacity, library->file_count + 1);
        library->files =
            tac_realloc(library->files, library->file_capacity, sizeof *library->files);
    }
    uint32_t file = (uint32_t)library->file_count++;
    library->files[file] = (struct tree_file){.path = tac_arena_strdup(&library->arena, path)};
    struct tree_node *root = read_file(library, file, library->files[file].path);
    library->files[file].root = root;
    return file;
}

struct tree_node *tree_load(struct tree_library *library, const char *path)
{
    uint32_t file = file_of(library, path);
    return file == TAC_NONE ? NULL : library->files[file].root;
}

/* Whether `to` is among what `from` includes, directly or through others. */
static bool reaches(const struct tree_library *library, uint32_t from, uint32_t to, bool *seen)
{
    if (from == to)
        return true;
    seen[from] = true;
    for (size_t i = 0; i < library->files[from].include_count; i++) {
        uint32_t next = library->files[from].includes[i];
        if (!seen[next] && reaches(library, next, to, seen))
            return true;
    }
    return false;
}

struct tree_node *tree_include(struct tree_library *library, uint32_t from, const char *path)
{
    uint32_t file = file_of(library, path);
    assert(from < library->file_count);
    if (file == TAC_NONE)
        return NULL;
    struct tree_file *own = &library->files[from];
    for (size_t i = 0; i < own->include_count; i++)
        if (own->includes[i] == file)
            return library->files[file].root;
    bool *seen = tac_calloc(library->file_count, sizeof *seen);
    bool ring = reaches(library, file, from, seen);
    free(seen);
    if (ring) {
        tac_diagnostics_add(library->diagnostics, TAC_ERROR, own->path, 0, 0,
                            "includes '%s', which includes it again; left out", path);
        return NULL;
    }
    if (own->include_count == own->include_capacity) {
        own->include_capacity =
            tac_vec_next_capacity(own->include_capacity, own->include_count + 1);
        own->includes = tac_realloc(own->includes, own->include_capacity, sizeof *own->includes);
    }
    own->includes[own->include_count++] = file;
    return library->files[file].root;
}

struct tree_node *tree_get(struct tree_library *library, const struct tree_node *map,
                           const char *key)
{
    for (size_t i = 0; map && map->kind == TREE_MAP && i < map->count; i++)
        if (!strcmp(map->keys[i], key))
            return tree_resolve(library, map->at[i]);
    return NULL;
}

struct tree_node *tree_get2(struct tree_library *library, const struct tree_node *map,
                            const char *key, const char *other)
{
    struct tree_node *node = tree_get(library, map, key);
    return node ? node : tree_get(library, map, other);
}

static int boolean_word(const char *text)
{
    static const char *const words[][2] = {{"off", "on"}, {"no", "yes"}, {"false", "true"}};
    for (size_t i = 0; i < 3; i++)
        for (int value = 0; value < 2; value++)
            if (!strcasecmp(text, words[i][value]))
                return value;
    return -1;
}

const char *tree_text(const struct tree_node *node)
{
    if (!node || node->kind != TREE_SCALAR)
        return NULL;
    int word = node->plain ? boolean_word(node->text) : -1;
    return word < 0 ? node->text : word ? "on" : "off";
}

int tree_boolean(const struct tree_node *node)
{
    return node && node->kind == TREE_SCALAR ? boolean_word(node->text) : -1;
}
