/* Grounding by brute force, for the certificate checker.
 *
 * Every combination of aliases; every variable tried with each value found at its place in some
 * message that fits an atom's name and constants, and with none. A combination counts when what
 * must occur does occur (three-valued while variables are open, to cut hopeless branches early). */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "protocol/check/check.h"
#include <string.h>

#define MAX_VARIABLES 32
#define MAX_TRIES ((uint64_t)200000000)

enum truth { NO, YES, OPEN };

/* A message that fits an atom: the letter, and the value at each of the atom's variables. */
struct fit {
    uint32_t letter;
    uint32_t first; /* in atom_fits.values */
};

struct atom_fits {
    check_vec variables; /* rule variables at result and parameters, in order; TAC_NONE = fixed */
    TAC_VEC(struct fit) fits;
    check_vec values;
};

struct brute {
    const struct spec_set *specs;
    const struct recording *recording;
    const struct spec_rule *source;
    struct spec_inline rule;
    uint32_t choice[64];
    check_vec variables;             /* names */
    check_vec domain[MAX_VARIABLES]; /* values to try */
    uint32_t value[MAX_VARIABLES];   /* TAC_NONE = no value; only the first `open` are set */
    uint32_t set_count;
    struct atom_fits *atoms;
    struct check_rules *out;
    check_vec *named; /* by name of the recording: its messages, in their order */
    uint64_t tries;
    tac_str scratch;
};

static const struct spec_param *atom_param(const struct brute *b, const struct spec_atom *atom,
                                           uint32_t i)
{
    assert(i < atom->param_count + atom->has_result);
    return i < atom->param_count ? &b->rule.params.at[atom->first_param + i] : &atom->result;
}

static uint32_t variable_of(const struct brute *b, const struct spec_param *param)
{
    if (param->kind == PARAM_VARIABLE)
        for (uint32_t v = 0; v < b->variables.count; v++)
            if (b->variables.at[v] == param->name)
                return v;
    return TAC_NONE;
}

static bool constant_fits(const struct brute *b, const struct spec_param *param, struct value value)
{
    if (param->kind == PARAM_NULL)
        return value.identity == IDENTITY_NULL;
    if (param->kind != PARAM_CONSTANT)
        return true;
    return value.identity != IDENTITY_NULL &&
           !strcmp(b->recording->names.text[value.identity], b->specs->names.text[param->name]);
}

/* A call goes by the method's name where the app calls, and by those that it overrides. */
static void add_named(struct brute *b, uint32_t name, uint32_t message)
{
    assert(name < b->recording->names.count);
    check_vec *named = &b->named[name];
    if (!named->count || tac_vec_last(named) != message)
        tac_vec_push(named, message);
}

static void index_messages(struct brute *b)
{
    const struct recording *r = b->recording;
    b->named = tac_calloc(r->names.count + 1, sizeof *b->named);
    for (uint32_t i = 0; i < r->messages.count; i++) {
        const struct call *call = &r->calls.at[r->messages.at[i].call];
        if (call->kind == CALLIN)
            add_named(b, call->signature, i);
        for (uint32_t k = 0; k < call->override_count; k++)
            add_named(b, r->overrides.at[call->first_override + k], i);
    }
}

static void forget_messages(struct brute *b)
{
    for (size_t i = 0; i < b->recording->names.count; i++)
        tac_vec_free(&b->named[i]);
    free(b->named);
}

/* The message is one of the atom's name. */
static bool message_fits(const struct brute *b, const struct spec_atom *atom,
                         const struct message *m)
{
    const struct recording *r = b->recording;
    const struct call *call = &r->calls.at[m->call];
    bool has_result = m->is_exit && call->has_result;
    if (direction_of(call->kind, m->is_exit) != atom->direction ||
        call->value_count != atom->param_count || has_result != atom->has_result)
        return false;
    for (uint32_t i = 0; i < atom->param_count; i++)
        if (!constant_fits(b, atom_param(b, atom, i), r->values.at[call->first_value + i]))
            return false;
    return !atom->has_result || constant_fits(b, &atom->result, call->result);
}

/* All messages that fit an atom; the same letter with the same values once. */
static void find_fits(struct brute *b, const struct spec_atom *atom, struct atom_fits *out)
{
    const struct recording *r = b->recording;
    tac_str_clear(&b->scratch);
    spec_signature(b->specs, atom, b->source, b->source->alias_count ? b->choice : NULL,
                   &b->scratch);
    uint32_t name = tac_names_find(&r->names, tac_str_text(&b->scratch));
    uint32_t places = atom->param_count + atom->has_result;
    for (uint32_t i = 0; i < places; i++)
        tac_vec_push(&out->variables, variable_of(b, atom_param(b, atom, i)));
    tac_names seen = {0};
    for (size_t i = 0; name != TAC_NONE && i < b->named[name].count; i++) {
        const struct message *m = &r->messages.at[b->named[name].at[i]];
        if (!message_fits(b, atom, m))
            continue;
        const struct call *call = &r->calls.at[m->call];
        struct fit fit = {.letter = m->letter, .first = (uint32_t)out->values.count};
        tac_vec_push(&out->values, m->letter);
        for (uint32_t k = 0; k < places; k++)
            tac_vec_push(&out->values, k < atom->param_count
                                           ? r->values.at[call->first_value + k].whole
                                           : call->result.whole);
        if (!tac_names_add(&seen, out->values.at + fit.first, (places + 1) * sizeof(uint32_t))) {
            out->values.count = fit.first;
            continue;
        }
        fit.first++;
        tac_vec_push(&out->fits, fit);
    }
    tac_names_free(&seen);
}

static void add_domain(check_vec *domain, uint32_t value)
{
    for (size_t i = 0; i < domain->count; i++)
        if (domain->at[i] == value)
            return;
    tac_vec_push(domain, value);
}

/* Does the message agree with the values given so far? OPEN when some variable has none yet. */
static enum truth agrees(const struct brute *b, const struct atom_fits *fits, const struct fit *fit)
{
    enum truth truth = YES;
    for (size_t k = 0; k < fits->variables.count; k++) {
        uint32_t v = fits->variables.at[k];
        if (v == TAC_NONE)
            continue;
        if (v >= b->set_count) {
            /* The same open variable twice in one atom must have one value. */
            for (size_t e = 0; e < k; e++)
                if (fits->variables.at[e] == v &&
                    fits->values.at[fit->first + e] != fits->values.at[fit->first + k])
                    return NO;
            truth = OPEN;
        } else if (b->value[v] != fits->values.at[fit->first + k]) {
            return NO;
        }
    }
    return truth;
}

static enum truth atom_occurs(const struct brute *b, const struct atom_fits *fits)
{
    enum truth best = NO;
    for (size_t i = 0; i < fits->fits.count && best != YES; i++) {
        enum truth truth = agrees(b, fits, &fits->fits.at[i]);
        if (truth != NO)
            best = truth;
    }
    return best;
}

/* Does what must occur in the tree occur? Atoms under '[*]' and '!' need not. */
static enum truth must(const struct brute *b, uint32_t index)
{
    const struct spec_node *node = &b->rule.nodes.at[index];
    assert(index < b->rule.nodes.count);
    if (node->kind == NODE_ATOM)
        return atom_occurs(b, &b->atoms[node->left]);
    if (node->kind != NODE_SEQ && node->kind != NODE_AND && node->kind != NODE_OR)
        return YES;
    enum truth left = must(b, node->left), right = must(b, node->right);
    if (node->kind == NODE_OR)
        return left == YES || right == YES ? YES : left == NO && right == NO ? NO : OPEN;
    return left == NO || right == NO ? NO : left == YES && right == YES ? YES : OPEN;
}

static struct check_tree *new_tree(struct brute *b, enum node_kind kind)
{
    struct check_tree *tree = tac_arena_calloc(&b->out->arena, 1, sizeof *tree);
    tree->kind = kind;
    return tree;
}

/* The letters of an atom under the present values. */
static struct check_tree *atom_tree(struct brute *b, const struct atom_fits *fits)
{
    check_vec letters = {0};
    for (size_t i = 0; i < fits->fits.count; i++)
        if (agrees(b, fits, &fits->fits.at[i]) == YES)
            tac_vec_push(&letters, fits->fits.at[i].letter);
    struct check_tree *tree = new_tree(b, letters.count ? NODE_ATOM : NODE_FALSE);
    uint32_t *copy = tac_arena_alloc(&b->out->arena, (letters.count + 1) * sizeof *copy);
    if (letters.count)
        memcpy(copy, letters.at, letters.count * sizeof *copy);
    tree->letters = copy;
    tree->letter_count = letters.count;
    if (letters.count) { /* sorted, once each */
        check_vec sorted = {0};
        check_tree_letters(tree, &sorted);
        memcpy(copy, sorted.at, sorted.count * sizeof *copy);
        tree->letter_count = sorted.count;
        tac_vec_free(&sorted);
    }
    tac_vec_free(&letters);
    return tree;
}

static struct check_tree *build_tree(struct brute *b, uint32_t index)
{
    const struct spec_node *node = &b->rule.nodes.at[index];
    assert(index < b->rule.nodes.count);
    if (node->kind == NODE_ATOM)
        return atom_tree(b, &b->atoms[node->left]);
    struct check_tree *tree = new_tree(b, node->kind);
    if (node->kind == NODE_TRUE || node->kind == NODE_FALSE)
        return tree;
    tree->left = build_tree(b, node->left);
    if (node->kind == NODE_SEQ || node->kind == NODE_AND || node->kind == NODE_OR)
        tree->right = build_tree(b, node->right);
    return tree;
}

static void tree_text(const struct check_tree *tree, tac_str *out)
{
    tac_str_addf(out, "(%d", (int)tree->kind);
    for (size_t i = 0; i < tree->letter_count; i++)
        tac_str_addf(out, " %u", tree->letters[i]);
    if (tree->left)
        tree_text(tree->left, out);
    if (tree->right)
        tree_text(tree->right, out);
    tac_str_add_char(out, ')');
}

static void emit(struct brute *b)
{
    assert(b->set_count == b->variables.count);
    struct check_tree *body = build_tree(b, b->rule.body);
    struct check_tree *target = build_tree(b, b->rule.target);
    check_vec targets = {0};
    check_tree_letters(target, &targets);
    for (size_t i = 0; i < targets.count; i++) {
        tac_str_clear(&b->scratch);
        tac_str_addf(&b->scratch, "%d %u ", b->source->permits, targets.at[i]);
        tree_text(body, &b->scratch);
        if (!tac_names_add(&b->out->keys, tac_str_text(&b->scratch), b->scratch.length))
            continue;
        struct check_rule rule = {.body = body,
                                  .permits = b->source->permits,
                                  .target = targets.at[i],
                                  .source = (uint32_t)(b->source - b->specs->rules.at)};
        tac_vec_push(&b->out->rules, rule);
    }
    tac_vec_free(&targets);
}

static bool try_values(struct brute *b)
{
    if (++b->tries > MAX_TRIES)
        return false;
    enum truth target = must(b, b->rule.target);
    if (target == NO || must(b, b->rule.body) == NO)
        return true;
    if (b->set_count == b->variables.count) {
        emit(b);
        return true;
    }
    uint32_t v = b->set_count++;
    bool fine = true;
    for (size_t i = 0; i <= b->domain[v].count && fine; i++) {
        b->value[v] = i < b->domain[v].count ? b->domain[v].at[i] : TAC_NONE;
        fine = try_values(b);
    }
    b->set_count--;
    return fine;
}

static void collect_variables(struct brute *b)
{
    b->variables.count = 0;
    for (size_t a = 0; a < b->rule.atoms.count; a++) {
        const struct spec_atom *atom = &b->rule.atoms.at[a];
        for (uint32_t i = 0; i < atom->param_count + atom->has_result; i++) {
            const struct spec_param *p = atom_param(b, atom, i);
            if (p->kind == PARAM_VARIABLE && variable_of(b, p) == TAC_NONE)
                tac_vec_push(&b->variables, p->name);
        }
    }
}

static bool ground_choice(struct brute *b)
{
    size_t atoms = b->rule.atoms.count;
    assert(b->variables.count <= MAX_VARIABLES);
    b->atoms = tac_calloc(atoms + 1, sizeof *b->atoms);
    for (size_t a = 0; a < atoms; a++) {
        find_fits(b, &b->rule.atoms.at[a], &b->atoms[a]);
        for (size_t i = 0; i < b->atoms[a].fits.count; i++)
            for (size_t k = 0; k < b->atoms[a].variables.count; k++)
                if (b->atoms[a].variables.at[k] != TAC_NONE)
                    add_domain(&b->domain[b->atoms[a].variables.at[k]],
                               b->atoms[a].values.at[b->atoms[a].fits.at[i].first + k]);
    }
    b->set_count = 0;
    b->tries = 0;
    bool fine = try_values(b);
    for (size_t a = 0; a < atoms; a++) {
        tac_vec_free(&b->atoms[a].variables);
        tac_vec_free(&b->atoms[a].fits);
        tac_vec_free(&b->atoms[a].values);
    }
    free(b->atoms);
    for (size_t v = 0; v < MAX_VARIABLES; v++)
        tac_vec_free(&b->domain[v]);
    return fine;
}

static tac_status check_ground_rule(struct brute *b, tac_error *err)
{
    tac_status status = spec_inline_rule(b->specs, b->source, &b->rule, err);
    if (status != TAC_OK)
        return status;
    collect_variables(b);
    if (b->variables.count > MAX_VARIABLES || b->source->alias_count > 64)
        return tac_fail_at(err, TAC_E_LIMIT, b->specs->files.at[b->source->file], b->source->line,
                           0, "a rule with too many variables or aliases for the checker");
    memset(b->choice, 0, sizeof b->choice);
    for (bool more = true; more;) {
        if (!ground_choice(b))
            return tac_fail_at(err, TAC_E_LIMIT, b->specs->files.at[b->source->file],
                               b->source->line, 0,
                               "a rule with too many instances for the checker");
        more = false;
        for (uint32_t i = 0; i < b->source->alias_count && !more; i++) {
            more = ++b->choice[i] < b->specs->aliases.at[b->source->first_alias + i].to_count;
            if (!more)
                b->choice[i] = 0;
        }
    }
    return TAC_OK;
}

tac_status check_ground(const struct spec_set *specs, const struct recording *recording,
                        tac_watch *watch, struct check_rules *out, tac_error *err)
{
    *out = (struct check_rules){0};
    struct brute b = {.specs = specs, .recording = recording, .out = out};
    tac_status status = TAC_OK;
    index_messages(&b);
    for (size_t i = 0; i < specs->rules.count && status == TAC_OK; i++) {
        b.source = &specs->rules.at[i];
        status = check_ground_rule(&b, err);
        if (status == TAC_OK && !tac_watch_tick(watch, "grounding", i + 1, specs->rules.count))
            status = tac_fail(err, TAC_E_INTERRUPTED, "interrupted while grounding");
    }
    forget_messages(&b);
    spec_inline_free(&b.rule);
    tac_vec_free(&b.variables);
    tac_str_free(&b.scratch);
    if (status != TAC_OK)
        check_rules_free(out);
    return status;
}

void check_rules_free(struct check_rules *rules)
{
    tac_arena_free(&rules->arena);
    tac_vec_free(&rules->rules);
    tac_names_free(&rules->keys);
    *rules = (struct check_rules){0};
}
