/* figures FILE... [--json] [--as KIND]: the figures of files, one a line, or one document. */
#include "base/error.h"
#include "figures/figures.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_text(const char *path, const struct figures *figures)
{
    size_t count;
    const struct figure *at = figures_at(figures, &count);
    printf("%s: %s\n", path, figures_kind(figures));
    for (size_t i = 0; i < count; i++)
        if (at[i].text)
            printf("  %-32s %s\n", at[i].name, at[i].text);
        else
            printf("  %-32s %" PRId64 "\n", at[i].name, at[i].number);
}

static int show(const char *path, const char *kind, bool json)
{
    tac_error err;
    struct figures *figures;
    size_t count;
    char text[2048];
    if (figures_read(path, kind, NULL, &figures, &err)) {
        fprintf(stderr, "tactus: %s\n", tac_error_text(&err, text, sizeof text));
        return tac_status_exit_code(err.status);
    }
    const char *const *warnings = figures_warnings(figures, &count);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "tactus: warning: %s: %s\n", path, warnings[i]);
    if (json) {
        json_t *document = figures_json(figures);
        json_dumpf(document, stdout, JSON_COMPACT);
        puts("");
        json_decref(document);
    } else {
        write_text(path, figures);
    }
    figures_free(figures);
    return 0;
}

int main(int count, char **words)
{
    const char *kind = NULL;
    bool json = false;
    int code = 0;
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "--json"))
            json = true;
        else if (!strcmp(words[i], "--as") && i + 1 < count)
            kind = words[++i];
    }
    for (int i = 1; i < count; i++) {
        bool option = !strcmp(words[i], "--json"), named = !strcmp(words[i], "--as");
        int one = option || named ? 0 : show(words[i], kind, json);
        code = one > code ? one : code;
        i += named;
    }
    return code;
}
