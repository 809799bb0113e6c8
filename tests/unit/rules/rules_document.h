/* The document of "rules check --json", read again; the caller's. */
#ifndef RULES_DOCUMENT_H
#define RULES_DOCUMENT_H

#include "tactus/rules.h"
#include <jansson.h>
#include <stdlib.h>

static inline json_t *findings_document(const tac_rules *rules, const tac_rules_findings *findings,
                                        bool paths)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out || tac_rules_findings_write(rules, findings, paths, out, NULL) != TAC_OK)
        abort();
    fclose(out);
    json_t *document = json_loadb(text, size, 0, NULL);
    free(text);
    return document;
}

#endif
