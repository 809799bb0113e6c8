/* Messages between phones, as one phone sees them.
 *
 * A `send` becomes an upload on the link; when the link has carried it, the message is handed to
 * the exchange. What the exchange delivers waits until it is due, is then fetched over this phone's
 * own link, and only then fires the channel's system event. So a phone without a connection neither
 * sends nor receives, and both directions cost traffic.
 *
 * A message is due `delay` seconds (of the receiver's channel) after it left the sender. Phones of
 * one test are moved through time together, so both count the same seconds; phones whose clocks are
 * more than a minute apart are not, and then the delay counts from the delivery. */
#include "phone/world/exchange.h"
#include <math.h>

enum { SIM_MAX_MAIL = 1000, ACKNOWLEDGEMENT = 120 };
static const double apart_seconds = 60;

static void forget(struct sim *s, size_t index)
{
    struct sim_message *m = s->mail.at[index];
    free(m->text);
    free(m);
    s->mail.at[index] = s->mail.at[--s->mail.count];
}

void sim_mail_clear(struct sim *s)
{
    while (s->mail.count)
        forget(s, 0);
}

static struct sim_message *keep(struct sim *s, enum sim_mail_state state, uint32_t channel,
                                const char *text)
{
    if (s->mail.count >= SIM_MAX_MAIL) {
        sim_log(s, 'W', TAC_LOG_LOST_TAG, "a message on '%s' was lost: %d are under way already",
                s->app->channels.at[channel].name, SIM_MAX_MAIL);
        return NULL;
    }
    struct sim_message *m = tac_calloc(1, sizeof *m);
    m->state = state;
    m->channel = channel;
    m->text = tac_strdup(text);
    m->order = s->next_order++;
    tac_vec_push(&s->mail, m);
    return m;
}

/* Over the link: what goes out as an upload with a short answer, what comes in as a download. */
static void carry(struct sim *s, struct sim_message *m)
{
    double bytes = s->app->channels.at[m->channel].bytes;
    bool out = m->state == SIM_MAIL_OUT;
    double down = out ? ACKNOWLEDGEMENT : bytes;
    sim_link_start(s, &(struct sim_transfer){.size = down,
                                             .left = down,
                                             .upload = out ? bytes : 0,
                                             .started = s->now,
                                             .label = SIM_NONE,
                                             .message = m});
}

void sim_mail_send(struct sim *s, uint32_t channel, const char *text)
{
    struct sim_message *m = keep(s, SIM_MAIL_OUT, channel, text);
    if (m)
        carry(s, m);
}

void sim_mail_deliver(struct sim *s, const char *channel, const char *text, double sent)
{
    uint32_t number = sim_find_channel(s->app, channel);
    if (number == SIM_NONE)
        return; /* an app that does not know the channel is not meant */
    struct sim_message *m = keep(s, SIM_MAIL_DUE, number, text);
    if (!m)
        return;
    double from = fabs(sent - s->now) <= apart_seconds ? sent : s->now;
    m->due = fmax(from + s->app->channels.at[number].delay, s->now);
}

double sim_mail_due(const struct sim *s)
{
    double due = INFINITY;
    for (size_t i = 0; i < s->mail.count; i++)
        if (s->mail.at[i]->state == SIM_MAIL_DUE)
            due = fmin(due, s->mail.at[i]->due);
    return due;
}

void sim_mail_step(struct sim *s)
{
    size_t first = SIZE_MAX;
    for (size_t i = 0; i < s->mail.count; i++) {
        const struct sim_message *m = s->mail.at[i],
                                 *best = first == SIZE_MAX ? NULL : s->mail.at[first];
        if (m->state == SIM_MAIL_DUE &&
            (!best || m->due < best->due || (m->due == best->due && m->order < best->order)))
            first = i;
    }
    if (first == SIZE_MAX)
        return;
    struct sim_message *m = s->mail.at[first];
    if (s->running) {
        m->state = SIM_MAIL_IN;
        carry(s, m);
        return;
    }
    sim_log(s, 'W', TAC_LOG_LOST_TAG, "a message on '%s' was lost: the app is not running",
            s->app->channels.at[m->channel].name);
    forget(s, first);
}

void sim_mail_carried(struct sim *s, struct sim_message *m)
{
    const struct sim_channel *channel = &s->app->channels.at[m->channel];
    size_t index = 0;
    while (s->mail.at[index] != m)
        index++;
    if (m->state == SIM_MAIL_OUT) {
        sim_exchange_post(s, channel->name, m->text);
        forget(s, index);
        return;
    }
    if (channel->bound)
        sim_assign(s, channel->into, (struct sim_value){0, m->text});
    forget(s, index);
    sim_system_event(s, channel->label, 0, true);
}
