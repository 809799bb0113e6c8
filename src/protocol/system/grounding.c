/* Grounding by hash join (design: protocol.md, Engines 1).
 *
 * A rule's variables range over the values of the recording. The messages that its atoms match are
 * joined along the rule: an atom that must occur for the rule to fire narrows and extends the
 * bindings; alternatives of a '|' are united; atoms under '[*]' and '!' cannot narrow anything, so
 * a variable that only they hold takes every value seen there, or none. Each binding gives one
 * regular expression; an atom without a message under the binding is the empty language.
 *
 * Aliases are not multiplied out: of the names that stand for one alias only those that occur in
 * the recording are tried, and all others count as one. A set of 190 rules that would become 17,700
 * costs a few hundred joins. */
#include "protocol/system/grounding.h"
#include "base/check.h"
#include "base/data/str.h"
#include <string.h>

#define MAX_VARIABLES 32
#define MAX_ROWS ((size_t)2000000)

struct rows {
    size_t width;
    TAC_VEC(uint32_t) cells;
    tac_names seen;
};

struct ground_work {
    const struct spec_set *specs;
    const struct recording *recording;
    struct occurrence_index index;
    struct grounding *out;
    tac_names rule_keys; /* ground rules found so far */
    struct spec_inline rule;
    const struct spec_rule *source;
    u32_vec variables;
    struct atom_table *tables; /* per atom of the inlined rule */
    tac_watch *watch;
    tac_str scratch;
};

static void rows_free(struct rows *rows)
{
    tac_vec_free(&rows->cells);
    tac_names_free(&rows->seen);
}

static bool rows_add(struct rows *rows, const uint32_t *binding)
{
    if (!tac_names_add(&rows->seen, binding, rows->width * sizeof *binding))
        return true;
    assert(rows->cells.count == (rows->seen.count - 1) * rows->width);
    tac_vec_append(&rows->cells, binding, rows->width);
    return rows->seen.count <= MAX_ROWS;
}

static size_t rows_count(const struct rows *rows)
{
    return rows->seen.count;
}

/* With no variables there is one binding: the empty one. Cells are then never read. */
static const uint32_t *rows_at(const struct rows *rows, size_t i)
{
    assert(i < rows_count(rows));
    static const uint32_t none[1] = {TAC_NONE};
    return rows->width ? rows->cells.at + i * rows->width : none;
}

static tac_status too_many(const struct ground_work *w, tac_error *err)
{
    return tac_fail_at(err, TAC_E_LIMIT, w->specs->files.at[w->source->file], w->source->line,
                       w->source->column,
                       "this rule has more than %zu instances in %s: let its messages share "
                       "variables, or use '#' where the value does not matter",
                       MAX_ROWS, w->recording->name);
}

/* Extends each binding by the messages of one atom; with `optional`, bindings also stay as they
 * are, and only those that lack a variable of the atom are extended. */
static tac_status join_atom(struct ground_work *w, struct atom_table *table, bool optional,
                            const struct rows *in, struct rows *out, tac_error *err)
{
    uint32_t binding[MAX_VARIABLES + 1];
    for (size_t i = 0; i < rows_count(in); i++) {
        memcpy(binding, rows_at(in, i), in->width * sizeof *binding);
        if (optional) {
            bool complete = true;
            for (uint32_t v = 0; v < table->variable_count; v++)
                complete = complete && binding[table->variables[v]] != TAC_NONE;
            if (!rows_add(out, binding))
                return too_many(w, err);
            if (complete)
                continue;
        }
        const u32_vec *found = atom_table_find(table, binding);
        for (size_t k = 0; found && k < found->count; k++) {
            const uint32_t *values = (const uint32_t *)(const void *)table->rows.text[found->at[k]];
            memcpy(binding, rows_at(in, i), in->width * sizeof *binding);
            for (uint32_t v = 0; v < table->variable_count; v++)
                binding[table->variables[v]] = values[v];
            if (!rows_add(out, binding))
                return too_many(w, err);
        }
    }
    return TAC_OK;
}

static tac_status append_rows(struct ground_work *w, const struct rows *from, struct rows *to,
                              tac_error *err)
{
    for (size_t i = 0; i < rows_count(from); i++)
        if (!rows_add(to, rows_at(from, i)))
            return too_many(w, err);
    return TAC_OK;
}

/* The bindings under which everything that must occur in the tree does occur. */
static tac_status join_node(struct ground_work *w, uint32_t index, const struct rows *in,
                            struct rows *out, tac_error *err)
{
    const struct spec_node *node = &w->rule.nodes.at[index];
    tac_status status = TAC_OK;
    assert(index < w->rule.nodes.count && in->width == out->width);
    switch (node->kind) {
    case NODE_ATOM:
        return join_atom(w, &w->tables[node->left], false, in, out, err);
    case NODE_SEQ:
    case NODE_AND: {
        struct rows middle = {.width = in->width};
        status = join_node(w, node->left, in, &middle, err);
        if (status == TAC_OK)
            status = join_node(w, node->right, &middle, out, err);
        rows_free(&middle);
        return status;
    }
    case NODE_OR: {
        status = join_node(w, node->left, in, out, err);
        struct rows other = {.width = in->width};
        if (status == TAC_OK)
            status = join_node(w, node->right, in, &other, err);
        if (status == TAC_OK)
            status = append_rows(w, &other, out, err);
        rows_free(&other);
        return status;
    }
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NOT:
    case NODE_STAR:
    case NODE_NAME:
        return append_rows(w, in, out, err);
    }
    return TAC_OK;
}

/* The regular expression of the tree under a binding. */
static uint32_t instantiate(struct ground_work *w, uint32_t index, const uint32_t *binding)
{
    struct regex_store *regex = &w->out->regex;
    const struct spec_node *node = &w->rule.nodes.at[index];
    switch (node->kind) {
    case NODE_TRUE:
        return TERM_ANY;
    case NODE_FALSE:
    case NODE_NAME:
        return TERM_EMPTY;
    case NODE_ATOM: {
        struct atom_table *table = &w->tables[node->left];
        uint32_t row = atom_table_row(table, binding);
        assert(row == TAC_NONE || row < table->letters.count);
        if (row == TAC_NONE)
            return TERM_EMPTY;
        u32_vec *letters = &table->letters.at[row].letters;
        return regex_set(regex, letters->at, letters->count);
    }
    case NODE_SEQ: {
        uint32_t left = instantiate(w, node->left, binding);
        return left == TERM_EMPTY ? left
                                  : regex_seq(regex, left, instantiate(w, node->right, binding));
    }
    case NODE_AND: {
        uint32_t left = instantiate(w, node->left, binding);
        return left == TERM_EMPTY ? left
                                  : regex_and(regex, left, instantiate(w, node->right, binding));
    }
    case NODE_OR: {
        uint32_t left = instantiate(w, node->left, binding);
        return regex_or(regex, left, instantiate(w, node->right, binding));
    }
    case NODE_NOT:
        return regex_not(regex, instantiate(w, node->left, binding));
    case NODE_STAR:
        return regex_star(regex, instantiate(w, node->left, binding));
    }
    return TERM_EMPTY;
}

static void emit(struct ground_work *w, const uint32_t *binding)
{
    assert(w->source >= w->specs->rules.at);
    uint32_t body = instantiate(w, w->rule.body, binding);
    if (body == TERM_EMPTY)
        return;
    u32_vec targets = {0};
    uint32_t target = instantiate(w, w->rule.target, binding);
    regex_letters(&w->out->regex, target, &targets);
    for (size_t i = 0; i < targets.count; i++) {
        struct ground_rule rule = {.permits = w->source->permits,
                                   .term = body,
                                   .target = targets.at[i],
                                   .source = (uint32_t)(w->source - w->specs->rules.at)};
        uint32_t key[3] = {rule.permits, rule.term, rule.target};
        if (tac_names_add(&w->rule_keys, key, sizeof key))
            tac_vec_push(&w->out->rules, rule);
    }
    tac_vec_free(&targets);
}

/* All bindings for one choice of aliases (the tables are filled), and their ground rules. */
static tac_status ground_choice(struct ground_work *w, tac_error *err)
{
    assert(w->variables.count <= MAX_VARIABLES && w->tables);
    uint32_t free_binding[MAX_VARIABLES + 1];
    for (size_t i = 0; i <= MAX_VARIABLES; i++)
        free_binding[i] = TAC_NONE;
    struct rows current = {.width = w->variables.count}, next = {.width = w->variables.count};
    rows_add(&current, free_binding);
    tac_status status = join_node(w, w->rule.target, &current, &next, err);
    rows_free(&current);
    current = (struct rows){.width = w->variables.count};
    if (status == TAC_OK)
        status = join_node(w, w->rule.body, &next, &current, err);
    rows_free(&next);
    for (size_t a = 0; a < w->rule.atoms.count && status == TAC_OK && rows_count(&current); a++) {
        next = (struct rows){.width = w->variables.count};
        status = join_atom(w, &w->tables[a], true, &current, &next, err);
        rows_free(&current);
        current = next;
    }
    for (size_t i = 0; status == TAC_OK && i < rows_count(&current); i++)
        emit(w, rows_at(&current, i));
    rows_free(&current);
    return status;
}

static uint32_t atom_signature(struct ground_work *w, const struct spec_atom *atom,
                               const uint32_t *choice)
{
    tac_str_clear(&w->scratch);
    spec_signature(w->specs, atom, w->source, choice, &w->scratch);
    return tac_names_find_bytes(&w->recording->names, tac_str_text(&w->scratch), w->scratch.length);
}

static const struct occurrence_list *
atom_occurrences(struct ground_work *w, const struct spec_atom *atom, const uint32_t *choice)
{
    uint32_t signature = atom_signature(w, atom, choice);
    if (signature == TAC_NONE)
        return NULL;
    return occurrence_find(&w->index, atom->direction, signature, atom->param_count,
                           atom->has_result);
}

/* Does some message fit the atom with what is chosen for one alias, whatever the other alias in its
 * signature is? Of the two, one stands in the method and one in the return type. */
static bool may_occur(struct ground_work *w, const struct spec_atom *atom, uint32_t chosen,
                      uint32_t *choice)
{
    uint32_t method = spec_alias_of(w->specs, w->source, atom->method),
             result = spec_alias_of(w->specs, w->source, atom->return_type),
             other = method == chosen ? result : method;
    if (method != chosen && result != chosen)
        return false;
    if (other == chosen || other == TAC_NONE)
        return atom_occurrences(w, atom, choice) != NULL;
    uint32_t kept = choice[other],
             options = w->specs->aliases.at[w->source->first_alias + other].to_count;
    bool occurs = false;
    for (choice[other] = 0; choice[other] < options && !occurs; choice[other]++)
        occurs = atom_occurrences(w, atom, choice) != NULL;
    choice[other] = kept;
    return occurs;
}

/* Keeps for each alias the options under which some atom occurs, and one under which none does. */
static void useful_options(struct ground_work *w, u32_vec *options, uint32_t *choice)
{
    for (uint32_t i = 0; i < w->source->alias_count; i++) {
        const struct spec_alias *alias = &w->specs->aliases.at[w->source->first_alias + i];
        bool absent_kept = false;
        for (uint32_t o = 0; o < alias->to_count; o++) {
            uint32_t name = w->specs->alias_names.at[alias->first_to + o];
            bool repeated = false, occurs = false;
            for (uint32_t e = 0; e < o; e++)
                repeated = repeated || w->specs->alias_names.at[alias->first_to + e] == name;
            if (repeated)
                continue;
            choice[i] = o;
            for (size_t a = 0; a < w->rule.atoms.count && !occurs; a++)
                occurs = may_occur(w, &w->rule.atoms.at[a], i, choice);
            if (!occurs && absent_kept)
                continue;
            absent_kept = absent_kept || !occurs;
            tac_vec_push(&options[i], o);
        }
        choice[i] = 0;
    }
}

static void collect_variables(struct ground_work *w)
{
    w->variables.count = 0;
    for (size_t i = 0; i < w->rule.params.count + w->rule.atoms.count; i++) {
        const struct spec_param *p = i < w->rule.params.count
                                         ? &w->rule.params.at[i]
                                         : &w->rule.atoms.at[i - w->rule.params.count].result;
        bool known = p->kind != PARAM_VARIABLE;
        for (size_t k = 0; k < w->variables.count && !known; k++)
            known = w->variables.at[k] == p->name;
        if (!known)
            tac_vec_push(&w->variables, p->name);
    }
}

static tac_status ground_with(struct ground_work *w, const uint32_t *choice, tac_error *err)
{
    size_t atoms = w->rule.atoms.count;
    w->tables = tac_calloc(atoms + 1, sizeof *w->tables);
    for (size_t a = 0; a < atoms; a++)
        atom_table_build(w->recording, atom_occurrences(w, &w->rule.atoms.at[a], choice), w->specs,
                         &w->rule, &w->rule.atoms.at[a], &w->variables, &w->tables[a]);
    tac_status status = ground_choice(w, err);
    for (size_t a = 0; a < atoms; a++)
        atom_table_free(&w->tables[a]);
    free(w->tables);
    w->tables = NULL;
    return status;
}

static tac_status ground_rule(struct ground_work *w, tac_error *err)
{
    tac_status status = spec_inline_rule(w->specs, w->source, &w->rule, err);
    if (status != TAC_OK)
        return status;
    collect_variables(w);
    if (w->variables.count > MAX_VARIABLES)
        return tac_fail_at(err, TAC_E_LIMIT, w->specs->files.at[w->source->file], w->source->line,
                           w->source->column, "a rule with more than %d variables", MAX_VARIABLES);
    uint32_t aliases = w->source->alias_count;
    u32_vec *options = tac_calloc(aliases + 1, sizeof *options);
    uint32_t *choice = tac_calloc(aliases + 1, sizeof *choice);
    uint32_t *position = tac_calloc(aliases + 1, sizeof *position);
    useful_options(w, options, choice);
    for (bool more = true; more && status == TAC_OK;) {
        for (uint32_t i = 0; i < aliases; i++) {
            assert(position[i] < options[i].count);
            choice[i] = options[i].at[position[i]];
        }
        status = ground_with(w, aliases ? choice : NULL, err);
        more = false;
        for (uint32_t i = 0; i < aliases && !more; i++) {
            more = ++position[i] < options[i].count;
            if (!more)
                position[i] = 0;
        }
    }
    for (uint32_t i = 0; i < aliases; i++)
        tac_vec_free(&options[i]);
    free(options);
    free(choice);
    free(position);
    return status;
}

tac_status grounding_build(const struct spec_set *specs, const struct recording *recording,
                           bool with_tail, tac_watch *watch, struct grounding *out, tac_error *err)
{
    *out = (struct grounding){0};
    regex_init(&out->regex);
    struct ground_work w = {.specs = specs, .recording = recording, .out = out, .watch = watch};
    occurrence_index_build(recording, with_tail, &w.index);
    tac_status status = TAC_OK;
    for (size_t i = 0; i < specs->rules.count && status == TAC_OK; i++) {
        w.source = &specs->rules.at[i];
        status = ground_rule(&w, err);
        if (status == TAC_OK && !tac_watch_tick(watch, "grounding", i + 1, specs->rules.count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while grounding");
    }
    spec_inline_free(&w.rule);
    occurrence_index_free(&w.index);
    tac_names_free(&w.rule_keys);
    tac_vec_free(&w.variables);
    tac_str_free(&w.scratch);
    if (status != TAC_OK)
        grounding_free(out);
    return status;
}

void grounding_free(struct grounding *grounding)
{
    regex_free(&grounding->regex);
    tac_vec_free(&grounding->rules);
}
