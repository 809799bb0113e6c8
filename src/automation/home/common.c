/* Spellings that triggers, conditions and actions share. */
#include "automation/home/home.h"
#include "automation/template/template.h"
#include "base/data/text.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

void home_abstract(struct home *home, tac_automation_reading reading, const char *reason)
{
    if (reading > home->reading)
        home->reading = reading;
    set_add(home->model, &home->reasons, reason);
}

void home_new_scope(struct home *home)
{
    home->scope = tac_arena_format(&home->model->arena, "!%zu.%u", home->model->automations.count,
                                   ++home->scopes);
}

struct place home_place(const struct tree_node *node)
{
    return (struct place){node->file, node->line};
}

void home_each_text(struct home *home, const struct tree_node *node,
                    void (*each)(struct home *home, const struct tree_node *at, const char *text,
                                 void *context),
                    void *context)
{
    if (!node || !tree_step(home->library, node))
        return;
    for (size_t i = 0; node->kind == TREE_LIST && i < node->count; i++)
        home_each_text(home, tree_resolve(home->library, node->at[i]), each, context);
    const char *text = tree_text(node);
    if (!text)
        return;
    if (is_template(text) || !strchr(text, ',')) {
        each(home, node, text, context);
        return;
    }
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, ",");
        const char *from = at, *to = at + length;
        while (from < to && isspace((unsigned char)*from))
            from++;
        while (to > from && isspace((unsigned char)to[-1]))
            to--;
        if (to > from)
            each(home, node, tac_arena_strndup(&home->model->arena, from, (size_t)(to - from)),
                 context);
        at += length + (at[length] == ',');
    }
}

bool home_number(const struct tree_node *node, double *number)
{
    return node && node->kind == TREE_SCALAR && !node->tag && tac_parse_double(node->text, number);
}

bool home_clock(const char *text, double *second)
{
    unsigned h, m, s = 0;
    int used = 0;
    if (!text || sscanf(text, "%2u:%2u%n", &h, &m, &used) != 2)
        return false;
    if (text[used] == ':') {
        int more = 0;
        if (sscanf(text + used, ":%2u%n", &s, &more) != 1)
            return false;
        used += more;
    }
    *second = h * 3600.0 + m * 60.0 + s;
    return !text[used] && h < 24 && m < 60 && s < 60;
}

double home_duration(struct home *home, const struct tree_node *node)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {
        {"days", 86400}, {"hours", 3600}, {"minutes", 60}, {"seconds", 1}, {"milliseconds", 0.001}};
    double total = 0, number;
    const char *text = tree_text(node);
    unsigned h, m, s;
    char rest;
    if (!node)
        return 0;
    if (home_number(node, &number))
        return number >= 0 ? number : -1;
    if (text && sscanf(text, "%u:%u:%u%c", &h, &m, &s, &rest) == 3)
        return h * 3600.0 + m * 60.0 + s;
    if (text && sscanf(text, "%u:%u%c", &h, &m, &rest) == 2)
        return h * 3600.0 + m * 60.0;
    if (node->kind != TREE_MAP)
        return -1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        const struct tree_node *part = home_get(home, node, units[i].name);
        if (part && !home_number(part, &number))
            return -1;
        total += part ? number * units[i].seconds : 0;
    }
    return total;
}

bool home_is_entity(const char *text)
{
    const char *dot = text ? strchr(text, '.') : NULL;
    if (!dot || dot == text || !dot[1])
        return false;
    for (const char *c = text; *c; c++)
        if (c != dot && !isalnum((unsigned char)*c) && *c != '_')
            return false;
    return !isdigit((unsigned char)*text);
}

void home_note_bare(struct home *home, const struct tree_node *state, const char *key)
{
    if (!state || state->kind != TREE_SCALAR || !tree_text(state) ||
        tree_text(state) == state->text) /* a boolean's text is another one's */
        return;
    struct bare_word word = {.place = home_place(state),
                             .automation = (uint32_t)home->model->automations.count,
                             .key = key,
                             .text = state->text,
                             .meant = tree_text(state)};
    for (size_t i = 0; i < home->model->bare_words.count; i++) {
        const struct bare_word *seen = &home->model->bare_words.at[i];
        if (seen->place.file == word.place.file && seen->place.line == word.place.line &&
            !strcmp(seen->key, key))
            return; /* a script that several automations call */
    }
    tac_vec_push(&home->model->bare_words, word);
}

bool home_disabled(struct home *home, const struct tree_node *node)
{
    return tree_boolean(home_get(home, node, "enabled")) == 0;
}

bool home_perhaps_disabled(struct home *home, const struct tree_node *node)
{
    const struct tree_node *enabled = home_get(home, node, "enabled");
    return enabled && enabled->kind != TREE_EMPTY && tree_boolean(enabled) < 0;
}
