/* What of a method's code is probed: call sites, handlers, and where a constructor has constructed
 * its superclass's part. One pass over the instructions.
 *
 * Which constructor call belongs to which `new` is told by nesting: compilers emit them in order.
 * Where that does not come out the method is left alone. */
#include "jvm/classfile/code.h"
#include <assert.h>

enum { OP_INVOKEVIRTUAL = 182, OP_INVOKESPECIAL, OP_INVOKESTATIC, OP_INVOKEINTERFACE };
enum { OP_DUP = 89, OP_TABLESWITCH = 170, OP_LOOKUPSWITCH = 171, OP_NEW = 187, OP_WIDE = 196 };

static uint32_t switch_length(const uint8_t *code, uint32_t length, uint32_t at)
{
    uint32_t body = (at + 4) & ~3u, table = code[at] == OP_TABLESWITCH;
    if (body + 12 > length + (table ? 0 : 4))
        return 0;
    uint64_t words;
    if (table) {
        int64_t low = (int32_t)get_u4(code + body + 4), high = (int32_t)get_u4(code + body + 8);
        if (high < low)
            return 0;
        words = 3 + (uint64_t)(high - low + 1);
    } else {
        words = 2 + 2 * (uint64_t)get_u4(code + body + 4);
    }
    return words * 4 <= length - body ? body + (uint32_t)words * 4 - at : 0;
}

uint32_t instruction_length(const uint8_t *code, uint32_t length, uint32_t at)
{
    /* Runs of opcodes with the same length: {first of the next run, length}. */
    static const uint8_t runs[][2] = {
        {16, 1},  {17, 2},  {18, 3},  {19, 2},  {21, 3},  {26, 2},  {54, 1},  {59, 2},  {132, 1},
        {133, 3}, {153, 1}, {169, 3}, {170, 2}, {172, 0}, {178, 1}, {185, 3}, {187, 5}, {188, 3},
        {189, 2}, {190, 3}, {192, 1}, {194, 3}, {196, 1}, {197, 0}, {198, 4}, {200, 3}, {202, 5}};
    assert(at < length);
    uint32_t opcode = code[at], size = 0, i = 0;
    if (opcode == OP_TABLESWITCH || opcode == OP_LOOKUPSWITCH) {
        size = switch_length(code, length, at);
    } else if (opcode == OP_WIDE) {
        size = at + 1 < length && code[at + 1] == 132 ? 6 : 4;
    } else if (opcode < 202) {
        while (opcode >= runs[i][0])
            i++;
        size = runs[i][1];
    }
    return size && size <= length - at ? size : 0;
}

bool code_attribute_read(const struct class_method *method, struct code_attribute *out)
{
    struct class_cursor c = {method->code_start + 6, method->code_end, false};
    out->max_stack = take_u2(&c);
    out->max_locals = take_u2(&c);
    out->length = take_u4(&c);
    out->code = take_bytes(&c, out->length);
    out->exception_count = take_u2(&c);
    out->exceptions = take_bytes(&c, 8 * (size_t)out->exception_count);
    out->attribute_count = take_u2(&c);
    out->attributes = c.at;
    out->end = method->code_end;
    for (uint32_t i = 0; i < out->attribute_count; i++) {
        take_u2(&c);
        take_bytes(&c, take_u4(&c));
    }
    return !c.bad && c.at == c.end && out->length > 0 && out->length < 65536;
}

const uint8_t *code_attribute_find(const struct class_file *file, const struct code_attribute *code,
                                   const char *name, size_t *size)
{
    struct class_cursor c = {code->attributes, code->end, false};
    for (uint32_t i = 0; i < code->attribute_count; i++) {
        struct class_text text = {"", 0};
        class_utf8(file, take_u2(&c), &text);
        *size = take_u4(&c);
        const uint8_t *body = take_bytes(&c, *size);
        if (body && text_is(text, name))
            return body;
    }
    *size = 0;
    return NULL;
}

uint32_t code_line(const struct class_file *file, const struct code_attribute *code, uint32_t at)
{
    size_t size;
    const uint8_t *table = code_attribute_find(file, code, "LineNumberTable", &size);
    uint32_t line = 0, best = 0;
    for (size_t i = 2; table && i + 4 <= size; i += 4)
        if (get_u2(table + i) <= at && (!line || get_u2(table + i) >= best)) {
            best = get_u2(table + i);
            line = get_u2(table + i + 2);
        }
    return line;
}

/* `new` instructions whose constructor has not been called yet. */
struct open_news {
    uint32_t count;
    bool dup[64]; /* each: is it followed by dup? */
};

static enum site_kind constructor_kind(struct code_work *w, struct open_news *news, uint32_t at,
                                       struct class_text owner)
{
    if (news->count)
        return news->dup[--news->count] ? SITE_NEW : SITE_NONE;
    if (!text_is(w->subject.method->name, "<init>"))
        return SITE_NONE;
    if (w->super_call != UINT32_MAX ||
        (!texts_equal(owner, w->file->name) && !texts_equal(owner, w->file->super)))
        w->why = "its constructor calls are not in the usual order";
    w->super_call = at;
    return SITE_SUPER_CALL;
}

static void scan_call(struct code_work *w, struct open_news *news, uint32_t at)
{
    struct probe_call call = {.in = w->subject, .opcode = w->old.code[at]};
    struct code_place *place = &w->places[at];
    if (!class_member(w->file, get_u2(w->old.code + at + 1), &call.owner, &call.name,
                      &call.descriptor))
        return;
    enum site_kind kind = SITE_CALL;
    if (text_is(call.name, "<init>"))
        kind = constructor_kind(w, news, at, call.owner);
    call.is_super = kind == SITE_SUPER_CALL;
    if (kind == SITE_NONE || w->why || !w->plan->callin || call.owner.at[0] == '[')
        return;
    call.line = code_line(w->file, &w->old, at);
    place->site = w->plan->callin(w->plan->context, &call);
    place->kind = (uint8_t)kind;
    w->sites += place->site != 0;
}

static void scan_handlers(struct code_work *w)
{
    for (uint32_t i = 0; i < w->old.exception_count && !w->why; i++) {
        uint32_t at = get_u2(w->old.exceptions + 8 * i + 4);
        if (at >= w->old.length || !w->places[at].start)
            w->why = "an exception handler is not at an instruction";
        else
            w->places[at].handler = 1;
    }
}

/* The handler that is added knows nothing of `this`, so it must not cover code in which `this` is
 * not constructed. */
static void check_constructor(struct code_work *w)
{
    size_t size = 0;
    const uint8_t *frames = code_attribute_find(w->file, &w->old, "StackMapTable", &size);
    if (w->super_call == UINT32_MAX)
        w->why = "a constructor that does not call another";
    else if (frames && frames_uninitialised_after(w, frames, size, w->super_call))
        w->why = "a constructor that works on before it is constructed";
}

bool code_scan(struct code_work *w)
{
    struct open_news news = {0};
    const uint8_t *code = w->old.code;
    for (uint32_t at = 0, size; at < w->old.length && !w->why; at += size) {
        size = instruction_length(code, w->old.length, at);
        if (!size) {
            w->why = "an instruction that is not known";
            break;
        }
        w->places[at].start = 1;
        if (code[at] == OP_NEW) {
            if (news.count == sizeof news.dup)
                w->why = "too many nested constructions";
            else
                news.dup[news.count++] = at + 3 < w->old.length && code[at + 3] == OP_DUP;
        } else if (code[at] >= OP_INVOKEVIRTUAL && code[at] <= OP_INVOKEINTERFACE) {
            scan_call(w, &news, at);
        }
    }
    if (!w->why)
        scan_handlers(w);
    bool probed = w->timed || w->callback || w->sites;
    if (!w->why && probed && text_is(w->subject.method->name, "<init>"))
        check_constructor(w);
    return !w->why;
}
