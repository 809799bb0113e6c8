/* Near misses between rules and a recording. See spelling.h.
 *
 * Recorded methods are listed by class. A name of a rule that was not recorded is compared with the
 * methods of its class (at most two edits, the first three letters alike, so that get and set stay
 * apart), and its class with the recorded classes that have the method. O(names of the rules *
 * methods of a class). */
#include "protocol/spec/spelling.h"
#include "base/check.h"
#include "base/data/alloc.h"
#include <string.h>

#define SHORTEST_NAME 5

struct recorded_names {
    tac_names signatures;   /* "direction result signature", as recorded */
    tac_names methods;      /* "pkg.Cls.m" */
    tac_names classes;      /* "pkg.Cls" */
    tac_names untyped;      /* "pkg.Cls.m(types)" to ... */
    TAC_VEC(uint32_t) full; /* ... a signature's name in the recording */
    TAC_VEC(struct class_methods { TAC_VEC(uint32_t) list; }) of_class; /* indices in methods */
};

struct speller {
    const struct spec_set *set;
    const struct recording *recording;
    struct recorded_names names;
    tac_names reported;
    near_misses *out;
    tac_str text;
};

/* Edits between two names, counted up to 3. */
static unsigned edits(const char *a, size_t n, const char *b, size_t m)
{
    unsigned row[128], above;
    if (n >= 127 || m >= 127 || (n > m ? n - m : m - n) > 2)
        return 3;
    for (size_t j = 0; j <= m; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= n; i++) {
        unsigned corner = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= m; j++) {
            above = row[j];
            unsigned best = corner + (a[i - 1] != b[j - 1]);
            best = above + 1 < best ? above + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            corner = above;
        }
    }
    return row[m] > 3 ? 3 : row[m];
}

static bool is_near(const char *a, size_t n, const char *b, size_t m)
{
    if (n < SHORTEST_NAME || m < SHORTEST_NAME || strncmp(a, b, 3))
        return false;
    unsigned distance = edits(a, n, b, m);
    return distance == 1 || distance == 2;
}

static uint32_t class_of(struct recorded_names *n, const char *text, size_t length)
{
    uint32_t index = tac_names_intern_bytes(&n->classes, text, length);
    if (index == n->of_class.count)
        tac_vec_push(&n->of_class, (struct class_methods){0});
    return index;
}

static void note_signature(struct speller *s, uint32_t signature, enum direction direction,
                           bool has_result)
{
    struct recorded_names *n = &s->names;
    struct method_parts name;
    const char *text = s->recording->names.text[signature];
    tac_str_clear(&s->text);
    tac_str_addf(&s->text, "%d %d %s", direction, has_result, text);
    if (!tac_names_add(&n->signatures, tac_str_text(&s->text), s->text.length) ||
        !recording_split(text, &name))
        return;
    uint32_t class = class_of(n, name.class, name.class_length);
    size_t before = n->methods.count;
    uint32_t method =
        tac_names_intern_bytes(&n->methods, name.class, (size_t)(name.end - name.class));
    if (n->methods.count > before)
        tac_vec_push(&n->of_class.at[class].list, method);
    uint32_t untyped = tac_names_intern(&n->untyped, name.class);
    if (untyped == n->full.count)
        tac_vec_push(&n->full, signature);
}

static void note_recording(struct speller *s)
{
    const struct recording *r = s->recording;
    for (uint32_t l = 0; l < r->letters.count; l++) {
        const struct call *call = &r->calls.at[r->letters.at[l].call];
        enum direction direction = r->letters.at[l].direction;
        bool has_result = (direction == CB_EXIT || direction == CI_EXIT) && call->has_result;
        if (call->kind == CALLIN)
            note_signature(s, call->signature, direction, has_result);
        for (uint32_t i = 0; i < call->override_count; i++)
            note_signature(s, r->overrides.at[call->first_override + i], direction, has_result);
    }
}

static void report(struct speller *s, enum miss_kind kind, uint32_t file,
                   const struct spec_node *node, const char *written, const char *recorded)
{
    tac_str_clear(&s->text);
    tac_str_addf(&s->text, "%u %u %s", file, node->line, written);
    assert(file < s->set->files.count);
    if (tac_names_add(&s->reported, tac_str_text(&s->text), s->text.length))
        tac_vec_push(s->out,
                     (struct near_miss){kind, file, node->line, node->column, tac_strdup(written),
                                        recorded ? tac_strdup(recorded) : NULL});
}

/* A method that was not recorded: is there one that looks like it? */
static bool report_near_method(struct speller *s, uint32_t file, const struct spec_node *node,
                               const char *method)
{
    const struct recorded_names *n = &s->names;
    const char *dot = strrchr(method, '.');
    if (!dot)
        return false;
    uint32_t class = tac_names_find_bytes(&n->classes, method, (size_t)(dot - method));
    for (size_t i = 0; class != TAC_NONE && i < n->of_class.at[class].list.count; i++) {
        const char *other = n->methods.text[n->of_class.at[class].list.at[i]];
        const char *short_name = strrchr(other, '.') + 1;
        if (!is_near(dot + 1, strlen(dot + 1), short_name, strlen(short_name)))
            continue;
        report(s, MISS_METHOD, file, node, method, other);
        return true;
    }
    for (size_t i = 0; class == TAC_NONE && i < n->methods.count; i++) {
        const char *other = n->methods.text[i], *other_dot = strrchr(other, '.');
        if (strcmp(dot, other_dot) ||
            !is_near(method, (size_t)(dot - method), other, (size_t)(other_dot - other)))
            continue;
        report(s, MISS_CLASS, file, node, method, other);
        return true;
    }
    return false;
}

/* One full signature of an atom. True when it was recorded, or reported. */
static bool try_signature(struct speller *s, uint32_t file, const struct spec_node *node,
                          const struct spec_atom *atom, const char *signature)
{
    const struct recorded_names *n = &s->names;
    struct method_parts name;
    for (int other = 0; other < 2; other++) {
        tac_str_clear(&s->text);
        tac_str_addf(&s->text, "%d %d %s", atom->direction, atom->has_result != other, signature);
        if (tac_names_find_bytes(&n->signatures, tac_str_text(&s->text), s->text.length) ==
            TAC_NONE)
            continue;
        if (other)
            report(s, MISS_VALUE, file, node, signature, signature);
        return true;
    }
    if (!recording_split(signature, &name))
        return false;
    uint32_t untyped = tac_names_find(&n->untyped, name.class);
    if (untyped != TAC_NONE) {
        const char *recorded = s->recording->names.text[n->full.at[untyped]];
        if (strcmp(recorded, signature))
            report(s, MISS_RETURN, file, node, signature, recorded);
        return true;
    }
    char *method = tac_strndup(name.class, (size_t)(name.end - name.class));
    bool known = tac_names_find(&n->methods, method) != TAC_NONE; /* other types: an overload */
    bool reported = known || report_near_method(s, file, node, method);
    free(method);
    return reported;
}

/* The atom under each name that an alias of the rule (NULL: of any rule) can give it. */
static void check_atom(struct speller *s, uint32_t file, const struct spec_node *node,
                       const struct spec_rule *rule)
{
    const struct spec_atom *atom = &s->set->atoms.at[node->left];
    tac_str text = {0};
    bool aliased = false;
    assert(node->kind == NODE_ATOM && node->left < s->set->atoms.count);
    for (size_t r = 0; r < s->set->rules.count; r++) {
        const struct spec_rule *user = &s->set->rules.at[r];
        if (rule && user != rule)
            continue;
        for (uint32_t i = 0; i < user->alias_count; i++) {
            const struct spec_alias *alias = &s->set->aliases.at[user->first_alias + i];
            if (!spec_alias_touches(s->set, alias, atom))
                continue;
            uint32_t *choice = tac_calloc(user->alias_count, sizeof *choice);
            aliased = true;
            for (choice[i] = 0; choice[i] < alias->to_count; choice[i]++) {
                tac_str_clear(&text);
                spec_signature(s->set, atom, user, choice, &text);
                try_signature(s, file, node, atom, tac_str_text(&text));
            }
            free(choice);
        }
    }
    if (!aliased) {
        tac_str_clear(&text);
        spec_signature(s->set, atom, &(struct spec_rule){0}, NULL, &text);
        try_signature(s, file, node, atom, tac_str_text(&text));
    }
    tac_str_free(&text);
}

static void check_tree(struct speller *s, uint32_t file, uint32_t index,
                       const struct spec_rule *rule)
{
    const struct spec_node *node = &s->set->nodes.at[index];
    assert(index < s->set->nodes.count);
    if (node->kind == NODE_ATOM)
        check_atom(s, file, node, rule);
    if (node_operands(node->kind) > 1)
        check_tree(s, file, node->right, rule);
    if (node_operands(node->kind) > 0)
        check_tree(s, file, node->left, rule);
}

/* An alias that stands for no message of its rule, named expressions included. */
static void check_aliases(struct speller *s, const struct spec_rule *rule)
{
    struct spec_inline whole = {0};
    if (!rule->alias_count || spec_inline_rule(s->set, rule, &whole, NULL) != TAC_OK) {
        spec_inline_free(&whole);
        return;
    }
    for (uint32_t i = 0; i < rule->alias_count; i++) {
        const struct spec_alias *alias = &s->set->aliases.at[rule->first_alias + i];
        const char *from = s->set->names.text[alias->from], *closest = NULL;
        bool touches = false;
        for (size_t a = 0; a < whole.atoms.count && !touches; a++) {
            const char *method = s->set->names.text[whole.atoms.at[a].method];
            touches = spec_alias_touches(s->set, alias, &whole.atoms.at[a]);
            const char *dot = strrchr(method, '.');
            size_t length = dot && !strchr(from, '(') ? (size_t)(dot - method) : strlen(method);
            if (edits(from, strlen(from), method, strlen(method)) < 3 ||
                edits(from, strlen(from), method, length) < 3)
                closest = method;
        }
        struct spec_node place = {.line = rule->line, .column = rule->column};
        if (!touches)
            report(s, closest ? MISS_ALIAS_NEAR : MISS_ALIAS, rule->file, &place, from, closest);
    }
    spec_inline_free(&whole);
}

static int compare_misses(const void *left, const void *right)
{
    const struct near_miss *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return a->column < b->column ? -1 : a->column > b->column;
}

void spelling_check(const struct spec_set *set, const struct recording *recording, near_misses *out)
{
    struct speller s = {.set = set, .recording = recording, .out = out};
    for (size_t i = 0; i < set->rules.count; i++)
        check_aliases(&s, &set->rules.at[i]);
    if (recording) {
        note_recording(&s);
        assert(s.names.full.count == s.names.untyped.count);
        for (size_t i = 0; i < set->rules.count; i++) {
            check_tree(&s, set->rules.at[i].file, set->rules.at[i].body, &set->rules.at[i]);
            check_tree(&s, set->rules.at[i].file, set->rules.at[i].target, &set->rules.at[i]);
        }
        for (size_t i = 0; i < set->named.count; i++)
            if (!set->named.at[i].replaced)
                check_tree(&s, set->named.at[i].file, set->named.at[i].body, NULL);
    }
    if (out->count)
        qsort(out->at, out->count, sizeof *out->at, compare_misses);
    for (size_t i = 0; i < s.names.of_class.count; i++)
        tac_vec_free(&s.names.of_class.at[i].list);
    tac_vec_free(&s.names.of_class);
    tac_vec_free(&s.names.full);
    tac_names_free(&s.names.signatures);
    tac_names_free(&s.names.methods);
    tac_names_free(&s.names.classes);
    tac_names_free(&s.names.untyped);
    tac_names_free(&s.reported);
    tac_str_free(&s.text);
}

void near_miss_text(const struct near_miss *miss, tac_str *out)
{
    switch (miss->kind) {
    case MISS_METHOD:
    case MISS_CLASS:
        tac_str_addf(out, "the recording has no '%s'; did you mean '%s'?", miss->written,
                     miss->recorded);
        return;
    case MISS_RETURN:
        tac_str_addf(out, "the recording has '%s', not '%s': another return type", miss->recorded,
                     miss->written);
        return;
    case MISS_VALUE:
        tac_str_addf(
            out,
            "'%s' was recorded, but an [EXIT] matches only with \"x =\" in front where the "
            "call returns a value, and only without where it does not",
            miss->written);
        return;
    case MISS_ALIAS:
    case MISS_ALIAS_NEAR:
        tac_str_addf(out, "the ALIASES name '%s' stands for nothing in this rule", miss->written);
        if (miss->recorded)
            tac_str_addf(out, "; did you mean '%s'?", miss->recorded);
        return;
    }
}

void near_misses_free(near_misses *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->at[i].written);
        free(list->at[i].recorded);
    }
    tac_vec_free(list);
}
