/* Reading an instrument's answers. See scpi_answer.h. */
#include "instrument/scpi_answer.h"
#include "trace/read/scpi_line.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Header of "#42000...": its own length and that of the data; 0 while more bytes are needed. */
static tac_status block_header(const char *data, size_t size, size_t *header, size_t *content,
                               tac_error *err)
{
    *header = *content = 0;
    if (size < 2)
        return TAC_OK;
    if (data[1] == '0')
        return tac_fail(err, TAC_E_DEVICE,
                        "the answer is a block of indefinite length, which has no end over TCP");
    if (data[1] < '1' || data[1] > '9')
        return tac_fail(err, TAC_E_DEVICE, "the answer starts like a block (#) but has no length");
    size_t digits = (size_t)(data[1] - '0'), length = 0;
    if (size < 2 + digits)
        return TAC_OK;
    for (size_t i = 0; i < digits; i++) {
        if (data[2 + i] < '0' || data[2 + i] > '9')
            return tac_fail(err, TAC_E_DEVICE, "the length of the answered block is not a number");
        length = length * 10 + (size_t)(data[2 + i] - '0');
    }
    if (length > SCPI_MOST_ANSWER)
        return tac_fail(err, TAC_E_DEVICE,
                        "the instrument announces a block of %zu bytes; at most "
                        "%zu are taken",
                        length, SCPI_MOST_ANSWER);
    *header = 2 + digits;
    *content = length;
    return TAC_OK;
}

tac_status scpi_answer_length(const char *data, size_t size, size_t *length, tac_error *err)
{
    *length = 0;
    if (size && data[0] == '#') {
        size_t header, content;
        tac_status status = block_header(data, size, &header, &content, err);
        if (status != TAC_OK || !header || size < header + content + 1)
            return status;
        size_t end = header + content;
        if (data[end] == '\r' && size < end + 2)
            return TAC_OK;
        end += data[end] == '\r';
        if (data[end] != '\n')
            return tac_fail(err, TAC_E_DEVICE,
                            "the answered block of %zu bytes is not followed by a newline",
                            content);
        *length = end + 1;
        return TAC_OK;
    }
    const char *newline = size ? memchr(data, '\n', size) : NULL;
    if (newline)
        *length = (size_t)(newline - data) + 1;
    else if (size > SCPI_MOST_ANSWER)
        return tac_fail(err, TAC_E_DEVICE, "the instrument's answer has no end");
    return TAC_OK;
}

static double block_number(const unsigned char *at, struct scpi_format format)
{
    uint64_t bits = 0;
    for (unsigned i = 0; i < format.size; i++)
        bits = bits << 8 | at[format.swapped ? format.size - 1 - i : i];
    if (format.size == 8) {
        double number;
        memcpy(&number, &bits, sizeof number);
        return number;
    }
    uint32_t half = (uint32_t)bits;
    float number;
    memcpy(&number, &half, sizeof number);
    return (double)number;
}

static tac_status not_a_number(size_t index, tac_error *err)
{
    return tac_fail(err, TAC_E_DEVICE,
                    "value %zu of the answer is 'not a number'; is the output on and the "
                    "measuring range right?",
                    index + 1);
}

static tac_status block_numbers(const char *data, size_t length, struct scpi_format format,
                                scpi_numbers *out, tac_error *err)
{
    size_t header, content;
    tac_status status = block_header(data, length, &header, &content, err);
    if (status != TAC_OK)
        return status;
    if (!header || header + content > length)
        return tac_fail(err, TAC_E_DEVICE, "the answered block ends early");
    if (content % format.size)
        return tac_fail(err, TAC_E_DEVICE,
                        "a block of %zu bytes does not hold numbers of %u bytes each", content,
                        format.size);
    for (size_t i = 0; i < content / format.size; i++) {
        double number =
            block_number((const unsigned char *)data + header + i * format.size, format);
        if (!isfinite(number) || fabs(number) >= 9.9e37)
            return not_a_number(i, err);
        tac_vec_push(out, number);
    }
    return TAC_OK;
}

tac_status scpi_answer_numbers(const char *data, size_t length, struct scpi_format format,
                               scpi_numbers *out, tac_error *err)
{
    if (length && data[0] == '#')
        return block_numbers(data, length, format, out, err);
    const char *at = data, *end = data + length;
    while (end > at && strchr("\r\n \t", end[-1]))
        end--;
    for (size_t i = 0; at < end; i++) {
        double number;
        const char *next = scpi_number(at, &number);
        if (!next || next > data + length) {
            int shown = end - at < 40 ? (int)(end - at) : 40;
            return tac_fail(err, TAC_E_DEVICE, "value %zu of the answer is not a number: '%.*s'",
                            i + 1, shown, at);
        }
        if (isnan(number))
            return not_a_number(i, err);
        tac_vec_push(out, number);
        at = next;
    }
    return TAC_OK;
}

bool scpi_answer_error(const char *answer, long *code)
{
    char *end;
    *code = strtol(answer, &end, 10);
    return end > answer && (*end == ',' || *end == '\0' || *end == '\r' || *end == '\n');
}

bool scpi_answer_format(const char *data, const char *border, struct scpi_format *out)
{
    *out = (struct scpi_format){.size = 4};
    if (!strncmp(data, "REAL", 4))
        out->size = strstr(data, "64") ? 8 : 4;
    else if (strncmp(data, "ASC", 3) != 0)
        return false;
    out->swapped = !strncmp(border, "SWAP", 4);
    return true;
}
