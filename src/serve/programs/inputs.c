#include "serve/programs/inputs.h"
#include "base/data/alloc.h"
#include "serve/folder/beneath.h"
#include <stdio.h>
#include <string.h>

/* The path in field `name`, as a word that is not taken for an option; the caller's. NULL when it
 * is absent (*bad false), or after an answer (*bad true). */
static char *input_path(struct request *request, const char *name, bool *bad)
{
    const json_t *value = json_object_get(request->json.root, name);
    const char *path = json_string_value(value);
    *bad = false;
    if (!value || json_is_null(value))
        return NULL;
    if (path && path_is_fine(path) && exists_beneath(request->portal->root, path))
        return tac_format("%s%s", path[0] == '-' ? "./" : "", path);
    answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "'%s' is not a file in the folder", name);
    *bad = true;
    return NULL;
}

bool add_input(struct request *request, struct words *words, const char *option,
               const char *path_field, const char *text_field, bool needed)
{
    const char *text = text_field ? request_text(request, text_field) : NULL;
    bool bad = false;
    char *path = text ? NULL : input_path(request, path_field, &bad);
    const char *name = text ? add_text(words, text, strlen(text)) : path;
    if (name && option)
        add_option(words, option, name);
    else if (name)
        add_word(words, name);
    else if (needed && !bad)
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "'%s' is missing", path_field);
    free(path);
    return !request->status;
}

bool add_number(struct request *request, struct words *words, const char *option, const char *field,
                long long most, long long otherwise)
{
    const json_t *value = json_object_get(request->json.root, field);
    bool absent = !value || json_is_null(value);
    long long number = absent ? otherwise : json_integer_value(value);
    char text[32];
    if (!absent && (!json_is_integer(value) || number < 0 || number > most)) {
        answer_error(request, MHD_HTTP_UNPROCESSABLE_CONTENT,
                     "'%s' is not a whole number from 0 to %lld", field, most);
        return false;
    }
    if (number >= 0) {
        snprintf(text, sizeof text, "%lld", number);
        add_option(words, option, text);
    }
    return true;
}
