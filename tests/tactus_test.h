/* A tiny test frame: one binary per file, tests register themselves, the closing line is
 * "N passed, N failed". Include it in exactly one .c file of a test program.
 *
 *     TEST(interval_ends_at_the_first_q_after_p) { CHECK_EQ(count, 1); }
 *
 * A failed CHECK reports its place and lets the test go on; REQUIRE ends the test. SKIP says why a
 * test cannot run here. `test_x NAME...` runs only the tests whose names contain a NAME. */
#ifndef TACTUS_TEST_H
#define TACTUS_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct test_case {
    const char *name;
    void (*run)(void);
    struct test_case *next;
};

static struct test_case *test_first, **test_end = &test_first;
static bool test_failed, test_skipped;
static unsigned test_failures_shown;
static jmp_buf test_leave;

#define TEST(name)                                                                                 \
    static void test_##name(void);                                                                 \
    static struct test_case test_case_##name = {#name, test_##name, NULL};                         \
    __attribute__((constructor)) static void test_register_##name(void)                            \
    {                                                                                              \
        *test_end = &test_case_##name;                                                             \
        test_end = &test_case_##name.next;                                                         \
    }                                                                                              \
    static void test_##name(void)

__attribute__((format(printf, 3, 4), unused)) static void test_fail(const char *file, int line,
                                                                    const char *format, ...)
{
    test_failed = true;
    if (test_failures_shown++ >= 20)
        return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            test_fail(__FILE__, __LINE__, "not true: %s", #condition);                             \
    } while (0)
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            test_fail(__FILE__, __LINE__, "not true: %s", #condition);                             \
            longjmp(test_leave, 1);                                                                \
        }                                                                                          \
    } while (0)
/* Whole numbers of any type. */
#define CHECK_EQ(got, wanted)                                                                      \
    do {                                                                                           \
        intmax_t test_got = (intmax_t)(got), test_wanted = (intmax_t)(wanted);                     \
        if (test_got != test_wanted)                                                               \
            test_fail(__FILE__, __LINE__, "%s is %jd, not %jd", #got, test_got, test_wanted);      \
    } while (0)
#define CHECK_STR(got, wanted)                                                                     \
    do {                                                                                           \
        const char *test_got = (got), *test_wanted = (wanted);                                     \
        if (!test_got || !test_wanted || strcmp(test_got, test_wanted))                            \
            test_fail(__FILE__, __LINE__, "%s is \"%s\", not \"%s\"", #got,                        \
                      test_got ? test_got : "(null)", test_wanted ? test_wanted : "(null)");       \
    } while (0)
#define CHECK_CONTAINS(got, part)                                                                  \
    do {                                                                                           \
        const char *test_got = (got), *test_part = (part);                                         \
        if (!test_got || !strstr(test_got, test_part))                                             \
            test_fail(__FILE__, __LINE__, "%s is \"%s\", which lacks \"%s\"", #got,                \
                      test_got ? test_got : "(null)", test_part);                                  \
    } while (0)
#define CHECK_NEAR(got, wanted, tolerance)                                                         \
    do {                                                                                           \
        double test_got = (got), test_wanted = (wanted);                                           \
        if (!(fabs(test_got - test_wanted) <= (tolerance)))                                        \
            test_fail(__FILE__, __LINE__, "%s is %.17g, not %.17g", #got, test_got, test_wanted);  \
    } while (0)
#define SKIP(...)                                                                                  \
    do {                                                                                           \
        printf("  skipped: " __VA_ARGS__);                                                         \
        putchar('\n');                                                                             \
        test_skipped = true;                                                                       \
        longjmp(test_leave, 1);                                                                    \
    } while (0)

/* Random tests run `full` rounds, or a tenth under sanitizers (at least one). */
__attribute__((unused)) static size_t test_scale(size_t full)
{
#if defined(__SANITIZE_ADDRESS__)
    return full >= 10 ? full / 10 : 1;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    return full >= 10 ? full / 10 : 1;
#else
    return full;
#endif
#else
    return full;
#endif
}

/* Paths: all static buffers, overwritten after eight further calls. */
__attribute__((unused)) static const char *test_path(const char *folder, const char *name)
{
    static char paths[8][4096];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}
/* A file of the project, by its path from the project's root. */
__attribute__((unused)) static const char *test_source(const char *name)
{
    const char *root = getenv("TACTUS_SOURCE_ROOT");
    return test_path(root ? root : ".", name);
}
/* A file of the public corpus, or NULL where the corpus is absent (then SKIP). */
__attribute__((unused)) static const char *test_corpus(const char *name)
{
    const char *root = getenv("TACTUS_CORPUS");
    const char *path = root ? test_path(root, name) : NULL;
    return path && access(path, R_OK) == 0 ? path : NULL;
}
/* The program under test, or NULL outside `meson test`. */
__attribute__((unused)) static const char *test_program(void)
{
    return getenv("TACTUS");
}
/* Where files of a test's own time go: TMPDIR, which tools/run-tests puts into memory, or /tmp. */
static const char *test_temporary_root(void)
{
    const char *given = getenv("TMPDIR");
    return given && *given && strlen(given) < 200 ? given : "/tmp";
}
/* A file in a fresh folder that is removed when the test program ends. */
static char test_folder[256];
static void test_remove_folder(void)
{
    char command[sizeof test_folder + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", test_folder);
    if (test_folder[0] && system(command))
        fprintf(stderr, "cannot remove %s\n", test_folder);
}
__attribute__((unused)) static const char *test_temporary(const char *name)
{
    if (!test_folder[0]) {
        snprintf(test_folder, sizeof test_folder, "%s/tactus-test-XXXXXX", test_temporary_root());
        if (!mkdtemp(test_folder))
            abort();
        atexit(test_remove_folder);
    }
    return test_path(test_folder, name);
}
__attribute__((unused)) static const char *test_write(const char *name, const char *text)
{
    const char *path = test_temporary(name);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        abort();
    return path;
}

static bool test_wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strstr(name, argv[i]))
            return true;
    return argc < 2;
}

/* Apart from main, so that no local variable lives across the jump. */
static void test_run(void (*run)(void))
{
    if (!setjmp(test_leave))
        run();
}

int main(int argc, char **argv)
{
    unsigned passed = 0, failed = 0, skipped = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (struct test_case *test = test_first; test; test = test->next) {
        if (!test_wanted(test->name, argc, argv))
            continue;
        test_failed = test_skipped = false;
        test_failures_shown = 0;
        test_run(test->run);
        if (test_failed)
            printf("FAILED %s\n", test->name);
        failed += test_failed;
        skipped += !test_failed && test_skipped;
        passed += !test_failed && !test_skipped;
    }
    printf("%u passed, %u failed", passed, failed);
    if (skipped)
        printf(", %u skipped", skipped);
    putchar('\n');
    return failed ? 1 : passed ? 0 : 77;
}

#endif
