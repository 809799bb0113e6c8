/* Constants behind those of a class, and the helper class, which is made of nothing else. */
#include "jvm/classfile/code.h"

static const struct {
    const char *name, *descriptor;
} probe_methods[PROBE_COUNT] = {
    [PROBE_BEGIN] = {"begin", "(I)V"},
    [PROBE_ARG_I] = {"argI", "(I)V"},
    [PROBE_ARG_J] = {"argJ", "(J)V"},
    [PROBE_ARG_F] = {"argF", "(F)V"},
    [PROBE_ARG_D] = {"argD", "(D)V"},
    [PROBE_ARG_L] = {"argL", "(Ljava/lang/Object;)V"},
    [PROBE_GO] = {"go", "()V"},
    [PROBE_INTO] = {"into", "()V"},
    [PROBE_OUT_V] = {"outV", "(I)V"},
    [PROBE_OUT_I] = {"outI", "(II)V"},
    [PROBE_OUT_J] = {"outJ", "(JI)V"},
    [PROBE_OUT_F] = {"outF", "(FI)V"},
    [PROBE_OUT_D] = {"outD", "(DI)V"},
    [PROBE_OUT_L] = {"outL", "(Ljava/lang/Object;I)V"},
    [PROBE_THROWN] = {"thrown", "(Ljava/lang/Throwable;I)V"},
    [PROBE_DONE_V] = {"doneV", "()V"},
    [PROBE_DONE_I] = {"doneI", "(I)V"},
    [PROBE_DONE_J] = {"doneJ", "(J)V"},
    [PROBE_DONE_F] = {"doneF", "(F)V"},
    [PROBE_DONE_D] = {"doneD", "(D)V"},
    [PROBE_DONE_L] = {"doneL", "(Ljava/lang/Object;)V"},
    [PROBE_MADE] = {"made", "(Ljava/lang/Object;)V"},
    [PROBE_CAUGHT] = {"caught", "(Ljava/lang/Throwable;)V"},
    [PROBE_ENTER] = {"enter", "(I)V"},
    [PROBE_LEAVE] = {"leave", "(I)V"},
};

const char *class_probe_name(size_t index, const char **descriptor)
{
    if (index >= PROBE_COUNT)
        return NULL;
    *descriptor = probe_methods[index].descriptor;
    return probe_methods[index].name;
}

static uint32_t next_index(struct constant_pool *pool)
{
    pool->bad = pool->bad || pool->count >= 65535 || pool->bytes.bad;
    return pool->bad ? 0 : pool->count++;
}

uint32_t pool_utf8(struct constant_pool *pool, const char *text)
{
    add_u1(&pool->bytes, CONSTANT_UTF8);
    add_u2(&pool->bytes, (uint32_t)strlen(text));
    add_bytes(&pool->bytes, text, strlen(text));
    return next_index(pool);
}

uint32_t pool_class(struct constant_pool *pool, const char *name)
{
    uint32_t text = pool_utf8(pool, name);
    add_u1(&pool->bytes, CONSTANT_CLASS);
    add_u2(&pool->bytes, text);
    return next_index(pool);
}

uint32_t pool_pair(struct constant_pool *pool, uint32_t tag, uint32_t first, uint32_t second)
{
    add_u1(&pool->bytes, tag);
    add_u2(&pool->bytes, first);
    add_u2(&pool->bytes, second);
    return next_index(pool);
}

uint32_t pool_handle(struct constant_pool *pool, uint32_t kind, uint32_t member)
{
    add_u1(&pool->bytes, CONSTANT_METHOD_HANDLE);
    add_u1(&pool->bytes, kind);
    add_u2(&pool->bytes, member);
    return next_index(pool);
}

uint32_t pool_integer(struct constant_pool *pool, uint32_t value)
{
    add_u1(&pool->bytes, CONSTANT_INTEGER);
    add_u4(&pool->bytes, value);
    return next_index(pool);
}

uint32_t pool_probe(struct constant_pool *pool, enum probe probe)
{
    if (pool->probes[probe])
        return pool->probes[probe];
    if (!pool->class_index)
        pool->class_index = pool_class(pool, PROBE_CLASS);
    uint32_t name = pool_utf8(pool, probe_methods[probe].name);
    uint32_t descriptor = pool_utf8(pool, probe_methods[probe].descriptor);
    uint32_t both = pool_pair(pool, CONSTANT_NAME_AND_TYPE, name, descriptor);
    return pool->probes[probe] = pool_pair(pool, CONSTANT_METHOD, pool->class_index, both);
}

bool class_probe_helper(uint8_t **out, size_t *out_size)
{
    enum { PUBLIC_STATIC_NATIVE = 0x109, PUBLIC_FINAL_SUPER_SYNTHETIC = 0x1031 };
    struct constant_pool pool = {.count = 1};
    uint32_t self = pool_class(&pool, PROBE_CLASS), super = pool_class(&pool, "java/lang/Object");
    struct class_bytes methods = {0}, file = {0};
    for (size_t i = 0; i < PROBE_COUNT; i++) {
        add_u2(&methods, PUBLIC_STATIC_NATIVE);
        add_u2(&methods, pool_utf8(&pool, probe_methods[i].name));
        add_u2(&methods, pool_utf8(&pool, probe_methods[i].descriptor));
        add_u2(&methods, 0);
    }
    add_u4(&file, 0xCAFEBABE);
    add_u4(&file, 52); /* Java 8 */
    add_u2(&file, pool.count);
    add_bytes(&file, pool.bytes.at, pool.bytes.count);
    add_u2(&file, PUBLIC_FINAL_SUPER_SYNTHETIC);
    add_u2(&file, self);
    add_u2(&file, super);
    add_u4(&file, 0); /* neither interfaces nor fields */
    add_u2(&file, PROBE_COUNT);
    add_bytes(&file, methods.at, methods.count);
    add_u2(&file, 0);
    bool good = !pool.bad && !pool.bytes.bad && !methods.bad && !file.bad;
    free(pool.bytes.at);
    free(methods.at);
    if (!good) {
        free(file.at);
        return false;
    }
    *out = file.at;
    *out_size = file.count;
    return true;
}
