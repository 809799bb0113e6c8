/* Records of call-ins as messages of a recording (docs/protocol.md), as text.
 *
 * The agent tells in short what it tells often: methods, classes and places have numbers, and what
 * a number stands for was told in a record before. The file is the work of a process that may have
 * gone wrong: a number that stands for nothing, or a value that is cut, makes a record unreadable.
 */
#include "base/check.h"
#include "base/data/alloc.h"
#include "jvm/host/jvm.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 22 };

static void define(struct jvm_numbers *numbers, const struct raw_record *record)
{
    if (record->probe >= MOST_NUMBERS)
        return;
    while (numbers->texts.count <= record->probe)
        tac_vec_push(&numbers->texts, NULL);
    free(numbers->texts.at[record->probe]);
    numbers->texts.at[record->probe] = tac_strndup(record->text, record->text_size);
}

static const char *meaning(const struct jvm_numbers *numbers, uint32_t number)
{
    return number < numbers->texts.count ? numbers->texts.at[number] : NULL;
}

static void add_real(tac_str *out, double value)
{
    if (isfinite(value))
        tac_str_addf(out, "%.17g", value);
    else
        tac_str_addf(out, "\"%s\"", isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
}

/* One value; its size, 0 when it is cut. */
static size_t add_value(const struct jvm_messages *m, const char *at, size_t size, tac_str *out)
{
    struct raw_value_head value;
    if (size < sizeof value)
        return 0;
    memcpy(&value, at, sizeof value);
    if (value.kind == RAW_INTEGER) {
        tac_str_addf(out, "%" PRId64, value.integer);
    } else if (value.kind == RAW_REAL) {
        add_real(out, value.real);
    } else if (value.kind == RAW_OBJECT) {
        const char *type = meaning(&m->types, value.more);
        tac_str_addf(out, "{\"object\":\"%" PRId64 "\",", value.integer);
        tac_str_add(out, type ? type : "\"type\":\"java.lang.Object\"");
        tac_str_add_char(out, '}');
    } else if (value.kind == RAW_TEXT) {
        size_t padded = ((size_t)value.more + 7) & ~(size_t)7;
        if (padded > size - sizeof value)
            return 0;
        tac_str_add_bytes(out, at + sizeof value, value.more);
        return sizeof value + padded;
    } else if (value.kind == RAW_NULL) {
        tac_str_add(out, "null");
    } else {
        return 0;
    }
    return sizeof value;
}

static bool add_callin(const struct jvm_messages *m, const struct raw_record *record, tac_str *out)
{
    struct raw_callin call;
    if (record->text_size < sizeof call)
        return false;
    memcpy(&call, record->text, sizeof call);
    const char *head = meaning(&m->heads, call.type), *place = meaning(&m->places, record->probe);
    if (!head)
        return false;
    tac_str_add(out, "{\"type\":\"callin_entry\",");
    tac_str_add(out, head);
    tac_str_add(out, ",\"params\":[");
    size_t at = sizeof call;
    for (uint32_t i = 0; i < call.count; i++) {
        if (i)
            tac_str_add_char(out, ',');
        size_t used = add_value(m, record->text + at, record->text_size - at, out);
        if (!used)
            return false;
        at += used;
    }
    tac_str_add_char(out, ']');
    if (place) {
        tac_str_add_char(out, ',');
        tac_str_add(out, place);
    }
    return true;
}

static bool add_return(const struct jvm_messages *m, const struct raw_record *record, tac_str *out)
{
    tac_str_add(out, "{\"type\":\"callin_exit\"");
    if (!record->text_size)
        return true;
    tac_str_add(out, ",\"value\":");
    return add_value(m, record->text, record->text_size, out) != 0;
}

bool jvm_messages_define(struct jvm_messages *m, const struct raw_record *record)
{
    struct jvm_numbers *numbers = record->kind == RAW_HEAD    ? &m->heads
                                  : record->kind == RAW_TYPE  ? &m->types
                                  : record->kind == RAW_PLACE ? &m->places
                                                              : NULL;
    if (numbers)
        define(numbers, record);
    return numbers != NULL;
}

bool jvm_message_text(const struct jvm_messages *m, const struct raw_record *record, bool ui,
                      tac_str *out)
{
    assert(record->kind == RAW_CALLIN || record->kind == RAW_RETURN);
    bool good =
        record->kind == RAW_CALLIN ? add_callin(m, record, out) : add_return(m, record, out);
    tac_str_addf(out, ",\"ui\":%s,\"thread\":%u}", ui ? "true" : "false", record->thread);
    return good;
}

static void numbers_free(struct jvm_numbers *numbers)
{
    for (size_t i = 0; i < numbers->texts.count; i++)
        free(numbers->texts.at[i]);
    tac_vec_free(&numbers->texts);
}

void jvm_messages_free(struct jvm_messages *m)
{
    numbers_free(&m->heads);
    numbers_free(&m->types);
    numbers_free(&m->places);
}
