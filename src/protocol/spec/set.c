/* A set of rule files read together: files and lists, resolution of names, rules with their named
 * expressions put in place, and their text.
 *
 * Names resolve after the last file: a file may use what a later one defines. A use of a name that
 * reaches itself is an error. */
#include "base/check.h"
#include "base/data/text.h"
#include "base/io/input.h"
#include "protocol/spec/spec.h"
#include <string.h>

void spec_free(struct spec_set *set)
{
    for (size_t i = 0; i < set->files.count; i++)
        free(set->files.at[i]);
    free(set->left_out);
    tac_names_free(&set->names);
    tac_vec_free(&set->files);
    tac_vec_free(&set->nodes);
    tac_vec_free(&set->atoms);
    tac_vec_free(&set->params);
    tac_vec_free(&set->uses);
    tac_vec_free(&set->named);
    tac_vec_free(&set->aliases);
    tac_vec_free(&set->alias_names);
    tac_vec_free(&set->rules);
    tac_vec_free(&set->lifecycles);
    tac_vec_free(&set->lifecycle_names);
    tac_vec_free(&set->lifecycle_methods);
    tac_diagnostics_free(&set->diagnostics);
    *set = (struct spec_set){0};
}

tac_status spec_add_file(struct spec_set *set, const char *path, tac_error *err)
{
    char *text = NULL;
    size_t size = 0;
    tac_status status = tac_input_slurp(path, SPEC_MAX_FILE, &text, &size, err);
    if (status != TAC_OK)
        return status;
    spec_add_text(set, path, text, size);
    free(text);
    return TAC_OK;
}

/* root/relative, or relative itself when it is absolute; the caller's. */
static char *join_path(const char *root, size_t root_length, const char *relative)
{
    if (*relative == '/')
        return tac_strdup(relative);
    if (!root_length)
        return tac_strdup(relative);
    return tac_format("%.*s/%s", (int)root_length, root, relative);
}

/* The parent of the folder that holds the list: "sets/x.txt" -> ".", "a/sets/x.txt" -> "a". */
static char *default_root(const char *list)
{
    const char *slash = strrchr(list, '/');
    if (!slash)
        return tac_strdup("..");
    size_t length = (size_t)(slash - list);
    while (length && list[length - 1] != '/')
        length--;
    if (!length)
        return tac_strdup(".");
    while (length > 1 && list[length - 1] == '/')
        length--;
    return tac_strndup(list, length);
}

tac_status spec_add_list(struct spec_set *set, const char *list, const char *root, tac_error *err)
{
    tac_input *input = NULL;
    tac_status status = tac_input_open(list, &input, err);
    if (status != TAC_OK)
        return status;
    char *folder = root ? tac_strdup(root) : default_root(list);
    size_t files = 0;
    for (;;) {
        char *line;
        size_t length;
        status = tac_input_line(input, 4096, &line, &length, err);
        if (status != TAC_OK || !line)
            break;
        size_t mark = tac_input_line_number(input) == 1 ? tac_byte_order_mark(line, length) : 0;
        line += mark;
        length -= mark;
        while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
            line[--length] = 0;
        while (*line == ' ' || *line == '\t')
            line++;
        if (!*line || *line == '#')
            continue;
        char *path = join_path(folder, strlen(folder), line);
        status = spec_add_file(set, path, err);
        if (status != TAC_OK && err)
            tac_fail_at(err, err->status, list, tac_input_line_number(input), 0,
                        "cannot read the rule file %s (paths are relative to %s)", path, folder);
        free(path);
        files++;
        if (status != TAC_OK)
            break;
    }
    free(folder);
    if (status == TAC_OK && !files)
        status = tac_fail_at(err, TAC_E_INPUT, list, 0, 0,
                             "the list names no rule file: write one path per line");
    tac_input_close(input);
    return status;
}

/* The definition that a use means, or NULL. */
static struct spec_named *spec_definition(const struct spec_set *set, const struct spec_use *use)
{
    for (size_t i = set->named.count; i-- > 0;) {
        struct spec_named *n = &set->named.at[i];
        if (!n->replaced && n->name == use->name && n->param_count == use->param_count)
            return n;
    }
    return NULL;
}

static void report_unknown(struct spec_set *set, const struct spec_node *node, const char *file)
{
    const struct spec_use *use = &set->uses.at[node->left];
    TAC_VEC(const char *) candidates = {0};
    const char *name = set->names.text[use->name];
    bool other_arity = false;
    for (size_t i = 0; i < set->named.count; i++) {
        tac_vec_push(&candidates, set->names.text[set->named.at[i].name]);
        other_arity = other_arity || set->named.at[i].name == use->name;
    }
    tac_diagnostics_add(&set->diagnostics, TAC_ERROR, file, node->line, node->column,
                        "no REGEXP %s with %u parameter%s%s", name, use->param_count,
                        use->param_count == 1 ? "" : "s",
                        other_arity ? " (there is one with another number of parameters)"
                                    : tac_meant(name, candidates.at, candidates.count).text);
    tac_vec_free(&candidates);
}

/* Walks a tree; true when every use is defined. Marks definitions as used. `file` names the place.
 */
struct resolver {
    struct spec_set *set;
    uint8_t *state; /* per definition: 0 new, 1 open, 2 done */
};

static void resolve(struct resolver *r, uint32_t root, const char *file)
{
    struct spec_set *set = r->set;
    TAC_VEC(uint32_t) stack = {0};
    tac_vec_push(&stack, root);
    while (stack.count) {
        struct spec_node node = set->nodes.at[tac_vec_pop(&stack)];
        if (node_operands(node.kind) > 1)
            tac_vec_push(&stack, node.right);
        if (node_operands(node.kind) > 0)
            tac_vec_push(&stack, node.left);
        if (node.kind == NODE_NAME) {
            struct spec_named *definition = spec_definition(set, &set->uses.at[node.left]);
            if (!definition) {
                report_unknown(set, &node, file);
                continue;
            }
            size_t index = (size_t)(definition - set->named.at);
            definition->used = true;
            if (r->state[index] == 1) {
                tac_diagnostics_add(&set->diagnostics, TAC_ERROR, file, node.line, node.column,
                                    "REGEXP %s is defined in terms of itself",
                                    set->names.text[definition->name]);
                r->state[index] = 2;
            } else if (r->state[index] == 0) {
                r->state[index] = 1;
                resolve(r, definition->body, set->files.at[definition->file]);
                r->state[index] = 2;
            }
        }
    }
    tac_vec_free(&stack);
}

tac_status spec_finish(struct spec_set *set, tac_error *err)
{
    struct resolver r = {.set = set, .state = tac_calloc(set->named.count + 1, 1)};
    if (set->named.count <= 10000) /* resolve recurses once per definition */
        for (size_t i = 0; i < set->rules.count; i++) {
            const struct spec_rule *rule = &set->rules.at[i];
            resolve(&r, rule->body, set->files.at[rule->file]);
            resolve(&r, rule->target, set->files.at[rule->file]);
        }
    free(r.state);
    if (set->named.count > 10000) {
        const struct spec_named *first_too_many = &set->named.at[10000];
        return tac_fail_at(err, TAC_E_LIMIT, set->files.at[first_too_many->file],
                           first_too_many->line, first_too_many->column,
                           "more than 10,000 REGEXP definitions");
    }
    tac_status status = tac_diagnostics_fail(&set->diagnostics, err);
    if (status == TAC_OK && !set->rules.count)
        return tac_fail_at(err, TAC_E_INPUT, set->files.count ? set->files.at[0] : "", 0, 0,
                           "no SPEC in the rule files");
    return status;
}

/* Putting named expressions in place: a binding of formal to actual parameters per use. */
struct inline_frame {
    const struct spec_named *definition; /* NULL: the rule itself */
    uint32_t actual;                     /* first actual parameter, in out->params */
};

struct inliner {
    const struct spec_set *set;
    struct spec_inline *out;
    bool too_large;
};

static struct spec_param bind(const struct inliner *in, const struct inline_frame *frame,
                              struct spec_param param)
{
    if (param.kind != PARAM_VARIABLE || !frame->definition)
        return param;
    const struct spec_named *d = frame->definition;
    for (uint32_t i = 0; i < d->param_count; i++)
        if (in->set->params.at[d->first_param + i].name == param.name)
            return in->out->params.at[frame->actual + i];
    return param;
}

static uint32_t copy_params(struct inliner *in, const struct inline_frame *frame, uint32_t first,
                            uint32_t count)
{
    uint32_t start = (uint32_t)in->out->params.count;
    assert(first + count <= in->set->params.count);
    for (uint32_t i = 0; i < count; i++) {
        struct spec_param param = bind(in, frame, in->set->params.at[first + i]);
        tac_vec_push(&in->out->params, param);
    }
    return start;
}

static uint32_t inline_node(struct inliner *in, const struct inline_frame *frame, uint32_t index)
{
    struct spec_node node = in->set->nodes.at[index];
    assert(index < in->set->nodes.count);
    if (in->too_large || in->out->nodes.count >= SPEC_MAX_NODES) {
        in->too_large = true;
        return 0;
    }
    if (node.kind == NODE_NAME) {
        const struct spec_use *use = &in->set->uses.at[node.left];
        struct inline_frame inner = {.definition = spec_definition(in->set, use)};
        assert(inner.definition); /* spec_finish has resolved every use */
        inner.actual = copy_params(in, frame, use->first_param, use->param_count);
        return inline_node(in, &inner, inner.definition->body);
    }
    if (node.kind == NODE_ATOM) {
        struct spec_atom atom = in->set->atoms.at[node.left];
        if (atom.has_result)
            atom.result = bind(in, frame, atom.result);
        atom.first_param = copy_params(in, frame, atom.first_param, atom.param_count);
        node.left = (uint32_t)in->out->atoms.count;
        tac_vec_push(&in->out->atoms, atom);
    } else if (node_operands(node.kind)) {
        uint32_t left = inline_node(in, frame, node.left);
        if (node_operands(node.kind) > 1)
            node.right = inline_node(in, frame, node.right);
        node.left = left;
    }
    tac_vec_push(&in->out->nodes, node);
    return (uint32_t)in->out->nodes.count - 1;
}

tac_status spec_inline_rule(const struct spec_set *set, const struct spec_rule *rule,
                            struct spec_inline *out, tac_error *err)
{
    out->nodes.count = out->atoms.count = out->params.count = 0;
    struct inliner in = {.set = set, .out = out};
    struct inline_frame frame = {0};
    out->body = inline_node(&in, &frame, rule->body);
    out->target = inline_node(&in, &frame, rule->target);
    if (in.too_large)
        return tac_fail_at(err, TAC_E_LIMIT, set->files.at[rule->file], rule->line, rule->column,
                           "this rule has more than %d parts once its REGEXPs are put in place",
                           SPEC_MAX_NODES);
    return TAC_OK;
}

void spec_inline_free(struct spec_inline *rule)
{
    tac_vec_free(&rule->nodes);
    tac_vec_free(&rule->atoms);
    tac_vec_free(&rule->params);
}

/* How much of `name` the alias stands for: all of it, its class part, or nothing (0). */
static size_t alias_covers(const struct spec_set *set, const struct spec_alias *alias,
                           uint32_t name)
{
    assert(name < set->names.count && alias->from < set->names.count);
    const char *text = set->names.text[name];
    size_t length = set->names.length[name], from = set->names.length[alias->from];
    if (from > length || memcmp(text, set->names.text[alias->from], from))
        return 0;
    if (from == length)
        return from;
    bool class_part = text[from] == '.' && !memchr(text + from + 1, '.', length - from - 1);
    return class_part ? from : 0;
}

bool spec_alias_touches(const struct spec_set *set, const struct spec_alias *alias,
                        const struct spec_atom *atom)
{
    return alias_covers(set, alias, atom->method) || alias_covers(set, alias, atom->return_type);
}

uint32_t spec_alias_of(const struct spec_set *set, const struct spec_rule *rule, uint32_t name)
{
    for (uint32_t i = 0; i < rule->alias_count; i++)
        if (alias_covers(set, &set->aliases.at[rule->first_alias + i], name))
            return i;
    return TAC_NONE;
}

/* Appends `name` with the chosen alias in place of what it covers. */
static void add_aliased(const struct spec_set *set, uint32_t name, const struct spec_rule *rule,
                        const uint32_t *choice, tac_str *out)
{
    uint32_t i = choice ? spec_alias_of(set, rule, name) : TAC_NONE;
    if (i == TAC_NONE) {
        tac_str_add(out, set->names.text[name]);
        return;
    }
    const struct spec_alias *alias = &set->aliases.at[rule->first_alias + i];
    assert(choice[i] < alias->to_count);
    tac_str_add(out, set->names.text[set->alias_names.at[alias->first_to + choice[i]]]);
    tac_str_add(out, set->names.text[name] + alias_covers(set, alias, name));
}

void spec_signature(const struct spec_set *set, const struct spec_atom *atom,
                    const struct spec_rule *rule, const uint32_t *choice, tac_str *out)
{
    add_aliased(set, atom->return_type, rule, choice, out);
    tac_str_add_char(out, ' ');
    add_aliased(set, atom->method, rule, choice, out);
    tac_str_add_char(out, '(');
    tac_str_add(out, set->names.text[atom->types]);
    tac_str_add_char(out, ')');
}
