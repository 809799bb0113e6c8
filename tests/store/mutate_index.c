/* mutate_index FOLDER COUNT [SEED]: COUNT times the folder of a small campaign with an index that
 * was tampered with: a value of any type in any column, a row twice, a row gone, bytes turned over,
 * the file cut. Reading, verifying, reporting and repairing happen in this process, so that a
 * sanitizer sees them; a refusal has to name the row or the index, and after a repair nothing is
 * damaged. */
#include "report/report.h"
#include "store/store.h"
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static unsigned long long state;
static unsigned failures, refusals, repaired;

static unsigned chance(unsigned most)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % most);
}

static void complain(unsigned number, const char *what, const char *why)
{
    failures++;
    printf("FAILED mutation %u: %s: %s\n", number, what, why);
}

/* --- folders --- */

static const char *source;
static char target[64];

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *place)
{
    (void)about;
    (void)type;
    (void)place;
    return remove(path);
}

static int copy_entry(const char *path, const struct stat *about, int type, struct FTW *place)
{
    char to[512], buffer[65536];
    (void)about;
    (void)place;
    snprintf(to, sizeof to, "%s%s", target, path + strlen(source));
    if (type == FTW_D)
        return mkdir(to, 0700) && access(to, F_OK);
    FILE *in = fopen(path, "rb"), *out = fopen(to, "wb");
    size_t got;
    while (in && out && (got = fread(buffer, 1, sizeof buffer, in)) > 0)
        fwrite(buffer, 1, got, out);
    return !in || fclose(in) || !out || fclose(out);
}

static void fresh_copy(void)
{
    nftw(target, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    if (nftw(source, copy_entry, 8, FTW_PHYS))
        abort();
}

/* --- mutations --- */

static const char *const values[] = {
    "NULL",
    "-1",
    "0",
    "5",
    "12",
    "13",
    "300",
    "4294967301",
    "4611686018427387904",
    "-9223372036854775808",
    "1.5",
    "9e999",
    "''",
    "'x'",
    "'pass'",
    "'-1'",
    "'../../etc/passwd'",
    "'/etc/passwd'",
    "'traces/../../x'",
    "CAST(x'610062' AS TEXT)",
    "CAST(x'1b5b33316d' AS TEXT)",
    "x'fffe'",
    "x''",
    "'{}'",
    "'['",
    "'true'",
    "'99999999999999999999'",
    "replace(hex(zeroblob(50000)),'00','{')",
    "replace(hex(zeroblob(300)),'00','[{\"a\":')",
    "CAST(x'fffefd' AS TEXT)",
    "'{\"runs\":1e9}'",
    "'{\"runs\":-4,\"repeat\":0}'",
    "'{\"runs\":12,\"flows\":99999999999,\"repeat\":99999999999}'"};
static const char *const tables[] = {"run", "verdict", "setting", "document", "run"};
static const char *const columns[][16] = {
    {"id", "kind", "name", "flow", "scenario", "repeat", "seed", "verdict", "message", "exception",
     "trace", "seconds", "steps", "details", "trace_size", "trace_digest"},
    {"run", "property", "answer", "document"},
    {"key", "value"},
    {"kind", "name", "document"},
    {"id", "flow", "verdict", "trace", "details"}};
static const unsigned column_count[] = {16, 4, 2, 3, 5};

static void loosen(sqlite3 *index)
{
    for (unsigned i = 0; i < 4; i++) {
        char sql[300];
        snprintf(
            sql, sizeof sql,
            "CREATE TABLE loose AS SELECT * FROM %s; DROP TABLE %s; ALTER TABLE loose RENAME TO "
            "%s;",
            tables[i], tables[i], tables[i]);
        sqlite3_exec(index, sql, NULL, NULL, NULL);
    }
}

static void mutate_value(const char *path, char *what, size_t size)
{
    sqlite3 *index;
    char sql[2000];
    unsigned table = chance(5), kind = chance(20);
    const char *column = columns[table][chance(column_count[table])];
    const char *value = values[chance(sizeof values / sizeof *values)];
    if (sqlite3_open(path, &index) != SQLITE_OK)
        abort();
    if (chance(10) < 7)
        loosen(index);
    char row[120];
    snprintf(row, sizeof row, "rowid=(SELECT rowid FROM %s LIMIT 1 OFFSET %u)", tables[table],
             chance(table == 2 || table == 3 ? 3 : 12));
    if (kind < 17)
        snprintf(sql, sizeof sql, "UPDATE %s SET %s=%s WHERE %s", tables[table], column, value,
                 row);
    else if (kind < 19)
        snprintf(sql, sizeof sql, "INSERT INTO %s SELECT * FROM %s WHERE %s", tables[table],
                 tables[table], row);
    else
        snprintf(sql, sizeof sql, "DELETE FROM %s WHERE %s", tables[table], row);
    sqlite3_exec(index, sql, NULL, NULL, NULL); /* a constraint may refuse it */
    sqlite3_close(index);
    snprintf(what, size, "%.150s", sql);
}

static void mutate_bytes(const char *path, char *what, size_t size)
{
    struct stat about;
    FILE *file = fopen(path, "r+b");
    if (!file || stat(path, &about) || about.st_size < 1)
        abort();
    unsigned turned = 1 + chance(4);
    for (unsigned i = 0; i < turned; i++) {
        fseek(file, (long)chance((unsigned)about.st_size), SEEK_SET);
        fputc((int)chance(256), file);
    }
    fclose(file);
    if (!chance(6) && truncate(path, (off_t)chance((unsigned)about.st_size)))
        abort();
    snprintf(what, size, "%u bytes turned over", turned);
}

/* --- using it --- */

static bool see_run(void *context, const tac_store_run *run)
{
    *(int64_t *)context += run->id + (int64_t)strlen(run->verdict) + (int64_t)strlen(run->trace);
    return true;
}

static bool see_verdict(void *context, int64_t run, const char *property, const char *answer,
                        const json_t *document)
{
    *(int64_t *)context += run + property[0] + answer[0] + (int64_t)json_object_size(document);
    return true;
}

static bool names_it(const tac_error *err)
{
    return strstr(err->message, "row ") || strstr(err->file, "index.sqlite") ||
           strstr(err->message, "index") || strstr(err->message, "holds no runs") ||
           strstr(err->message, "later version");
}

static void judge(unsigned number, const char *what, tac_status status, const tac_error *err)
{
    if (status == TAC_OK)
        return;
    refusals++;
    if ((status != TAC_E_INPUT && status != TAC_E_IO) || !names_it(err))
        complain(number, what, err->message);
}

static void use(unsigned number, const char *what)
{
    tac_store *store = NULL;
    tac_error err = {0};
    tac_store_check count;
    int64_t sum = 0;
    tac_status status = tac_store_open(target, false, &store, &err);
    judge(number, what, status, &err);
    if (status == TAC_OK) {
        judge(number, what, tac_store_each_run(store, see_run, &sum, &err), &err);
        judge(number, what, tac_store_each_verdict(store, see_verdict, &sum, &err), &err);
        judge(number, what, tac_store_verify(store, NULL, &count, &err), &err);
        tac_store_close(store, NULL);
    }
    tac_report_options options = {.folder = target};
    tac_report *report = NULL;
    status = tac_report_make(&options, &report, &err);
    judge(number, what, status, &err);
    tac_report_free(report);
    store = NULL;
    status = tac_store_open_mode(target, TAC_STORE_WRITE, &store, &err);
    if (status == TAC_OK)
        status = tac_store_repair(store, NULL, &count, &err);
    if (status == TAC_OK) {
        repaired++;
        status = tac_store_verify(store, NULL, &count, &err);
        if (status == TAC_OK && count.damaged)
            complain(number, what, "something is damaged after the repair");
    }
    judge(number, what, status, &err);
    tac_store_close(store, NULL);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    unsigned count = (unsigned)atoi(argv[2]);
    char path[96], what[200];
    source = argv[1];
    state = argc > 3 ? strtoull(argv[3], NULL, 10) : 15;
    snprintf(target, sizeof target, "/tmp/tactus-mutate-%d", (int)getpid());
    snprintf(path, sizeof path, "%s/index.sqlite", target);
    for (unsigned i = 0; i < count; i++) {
        fresh_copy();
        if (chance(10) < 7)
            mutate_value(path, what, sizeof what);
        else
            mutate_bytes(path, what, sizeof what);
        use(i, what);
        if ((i + 1) % 500 == 0)
            fprintf(stderr, "%u mutations, %u refusals, %u repaired, %u failures\n", i + 1,
                    refusals, repaired, failures);
    }
    nftw(target, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    printf("%u mutations: %u refusals, %u repaired, %u failures\n", count, refusals, repaired,
           failures);
    return failures ? 1 : 0;
}
