/* Where a script threw, with the statement: the source of the topmost frame that the app's host
 * serves is asked for once more, beside the browser. No answer, a page of another kind or a place
 * that is not in it: the stack alone says where. */
#include "base/data/alloc.h"
#include "device/web/webdriver.h"
#include "findings/identity.h"
#include <string.h>

enum { SOURCE_CAP = 16 << 20 };
static const long patience_ms = 2000;

static size_t take(char *data, size_t size, size_t count, void *into)
{
    tac_str *text = into;
    tac_str_add_bytes(text, data, size * count);
    return text->overflow ? 0 : size * count;
}

static bool fetch(struct webdriver *w, const char *url, tac_str *out)
{
    CURL *curl = libcurl.easy_init();
    if (!curl)
        return false;
    libcurl.easy_setopt(curl, CURLOPT_URL, url);
    libcurl.easy_setopt(curl, CURLOPT_TIMEOUT_MS, patience_ms);
    libcurl.easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
    libcurl.easy_setopt(curl, CURLOPT_WRITEDATA, out);
    libcurl.easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    libcurl.easy_setopt(curl, CURLOPT_NOPROXY, "*");
    libcurl.easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
    libcurl.easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    wd_use_network(w, curl);
    bool got = libcurl.easy_perform(curl) == CURLE_OK && out->length &&
               !memchr(out->text, '\0', out->length);
    libcurl.easy_cleanup(curl);
    return got;
}

/* The topmost frame whose script the app's host serves. */
static bool own_frame(const struct webdriver *w, struct finding_frame *frame)
{
    size_t host = strlen(w->host), made = strlen(w->crash.exception);
    for (size_t i = 0; i < w->crash.stack.count; i++) {
        if (!finding_script_frame(w->crash.stack.at[i], frame) ||
            strncmp(frame->url, "http", 4) != 0 ||
            (frame->name_length == made && !strncmp(frame->name, w->crash.exception, made)))
            continue;
        const char *at = memmem(frame->url, frame->url_length, "://", 3);
        if (host && at && !strncmp(at + 3, w->host, host) && strchr(":/", at[3 + host]))
            return true;
    }
    return false;
}

void wd_find_crash_place(struct webdriver *w)
{
    struct finding_frame frame;
    tac_str source = {.cap = SOURCE_CAP}, place = {0};
    if (!own_frame(w, &frame))
        return;
    char *url = tac_strndup(frame.url, frame.url_length);
    if (fetch(w, url, &source) &&
        finding_source_place(source.text, url, frame.line, frame.column, &place))
        w->crash.place = tac_str_take(&place);
    tac_str_free(&source);
    tac_str_free(&place);
    free(url);
}
