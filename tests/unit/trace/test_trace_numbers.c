/* The fast number scanner against strtod, bit for bit; times against exact arithmetic. */
#include "base/data/random.h"
#include "tactus_test.h"
#include "trace/text/clock.h"
#include "trace/text/number_wide.h"
#include <inttypes.h>
#include <time.h>

static void compare(const char *text)
{
    double got = -1, wanted = strtod(text, NULL);
    if (isinf(wanted)) /* rounded up while printing; refused below */
        return;
    const char *end = scan_number(text, &got);
    if (!end || *end || memcmp(&got, &wanted, sizeof got))
        test_fail(__FILE__, __LINE__, "%s: %.17g, not %.17g", text, got, wanted);
}

TEST(numbers_equal_strtod_bit_for_bit)
{
    static const char *const fixed[] = {"0",
                                        "-0",
                                        "-0.0",
                                        "1",
                                        "0.1",
                                        "123456.789",
                                        "1e22",
                                        "1e23",
                                        "1e-5",
                                        "1E+3",
                                        "-2.5e-300",
                                        "4.9e-324",
                                        "1.7976931348623157e308",
                                        "9007199254740993",
                                        "9007199254740992",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "123456789012345678901234567890",
                                        "0.00000000000000000000000001",
                                        "7981.437799999999",
                                        "0.3000000000000000444",
                                        "2.2250738585072011e-308"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        compare(fixed[i]);
    tac_random random;
    tac_random_seed(&random, 11);
    char text[64];
    for (size_t i = 0; i < test_scale(1000000); i++) {
        double value;
        uint64_t bits = tac_random_next(&random);
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        int digits = 1 + (int)tac_random_below(&random, 18);
        snprintf(text, sizeof text, "%.*g", digits, value);
        compare(text);
        snprintf(text, sizeof text, "%.*f", (int)tac_random_below(&random, 12),
                 (tac_random_unit(&random) - 0.5) * 1e7);
        compare(text);
    }
}

#ifdef TAC_HAS_WIDE_NUMBERS
/* JSON's notation of a number, by its grammar: the length, or 0. */
static size_t json_number(const char *text)
{
    size_t whole = strspn(text, "0123456789"), at = whole;
    if (!whole || (whole > 1 && *text == '0'))
        return 0;
    if (text[at] == '.') {
        size_t fraction = strspn(text + at + 1, "0123456789");
        if (!fraction)
            return 0;
        at += 1 + fraction;
    }
    return text[at] == 'e' || text[at] == 'E' ? 0 : at;
}

/* Of random pieces, among them wrong ones: what the wide scanners take is right, and they leave
 * nothing of fifteen bytes to the others that is a number. */
__attribute__((target("avx2,bmi,popcnt"))) static void compare_wide(const char *text)
{
    double got = -1;
    int64_t time = -1, wanted_time = -1;
    size_t length = json_number(text);
    const char *end = wide_json_number(text, &got), *after = wide_json_seconds(text, &time);
    double wanted = strtod(text, NULL);
    if ((end != NULL) != (length > 0 && length <= 15) ||
        (end && ((size_t)(end - text) != length || memcmp(&got, &wanted, sizeof got))))
        test_fail(__FILE__, __LINE__, "%s: %.17g, not %.17g", text, got, wanted);
    const char *other = scan_seconds(text, &wanted_time);
    if (after && (after != other || time != wanted_time))
        test_fail(__FILE__, __LINE__, "%s: %" PRId64 ", not %" PRId64, text, time, wanted_time);
}

TEST(wide_scanners_of_json_equal_the_others)
{
    static const char set[] = "0123456789012345678900..e,}-";
    if (!wide_numbers_usable())
        SKIP("this processor has no AVX2");
    tac_random random;
    tac_random_seed(&random, 12);
    char text[64];
    for (size_t i = 0; i < test_scale(400000); i++) {
        memset(text, 0, sizeof text);
        size_t length = tac_random_below(&random, 22);
        for (size_t k = 0; k < length; k++)
            text[k] = set[tac_random_below(&random, sizeof set - 1)];
        if (i % 2)
            snprintf(text, sizeof text, "%.*f,\"a\"", (int)tac_random_below(&random, 10),
                     tac_random_unit(&random) * (i % 3 ? 1e3 : 1e9));
        compare_wide(text);
    }
}
#endif

TEST(what_is_no_number_is_refused)
{
    static const char *const wrong[] = {"",   "-",   ".",   "e5",  "nan", "inf",
                                        "1e", "1e+", "--1", "+-1", "x1",  "1e999"};
    double value;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *end = scan_number(wrong[i], &value);
        CHECK(!end || *end);
    }
}

TEST(seconds_become_exact_nanoseconds)
{
    static const struct {
        const char *text;
        int64_t wanted;
    } cases[] = {{"0", 0},
                 {"1.5", 1500000000},
                 {"-0.000000001", -1},
                 {"1430498399.008", 1430498399008000000},
                 {"0.1234567891", 123456789},
                 {"0.1234567895", 123456790},
                 {"1e-3", 1000000},
                 {"4611686018.427387903", INT64_MAX / 2},
                 {"007.250", 7250000000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t got = 0;
        const char *end = scan_seconds(cases[i].text, &got);
        CHECK(end && !*end);
        if (got != cases[i].wanted)
            test_fail(__FILE__, __LINE__, "%s: %" PRId64, cases[i].text, got);
    }
    int64_t out;
    CHECK(!scan_seconds("4611686018.427387904", &out));
    CHECK(!scan_seconds("-9223372036.854775807", &out));
    CHECK(!scan_seconds("99999999999", &out));
    CHECK(trace_scaled_time("1430498399008", 1000000, &out) != NULL);
    CHECK_EQ(out, 1430498399008000000);
    CHECK(trace_scaled_time("0.0015", 1000, &out) != NULL);
    CHECK_EQ(out, 2); /* 1.5 ns, rounded half up */
}

TEST(seconds_text_reads_back)
{
    tac_random random;
    tac_random_seed(&random, 5);
    char text[32];
    for (size_t i = 0; i < test_scale(100000); i++) {
        int64_t value = (int64_t)tac_random_next(&random) >> (1 + tac_random_below(&random, 62)),
                got = 0;
        const char *end = scan_seconds(clock_seconds_text(value, text, sizeof text), &got);
        if (!end || *end || got != value)
            test_fail(__FILE__, __LINE__, "%s: %" PRId64 " not %" PRId64, text, got, value);
    }
}

TEST(dates_equal_the_c_library)
{
    tac_random random;
    tac_random_seed(&random, 9);
    for (size_t i = 0; i < test_scale(20000); i++) {
        time_t when = (time_t)tac_random_below(&random, 6000000000) - 2000000000;
        struct tm parts;
        gmtime_r(&when, &parts);
        char text[64];
        strftime(text, sizeof text, i % 2 ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%d %H:%M:%S", &parts);
        int64_t got = 0;
        const char *end = clock_scan_date(text, &got);
        CHECK(end && !*end);
        CHECK_EQ(got, (int64_t)when * 1000000000);
    }
    int64_t zoned, plain;
    CHECK(clock_scan_date("2021-01-07T18:19:50.25+02:00", &zoned));
    CHECK(clock_scan_date("2021-01-07 16:19:50.25", &plain));
    CHECK_EQ(zoned, plain);
    CHECK(!clock_scan_date("2021-02-29", &plain));
    CHECK(!clock_scan_date("2021-13-01", &plain));
    CHECK(!clock_scan_date("2021-01-01 24:00:00", &plain));
}
