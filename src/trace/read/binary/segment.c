/* Decoding the segments of a block; see segment.h. */
#include "trace/read/binary/segment.h"
#include "trace/read/binary/format.h"
#include "trace/text/number.h"

bool segment_next(const char **at, const char *end, struct segment *segment)
{
    if (end - *at < 8)
        return false;
    segment->encoding = read_u32(*at);
    segment->size = read_u32(*at + 4);
    segment->data = *at + 8;
    if (segment->size % 8 || (size_t)(end - segment->data) < segment->size)
        return false;
    *at = segment->data + segment->size;
    return true;
}

/* A number of 1, 2 or 4 bytes. */
static inline uint32_t read_narrow(const char *data, size_t index, unsigned width)
{
    uint16_t half;
    if (width == 1)
        return (unsigned char)data[index];
    if (width == 2) {
        memcpy(&half, data + index * 2, 2);
        return half;
    }
    return read_u32(data + index * 4);
}

static bool narrow_fits(const struct segment *segment, size_t count, unsigned width)
{
    return (width == 1 || width == 2 || width == 4) &&
           segment->size == binary_pad(16 + count * width);
}

static bool decode_steps(const struct segment *segment, int64_t *time, size_t count, int64_t last)
{
    if (segment->size < 16)
        return false;
    int64_t now;
    uint64_t unit = read_u32(segment->data + 8);
    unsigned width = read_u32(segment->data + 12);
    memcpy(&now, segment->data, 8);
    if (!narrow_fits(segment, count, width) || unit > 1000000000 || now < last ||
        now < -TRACE_TIME_MAX || now > TRACE_TIME_MAX)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t step = read_narrow(segment->data + 16, i, width) * unit;
        if (step > (uint64_t)TRACE_TIME_MAX)
            return false;
        now += (int64_t)step;
        if (now > TRACE_TIME_MAX)
            return false;
        time[i] = now;
    }
    return true;
}

bool segment_times(const struct segment *segment, int64_t *time, size_t count, int64_t last)
{
    if (segment->encoding == BINARY_DELTA32 && segment->size == binary_pad(8 + count * 4)) {
        int64_t now;
        memcpy(&now, segment->data, 8);
        if (now < last || now < -TRACE_TIME_MAX || now > TRACE_TIME_MAX)
            return false;
        for (size_t i = 0; i < count; i++) {
            now += read_u32(segment->data + 8 + i * 4);
            time[i] = now;
        }
        return now <= TRACE_TIME_MAX;
    }
    if (segment->encoding == BINARY_STEPS)
        return decode_steps(segment, time, count, last);
    if (segment->encoding != BINARY_RAW || segment->size != count * 8)
        return false;
    memcpy(time, segment->data, count * 8);
    for (size_t i = 0; i < count; i++) {
        if (time[i] < last || time[i] < -TRACE_TIME_MAX || time[i] > TRACE_TIME_MAX)
            return false;
        last = time[i];
    }
    return true;
}

/* One loop per width, so that each is a plain one. */
#define DECODE_STEPS(read)                                                                         \
    for (size_t i = 0; i < count; i++) {                                                           \
        uint64_t step = (read);                                                                    \
        now += step >> 1 ^ (0 - (step & 1));                                                       \
        numbers[i] = (double)(int64_t)now / power;                                                 \
    }

static bool decode_decimals(const struct segment *segment, double *numbers, size_t count)
{
    if (segment->size < 16)
        return false;
    uint64_t now = read_u64(segment->data);
    unsigned decimals = read_u32(segment->data + 8), width = read_u32(segment->data + 12);
    const char *data = segment->data + 16;
    if (!narrow_fits(segment, count, width) || decimals > BINARY_DECIMALS_MAX)
        return false;
    double power = binary_power(decimals);
    if (width == 1)
        DECODE_STEPS(read_narrow(data, i, 1))
    else if (width == 2)
        DECODE_STEPS(read_narrow(data, i, 2))
    else
        DECODE_STEPS(read_narrow(data, i, 4))
    return true;
}
#undef DECODE_STEPS

/* Raw numbers stay where they are: chunks lie at multiples of eight bytes in the window. */
bool segment_numbers(const struct segment *segment, struct trace_column *column, size_t count)
{
    double *numbers = column->numbers;
    double value;
    switch (segment->encoding) {
    case BINARY_RAW:
        if (segment->size != count * 8)
            return false;
        if ((uintptr_t)segment->data % sizeof(double) == 0)
            column->borrowed = (const double *)(const void *)segment->data;
        else
            memcpy(numbers, segment->data, count * 8);
        return true;
    case BINARY_CONSTANT:
        if (segment->size != 8)
            return false;
        memcpy(&value, segment->data, 8);
        for (size_t i = 0; i < count; i++)
            numbers[i] = value;
        return true;
    case BINARY_INT32:
        if (segment->size != binary_pad(count * 4))
            return false;
        for (size_t i = 0; i < count; i++)
            numbers[i] = (int32_t)read_u32(segment->data + i * 4);
        return true;
    case BINARY_DECIMAL:
        return decode_decimals(segment, numbers, count);
    default:
        return false;
    }
}

/* Bytes to ids, eight at a time: the segment is padded to that, and so is the column. */
static void widen_bytes(const char *restrict data, uint32_t *restrict ids, size_t count)
{
    for (size_t i = 0; i < count; i += 8)
        for (size_t k = 0; k < 8; k++) {
            uint32_t id = (unsigned char)data[i + k];
            ids[i + k] = id == 255 ? TAC_TRACE_NO_SYMBOL : id;
        }
}

bool segment_ids(const struct segment *segment, uint32_t *ids, size_t count)
{
    switch (segment->encoding) {
    case BINARY_RAW:
        if (segment->size != binary_pad(count * 4))
            return false;
        memcpy(ids, segment->data, count * 4);
        return true;
    case BINARY_CONSTANT:
        if (segment->size != 8)
            return false;
        for (size_t i = 0; i < count; i++)
            memcpy(&ids[i], segment->data, 4);
        return true;
    case BINARY_BYTE:
        if (segment->size != binary_pad(count))
            return false;
        widen_bytes(segment->data, ids, count);
        return true;
    case BINARY_SHORT:
        if (segment->size != binary_pad(count * 2))
            return false;
        for (size_t i = 0; i < count; i++) {
            uint16_t id;
            memcpy(&id, segment->data + i * 2, 2);
            ids[i] = id == 65535 ? TAC_TRACE_NO_SYMBOL : id;
        }
        return true;
    default:
        return false;
    }
}
