/* The class-file rewriter on class files of compilers, cut and mutated; that the results verify is
 * asked of a virtual machine by tests/jvm/check_jvm.py. */
#include "jvm/classfile/rewrite.h"
#include "tactus_test.h"

struct class_sample {
    uint8_t *bytes;
    size_t size;
};

static struct class_sample load(const char *name)
{
    char path[4096];
    const char *root = getenv("TACTUS_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/jvm_class/%s", root ? root : ".", name);
    FILE *file = fopen(path, "rb");
    struct class_sample sample = {malloc(1 << 16), 0};
    if (file) {
        sample.size = fread(sample.bytes, 1, 1 << 16, file);
        fclose(file);
    }
    return sample;
}

static uint32_t next_id(void *context, const struct probe_method *method)
{
    (void)method;
    return ++*(uint32_t *)context;
}

static uint32_t next_call(void *context, const struct probe_call *call)
{
    (void)call;
    return ++*(uint32_t *)context;
}

static bool any_reference(void *context, struct class_text method, struct class_text descriptor,
                          struct class_text target, struct class_text target_descriptor)
{
    (void)context, (void)method, (void)descriptor, (void)target, (void)target_descriptor;
    return true;
}

static enum rewrite_result rewrite(const uint8_t *bytes, size_t size, struct rewrite_report *report)
{
    uint32_t id = 0;
    struct probe_plan plan = {&id, next_id, next_id, next_call, any_reference};
    uint8_t *out = NULL;
    size_t out_size = 0;
    enum rewrite_result result = class_rewrite(bytes, size, &plan, &out, &out_size, report);
    struct class_file file;
    if (result == REWRITE_DONE) {
        CHECK(class_file_read(out, out_size, &file));
        class_file_free(&file);
        free(out);
    }
    return result;
}

TEST(every_method_and_call_gets_its_probe)
{
    struct class_sample sample = load("LinkAll.class");
    struct rewrite_report report;
    CHECK_EQ(rewrite(sample.bytes, sample.size, &report), REWRITE_DONE);
    CHECK_EQ(report.methods, 4); /* <init>, link, main, the body of a lambda */
    CHECK(report.calls > 20);
    CHECK_EQ(report.left_alone, 0);
    free(sample.bytes);
}

static uint32_t only_lambdas(void *context, const struct probe_method *method)
{
    (void)context;
    if (!method->lambda)
        return 0;
    CHECK(text_is(method->lambda->interface_name, "java/lang/Runnable"));
    CHECK(text_is(method->lambda->method_name, "run"));
    CHECK(text_is(method->lambda->method_descriptor, "()V"));
    CHECK(method->line > 0);
    return 1;
}

TEST(a_lambda_is_known_by_what_it_implements)
{
    struct class_sample sample = load("Timed.class");
    struct probe_plan plan = {.callback = only_lambdas};
    struct rewrite_report report;
    uint8_t *out = NULL;
    size_t size;
    CHECK_EQ(class_rewrite(sample.bytes, sample.size, &plan, &out, &size, &report), REWRITE_DONE);
    CHECK_EQ(report.methods, 1);
    free(out);
    free(sample.bytes);
}

TEST(without_a_probe_the_class_is_untouched)
{
    struct class_sample sample = load("Timed.class");
    struct probe_plan plan = {0};
    struct rewrite_report report;
    uint8_t *out = NULL;
    size_t size;
    CHECK_EQ(class_rewrite(sample.bytes, sample.size, &plan, &out, &size, &report),
             REWRITE_UNTOUCHED);
    CHECK(!out);
    free(sample.bytes);
}

TEST(a_cut_class_file_is_left_alone)
{
    struct class_sample sample = load("Timed$Player.class");
    struct rewrite_report report;
    REQUIRE(sample.size > 100);
    for (size_t size = 0; size < sample.size; size++) {
        uint8_t *exact = malloc(size + 1); /* so that a read past the end is seen */
        memcpy(exact, sample.bytes, size);
        CHECK_EQ(rewrite(exact, size, &report), REWRITE_BROKEN);
        free(exact);
    }
    free(sample.bytes);
}

TEST(mutated_class_files_do_no_harm)
{
    struct class_sample sample = load("Timed$Player.class");
    struct rewrite_report report;
    static const uint8_t masks[] = {0xff, 0x01, 0x80, 0x10};
    unsigned results[4] = {0};
    for (size_t at = 0; at < sample.size; at++)
        for (size_t m = 0; m < sizeof masks; m++) {
            sample.bytes[at] ^= masks[m];
            results[rewrite(sample.bytes, sample.size, &report)]++;
            sample.bytes[at] ^= masks[m];
        }
    CHECK(results[REWRITE_BROKEN] > 100 && results[REWRITE_DONE] > 100);
    free(sample.bytes);
}

TEST(the_helper_class_has_a_method_per_probe)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    struct class_file file;
    const char *descriptor;
    REQUIRE(class_probe_helper(&bytes, &size));
    REQUIRE(class_file_read(bytes, size, &file));
    CHECK(text_is(file.name, PROBE_CLASS));
    for (uint32_t i = 0; i < file.method_count; i++) {
        const char *name = class_probe_name(i, &descriptor);
        REQUIRE(name);
        CHECK(text_is(file.methods[i].name, name));
        CHECK(text_is(file.methods[i].descriptor, descriptor));
    }
    CHECK(!class_probe_name(file.method_count, &descriptor));
    class_file_free(&file);
    free(bytes);
}

TEST(descriptors)
{
    struct class_signature s;
    struct class_text good = {"(I[J[[Ljava/lang/String;DZ)Lx;", 30};
    REQUIRE(class_signature_read(good, &s));
    CHECK_EQ(s.count, 5);
    CHECK_EQ(s.slots, 6);
    CHECK(!memcmp(s.types, "ILLDZ", 5));
    CHECK_EQ(s.result, 'L');
    static const char *const bad[] = {"", "(", "()", "I", "(V)V", "(Lx)V", "()VV", "([)V", "(I)"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct class_text text = {bad[i], (uint32_t)strlen(bad[i])};
        CHECK(!class_signature_read(text, &s));
    }
}
