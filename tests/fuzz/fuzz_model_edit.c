/* Edits of a model's text, as the portal takes them: {"text", "edits"}. Whatever an edit makes of a
 * text is again a text that can be edited, and an edit that is refused changes nothing. */
#include "base/data/alloc.h"
#include "base/io/json.h"
#include "fuzz_target.h"
#include "serve/api/read_edit.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tac_json request = {0};
    tac_error err;
    if (size > 20000 ||
        tac_json_parse("request", (const char *)data, size, &request, &err) != TAC_OK)
        return 0;
    const json_t *edits = json_object_get(request.root, "edits"), *edit;
    const char *given = json_string_value(json_object_get(request.root, "text"));
    char *text = tac_strdup(given ? given : "");
    size_t index;
    json_array_foreach(edits, index, edit)
    {
        struct read_edit read;
        struct outline outline;
        char *before = tac_strdup(text);
        tac_status status = index < 20 ? read_edit(edit, &read, &err) : TAC_E_LIMIT;
        if (status == TAC_OK)
            status = model_edit_apply(&read.edit, &text, &err);
        if (index < 20)
            read_edit_free(&read);
        if (status != TAC_OK && strcmp(before, text))
            abort();
        if (status == TAC_OK) {
            if (outline_make(text, strlen(text), &outline, &err) != TAC_OK)
                abort();
            outline_free(&outline);
        }
        free(before);
    }
    free(text);
    tac_json_free(&request);
    return 0;
}
