/* What is wrong as workflow commands of GitHub: "::error file=F,line=N,title=T::text". Properties
 * and text escape what would end them, as the runner decodes it. */
#include "base/data/str.h"
#include "findings/findings.h"
#include <stdlib.h>
#include <string.h>

static void add_escaped(tac_str *out, const char *text, const char *special)
{
    for (const char *c = text; *c; c++)
        if (*c == '%' || *c == '\r' || *c == '\n' || strchr(special, *c))
            tac_str_addf(out, "%%%02X", (unsigned char)*c);
        else
            tac_str_add_char(out, *c);
}

void findings_annotations(const struct finding_list *list, FILE *out)
{
    static const char *const commands[] = {"error", "warning", "warning", "notice"};
    size_t *counts = findings_occurrences(list);
    for (size_t i = 0; i < list->count; i++) {
        const struct finding_entry *entry = &list->at[i];
        if (entry->level >= FINDING_KNOWN || !counts[i])
            continue;
        tac_str line = {0};
        tac_str_addf(&line, "::%s ", commands[entry->level]);
        if (entry->place_count) {
            tac_str_add(&line, "file=");
            add_escaped(&line, entry->places[0].file, ":,");
            if (entry->places[0].line)
                tac_str_addf(&line, ",line=%zu", entry->places[0].line);
            tac_str_add(&line, ",");
        }
        tac_str_add(&line, "title=");
        add_escaped(&line, entry->rule, ":,");
        tac_str_add(&line, "::");
        add_escaped(&line, entry->text, "");
        if (counts[i] > 1)
            tac_str_addf(&line, " (%zu times)", counts[i]);
        fprintf(out, "%s\n", tac_str_text(&line));
        tac_str_free(&line);
    }
    free(counts);
    if (list->undone) {
        tac_str line = {0};
        add_escaped(&line, list->undone, "");
        fprintf(out, "::error title=tactus::%s\n", tac_str_text(&line));
        tac_str_free(&line);
    }
}
