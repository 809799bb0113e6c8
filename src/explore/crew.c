/* See crew.h. */
#include "explore/crew.h"
#include "base/check.h"

/* What one of the crew has of his own. */
struct hand {
    tac_device *device;
    TAC_VEC(struct explore_frame) frames;
    uint32_t at, landed, device_depth;
    uint64_t look;
};

static struct hand let_go(struct explorer *ex)
{
    struct hand mine = {.device = ex->device,
                        .at = ex->at,
                        .landed = ex->landed,
                        .device_depth = ex->device_depth,
                        .look = ex->look};
    if (!ex->crew)
        return mine;
    memcpy(&mine.frames, &ex->frames, sizeof mine.frames);
    memset(&ex->frames, 0, sizeof ex->frames);
    pthread_mutex_unlock(&ex->crew->lock);
    return mine;
}

static void take_back(struct explorer *ex, const struct hand *mine)
{
    if (!ex->crew)
        return;
    pthread_mutex_lock(&ex->crew->lock);
    ex->device = mine->device;
    memcpy(&ex->frames, &mine->frames, sizeof ex->frames);
    ex->at = mine->at;
    ex->landed = mine->landed;
    ex->device_depth = mine->device_depth;
    ex->look = mine->look;
}

tac_status crew_perform(struct explorer *ex, const tac_gesture *gesture, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_perform(mine.device, gesture, ex->options.deadline, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_settle(struct explorer *ex, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_settle(mine.device, ex->options.deadline, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_snapshot(struct explorer *ex, const tac_ui **out, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_snapshot(mine.device, ex->options.deadline, out, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_screenshot(struct explorer *ex, unsigned char **data, size_t *size, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_screenshot(mine.device, ex->options.deadline, data, size, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_foreground(struct explorer *ex, tac_foreground *out, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_foreground(mine.device, ex->options.deadline, out, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_crash(struct explorer *ex, tac_crash *out, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_crash(mine.device, out, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_system(struct explorer *ex, const char *event, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_system(mine.device, event, ex->options.deadline, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_wait_change(struct explorer *ex, double seconds, tac_arrival *out, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_wait_change(mine.device, NULL, seconds, out, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_restless(struct explorer *ex, bool *out, tac_error *err)
{
    struct hand mine = let_go(ex);
    tac_status st = tac_device_restless(mine.device, ex->options.deadline, out, err);
    take_back(ex, &mine);
    return st;
}

tac_status crew_relaunch(struct explorer *ex, uint64_t seed, tac_error *err)
{
    struct hand mine = let_go(ex);
    double deadline = ex->options.deadline;
    tac_status st = tac_device_close(mine.device, deadline, err);
    if (!st)
        st = tac_device_reset(mine.device, seed, deadline, err);
    if (!st)
        st = tac_device_launch(mine.device, deadline, err);
    take_back(ex, &mine);
    return st;
}

void crew_tell(struct explorer *ex)
{
    if (ex->crew)
        pthread_cond_broadcast(&ex->crew->news);
}

bool crew_wait(struct explorer *ex)
{
    struct explore_crew *crew = ex->crew;
    if (!crew || crew->over)
        return false;
    if (crew->idle + 1 == crew->count) {
        crew->over = true;
        crew_tell(ex);
        return false;
    }
    crew->idle++;
    struct hand mine = let_go(ex); /* the lock is taken again at once, to wait on it */
    pthread_mutex_lock(&crew->lock);
    if (!crew->over)
        pthread_cond_wait(&crew->news, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
    take_back(ex, &mine);
    crew->idle--;
    return !crew->over;
}

struct member {
    struct explorer *ex;
    tac_device *device;
    tac_status (*work)(struct explorer *ex, tac_error *err);
};

static void *serve(void *data)
{
    const struct member *member = data;
    struct explorer *ex = member->ex;
    struct hand mine = {.device = member->device, .at = NOWHERE, .landed = NOWHERE};
    tac_error why = {0};
    take_back(ex, &mine);
    tac_status st = member->work(ex, &why);
    struct explore_crew *crew = ex->crew;
    bool others = crew->count > 1 && st == TAC_E_DEVICE && !crew->over;
    if (st && !crew->status) {
        crew->status = st;
        crew->why = why;
    }
    if (st && !others) /* the others go on without a device that is gone */
        crew->over = true;
    crew->count--;
    pthread_cond_broadcast(&crew->news);
    mine = let_go(ex);
    tac_vec_free(&mine.frames);
    return NULL;
}

tac_status crew_run(struct explorer *ex, tac_status (*work)(struct explorer *ex, tac_error *err),
                    tac_error *err)
{
    size_t count = ex->options.more_count + 1, started = 0;
    if (count == 1)
        return work(ex, err);
    struct explore_crew crew = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER, .count = count};
    struct member *members = tac_calloc(count, sizeof *members);
    pthread_t *threads = tac_calloc(count, sizeof *threads);
    tac_device *first = ex->device;
    assert(ex->frames.count == 0);
    tac_vec_free(&ex->frames);
    ex->crew = &crew;
    for (size_t i = 0; i < count; i++) {
        members[i] = (struct member){ex, i ? ex->options.more[i - 1] : first, work};
        if (pthread_create(&threads[i], NULL, serve, &members[i]))
            break;
        started++;
    }
    pthread_mutex_lock(&crew.lock);
    crew.count -= count - started;
    pthread_mutex_unlock(&crew.lock);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    ex->crew = NULL;
    ex->device = first;
    memset(&ex->frames, 0, sizeof ex->frames);
    ex->at = NOWHERE;
    free(threads);
    free(members);
    if (!started)
        return tac_fail(err, TAC_E_LIMIT, "no thread could be started");
    if (crew.status && err)
        *err = crew.why;
    return crew.status;
}
