/* The files of a campaign in the database: each in pieces of 1 MiB, each piece compressed on its
 * own with zstd, beside the length and the SHA-256 of the whole. A file is believed when its pieces
 * give exactly that. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "base/io/output.h"
#include "store/postgres/postgres.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <zstd.h>

enum { PIECE = 1 << 20, LEVEL = 3 };

char *postgres_file_path(const void *data, const char *name)
{
    const struct postgres_store *store = data;
    return tac_format("%s/%s", store->address, name);
}

/* --- putting --- */

static tac_status is_there(struct postgres_store *store, const char *name, bool *there,
                           tac_error *err)
{
    const char *const key[] = {store->key, name};
    PGresult *result = NULL;
    tac_status status = postgres_query(store, "look for a file",
                                       "SELECT 1 FROM tactus.file WHERE campaign=$1 AND name=$2", 2,
                                       key, &result, err);
    *there = status == TAC_OK && libpq.ntuples(result) > 0;
    if (status == TAC_OK)
        libpq.clear(result);
    return status;
}

/* Removes what has the name. Only who replaces inputs gets here: a worker adds new files. */
static tac_status make_room(struct postgres_store *store, const char *name, tac_error *err)
{
    const char *const key[] = {store->key, name};
    bool there = false;
    tac_status status = is_there(store, name, &there, err);
    if (there)
        status = postgres_query(store, "replace a file",
                                "DELETE FROM tactus.piece WHERE campaign=$1 AND name=$2", 2, key,
                                NULL, err);
    if (there && status == TAC_OK)
        status = postgres_query(store, "replace a file",
                                "DELETE FROM tactus.file WHERE campaign=$1 AND name=$2", 2, key,
                                NULL, err);
    return status;
}

static tac_status put_piece(struct postgres_store *store, const char *name, unsigned part,
                            const char *raw, size_t size, char *packed, size_t room, tac_error *err)
{
    size_t length = ZSTD_compress(packed, room, raw, size, LEVEL);
    if (ZSTD_isError(length))
        return tac_fail(err, TAC_E_INTERNAL, "a piece of '%s' cannot be compressed: %s", name,
                        ZSTD_getErrorName(length));
    char number[16];
    snprintf(number, sizeof number, "%u", part);
    const char *const values[] = {store->key, name, number, packed};
    const int sizes[] = {0, 0, 0, (int)length};
    return postgres_query_bytes(store, "write a file",
                                "INSERT INTO tactus.piece(campaign,name,part,data) "
                                "VALUES($1::bigint,$2::text,$3::integer,$4)",
                                4, values, sizes, NULL, err);
}

static tac_status put_pieces(struct postgres_store *store, const char *name, FILE *file,
                             const char *path, tac_error *err)
{
    size_t room = ZSTD_compressBound(PIECE);
    char *raw = tac_alloc(PIECE), *packed = tac_alloc(room);
    tac_status status = TAC_OK;
    for (unsigned part = 0; status == TAC_OK; part++) {
        size_t size = fread(raw, 1, PIECE, file);
        assert(size <= PIECE);
        if (!size)
            break;
        status = put_piece(store, name, part, raw, size, packed, room, err);
    }
    if (status == TAC_OK && ferror(file))
        status = tac_fail_errno(err, errno, path, "cannot read");
    free(raw);
    free(packed);
    return status;
}

tac_status postgres_put_file(void *data, const char *name, const char *path, tac_error *err)
{
    struct postgres_store *store = data;
    assert(postgres_writes(store) && store->in_transaction);
    char digest[TAC_DIGEST_TEXT], length[24];
    uint64_t size;
    tac_status status = tac_digest_file(path, digest, &size, err);
    if (status == TAC_OK && size > (uint64_t)TAC_STORE_LARGEST_FILE)
        status = tac_fail_at(err, TAC_E_LIMIT, path, 0, 0,
                             "has %" PRIu64 " bytes; a file in a database has at most %" PRId64,
                             size, TAC_STORE_LARGEST_FILE);
    if (status == TAC_OK)
        status = make_room(store, name, err);
    if (status != TAC_OK)
        return status;
    snprintf(length, sizeof length, "%" PRIu64, size);
    const char *const values[] = {store->key, name, length, digest};
    status = postgres_query(store, "write a file",
                            "INSERT INTO tactus.file(campaign,name,size,digest) "
                            "VALUES($1,$2,$3,$4)",
                            4, values, NULL, err);
    FILE *file = status == TAC_OK ? fopen(path, "rbe") : NULL;
    if (status == TAC_OK && !file)
        status = tac_fail_errno(err, errno, path, "cannot read");
    if (status == TAC_OK)
        status = put_pieces(store, name, file, path, err);
    if (file)
        fclose(file);
    return status;
}

/* --- getting --- */

/* Hands over the pieces one after the other, unpacked. */
static tac_status read_pieces(struct postgres_store *store, const char *name, int64_t size,
                              tac_status (*take)(void *context, const char *data, size_t size,
                                                 tac_error *err),
                              void *context, tac_error *err)
{
    char *raw = tac_alloc(PIECE), number[16], *path = postgres_file_path(store, name);
    tac_status status = TAC_OK;
    int64_t left = size;
    for (unsigned part = 0; status == TAC_OK && left > 0; part++) {
        snprintf(number, sizeof number, "%u", part);
        const char *const key[] = {store->key, name, number};
        const int sizes[] = {0, 0, 0};
        PGresult *result = NULL;
        status = postgres_query_bytes(store, "read a file",
                                      "SELECT data FROM tactus.piece WHERE campaign=$1::bigint AND "
                                      "name=$2::text AND part=$3::integer",
                                      3, key, sizes, &result, err);
        if (status != TAC_OK)
            break;
        size_t got = 0;
        if (libpq.ntuples(result) == 1)
            got = ZSTD_decompress(raw, PIECE, libpq.getvalue(result, 0, 0),
                                  (size_t)libpq.getlength(result, 0, 0));
        if (!got || ZSTD_isError(got) || (int64_t)got > left)
            status = tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "piece %u of the file is %s", part,
                                 libpq.ntuples(result) ? "damaged" : "gone");
        libpq.clear(result);
        assert(status != TAC_OK || (got <= PIECE && (int64_t)got <= left));
        if (status == TAC_OK)
            status = take(context, raw, got, err);
        left -= (int64_t)got;
    }
    free(raw);
    free(path);
    return status;
}

static tac_status find_file(struct postgres_store *store, const char *name, tac_store_seal *out,
                            tac_error *err)
{
    const char *const key[] = {store->key, name};
    PGresult *result = NULL;
    tac_status status = postgres_query(
        store, "look for a file",
        "SELECT size,digest FROM tactus.file WHERE campaign=$1 AND name=$2", 2, key, &result, err);
    if (status != TAC_OK)
        return status;
    if (libpq.ntuples(result) == 1) {
        out->size = postgres_number(result, 0, 0);
        snprintf(out->digest, sizeof out->digest, "%s", libpq.getvalue(result, 0, 1));
    } else {
        char *path = postgres_file_path(store, name);
        bool trace = !strncmp(name, "traces/", 7);
        status =
            tac_fail_at(err, TAC_E_INPUT, path, 0, 0, "the %s is gone", trace ? "trace" : "file");
        free(path);
    }
    libpq.clear(result);
    return status;
}

struct getting {
    tac_output output;
    tac_digest *digest;
};

static tac_status write_piece(void *context, const char *data, size_t size, tac_error *err)
{
    struct getting *getting = context;
    tac_digest_add(getting->digest, data, size);
    if (fwrite(data, 1, size, getting->output.file) != size)
        return tac_fail_errno(err, errno, getting->output.path, "cannot write");
    return TAC_OK;
}

static tac_status compare_digests(const struct postgres_store *store, const char *name,
                                  const char *found, const char *kept, tac_error *err)
{
    if (!strcmp(found, kept))
        return TAC_OK;
    char *path = postgres_file_path(store, name);
    tac_status status =
        tac_fail_at(err, TAC_E_INPUT, path, 0, 0,
                    "the file is not the one that was written: its content has changed");
    free(path);
    return status;
}

tac_status postgres_get_file(void *data, const char *name, const char *path, tac_error *err)
{
    struct postgres_store *store = data;
    tac_store_seal seal;
    struct getting getting;
    char found[TAC_DIGEST_TEXT];
    tac_status status = find_file(store, name, &seal, err);
    if (status == TAC_OK)
        status = tac_output_open(&getting.output, path, err);
    if (status != TAC_OK)
        return status;
    getting.digest = tac_digest_new();
    status = read_pieces(store, name, seal.size, write_piece, &getting, err);
    tac_digest_end(getting.digest, found);
    if (status == TAC_OK)
        status = compare_digests(store, name, found, seal.digest, err);
    return tac_output_close(&getting.output, status, err);
}

static tac_status digest_piece(void *context, const char *data, size_t size, tac_error *err)
{
    (void)err;
    tac_digest_add(context, data, size);
    return TAC_OK;
}

tac_status postgres_seal(void *data, const char *name, tac_store_seal *out, tac_error *err)
{
    tac_store_seal kept;
    tac_status status = find_file(data, name, &kept, err);
    tac_digest *digest = tac_digest_new();
    if (status == TAC_OK)
        status = read_pieces(data, name, kept.size, digest_piece, digest, err);
    tac_digest_end(digest, out->digest);
    out->size = kept.size;
    return status;
}

tac_status postgres_move_file(void *data, const char *name, const char *to, bool *taken,
                              tac_error *err)
{
    struct postgres_store *store = data;
    assert(postgres_writes(store) && store->in_transaction);
    tac_status status = is_there(store, to, taken, err);
    const char *const values[] = {store->key, name, to};
    if (status != TAC_OK || *taken)
        return status;
    status = postgres_query(store, "move a file",
                            "UPDATE tactus.file SET name=$3 WHERE campaign=$1 AND name=$2", 3,
                            values, NULL, err);
    if (status == TAC_OK)
        status = postgres_query(store, "move a file",
                                "UPDATE tactus.piece SET name=$3 WHERE campaign=$1 AND name=$2", 3,
                                values, NULL, err);
    return status;
}

struct file_walk {
    bool (*visit)(void *context, const char *name);
    void *context;
};

static bool give_file(void *context, const PGresult *result, int row)
{
    const struct file_walk *walk = context;
    return walk->visit(walk->context, libpq.getvalue(result, row, 0));
}

tac_status postgres_each_file(void *data, bool (*visit)(void *context, const char *name),
                              void *context, tac_error *err)
{
    struct file_walk walk = {visit, context};
    return postgres_walk(data, "list the files",
                         "SELECT name FROM tactus.file WHERE campaign=$1 ORDER BY name COLLATE "
                         "\"C\"",
                         give_file, &walk, err);
}
