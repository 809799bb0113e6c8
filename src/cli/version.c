/* The version of Tactus and of every library built in. Of those that are opened late it is the
 * version that was built with: the question opens none. */
#include "tactus/version.h"
#include "base/data/pattern.h"
#include "base/late_libraries.h"
#include "base/print/print.h"
#include "cli/frame.h"
#include <gmp.h>
#include <jansson.h>
#include <libxml/xmlversion.h>
#include <lzma.h>
#include <nettle/version.h>
#include <protobuf-c/protobuf-c.h>
#include <sqlite3.h>
#include <yaml.h>
#include <zlib.h>

struct library {
    const char *name, *version;
};

bool libpq_version(char text[16])
{
#ifdef VERSION_PQ
    snprintf(text, 16, "%s", VERSION_PQ);
    return true;
#else
    text[0] = '\0';
    return false;
#endif
}

static void for_each_library(void (*visit)(const struct library *library, void *context),
                             void *context)
{
    char pcre2[64], nettle[16], libpq[16];
    bool has_libpq = libpq_version(libpq);
    snprintf(nettle, sizeof nettle, "%d.%d", nettle_version_major(), nettle_version_minor());
    /* BuDDy has no call that tells its version, and its header carries globals. */
    const struct library libraries[] = {
        {"BuDDy", "2.4"},
        {"GMP", gmp_version},
        {"jansson", jansson_version_str()},
        {"libcurl", VERSION_CURL},
        {"liblzma", lzma_version_string()},
        {"libmicrohttpd", VERSION_MICROHTTPD},
        {"libpq", has_libpq ? libpq : "not built in"},
        {"libxml2", LIBXML_DOTTED_VERSION},
        {"libyaml", yaml_get_version_string()},
        {"nettle", nettle},
        {"PCRE2", tac_pattern_engine_version(pcre2)},
        {"protobuf-c", protobuf_c_version()},
        {"SQLite", sqlite3_libversion()},
        {"zlib", zlibVersion()},
    };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
        visit(&libraries[i], context);
}

static void print_library(const struct library *library, void *context)
{
    fprintf(context, "  %-14s %s\n", library->name, library->version);
}

void print_version(FILE *out)
{
    tac_print(out, "tactus %s\nlibraries:\n", TACTUS_VERSION);
    for_each_library(print_library, out);
}

static void add_library(const struct library *library, void *context)
{
    json_object_set_new(context, library->name, json_string(library->version));
}

json_t *version_json(void)
{
    json_t *document = json_object(), *libraries = json_object();
    json_object_set_new(document, "version", json_string(TACTUS_VERSION));
    for_each_library(add_library, libraries);
    json_object_set_new(document, "libraries", libraries);
    return document;
}
