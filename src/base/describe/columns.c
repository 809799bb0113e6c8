/* Structs as lines of CSV by their descriptions. */
#include "base/describe/describe.h"

#include "base/check.h"
#include "base/data/text.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Quoted where it must be. */
static void put_text(FILE *out, const char *text)
{
    bool plain = !strpbrk(text, ",\"\r\n");
    if (!plain)
        fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    if (!plain)
        fputc('"', out);
}

static void put_number(FILE *out, double value)
{
    char text[32];
    if (isfinite(value))
        fputs(tac_double_text(value, text, sizeof text), out);
}

static void put_cell(FILE *out, const struct field *field, const void *at)
{
    enum field_kind kind = field->kind;
    assert(kind != FIELD_KIND_STRUCT && kind != FIELD_KIND_LIST && kind != FIELD_KIND_JSON);
    if (kind == FIELD_KIND_ENUM)
        at = field->words[field_unsigned(at, field->size)];
    if (kind == FIELD_KIND_ENUM || kind == FIELD_KIND_TEXT)
        put_text(out, at ? at : "");
    else if (kind == FIELD_KIND_NUMBER || kind == FIELD_KIND_SECONDS)
        put_number(out, kind == FIELD_KIND_NUMBER ? *(const double *)at : field_seconds(at));
    else if (kind == FIELD_KIND_BOOL)
        fputs(*(const bool *)at != field->reversed ? "true" : "false", out);
    else if (kind == FIELD_KIND_SIGNED)
        fprintf(out, "%" PRId64, field_signed(at, field->size));
    else
        fprintf(out, "%" PRIu64, field_unsigned(at, field->size));
}

/* value: NULL writes the keys; blank: nothing is known of the struct. */
static void put_row(FILE *out, const struct describe *what, const char *value, bool blank,
                    bool *first)
{
    for (size_t i = 0; i < what->count; i++) {
        const struct field *field = &what->fields[i];
        struct field_value got = {0};
        struct field_seen seen = {0};
        if (field->hidden)
            continue;
        bool known = value && !blank && field_if_holds(&field->only, value) &&
                     field_if_holds(&field->known, value);
        if (known)
            seen = field_look(field, value, &got);
        if (field->splice) {
            put_row(out, field->of, value ? seen.at : NULL, !seen.at && value, first);
            continue;
        }
        if (!*first)
            fputc(',', out);
        *first = false;
        if (!value && !blank)
            put_text(out, field_key(field));
        else if (known && !got.absent && !got.null)
            put_cell(out, field, seen.at);
    }
}

void describe_csv_head(const struct describe *what, FILE *out)
{
    bool first = true;
    put_row(out, what, NULL, false, &first);
    fputc('\n', out);
}

void describe_csv_row(const struct describe *what, const void *value, FILE *out)
{
    bool first = true;
    put_row(out, what, value, false, &first);
    fputc('\n', out);
}
