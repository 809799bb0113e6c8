/* App packages: a manifest that is built here byte by byte, in both encodings, whole, cut and
 * damaged; and archives around it. */
#include "base/data/random.h"
#include "base/data/str.h"
#include "device/android/apk.h"
#include "tactus_test.h"
#include <zip.h>

static void put16(tac_str *out, unsigned value)
{
    char bytes[2] = {(char)(value & 0xff), (char)(value >> 8 & 0xff)};
    tac_str_add_bytes(out, bytes, 2);
}

static void put32(tac_str *out, uint32_t value)
{
    put16(out, value & 0xffff);
    put16(out, value >> 16);
}

static const char *const strings[] = {"", /* a name that a shrinker erased: number 0 of the map */
                                      "enabled",
                                      "package",
                                      "manifest",
                                      "activity",
                                      "intent-filter",
                                      "action",
                                      "category",
                                      "com.example.app",
                                      ".ui.Hidden",
                                      "Start",
                                      "android.intent.action.MAIN",
                                      "android.intent.category.LAUNCHER",
                                      "activity-alias",
                                      "com.example.app.Tv",
                                      "android.intent.category.LEANBACK_LAUNCHER"};
enum { STRINGS = sizeof strings / sizeof *strings };

static uint32_t number_of(const char *text)
{
    for (uint32_t i = 1; i < STRINGS; i++)
        if (!strcmp(strings[i], text))
            return i;
    return UINT32_MAX;
}

static void put_pool(tac_str *out, bool utf8)
{
    tac_str data = {0}, offsets = {0};
    for (size_t i = 0; i < STRINGS; i++) {
        size_t n = strlen(strings[i]);
        put32(&offsets, (uint32_t)data.length);
        if (utf8) {
            char lengths[2] = {(char)n, (char)n};
            tac_str_add_bytes(&data, lengths, 2);
            tac_str_add_bytes(&data, strings[i], n + 1);
        } else {
            put16(&data, (unsigned)n);
            for (size_t k = 0; k <= n; k++)
                put16(&data, (unsigned char)strings[i][k]);
        }
    }
    while (data.length % 4)
        tac_str_add_bytes(&data, "", 1);
    put16(out, 1);
    put16(out, 28);
    put32(out, (uint32_t)(28 + offsets.length + data.length));
    put32(out, STRINGS);
    put32(out, 0);
    put32(out, utf8 ? 0x100 : 0);
    put32(out, (uint32_t)(28 + offsets.length));
    put32(out, 0);
    tac_str_add_bytes(out, offsets.text, offsets.length);
    tac_str_add_bytes(out, data.text, data.length);
    tac_str_free(&offsets);
    tac_str_free(&data);
}

/* attribute: the number of its name; value: a string, or NULL for "false" */
static void put_start(tac_str *out, const char *element, int attribute, const char *value)
{
    bool has = attribute >= 0;
    put16(out, 0x102);
    put16(out, 16);
    put32(out, has ? 56 : 36);
    put32(out, 1);
    put32(out, UINT32_MAX);
    put32(out, UINT32_MAX);
    put32(out, number_of(element));
    put16(out, 20);
    put16(out, 20);
    put16(out, has);
    put16(out, 0);
    put16(out, 0);
    put16(out, 0);
    if (!has)
        return;
    put32(out, UINT32_MAX);
    put32(out, (uint32_t)attribute);
    put32(out, value ? number_of(value) : UINT32_MAX);
    put16(out, 8);
    put16(out, value ? 0x0300 : 0x1200);
    put32(out, value ? number_of(value) : 0);
}

static void put_end(tac_str *out, const char *element)
{
    put16(out, 0x103);
    put16(out, 16);
    put32(out, 24);
    put32(out, 1);
    put32(out, UINT32_MAX);
    put32(out, UINT32_MAX);
    put32(out, number_of(element));
}

static void put_activity(tac_str *out, const char *element, const char *name, const char *category)
{
    put_start(out, element, 0, name);
    put_start(out, "intent-filter", -1, NULL);
    put_start(out, "action", 0, "android.intent.action.MAIN");
    put_end(out, "action");
    if (category) {
        put_start(out, "category", 0, category);
        put_end(out, "category");
    }
    put_end(out, "intent-filter");
    put_end(out, element);
}

static tac_str manifest(bool utf8)
{
    tac_str body = {0}, all = {0};
    put_pool(&body, utf8);
    put16(&body, 0x180);
    put16(&body, 8);
    put32(&body, 16);
    put32(&body, 0x01010003);
    put32(&body, 0x0101000e);
    put_start(&body, "manifest", (int)number_of("package"), "com.example.app");
    put_activity(&body, "activity", ".ui.Hidden", NULL);
    put_activity(&body, "activity-alias", "com.example.app.Tv",
                 "android.intent.category.LEANBACK_LAUNCHER");
    put_activity(&body, "activity", "Start", "android.intent.category.LAUNCHER");
    put_activity(&body, "activity", ".ui.Hidden", "android.intent.category.LAUNCHER");
    put_end(&body, "manifest");
    put16(&all, 3);
    put16(&all, 8);
    put32(&all, (uint32_t)(8 + body.length));
    tac_str_add_bytes(&all, body.text, body.length);
    tac_str_free(&body);
    return all;
}

TEST(package_and_launcher_are_read_in_both_encodings)
{
    for (int utf8 = 0; utf8 < 2; utf8++) {
        tac_str bytes = manifest(utf8);
        struct apk_manifest m;
        tac_error err = {0};
        REQUIRE(!apk_read_manifest("a.apk", (unsigned char *)bytes.text, bytes.length, &m, &err));
        CHECK_STR(m.package, "com.example.app");
        CHECK_STR(m.activity, "com.example.app.Start");
        tac_str_free(&bytes);
    }
}

/* Whatever is cut or changed: an answer or an error, and nothing read outside (with sanitizers). */
TEST(damaged_manifests_are_errors_or_answers)
{
    tac_random random;
    tac_random_seed(&random, 5);
    tac_str bytes = manifest(true);
    for (size_t round = 0; round < test_scale(4000); round++) {
        size_t size = round < bytes.length ? round : bytes.length;
        unsigned char *copy = malloc(size + 1);
        memcpy(copy, bytes.text, size);
        for (size_t k = tac_random_below(&random, 4); k > 0 && size; k--)
            copy[tac_random_below(&random, size)] = (unsigned char)tac_random_below(&random, 256);
        struct apk_manifest m;
        tac_error err = {0};
        tac_status st = apk_read_manifest("a.apk", copy, size, &m, &err);
        CHECK(st == TAC_OK || st == TAC_E_INPUT);
        CHECK(st == TAC_OK || *err.message);
        free(copy);
    }
    tac_str_free(&bytes);
}

TEST(archives_with_and_without_a_manifest)
{
    char path[] = "/tmp/tactus-apk-XXXXXX";
    int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    close(fd);
    struct apk_manifest m;
    tac_error err = {0};
    CHECK_EQ(apk_read(path, &m, &err), TAC_E_INPUT); /* empty */
    tac_str bytes = manifest(false);
    for (int whole = 0; whole < 2; whole++) {
        int code = 0;
        zip_t *archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
        REQUIRE(archive != NULL);
        zip_source_t *source = zip_source_buffer(archive, bytes.text, bytes.length, 0);
        zip_file_add(archive, whole ? "AndroidManifest.xml" : "classes.dex", source, 0);
        REQUIRE(!zip_close(archive));
        CHECK_EQ(apk_read(path, &m, &err), whole ? TAC_OK : TAC_E_INPUT);
    }
    CHECK_STR(m.activity, "com.example.app.Start");
    CHECK_EQ(apk_read("/nowhere/a.apk", &m, &err), TAC_E_IO);
    tac_str_free(&bytes);
    unlink(path);
}
