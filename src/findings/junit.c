/* Findings as JUnit XML, the form that build servers read. */
#include "base/data/alloc.h"
#include "base/data/quote.h"
#include "base/data/str.h"
#include "findings/findings.h"
#include "findings/identity.h"
#include "tactus/version.h"
#include <errno.h>
#include <string.h>

/* What XML 1.0 cannot hold at all (control characters, U+FFFE, U+FFFF) becomes U+FFFD. */
static void add_xml(tac_str *out, const char *text)
{
    tac_str allowed = {0};
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool outside = c[0] == 0xef && c[1] == 0xbf && (c[2] == 0xbe || c[2] == 0xbf);
        if ((*c < 0x20 && *c != '\t' && *c != '\n') || *c == 0x7f)
            tac_str_add(&allowed, "\xef\xbf\xbd");
        else if (outside) {
            tac_str_add(&allowed, "\xef\xbf\xbd");
            c += 2;
        } else
            tac_str_add_char(&allowed, (char)*c);
    }
    tac_quote_html(out, tac_str_text(&allowed));
    tac_str_free(&allowed);
}

static bool is_skipped(const struct finding_entry *entry)
{
    return entry->level == FINDING_UNCLEAR || entry->level == FINDING_KNOWN ||
           entry->level == FINDING_ELSEWHERE;
}

static void add_attribute(tac_str *out, const char *name, const char *value)
{
    tac_str_addf(out, " %s=\"", name);
    add_xml(out, value);
    tac_str_add(out, "\"");
}

static void add_body(tac_str *out, const char *element, const struct finding_entry *entry)
{
    bool failure = entry->level <= FINDING_MILD;
    tac_str_addf(out, "\n   <%s", element);
    if (failure) { /* what is skipped has text only: not every schema knows attributes there */
        add_attribute(out, "message", entry->text);
        add_attribute(out, "type", entry->rule);
    }
    tac_str_add(out, ">");
    if (!failure)
        add_xml(out, entry->text);
    if (entry->level == FINDING_KNOWN) {
        tac_str_add(out, "\n");
        add_xml(out, entry->known);
    }
    if (!failure && entry->detail && *entry->detail)
        tac_str_add(out, "\n");
    if (entry->detail)
        add_xml(out, entry->detail);
    for (size_t i = 0; i < entry->place_count; i++) {
        tac_str_add(out, "\n");
        add_xml(out, entry->places[i].file);
        if (entry->places[i].line)
            tac_str_addf(out, ":%zu", entry->places[i].line);
    }
    tac_str_addf(out, "</%s>\n  ", element);
}

static void add_time(tac_str *out, double seconds)
{
    if (seconds > 0)
        tac_str_addf(out, " time=\"%.3f\"", seconds);
}

/* What belongs to a case beside its text, in the form that build servers read out of the output:
 * no schema has a place for it. */
static void add_attached(tac_str *out, const struct finding_entry *entry)
{
    char id[FINDING_ID];
    finding_entry_id(entry, id);
    tac_str_addf(out, "<system-out>[[PROPERTY|finding=%s]]", id);
    for (const char *at = entry->attachments; at && *at;) {
        char *path = tac_strndup(at, strcspn(at, "\n"));
        tac_str_add(out, "\n[[ATTACHMENT|");
        add_xml(out, path);
        tac_str_add(out, "]]");
        at += strlen(path) + (at[strlen(path)] == '\n');
        free(path);
    }
    tac_str_add(out, "</system-out>");
}

static void add_case(tac_str *out, const struct finding_entry *entry)
{
    tac_str_add(out, "  <testcase");
    add_attribute(out, "classname", entry->rule);
    add_attribute(out, "name", entry->name);
    add_time(out, entry->seconds);
    tac_str_add(out, ">");
    if (entry->level <= FINDING_MILD)
        add_body(out, "failure", entry);
    else if (is_skipped(entry))
        add_body(out, "skipped", entry);
    else {
        tac_str_add(out, "<system-out>");
        add_xml(out, entry->text);
        tac_str_add(out, "</system-out>");
    }
    if (entry->level <= FINDING_MILD || entry->level == FINDING_KNOWN)
        add_attached(out, entry);
    tac_str_add(out, "</testcase>\n");
}

static void add_undone(tac_str *out, const struct finding_list *list)
{
    tac_str_add(out, "  <testcase classname=\"tactus\"");
    add_attribute(out, "name", list->title);
    tac_str_add(out, "><error");
    add_attribute(out, "message", list->undone);
    tac_str_add(out, "/></testcase>\n");
}

tac_status findings_junit(const struct finding_list *list, FILE *out, tac_error *err)
{
    size_t failures = 0, skipped = 0, errors = list->undone != NULL;
    double seconds = 0;
    tac_str text = {0};
    for (size_t i = 0; i < list->count; i++) {
        failures += list->at[i].level <= FINDING_MILD;
        skipped += is_skipped(&list->at[i]);
        seconds += list->at[i].seconds > 0 ? list->at[i].seconds : 0;
    }
    tac_str_add(&text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite");
    add_attribute(&text, "name", list->title);
    tac_str_addf(&text, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                 list->count + errors, failures, errors, skipped);
    add_time(&text, seconds);
    tac_str_add(&text, ">\n  <properties><property name=\"tactus.version\" value=\"" TACTUS_VERSION
                       "\"/></properties>\n");
    for (size_t i = 0; i < list->count; i++)
        add_case(&text, &list->at[i]);
    if (list->undone)
        add_undone(&text, list);
    tac_str_add(&text, " </testsuite>\n</testsuites>\n");
    fputs(tac_str_text(&text), out);
    tac_str_free(&text);
    return ferror(out) ? tac_fail_errno(err, errno, "", "cannot write the findings") : TAC_OK;
}
