/* Findings as Markdown, for a merge request or a mail: the worst first, what is fine at the end. */
#include "base/check.h"
#include "base/data/alloc.h"
#include "base/data/str.h"
#include "base/data/visible.h"
#include "findings/findings.h"
#include <errno.h>
#include <string.h>

/* Text that Markdown shows as it is: signs are escaped, a line break or a control is a blank, what
 * else acts instead of showing is visible. */
static void add_plain(tac_str *out, const char *text)
{
    size_t left = strlen(text);
    while (left) {
        tac_glyph glyph = tac_glyph_at(text, left);
        if (glyph.kind == TAC_GLYPH_HIDDEN && glyph.code < 0x80)
            tac_str_add_char(out, ' ');
        else if (glyph.kind == TAC_GLYPH_HIDDEN)
            tac_str_addf(out, "\\\\u%04x", glyph.code);
        else if (glyph.kind != TAC_GLYPH_PLAIN)
            tac_str_addf(out, "\\\\x%02x", (unsigned char)*text);
        else if (*text == '&')
            tac_str_add(out, "&amp;");
        else if (strchr("\\`*_[]<>|~#!", *text))
            tac_str_addf(out, "\\%c", *text);
        else
            tac_str_add_bytes(out, text, glyph.length);
        size_t used = glyph.kind == TAC_GLYPH_CUT ? 1 : glyph.length;
        text += used;
        left -= used;
    }
}

/* The detail as a quoted block, line by line. */
static void add_quoted(tac_str *out, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = tac_strndup(text, length);
        tac_str_add(out, "  > ");
        add_plain(out, line);
        tac_str_add(out, "  \n");
        free(line);
        text += length + (text[length] == '\n');
    }
}

static void add_entry(tac_str *out, const struct finding_entry *entry)
{
    static const char *const marks[] = {[FINDING_ERROR] = "**Found**",
                                        [FINDING_MILD] = "Found",
                                        [FINDING_UNCLEAR] = "**Unclear**",
                                        [FINDING_NOTE] = "Note",
                                        [FINDING_KNOWN] = "Known",
                                        [FINDING_ELSEWHERE] = "Not tested",
                                        [FINDING_PASS] = "Fine"};
    TABLE_COVERS(marks, FINDING_PASS);
    tac_str_addf(out, "- %s (", marks[entry->level]);
    add_plain(out, entry->rule);
    tac_str_add(out, "): ");
    add_plain(out, entry->text);
    tac_str_add(out, "\n");
    if (entry->level == FINDING_KNOWN)
        add_quoted(out, entry->known);
    if (entry->detail && entry->level < FINDING_KNOWN)
        add_quoted(out, entry->detail);
}

static void add_level(tac_str *out, const struct finding_list *list, enum finding_level level,
                      const char *heading)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        count += list->at[i].level == level;
    if (!count)
        return;
    tac_str_addf(out, "\n## %s (%zu)\n\n", heading, count);
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].level == level)
            add_entry(out, &list->at[i]);
}

tac_status findings_markdown(const struct finding_list *list, FILE *out, tac_error *err)
{
    tac_str text = {0};
    tac_str_add(&text, "# ");
    add_plain(&text, list->title);
    tac_str_add(&text, "\n");
    if (list->undone) {
        tac_str_add(&text, "\n**Could not be done**: ");
        add_plain(&text, list->undone);
        tac_str_add(&text, "\n");
    }
    add_level(&text, list, FINDING_ERROR, "Found");
    add_level(&text, list, FINDING_MILD, "Mild");
    add_level(&text, list, FINDING_UNCLEAR, "Unclear");
    add_level(&text, list, FINDING_NOTE, "Notes");
    add_level(&text, list, FINDING_KNOWN, "Known");
    add_level(&text, list, FINDING_ELSEWHERE, "Not tested here, but elsewhere");
    add_level(&text, list, FINDING_PASS, "Fine");
    fputs(tac_str_text(&text), out);
    tac_str_free(&text);
    return ferror(out) ? tac_fail_errno(err, errno, "", "cannot write the findings") : TAC_OK;
}
