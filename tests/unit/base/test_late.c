/* Libraries that are opened late: all functions or none, and words when there is nothing to open.
 */
#include "base/late/late.h"
#include "tactus_test.h"

struct calls {
    double (*cos)(double);
    double (*sqrt)(double);
};

TEST(every_function_is_found_by_its_name)
{
    struct calls calls = {0};
    const char *const names[] = {"cos", "sqrt", NULL};
    struct tac_late late = {.file = "libm.so.6",
                            .package = "libc6",
                            .names = names,
                            .calls = &calls,
                            .lock = PTHREAD_MUTEX_INITIALIZER};
    REQUIRE(tac_late_open(&late, NULL) == TAC_OK);
    CHECK(late.open);
    REQUIRE(calls.cos && calls.sqrt);
    CHECK(calls.cos(0) == 1.0);
    CHECK(calls.sqrt(81) == 9.0);
    calls.cos = NULL; /* the second time nothing is looked for */
    CHECK(tac_late_open(&late, NULL) == TAC_OK);
    CHECK(!calls.cos);
}

TEST(a_library_that_lacks_a_function_is_not_used)
{
    struct calls calls = {0};
    const char *const names[] = {"cos", "cosine_of_the_sine", NULL};
    struct tac_late late = {.file = "libm.so.6",
                            .package = "libc6",
                            .names = names,
                            .calls = &calls,
                            .lock = PTHREAD_MUTEX_INITIALIZER};
    tac_error err;
    CHECK(tac_late_open(&late, &err) == TAC_E_MISSING);
    CHECK(!calls.cos && !calls.sqrt && !late.open);
    CHECK(strstr(err.message, "libm.so.6 has no function 'cosine_of_the_sine'") != NULL);
    CHECK(strstr(err.message, "'libc6'") != NULL);
}

TEST(a_library_that_is_not_there_is_told_with_its_package)
{
    struct calls calls = {0};
    const char *const names[] = {"cos", "sqrt", NULL};
    struct tac_late late = {.file = "libnowhere.so.7",
                            .package = "libnowhere7",
                            .names = names,
                            .calls = &calls,
                            .lock = PTHREAD_MUTEX_INITIALIZER};
    tac_error err;
    CHECK(tac_late_open(&late, &err) == TAC_E_MISSING);
    CHECK(!late.open);
    CHECK(strstr(err.message, "install Debian's package 'libnowhere7'") != NULL);
    late.file = "libm.so.6"; /* it may be installed meanwhile */
    CHECK(tac_late_open(&late, &err) == TAC_OK);
}
