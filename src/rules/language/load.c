/* Opening a rule file: the language is told by the first character that is not blank. */
#include "base/io/input.h"
#include "rules/language/build.h"
#include <stdlib.h>

static bool looks_like_json(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '{')
            return true;
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\n' && text[i] != '\r')
            return false;
    }
    return false;
}

static int by_place(const void *x, const void *y)
{
    const tac_diagnostic *a = x, *b = y;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

/* Resolution finds errors after reading has found others; a person reads them from the top. */
static tac_status finish(struct rules_builder *b, tac_rules **out, tac_error *err)
{
    tac_status status = rules_builder_finish(b, out, err);
    if (status && b->diagnostics->count > 1) {
        qsort(b->diagnostics->at, b->diagnostics->count, sizeof *b->diagnostics->at, by_place);
        tac_diagnostics_fail(b->diagnostics, err);
    }
    return status;
}

static tac_status parse_json(const char *name, const char *text, size_t size, bool places,
                             tac_diagnostics *diagnostics, tac_rules **out, tac_error *err)
{
    struct rules_builder b;
    rules_builder_open(&b, name, diagnostics);
    tac_status status = rules_read_rules_json(&b, text, size, places, err);
    if (status == TAC_OK)
        status = finish(&b, out, err);
    rules_builder_close(&b);
    return status;
}

tac_status tac_rules_parse(const char *name, const char *text, size_t size,
                           tac_diagnostics *diagnostics, tac_rules **out, tac_error *err)
{
    if (looks_like_json(text, size)) {
        tac_diagnostics first = {0};
        tac_status status = parse_json(name, text, size, false, &first, out, err);
        tac_diagnostics_free(&first);
        return status ? parse_json(name, text, size, true, diagnostics, out, err) : TAC_OK;
    }
    struct rules_builder b;
    rules_builder_open(&b, name, diagnostics);
    rules_read_rules_text(&b, text, size);
    tac_status status = finish(&b, out, err);
    rules_builder_close(&b);
    return status;
}

tac_status tac_rules_load(const char *path, tac_diagnostics *diagnostics, tac_rules **out,
                          tac_error *err)
{
    char *text;
    size_t size;
    tac_status status = tac_input_slurp(path, TAC_RULES_MAX_BYTES, &text, &size, err);
    if (status)
        return status;
    status = tac_rules_parse(path, text, size, diagnostics, out, err);
    free(text);
    return status;
}
