/* The definition of protocols on small problems, tried out: see reference.h. */
#include "reference.h"

#include <string.h>

static bool letter_is_back(int letter)
{
    return (letter / 2 / OBJECTS < 2) == (letter % 2 == 0);
}

static bool atom_means(const struct node *node, const int *value, int letter)
{
    int object = letter / 2 % OBJECTS;
    if (letter / 2 / OBJECTS != node->method || (letter % 2 == 1) != node->exit)
        return false;
    return node->variable == 2 || value[node->variable] == object;
}

static bool must(const struct instance *i, const struct rule *rule, int index, const int *value)
{
    const struct node *node = &rule->nodes[index];
    switch (node->kind) {
    case ATOM:
        for (int l = 0; l < LETTERS; l++)
            if (i->sent[l] && atom_means(node, value, l))
                return true;
        return false;
    case SEQ:
    case AND:
        return must(i, rule, node->left, value) && must(i, rule, node->right, value);
    case OR:
        return must(i, rule, node->left, value) || must(i, rule, node->right, value);
    default:
        return true;
    }
}

void reference_ground(struct reference *f)
{
    const struct instance *i = f->instance;
    for (int r = 0; r < i->rule_count; r++)
        for (int x = 0; x <= BOTTOM; x++)
            for (int y = 0; y <= BOTTOM; y++) {
                const struct rule *rule = &i->rules[r];
                int value[2] = {x, y};
                if (!must(i, rule, rule->target, value) || !must(i, rule, rule->body, value))
                    continue;
                for (int l = 0; l < LETTERS; l++) {
                    if (!i->sent[l] || !atom_means(&rule->nodes[rule->target], value, l))
                        continue;
                    struct ground *g = &f->ground[f->ground_count++];
                    *g = (struct ground){.rule = rule, .target = l};
                    for (int n = 0; n < rule->count; n++)
                        for (int k = 0; k < LETTERS && rule->nodes[n].kind == ATOM; k++)
                            g->letters[n][k] = i->sent[k] && atom_means(&rule->nodes[n], value, k);
                }
            }
}

/* Does history[from..to-1] belong to the language of the node? By definition, with a table. */
static bool matches(const struct reference *f, const struct ground *g, int index, int from, int to,
                    signed char (*memo)[HISTORY + 1][HISTORY + 1])
{
    signed char *known = &memo[index][from][to];
    if (*known >= 0)
        return *known;
    const struct node *node = &g->rule->nodes[index];
    bool yes = false;
    switch (node->kind) {
    case ATOM:
        yes = to == from + 1 && g->letters[index][f->history[from]];
        break;
    case ANY:
        yes = to == from + 1;
        break;
    case NONE:
        break;
    case SEQ:
        for (int k = from; k <= to && !yes; k++)
            yes =
                matches(f, g, node->left, from, k, memo) && matches(f, g, node->right, k, to, memo);
        break;
    case AND:
        yes =
            matches(f, g, node->left, from, to, memo) && matches(f, g, node->right, from, to, memo);
        break;
    case OR:
        yes =
            matches(f, g, node->left, from, to, memo) || matches(f, g, node->right, from, to, memo);
        break;
    case NOT:
        yes = !matches(f, g, node->left, from, to, memo);
        break;
    case STAR:
        yes = from == to;
        for (int k = from + 1; k <= to && !yes; k++)
            yes = matches(f, g, node->left, from, k, memo) && matches(f, g, index, k, to, memo);
        break;
    }
    *known = yes;
    return yes;
}

/* Applies the rules that match the whole history; false on a conflict. */
static bool update(struct reference *f)
{
    signed char memo[NODES][HISTORY + 1][HISTORY + 1];
    bool permit[LETTERS] = {false}, prohibit[LETTERS] = {false};
    for (int g = 0; g < f->ground_count; g++) {
        memset(memo, -1, sizeof memo);
        if (matches(f, &f->ground[g], f->ground[g].rule->body, 0, f->length, memo))
            (f->ground[g].rule->permits ? permit : prohibit)[f->ground[g].target] = true;
    }
    for (int l = 0; l < LETTERS; l++)
        if (permit[l] && prohibit[l])
            return false;
    for (int l = 0; l < LETTERS; l++)
        if (permit[l] || prohibit[l])
            f->blocked[l] = prohibit[l];
    return true;
}

enum end reference_settle(struct reference *f)
{
    if (update(f))
        return GOES_ON;
    if (!f->instance->paper)
        return CONFLICTS;
    f->doomed = true;
    return GOES_ON;
}

enum end reference_read(struct reference *f, int letter)
{
    if (f->doomed || f->blocked[letter])
        return letter_is_back(letter) ? STOPS : VIOLATES;
    f->history[f->length++] = letter;
    return reference_settle(f);
}

void reference_enumerate(struct reference *f, int depth)
{
    if (depth >= DEPTH || depth + 1 >= f->shortest)
        return;
    for (int e = 0; e < f->instance->event_count; e++) {
        bool blocked[LETTERS], doomed = f->doomed;
        int length = f->length;
        memcpy(blocked, f->blocked, sizeof blocked);
        enum end end = GOES_ON;
        for (int k = 0; k < f->instance->lengths[e] && end == GOES_ON; k++)
            end = reference_read(f, f->instance->events[e][k]);
        if (end == VIOLATES && depth + 1 < f->shortest)
            f->shortest = depth + 1;
        if (end == GOES_ON)
            reference_enumerate(f, depth + 1);
        memcpy(f->blocked, blocked, sizeof blocked);
        f->doomed = doomed;
        f->length = length;
    }
}

enum end reference_walk(struct reference *f, int *message)
{
    enum end end = reference_settle(f);
    *message = 0;
    for (int e = 0; e < f->instance->event_count && end == GOES_ON; e++)
        for (int k = 0; k < f->instance->lengths[e] && end == GOES_ON; k++) {
            ++*message;
            end = reference_read(f, f->instance->events[e][k]);
        }
    return end;
}
