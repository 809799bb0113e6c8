/* Memory of an app from `dumpsys meminfo PACKAGE`, in kB.
 *
 *     TOTAL PSS:    58642            TOTAL RSS:   131220       TOTAL SWAP PSS:       93
 *     TOTAL:        58642       TOTAL SWAP PSS:       93      the summary before Android 11
 *     TOTAL    58642    41020 ...                             the table; the only one before 6
 *
 * and "Java Heap:", "Native Heap:" of the summary; before Android 6 the table's row "Dalvik Heap".
 * "No process found for: X" is not running. */
#include "device/android/dump/parse.h"
#include <math.h>

static void take(const struct android_lines *lines, const char *key, double *out)
{
    uint64_t kilobytes;
    const char *at = android_starts(lines, key) ? android_after(lines, key) : NULL;
    if (at && isnan(*out) && android_count(at, lines->line + lines->length, &kilobytes))
        *out = (double)kilobytes * 1024;
}

void android_read_meminfo(const char *text, size_t size, struct android_memory *out)
{
    *out = (struct android_memory){.pss = NAN, .java_heap = NAN, .native_heap = NAN};
    struct android_lines lines = {.at = text, .end = text + size};
    double table = NAN, dalvik = NAN;
    while (android_next_line(&lines)) {
        take(&lines, "TOTAL PSS:", &out->pss);
        take(&lines, "TOTAL:", &out->pss);
        take(&lines, "TOTAL ", &table);
        take(&lines, "Dalvik Heap ", &dalvik);
        take(&lines, "Java Heap:", &out->java_heap);
        take(&lines, "Native Heap:", &out->native_heap);
    }
    if (isnan(out->pss))
        out->pss = table;
    if (isnan(out->java_heap))
        out->java_heap = dalvik;
    out->found = !isnan(out->pss);
}
