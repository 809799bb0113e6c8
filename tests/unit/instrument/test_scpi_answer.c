/* What instruments answer: ASCII, blocks in both byte orders, the error queue, and nonsense. */
#include "instrument/scpi_answer.h"
#include "instrument/scpi_link.h"
#include "tactus_test.h"

static const struct scpi_format big = {.size = 4}, little = {.size = 4, .swapped = true};
static const struct scpi_format big_double = {.size = 8},
                                little_double = {.size = 8, .swapped = true};

static void expect_numbers(const char *data, size_t length, struct scpi_format format, size_t count,
                           const double *wanted)
{
    scpi_numbers got = {0};
    tac_error err;
    CHECK_EQ(scpi_answer_numbers(data, length, format, &got, &err), TAC_OK);
    CHECK_EQ(got.count, count);
    for (size_t i = 0; i < count && i < got.count; i++)
        CHECK_NEAR(got.at[i], wanted[i], 0);
    tac_vec_free(&got);
}

static void expect_refusal(const char *data, size_t length, const char *words)
{
    scpi_numbers got = {0};
    tac_error err = {0};
    CHECK_EQ(scpi_answer_numbers(data, length, big, &got, &err), TAC_E_DEVICE);
    CHECK_CONTAINS(err.message, words);
    tac_vec_free(&got);
}

TEST(ascii_arrays)
{
    const double wanted[] = {0.1512, -3, 1.5e-1, 7};
    const char *text = "0.1512,-3.0,+1.5E-01, 7\r\n";
    expect_numbers(text, strlen(text), big, 4, wanted);
    expect_numbers("\n", 1, big, 0, NULL);
    expect_numbers("", 0, big, 0, NULL);
    expect_refusal("1.5,abc\n", 8, "value 2 of the answer is not a number: 'abc'");
    expect_refusal("1.5,,2\n", 7, "value 2");
    expect_refusal("+9.91E+37\n", 10, "not a number");
}

TEST(definite_length_blocks)
{
    const double wanted[] = {1, -2.5}; /* 3f800000 c0200000; 3ff0... c004... */
    expect_numbers("#18\x3f\x80\0\0\xc0\x20\0\0", 11, big, 2, wanted);
    expect_numbers("#18\0\0\x80\x3f\0\0\x20\xc0", 11, little, 2, wanted);
    expect_numbers("#18\x3f\xf0\0\0\0\0\0\0", 11, big_double, 1, wanted);
    expect_numbers("#18\0\0\0\0\0\0\xf0\x3f", 11, little_double, 1, wanted);
    expect_numbers("#10", 3, big, 0, NULL);
    expect_refusal("#16\x3f\x80\0\0\xc0\x20", 9, "does not hold numbers of 4 bytes");
    expect_refusal("#18\x3f\x80", 5, "ends early");
    expect_refusal("#14\x7f\x80\0\0", 7, "not a number"); /* infinity */
}

TEST(an_answer_is_whole_when_its_newline_is_there)
{
    const char block[] = "#14\n\n\n\n\nrest"; /* newlines inside the data are data */
    size_t length;
    tac_error err;
    for (size_t size = 0; size < 8; size++) {
        CHECK_EQ(scpi_answer_length(block, size, &length, &err), TAC_OK);
        CHECK_EQ(length, 0);
    }
    CHECK_EQ(scpi_answer_length(block, sizeof block - 1, &length, &err), TAC_OK);
    CHECK_EQ(length, 8);
    CHECK_EQ(scpi_answer_length("1,2\n3", 5, &length, &err), TAC_OK);
    CHECK_EQ(length, 4);
    CHECK_EQ(scpi_answer_length("1,2", 3, &length, &err), TAC_OK);
    CHECK_EQ(length, 0);
    CHECK_EQ(scpi_answer_length("#0abc\n", 6, &length, &err), TAC_E_DEVICE);
    CHECK_EQ(scpi_answer_length("#x4", 3, &length, &err), TAC_E_DEVICE);
    CHECK_EQ(scpi_answer_length("#2x4", 4, &length, &err), TAC_E_DEVICE);
    CHECK_EQ(scpi_answer_length("#9900000000", 11, &length, &err), TAC_E_DEVICE);
    CHECK_CONTAINS(err.message, "900000000 bytes");
    CHECK_EQ(scpi_answer_length("#14abcdX", 8, &length, &err), TAC_E_DEVICE);
    CHECK_CONTAINS(err.message, "newline");
}

TEST(error_queue_and_formats)
{
    long code;
    CHECK(scpi_answer_error("+0,\"No error\"", &code) && code == 0);
    CHECK(scpi_answer_error("-113,\"Undefined header\"", &code) && code == -113);
    CHECK(!scpi_answer_error("Hello", &code));
    CHECK(!scpi_answer_error("1.5", &code));
    struct scpi_format format;
    CHECK(scpi_answer_format("REAL,64", "SWAP", &format) && format.size == 8 && format.swapped);
    CHECK(scpi_answer_format("REAL", "NORM", &format) && format.size == 4 && !format.swapped);
    CHECK(scpi_answer_format("ASC,9", "NORM", &format));
    CHECK(!scpi_answer_format("HEX", "NORM", &format));
}

TEST(addresses)
{
    struct scpi_address at;
    tac_error err;
    CHECK_EQ(scpi_address_parse("scpi://10.0.0.7", &at, &err), TAC_OK);
    CHECK_STR(at.host, "10.0.0.7");
    CHECK_STR(at.port, "5025");
    CHECK_EQ(at.channel, 0);
    CHECK_EQ(scpi_address_parse("scpi://[fe80::1]:5024/3", &at, &err), TAC_OK);
    CHECK_STR(at.host, "fe80::1");
    CHECK_STR(at.port, "5024");
    CHECK_EQ(at.channel, 3);
    CHECK_EQ(scpi_address_parse("scpi://bench.lab:1/", &at, &err), TAC_OK);
    const char *const wrong[] = {
        "scpi://",     "scpi://:5025", "scpi://host:0",      "scpi://host:70000", "scpi://host/x",
        "scpi://[::1", "tcp://host",   "scpi://host:5025/0", "scpi://[::1]x:2",   "scpi://host:/1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_EQ(scpi_address_parse(wrong[i], &at, &err), TAC_E_USAGE);
    CHECK_CONTAINS(err.message, "scpi://HOST[:PORT][/CHANNEL]");
}
