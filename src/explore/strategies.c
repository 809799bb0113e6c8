/* The order in which things are tried.
 *
 * dfs and bfs are those of the paper (Listings 1 and 3): to backtrack, the app is closed, launched
 * and the path replayed; an event that changes nothing needs no backtracking. nearest walks over
 * known transitions and restarts only when no way leads on; novelty is nearest with another taste.
 * All end with the same questions answered: every accepted event of every screen within the depth
 * was tried, and every call was seen to come back where that is possible. */
#include "base/check.h"
#include "explore/crew.h"

void explorer_relax(struct explorer *ex)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < ex->screens.count; i++) {
            const struct screen *s = &ex->screens.at[i];
            for (size_t k = 0; s->depth != NOWHERE && k < s->controls.count; k++)
                for (size_t o = 0; o < s->controls.at[k].outcomes.count; o++) {
                    const struct explore_outcome *out = &s->controls.at[k].outcomes.at[o];
                    if (out->forgotten || (out->kind != WENT && out->kind != CALLED))
                        continue;
                    assert(out->target < ex->screens.count);
                    uint32_t *depth = &ex->screens.at[out->target].depth;
                    if (*depth > s->depth + 1) {
                        *depth = s->depth + 1;
                        changed = true;
                    }
                }
        }
    }
}

/* --- nearest --- */

static void count_attempt(struct explorer *ex, const struct explore_plan *p)
{
    assert(p->controls.count == p->screens.count && p->controls.count > 0);
    if (p->returning.screen != NOWHERE) {
        struct call_site site = p->returning;
        assert(explorer_has_call(ex, site));
        ex->screens.at[site.screen].controls.at[site.control].outcomes.at[site.outcome].attempts++;
        return;
    }
    uint32_t last = (uint32_t)p->controls.count - 1;
    ex->screens.at[p->screens.at[last]].controls.at[p->controls.at[last]].attempts++;
}

/* Walks the plan until it ends or the app is elsewhere. */
static tac_status follow_plan(struct explorer *ex, const struct explore_plan *p, tac_error *err)
{
    count_attempt(ex, p);
    assert(ex->at != NOWHERE);
    for (size_t i = 0; i < p->controls.count; i++) {
        if (ex->at != p->screens.at[i] || ex->screens.at[ex->at].forgotten)
            return TAC_OK;
        bool moved = false;
        tac_status st = walk_perform(ex, p->controls.at[i], &moved, err);
        if (st || !moved)
            return st;
    }
    return TAC_OK;
}

static bool find(struct explorer *ex, bool from_launch, struct explore_plan *out)
{
    return ex->options.strategy == TAC_EXPLORE_NOVELTY ? plan_find_novel(ex, from_launch, out)
                                                       : plan_find(ex, from_launch, out);
}

/* Of several devices only one goes for a thing. */
static struct control *claim(struct explorer *ex, const struct explore_plan *p, bool claimed)
{
    uint32_t last = (uint32_t)p->controls.count - 1;
    struct control *goal = &ex->screens.at[p->screens.at[last]].controls.at[p->controls.at[last]];
    goal->claimed = claimed && ex->crew;
    return goal;
}

tac_status explore_nearest(struct explorer *ex, bool always_restart, tac_error *err)
{
    struct explore_plan p = {0};
    tac_status st = TAC_OK;
    if (ex->launches == 0 || ex->screens.count == 0)
        st = walk_launch(ex, err);
    while (!st && !(ex->crew && ex->crew->over)) {
        if (ex->at != NOWHERE && ex->screens.at[ex->at].forgotten)
            st = walk_look(ex, err);
        if (st)
            break;
        bool here = !always_restart && ex->at != NOWHERE && find(ex, false, &p);
        if (!here && !explorer_knows_launch(ex)) {
            st = walk_launch(ex, err);
            continue;
        }
        if (!here && !find(ex, true, &p)) {
            if (!crew_wait(ex))
                break;
            continue;
        }
        claim(ex, &p, true);
        if (!here)
            st = walk_launch(ex, err);
        if (!st && ex->at != NOWHERE)
            st = follow_plan(ex, &p, err);
        claim(ex, &p, false);
        crew_tell(ex);
    }
    plan_free(&p);
    return st;
}

/* --- restart and replay --- */

struct step {
    uint32_t screen, control; /* control: the one taken from here; NOWHERE for the last */
    size_t frames;
};
typedef TAC_VEC(struct step) step_list;

/* Closes the app, launches it and performs the steps. *arrived tells whether it ended where the
 * path ends; chance may lead elsewhere, then it is tried a few times more. */
static tac_status replay(struct explorer *ex, const step_list *path, bool *arrived, tac_error *err)
{
    assert(path->count > 0);
    *arrived = false;
    for (int attempt = 0; attempt < 8 && !*arrived; attempt++) {
        tac_status st = walk_launch(ex, err);
        size_t i = 0;
        for (; !st && i + 1 < path->count; i++) {
            bool moved = false;
            if (ex->at != path->at[i].screen)
                break;
            st = walk_perform(ex, path->at[i].control, &moved, err);
            if (!moved)
                break;
        }
        if (st)
            return st;
        *arrived = i + 1 == path->count && ex->at == path->at[i].screen;
    }
    return TAC_OK;
}

static uint32_t first_wanted(const struct explorer *ex, uint32_t screen_number)
{
    assert(screen_number < ex->screens.count);
    const struct screen *s = &ex->screens.at[screen_number];
    for (uint32_t i = 0; i < s->controls.count; i++)
        if (plan_wanted(ex, screen_number, &s->controls.at[i]))
            return i;
    return NOWHERE;
}

static bool on_path(const step_list *path, uint32_t screen_number)
{
    for (size_t i = 0; i < path->count; i++)
        if (path->at[i].screen == screen_number)
            return true;
    return false;
}

static void give_up(struct explorer *ex, uint32_t screen_number)
{
    struct screen *s = &ex->screens.at[screen_number];
    for (size_t i = 0; i < s->controls.count; i++)
        s->controls.at[i].attempts += 5;
}

/* A control to try here, or a system event whose screen nobody has explored yet. */
static uint32_t choose(const struct explorer *ex, const step_list *path)
{
    assert(path->count > 0);
    uint32_t here = tac_vec_last(path).screen;
    bool deep = ex->options.depth && path->count > ex->options.depth;
    uint32_t wanted = deep ? NOWHERE : first_wanted(ex, here);
    if (wanted != NOWHERE || deep)
        return wanted;
    const struct screen *s = &ex->screens.at[here];
    for (uint32_t i = 0; i < s->controls.count; i++)
        for (size_t o = 0; s->controls.at[i].system && o < s->controls.at[i].outcomes.count; o++) {
            const struct explore_outcome *out = &s->controls.at[i].outcomes.at[o];
            bool lands = out->kind == WENT || out->kind == CALLED;
            if (lands && !on_path(path, out->target) && first_wanted(ex, out->target) != NOWHERE &&
                s->controls.at[i].attempts <= MAX_ATTEMPTS)
                return i;
        }
    return NOWHERE;
}

static void push_step(step_list *path, uint32_t screen_number, size_t frames)
{
    tac_vec_push(path, (struct step){screen_number, NOWHERE, frames});
}

/* A path over a screen that is forgotten leads nowhere; what lies behind it is looked for again at
 * the end. */
static bool is_broken(const struct explorer *ex, const step_list *path)
{
    for (size_t i = 0; i < path->count; i++)
        if (ex->screens.at[path->at[i].screen].forgotten)
            return true;
    return false;
}

/* One round of the depth-first search; the path is empty when it is done. */
static tac_status depth_first_round(struct explorer *ex, step_list *path, tac_error *err)
{
    uint32_t pick = is_broken(ex, path) ? NOWHERE : choose(ex, path);
    if (pick == NOWHERE) {
        path->count--;
        return TAC_OK;
    }
    struct step *last = &tac_vec_last(path);
    uint32_t here = last->screen;
    assert(pick < ex->screens.at[here].controls.count);
    bool there = ex->at == here && ex->frames.count == last->frames;
    if (!there) {
        tac_status st = replay(ex, path, &there, err);
        if (st)
            return st;
        if (!there)
            give_up(ex, here);
        else
            last->frames = ex->frames.count;
        return TAC_OK;
    }
    bool moved = false;
    last->control = pick;
    if (ex->screens.at[here].controls.at[pick].system)
        ex->screens.at[here].controls.at[pick].attempts++;
    tac_status st = walk_perform(ex, pick, &moved, err);
    if (st || !moved || ex->at == NOWHERE)
        return st;
    uint32_t landed = ex->landed;
    assert(landed < ex->screens.count);
    if (landed != here && !on_path(path, landed))
        push_step(path, landed, ex->frames.count);
    return TAC_OK;
}

tac_status explore_depth_first(struct explorer *ex, tac_error *err)
{
    step_list path = {0};
    tac_status st = walk_launch(ex, err);
    if (!st)
        push_step(&path, ex->landed, ex->frames.count);
    while (!st && path.count)
        st = depth_first_round(ex, &path, err);
    tac_vec_free(&path);
    return st ? st : explore_nearest(ex, true, err);
}

/* The events that first led to a screen. */
static void path_to(const struct explorer *ex, uint32_t screen_number, step_list *path)
{
    path->count = 0;
    push_step(path, screen_number, 0);
    uint32_t at = screen_number;
    while (ex->screens.at[at].found_from != NOWHERE && path->count <= ex->screens.count) {
        uint32_t from = ex->screens.at[at].found_from, by = ex->screens.at[at].found_by;
        tac_vec_push(path, (struct step){from, by, 0});
        at = from;
    }
    assert(path->count <= ex->screens.count + 1);
    for (size_t i = 0, j = path->count; i + 1 < j; i++) {
        j--;
        struct step s = path->at[i];
        path->at[i] = path->at[j];
        path->at[j] = s;
    }
}

tac_status explore_breadth_first(struct explorer *ex, tac_error *err)
{
    step_list path = {0};
    tac_status st = walk_launch(ex, err);
    for (uint32_t s = 0; !st && s < ex->screens.count; s++) {
        uint32_t pick;
        size_t frames = SIZE_MAX; /* of the path's end, once it was replayed */
        while (!st && (pick = first_wanted(ex, s)) != NOWHERE &&
               (ex->screens.at[s].launch || ex->screens.at[s].found_from != NOWHERE)) {
            bool there = ex->at == s && ex->frames.count == frames, moved = false;
            if (!there) {
                path_to(ex, s, &path);
                st = replay(ex, &path, &there, err);
                frames = ex->frames.count;
                if (!there)
                    give_up(ex, s);
            }
            if (!st && there)
                st = walk_perform(ex, pick, &moved, err);
        }
    }
    tac_vec_free(&path);
    return st ? st : explore_nearest(ex, true, err);
}
