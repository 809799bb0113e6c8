/* What is suspicious about rules, without a recording.
 *
 *   - a left-hand side that can only match at the very start of a run: "TRUE[*];" is missing;
 *   - a rule that can never fire, or that permits what nothing prohibits;
 *   - '|+' and '|-' on one message by expressions that match a common history;
 *   - REGEXPs that no rule uses.
 *
 * Messages are taken as letters by their text; variables of the target are renamed by their place
 * in it, so that two rules about "the same object" meet. That can miss a conflict, but what is
 * reported is one. */
#include "base/check.h"
#include "protocol/regex/regex.h"
#include "protocol/spec/spec.h"
#include <string.h>

#define MAX_PAIRS 20000
#define MAX_PRODUCT 20000

struct lint_rule {
    uint32_t term;   /* left-hand side over letters */
    uint32_t target; /* letter */
    uint32_t method; /* the target's method, for messages */
    bool has_automaton;
    struct automaton automaton;
};

struct linter {
    struct spec_set *set;
    struct regex_store regex;
    tac_names letters;
    tac_names prohibited; /* signatures under every alias */
    struct lint_rule *rules;
    struct spec_inline rule; /* the one at hand */
};

static void warn(struct linter *l, const struct spec_rule *rule, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void warn(struct linter *l, const struct spec_rule *rule, const char *format, ...)
{
    tac_str text = {0};
    va_list args;
    va_start(args, format);
    tac_str_addv(&text, format, args);
    va_end(args);
    tac_diagnostics_add(&l->set->diagnostics, TAC_WARNING, l->set->files.at[rule->file], rule->line,
                        rule->column, "%s", tac_str_text(&text));
    tac_str_free(&text);
}

/* Can every word of the expression only begin at the start of the run? */
static bool anchored(const struct spec_inline *rule, uint32_t index)
{
    const struct spec_node *node = &rule->nodes.at[index];
    assert(index < rule->nodes.count);
    switch (node->kind) {
    case NODE_ATOM:
    case NODE_TRUE:
        return true;
    case NODE_SEQ: {
        const struct spec_node *left = &rule->nodes.at[node->left];
        if (left->kind == NODE_STAR && rule->nodes.at[left->left].kind == NODE_FALSE)
            return anchored(rule, node->right);
        return anchored(rule, node->left);
    }
    case NODE_AND:
    case NODE_OR:
        return anchored(rule, node->left) || anchored(rule, node->right);
    case NODE_FALSE:
    case NODE_NAME:
    case NODE_NOT:
    case NODE_STAR:
        return false;
    }
    return false;
}

/* The text of a parameter, target variables by their place. */
static void param_key(const struct linter *l, const struct spec_atom *target,
                      const struct spec_param *param, tac_str *out)
{
    if (param->kind == PARAM_ANY || param->kind == PARAM_NULL) {
        tac_str_add(out, param->kind == PARAM_ANY ? "#" : "NULL");
        return;
    }
    if (param->kind == PARAM_VARIABLE)
        for (uint32_t i = 0; i < target->param_count; i++) {
            const struct spec_param *p = &l->rule.params.at[target->first_param + i];
            if (p->kind == PARAM_VARIABLE && p->name == param->name) {
                tac_str_addf(out, "$%u", i);
                return;
            }
        }
    tac_str_addf(out, "%s%s", param->kind == PARAM_VARIABLE ? "?" : "=",
                 l->set->names.text[param->name]);
}

static uint32_t atom_letter(struct linter *l, const struct spec_rule *rule,
                            const struct spec_atom *atom, const struct spec_atom *target)
{
    tac_str key = {0};
    tac_str_addf(&key, "%d ", (int)atom->direction);
    spec_signature(l->set, atom, rule, NULL, &key);
    for (uint32_t i = 0; i < atom->param_count; i++) {
        tac_str_add_char(&key, ' ');
        param_key(l, target, &l->rule.params.at[atom->first_param + i], &key);
    }
    if (atom->has_result) {
        tac_str_add(&key, " = ");
        param_key(l, target, &atom->result, &key);
    }
    uint32_t letter = tac_names_intern_bytes(&l->letters, tac_str_text(&key), key.length);
    tac_str_free(&key);
    return letter;
}

static uint32_t term_of(struct linter *l, const struct spec_rule *rule,
                        const struct spec_atom *target, uint32_t index)
{
    const struct spec_node *node = &l->rule.nodes.at[index];
    struct regex_store *x = &l->regex;
    assert(index < l->rule.nodes.count);
    unsigned operands = node_operands(node->kind);
    uint32_t left = operands > 0 ? term_of(l, rule, target, node->left) : TERM_EMPTY;
    uint32_t right = operands > 1 ? term_of(l, rule, target, node->right) : TERM_EMPTY, letter;
    switch (node->kind) {
    case NODE_ATOM:
        letter = atom_letter(l, rule, &l->rule.atoms.at[node->left], target);
        return regex_set(x, &letter, 1);
    case NODE_TRUE:
        return TERM_ANY;
    case NODE_FALSE:
    case NODE_NAME:
        return TERM_EMPTY;
    case NODE_SEQ:
        return regex_seq(x, left, right);
    case NODE_AND:
        return regex_and(x, left, right);
    case NODE_OR:
        return regex_or(x, left, right);
    case NODE_NOT:
        return regex_not(x, left);
    case NODE_STAR:
        return regex_star(x, left);
    }
    return TERM_EMPTY;
}

static bool never_fires(const struct automaton *a)
{
    bool any = a->fires_at_start;
    for (size_t i = 0; i < (size_t)a->states * a->classes; i++)
        any = any || a->fires[i];
    return !any;
}

/* Every signature that the rule's target can mean, aliases multiplied out. */
static bool each_signature(struct linter *l, const struct spec_rule *rule,
                           const struct spec_atom *target, bool add)
{
    uint32_t choice[64] = {0};
    bool found = false;
    for (bool more = rule->alias_count <= 64; more;) {
        tac_str key = {0};
        tac_str_addf(&key, "%d ", (int)target->direction);
        spec_signature(l->set, target, rule, rule->alias_count ? choice : NULL, &key);
        if (add)
            tac_names_intern(&l->prohibited, tac_str_text(&key));
        else
            found = found || tac_names_find(&l->prohibited, tac_str_text(&key)) != TAC_NONE;
        tac_str_free(&key);
        more = false;
        for (uint32_t i = 0; i < rule->alias_count && !more; i++) {
            const struct spec_alias *alias = &l->set->aliases.at[rule->first_alias + i];
            if (!spec_alias_touches(l->set, alias, target))
                continue;
            more = ++choice[i] < alias->to_count;
            if (!more)
                choice[i] = 0;
        }
    }
    return found;
}

/* The atoms of a target: one, or several joined by '|'. */
static void collect_targets(const struct spec_inline *rule, uint32_t index, u32_vec *out)
{
    const struct spec_node *node = &rule->nodes.at[index];
    assert(index < rule->nodes.count);
    if (node->kind == NODE_ATOM)
        tac_vec_push(out, node->left);
    if (node->kind == NODE_OR) {
        collect_targets(rule, node->left, out);
        collect_targets(rule, node->right, out);
    }
}

static void lint_one(struct linter *l, size_t index)
{
    const struct spec_rule *rule = &l->set->rules.at[index];
    struct lint_rule *out = &l->rules[index];
    u32_vec targets = {0};
    out->target = TAC_NONE;
    if (spec_inline_rule(l->set, rule, &l->rule, NULL) != TAC_OK)
        return;
    collect_targets(&l->rule, l->rule.target, &targets);
    if (!targets.count) {
        warn(l, rule, "the right-hand side names no message: the rule does nothing");
        return;
    }
    const struct spec_atom *target = &l->rule.atoms.at[targets.at[0]];
    if (anchored(&l->rule, l->rule.body))
        warn(l, rule, "this can match only at the very start of a run; did you mean TRUE[*]; ...?");
    if (rule->permits && !each_signature(l, rule, target, false))
        warn(l, rule, "nothing %s this message, so permitting it does nothing",
             is_back(target->direction) ? "disables" : "disallows");
    out->term = term_of(l, rule, target, l->rule.body);
    out->target = atom_letter(l, rule, target, target);
    out->method = target->method;
    out->has_automaton = automaton_build(&l->regex, out->term, &out->automaton, NULL) == TAC_OK;
    if (out->has_automaton && never_fires(&out->automaton))
        warn(l, rule, "the left-hand side matches nothing: the rule never fires");
    tac_vec_free(&targets);
}

static void note_prohibited(struct linter *l)
{
    for (size_t i = 0; i < l->set->rules.count; i++) {
        const struct spec_rule *rule = &l->set->rules.at[i];
        u32_vec targets = {0};
        if (rule->permits || spec_inline_rule(l->set, rule, &l->rule, NULL) != TAC_OK)
            continue;
        collect_targets(&l->rule, l->rule.target, &targets);
        for (size_t t = 0; t < targets.count; t++)
            each_signature(l, rule, &l->rule.atoms.at[targets.at[t]], true);
        tac_vec_free(&targets);
    }
}

/* Is there a history on which both fire? Walks the pairs of states reached together. */
static bool fire_together(const struct automaton *a, const struct automaton *b)
{
    assert(a->classes && b->classes);
    u32_vec letters = {0};
    tac_names pairs = {0};
    tac_vec_append(&letters, a->letters, a->letter_count);
    tac_vec_append(&letters, b->letters, b->letter_count);
    tac_vec_push(&letters, LETTER_OTHER);
    bool found = a->fires_at_start && b->fires_at_start;
    uint32_t pair[2] = {a->initial, b->initial};
    tac_names_intern_bytes(&pairs, pair, sizeof pair);
    for (size_t i = 0; i < pairs.count && i < MAX_PRODUCT && !found; i++)
        for (size_t k = 0; k < letters.count && !found; k++) {
            memcpy(pair, pairs.text[i], sizeof pair);
            size_t left = (size_t)pair[0] * a->classes + automaton_class(a, letters.at[k]);
            size_t right = (size_t)pair[1] * b->classes + automaton_class(b, letters.at[k]);
            found = a->fires[left] && b->fires[right];
            pair[0] = a->next[left];
            pair[1] = b->next[right];
            tac_names_intern_bytes(&pairs, pair, sizeof pair);
        }
    tac_names_free(&pairs);
    tac_vec_free(&letters);
    return found;
}

static void lint_conflicts(struct linter *l)
{
    size_t pairs = 0, count = l->set->rules.count;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i && pairs < MAX_PAIRS; k++) {
            const struct spec_rule *a = &l->set->rules.at[i], *b = &l->set->rules.at[k];
            if (a->permits == b->permits || l->rules[i].target != l->rules[k].target ||
                !l->rules[i].has_automaton || !l->rules[k].has_automaton)
                continue;
            pairs++;
            if (fire_together(&l->rules[i].automaton, &l->rules[k].automaton))
                warn(l, a, "this rule and %s:%u can fire at the same step and disagree about %s",
                     l->set->files.at[b->file], b->line, l->set->names.text[l->rules[i].method]);
        }
}

void spec_lint(struct spec_set *set)
{
    struct linter l = {.set = set};
    regex_init(&l.regex);
    l.rules = tac_calloc(set->rules.count + 1, sizeof *l.rules);
    note_prohibited(&l);
    for (size_t i = 0; i < set->rules.count; i++)
        lint_one(&l, i);
    lint_conflicts(&l);
    for (size_t i = 0; set->rules.count && i < set->named.count; i++) {
        const struct spec_named *n = &set->named.at[i];
        if (!n->used && !n->replaced)
            tac_diagnostics_add(&set->diagnostics, TAC_WARNING, set->files.at[n->file], n->line,
                                n->column, "no rule uses REGEXP %s", set->names.text[n->name]);
    }
    for (size_t i = 0; i < set->rules.count; i++)
        if (l.rules[i].has_automaton)
            automaton_free(&l.rules[i].automaton);
    free(l.rules);
    regex_free(&l.regex);
    tac_names_free(&l.letters);
    tac_names_free(&l.prohibited);
    spec_inline_free(&l.rule);
}
