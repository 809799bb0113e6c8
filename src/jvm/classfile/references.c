/* References to methods of other classes (`reader::close`) as lambdas.
 *
 * The hidden class that stands for such a reference calls the other class's method itself, and no
 * probe of this class is passed. So the class gets a bridge, a private static method that makes the
 * same call, and the reference leads to the bridge: like a lambda's body, it is a callback, and the
 * call in it a call-in. Bridges have the name BRIDGE_PREFIX, the method's name and a number.
 *
 * Invariants: constants are only added, no instruction of the class changes; of the bootstrap table
 * two bytes per reference change. References that the compiler would not have let through as they
 * are (serializable ones, `super::m`, arrays) stay. */
#include "base/check.h"
#include "jvm/classfile/code.h"
#include <stdio.h>

enum { REF_VIRTUAL = 5, REF_STATIC = 6, REF_NEW = 8, REF_INTERFACE = 9 };
enum { OP_ALOAD_BASE = 21, OP_DUP = 89, OP_RETURN_BASE = 172, OP_NEW = 187 };

struct bridge_work {
    const struct class_file *file;
    const struct probe_plan *plan;
    struct constant_pool pool;
    struct class_bytes methods;
    const uint8_t **entries;
    uint32_t entry_count, count, code_name;
    uint16_t *handles; /* per entry of the bootstrap table: the new handle, 0 = stays */
};

struct reference {
    uint32_t kind, member;
    struct class_text owner, name, descriptor;
};

static bool read_reference(const struct bridge_work *w, const uint8_t *entry, struct reference *out)
{
    if (!is_metafactory(w->file, get_u2(entry), "metafactory") || get_u2(entry + 2) < 3)
        return false;
    const uint8_t *handle = class_constant(w->file, get_u2(entry + 6), CONSTANT_METHOD_HANDLE);
    if (!handle)
        return false;
    out->kind = handle[1];
    out->member = get_u2(handle + 2);
    bool known = out->kind == REF_VIRTUAL || out->kind == REF_STATIC || out->kind == REF_NEW ||
                 out->kind == REF_INTERFACE;
    return known && class_member(w->file, out->member, &out->owner, &out->name, &out->descriptor) &&
           !texts_equal(out->owner, w->file->name) && out->owner.length && out->owner.at[0] != '[';
}

/* "(Ljava/io/Reader;)V" of close: what it is called on comes first, what it makes comes last. */
static char *bridge_descriptor(const struct reference *r)
{
    const char *close = memchr(r->descriptor.at, ')', r->descriptor.length);
    size_t room = (size_t)r->descriptor.length + r->owner.length + 4;
    char *text = close ? malloc(room) : NULL;
    if (!text)
        return NULL;
    int parameters = (int)(close - r->descriptor.at) - 1, owner = (int)r->owner.length;
    if (r->kind == REF_NEW)
        snprintf(text, room, "(%.*s)L%.*s;", parameters, r->descriptor.at + 1, owner, r->owner.at);
    else if (r->kind == REF_STATIC)
        snprintf(text, room, "%.*s", (int)r->descriptor.length, r->descriptor.at);
    else
        snprintf(text, room, "(L%.*s;%.*s", owner, r->owner.at, (int)r->descriptor.length - 1,
                 r->descriptor.at + 1);
    return text;
}

/* 0 int, 1 long, 2 float, 3 double, 4 reference, 5 nothing. */
static uint32_t shape_of(char type)
{
    return type == 'J'   ? 1
           : type == 'F' ? 2
           : type == 'D' ? 3
           : type == 'L' ? 4
           : type == 'V' ? 5
                         : 0;
}

static void add_code(struct bridge_work *w, const struct reference *r,
                     const struct class_signature *s, struct class_bytes *code)
{
    uint32_t local = 0;
    if (r->kind == REF_NEW) {
        const uint8_t *member = class_constant(w->file, r->member, CONSTANT_METHOD);
        add_u1(code, OP_NEW);
        add_u2(code, member ? get_u2(member + 1) : 0);
        add_u1(code, OP_DUP);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        add_u1(code, OP_ALOAD_BASE + shape_of(s->types[i]));
        add_u1(code, local);
        local += slots_of(s->types[i]);
    }
    static const uint8_t invokes[] = {
        [REF_VIRTUAL] = 182, [REF_STATIC] = 184, [REF_NEW] = 183, [REF_INTERFACE] = 185};
    TABLE_COVERS(invokes, REF_INTERFACE);
    add_u1(code, invokes[r->kind]);
    add_u2(code, r->member);
    if (r->kind == REF_INTERFACE) {
        add_u1(code, local);
        add_u1(code, 0);
    }
    add_u1(code, OP_RETURN_BASE + shape_of(s->result));
}

static void add_method(struct bridge_work *w, const struct class_signature *s, uint32_t name,
                       uint32_t descriptor, const struct class_bytes *code)
{
    enum { PRIVATE_STATIC_SYNTHETIC = 0x100a };
    add_u2(&w->methods, PRIVATE_STATIC_SYNTHETIC);
    add_u2(&w->methods, name);
    add_u2(&w->methods, descriptor);
    add_u2(&w->methods, 1);
    add_u2(&w->methods, w->code_name);
    add_u4(&w->methods, (uint32_t)code->count + 12);
    add_u2(&w->methods, s->slots + 3); /* an object that is made, twice; a result of two slots */
    add_u2(&w->methods, s->slots);
    add_u4(&w->methods, (uint32_t)code->count);
    add_bytes(&w->methods, code->at, code->count);
    add_u4(&w->methods, 0); /* neither handlers nor attributes */
}

/* The handle's constant; 0 when there is no room. */
static uint32_t add_handle(struct bridge_work *w, uint32_t name, uint32_t descriptor)
{
    enum { ACCESS_INTERFACE = 0x200 };
    bool interface = w->file->access & ACCESS_INTERFACE;
    uint32_t both = pool_pair(&w->pool, CONSTANT_NAME_AND_TYPE, name, descriptor);
    uint32_t member = pool_pair(&w->pool, interface ? CONSTANT_INTERFACE_METHOD : CONSTANT_METHOD,
                                w->file->this_class, both);
    return pool_handle(&w->pool, REF_STATIC, member);
}

static bool add_bridge(struct bridge_work *w, const struct reference *r, uint16_t *handle)
{
    char name[256], *descriptor = bridge_descriptor(r);
    struct class_signature s;
    struct class_bytes code = {0};
    bool constructor = r->kind == REF_NEW;
    snprintf(name, sizeof name, BRIDGE_PREFIX "%.*s$%u", constructor ? 3 : (int)r->name.length,
             constructor ? "new" : r->name.at, w->count);
    bool good =
        descriptor && r->name.length < 200 &&
        class_signature_read((struct class_text){descriptor, (uint32_t)strlen(descriptor)}, &s) &&
        s.slots < 256;
    if (good) {
        uint32_t name_index = pool_utf8(&w->pool, name);
        uint32_t descriptor_index = pool_utf8(&w->pool, descriptor);
        add_code(w, r, &s, &code);
        add_method(w, &s, name_index, descriptor_index, &code);
        *handle = (uint16_t)add_handle(w, name_index, descriptor_index);
        w->count++;
        good = !code.bad && !w->pool.bad;
    }
    free(code.at);
    free(descriptor);
    return good;
}

static bool find_references(struct bridge_work *w)
{
    bool good = true;
    for (uint32_t i = 1; good && i < w->file->constant_count; i++) {
        const uint8_t *use = class_constant(w->file, i, CONSTANT_INVOKE_DYNAMIC);
        uint32_t entry = use ? get_u2(use + 1) : 0;
        struct reference r;
        struct class_text method, made;
        if (!use || entry >= w->entry_count || w->handles[entry] ||
            !read_reference(w, w->entries[entry], &r) ||
            !class_name_and_type(w->file, get_u2(use + 3), &method, &made))
            continue;
        const uint8_t *type =
            class_constant(w->file, get_u2(w->entries[entry] + 4), CONSTANT_METHOD_TYPE);
        struct class_text descriptor;
        if (type && class_utf8(w->file, get_u2(type + 1), &descriptor) &&
            w->plan->reference(w->plan->context, method, descriptor, r.name, r.descriptor))
            good = add_bridge(w, &r, &w->handles[entry]);
    }
    return good;
}

static bool assemble(const struct bridge_work *w, struct class_bytes *out)
{
    const struct class_file *f = w->file;
    const uint8_t *pool_start = f->bytes + 10;
    add_bytes(out, f->bytes, 8);
    add_u2(out, w->pool.count);
    add_bytes(out, pool_start, (size_t)(f->after_pool - pool_start));
    add_bytes(out, w->pool.bytes.at, w->pool.bytes.count);
    add_bytes(out, f->after_pool, (size_t)(f->methods_count_at - f->after_pool));
    add_u2(out, f->method_count + w->count);
    add_bytes(out, f->methods_count_at + 2, (size_t)(f->after_methods - f->methods_count_at) - 2);
    add_bytes(out, w->methods.at, w->methods.count);
    size_t behind = out->count;
    add_bytes(out, f->after_methods, (size_t)(f->bytes + f->size - f->after_methods));
    if (out->bad || w->methods.bad || w->pool.bad || w->pool.bytes.bad ||
        f->method_count + w->count > 65535)
        return false;
    for (uint32_t i = 0; i < w->entry_count; i++)
        if (w->handles[i])
            put_u2(out->at + behind + (size_t)(w->entries[i] - f->after_methods) + 6,
                   w->handles[i]);
    return true;
}

bool class_bridge_references(const struct class_file *file, const struct probe_plan *plan,
                             struct class_bytes *out)
{
    if (!plan->reference || !file->bootstrap || file->bootstrap_size < 2 ||
        file->bootstrap < file->after_methods)
        return false;
    struct bridge_work w = {.file = file, .plan = plan, .pool = {.count = file->constant_count}};
    w.entries = bootstrap_entries(file, &w.entry_count);
    w.handles = calloc(w.entry_count + 1u, sizeof *w.handles);
    w.code_name = pool_utf8(&w.pool, "Code");
    bool good = w.entries && w.handles && find_references(&w) && w.count && assemble(&w, out);
    if (!good) {
        free(out->at);
        *out = (struct class_bytes){0};
    }
    free(w.entries);
    free(w.handles);
    free(w.pool.bytes.at);
    free(w.methods.at);
    return good;
}
