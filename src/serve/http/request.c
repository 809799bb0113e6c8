#include "serve/http/request.h"
#include "base/check.h"
#include <stdarg.h>
#include <string.h>

/* For everything that is not a page: nothing in it may run or be shown by others. */
static const char nothing_runs[] = "default-src 'none'; frame-ancestors 'none'; sandbox";

const char *request_query(const struct request *request, const char *name)
{
    const char *value = NULL;
    size_t size = 0;
    if (mhd.lookup_connection_value_n(request->connection, MHD_GET_ARGUMENT_KIND, name,
                                      strlen(name), &value, &size) != MHD_YES ||
        !value || strlen(value) != size)
        return NULL;
    return value;
}

const char *request_header(const struct request *request, const char *name)
{
    return mhd.lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

const char *request_text(const struct request *request, const char *name)
{
    return json_string_value(json_object_get(request->json.root, name));
}

void answer_bytes(struct request *request, unsigned status, const char *type, char *data,
                  size_t size)
{
    free(request->data);
    request->status = status;
    request->type = type;
    request->data = data;
    request->size = size;
}

void answer_json(struct request *request, unsigned status, json_t *document)
{
    char *text = tac_json_text(document, JSON_COMPACT);
    json_decref(document);
    answer_bytes(request, status, "application/json; charset=utf-8", text, strlen(text));
}

void answer_error(struct request *request, unsigned status, const char *format, ...)
{
    va_list args;
    tac_str message = {0};
    va_start(args, format);
    tac_str_addv(&message, format, args);
    va_end(args);
    answer_json(
        request, status,
        json_pack("{s:{s:o}}", "error", "message", tac_json_string(tac_str_text(&message))));
    tac_str_free(&message);
}

json_t *error_json(const tac_error *err)
{
    json_t *error = json_pack("{s:o}", "message", tac_json_string(err->message));
    if (err->file[0] || err->line)
        json_object_set_new(error, "place",
                            json_pack("{s:o,s:I,s:I}", "file", tac_json_string(err->file), "line",
                                      (json_int_t)err->line, "column", (json_int_t)err->column));
    return error;
}

unsigned status_of_failure(tac_status status)
{
    switch (status) {
    case TAC_E_INPUT:
    case TAC_E_USAGE:
        return MHD_HTTP_UNPROCESSABLE_CONTENT;
    case TAC_E_LIMIT:
        return MHD_HTTP_CONTENT_TOO_LARGE;
    case TAC_E_MISSING:
        return MHD_HTTP_NOT_IMPLEMENTED;
    case TAC_OK:
    case TAC_E_IO:
    case TAC_E_DEVICE:
    case TAC_E_INTERRUPTED:
    case TAC_E_INTERNAL:
        break;
    }
    return MHD_HTTP_INTERNAL_SERVER_ERROR;
}

void answer_failure(struct request *request, const tac_error *err)
{
    answer_json(request, status_of_failure(err->status),
                json_pack("{s:o}", "error", error_json(err)));
}

static void add_headers(const struct request *request, struct MHD_Response *response)
{
    mhd.add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, request->type);
    mhd.add_response_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    mhd.add_response_header(response, "X-Content-Type-Options", "nosniff");
    mhd.add_response_header(response, "Referrer-Policy", "no-referrer");
    mhd.add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    mhd.add_response_header(response, "Content-Security-Policy",
                            request->policy ? request->policy : nothing_runs);
    if (request->etag)
        mhd.add_response_header(response, MHD_HTTP_HEADER_ETAG, request->etag);
    if (request->location)
        mhd.add_response_header(response, MHD_HTTP_HEADER_LOCATION, request->location);
    if (request->cookie)
        mhd.add_response_header(response, MHD_HTTP_HEADER_SET_COOKIE, request->cookie);
}

enum MHD_Result request_send(struct request *request)
{
    assert(request->status);
    struct MHD_Response *response = request->response;
    request->response = NULL;
    if (!response) {
        response =
            mhd.create_response_from_buffer(request->size, request->data, MHD_RESPMEM_MUST_FREE);
        request->data = NULL;
    }
    if (!response)
        return MHD_NO;
    add_headers(request, response);
    enum MHD_Result result = mhd.queue_response(request->connection, request->status, response);
    mhd.destroy_response(response);
    return result;
}

void request_free(struct request *request)
{
    if (!request)
        return;
    if (request->response)
        mhd.destroy_response(request->response);
    tac_str_free(&request->body);
    tac_json_free(&request->json);
    free(request->id);
    free(request->data);
    free(request->etag);
    free(request->location);
    free(request->cookie);
    free(request);
}
