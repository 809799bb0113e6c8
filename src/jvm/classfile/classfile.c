/* Reading a class file. One pass over the bytes; every index is checked when it is used. */
#include "jvm/classfile/classfile.h"
#include <assert.h>

const uint8_t *class_constant(const struct class_file *file, uint32_t index, uint32_t tag)
{
    if (index >= file->constant_count || !file->constants[index])
        return NULL;
    return *file->constants[index] == tag ? file->constants[index] : NULL;
}

bool class_utf8(const struct class_file *file, uint32_t index, struct class_text *out)
{
    const uint8_t *entry = class_constant(file, index, CONSTANT_UTF8);
    if (!entry)
        return false;
    *out = (struct class_text){(const char *)entry + 3, get_u2(entry + 1)};
    return true;
}

static bool class_class_name(const struct class_file *file, uint32_t index, struct class_text *out)
{
    const uint8_t *entry = class_constant(file, index, CONSTANT_CLASS);
    return entry && class_utf8(file, get_u2(entry + 1), out);
}

bool class_name_and_type(const struct class_file *file, uint32_t index, struct class_text *name,
                         struct class_text *descriptor)
{
    const uint8_t *entry = class_constant(file, index, CONSTANT_NAME_AND_TYPE);
    return entry && class_utf8(file, get_u2(entry + 1), name) &&
           class_utf8(file, get_u2(entry + 3), descriptor);
}

bool class_member(const struct class_file *file, uint32_t index, struct class_text *owner,
                  struct class_text *name, struct class_text *descriptor)
{
    const uint8_t *entry = class_constant(file, index, CONSTANT_METHOD);
    if (!entry)
        entry = class_constant(file, index, CONSTANT_INTERFACE_METHOD);
    return entry && class_class_name(file, get_u2(entry + 1), owner) &&
           class_name_and_type(file, get_u2(entry + 3), name, descriptor);
}

/* Bytes after the tag; 0 for a tag that no version has. Utf8 has its text in addition. */
static size_t constant_size(uint32_t tag)
{
    static const uint8_t sizes[] = {
        [1] = 2,  [3] = 4,  [4] = 4,  [5] = 8,  [6] = 8,  [7] = 2,  [8] = 2,  [9] = 4, [10] = 4,
        [11] = 4, [12] = 4, [15] = 3, [16] = 2, [17] = 4, [18] = 4, [19] = 2, [20] = 2};
    return tag < sizeof sizes ? sizes[tag] : 0;
}

static bool read_constants(struct class_cursor *c, struct class_file *file)
{
    if (c->bad || !file->constant_count)
        return false;
    file->constants = calloc(file->constant_count, sizeof *file->constants);
    if (!file->constants)
        return false;
    for (uint32_t i = 1; i < file->constant_count; i++) {
        const uint8_t *entry = c->at;
        uint32_t tag = take_u1(c);
        size_t size = constant_size(tag);
        const uint8_t *body = take_bytes(c, size);
        if (!size || !body ||
            (tag == CONSTANT_UTF8 && !take_bytes(c, get_u2(body)) && get_u2(body)))
            return false;
        file->constants[i] = entry;
        i += tag == CONSTANT_LONG || tag == CONSTANT_DOUBLE;
        if (i >= file->constant_count)
            return false; /* a wide constant without its second place */
    }
    return !c->bad;
}

bool class_constants_read(const uint8_t *bytes, size_t size, uint32_t count, struct class_file *out)
{
    struct class_cursor c = {bytes, bytes + size, false};
    *out = (struct class_file){.bytes = bytes, .size = size, .constant_count = count};
    return read_constants(&c, out);
}

static bool read_pool(struct class_cursor *c, struct class_file *file)
{
    file->constant_count = take_u2(c);
    return read_constants(c, file);
}

static bool read_members(struct class_cursor *c, struct class_file *file, bool methods)
{
    file->methods_count_at = c->at;
    uint32_t count = take_u2(c);
    if (methods) {
        file->methods = calloc(count + 1, sizeof *file->methods);
        file->method_count = count;
    }
    if (methods && !file->methods)
        return false;
    for (uint32_t i = 0; i < count && !c->bad; i++) {
        struct class_method m = {.start = c->at};
        m.access = take_u2(c);
        uint32_t name = take_u2(c), descriptor = take_u2(c), attributes = take_u2(c);
        if (!class_utf8(file, name, &m.name) || !class_utf8(file, descriptor, &m.descriptor))
            return false;
        while (attributes-- && !c->bad) {
            const uint8_t *start = c->at;
            struct class_text attribute = {0};
            bool named = class_utf8(file, take_u2(c), &attribute);
            take_bytes(c, take_u4(c));
            if (methods && named && text_is(attribute, "Code") && !c->bad) {
                if (m.code_start)
                    return false;
                m.code_start = start;
                m.code_end = c->at;
            }
        }
        m.end = c->at;
        if (methods)
            file->methods[i] = m;
    }
    return !c->bad;
}

static bool read_attributes(struct class_cursor *c, struct class_file *file)
{
    file->after_methods = c->at;
    uint32_t count = take_u2(c);
    while (count-- && !c->bad) {
        struct class_text name = {0};
        class_utf8(file, take_u2(c), &name);
        uint32_t size = take_u4(c);
        const uint8_t *body = take_bytes(c, size);
        if (!body && size)
            return false;
        if (text_is(name, "SourceFile") && size == 2)
            class_utf8(file, get_u2(body), &file->source);
        if (text_is(name, "BootstrapMethods")) {
            file->bootstrap = body;
            file->bootstrap_size = size;
        }
    }
    return !c->bad && c->at == c->end;
}

bool class_file_read(const uint8_t *bytes, size_t size, struct class_file *out)
{
    *out = (struct class_file){
        .bytes = bytes, .size = size, .name = {"", 0}, .super = {"", 0}, .source = {"", 0}};
    struct class_cursor c = {bytes, bytes + size, false};
    if (take_u4(&c) != 0xCAFEBABE)
        return false;
    take_u2(&c);
    out->major = take_u2(&c);
    if (!read_pool(&c, out))
        return false;
    out->after_pool = c.at;
    out->access = take_u2(&c);
    out->this_class = take_u2(&c);
    class_class_name(out, take_u2(&c), &out->super);
    uint32_t interfaces = take_u2(&c);
    take_bytes(&c, 2 * (size_t)interfaces);
    bool good = !c.bad && class_class_name(out, out->this_class, &out->name) &&
                read_members(&c, out, false) && read_members(&c, out, true) &&
                read_attributes(&c, out);
    assert(!good || out->after_methods <= bytes + size);
    return good;
}

void class_file_free(struct class_file *file)
{
    free(file->constants);
    free(file->methods);
    file->constants = NULL;
    file->methods = NULL;
}

/* One type from *at on: its letter, or 0. */
static char take_type(const char **at, const char *end)
{
    const char *p = *at;
    bool array = false;
    for (; p < end && *p == '['; p++)
        array = true;
    if (p == end)
        return 0;
    char type = *p++;
    if (type == 'L') {
        p = memchr(p, ';', (size_t)(end - p));
        if (!p)
            return 0;
        p++;
    } else if (!type || !strchr("BCDFIJSZ", type)) {
        return 0;
    }
    *at = p;
    return array ? 'L' : type;
}

bool class_signature_read(struct class_text descriptor, struct class_signature *out)
{
    const char *at = descriptor.at, *end = at + descriptor.length;
    out->count = out->slots = 0;
    if (at == end || *at++ != '(')
        return false;
    while (at < end && *at != ')') {
        char type = take_type(&at, end);
        if (!type || out->count == CLASS_MAX_PARAMETERS)
            return false;
        out->types[out->count++] = type;
        out->slots += slots_of(type);
    }
    if (at == end || out->slots > 255)
        return false;
    at++;
    if (end - at == 1 && *at == 'V') {
        out->result = 'V';
        return true;
    }
    out->result = take_type(&at, end);
    return out->result && at == end;
}
