/* Condition lists: variables compared with texts and numbers, joined from left to right. */
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

static struct cond *comparison(struct tasker *t, xmlNodePtr node)
{
    const char *left = tasker_text(t, node, "lhs"), *right = tasker_text(t, node, "rhs");
    long op = tasker_number(tasker_text(t, node, "op"), -1);
    double bound;
    bool plain = left && *left == '%' && right && !strpbrk(right, "%*+/|");
    if (plain && op >= OP_EQUALS && op <= OP_NO_MATCH)
        return texts(t, tasker_place(node), left, op, right);
    if (plain && op >= OP_LESS && op <= OP_OTHER && tac_parse_double(right, &bound))
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

struct cond *tasker_conditions(struct tasker *t, xmlNodePtr list)
{
    struct cond *all = NULL;
    xmlNodePtr node;
    for (int i = 0; i < MOST_CONDITIONS && (node = numbered(t, list, i)); i++) {
        char name[16];
        snprintf(name, sizeof name, "bool%d", i - 1);
        const char *word = i ? tasker_text(t, list, name) : NULL;
        struct cond *both[2] = {all, comparison(t, node)};
        if (!all) {
            all = both[1];
        } else if (word && !strcmp(word, "Xor")) {
            struct cond *one[2] = {all, cond_not(t->model, both[1])};
            struct cond *other[2] = {cond_not(t->model, all), both[1]};
            struct cond *either[2] = {cond_join(t->model, COND_AND, tasker_place(list), one, 2),
                                      cond_join(t->model, COND_AND, tasker_place(list), other, 2)};
            all = cond_join(t->model, COND_OR, tasker_place(list), either, 2);
        } else {
            all = cond_join(t->model, word && !strcmp(word, "Or") ? COND_OR : COND_AND,
                            tasker_place(list), both, 2);
        }
    }
    return all ? all : cond_new(t->model, COND_TRUE, tasker_place(list));
}
