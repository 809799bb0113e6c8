/* JSON documents as text, each number with as few digits as read back to the same number.
 *
 * jansson writes 17 digits, or one fixed precision for all ("0.10000000000000001"). Its dumper
 * hands out a number as a piece of its own, and a quotation mark that begins or ends a text as a
 * piece of one byte (those inside a text are escaped); so pieces outside of texts that have more
 * digits than 15 are the ones to shorten. Were the pieces cut otherwise, the numbers would be long
 * again, and still right. */
#include "base/alloc.h"
#include "base/json.h"
#include "base/str.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SURE_DIGITS = 15, ALL_DIGITS = 17 };

struct json_output {
    FILE *file;   /* or NULL */
    tac_str text; /* then here */
    bool in_text;
};

static int put(struct json_output *output, const char *bytes, size_t size)
{
    if (output->file)
        return fwrite(bytes, 1, size, output->file) == size ? 0 : -1;
    tac_str_add_bytes(&output->text, bytes, size);
    return 0;
}

/* "1e-07" as "1e-7", "1e+20" as "1e20". */
static void trim_exponent(char *text)
{
    char *exponent = strchr(text, 'e');
    if (!exponent)
        return;
    char *to = exponent + 1, *from = to;
    if (*from == '-')
        to++;
    from += strspn(from, "+-0");
    memmove(to, from, strlen(from) + 1);
}

/* Rewrites the number in `text` (room for 32 bytes) as short as it reads back the same. Trailing
 * zeros go anyway; only subnormal numbers can have fewer than 15 digits that say something else. */
static void shorten(char *text)
{
    char *end;
    double value = strtod(text, &end);
    if (*end)
        return;
    for (int digits = fabs(value) < DBL_MIN ? 1 : SURE_DIGITS; digits < ALL_DIGITS; digits++) {
        char shorter[32];
        snprintf(shorter, sizeof shorter - 2, "%.*g", digits, value);
        double back = strtod(shorter, NULL);
        if (memcmp(&back, &value, sizeof value) != 0)
            continue;
        trim_exponent(shorter);
        strcpy(text, shorter);
        if (!strpbrk(text, ".e")) /* a real number stays one */
            strcat(text, ".0");
        return;
    }
}

static int take_piece(const char *bytes, size_t size, void *data)
{
    struct json_output *output = data;
    char number[32];
    if (size == 1 && *bytes == '"')
        output->in_text = !output->in_text;
    bool long_real = !output->in_text && size > SURE_DIGITS && size < sizeof number - 1 &&
                     strchr("-0123456789", *bytes) && memchr(bytes, '.', size);
    if (!long_real)
        return put(output, bytes, size);
    memcpy(number, bytes, size);
    number[size] = '\0';
    shorten(number);
    return put(output, number, strlen(number));
}

tac_status tac_json_write(const json_t *value, FILE *out, tac_error *err)
{
    struct json_output output = {.file = out};
    if (json_dump_callback(value, take_piece, &output, JSON_ENCODE_ANY | JSON_COMPACT) ||
        fputc('\n', out) == EOF)
        return tac_fail(err, TAC_E_IO, "cannot write the JSON document");
    return TAC_OK;
}

char *tac_json_text(const json_t *value, size_t flags)
{
    struct json_output output = {0};
    if (json_dump_callback(value, take_piece, &output, JSON_ENCODE_ANY | flags))
        tac_out_of_memory(0);
    return tac_str_take(&output.text);
}
