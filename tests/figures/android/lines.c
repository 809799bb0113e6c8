/* See lines.h. */
#include "figures/android/lines.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

tac_status each_line(const struct figures_input *input, bool (*take)(void *context, char *line),
                     void *context, tac_error *err)
{
    char *text;
    size_t size, length;
    const char *line;
    tac_status status = figures_slurp(input, &text, &size, err);
    if (status != TAC_OK)
        return status;
    for (const char *at = text; figures_next_line(&at, text + size, &line, &length);) {
        char *own = text + (line - text);
        char kept = own[length];
        own[length] = '\0';
        bool more = take(context, own);
        own[length] = kept;
        if (!more)
            break;
    }
    free(text);
    return TAC_OK;
}

const char *after(const char *line, const char *word)
{
    const char *at = strstr(line, word);
    if (!at)
        return NULL;
    at += strlen(word);
    return at + strspn(at, " \t");
}

int64_t number_after(const char *line, const char *word, int64_t otherwise)
{
    const char *at = after(line, word);
    if (!at || !(isdigit((unsigned char)*at) || *at == '-'))
        return otherwise;
    return strtoll(at, NULL, 10);
}

bool head_has(const struct figures_input *input, const char *text)
{
    return memmem(input->head, input->head_size, text, strlen(text)) != NULL;
}

bool head_line_begins(const struct figures_input *input, const char *word)
{
    size_t size = strlen(word);
    const char *at = input->head, *end = at + input->head_size;
    while (at < end) {
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if ((size_t)(end - at) >= size && !memcmp(at, word, size))
            return true;
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    return false;
}
