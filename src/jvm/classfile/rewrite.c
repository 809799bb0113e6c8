/* A class with probes in it: the old bytes, more constants, and new code for some methods. */
#include "jvm/classfile/code.h"
#include <assert.h>
#include <stdio.h>

struct class_work {
    const struct class_file *file;
    const struct probe_plan *plan;
    struct constant_pool pool;
    struct lambda_list lambdas;
    struct class_bytes methods;
    struct rewrite_report *report;
};

enum { EXTRA_STACK = 8 }; /* a probe's values, on top of what the method has */

static uint32_t moved(const struct code_work *w, uint32_t old)
{
    return old <= w->old.length && w->places[old].start ? w->places[old].label : UINT32_MAX;
}

static bool write_exceptions(const struct code_work *w, struct class_bytes *out)
{
    bool guard = w->guard_from < w->guard_to;
    if (w->old.exception_count + guard > 65535)
        return false;
    add_u2(out, w->old.exception_count + guard);
    for (uint32_t i = 0; i < w->old.exception_count; i++) {
        const uint8_t *e = w->old.exceptions + 8 * i;
        uint32_t from = moved(w, get_u2(e)), to = moved(w, get_u2(e + 2));
        uint32_t handler = moved(w, get_u2(e + 4));
        if (from == UINT32_MAX || to == UINT32_MAX || handler == UINT32_MAX)
            return false;
        add_u2(out, from);
        add_u2(out, to);
        add_u2(out, handler);
        add_u2(out, get_u2(e + 6));
    }
    if (guard) { /* last, so that the method's own handlers come first */
        add_u2(out, w->guard_from);
        add_u2(out, w->guard_to);
        add_u2(out, w->handler_at);
        add_u2(out, 0);
    }
    return true;
}

/* LineNumberTable: {start, line}; LocalVariable(Type)Table: {start, length, name, type, index}. */
static bool write_table(const struct code_work *w, const uint8_t *body, size_t size, size_t row,
                        struct class_bytes *out)
{
    if (size < 2 || size != 2 + row * get_u2(body))
        return false;
    add_bytes(out, body, 2);
    for (size_t i = 2; i < size; i += row) {
        uint32_t start = moved(w, get_u2(body + i));
        if (start == UINT32_MAX)
            return false;
        add_u2(out, start);
        if (row == 10) {
            uint32_t end = moved(w, get_u2(body + i) + get_u2(body + i + 2));
            if (end == UINT32_MAX)
                return false;
            add_u2(out, end - start);
            add_bytes(out, body + i + 4, row - 4);
        } else {
            add_bytes(out, body + i + 2, row - 2);
        }
    }
    return true;
}

/* One attribute of the code, moved; *kept says whether it is there at all. Annotations of types
 * inside code name positions and nobody can ask for them at run time: they are left out. */
static bool write_attribute(const struct code_work *w, uint32_t name_index, const uint8_t *body,
                            size_t size, struct class_bytes *out, bool *kept)
{
    struct class_text name = {"", 0};
    class_utf8(w->file, name_index, &name);
    size_t header = out->count;
    *kept = !text_is(name, "StackMapTable") && !text_is(name, "RuntimeVisibleTypeAnnotations") &&
            !text_is(name, "RuntimeInvisibleTypeAnnotations");
    if (!*kept)
        return true;
    add_u2(out, name_index);
    add_u4(out, 0);
    bool good = true;
    if (text_is(name, "LineNumberTable"))
        good = write_table(w, body, size, 4, out);
    else if (text_is(name, "LocalVariableTable") || text_is(name, "LocalVariableTypeTable"))
        good = write_table(w, body, size, 10, out);
    else
        add_bytes(out, body, size);
    if (good && !out->bad)
        put_u4(out->at + header + 2, (uint32_t)(out->count - header - 6));
    return good;
}

static bool write_frames(const struct code_work *w, struct class_bytes *out)
{
    size_t size = 0, header = out->count;
    const uint8_t *old = code_attribute_find(w->file, &w->old, "StackMapTable", &size);
    add_u2(out, w->pool->stack_map);
    add_u4(out, 0);
    bool good = frames_write(w, old, size, out);
    if (good && !out->bad)
        put_u4(out->at + header + 2, (uint32_t)(out->count - header - 6));
    return good;
}

static bool write_attributes(const struct code_work *w, struct class_bytes *out)
{
    struct class_cursor c = {w->old.attributes, w->old.end, false};
    size_t count_at = out->count;
    uint32_t count = 0;
    bool good = true, kept = false;
    add_u2(out, 0);
    for (uint32_t i = 0; i < w->old.attribute_count && good; i++) {
        uint32_t name = take_u2(&c), size = take_u4(&c);
        const uint8_t *body = take_bytes(&c, size);
        good = write_attribute(w, name, body, size, out, &kept);
        count += kept;
    }
    if (good && w->file->major >= 50) { /* older verifiers infer the types */
        good = write_frames(w, out);
        count++;
    }
    if (good && !out->bad)
        put_u2(out->at + count_at, count);
    return good && count < 65536;
}

/* method_info with the new Code in place of the old one. */
static bool write_method(const struct code_work *w, struct class_bytes *out)
{
    const struct class_method *m = w->subject.method;
    uint32_t stack = w->old.max_stack + EXTRA_STACK;
    add_bytes(out, m->start, (size_t)(m->code_start - m->start) + 2);
    size_t header = out->count;
    add_u4(out, 0);
    add_u2(out, stack < 65535 ? stack : 65535);
    add_u2(out, w->old.max_locals + w->spill);
    add_u4(out, (uint32_t)w->out.count);
    add_bytes(out, w->out.at, w->out.count);
    bool good = write_exceptions(w, out) && write_attributes(w, out);
    if (good && !out->bad)
        put_u4(out->at + header, (uint32_t)(out->count - header - 4));
    add_bytes(out, m->code_end, (size_t)(m->end - m->code_end));
    return good;
}

static const struct lambda_body *find_lambda(const struct lambda_list *list,
                                             const struct class_method *m)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (texts_equal(list->at[i].name, m->name) &&
            texts_equal(list->at[i].descriptor, m->descriptor))
            return &list->at[i];
    return NULL;
}

static void note_left(struct class_work *c, const struct class_method *m, const char *why)
{
    if (!c->report->left_alone++)
        snprintf(c->report->first_left, sizeof c->report->first_left, "%.*s: %s",
                 m->name.length < 60 ? (int)m->name.length : 60, m->name.at, why);
}

/* Probes one method; what it adds to the methods is either its new or its old form. */
static void rewrite_code(struct class_work *c, struct code_work *w)
{
    const struct class_method *m = w->subject.method;
    size_t before = c->methods.count;
    bool good = code_scan(w);
    bool probed = w->timed || w->callback || w->sites;
    if (good && probed) {
        good = code_emit(w) && code_relocate(w) && write_method(w, &c->methods);
        if (!good && !w->why)
            w->why = "its tables do not fit its code";
    }
    if (good && probed) {
        c->report->methods += w->timed || w->callback;
        c->report->calls += w->sites;
        return;
    }
    if (!good && (probed || w->why))
        note_left(c, m, w->why ? w->why : "not understood");
    if (!c->methods.bad)
        c->methods.count = before;
    add_bytes(&c->methods, m->start, (size_t)(m->end - m->start));
}

static void rewrite_method(struct class_work *c, const struct class_method *m)
{
    struct code_work w = {
        .file = c->file, .plan = c->plan, .pool = &c->pool, .super_call = UINT32_MAX};
    w.subject = (struct probe_method){c->file, m, NULL, 0};
    bool readable = m->code_start && code_attribute_read(m, &w.old) &&
                    class_signature_read(m->descriptor, &w.signature);
    w.places = readable ? calloc(w.old.length + 1, sizeof *w.places) : NULL;
    if (!w.places) {
        if (m->code_start)
            note_left(c, m, readable ? "out of memory" : "its code is malformed");
        add_bytes(&c->methods, m->start, (size_t)(m->end - m->start));
        return;
    }
    w.subject.lambda = find_lambda(&c->lambdas, m);
    w.subject.line = code_line(c->file, &w.old, 0);
    if (c->plan->timed)
        w.timed = c->plan->timed(c->plan->context, &w.subject);
    if (c->plan->callback)
        w.callback = c->plan->callback(c->plan->context, &w.subject);
    rewrite_code(c, &w);
    free(w.places);
    free(w.out.at);
}

static bool assemble(struct class_work *c, struct class_bytes *out)
{
    const struct class_file *file = c->file;
    const uint8_t *pool_start = file->bytes + 10;
    add_bytes(out, file->bytes, 8);
    add_u2(out, c->pool.count);
    add_bytes(out, pool_start, (size_t)(file->after_pool - pool_start));
    add_bytes(out, c->pool.bytes.at, c->pool.bytes.count);
    add_bytes(out, file->after_pool, (size_t)(file->methods_count_at + 2 - file->after_pool));
    add_bytes(out, c->methods.at, c->methods.count);
    add_bytes(out, file->after_methods, (size_t)(file->bytes + file->size - file->after_methods));
    return !out->bad && !c->methods.bad && !c->pool.bad && !c->pool.bytes.bad;
}

static enum rewrite_result rewrite_file(const struct class_file *file,
                                        const struct probe_plan *plan, struct class_bytes *out,
                                        struct rewrite_report *report)
{
    struct class_work c = {
        .file = file, .plan = plan, .report = report, .pool = {.count = file->constant_count}};
    bool good = lambda_bodies_read(file, &c.lambdas);
    c.pool.throwable = pool_class(&c.pool, "java/lang/Throwable");
    c.pool.stack_map = pool_utf8(&c.pool, "StackMapTable");
    for (uint32_t i = 0; i < file->method_count && good; i++)
        rewrite_method(&c, &file->methods[i]);
    enum rewrite_result result = REWRITE_UNTOUCHED;
    if (!good)
        result = REWRITE_NO_ROOM;
    else if (report->methods || report->calls)
        result = assemble(&c, out) ? REWRITE_DONE : REWRITE_NO_ROOM;
    free(c.lambdas.at);
    free(c.pool.bytes.at);
    free(c.methods.at);
    return result;
}

enum rewrite_result class_rewrite(const uint8_t *bytes, size_t size, const struct probe_plan *plan,
                                  uint8_t **out, size_t *out_size, struct rewrite_report *report)
{
    struct class_file file;
    struct class_bytes built = {0};
    *report = (struct rewrite_report){0};
    struct class_bytes bridged = {0};
    enum rewrite_result result = REWRITE_BROKEN;
    bool good = class_file_read(bytes, size, &file);
    if (good && class_bridge_references(&file, plan, &bridged)) {
        class_file_free(&file);
        good = class_file_read(bridged.at, bridged.count, &file);
    }
    if (good)
        result = rewrite_file(&file, plan, &built, report);
    class_file_free(&file);
    free(bridged.at);
    if (result != REWRITE_DONE) {
        free(built.at);
        return result;
    }
    assert(built.count > size);
    *out = built.at;
    *out_size = built.count;
    return result;
}
