/* Class files, rewritten with a probe wherever one can be; what comes out is read again. */
#include "fuzz_target.h"
#include "jvm/classfile/rewrite.h"

struct counter {
    uint32_t next;
};

static uint32_t any_method(void *context, const struct probe_method *method)
{
    (void)method;
    return ++((struct counter *)context)->next;
}

static uint32_t any_call(void *context, const struct probe_call *call)
{
    (void)call;
    return (((struct counter *)context)->next += 97);
}

static bool any_reference(void *context, struct class_text method, struct class_text descriptor,
                          struct class_text target, struct class_text target_descriptor)
{
    (void)context, (void)method, (void)descriptor, (void)target, (void)target_descriptor;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct counter counter = {0};
    struct probe_plan plan = {&counter, any_method, any_method, any_call, any_reference};
    struct rewrite_report report;
    uint8_t *out = NULL;
    size_t out_size = 0;
    if (size > 65536 || class_rewrite(data, size, &plan, &out, &out_size, &report) != REWRITE_DONE)
        return 0;
    struct class_file again;
    if (!class_file_read(out, out_size, &again))
        __builtin_trap();
    class_file_free(&again);
    free(out);
    return 0;
}
