/* See file.h. Layouts: the libpcap file format and the pcapng draft of the IETF. */
#include "trace/capture/file.h"
#include "base/check.h"
#include <string.h>

enum {
    BLOCK_SECTION = 0x0a0d0d0a,
    BLOCK_INTERFACE = 1,
    BLOCK_OLD_PACKET = 2,
    BLOCK_SIMPLE = 3,
    BLOCK_STATISTICS = 5,
    BLOCK_PACKET = 6,
    OPTION_RESOLUTION = 9,
    OPTION_OFFSET = 14
};

static const uint32_t magic_micro = 0xa1b2c3d4, magic_nano = 0xa1b23c4d, magic_order = 0x1a2b3c4d;
/* Kuznetsov's patched tcpdump, which routers still have: interface, protocol and kind of the packet
 * stand behind the usual head of each. */
static const uint32_t magic_patched = 0xa1b2cd34;

static uint32_t swap32(uint32_t value)
{
    return __builtin_bswap32(value);
}

static uint32_t word_at(const struct capture *capture, const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, 4);
    return capture->swapped ? swap32(value) : value;
}

static uint16_t half_at(const struct capture *capture, const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, 2);
    return capture->swapped ? __builtin_bswap16(value) : value;
}

int capture_sniff(const void *head, size_t size)
{
    uint32_t magic;
    if (size < 12)
        return 0;
    memcpy(&magic, head, 4);
    uint32_t swapped = swap32(magic);
    bool is_pcap = magic == magic_micro || magic == magic_nano || magic == magic_patched ||
                   swapped == magic_micro || swapped == magic_nano || swapped == magic_patched;
    return is_pcap || magic == BLOCK_SECTION ? 3 : 0;
}

static const uint8_t *front(const struct capture *capture)
{
    return (const uint8_t *)capture->window->data + capture->window->begin;
}

static size_t ready(const struct capture *capture)
{
    return capture->window->end - capture->window->begin;
}

static void pass(struct capture *capture, size_t size)
{
    assert(size <= ready(capture));
    capture->window->begin += size;
    capture->offset += size;
}

static tac_status end_inside(struct capture *capture)
{
    capture->cut = true;
    capture->cut_at = capture->offset;
    return TAC_OK;
}

static tac_status damaged(const struct capture *capture, const char *what, tac_error *err)
{
    return tac_fail_at(err, TAC_E_INPUT, tac_input_name(capture->window->input), 0, 0,
                       "%s at byte %llu of the capture", what, (unsigned long long)capture->offset);
}

tac_status capture_open(struct capture *capture, struct trace_window *window, tac_error *err)
{
    uint32_t magic;
    *capture = (struct capture){.window = window};
    tac_status status = window_need(window, 24, err);
    if (status)
        return status;
    if (!capture_sniff(front(capture), ready(capture)))
        return damaged(capture, "not a capture", err);
    memcpy(&magic, front(capture), 4);
    capture->is_ng = magic == BLOCK_SECTION;
    if (capture->is_ng)
        return TAC_OK;
    capture->swapped = magic != magic_micro && magic != magic_nano && magic != magic_patched;
    magic = capture->swapped ? swap32(magic) : magic;
    capture->nano = magic == magic_nano;
    capture->record_head = magic == magic_patched ? 24 : 16;
    if (ready(capture) < 24)
        return end_inside(capture);
    capture->link = word_at(capture, front(capture) + 20) & 0xffff;
    pass(capture, 24);
    return TAC_OK;
}

static tac_status next_classic(struct capture *capture, struct capture_packet *packet, bool *found,
                               tac_error *err)
{
    const size_t front_size = capture->record_head;
    tac_status status = window_need(capture->window, front_size, err);
    if (status || !ready(capture))
        return status;
    if (ready(capture) < front_size)
        return end_inside(capture);
    const uint8_t *head = front(capture);
    int64_t fraction = word_at(capture, head + 4);
    size_t captured = word_at(capture, head + 8), length = word_at(capture, head + 12);
    if (captured > CAPTURE_PACKET_MAX)
        return damaged(capture, "an impossible packet of over 16 MiB", err);
    *packet = (struct capture_packet){.timed = true,
                                      .time = (int64_t)word_at(capture, head) * 1000000000 +
                                              fraction * (capture->nano ? 1 : 1000),
                                      .link = capture->link,
                                      .captured = captured,
                                      .length = length};
    if ((status = window_need(capture->window, front_size + captured, err)))
        return status;
    if (ready(capture) < front_size + captured)
        return end_inside(capture);
    packet->data = front(capture) + front_size;
    pass(capture, front_size + captured);
    *found = true;
    return TAC_OK;
}

/* --- pcapng ----------------------------------------------------------------------------------- */

/* Ticks per second of a resolution byte: 10^-n, or 2^-n when the high bit is set. */
static uint64_t ticks_of(uint8_t resolution)
{
    uint64_t ticks = 1;
    unsigned power = resolution & 0x7f;
    if (resolution & 0x80)
        return power < 63 ? (uint64_t)1 << power : 1;
    for (; power && ticks <= UINT64_MAX / 10; power--)
        ticks *= 10;
    return ticks;
}

static void read_interface(struct capture *capture, const uint8_t *body, size_t size)
{
    struct capture_interface added = {.ticks = 1000000};
    if (size < 8)
        return;
    added.link = half_at(capture, body);
    added.snap = word_at(capture, body + 4);
    for (size_t at = 8; at + 4 <= size;) {
        uint16_t code = half_at(capture, body + at), length = half_at(capture, body + at + 2);
        const uint8_t *value = body + at + 4;
        if (code == 0 || at + 4 + length > size)
            break;
        if (code == OPTION_RESOLUTION && length >= 1)
            added.ticks = ticks_of(*value);
        if (code == OPTION_OFFSET && length >= 8) {
            uint64_t offset;
            memcpy(&offset, value, 8);
            added.offset = (int64_t)(capture->swapped ? __builtin_bswap64(offset) : offset);
        }
        at += 4 + (size_t)((length + 3) & ~3);
    }
    if (capture->interfaces.count < 4096)
        tac_vec_push(&capture->interfaces, added);
}

/* What an interface counted: how many packets it, or the system, has dropped so far. The last count
 * of a capture is the greatest. */
static void read_statistics(struct capture *capture, const uint8_t *body, size_t size)
{
    enum { HEAD = 12, DROPPED_BY_INTERFACE = 5, DROPPED_BY_SYSTEM = 7 };
    uint64_t dropped = 0;
    for (size_t at = HEAD; at + 4 <= size;) {
        uint16_t code = half_at(capture, body + at), length = half_at(capture, body + at + 2);
        if (code == 0 || at + 4 + length > size)
            break;
        if ((code == DROPPED_BY_INTERFACE || code == DROPPED_BY_SYSTEM) && length == 8) {
            uint64_t count;
            memcpy(&count, body + at + 4, 8);
            count = capture->swapped ? __builtin_bswap64(count) : count;
            dropped += count < UINT32_MAX ? count : 0; /* all ones: it was not counted */
        }
        at += 4 + (size_t)((length + 3) & ~3);
    }
    capture->dropped = dropped > capture->dropped ? dropped : capture->dropped;
}

static int64_t time_of(const struct capture_interface *interface, uint64_t ticks)
{
    uint64_t seconds = ticks / interface->ticks, rest = ticks % interface->ticks;
    __int128 nanos = (__int128)rest * 1000000000 / interface->ticks;
    __int128 time = ((__int128)seconds + interface->offset) * 1000000000 + nanos;
    return time > INT64_MAX ? INT64_MAX : time < INT64_MIN ? INT64_MIN : (int64_t)time;
}

/* A block's packet; false when the block is too small for what it says, or names an interface that
 * was not described. */
static bool read_packet(struct capture *capture, uint32_t kind, const uint8_t *body, size_t size,
                        struct capture_packet *packet)
{
    bool simple = kind == BLOCK_SIMPLE;
    size_t head = simple ? 4 : 20;
    if (size < head)
        return false;
    uint32_t index = simple                     ? 0
                     : kind == BLOCK_OLD_PACKET ? half_at(capture, body)
                                                : word_at(capture, body);
    if (index >= capture->interfaces.count)
        return false;
    const struct capture_interface *interface = &capture->interfaces.at[index];
    *packet = (struct capture_packet){.link = interface->link, .data = body + head};
    if (simple) {
        packet->length = word_at(capture, body);
        packet->captured = size - head < packet->length ? size - head : packet->length;
        if (interface->snap && packet->captured > interface->snap)
            packet->captured = interface->snap;
        return true;
    }
    uint64_t ticks = (uint64_t)word_at(capture, body + 4) << 32 | word_at(capture, body + 8);
    packet->timed = true;
    packet->time = time_of(interface, ticks);
    packet->captured = word_at(capture, body + 12);
    packet->length = word_at(capture, body + 16);
    return packet->captured <= size - head;
}

/* A section says the byte order of what follows; its interfaces are its own. */
static tac_status start_section(struct capture *capture, tac_error *err)
{
    uint32_t order;
    tac_status status = window_need(capture->window, 12, err);
    if (status)
        return status;
    if (ready(capture) < 12)
        return end_inside(capture);
    memcpy(&order, front(capture) + 8, 4);
    if (order != magic_order && swap32(order) != magic_order)
        return damaged(capture, "a section without a byte order", err);
    capture->swapped = order != magic_order;
    capture->interfaces.count = 0;
    return TAC_OK;
}

static tac_status next_block(struct capture *capture, struct capture_packet *packet, bool *found,
                             tac_error *err)
{
    tac_status status = window_need(capture->window, 12, err);
    if (status || !ready(capture))
        return status;
    if (ready(capture) < 12)
        return end_inside(capture);
    uint32_t kind;
    memcpy(&kind, front(capture), 4);
    if (kind == BLOCK_SECTION && (status = start_section(capture, err)))
        return status;
    if (capture->cut)
        return TAC_OK;
    kind = word_at(capture, front(capture));
    size_t size = word_at(capture, front(capture) + 4);
    if (size < 12 || size > CAPTURE_PACKET_MAX)
        return damaged(capture, "a block of an impossible size", err);
    size = (size + 3) & ~(size_t)3;
    if ((status = window_need(capture->window, size, err)))
        return status;
    if (ready(capture) < size)
        return end_inside(capture);
    const uint8_t *body = front(capture) + 8;
    pass(capture, size);
    if (kind == BLOCK_INTERFACE)
        read_interface(capture, body, size - 12);
    else if (kind == BLOCK_STATISTICS)
        read_statistics(capture, body, size - 12);
    else if (kind == BLOCK_PACKET || kind == BLOCK_SIMPLE || kind == BLOCK_OLD_PACKET) {
        *found = read_packet(capture, kind, body, size - 12, packet);
        capture->unreadable += !*found;
    }
    return TAC_OK;
}

tac_status capture_next(struct capture *capture, struct capture_packet *packet, bool *found,
                        tac_error *err)
{
    tac_status status = TAC_OK;
    *found = false;
    if (!capture->is_ng && !capture->cut)
        status = next_classic(capture, packet, found, err);
    while (capture->is_ng && !status && !*found && !capture->cut) {
        uint64_t before = capture->offset;
        status = next_block(capture, packet, found, err);
        if (capture->offset == before)
            break;
    }
    capture->packets += *found;
    return status;
}

void capture_close(struct capture *capture)
{
    tac_vec_free(&capture->interfaces);
}
