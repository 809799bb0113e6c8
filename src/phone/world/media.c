/* Streaming playback: content is fetched in chunks ahead of the playing position; when the buffer
 * runs dry the player stalls, drops the connection and asks for the chunk again (re-buffering), and
 * goes on when two seconds are in the buffer. */
#include "phone/world/phone.h"
#include <math.h>

static const struct sim_stream *stream_of(const struct sim *s)
{
    return &s->app->streams.at[s->media.stream];
}

static void announce(struct sim *s, const char *event)
{
    if (event)
        sim_log(s, 'I', TAC_LOG_EVENT_TAG, "%s", event);
}

static void play(struct sim *s)
{
    if (s->media.state == SIM_PLAYING)
        return;
    if (s->media.position >= stream_of(s)->seconds)
        s->media.position = 0;
    s->media.state = SIM_PLAYING;
    s->media.stalled = s->media.buffered <= s->media.position;
    announce(s, stream_of(s)->on_start);
    sim_touch(s);
    sim_media_fill(s);
}

static void pause_playing(struct sim *s)
{
    if (s->media.state != SIM_PLAYING)
        return;
    s->media.state = SIM_PAUSED;
    announce(s, stream_of(s)->on_pause);
    sim_touch(s);
}

static void start(struct sim *s, uint32_t stream)
{
    bool playing = s->media.state == SIM_PLAYING;
    uint64_t stalls = s->media.stalls;
    sim_link_cancel_chunks(s);
    s->media = (struct sim_media){.state = SIM_PAUSED, .stream = stream, .stalls = stalls};
    if (!playing) {
        play(s);
        return;
    }
    s->media.state = SIM_PLAYING; /* the next title: playback goes on */
    s->media.stalled = true;
    sim_touch(s);
    sim_media_fill(s);
}

void sim_media_do(struct sim *s, enum sim_media_verb verb, uint32_t stream)
{
    if (verb != SIM_MEDIA_START && s->media.state == SIM_OFF)
        return;
    switch (verb) {
    case SIM_MEDIA_START:
        start(s, stream);
        break;
    case SIM_MEDIA_PAUSE:
        pause_playing(s);
        break;
    case SIM_MEDIA_RESUME:
        play(s);
        break;
    case SIM_MEDIA_TOGGLE:
        if (s->media.state == SIM_PLAYING)
            pause_playing(s);
        else
            play(s);
        break;
    case SIM_MEDIA_SEEK:
        s->media.position = s->media.buffered / 2;
        s->media.stalled = s->media.buffered <= s->media.position;
        break;
    case SIM_MEDIA_STOP:
        pause_playing(s);
        sim_link_cancel_chunks(s);
        s->media.state = SIM_OFF;
        sim_touch(s);
        break;
    }
}

void sim_media_fill(struct sim *s)
{
    const struct sim_stream *stream = stream_of(s);
    if (s->media.state == SIM_OFF || s->media.requested > s->media.buffered ||
        s->media.buffered >= stream->seconds)
        return;
    if (stream->ahead > 0 && s->media.buffered - s->media.position > stream->ahead + 1e-6)
        return;
    double rate = stream->kbps * 1000 / 8;
    double bytes = fmin(stream->chunk, (stream->seconds - s->media.buffered) * rate);
    s->media.requested = fmin(s->media.buffered + bytes / rate, stream->seconds);
    if (stream->seconds - s->media.requested < 1e-6)
        s->media.requested = stream->seconds;
    struct sim_transfer chunk = {
        .size = bytes, .left = bytes, .started = s->now, .label = SIM_NONE, .chunk = true};
    sim_link_start(s, &chunk);
}

void sim_media_chunk_done(struct sim *s, const struct sim_transfer *chunk)
{
    (void)chunk;
    if (s->media.state == SIM_OFF)
        return;
    s->media.buffered = s->media.requested;
    if (s->media.stalled &&
        (s->media.buffered - s->media.position >= 2 || s->media.buffered >= stream_of(s)->seconds))
        s->media.stalled = false;
    sim_media_fill(s);
}

/* The buffer runs dry, the title ends, or more may be fetched ahead. */
double sim_media_due(const struct sim *s)
{
    if (s->media.state != SIM_PLAYING || s->media.stalled)
        return INFINITY;
    const struct sim_stream *stream = stream_of(s);
    double due = s->now + fmax(s->media.buffered - s->media.position, 0);
    bool idle = s->media.requested <= s->media.buffered && s->media.buffered < stream->seconds;
    if (stream->ahead > 0 && idle)
        due = fmin(due, s->now + fmax(s->media.buffered - s->media.position - stream->ahead, 0));
    return due;
}

void sim_media_step(struct sim *s)
{
    const struct sim_stream *stream = stream_of(s);
    if (s->media.position + 1e-9 >= stream->seconds) {
        s->media.position = stream->seconds;
        pause_playing(s);
        return;
    }
    if (s->media.position + 1e-9 >= s->media.buffered) {
        s->media.position = s->media.buffered;
        s->media.stalled = true;
        s->media.stalls++;
        sim_link_restart_chunk(s);
    }
    sim_media_fill(s);
}
