/* The virtual clock: the only place where time passes. Walks from one due thing to the next; at one
 * instant timers go before messages, messages before the link, the link before the media. Power is
 * integrated piece by piece. An app that fires system events without end is stopped with a clear
 * error. */
#include "base/data/text.h"
#include "phone/world/phone.h"
#include <math.h>
#include <time.h>

int64_t sim_clock(const struct sim *s, double time)
{
    double device = time * (1 + s->clock_drift) + s->clock_offset;
    return SIM_EPOCH + (int64_t)llround(device * 1e9);
}

void sim_set_timer(struct sim *s, double at, uint32_t label, uint64_t instance)
{
    if (s->timers.count >= SIM_MAX_TIMERS) {
        if (!s->failure.status)
            tac_fail(&s->failure, TAC_E_DEVICE,
                     "the app has set %d timers at once; the last fires '%s'", SIM_MAX_TIMERS,
                     s->app->labels.text[label]);
        return;
    }
    tac_vec_push(&s->timers, (struct sim_timer){at, s->next_order++, instance, label});
}

void sim_cancel_timers(struct sim *s, uint32_t label)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->timers.count; i++)
        if (s->timers.at[i].label != label)
            s->timers.at[kept++] = s->timers.at[i];
    s->timers.count = kept;
}

/* The timer that is due first, or SIZE_MAX. */
static size_t first_timer(const struct sim *s)
{
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < s->timers.count; i++) {
        const struct sim_timer *a = &s->timers.at[i];
        const struct sim_timer *b = best == SIZE_MAX ? NULL : &s->timers.at[best];
        if (!b || a->at < b->at || (a->at == b->at && a->order < b->order))
            best = i;
    }
    return best;
}

/* A second lasts a second: waits until the host's clock is there too. */
static void keep_pace(const struct sim *s)
{
    double ahead = s->origin + s->now - tac_now();
    if (ahead <= 0)
        return;
    struct timespec pause = {(time_t)ahead, (long)((ahead - floor(ahead)) * 1e9)};
    nanosleep(&pause, NULL);
}

static void integrate(struct sim *s, double seconds)
{
    const struct sim_resources *r = &s->app->resources;
    double watts = r->base_watts + (s->background ? 0 : r->screen_watts);
    if (s->media.state == SIM_PLAYING && !s->media.stalled) {
        watts += r->audio_watts + r->cpu_media * r->cpu_watts;
        s->cpu += r->cpu_media * seconds;
        s->media.position += seconds;
    }
    s->energy += watts * seconds;
    if (s->link.next < INFINITY) {
        s->energy += r->radio_watts * seconds;
        s->link.quiet_since = s->now + seconds;
    } else {
        double tail = fmin(fmax(s->link.quiet_since + r->tail_seconds - s->now, 0), seconds);
        s->energy += tail * r->tail_watts;
    }
    s->now += seconds;
    if (s->realtime)
        keep_pace(s);
}

static void fire_timer(struct sim *s, size_t index)
{
    struct sim_timer timer = s->timers.at[index];
    s->timers.at[index] = s->timers.at[--s->timers.count];
    sim_system_event(s, timer.label, timer.instance, true);
}

double sim_next_due(const struct sim *s)
{
    size_t timer = first_timer(s);
    double next = timer == SIZE_MAX ? INFINITY : s->timers.at[timer].at;
    return fmin(fmin(next, s->link.next), fmin(sim_media_due(s), sim_mail_due(s)));
}

void sim_catch_up(struct sim *s)
{
    double now = tac_now() - s->origin;
    if (s->realtime && now > s->now)
        sim_advance(s, now);
}

void sim_advance(struct sim *s, double until)
{
    uint64_t fired = 0, most = SIM_MAX_EVENTS_AT_ONCE * (1 + (uint64_t)fmax(until - s->now, 0));
    while (!s->failure.status) {
        size_t timer = first_timer(s);
        double next_timer = timer == SIZE_MAX ? INFINITY : s->timers.at[timer].at;
        double next_mail = sim_mail_due(s);
        double next = sim_next_due(s);
        if (next > until)
            break;
        if (next > s->now)
            integrate(s, next - s->now);
        if (next_timer <= next) {
            uint32_t label = s->timers.at[timer].label;
            fire_timer(s, timer);
            if (++fired >= most)
                tac_fail(&s->failure, TAC_E_DEVICE,
                         "the app never comes to rest: more than %llu system events within %.3g s, "
                         "the last is '%s'; look for a handler that fires itself again",
                         (unsigned long long)most, until - s->now, s->app->labels.text[label]);
        } else if (next_mail <= next) {
            sim_mail_step(s);
        } else if (s->link.next <= next) {
            sim_link_step(s);
        } else {
            sim_media_step(s);
        }
    }
    if (until > s->now)
        integrate(s, until - s->now);
}
