/* Addresses of apps: completing what a person types, and telling what belongs to the app. */
#include "base/data/alloc.h"
#include "base/data/text.h"
#include "device/web/webdriver.h"
#include <ctype.h>
#include <string.h>

/* Letters before "://", or before ':' for what has no authority ("data:", "about:"). */
static bool has_scheme(const char *text)
{
    size_t letters = 0;
    while (isalnum((unsigned char)text[letters]) ||
           strchr("+-.", text[letters] ? text[letters] : ' '))
        letters++;
    return letters && !strncmp(text + letters, "://", 3);
}

static char *file_address(const char *path)
{
    char *whole = realpath(path, NULL);
    if (!whole)
        return NULL;
    tac_str out = {0};
    tac_str_add(&out, "file://");
    for (const char *at = whole; *at; at++)
        if (isalnum((unsigned char)*at) || strchr("/._-~", *at))
            tac_str_add_char(&out, *at);
        else
            tac_str_addf(&out, "%%%02X", (unsigned char)*at);
    free(whole);
    return tac_str_take(&out);
}

tac_status address_complete(const char *text, char **out, tac_error *err)
{
    static const char *const known[] = {"http", "https", "file"};
    if (has_scheme(text)) {
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (!strncmp(text, known[i], strlen(known[i])) && text[strlen(known[i])] == ':') {
                *out = tac_strdup(text);
                return TAC_OK;
            }
        return tac_fail(
            err, TAC_E_USAGE,
            "'%s' is not the address of a page; an address begins with http://, https:// "
            "or file://",
            text);
    }
    *out = file_address(text);
    if (!*out && (text[0] == '/' || text[0] == '.'))
        return tac_fail(err, TAC_E_USAGE, "the page '%s' does not exist", text);
    if (!*out)
        *out = tac_format("http://%s", text);
    return TAC_OK;
}

static const char *after_scheme(const char *url)
{
    const char *start = strstr(url, "://");
    return start ? start + 3 : url;
}

/* "http://127.0.0.1:8000/app/" is the app of 127.0.0.1:8000, "file:///a/todo.html" that of
 * todo.html. */
char *address_host(const char *url)
{
    const char *start = after_scheme(url);
    size_t length = strcspn(start, "/?#");
    if (length)
        return tac_strndup(start, length);
    size_t path = strcspn(start, "?#"), last = path;
    while (last > 0 && start[last - 1] != '/')
        last--;
    return path > last ? tac_strndup(start + last, path - last) : tac_strdup("file");
}

char *address_folder(const char *url)
{
    const char *start = after_scheme(url);
    start += strcspn(start, "/?#");
    size_t length = strcspn(start, "?#");
    while (length > 0 && start[length - 1] != '/')
        length--;
    return length ? tac_strndup(start, length) : tac_strdup("/");
}

char *address_origin(const char *url)
{
    const char *start = after_scheme(url);
    if (!strncmp(url, "file:", 5)) {
        char *folder = address_folder(url);
        char *whole = tac_format("file://%s", folder);
        free(folder);
        return whole;
    }
    return tac_strndup(url, (size_t)(start - url) + strcspn(start, "/?#"));
}

/* "http://host:80" does not begin "http://host:8000". */
bool address_within(const char *url, const char *start)
{
    size_t length = strlen(start);
    if (!length || strncmp(url, start, length) != 0)
        return false;
    return start[length - 1] == '/' || strchr("/?#", url[length]) != NULL;
}
