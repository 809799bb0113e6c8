/* A class file, as far as probes need to understand it (The Java Virtual Machine Specification,
 * Java SE 17, chapter 4): the constant pool, the methods and where their code lies. Everything
 * points into the bytes that were read; nothing is copied. */
#pragma once

#include "jvm/classfile/bytes.h"

enum constant_tag {
    CONSTANT_UTF8 = 1,
    CONSTANT_INTEGER = 3,
    CONSTANT_LONG = 5,
    CONSTANT_DOUBLE = 6,
    CONSTANT_CLASS = 7,
    CONSTANT_FIELD = 9,
    CONSTANT_METHOD = 10,
    CONSTANT_INTERFACE_METHOD = 11,
    CONSTANT_NAME_AND_TYPE = 12,
    CONSTANT_METHOD_HANDLE = 15,
    CONSTANT_METHOD_TYPE = 16,
    CONSTANT_DYNAMIC = 17,
    CONSTANT_INVOKE_DYNAMIC = 18
};

enum {
    ACCESS_STATIC = 8,
    ACCESS_NATIVE = 0x100,
    ACCESS_ABSTRACT = 0x400,
    ACCESS_SYNTHETIC = 0x1000
};

/* Text of the pool, not terminated (modified UTF-8). */
struct class_text {
    const char *at;
    uint32_t length;
};

static inline bool text_is(struct class_text text, const char *word)
{
    return text.length == strlen(word) && !memcmp(text.at, word, text.length);
}

static inline bool texts_equal(struct class_text a, struct class_text b)
{
    return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

struct class_method {
    uint32_t access;
    struct class_text name, descriptor;
    const uint8_t *start, *end;           /* of the whole method_info */
    const uint8_t *code_start, *code_end; /* of its Code attribute, header included; or NULL */
};

struct class_file {
    const uint8_t *bytes;
    size_t size;
    uint32_t major;
    const uint8_t **constants; /* per index: its tag byte; NULL for unusable indices */
    uint32_t constant_count;
    const uint8_t *after_pool; /* access_flags */
    uint32_t access;
    struct class_text name, super, source; /* super and source may be empty */
    uint32_t this_class;
    const uint8_t *methods_count_at;
    struct class_method *methods;
    uint32_t method_count;
    const uint8_t *after_methods; /* the class's attributes */
    const uint8_t *bootstrap;     /* body of BootstrapMethods, or NULL */
    size_t bootstrap_size;
};

/* False when the bytes are not a whole class file, or memory is short; free in both cases. */
bool class_file_read(const uint8_t *bytes, size_t size, struct class_file *out);
void class_file_free(struct class_file *file);
/* Constants alone: the file has nothing else. Free in both cases. */
bool class_constants_read(const uint8_t *bytes, size_t size, uint32_t count,
                          struct class_file *out);

/* The entry at an index, NULL unless it has the tag. */
const uint8_t *class_constant(const struct class_file *file, uint32_t index, uint32_t tag);
bool class_utf8(const struct class_file *file, uint32_t index, struct class_text *out);
/* A method constant of either kind. */
bool class_member(const struct class_file *file, uint32_t index, struct class_text *owner,
                  struct class_text *name, struct class_text *descriptor);
bool class_name_and_type(const struct class_file *file, uint32_t index, struct class_text *name,
                         struct class_text *descriptor);

/* Parameters and result of a method descriptor. Types are B C D F I J S Z, L for every reference,
 * V for no result. False when it is malformed. */
#define CLASS_MAX_PARAMETERS 255
struct class_signature {
    char types[CLASS_MAX_PARAMETERS];
    uint32_t count, slots; /* longs and doubles take two slots */
    char result;
};
bool class_signature_read(struct class_text descriptor, struct class_signature *out);

static inline uint32_t slots_of(char type)
{
    return type == 'J' || type == 'D' ? 2 : type != 'V';
}
