/* Whether the explorer's knowledge hangs together: what other files assert. */
#include "explore/explorer.h"

bool explorer_has_call(const struct explorer *ex, struct call_site site)
{
    if (site.screen >= ex->screens.count)
        return false;
    const struct screen *s = &ex->screens.at[site.screen];
    if (site.control >= s->controls.count)
        return false;
    const struct control *c = &s->controls.at[site.control];
    return site.outcome < c->outcomes.count && c->outcomes.at[site.outcome].kind == CALLED;
}

static bool outcome_is_whole(const struct explorer *ex, const struct screen *from,
                             const struct explore_outcome *o)
{
    if (o->forgotten)
        return o->count > 0;
    for (size_t i = 0; i < o->landings.count; i++)
        if (o->landings.at[i].screen >= ex->screens.count || o->landings.at[i].count == 0)
            return false;
    if (o->count == 0)
        return false;
    if (o->kind == AWAY)
        return o->target < ex->away.count;
    if (o->kind == CRASHED)
        return o->target < ex->crashes.count;
    if (o->kind != WENT && o->kind != CALLED)
        return o->kind == LEFT || o->target == NOWHERE || o->target < ex->screens.count;
    if (o->target >= ex->screens.count)
        return false;
    return from->depth == NOWHERE || ex->screens.at[o->target].depth <= from->depth + 1;
}

static bool screen_is_whole(const struct explorer *ex, const struct screen *s)
{
    if (s->activity >= ex->names.count)
        return false;
    for (size_t c = 0; c < s->controls.count; c++) {
        const struct control *control = &s->controls.at[c];
        if (control->key >= ex->keys.count)
            return false;
        for (size_t o = 0; o < control->outcomes.count; o++)
            if (!outcome_is_whole(ex, s, &control->outcomes.at[o]))
                return false;
    }
    return s->found_from == NOWHERE || (s->found_from < ex->screens.count &&
                                        s->found_by < ex->screens.at[s->found_from].controls.count);
}

static bool frames_are_whole(const struct explorer *ex)
{
    for (size_t i = 0; i < ex->frames.count; i++) {
        const struct explore_frame *f = &ex->frames.at[i];
        if (f->activity >= ex->names.count || f->entry >= ex->screens.count)
            return false;
        if (f->left_by.screen != NOWHERE && !explorer_has_call(ex, f->left_by))
            return false;
    }
    return true;
}

bool explorer_is_whole(const struct explorer *ex)
{
    if (ex->signatures.count != ex->screens.count)
        return false;
    for (size_t i = 0; i < ex->screens.count; i++)
        if (!screen_is_whole(ex, &ex->screens.at[i]))
            return false;
    return frames_are_whole(ex);
}
