/* Screens that turned out not to be what they were taken for. A forgotten screen keeps its number
 * while the exploration lasts, for plans and places of several devices name it; no way leads to it,
 * and its signature does not come again (reconsider.c). Before the model is written those that are
 * left get new numbers.
 *
 * Cost: all that is known, once per screen or set of screens that is forgotten. */
#include "base/check.h"
#include "explore/explorer.h"

static bool leads_to_forgotten(const struct explorer *ex, const struct explore_outcome *o)
{
    bool to_screen =
        o->kind == WENT || o->kind == CALLED || (o->kind == RETURNED && o->target != NOWHERE);
    return to_screen && ex->screens.at[o->target].forgotten;
}

/* What led there is as if it had not been tried. */
static void reopen(struct explorer *ex, struct control *c)
{
    uint32_t left = 0;
    bool changed = false;
    for (size_t i = 0; i < c->outcomes.count; i++) {
        struct explore_outcome *o = &c->outcomes.at[i];
        if (!o->forgotten && leads_to_forgotten(ex, o))
            o->forgotten = changed = true;
        left += o->forgotten ? 0 : o->count;
        for (size_t k = 0; k < o->landings.count; k++)
            if (ex->screens.at[o->landings.at[k].screen].forgotten) {
                o->landings.at[k] = tac_vec_last(&o->landings);
                o->landings.count--;
                k--;
            }
    }
    if (!changed)
        return;
    c->tries = left;
    c->attempts = 0;
}

/* What was found from there is as far from the launch as it was, but not known to be reached. */
static void lose_ways(struct explorer *ex)
{
    for (size_t i = 0; i < ex->screens.count; i++) {
        struct screen *s = &ex->screens.at[i];
        if (s->found_from != NOWHERE && ex->screens.at[s->found_from].forgotten)
            s->found_from = s->found_by = NOWHERE;
    }
}

void explorer_forget(struct explorer *ex, const bool *which)
{
    size_t count = 0;
    for (size_t i = 0; i < ex->screens.count; i++)
        if (which[i] && !ex->screens.at[i].forgotten) {
            ex->screens.at[i].forgotten = true;
            count++;
        }
    for (size_t i = 0; i < ex->screens.count; i++)
        for (size_t c = 0; c < ex->screens.at[i].controls.count; c++)
            reopen(ex, &ex->screens.at[i].controls.at[c]);
    lose_ways(ex);
    ex->forgotten += count;
    assert_costly(explorer_is_whole(ex));
}

bool explorer_knows_launch(const struct explorer *ex)
{
    for (size_t i = 0; i < ex->screens.count; i++)
        if (ex->screens.at[i].launch && !ex->screens.at[i].forgotten)
            return true;
    return false;
}

static void renumber_control(struct control *c, const uint32_t *to)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->outcomes.count; i++) {
        struct explore_outcome *o = &c->outcomes.at[i];
        if (o->forgotten) {
            tac_vec_free(&o->landings);
            continue;
        }
        if (o->kind == WENT || o->kind == CALLED || (o->kind == RETURNED && o->target != NOWHERE))
            o->target = to[o->target];
        for (size_t k = 0; k < o->landings.count; k++)
            o->landings.at[k].screen = to[o->landings.at[k].screen];
        c->outcomes.at[kept++] = *o;
    }
    c->outcomes.count = kept;
}

static void renumber_screen(struct screen *s, const uint32_t *to)
{
    for (size_t c = 0; c < s->controls.count; c++)
        renumber_control(&s->controls.at[c], to);
    if (s->found_from != NOWHERE)
        s->found_from = to[s->found_from];
}

void explorer_compact(struct explorer *ex)
{
    uint32_t *to = tac_calloc(ex->screens.count + 1, sizeof *to), kept = 0;
    tac_names signatures = {0};
    for (size_t i = 0; i < ex->screens.count; i++)
        to[i] = ex->screens.at[i].forgotten ? NOWHERE : kept++;
    for (size_t i = 0; i < ex->screens.count && kept < ex->screens.count; i++) {
        struct screen *s = &ex->screens.at[i];
        renumber_screen(s, to);
        if (s->forgotten) {
            for (size_t c = 0; c < s->controls.count; c++) {
                for (size_t o = 0; o < s->controls.at[c].outcomes.count; o++)
                    tac_vec_free(&s->controls.at[c].outcomes.at[o].landings);
                tac_vec_free(&s->controls.at[c].outcomes);
            }
            tac_vec_free(&s->controls);
            continue;
        }
        uint32_t number =
            tac_names_intern_bytes(&signatures, ex->signatures.text[i], ex->signatures.length[i]);
        assert(number == to[i]);
        ex->screens.at[number] = *s;
    }
    if (kept < ex->screens.count) {
        tac_names_free(&ex->signatures);
        ex->signatures = signatures;
        ex->screens.count = kept;
        ex->frames.count = 0; /* nobody walks any more */
        ex->at = ex->landed = NOWHERE;
    }
    free(to);
    assert_costly(explorer_is_whole(ex));
}
