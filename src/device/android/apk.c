/* Binary XML of Android: a tree of chunks, each with its type, the size of its head and its own
 * size. Of them three kinds matter here: the pool of strings (UTF-8 or UTF-16), the map from
 * attribute names to resource numbers (shrinkers erase the names), and the starts and ends of
 * elements. Source: the layout of ResourceTypes.h, as public documentation describes it.
 *
 * Every offset is checked against the chunk that holds it; a chunk that does not fit ends the
 * reading with an error. Linear in the size. */
#include "device/android/apk.h"
#include "base/data/alloc.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zip.h>

enum {
    CHUNK_POOL = 0x0001,
    CHUNK_XML = 0x0003,
    CHUNK_START = 0x0102,
    CHUNK_END = 0x0103,
    CHUNK_MAP = 0x0180,
    POOL_UTF8 = 0x100,
    VALUE_STRING = 3,
    VALUE_BOOLEAN = 0x12,
    ATTRIBUTE_NAME = 0x01010003,
    ATTRIBUTE_ENABLED = 0x0101000e,
    MOST_MANIFEST = 16 << 20
};
#define NONE UINT32_MAX

struct span {
    const unsigned char *at;
    size_t size;
};

/* Where in the manifest the reader stands. */
struct manifest_reader {
    struct span pool, map; /* whole chunks; size 0 = not seen */
    struct apk_manifest *out;
    char activity[APK_NAME]; /* of the element around; "" = none, or it is switched off */
    bool main, launcher, television;
    bool second_best; /* out->activity is for television only */
};

static uint32_t get16(const unsigned char *at)
{
    return (uint32_t)(at[0] | at[1] << 8);
}

static uint32_t get32(const unsigned char *at)
{
    return get16(at) | get16(at + 2) << 16;
}

/* --- strings --- */

static void add_unit(char *out, size_t *used, uint32_t unit)
{
    /* names are ASCII in practice; anything else becomes a mark that no name matches */
    if (*used + 1 < APK_NAME)
        out[(*used)++] = unit && unit < 0x80 ? (char)unit : '?';
}

static void read_utf16(const unsigned char *at, const unsigned char *end, char *out)
{
    size_t used = 0;
    if (end - at < 2)
        return;
    uint32_t length = get16(at);
    at += 2;
    if (length & 0x8000 && end - at >= 2) {
        length = (length & 0x7fff) << 16 | get16(at);
        at += 2;
    }
    for (; length && end - at >= 2; length--, at += 2)
        add_unit(out, &used, get16(at));
    out[used] = '\0';
}

static void read_utf8(const unsigned char *at, const unsigned char *end, char *out)
{
    size_t used = 0;
    uint32_t length = 0;
    for (int i = 0; i < 2; i++) { /* the length in units, then in bytes */
        if (at >= end)
            return;
        length = *at++;
        if (length & 0x80 && at < end)
            length = (length & 0x7f) << 8 | *at++;
    }
    for (; length && at < end; length--)
        add_unit(out, &used, *at++);
    out[used] = '\0';
}

/* The string with that number, cut to APK_NAME; "" when there is none. */
static void string_of(const struct manifest_reader *r, uint32_t number, char *out)
{
    const unsigned char *pool = r->pool.at;
    *out = '\0';
    if (r->pool.size < 28 || number >= get32(pool + 8)) /* pool is NULL where the file has none */
        return;
    const unsigned char *end = pool + r->pool.size;
    size_t place = get16(pool + 2) + (size_t)number * 4;
    if (place + 4 > r->pool.size)
        return;
    size_t at = (size_t)get32(pool + 20) + get32(pool + place);
    if (at >= r->pool.size)
        return;
    if (get32(pool + 16) & POOL_UTF8)
        read_utf8(pool + at, end, out);
    else
        read_utf16(pool + at, end, out);
}

/* --- elements --- */

struct attribute {
    uint32_t resource; /* 0: none */
    char name[APK_NAME], text[APK_NAME];
    uint32_t kind, data;
};

/* The attribute with that number of a start chunk; false: it lies outside. */
static bool read_attribute(const struct manifest_reader *r, struct span chunk, uint32_t number,
                           struct attribute *out)
{
    size_t start = 16 + (size_t)get16(chunk.at + 24), step = get16(chunk.at + 26);
    size_t at = start + (size_t)number * step;
    if (step < 20 || at + 20 > chunk.size)
        return false;
    const unsigned char *a = chunk.at + at;
    uint32_t name = get32(a + 4), raw = get32(a + 8);
    *out = (struct attribute){.kind = a[15], .data = get32(a + 16)};
    if (r->map.size >= 8 && name < (r->map.size - 8) / 4)
        out->resource = get32(r->map.at + 8 + (size_t)name * 4);
    string_of(r, name, out->name);
    string_of(r, out->kind == VALUE_STRING ? out->data : raw, out->text);
    return true;
}

static bool is_named(const struct attribute *a, uint32_t resource, const char *name)
{
    return a->resource ? a->resource == resource : !strcmp(a->name, name);
}

/* The text of android:name, and whether android:enabled says no. */
static void read_name(const struct manifest_reader *r, struct span chunk, char *name, bool *off)
{
    uint32_t count = get16(chunk.at + 28);
    struct attribute a;
    *name = '\0';
    *off = false;
    for (uint32_t i = 0; i < count && read_attribute(r, chunk, i, &a); i++) {
        if (is_named(&a, ATTRIBUTE_NAME, "name") && !*name)
            memcpy(name, a.text, APK_NAME);
        if (is_named(&a, ATTRIBUTE_ENABLED, "enabled") && a.kind == VALUE_BOOLEAN && !a.data)
            *off = true;
    }
}

static void read_package(struct manifest_reader *r, struct span chunk)
{
    uint32_t count = get16(chunk.at + 28);
    struct attribute a;
    for (uint32_t i = 0; i < count && read_attribute(r, chunk, i, &a); i++)
        if (!strcmp(a.name, "package") && !*r->out->package)
            memcpy(r->out->package, a.text, APK_NAME);
}

static bool is_activity(const char *element)
{
    return !strcmp(element, "activity") || !strcmp(element, "activity-alias");
}

static void start_element(struct manifest_reader *r, struct span chunk)
{
    char element[APK_NAME], name[APK_NAME];
    bool off;
    string_of(r, get32(chunk.at + 20), element);
    read_name(r, chunk, name, &off);
    if (!strcmp(element, "manifest"))
        read_package(r, chunk);
    else if (is_activity(element))
        memcpy(r->activity, off ? "" : name, off ? 1 : APK_NAME);
    else if (!strcmp(element, "intent-filter"))
        r->main = r->launcher = r->television = false;
    else if (!strcmp(element, "action"))
        r->main |= !strcmp(name, "android.intent.action.MAIN");
    else if (!strcmp(element, "category")) {
        r->launcher |= !strcmp(name, "android.intent.category.LAUNCHER");
        r->television |= !strcmp(name, "android.intent.category.LEANBACK_LAUNCHER");
    }
}

static void end_element(struct manifest_reader *r, struct span chunk)
{
    char element[APK_NAME];
    string_of(r, get32(chunk.at + 20), element);
    if (is_activity(element)) {
        *r->activity = '\0';
    } else if (!strcmp(element, "intent-filter") && r->main && *r->activity) {
        bool better = r->launcher && (!*r->out->activity || r->second_best);
        if (better || (r->television && !*r->out->activity)) {
            memcpy(r->out->activity, r->activity, APK_NAME);
            r->second_best = !better;
        }
    }
}

/* --- the file --- */

/* ".Main" and "Main" stand for classes of the package. */
static void complete(struct apk_manifest *m)
{
    char whole[2 * APK_NAME];
    if (!*m->activity || (*m->activity != '.' && strchr(m->activity, '.')))
        return;
    snprintf(whole, sizeof whole, "%s%s%s", m->package, *m->activity == '.' ? "" : ".",
             m->activity);
    snprintf(m->activity, sizeof m->activity, "%.*s", APK_NAME - 1, whole);
}

static bool is_name(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("._$", *c)))
            return false;
    return true;
}

tac_status apk_read_manifest(const char *name, const unsigned char *bytes, size_t size,
                             struct apk_manifest *out, tac_error *err)
{
    *out = (struct apk_manifest){0};
    struct manifest_reader r = {.out = out};
    if (size < 8 || get16(bytes) != CHUNK_XML || get16(bytes + 2) < 8 || get32(bytes + 4) > size)
        return tac_fail_at(err, TAC_E_INPUT, name, 0, 0,
                           "AndroidManifest.xml is not Android's binary XML");
    size_t whole = get32(bytes + 4), at = get16(bytes + 2);
    while (at + 8 <= whole) {
        struct span chunk = {bytes + at, get32(bytes + at + 4)};
        uint32_t type = get16(chunk.at);
        if (chunk.size < 8 || chunk.size > whole - at)
            return tac_fail_at(err, TAC_E_INPUT, name, 0, 0,
                               "AndroidManifest.xml: the part at byte %zu does not fit", at);
        if (type == CHUNK_POOL && !r.pool.size)
            r.pool = chunk;
        else if (type == CHUNK_MAP)
            r.map = chunk;
        else if (type == CHUNK_START && chunk.size >= 36)
            start_element(&r, chunk);
        else if (type == CHUNK_END && chunk.size >= 24)
            end_element(&r, chunk);
        at += chunk.size;
    }
    if (!*out->package || !is_name(out->package) || !is_name(out->activity))
        return tac_fail_at(err, TAC_E_INPUT, name, 0, 0,
                           "AndroidManifest.xml does not name a package");
    complete(out);
    return TAC_OK;
}

static tac_status take_entry(const char *path, zip_t *archive, unsigned char **bytes, size_t *size,
                             tac_error *err)
{
    struct zip_stat about;
    zip_stat_init(&about);
    if (zip_stat(archive, "AndroidManifest.xml", 0, &about) || !(about.valid & ZIP_STAT_SIZE))
        return tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                           "there is no AndroidManifest.xml in it: it is not an app package");
    if (about.size > MOST_MANIFEST)
        return tac_fail_at(err, TAC_E_LIMIT, path, 0, 0,
                           "its AndroidManifest.xml has %llu bytes; at most %d are read",
                           (unsigned long long)about.size, MOST_MANIFEST);
    zip_file_t *entry = zip_fopen(archive, "AndroidManifest.xml", 0);
    *bytes = tac_alloc((size_t)about.size + 1);
    zip_int64_t got = entry ? zip_fread(entry, *bytes, about.size) : -1;
    if (entry)
        zip_fclose(entry);
    *size = got < 0 ? 0 : (size_t)got;
    return got >= 0 && (zip_uint64_t)got == about.size
               ? TAC_OK
               : tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "its AndroidManifest.xml is damaged");
}

tac_status apk_read(const char *path, struct apk_manifest *out, tac_error *err)
{
    int code = 0;
    zip_t *archive = zip_open(path, ZIP_RDONLY, &code);
    if (!archive)
        return tac_fail_at(err, code == ZIP_ER_NOZIP ? TAC_E_INPUT : TAC_E_IO, path, 0, 0,
                           code == ZIP_ER_NOZIP ? "it is not an app package (a ZIP archive)"
                                                : "it cannot be opened");
    unsigned char *bytes = NULL;
    size_t size = 0;
    tac_status status = take_entry(path, archive, &bytes, &size, err);
    if (status == TAC_OK)
        status = apk_read_manifest(path, bytes, size, out, err);
    free(bytes);
    zip_discard(archive);
    return status;
}
