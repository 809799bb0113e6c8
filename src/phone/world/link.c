/* The network as packets. A transfer is requested (one round trip), then sent in rounds: a window
 * of packets leaves, each is lost with the scenario's probability, and after a round trip (or the
 * time that the bandwidth asks for, if that is longer) the receiver has acknowledged what came in
 * order. What follows the first lost packet arrived too, was counted by the interface, and is
 * thrown away and sent again, as a transport without selective acknowledgement does (go-back-N).
 * The window grows by one per good round and halves at a loss. So received bytes grow with the loss
 * while the content stays the same: that is the effect the paper's case study measures.
 *
 * Cost: O(1) random numbers per packet, nothing while the link is idle. */
#include "network/lane.h"
#include "phone/world/phone.h"
#include <math.h>

enum {
    PAYLOAD = 1448,
    PACKET = 1500,
    ACK = 52,
    REQUEST = 640,
    MOST_WINDOW = 32,
    FIRST_WINDOW = 10
};

static const struct segment *network(struct sim *s)
{
    return scenario_at(s->link.scenario, s->now - s->link.origin, &s->link.cursor);
}

static double round_trip(struct sim *s, const struct segment *net)
{
    return net->down.delay + net->up.delay + net->down.jitter * tac_random_unit(&s->link.random) +
           0.001;
}

static void no_connection(struct sim *s)
{
    s->link.sent = s->link.arrived = s->link.in_order = 0;
    s->link.next = s->now + 0.25;
}

/* Sends the next window of the transfer under way, or its request. */
static void begin_round(struct sim *s)
{
    struct sim_link *link = &s->link;
    if (link->head >= link->queue.count) {
        link->queue.count = link->head = 0;
        link->next = INFINITY;
        link->quiet_since = s->now;
        return;
    }
    const struct segment *net = network(s);
    if (!link->online || net->down.rate <= 0) {
        no_connection(s);
        return;
    }
    const struct sim_transfer *t = &link->queue.at[link->head];
    double rtt = round_trip(s, net);
    link->sent = link->arrived = link->in_order = 0;
    if (link->requesting) {
        bool lost = way_loses(&net->up, &link->up_bad, tac_random_unit(&link->random));
        link->tx += REQUEST + t->upload;
        link->requesting = lost;
        double sending = t->upload > 0 && net->up.rate > 0 ? t->upload * 8 / net->up.rate : 0;
        link->next = s->now + rtt * (lost ? 2 : 1) + sending;
        return;
    }
    double packets = ceil(t->left / PAYLOAD);
    unsigned window = packets < link->window ? (unsigned)packets : link->window;
    bool complete = true;
    for (unsigned i = 0; i < window; i++) {
        bool lost = way_loses(&net->down, &link->down_bad, tac_random_unit(&link->random));
        complete = complete && !lost;
        link->arrived += !lost;
        link->in_order += complete;
    }
    link->sent = window;
    double duration = fmax(rtt, window * PACKET * 8 / net->down.rate);
    link->next = s->now + (link->arrived ? duration : fmax(2 * duration, 0.3));
}

void sim_link_start(struct sim *s, const struct sim_transfer *transfer)
{
    struct sim_link *link = &s->link;
    tac_vec_push(&link->queue, *transfer);
    if (link->next < INFINITY)
        return;
    link->requesting = true;
    link->window = FIRST_WINDOW;
    begin_round(s);
}

static void finish_transfer(struct sim *s)
{
    struct sim_link *link = &s->link;
    struct sim_transfer done = link->queue.at[link->head++];
    link->requesting = true;
    if (done.chunk)
        sim_media_chunk_done(s, &done);
    else if (done.message)
        sim_mail_carried(s, done.message);
    else if (done.label != SIM_NONE)
        sim_system_event(s, done.label, done.instance, true);
}

/* A request for a chunk that takes too long is given up: what came is thrown away. */
static bool timed_out(struct sim *s, const struct sim_transfer *t)
{
    return t->chunk && s->media.state != SIM_OFF &&
           s->now - t->started > s->app->streams.at[s->media.stream].timeout;
}

void sim_link_restart_chunk(struct sim *s)
{
    struct sim_link *link = &s->link;
    if (link->head >= link->queue.count || !link->queue.at[link->head].chunk)
        return;
    struct sim_transfer *t = &link->queue.at[link->head];
    link->again += t->size - t->left;
    t->left = t->size;
    t->started = s->now;
    link->in_order = 0; /* what is still in the air belongs to the old connection */
    link->requesting = true;
    link->window = FIRST_WINDOW;
}

void sim_link_step(struct sim *s)
{
    struct sim_link *link = &s->link;
    if (link->sent) {
        struct sim_transfer *t = &link->queue.at[link->head];
        double header = (double)(PACKET - PAYLOAD) * link->arrived;
        double payload = fmin((double)PAYLOAD * link->arrived, t->left);
        link->rx += header + payload;
        link->tx += (double)ACK * link->arrived;
        link->again += (double)PAYLOAD * (link->arrived - link->in_order);
        t->left -= (double)PAYLOAD * link->in_order;
        if (link->in_order == link->sent)
            link->window = link->window < MOST_WINDOW ? link->window + 1 : MOST_WINDOW;
        else
            link->window = link->window > 4 ? link->window / 2 : 2;
        link->sent = 0;
        if (t->left <= 0)
            finish_transfer(s);
        else if (timed_out(s, t))
            sim_link_restart_chunk(s);
    }
    if (s->running)
        begin_round(s);
}

void sim_link_cancel_chunks(struct sim *s)
{
    struct sim_link *link = &s->link;
    size_t kept = 0;
    for (size_t i = link->head; i < link->queue.count; i++)
        if (!link->queue.at[i].chunk)
            link->queue.at[kept++] = link->queue.at[i];
    link->queue.count = kept;
    link->head = 0;
    link->requesting = true;
    link->sent = 0;
    begin_round(s);
}

void sim_link_online(struct sim *s, bool online)
{
    s->link.online = online;
}
