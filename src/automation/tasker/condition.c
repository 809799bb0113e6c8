/* Condition lists: variables compared with texts and numbers. Or binds tighter than And, as the
 * user guide shows: A And B Or C is A And (B Or C). */
#include "automation/tasker/tasker.h"
#include "base/data/text.h"
#include <stdio.h>
#include <string.h>

enum { MOST_CONDITIONS = 64 };
enum { OP_EQUALS, OP_DIFFERS, OP_MATCHES, OP_NO_MATCH, OP_LESS = 6, OP_GREATER, OP_SAME, OP_OTHER };

static struct cond *texts(struct tasker *t, struct place place, const char *variable, long op,
                          const char *text)
{
    struct cond *cond = cond_new(t->model, COND_STATE, place);
    cond->entity = model_entity(t->model, variable);
    set_add(t->model, &cond->texts, text);
    model_mention(t->model, cond->entity, text);
    return op == OP_DIFFERS || op == OP_NO_MATCH ? cond_not(t->model, cond) : cond;
}

static struct cond *numbers(struct tasker *t, struct place place, const char *variable, long op,
                            double bound)
{
    struct cond *cond = cond_new(t->model, COND_NUMBER, place);
    cond->entity = model_entity(t->model, variable);
    model_cut(t->model, cond->entity, bound);
    if (op != OP_LESS)
        cond->above = bound, cond->above_closed = op != OP_GREATER;
    if (op != OP_GREATER)
        cond->below = bound, cond->below_closed = op != OP_LESS;
    return op == OP_OTHER ? cond_not(t->model, cond) : cond;
}

/* Of a local variable it is only known what the task itself did, and that is not followed. */
static struct cond *of_local(struct tasker *t, xmlNodePtr node, const char *left)
{
    struct place place = tasker_place(node);
    tasker_abstract(t, TAC_READ_ABSTRACTED, "local variable in a condition");
    return cond_free(t->model, place,
                     tac_arena_format(&t->model->arena, "%s at line %u", left, place.line));
}

static struct cond *comparison(struct tasker *t, xmlNodePtr node)
{
    const char *left = tasker_text(t, node, "lhs"), *right = tasker_text(t, node, "rhs");
    long op = tasker_number(tasker_text(t, node, "op"), -1);
    double bound;
    if (left && tasker_is_local(left))
        return of_local(t, node, left);
    bool plain = left && *left == '%' && right && !strpbrk(right, "%*+/|");
    if ((op == OP_MATCHES || op == OP_NO_MATCH) && plain && *right == '!')
        plain = false; /* a pattern of what does not match */
    if (plain && op >= OP_EQUALS && op <= OP_NO_MATCH)
        return texts(t, tasker_place(node), left, op, right);
    bool of_numbers = op == OP_LESS || op == OP_GREATER || op == OP_SAME || op == OP_OTHER;
    if (plain && of_numbers && tac_parse_double(right, &bound))
        return numbers(t, tasker_place(node), left, op, bound);
    tasker_abstract(t, TAC_READ_ABSTRACTED, "pattern or variable in a condition");
    return cond_free(t->model, tasker_place(node),
                     tac_arena_format(&t->model->arena, "%s op %ld %s", left ? left : "?", op,
                                      right ? right : ""));
}

static xmlNodePtr numbered(struct tasker *t, xmlNodePtr list, int index)
{
    char name[16];
    snprintf(name, sizeof name, "c%d", index);
    for (xmlNodePtr at = list->children; at; at = at->next) {
        const char *sr = tasker_named(at, "Condition") ? tasker_attribute(t, at, "sr") : NULL;
        if (sr && !strcmp(sr, name))
            return at;
    }
    return NULL;
}

/* From loose to tight; a 2 is the tighter form that is shown with a plus. */
static int strength_of(const char *word)
{
    static const char *const words[] = {"And", "Or", "Xor", "And2", "Or2", "Xor2"};
    for (int i = 0; word && i < 6; i++)
        if (!strcmp(word, words[i]))
            return i;
    return 0;
}

static struct cond *combine(struct tasker *t, struct place place, int strength, struct cond *left,
                            struct cond *right)
{
    if (strength % 3 < 2)
        return cond_pair(t->model, strength % 3 ? COND_OR : COND_AND, place, left, right);
    return cond_if(t->model, place, left, cond_not(t->model, right), right);
}

struct terms {
    struct cond *at[MOST_CONDITIONS];
    int strength[MOST_CONDITIONS]; /* of the word before it */
    int count;
};

/* From term *i on, as long as the words are at least this tight. */
static struct cond *climb(struct tasker *t, struct place place, const struct terms *terms, int *i,
                          int least)
{
    struct cond *left = terms->at[(*i)++];
    while (*i < terms->count && terms->strength[*i] >= least) {
        int strength = terms->strength[*i];
        left = combine(t, place, strength, left, climb(t, place, terms, i, strength + 1));
    }
    return left;
}

struct cond *tasker_conditions(struct tasker *t, xmlNodePtr list)
{
    struct terms terms = {0};
    xmlNodePtr node;
    int first = 0;
    while (terms.count < MOST_CONDITIONS && (node = numbered(t, list, terms.count))) {
        char name[16];
        snprintf(name, sizeof name, "bool%d", terms.count - 1);
        terms.strength[terms.count] = terms.count ? strength_of(tasker_text(t, list, name)) : 0;
        terms.at[terms.count++] = comparison(t, node);
    }
    if (terms.count == MOST_CONDITIONS && numbered(t, list, terms.count)) {
        struct place place = tasker_place(list);
        tasker_abstract(t, TAC_READ_ABSTRACTED, "condition with too many parts");
        return cond_free(t->model, place,
                         tac_arena_format(&t->model->arena, "conditions at line %u", place.line));
    }
    return terms.count ? climb(t, tasker_place(list), &terms, &first, 0)
                       : cond_new(t->model, COND_TRUE, tasker_place(list));
}
