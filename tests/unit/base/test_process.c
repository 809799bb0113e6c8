/* Other programs: input and output, exit codes, deadlines, missing programs. */
#include "base/process/process.h"
#include "tactus_test.h"

TEST(large_input_and_output_do_not_block)
{
    size_t size = 1 << 20;
    char *data = malloc(size), *output;
    REQUIRE(data);
    memset(data, 'x', size);
    const char *const argv[] = {"cat", NULL};
    size_t got;
    int code;
    tac_error err;
    REQUIRE(tac_process_run(argv, "coreutils", data, size, 20, &output, &got, &code, &err) ==
            TAC_OK);
    CHECK_EQ(got, size);
    CHECK(!memcmp(output, data, size));
    free(output);
    free(data);
}

TEST(exit_codes_signals_and_deadlines)
{
    const char *const three[] = {"sh", "-c", "echo out; exit 3", NULL};
    const char *const dies[] = {"sh", "-c", "echo last words >&2; kill -9 $$", NULL};
    const char *const slow[] = {"sleep", "20", NULL};
    char *output;
    size_t got;
    int code;
    tac_error err;
    REQUIRE(tac_process_run(three, "dash", "", 0, 10, &output, &got, &code, &err) == TAC_OK);
    CHECK_EQ(code, 3);
    CHECK_STR(output, "out\n");
    free(output);
    CHECK_EQ(tac_process_run(dies, "dash", "", 0, 10, &output, &got, &code, &err), TAC_E_DEVICE);
    CHECK_CONTAINS(err.message, "last words");
    CHECK_EQ(tac_process_run(slow, "coreutils", "", 0, 0.2, &output, &got, &code, &err),
             TAC_E_LIMIT);
}

TEST(a_missing_program_names_its_package)
{
    const char *const argv[] = {"no-such-program", NULL};
    char *output;
    size_t got;
    int code;
    tac_error err;
    CHECK_EQ(tac_process_run(argv, "the-package", "", 0, 1, &output, &got, &code, &err),
             TAC_E_MISSING);
    CHECK_CONTAINS(err.message, "'the-package'");
}
