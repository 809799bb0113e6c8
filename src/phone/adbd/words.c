/* The phone's shell: commands joined by ";", "&&" and "&", groups in parentheses, words in single
 * or double quotes or with a backslash, no more. A group is done in its place, and what goes on in
 * the background is done before what follows: commands need no time. See daemon.h. */
#include "phone/adbd/daemon.h"

/* One word, unquoted, into *store. */
static const char *take_word(const char *at, char **store)
{
    char quote = 0;
    for (; *at && (quote || !strchr(" \t;&()\n", *at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = quote ? 0 : *at;
        else if (*at == '\\' && quote != '\'' && at[1])
            *(*store)++ = *++at;
        else
            *(*store)++ = *at;
    }
    *(*store)++ = '\0';
    return at;
}

char phone_next_command(const char **line, char *store, int *argc, char **argv)
{
    const char *at = *line;
    *argc = 0;
    for (;;) {
        while (*at && strchr(" \t\n()", *at))
            at++;
        if (!*at || *at == ';' || *at == '&')
            break;
        char *word = store;
        at = take_word(at, &store);
        if (*argc < PHONE_MOST_WORDS)
            argv[(*argc)++] = word;
        else
            store = word;
    }
    char separator = at[0] == '&' && at[1] != '&' ? ';' : *at;
    while (*at == ';' || *at == '&')
        at++;
    *line = at;
    return separator;
}
