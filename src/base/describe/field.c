/* Reading a struct by its description. See describe.h. */
#include "base/describe/describe.h"

#include "base/check.h"
#include <math.h>
#include <string.h>

uint64_t field_unsigned(const void *at, size_t size)
{
    uint8_t byte;
    uint16_t small;
    uint32_t middle;
    uint64_t large;
    assert(size == sizeof byte || size == sizeof small || size == sizeof middle ||
           size == sizeof large);
    memcpy(size == 1   ? (void *)&byte
           : size == 2 ? (void *)&small
           : size == 4 ? (void *)&middle
                       : &large,
           at, size);
    return size == 1 ? byte : size == 2 ? small : size == 4 ? middle : large;
}

int64_t field_signed(const void *at, size_t size)
{
    uint64_t value = field_unsigned(at, size);
    return size == 1   ? (int8_t)value
           : size == 2 ? (int16_t)value
           : size == 4 ? (int32_t)value
                       : (int64_t)value;
}

/* 1.59 s and 1430498394.75 s are those numbers, not their neighbours: beyond 2^53, where a double
 * no longer holds all nanoseconds, whole seconds and the rest are rounded apart. */
double field_seconds(const void *at)
{
    int64_t time = field_signed(at, sizeof time), exact = (int64_t)1 << 53;
    int64_t whole = time / 1000000000;
    return time < exact && time > -exact ? (double)time / 1e9
                                         : (double)whole + (double)(time % 1000000000) / 1e9;
}

bool field_if_holds(const struct field_if *condition, const void *value)
{
    if (!condition->size)
        return true;
    int64_t found = field_signed((const char *)value + condition->at, condition->size);
    bool holds = condition->compares ? found == condition->value : found != 0;
    return holds != condition->other;
}

const char *field_key(const struct field *field)
{
    if (field->key)
        return field->key;
    const char *dot = strrchr(field->member, '.');
    return dot ? dot + 1 : field->member;
}

static size_t count_of(const struct field *field, const void *value, const struct field_value *got)
{
    if (field->get)
        return got->count;
    if (!field->count_size)
        return field->count_at;
    return (size_t)field_unsigned((const char *)value + field->count_at, field->count_size) +
           field->more;
}

struct field_seen field_look(const struct field *field, const void *value, struct field_value *got)
{
    struct field_seen seen = {.at = (const char *)value + field->at};
    if (field->get) {
        field->get(value, got);
        seen.at = &got->text;
    }
    seen.count = count_of(field, value, got);
    if (field->pointed)
        seen.at = *(const void *const *)seen.at;
    return seen;
}

bool field_is_empty(const struct field *field, const struct field_seen *seen)
{
    switch (field->kind) {
    case FIELD_KIND_TEXT:
        return !seen->at || !*(const char *)seen->at;
    case FIELD_KIND_NUMBER:
        return isnan(*(const double *)seen->at);
    case FIELD_KIND_BOOL:
        return *(const bool *)seen->at == field->reversed;
    case FIELD_KIND_UNSIGNED:
    case FIELD_KIND_SIGNED:
    case FIELD_KIND_SECONDS:
    case FIELD_KIND_ENUM:
        return !field_unsigned(seen->at, field->size);
    case FIELD_KIND_LIST:
        return !seen->count;
    case FIELD_KIND_BIG:
    case FIELD_KIND_JSON:
    case FIELD_KIND_STRUCT:
    case FIELD_KIND_CONSTANT:
        break;
    }
    return !seen->at;
}

static const char *const severities[] = {[TAC_WARNING] = "warning", [TAC_ERROR] = "error"};
TABLE_COVERS(severities, TAC_ERROR);
static const struct field diagnostic_fields[] = {
    FIELD_ENUM(tac_diagnostic, severity, severities),
    FIELD_TEXT(tac_diagnostic, file),
    FIELD(tac_diagnostic, line),
    FIELD(tac_diagnostic, column),
    FIELD_TEXT(tac_diagnostic, message),
};
DESCRIBE(diagnostic, tac_diagnostic);

static const struct field diagnostics_fields[] = {
    FIELD_LIST(tac_diagnostics, at, count, diagnostic_described, .key = "errors",
               .each = IF_IS(tac_diagnostic, severity, TAC_ERROR)),
    FIELD_LIST(tac_diagnostics, at, count, diagnostic_described, .key = "warnings",
               .each = IF_IS(tac_diagnostic, severity, TAC_WARNING)),
};
DESCRIBE(diagnostics, tac_diagnostics);

/* The elements of plain lists. */
#define ELEMENT(what, type, kind_)                                                                 \
    static const struct field what##_fields[] = {                                                  \
        {.member = "value",                                                                        \
         .kind = FIELD_KIND_##kind_,                                                               \
         .size = sizeof(type),                                                                     \
         .pointed = FIELD_KIND_##kind_ == FIELD_KIND_TEXT}};                                       \
    DESCRIBE(what, type, .form = DESCRIBE_VALUE)
ELEMENT(element_text, const char *, TEXT);
ELEMENT(element_number, double, NUMBER);
ELEMENT(element_u32, uint32_t, UNSIGNED);
ELEMENT(element_u64, uint64_t, UNSIGNED);
