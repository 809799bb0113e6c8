/* Files of the folder: listed, read, written. */
#include "base/data/alloc.h"
#include "base/data/digest.h"
#include "base/data/text.h"
#include "base/io/diff.h"
#include "serve/api/routes.h"
#include "serve/folder/beneath.h"
#include "serve/folder/list.h"
#include "serve/folder/save.h"
#include "serve/jobs/jobs.h"
#include "serve/programs/campaign.h"
#include <string.h>

/* Its figures, with "running", "job", and "problem" when not all of it could be read. */
static void describe_campaign(tac_portal *portal, const char *path, json_t *object)
{
    struct campaign_figures figures;
    tac_error err;
    tac_status status = campaign_figures(portal, path, &figures, &err);
    add_figures(object, &figures);
    char *job = job_that_writes(portal, path);
    if (status != TAC_OK && !job) /* one that is only being made cannot be read yet */
        json_object_set_new(object, "problem", tac_json_string(err.message));
    json_object_set_new(object, "running", json_boolean(job));
    json_object_set_new(object, "job", job ? tac_json_string(job) : json_null());
    free(job);
}

void get_files(struct request *request)
{
    listing list;
    json_t *files = json_array();
    list_folder(request->portal->root, &list);
    for (size_t i = 0; i < list.files.count; i++) {
        const struct listed *file = &list.files.at[i];
        json_t *entry =
            json_pack("{s:o,s:s,s:I,s:f}", "path", tac_json_string(file->path), "kind", file->kind,
                      "size", (json_int_t)file->size, "modified", file->modified);
        if (!strcmp(file->kind, "campaign"))
            describe_campaign(request->portal, file->path, entry);
        json_array_append_new(files, entry);
    }
    answer_json(request, MHD_HTTP_OK,
                json_pack("{s:o,s:b}", "files", files, "truncated", list.truncated));
    listing_free(&list);
}

void get_campaign(struct request *request)
{
    const char *path = request_query(request, "path");
    tac_error err;
    json_t *rows = campaign_rows(request->portal, path ? path : "", NULL, &err);
    if (!rows) {
        answer_failure(request, &err);
        if (err.status == TAC_E_INPUT)
            request->status = MHD_HTTP_NOT_FOUND;
        return;
    }
    json_t *document = json_pack("{s:o}", "path", tac_json_string(path));
    describe_campaign(request->portal, path, document);
    json_object_set_new(document, "rows", rows);
    answer_json(request, MHD_HTTP_OK, document);
}

/* The path of the query, or NULL after an answer. */
static const char *path_of(struct request *request)
{
    const char *path = request_query(request, "path");
    if (path && path_is_fine(path))
        return path;
    answer_error(request, MHD_HTTP_BAD_REQUEST,
                 "'path' is not the path of a file in the folder: parts separated by '/', none of "
                 "them hidden");
    return NULL;
}

static const char *type_of(const char *path)
{
    return tac_ends_with(path, ".png")   ? "image/png"
           : tac_ends_with(path, ".jpg") ? "image/jpeg"
           : tac_ends_with(path, ".svg") ? "image/svg+xml"
                                         : "text/plain; charset=utf-8";
}

static char *etag_of(const char *digest)
{
    return tac_format("\"%s\"", digest);
}

void get_file(struct request *request)
{
    char *data, digest[TAC_DIGEST_TEXT];
    size_t size;
    tac_error err;
    const char *path = path_of(request);
    if (!path)
        return;
    tac_status status = read_beneath(request->portal->root, path, &data, &size, &err);
    if (status != TAC_OK) {
        answer_failure(request, &err);
        if (status == TAC_E_INPUT)
            request->status = MHD_HTTP_NOT_FOUND;
        return;
    }
    tac_digest_bytes(data, size, digest);
    request->etag = etag_of(digest);
    answer_bytes(request, MHD_HTTP_OK, type_of(path), data, size);
}

/* What is on the disk, and what it would become. */
static void answer_conflict(struct request *request, const char *path)
{
    char *data, digest[TAC_DIGEST_TEXT];
    size_t size;
    if (read_beneath(request->portal->root, path, &data, &size, NULL) != TAC_OK) {
        answer_json(request, MHD_HTTP_CONFLICT,
                    json_pack("{s:{s:s},s:s,s:n,s:n}", "error", "message",
                              "the file is not there any more", "diff", "", "hash", "text"));
        return;
    }
    tac_digest_bytes(data, size, digest);
    char *diff =
        tac_unified_diff(path, data, size, tac_str_text(&request->body), request->body.length);
    answer_json(request, MHD_HTTP_CONFLICT,
                json_pack("{s:{s:s},s:o,s:s,s:o}", "error", "message",
                          "the file was changed by somebody else since it was read; nothing was "
                          "written",
                          "diff", tac_json_string(diff), "hash", digest, "text",
                          tac_json_string_n(data, size)));
    free(diff);
    free(data);
}

/* "HASH" without its quotation marks; false when it is not one. */
static bool read_etag(const char *text, char digest[TAC_DIGEST_TEXT])
{
    if (!text || strlen(text) != TAC_DIGEST_TEXT + 1 || text[0] != '"' ||
        text[TAC_DIGEST_TEXT] != '"')
        return false;
    memcpy(digest, text + 1, TAC_DIGEST_TEXT - 1);
    digest[TAC_DIGEST_TEXT - 1] = '\0';
    return true;
}

static void save(struct request *request, const char *path, const char *seen)
{
    char digest[TAC_DIGEST_TEXT];
    tac_error err;
    const char *data = tac_str_text(&request->body);
    pthread_mutex_lock(&request->portal->saving);
    enum save_result result =
        save_beneath(request->portal->root, path, data, request->body.length, seen, &err);
    pthread_mutex_unlock(&request->portal->saving);
    if (result == SAVE_CONFLICT) {
        answer_conflict(request, path);
    } else if (result == SAVE_FAILED) {
        answer_failure(request, &err);
    } else {
        tac_digest_bytes(data, request->body.length, digest);
        request->etag = etag_of(digest);
        answer_json(request, result == SAVED ? MHD_HTTP_OK : MHD_HTTP_CREATED,
                    json_pack("{s:o,s:s}", "path", tac_json_string(path), "hash", digest));
    }
}

void put_file(struct request *request)
{
    const char *match = request_header(request, MHD_HTTP_HEADER_IF_MATCH);
    const char *none = request_header(request, MHD_HTTP_HEADER_IF_NONE_MATCH);
    char seen[TAC_DIGEST_TEXT];
    const char *path = path_of(request);
    if (!path)
        return;
    if (match && read_etag(match, seen))
        save(request, path, seen);
    else if (!match && none && !strcmp(none, "*"))
        save(request, path, NULL);
    else
        answer_error(request, MHD_HTTP_PRECONDITION_REQUIRED,
                     "a file is written with If-Match and the hash of what it replaces, or with "
                     "'If-None-Match: *' when it is new");
}
